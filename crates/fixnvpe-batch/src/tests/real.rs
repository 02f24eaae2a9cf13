//! A machine on the real disk.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::bench::{Bench, collected, state, threads};
use crate::cancel::CancelToken;
use crate::collect::Collection;
use crate::filesystem::Disk;
use crate::options::CollectOptions;

/// A machine with two folders on the real disk: files and journal.
pub(super) struct Real {
    _root: TempDir,
    pub(super) files: PathBuf,
    pub(super) bench: Bench<Disk>,
}

pub(super) fn real() -> Real {
    let root = tempfile::tempdir().unwrap();
    let files = collected(root.path().join("site-packages"));
    fs_err::create_dir(&files).unwrap();
    Real {
        bench: Bench {
            files: Disk,
            pool: threads(2),
            state: state(root.path().join("state")),
            cancel: CancelToken::new(),
        },
        files,
        _root: root,
    }
}

impl Real {
    pub(super) fn write(&self, name: impl AsRef<Path>, bytes: &[u8]) -> PathBuf {
        let path = self.files.join(name);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(&path, bytes).unwrap();
        path
    }

    pub(super) fn collect(&self) -> Collection {
        self.collect_only(&self.files)
    }

    pub(super) fn collect_only(&self, root: &Path) -> Collection {
        let options = CollectOptions::default();
        crate::collect(&[root.to_path_buf()], &options, &self.bench.context())
    }

    /// Every file below the folder with its content.
    pub(super) fn content(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut content = BTreeMap::new();
        let mut folders = vec![self.files.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs_err::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    content.insert(path.clone(), fs_err::read(&path).unwrap());
                }
            }
        }
        content
    }
}
