//! Watching a job while it runs.

use std::path::Path;

use crate::report::{Failure, FileResult, ImageReport, Skipped, VerifyResult};

/// Something that happened. Events of different files come in any order and
/// from any thread of the pool.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A folder was read while files were collected.
    Folder(&'a Path),
    /// All files are known.
    Collected {
        /// How many files, each once whatever its names.
        files: u64,
    },
    /// A stage begins that will look at so many files.
    Stage {
        /// How many files.
        files: u64,
        /// How many bytes, where the stage reads files whole; else 0.
        bytes: u64,
    },
    /// Work on a file begins.
    Started(&'a Path),
    /// Work on a file has ended, however it ended.
    Finished(&'a Path),
    /// So many more bytes were read or copied.
    Bytes(u64),
    /// An image was scanned.
    Scanned(&'a ImageReport),
    /// A file was patched, or was not, as the result says.
    Patched(&'a FileResult),
    /// A file was restored, or was not, as the result says.
    Restored(&'a FileResult),
    /// A file was verified.
    Verified(&'a VerifyResult),
    /// Something failed.
    Failed(&'a Failure),
    /// Something was left out.
    Skipped(&'a Skipped),
    /// Another process holds the lock; the job waits.
    Waiting,
    /// What an earlier run left of a file was settled.
    Settled(&'a Path),
}

/// Watches a job. Every method may be called from several threads at once.
pub trait Observer: Sync {
    /// Something happened.
    fn event(&self, event: &Event<'_>);
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn event(&self, _event: &Event<'_>) {}
}
