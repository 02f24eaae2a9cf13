//! Paths in documents: as people write them, whatever is not Unicode replaced.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serializer};

pub(crate) fn serialize<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&shown(path))
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<PathBuf, D::Error> {
    String::deserialize(from).map(PathBuf::from)
}

/// A path as text for people: without the prefix of long paths.
pub(crate) fn shown(path: &Path) -> String {
    let shown = fixnvpe_files::shown(path);
    shown.to_string_lossy().into_owned()
}

/// The same where there may be none.
pub(crate) mod optional {
    use std::path::PathBuf;

    use serde::{Deserialize, Deserializer, Serializer};

    #[expect(clippy::ref_option, reason = "serde gives a reference to the field")]
    pub(crate) fn serialize<S: Serializer>(
        path: &Option<PathBuf>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        match path {
            Some(path) => to.serialize_some(&super::shown(path)),
            None => to.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<PathBuf>, D::Error> {
        Ok(Option::<String>::deserialize(from)?.map(PathBuf::from))
    }
}
