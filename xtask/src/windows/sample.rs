//! The real library that the tests take too, where its wheel has been downloaded.

use std::path::{Path, PathBuf};

use super::Error;
use super::folders::Folders;
use crate::samples::{self, installed};

/// Names the library to the tests.
pub(super) const VARIABLE: &str = "FIXNVPE_TEST_XGBOOST";
const LIBRARY: &str = "xgboost/lib/xgboost.dll";

/// Unpacks xgboost's library, unless that is done; nothing where there is no wheel.
pub(super) fn xgboost(folders: &Folders) -> Result<Option<PathBuf>, Error> {
    let prefix = folders.target.join("samples");
    let library = prefix.join(installed(LIBRARY));
    if library.is_file() {
        return Ok(Some(library));
    }
    if !has_wheel(&folders.workspace.join(".cache/samples")) {
        return Ok(None);
    }
    let unpacked = samples::install(&samples::xgboost(), None, &prefix);
    unpacked.map_err(|error| Error::Sample(Box::new(error)))?;
    Ok(Some(library))
}

/// Whether `cargo xtask samples` has been here.
fn has_wheel(cache: &Path) -> bool {
    fs_err::read_dir(cache).is_ok_and(|entries| {
        entries.flatten().any(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            name.starts_with("xgboost-") && name.ends_with(".whl")
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_wheel_of_xgboost_counts() {
        let cache = tempfile::tempdir().unwrap();
        assert!(!has_wheel(&cache.path().join("nothing")));
        fs_err::write(cache.path().join("xgboost-1.6.2.part"), "").unwrap();
        assert!(!has_wheel(cache.path()));
        fs_err::write(
            cache.path().join("xgboost-1.6.2-py3-none-win_amd64.whl"),
            "",
        )
        .unwrap();
        assert!(has_wheel(cache.path()));
    }
}
