//! Files that another program holds for moments.

use std::path::PathBuf;
use std::sync::Mutex;

use super::bench::{Bench, X, Y, image, left, only, patched, with_links, with_x};
use super::scenario::{SCENARIOS, check_records};
use crate::double::{Fault, MemoryDisk};
use crate::observe::{Event, Observer};
use crate::options::{ChangeOptions, InUse, PatchOptions, RestoreOptions};
use crate::report::{Code, LeftReason, Method, Outcome};
use crate::restore::RestoreTarget;
use crate::retry::Retry;

/// Tries again a few times; something may happen in between.
struct Patience<F> {
    attempts: u32,
    meanwhile: F,
    asked: Mutex<Vec<(u32, usize)>>,
}

impl<F: Fn(u32)> Patience<F> {
    fn new(attempts: u32, meanwhile: F) -> Self {
        let asked = Mutex::default();
        Self {
            attempts,
            meanwhile,
            asked,
        }
    }

    /// How often it was asked, and about how many files each time.
    fn asked(&self) -> Vec<usize> {
        let asked = self.asked.lock().unwrap();
        let attempts = asked.iter().map(|(attempt, _)| *attempt);
        assert!(attempts.eq(0..u32::try_from(asked.len()).unwrap()));
        asked.iter().map(|(_, held)| *held).collect()
    }
}

impl<F: Fn(u32) + Sync> Retry for Patience<F> {
    fn again(&self, attempt: u32, held: usize) -> bool {
        self.asked.lock().unwrap().push((attempt, held));
        (self.meanwhile)(attempt);
        attempt < self.attempts
    }
}

/// The results and failures that were told.
#[derive(Default)]
struct Told(Mutex<Vec<PathBuf>>);

impl Observer for Told {
    fn event(&self, event: &Event<'_>) {
        let path = match event {
            Event::Patched(result) | Event::Restored(result) => &result.path,
            Event::Failed(failure) => &failure.path,
            _ => return,
        };
        self.0.lock().unwrap().push(path.clone());
    }
}

fn change(retry: &dyn Retry) -> ChangeOptions<'_> {
    ChangeOptions {
        retry: Some(retry),
        ..ChangeOptions::default()
    }
}

fn patching(retry: &dyn Retry) -> PatchOptions<'_> {
    PatchOptions {
        change: change(retry),
        ..PatchOptions::default()
    }
}

/// Two files, one of them in use.
fn with_one_in_use() -> Bench<MemoryDisk> {
    let bench = with_x();
    bench.files.put(Y, &image());
    bench.files.map(X, true);
    bench
}

#[test]
fn a_file_that_is_released_between_two_passes_is_patched_in_place_in_the_same_run() {
    for released in 0..4 {
        let bench = with_one_in_use();
        let patience = Patience::new(4, |attempt| {
            if attempt == released {
                bench.files.release_all();
            }
        });
        let told = Told::default();
        let context = bench.context().observed(&told);
        let files = bench.files.collection([X, Y]);
        let report = crate::patch(&files, &patching(&patience), &bench.state, &context).unwrap();
        assert_eq!(patience.asked(), vec![1; released as usize + 1]);
        let ends = |one: &crate::FileResult| (one.outcome, one.method);
        let ends: Vec<_> = report.results.iter().map(ends).collect();
        assert_eq!(ends, [(Outcome::Patched, Some(Method::InPlace)); 2]);
        assert!(report.complete && report.failures.is_empty());
        assert_eq!(bench.files.get(X), Some(patched(&image())));
        assert_eq!(bench.view().runs.len(), 1);
        let mut told = told.0.into_inner().unwrap();
        told.sort();
        assert_eq!(told, [X, Y].map(PathBuf::from));
    }
}

#[test]
fn a_file_that_is_held_for_ever_ends_as_without_patience_after_so_many_passes() {
    let bench = with_one_in_use();
    let impatient = bench.patch(&bench.files.collection([X]));
    let patience = Patience::new(3, |_| ());
    let told = Told::default();
    let context = bench.context().observed(&told);
    let files = bench.files.collection([X]);
    let report = crate::patch(&files, &patching(&patience), &bench.state, &context).unwrap();
    assert_eq!(patience.asked(), [1; 4]);
    assert_eq!(report.results, impatient.results);
    assert_eq!(left(only(&report.results)), LeftReason::InUse);
    assert!(only(&report.results).retryable && report.complete);
    assert_eq!(told.0.into_inner().unwrap(), [PathBuf::from(X)]);
    assert_eq!(bench.files.get(X), Some(image()));
}

