//! What went wrong, and what was left out.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{path_text, raw};

/// The step of a job that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Step {
    /// Finding files and their names.
    Collect,
    /// Opening a file.
    Open,
    /// Reading a file.
    Read,
    /// Parsing and judging an image.
    Judge,
    /// Writing or reading the journal.
    Journal,
    /// Copying a file.
    Copy,
    /// Writing to a file.
    Write,
    /// Making what was written durable.
    Sync,
    /// Comparing what was written with what was planned.
    ReadBack,
    /// Renaming a file.
    Rename,
    /// Making a hard link.
    Link,
    /// Removing a file of ours.
    Remove,
    /// Changing or putting back attributes.
    Attributes,
    /// Settling what an earlier run left.
    Settle,
    /// Hashing a file.
    Hash,
    /// Mapping an image into a process.
    Map,
}

/// What kind of failure it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Code {
    /// The caller may not do that.
    AccessDenied,
    /// Another process uses the file.
    InUse,
    /// The file or its volume may only be read.
    ReadOnly,
    /// The volume is full.
    NoSpace,
    /// No such file or folder.
    NotFound,
    /// The file starts like an image and is not a sound one.
    Malformed,
    /// The file is no Windows image.
    NotPe,
    /// An image of a kind that is not supported.
    Unsupported,
    /// The file changed while the job ran, or is not the one that was meant.
    Changed,
    /// A record of the journal cannot be read.
    BadRecord,
    /// Anything else that the operating system reports.
    Io,
}

impl Code {
    /// The code of an operating system's error number, on Windows or not.
    /// `None` for a number that says nothing particular.
    ///
    /// The numbers of Windows are those of `winerror.h`; Unix numbers are those
    /// that Linux and macOS share, and the one for a full quota of each.
    #[must_use]
    pub const fn of_os(error: i32, windows: bool) -> Option<Self> {
        if windows {
            return match error {
                // 123: a name that no file can have, `*.dll` for example.
                2 | 3 | 53 | 67 | 123 => Some(Self::NotFound),
                5 => Some(Self::AccessDenied),
                19 => Some(Self::ReadOnly),
                // Sharing violation, lock violation, a user-mapped section.
                32 | 33 | 1224 => Some(Self::InUse),
                39 | 112 => Some(Self::NoSpace),
                _ => None,
            };
        }
        match error {
            2 | 20 => Some(Self::NotFound),
            1 | 13 => Some(Self::AccessDenied),
            // EBUSY, ETXTBSY.
            16 | 26 => Some(Self::InUse),
            // ENOSPC, EDQUOT.
            28 | 69 | 122 => Some(Self::NoSpace),
            30 => Some(Self::ReadOnly),
            _ => None,
        }
    }

    /// The code of an I/O error: by its number, else by its kind.
    #[must_use]
    pub fn of_io(error: &io::Error) -> Self {
        if let Some(code) = os_code(error).and_then(|code| Self::of_os(code, cfg!(windows))) {
            return code;
        }
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Self::NotFound,
            io::ErrorKind::PermissionDenied => Self::AccessDenied,
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::NoSpace,
            io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly,
            io::ErrorKind::ResourceBusy | io::ErrorKind::ExecutableFileBusy => Self::InUse,
            _ => Self::Io,
        }
    }

    /// Whether the cause may go away by itself within moments: another program
    /// looks into a file and lets go of it again, as virus scanners do. On
    /// Windows that also shows as "access denied": so does removing or replacing
    /// a file that is open. Elsewhere a denial stays.
    #[must_use]
    pub const fn is_momentary(self, windows: bool) -> bool {
        match self {
            Self::InUse => true,
            Self::AccessDenied => windows,
            _ => false,
        }
    }

    /// Whether the caller can change the cause and try again: close a program,
    /// take rights, make space.
    #[must_use]
    pub const fn is_retryable(self) -> bool {
        matches!(
            self,
            Self::AccessDenied | Self::InUse | Self::ReadOnly | Self::NoSpace
        )
    }
}

/// The operating system's number behind an I/O error, also where another error
/// was wrapped around it to name the path.
#[must_use]
pub fn os_code(error: &io::Error) -> Option<i32> {
    if let Some(code) = error.raw_os_error() {
        return Some(code);
    }
    let mut cause = error.get_ref()?.source();
    while let Some(error) = cause {
        if let Some(code) = error
            .downcast_ref::<io::Error>()
            .and_then(io::Error::raw_os_error)
        {
            return Some(code);
        }
        cause = error.source();
    }
    None
}

