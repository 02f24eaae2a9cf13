//! Paths in reports: text for everyone, and the exact name where the text
//! would lose something.

use std::path::Path;

pub(crate) fn raw(path: &Path) -> Option<String> {
    fixnvpe_files::raw(path)
}

fn text(path: &Path) -> String {
    fixnvpe_files::shown(path).to_string_lossy().into_owned()
}

/// `#[serde(with = "path_text")]`: a path as its text for people.
pub(crate) mod path_text {
    use std::path::{Path, PathBuf};

    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&super::text(path))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<PathBuf, D::Error> {
        String::deserialize(from).map(PathBuf::from)
    }
}

/// `#[serde(with = "path_texts")]`: the same for a list.
pub(crate) mod path_texts {
    use std::path::PathBuf;

    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(paths: &[PathBuf], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(paths.iter().map(|path| super::text(path)))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Vec<PathBuf>, D::Error> {
        let texts = Vec::<String>::deserialize(from)?;
        Ok(texts.into_iter().map(PathBuf::from).collect())
    }
}