#[test]
fn nobody_is_asked_where_nothing_is_held() {
    let bench = with_x();
    bench.files.put(Y, b"no image");
    let patience = Patience::new(3, |_| ());
    let files = bench.files.collection([X, Y]);
    let report = bench.patch_with(&files, &patching(&patience));
    assert_eq!(report.failures.len(), 1);
    assert!(patience.asked().is_empty());
}

#[test]
fn a_file_that_cannot_be_read_for_a_moment_is_judged_later() {
    for (released, outcomes) in [(0, 1), (2, 1), (9, 0)] {
        let bench = with_x();
        bench.files.hold(X);
        let patience = Patience::new(3, |attempt| {
            if attempt == released {
                bench.files.release_all();
            }
        });
        let files = bench.files.collection([X]);
        let report = bench.patch_with(&files, &patching(&patience));
        assert_eq!(report.results.len(), outcomes);
        let codes: Vec<Code> = report.failures.iter().map(|one| one.code).collect();
        assert_eq!(codes, vec![Code::InUse; 1 - outcomes]);
        let is_patched = bench.files.get(X) == Some(patched(&image()));
        assert_eq!(is_patched, outcomes == 1);
    }
}

#[test]
fn a_denial_is_tried_again_only_where_it_may_be_momentary() {
    let bench = with_x();
    bench.files.break_at(Fault::None);
    bench.patch(&bench.files.collection([X]));
    let mut asked = 0;
    for at in 1..=bench.files.operations() {
        let bench = with_x();
        let kind = std::io::ErrorKind::PermissionDenied;
        bench.files.break_at(Fault::Error(at, kind));
        let patience = Patience::new(1, |_| ());
        let files = bench.files.collection([X]);
        let _ = bench.try_patch(&files, &patching(&patience));
        asked += patience.asked().len();
    }
    assert_eq!(asked > 0, cfg!(windows));
}

#[test]
fn a_restore_tries_again_as_a_patch_does() {
    for (released, outcome) in [(1, Outcome::Restored), (9, Outcome::Skipped)] {
        let bench = with_x();
        bench.patch(&bench.files.collection([X]));
        bench.files.map(X, true);
        let patience = Patience::new(2, |attempt| {
            if attempt == released {
                bench.files.release_all();
            }
        });
        let options = RestoreOptions {
            change: change(&patience),
            ..RestoreOptions::default()
        };
        let report = bench.restore_with(&RestoreTarget::LastRun, &options);
        assert_eq!(only(&report.results).outcome, outcome);
        let is_original = bench.files.get(X) == Some(image());
        assert_eq!(is_original, outcome == Outcome::Restored);
    }
}

#[test]
fn cancelling_between_two_passes_ends_the_job_with_what_is_known() {
    for in_use in [InUse::Skip, InUse::Replace] {
        let bench = with_one_in_use();
        let patience = Patience::new(9, |attempt| {
            if attempt == 1 {
                bench.files.release_all();
                bench.cancel.cancel();
            }
        });
        let mut options = patching(&patience);
        options.change.in_use = in_use;
        let files = bench.files.collection([X, Y]);
        let report = bench.patch_with(&files, &options);
        assert_eq!(patience.asked(), [1, 1]);
        assert!(!report.complete);
        assert_eq!(left(&report.results[0]), LeftReason::InUse);
        assert_eq!(report.results[1].outcome, Outcome::Patched);
        assert_eq!(bench.files.get(X), Some(image()));
    }
}

#[test]
fn cancelling_during_a_pass_keeps_what_the_pass_before_came_to() {
    struct Cancelling<'a>(&'a Bench<MemoryDisk>, Mutex<u32>);
    impl Observer for Cancelling<'_> {
        fn event(&self, event: &Event<'_>) {
            if matches!(event, Event::Stage { .. }) {
                let mut stages = self.1.lock().unwrap();
                *stages += 1;
                // Judging, changing, and then the second attempt.
                if *stages == 3 {
                    self.0.cancel.cancel();
                }
            }
        }
    }
    let bench = with_one_in_use();
    let patience = Patience::new(9, |_| ());
    let cancelling = Cancelling(&bench, Mutex::default());
    let context = bench.context().observed(&cancelling);
    let files = bench.files.collection([X, Y]);
    let report = crate::patch(&files, &patching(&patience), &bench.state, &context).unwrap();
    assert_eq!(patience.asked(), [1]);
    assert!(!report.complete);
    assert_eq!(report.results.len(), 2);
    assert_eq!(left(&report.results[0]), LeftReason::InUse);
}

