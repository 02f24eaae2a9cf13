//! What could not be looked at, and why.

use std::io;
use std::path::PathBuf;

/// Why something was not looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum SkipReason {
    /// The system does not let this user read it.
    AccessDenied,
    /// The path is longer than the system takes.
    PathTooLong,
    /// It lies in cloud storage; reading it would download it.
    CloudPlaceholder,
    /// It lies on a drive that is not there, or was not given.
    DriveMissing,
    /// It lies on another computer.
    Network,
    /// A file does not say what it should, or names no absolute path.
    Malformed,
    /// A file is larger than any such file has a reason to be.
    TooLarge,
    /// The system failed to read it for another reason.
    Unreadable,
}

/// Something that was not looked at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Skipped {
    /// The file or folder; a path that a file names and that cannot be
    /// followed stands here as that file writes it.
    #[cfg_attr(feature = "serde", serde(with = "crate::environment::text"))]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub path: PathBuf,
    /// The exact path where it is not Unicode ([`fixnvpe_files::raw`]).
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub path_raw: Option<String>,
    /// Why.
    pub reason: SkipReason,
    /// More about it, in English: the system's message, or who named the path.
    pub detail: String,
}

impl Skipped {
    /// Something that was not looked at.
    pub fn new(path: impl Into<PathBuf>, reason: SkipReason, detail: impl Into<String>) -> Self {
        let path = path.into();
        Self {
            path_raw: fixnvpe_files::raw(&path),
            path,
            reason,
            detail: detail.into(),
        }
    }

    /// What an error of the system means; `None` where nothing is there, which
    /// is no reason to speak of it.
    pub(crate) fn from_error(path: impl Into<PathBuf>, error: &io::Error) -> Option<Self> {
        let reason = match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => return None,
            io::ErrorKind::PermissionDenied => SkipReason::AccessDenied,
            io::ErrorKind::InvalidFilename => SkipReason::PathTooLong,
            _ => SkipReason::Unreadable,
        };
        Some(Self::new(path, reason, error.to_string()))
    }
}
