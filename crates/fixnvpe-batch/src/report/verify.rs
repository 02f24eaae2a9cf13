//! What a verification tells.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{Failure, Skipped, path_text};

/// What a file is, compared with what its package installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FileState {
    /// The recorded hash.
    Pristine,
    /// The recorded hash once the known edits are undone.
    Patched,
    /// Neither.
    Modified,
    /// Nothing is recorded.
    Unknown,
}

/// One file, verified.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct VerifyResult {
    /// The file.
    #[serde(with = "path_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub path: PathBuf,
    /// The exact path, where it is not Unicode.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path_raw: Option<String>,
    /// What it is.
    pub state: FileState,
    /// What recorded the hash.
    pub source: Option<String>,
}

/// What a verification found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct VerifyReport {
    /// The files, in the order of paths.
    pub results: Vec<VerifyResult>,
    /// What was left out.
    pub skipped: Vec<Skipped>,
    /// What failed.
    pub failures: Vec<Failure>,
    /// False when the job was cancelled.
    pub complete: bool,
}
