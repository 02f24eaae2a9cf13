//! `#[serde(with = "crate::path_text")]`: a path as its text for people.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serializer};

pub(crate) fn serialize<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&fixnvpe_files::shown(path).to_string_lossy())
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<PathBuf, D::Error> {
    String::deserialize(from).map(PathBuf::from)
}