#[test]
fn a_file_in_use_is_replaced_only_once_waiting_has_ended() {
    for (released, method) in [(1, Method::InPlace), (9, Method::Replace)] {
        let bench = with_x();
        bench.files.map(X, true);
        let patience = Patience::new(2, |attempt| {
            assert_eq!(bench.files.get(X), Some(image()));
            if attempt == released {
                bench.files.release_all();
            }
        });
        let mut options = patching(&patience);
        options.change.in_use = InUse::Replace;
        options.change.dry_run = true;
        let files = bench.files.collection([X]);
        let dry = bench.patch_with(&files, &options);
        assert_eq!(only(&dry.results).outcome, Outcome::WouldPatch);
        assert_eq!(only(&dry.results).method, Some(method));

        bench.files.map(X, true);
        options.change.dry_run = false;
        let report = bench.patch_with(&files, &options);
        assert_eq!(only(&report.results).outcome, Outcome::Patched);
        assert_eq!(only(&report.results).method, Some(method));
        assert_eq!(bench.files.get(X), Some(patched(&image())));
    }
}

/// How many files of ours lie beside others.
fn ours(bench: &Bench<MemoryDisk>) -> usize {
    let names = bench.files.names();
    let ours = names.iter().filter(|name| name.contains(".fixnvpe-"));
    ours.count()
}

#[test]
fn copies_that_a_scanner_holds_do_not_pile_up() {
    let bench = with_links();
    bench.files.hold_copies();
    let patience = Patience::new(4, |attempt| {
        assert_eq!(ours(&bench), 1, "before attempt {attempt}");
        if attempt == 1 {
            // It lets go of the first copy, and looks into the next.
            bench.files.release_all();
            bench.files.hold_copies();
        }
        if attempt == 3 {
            bench.files.release_all();
        }
    });
    let files = bench.files.collection([X, Y]);
    let report = bench.patch_with(&files, &patching(&patience));
    assert_eq!(only(&report.results).outcome, Outcome::Patched);
    assert_eq!(only(&report.results).method, Some(Method::Link));
    assert_eq!(ours(&bench), 0);
    assert_eq!(bench.files.get("/cache/x.dll"), Some(image()));

    // One that is never let go of stays, alone, until a later run.
    let bench = with_links();
    bench.files.hold_copies();
    let patience = Patience::new(4, |_| ());
    let files = bench.files.collection([X, Y]);
    let report = bench.patch_with(&files, &patching(&patience));
    assert_eq!(left(only(&report.results)), LeftReason::InUse);
    assert_eq!(ours(&bench), 1);
    bench.files.release_all();
    bench.patch(&files);
    assert_eq!(ours(&bench), 0);
}

/// Whatever operation a scanner interferes with, the files end whole, and the
/// next run finds nothing that it cannot settle.
#[test]
fn a_moment_in_use_at_any_operation_leaves_every_file_safe_and_the_journal_right() {
    for scenario in &SCENARIOS {
        let bench = scenario.bench();
        bench.files.break_at(Fault::None);
        scenario.patch(&bench).unwrap();
        let faults = 1..=bench.files.operations() + 20;
        for (at, count) in faults.flat_map(|at| [1, 3].map(move |count| (at, count))) {
            let bench = scenario.bench();
            let place = format!("{}, operation {at} and {count} in all", scenario.name);
            let kind = std::io::ErrorKind::ResourceBusy;
            bench.files.break_at(Fault::Errors(at, count, kind));
            let patience = Patience::new(2, |_| ());
            let mut options = scenario.options();
            options.change.retry = Some(&patience);
            let files = bench.files.collection(scenario.names());
            // The journal itself may be what is held: then nothing happens.
            if let Ok(report) = bench.try_patch(&files, &options) {
                let changed = |one: &&crate::Failure| one.code == Code::Changed;
                assert_eq!(report.failures.iter().find(changed), None, "{place}");
                bench.files.break_at(Fault::None);
                check_records(&bench, &place);
            }
            scenario.check_safe(&bench.files, &place);

            bench.files.break_at(Fault::None);
            bench.files.release_all();
            // The first run settles, which may bring a name back; the second
            // one finds it.
            for _ in 0..2 {
                let files = bench.files.collection(scenario.names());
                bench.patch_with(&files, &options);
            }
            scenario.check_whole(&bench.files, &patched(&image()), &place);
            let restored = scenario.restore(&bench).unwrap();
            assert!(
                restored.iter().all(|one| *one == Outcome::Restored),
                "{place}: {restored:?}"
            );
            scenario.check_whole(&bench.files, &image(), &place);
        }
    }
}