/// An error with everything that led to it, on one line.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}

/// One thing that failed. The rest of the job went on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Failure {
    /// The file or folder.
    #[serde(with = "path_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub path: PathBuf,
    /// The exact path, where it is not Unicode.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path_raw: Option<String>,
    /// The step that failed.
    pub step: Step,
    /// What kind of failure it was.
    pub code: Code,
    /// The operating system's number, if one is behind it.
    pub os_error: Option<i32>,
    /// What happened, in English.
    pub message: String,
}

impl Failure {
    /// A failure that the operating system reported.
    #[must_use]
    pub fn of_io(path: &Path, step: Step, error: &io::Error) -> Self {
        Self {
            os_error: os_code(error),
            ..Self::new(path, step, Code::of_io(error), chain(error))
        }
    }

    /// A failure with no number of the operating system behind it.
    #[must_use]
    pub fn new(path: &Path, step: Step, code: Code, message: impl Into<String>) -> Self {
        Self {
            path: path.to_path_buf(),
            path_raw: raw(path),
            step,
            code,
            os_error: None,
            message: message.into(),
        }
    }
}

/// Why something was left out without being a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SkipReason {
    /// A link or junction inside a folder; those are not followed.
    Link,
    /// A placeholder of cloud storage: reading it would download it.
    Placeholder,
    /// It was there when the folder was listed, and gone a moment later.
    Vanished,
    /// Neither a file nor a folder.
    Special,
    /// An earlier run ended before it said what became of the file; the next
    /// patch or restore settles it.
    Unsettled,
    /// A journal with lines that are not understood.
    BadRecord,
}

/// Something that was left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Skipped {
    /// The file or folder.
    #[serde(with = "path_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub path: PathBuf,
    /// The exact path, where it is not Unicode.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path_raw: Option<String>,
    /// Why.
    pub reason: SkipReason,
}

impl Skipped {
    /// Something left out.
    #[must_use]
    pub fn new(path: &Path, reason: SkipReason) -> Self {
        Self {
            path: path.to_path_buf(),
            path_raw: raw(path),
            reason,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_says_in_use_in_three_ways_and_access_denied_in_one() {
        for number in [32, 33, 1224] {
            assert_eq!(Code::of_os(number, true), Some(Code::InUse));
        }
        assert_eq!(Code::of_os(5, true), Some(Code::AccessDenied));
        assert_eq!(Code::of_os(112, true), Some(Code::NoSpace));
        // The same numbers mean other things elsewhere: EIO, EPIPE, EDOM.
        for number in [5, 32, 33, 1224] {
            assert_eq!(Code::of_os(number, false), None);
        }
    }

    #[test]
    fn four_numbers_of_windows_may_go_away_within_moments() {
        let momentary = |error: i32, windows: bool| {
            Code::of_os(error, windows).is_some_and(|code| code.is_momentary(windows))
        };
        let on = |windows| (0..2000).filter(move |&error| momentary(error, windows));
        assert_eq!(on(true).collect::<Vec<_>>(), [5, 32, 33, 1224]);
        // EBUSY and ETXTBSY; a file that is not the caller's stays so.
        assert_eq!(on(false).collect::<Vec<_>>(), [16, 26]);
    }

    #[test]
    fn the_number_is_found_behind_an_error_that_names_the_path() {
        let error = fs_err::File::open("no such folder/a.dll").unwrap_err();
        assert_eq!(error.raw_os_error(), None);
        let failure = Failure::of_io(Path::new("a.dll"), Step::Open, &error);
        assert_eq!(failure.code, Code::NotFound);
        assert!(failure.os_error.is_some());
        assert!(failure.message.contains("no such folder"));
    }

    #[test]
    fn what_a_caller_can_change_is_retryable() {
        for code in [Code::AccessDenied, Code::InUse, Code::NoSpace] {
            assert!(code.is_retryable());
        }
        for code in [Code::NotFound, Code::Malformed, Code::Io, Code::Changed] {
            assert!(!code.is_retryable());
        }
    }
}
