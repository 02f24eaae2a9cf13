//! The measurement: before, with one process, with all of them, after.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::MeasureError;
use super::plan::{MeasuredImage, Plan, Subject};
use super::protocol::Answer;
use super::stage::{Process, Stage, is_sayable};

/// The system's commit in bytes, at four moments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct SystemReadings {
    /// Before any process.
    pub before: u64,
    /// With one.
    pub with_one: u64,
    /// With all of them.
    pub with_all: u64,
    /// Once they ended.
    pub after: u64,
}

/// What one image cost a process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ImageMeasurement {
    /// Where it lies.
    #[serde(with = "crate::path_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub path: PathBuf,
    /// What it cost, in bytes: it may be a little more than the image, for the
    /// loader's own records. `None` where it could not be mapped.
    pub measured: Option<i64>,
    /// What it should cost by its headers, in bytes.
    pub calculated: u64,
    /// The system's error number, where it could not be mapped.
    pub os_error: Option<i32>,
}

/// Why not all processes ran.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Stopped {
    /// How many were ready.
    pub ready: u32,
    /// What the next one met, in English.
    pub message: String,
}

/// What was measured. Sizes are in bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Measurement {
    /// Processes asked for.
    pub processes: u32,
    /// The Python that they were; `None` where images were mapped.
    #[serde(with = "crate::path_text::optional")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub program: Option<PathBuf>,
    /// The modules that each imported; empty where images were mapped.
    pub imports: Vec<String>,
    /// A process of the same program that does nothing.
    pub idle: u64,
    /// Each process, with everything that it is charged.
    pub commits: Vec<u64>,
    /// What a process pays for what was measured: the middle one, less the idle
    /// one.
    pub per_process: i64,
    /// What it should pay by the headers of the images; `None` where that is
    /// not known.
    pub calculated: Option<u64>,
    /// The system's commit.
    pub system: SystemReadings,
    /// The images, one by one.
    pub images: Vec<ImageMeasurement>,
    /// Why not all processes ran, where that is so.
    pub stopped: Option<Stopped>,
}

impl Measurement {
    /// What was measured beyond the calculation, in bytes; negative where it was
    /// less.
    #[must_use]
    pub fn beyond(&self) -> Option<i64> {
        let calculated = i64::try_from(self.calculated?).ok()?;
        Some(self.per_process.saturating_sub(calculated))
    }
}

/// Measures: the system before, an idle process, one process, all processes,
/// and the system after they ended. `cancelled` is asked before each process is
/// started; the processes end in any case.
///
/// A process that cannot be started or does not get ready, because the commit
/// limit is reached, say, is a result, not an error, once one was measured.
///
/// # Errors
///
/// Where nothing was selected, or not even one process could be measured.
pub fn measure(
    plan: &Plan,
    stage: &mut dyn Stage,
    cancelled: &dyn Fn() -> bool,
) -> Result<Measurement, MeasureError> {
    if plan.is_empty() {
        return Err(MeasureError::Nothing);
    }
    let mut system = SystemReadings {
        before: stage.system_commit()?,
        ..SystemReadings::default()
    };
    let idle = idle(plan, stage)?;
    let mut running: Vec<Box<dyn Process>> = Vec::new();
    let outcome = start_all(plan, stage, cancelled, &mut running, &mut system);
    let commits: Vec<_> = running
        .iter_mut()
        .filter_map(|process| process.commit().ok())
        .collect();
    for process in running {
        process.end();
    }
    let (answer, stopped) = outcome?;
    system.after = stage.system_commit()?;
    Ok(Measurement {
        processes: plan.processes,
        program: match &plan.subject {
            Subject::Images(_) => None,
            Subject::Python { program, .. } => Some(program.clone()),
        },
        imports: match &plan.subject {
            Subject::Images(_) => Vec::new(),
            Subject::Python { imports, .. } => imports.clone(),
        },
        idle,
        per_process: difference(middle(&commits).unwrap_or(idle), idle),
        commits,
        calculated: plan.calculated(),
        system,
        images: match &plan.subject {
            Subject::Images(images) => images_of(images, &answer),
            Subject::Python { .. } => Vec::new(),
        },
        stopped,
    })
}

