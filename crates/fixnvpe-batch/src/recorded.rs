//! What a package manager recorded about a file.

use std::path::Path;

/// Where recorded hashes come from. This crate knows no package manager; a
/// caller implements the trait over what it found (pip's `RECORD`, conda's
/// `conda-meta`).
pub trait RecordedHashes: Sync {
    /// What is recorded for the file at `path`, if anything is.
    fn of(&self, path: &Path) -> Option<Recorded>;
}

/// No records at all.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoRecords;

impl RecordedHashes for NoRecords {
    fn of(&self, _path: &Path) -> Option<Recorded> {
        None
    }
}

/// The size and hash of a file as its package was installed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// The size in bytes, where the record has one.
    pub size: Option<u64>,
    /// SHA-256 of the whole file.
    pub sha256: [u8; 32],
    /// What recorded it, for people and reports: the path of the RECORD, say.
    pub source: String,
}
