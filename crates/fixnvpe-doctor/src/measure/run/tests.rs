//! The sequence of readings, on a stage with figures of its own.

use std::cell::RefCell;
use std::rc::Rc;

use fixnvpe_pe::CommitCharge;

use super::*;
use crate::measure::MappedImage;

const IDLE: u64 = 5;

/// A system in which each process pays what the plan says, with a limit.
#[derive(Default)]
struct Room {
    used: u64,
    limit: u64,
    /// Whether a process lives on without the image that does not fit.
    lives_on: bool,
    alive: u32,
    most: u32,
}

struct Double(Rc<RefCell<Room>>);

struct One {
    room: Rc<RefCell<Room>>,
    images: Vec<u64>,
    commit: u64,
}

impl Stage for Double {
    fn system_commit(&mut self) -> Result<u64, MeasureError> {
        Ok(self.0.borrow().used)
    }

    fn start(&mut self, plan: &Plan, idle: bool) -> Result<Box<dyn Process>, MeasureError> {
        let images = match &plan.subject {
            Subject::Images(images) if !idle => {
                images.iter().map(|image| image.calculated).collect()
            }
            Subject::Python { .. } if !idle => vec![100],
            _ => Vec::new(),
        };
        let mut room = self.0.borrow_mut();
        room.used += IDLE;
        room.alive += 1;
        room.most = room.most.max(room.alive);
        Ok(Box::new(One {
            room: Rc::clone(&self.0),
            images,
            commit: IDLE,
        }))
    }
}

impl Process for One {
    fn answer(&mut self) -> Result<Answer, MeasureError> {
        let mut answer = Answer {
            before: Some(self.commit),
            ..Answer::default()
        };
        for bytes in &self.images {
            let mut room = self.room.borrow_mut();
            if room.used + bytes > room.limit && room.lives_on {
                answer.images.push(MappedImage {
                    commit: None,
                    os_error: Some(1455),
                });
                continue;
            }
            if room.used + bytes > room.limit {
                return Err(MeasureError::Ended {
                    program: "child".into(),
                    said: "os error 1455".into(),
                });
            }
            room.used += bytes;
            self.commit += bytes;
            answer.images.push(MappedImage {
                commit: Some(self.commit),
                os_error: None,
            });
        }
        Ok(answer)
    }

    fn commit(&mut self) -> Result<u64, MeasureError> {
        Ok(self.commit)
    }

    fn end(self: Box<Self>) {
        let mut room = self.room.borrow_mut();
        room.used -= self.commit;
        room.alive -= 1;
    }
}

fn plan(workers: u32, sizes: &[u64]) -> Plan {
    let image =
        |bytes: &u64| MeasuredImage::new(format!("{bytes}.dll"), CommitCharge::new(*bytes, 0));
    Plan::new(workers, Subject::Images(sizes.iter().map(image).collect()))
}

fn double(limit: u64) -> (Double, Rc<RefCell<Room>>) {
    let room = Rc::new(RefCell::new(Room {
        used: 1000,
        limit,
        ..Room::default()
    }));
    (Double(Rc::clone(&room)), room)
}

#[test]
fn each_process_and_each_image_is_told_apart_from_an_idle_one() {
    let (mut stage, room) = double(u64::MAX);
    let found = measure(&plan(3, &[300, 40]), &mut stage, &|| false).unwrap();
    assert_eq!(found.commits, [345; 4]);
    assert_eq!(found.per_process, 340);
    assert_eq!(found.calculated, Some(340));
    assert_eq!(found.beyond(), Some(0));
    let steps: Vec<_> = found.images.iter().map(|image| image.measured).collect();
    assert_eq!(steps, [Some(300), Some(40)]);
    assert_eq!(
        found.system,
        SystemReadings {
            before: 1000,
            with_one: 1345,
            with_all: 1000 + 4 * 345,
            after: 1000
        }
    );
    assert_eq!((room.borrow().alive, room.borrow().most), (0, 4));
}

#[test]
fn a_limit_that_is_reached_is_a_result_and_every_process_ends() {
    let (mut stage, room) = double(2000);
    let found = measure(&plan(8, &[300]), &mut stage, &|| false).unwrap();
    let stopped = found.stopped.unwrap();
    assert_eq!(stopped.ready, 3);
    assert!(stopped.message.contains("1455"), "{}", stopped.message);
    assert_eq!(found.commits.len(), 3);
    assert_eq!((room.borrow().alive, room.borrow().used), (0, 1000));
}

#[test]
fn a_process_that_cannot_map_what_the_first_one_could_is_one_too_many() {
    let (mut stage, room) = double(1990);
    room.borrow_mut().lives_on = true;
    let found = measure(&plan(8, &[300, 5000, 40]), &mut stage, &|| false).unwrap();
    // What not even the first one could map is no question of how many.
    let steps: Vec<_> = found.images.iter().map(|image| image.measured).collect();
    assert_eq!(steps, [Some(300), None, Some(40)]);
    assert_eq!(found.images[1].os_error, Some(1455));
    let stopped = found.stopped.unwrap();
    assert_eq!((stopped.ready, found.commits.len()), (2, 2));
    assert_eq!(stopped.message, "cannot map `300.dll` (error 1455)");
    assert_eq!((room.borrow().alive, room.borrow().used), (0, 1000));
}

#[test]
fn without_one_process_there_is_no_result() {
    let (mut stage, room) = double(1100);
    let error = measure(&plan(8, &[300]), &mut stage, &|| false).unwrap_err();
    assert!(matches!(error, MeasureError::Ended { .. }), "{error}");
    assert_eq!(room.borrow().alive, 0);
    let (mut stage, _) = double(u64::MAX);
    let error = measure(&plan(8, &[]), &mut stage, &|| false).unwrap_err();
    assert!(matches!(error, MeasureError::Nothing), "{error}");
}

#[test]
fn cancelling_keeps_what_was_measured() {
    let (mut stage, room) = double(u64::MAX);
    let found = measure(&plan(8, &[300]), &mut stage, &|| true).unwrap();
    assert_eq!(found.commits.len(), 1);
    assert_eq!(found.stopped.unwrap().ready, 1);
    assert_eq!(room.borrow().alive, 0);
}

#[test]
fn python_is_measured_against_a_python_that_imports_nothing() {
    let (mut stage, _) = double(u64::MAX);
    let subject = Subject::Python {
        program: "python.exe".into(),
        imports: vec!["torch".into()],
        calculated: Some(90),
    };
    let found = measure(&Plan::new(1, subject), &mut stage, &|| false).unwrap();
    assert_eq!(found.imports, ["torch"]);
    assert_eq!(found.program, Some("python.exe".into()));
    assert_eq!((found.idle, found.per_process), (IDLE, 100));
    assert_eq!(found.beyond(), Some(10));
    assert!(found.images.is_empty());
}

#[test]
fn the_middle_process_counts_not_the_odd_one() {
    assert_eq!(middle(&[5, 900, 6]), Some(6));
    assert_eq!(middle(&[]), None);
}
