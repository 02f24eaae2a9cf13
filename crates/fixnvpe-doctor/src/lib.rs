//! Advice.

pub mod budget;
pub mod explain;
pub mod facts;
pub mod findings;
mod path_text;
mod report;
mod step;
pub mod upgrade;
mod version;

/// The crate that judges images, for the types that are in facts and reports.
pub use fixnvpe_pe as pe;
pub use report::{Answer, AnswerKind, DoctorReport, EnvironmentReport, Finding, examine};
pub use step::{Action, Purpose, Step};
pub use version::{ParseVersionError, Version};
