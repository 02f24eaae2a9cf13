//! What a scan tells.

use std::path::PathBuf;

use fixnvpe_pe::{CheckSumState, CommitCharge, Condition, FatbinKind, Reason};
use serde::{Deserialize, Serialize};

use super::{Failure, Skipped, path_text, path_texts};
use crate::journal::RunId;

/// How many names a file has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Links {
    /// All names (hard links).
    pub count: u64,
    /// Those that the selection does not hold.
    pub outside: u64,
}

/// What a process that maps an image is charged at load, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Commit {
    /// As the file is.
    pub now: u64,
    /// As it would be, or is, once patched.
    pub after: u64,
}

impl Links {
    /// So many names, of which so many are outside the selection.
    #[must_use]
    pub const fn new(count: u64, outside: u64) -> Self {
        Self { count, outside }
    }
}

impl Commit {
    /// These two figures, in bytes.
    #[must_use]
    pub const fn new(now: u64, after: u64) -> Self {
        Self { now, after }
    }
}

impl Package {
    /// A package of this name and version.
    #[must_use]
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            version: version.into(),
        }
    }
}

impl From<CommitCharge> for Commit {
    fn from(charge: CommitCharge) -> Self {
        Self {
            now: charge.now,
            after: charge.after,
        }
    }
}

impl std::ops::AddAssign for Commit {
    fn add_assign(&mut self, other: Self) {
        self.now = self.now.saturating_add(other.now);
        self.after = self.after.saturating_add(other.after);
    }
}

/// The installed package that owns a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Package {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// One fat-binary section.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct SectionReport {
    /// Its name, as text.
    pub name: String,
    /// Whose code it holds.
    pub kind: FatbinKind,
    /// Its size in memory, in bytes.
    pub virtual_size: u64,
    /// Whether it is writable.
    pub writable: bool,
}

/// One image.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ImageReport {
    /// The first of its selected names.
    #[serde(with = "path_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub path: PathBuf,
    /// The exact path, where it is not Unicode.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path_raw: Option<String>,
    /// Every selected name of the file, `path` included.
    #[serde(with = "path_texts")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub names: Vec<PathBuf>,
    /// How many names there are.
    pub links: Links,
    /// The prefixes of the environments that hold it; the caller fills this in.
    #[serde(default, with = "path_texts")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub environments: Vec<PathBuf>,
    /// The package that owns it; the caller fills this in.
    #[serde(default)]
    pub package: Option<Package>,
    /// The size of the file in bytes.
    pub size: u64,
    /// The processor: `x86`, `x86_64`, `arm64`, or the number in hexadecimal.
    pub machine: String,
    /// What was judged.
    pub condition: Condition,
    /// The first of `reasons`, if any.
    pub reason: Option<Reason>,
    /// Every reason to refuse it.
    pub reasons: Vec<Reason>,
    /// Its fat-binary sections.
    pub sections: Vec<SectionReport>,
    /// What it costs each process that maps it.
    pub commit: Commit,
    /// Whether `DYNAMIC_BASE` is set.
    pub aslr: bool,
    /// Whether `GUARD_CF` is set.
    pub guard_cf: bool,
    /// Whether it has a certificate table.
    pub signed: bool,
    /// What the CheckSum field says.
    pub checksum: CheckSumState,
    /// The run that made it read-only, if the journal knows.
    pub patched_in: Option<RunId>,
}

/// How many of what a scan met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Summary {
    /// Files looked at, each once whatever its names.
    pub files: u64,
    /// Those that are Windows images.
    pub images: u64,
    /// Images that a patch would change.
    pub writable: u64,
    /// Images whose fat binaries are read-only.
    pub read_only: u64,
    /// Images that must stay as they are.
    pub refused: u64,
}

/// What a scan found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ScanReport {
    /// The images, in the order of their paths.
    pub images: Vec<ImageReport>,
    /// How many of what.
    pub summary: Summary,
    /// What was left out.
    pub skipped: Vec<Skipped>,
    /// What failed.
    pub failures: Vec<Failure>,
    /// False when the scan was cancelled.
    pub complete: bool,
}
