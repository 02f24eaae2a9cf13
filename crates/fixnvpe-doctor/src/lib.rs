//! Advice.

pub mod budget;
pub mod explain;
pub mod facts;
pub mod findings;
mod gather;
pub mod measure;
mod path_text;
mod report;
mod step;
pub mod texts;
mod this_machine;
pub mod upgrade;
mod version;
#[cfg(windows)]
mod win32;

/// The crate that judges images, for the types that are in facts and reports.
pub use fixnvpe_pe as pe;
pub use gather::{Gathered, gather};
pub use report::{Answer, AnswerKind, DoctorReport, EnvironmentReport, Finding, examine};
pub use step::{Action, Purpose, Step};
pub use version::{ParseVersionError, Version};
