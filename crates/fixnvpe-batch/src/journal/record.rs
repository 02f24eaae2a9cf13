//! The lines of the journal.
//!
//! A line is one JSON object. `v` is the version of the format: a line of a
//! newer one is kept, reported and not used. Unknown members are ignored.

use std::path::{Path, PathBuf};

use fixnvpe_files::FileId;
use fixnvpe_pe::Edit;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Identity, RunId};
use crate::report::Method;

/// The version of the lines that this program writes.
pub(crate) const VERSION: u32 = 1;

/// What a run does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Action {
    /// It makes fat binaries read-only.
    Patch,
    /// It gives original bytes back.
    Restore,
}

/// One line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Line {
    pub(crate) v: u32,
    #[serde(flatten)]
    pub(crate) record: Record,
}

/// What a line says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "snake_case")]
pub(crate) enum Record {
    Run(RunStart),
    Planned(Planned),
    Closed(Closed),
    End(RunEnd),
}

/// A run begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RunStart {
    pub(crate) run: RunId,
    pub(crate) at: String,
    pub(crate) action: Action,
    pub(crate) tool: String,
    pub(crate) user: String,
    pub(crate) host: String,
}

/// A run has ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RunEnd {
    pub(crate) run: RunId,
    pub(crate) at: String,
    pub(crate) complete: bool,
}

/// One record of a file: a run and a number within it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) struct EntryId {
    pub(crate) run: RunId,
    pub(crate) entry: u64,
}

/// A file is about to be changed. On disk, synced, before its first byte is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Planned {
    #[serde(flatten)]
    pub(crate) id: EntryId,
    pub(crate) at: String,
    pub(crate) action: Action,
    pub(crate) method: Method,
    /// The selected names of the file.
    pub(crate) names: Vec<JournalPath>,
    #[serde(with = "file_id")]
    pub(crate) file: FileId,
    /// What the file is, whatever of the edits is done.
    pub(crate) identity: Identity,
    pub(crate) edits: Vec<Edit>,
    /// When the content last changed before, in nanoseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) modified: Option<i64>,
    /// The read-only attribute is taken off for the while.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) forced: bool,
    /// For each name, the temporary name of the copy that takes it over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) temporary: Vec<JournalPath>,
    /// For each name, where the file in use is renamed to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) aside: Vec<JournalPath>,
    /// Copies left beside the names on request.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) backup: Vec<JournalPath>,
    /// The records that a restore undoes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) undoes: Vec<EntryId>,
    /// What told the original bytes, where no record did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) source: Option<String>,
}

impl Planned {
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.names.iter().map(|name| name.0.as_path())
    }
}

/// How a record ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ClosedAs {
    /// The new bytes are there.
    New,
    /// The old bytes are there.
    Old,
    /// Another file stands there; nothing was written to it.
    Stale,
}

/// A planned change has ended, in its own run or settled by a later one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Closed {
    #[serde(flatten)]
    pub(crate) id: EntryId,
    pub(crate) at: String,
    pub(crate) state: ClosedAs,
    /// The file that has the new bytes now, where that is another one.
    #[serde(
        default,
        with = "file_id_option",
        skip_serializing_if = "Option::is_none"
    )]
    pub(crate) file: Option<FileId>,
    /// The names that have the new bytes, where that is not all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) names: Option<Vec<JournalPath>>,
    /// Files that could not be removed and are of no use any more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) leftover: Vec<JournalPath>,
}

impl Closed {
    /// The end of a record, now, with nothing more to say.
    pub(crate) fn new(id: EntryId, state: ClosedAs) -> Self {
        Self {
            id,
            at: super::now(),
            state,
            file: None,
            names: None,
            leftover: Vec::new(),
        }
    }
}

/// A path that is never lost: a string where it is Unicode, else an object
/// that holds its raw form.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct JournalPath(pub(crate) PathBuf);

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum WrittenPath {
    Text(String),
    Raw { raw: String },
}

impl Serialize for JournalPath {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match fixnvpe_files::raw(&self.0) {
            Some(raw) => WrittenPath::Raw { raw },
            None => WrittenPath::Text(self.0.to_string_lossy().into_owned()),
        }
        .serialize(to)
    }
}

impl<'de> Deserialize<'de> for JournalPath {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        match WrittenPath::deserialize(from)? {
            WrittenPath::Text(text) => Ok(Self(text.into())),
            WrittenPath::Raw { raw } => fixnvpe_files::from_raw(&raw)
                .map(Self)
                .ok_or_else(|| serde::de::Error::custom("a path of another system")),
        }
    }
}

mod file_id {
    use fixnvpe_files::FileId;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(id: &FileId, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(id)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<FileId, D::Error> {
        String::deserialize(from)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

mod file_id_option {
    use fixnvpe_files::FileId;
    use serde::{Deserialize, Deserializer, Serializer};

    #[expect(clippy::ref_option, reason = "serde calls it so")]
    pub(super) fn serialize<S: Serializer>(id: &Option<FileId>, to: S) -> Result<S::Ok, S::Error> {
        match id {
            Some(id) => to.collect_str(id),
            None => to.serialize_none(),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<FileId>, D::Error> {
        Option::<String>::deserialize(from)?
            .map(|text| text.parse().map_err(serde::de::Error::custom))
            .transpose()
    }
}
