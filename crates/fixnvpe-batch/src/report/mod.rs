//! What a job tells when it is over. The field names are those of the JSON
//! documents; words in them are stable, messages are English and are not.

mod failure;
mod file;
mod image;
mod path;
mod verify;

pub(crate) use failure::chain;
pub use failure::{Code, Failure, SkipReason, Skipped, Step, os_code};
pub use file::{
    FileResult, HoldingProcess, LeftReason, Method, Outcome, PatchReport, RestoreReport, SameBase,
    Why,
};
pub use image::{Commit, ImageReport, Links, Package, ScanReport, SectionReport, Summary};
pub(crate) use path::{path_text, path_texts, raw};
pub use verify::{FileState, VerifyReport, VerifyResult};
