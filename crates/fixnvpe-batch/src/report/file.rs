//! What a patch or a restore tells of each file.

use std::path::PathBuf;

use fixnvpe_pe::{Edit, Reason};
use serde::{Deserialize, Serialize};

use super::{Commit, Failure, Links, Skipped, path_text, path_texts};
use crate::journal::RunId;

/// How it ended for one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Outcome {
    /// It was changed, and the change was read back.
    Patched,
    /// The original bytes are back, and were read back.
    Restored,
    /// It was so already; nothing was written.
    Already,
    /// It must stay as it is.
    Refused,
    /// It was left alone; `reason` says why.
    Skipped,
    /// Something failed; the report's failures say what.
    Failed,
    /// A dry run: it would be changed.
    WouldPatch,
    /// A dry run: it would be restored.
    WouldRestore,
}

/// How a file is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Method {
    /// A few bytes of the file itself.
    InPlace,
    /// A changed copy takes over the name.
    Replace,
    /// A changed copy takes over several names of one file.
    Link,
}

/// Why a file was left alone, or needs no change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum LeftReason {
    /// Names outside the selection share the file.
    LinksOutside,
    /// Another process uses it.
    InUse,
    /// The caller may not change it.
    AccessDenied,
    /// Its read-only attribute is set.
    ReadOnlyAttribute,
    /// A copy would not fit on the volume.
    NoSpace,
    /// An earlier run left it unsettled.
    Unsettled,
    /// The file is not the one that the journal recorded.
    Stale,
    /// A later run patched it again; restore that one first.
    PatchedLater,
    /// No journal record, recorded hash or backup tells what it was.
    NothingToRestoreFrom,
    /// It is gone.
    NotFound,
    /// Another file is where the backup would go.
    BackupExists,
}

impl LeftReason {
    /// Whether the caller can change the cause and try again.
    #[must_use]
    pub const fn is_retryable(self) -> bool {
        !matches!(self, Self::Stale | Self::NotFound)
    }
}

/// Why the outcome is what it is: one stable word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
#[non_exhaustive]
pub enum Why {
    /// The image itself is the reason.
    Image(Reason),
    /// Something around it is.
    Left(LeftReason),
}

/// A process that holds a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct HoldingProcess {
    /// The file name of its program.
    pub name: String,
    /// Its id.
    pub pid: u32,
}

/// How it ended for one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct FileResult {
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
    /// The size of the file in bytes.
    pub size: u64,
    /// How many names there are.
    pub links: Links,
    /// Names outside the selection that share the file, as far as the caller
    /// knew where to look.
    #[serde(default, with = "path_texts")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub shared_with: Vec<PathBuf>,
    /// How it ended.
    pub outcome: Outcome,
    /// How it was, or would be, changed.
    pub method: Option<Method>,
    /// Why it was left alone.
    pub reason: Option<Why>,
    /// Whether the caller can change the cause and try again.
    pub retryable: bool,
    /// Who holds a file that is in use, as far as the system tells.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub holders: Vec<HoldingProcess>,
    /// The bytes that were, or would be, changed.
    pub edits: Vec<Edit>,
    /// What it costs each process that maps it.
    pub commit: Commit,
    /// What else is worth knowing, in English.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// Images without ASLR that want one address: Windows has to move all but one
/// of them, and the memory that a patch saves is spent again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct SameBase {
    /// The preferred base that they share.
    pub image_base: u64,
    /// The images.
    #[serde(with = "path_texts")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub paths: Vec<PathBuf>,
}

/// What a patch did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct PatchReport {
    /// The run in the journal; none where nothing was written.
    pub run: Option<RunId>,
    /// Every file with fat binaries, in the order of paths.
    pub results: Vec<FileResult>,
    /// What a process that maps all of these images is charged, before and
    /// after the patch.
    pub commit: Commit,
    /// Images whose ASLR was, or would be, cleared, and that will collide.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub same_base: Vec<SameBase>,
    /// What was left out.
    pub skipped: Vec<Skipped>,
    /// What failed.
    pub failures: Vec<Failure>,
    /// False when the job was cancelled.
    pub complete: bool,
}

/// What a restore did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct RestoreReport {
    /// The run in the journal; none where nothing was written.
    pub run: Option<RunId>,
    /// The files, in the order of paths.
    pub results: Vec<FileResult>,
    /// How many bytes the removal of backups freed, or would free.
    pub freed: u64,
    /// What was left out.
    pub skipped: Vec<Skipped>,
    /// What failed.
    pub failures: Vec<Failure>,
    /// False when the job was cancelled.
    pub complete: bool,
}
