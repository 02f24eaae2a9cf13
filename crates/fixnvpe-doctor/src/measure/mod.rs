//! What processes really cost: started, read and ended.
//!
//! Both sides of the conversation are here. The caller's program starts itself
//! once more for each process, with a hidden argument; that child calls
//! [`serve`]: it reads one line from its standard input, maps the images that the line
//! names without running them, answers with one line, and waits until its input
//! ends, so that it never outlives its parent. The parent calls [`measure`],
//! which is a plain sequence of questions to a [`Stage`]: the real one is
//! [`Processes`], tests bring their own.
//!
//! Commit is a matter of Windows. Elsewhere there is nothing to measure
//! ([`is_available`]).

mod compare;
#[cfg(not(windows))]
mod elsewhere;
mod plan;
mod protocol;
mod run;
mod stage;

#[cfg(windows)]
use crate::win32 as system;
#[cfg(not(windows))]
use elsewhere as system;

use serde::{Deserialize, Serialize};

pub use compare::{Comparison, compare};
pub use plan::{MeasuredImage, Plan, Subject};
pub use protocol::{Answer, MappedImage, Mapper, Request, is_module_name, python_program, serve};
pub use run::{ImageMeasurement, Measurement, Stopped, SystemReadings, measure};
pub use stage::{Process, Processes, Stage};

/// Whether this system accounts commit in a way that can be measured.
#[must_use]
pub fn is_available() -> bool {
    cfg!(windows)
}

/// Lets whatever this process starts from now on end with it, even where it is
/// killed. [`Processes`] does so for each child once it runs; a parent that is
/// killed between starting one and that moment leaves it behind, unless this was
/// called before. It is about the whole process: a program's decision, once.
///
/// # Errors
///
/// The system's, and always where measuring [is not available](is_available).
pub fn end_children_with_this_process() -> std::io::Result<()> {
    system::Job::new()?.adopt_own()
}

/// The real [`Mapper`]: maps images as Windows does for a process that loads
/// them, without running their code, and tells this process's own commit. Where
/// that [is not available](is_available), every call fails.
#[must_use]
pub fn mapper() -> impl Mapper {
    system::OwnProcess
}

/// What `measure` tells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct MeasureReport {
    /// What was measured.
    pub measurement: Measurement,
    /// The comparison with an earlier one, where one was given.
    pub against: Option<Comparison>,
}

impl MeasureReport {
    /// A measurement, compared with an earlier one.
    #[must_use]
    pub fn new(measurement: Measurement, earlier: Option<&Measurement>) -> Self {
        let against = earlier.map(|earlier| compare(earlier, &measurement));
        Self {
            measurement,
            against,
        }
    }
}

/// Why nothing could be measured.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MeasureError {
    /// This system does not account commit.
    #[error("commit is accounted on Windows only: there is nothing to measure here")]
    NotWindows,
    /// No image and no import was selected.
    #[error("nothing was selected to measure")]
    Nothing,
    /// A process could not be started.
    #[error("cannot start `{program}`")]
    Start {
        /// The program.
        program: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// A process ended before it answered.
    #[error("`{program}` ended before it was ready{}", if said.is_empty() { String::new() } else { format!(": {said}") })]
    Ended {
        /// The program.
        program: String,
        /// The last line of what it said.
        said: String,
    },
    /// An image that an earlier process mapped could not be mapped.
    #[error("cannot map `{path}` (error {os_error})")]
    Map {
        /// The image.
        path: String,
        /// The system's error number: 1455 where the commit limit is reached.
        os_error: i32,
    },
    /// A reading failed.
    #[error("cannot read the {what}")]
    Read {
        /// What was to be read.
        what: &'static str,
        /// What the system said.
        source: std::io::Error,
    },
}