fn idle(plan: &Plan, stage: &mut dyn Stage) -> Result<u64, MeasureError> {
    let mut process = stage.start(plan, true)?;
    let commit = process.answer().and_then(|_| process.commit());
    process.end();
    commit
}

/// Starts the processes; the first one's answer, and why not all of them ran.
fn start_all(
    plan: &Plan,
    stage: &mut dyn Stage,
    cancelled: &dyn Fn() -> bool,
    running: &mut Vec<Box<dyn Process>>,
    system: &mut SystemReadings,
) -> Result<(Answer, Option<Stopped>), MeasureError> {
    let mut first = None;
    let mut stopped = None;
    for ready in 0..plan.processes {
        if cancelled() && first.is_some() {
            let message = "cancelled".to_owned();
            stopped = Some(Stopped { ready, message });
            break;
        }
        match start_one(plan, stage, first.as_ref(), running) {
            Ok(answer) => {
                if first.is_none() {
                    system.with_one = stage.system_commit()?;
                    first = Some(answer);
                }
            }
            Err(error) if first.is_some() => {
                let message = error.to_string();
                stopped = Some(Stopped { ready, message });
                break;
            }
            Err(error) => return Err(error),
        }
    }
    system.with_all = stage.system_commit()?;
    Ok((first.unwrap_or_default(), stopped))
}

fn start_one(
    plan: &Plan,
    stage: &mut dyn Stage,
    first: Option<&Answer>,
    running: &mut Vec<Box<dyn Process>>,
) -> Result<Answer, MeasureError> {
    let mut process = stage.start(plan, false)?;
    let answer = process.answer().and_then(|answer| {
        match first.and_then(|first| refused(plan, first, &answer)) {
            Some(error) => Err(error),
            None => Ok(answer),
        }
    });
    match answer {
        Ok(answer) => {
            running.push(process);
            Ok(answer)
        }
        Err(error) => {
            process.end();
            Err(error)
        }
    }
}

/// The image that the first process could map and this one could not: so many
/// processes do not fit.
fn refused(plan: &Plan, first: &Answer, answer: &Answer) -> Option<MeasureError> {
    let Subject::Images(images) = &plan.subject else {
        return None;
    };
    let said = images.iter().filter(|image| is_sayable(&image.path));
    let mut pairs = said.zip(first.images.iter().zip(&answer.images));
    pairs.find_map(|(image, (first, now))| {
        let os_error = now.os_error.filter(|_| first.os_error.is_none())?;
        let path = image.path.display().to_string();
        Some(MeasureError::Map { path, os_error })
    })
}

/// The steps from image to image, from the first process's answer.
fn images_of(images: &[MeasuredImage], answer: &Answer) -> Vec<ImageMeasurement> {
    let mut before = answer.before;
    let mut mapped = answer.images.iter();
    images
        .iter()
        .map(|image| {
            // A path that could not be said has no answer.
            let answer = is_sayable(&image.path).then(|| mapped.next()).flatten();
            let commit = answer.and_then(|answer| answer.commit);
            let measured = commit
                .zip(before)
                .map(|(now, before)| difference(now, before));
            before = commit.or(before);
            ImageMeasurement {
                path: image.path.clone(),
                measured,
                calculated: image.calculated,
                os_error: answer.and_then(|answer| answer.os_error),
            }
        })
        .collect()
}

fn difference(now: u64, before: u64) -> i64 {
    i64::try_from(i128::from(now) - i128::from(before)).unwrap_or(i64::MAX)
}

/// The one in the middle: a single process that did something else meanwhile
/// does not count.
fn middle(commits: &[u64]) -> Option<u64> {
    let mut sorted = commits.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied()
}

#[cfg(test)]
mod tests;
