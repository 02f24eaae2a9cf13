//! One folder, read once.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use crate::{Kind, system};

/// One entry of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry {
    /// The name within the folder.
    pub name: OsString,
    /// What it is; a link is a link, whatever it points to.
    pub kind: Kind,
    /// Whether reading it would fetch it from cloud storage.
    pub placeholder: bool,
}

/// What a folder holds.
#[derive(Debug)]
#[non_exhaustive]
pub struct Folder {
    /// The path that was read.
    pub path: PathBuf,
    /// The entries, sorted by name, so that every run sees the same order.
    pub entries: Vec<Entry>,
    /// What went wrong in the middle: a folder may vanish or fail while it is
    /// read, and what was read before still counts.
    pub failures: Vec<io::Error>,
}

/// Reads the entries of a folder. Nothing in it is opened: the kind of each
/// entry comes from the listing itself.
///
/// # Errors
///
/// The operating system's error, naming the path, when the folder cannot be
/// listed at all.
pub fn read_folder(path: &Path) -> io::Result<Folder> {
    let mut folder = Folder {
        path: path.to_path_buf(),
        entries: Vec::new(),
        failures: Vec::new(),
    };
    for entry in fs_err::read_dir(path)? {
        match entry.and_then(|entry| Ok((entry.file_name(), system::entry_kind(&entry)?))) {
            Ok((name, (kind, placeholder))) => folder.entries.push(Entry {
                name,
                kind,
                placeholder,
            }),
            Err(error) => {
                folder.failures.push(error);
                // A listing that fails again and again has no end of its own.
                if folder.failures.len() >= 16 {
                    break;
                }
            }
        }
    }
    folder.entries.sort_unstable_by(|a, b| a.name.cmp(&b.name));
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_sorted_with_their_kinds() {
        let folder = tempfile::tempdir().unwrap();
        fs_err::write(folder.path().join("b.dll"), b"").unwrap();
        fs_err::create_dir(folder.path().join("c")).unwrap();
        fs_err::write(folder.path().join("a [1] 中文.pyd"), b"").unwrap();
        let read = read_folder(folder.path()).unwrap();
        let seen: Vec<_> = read
            .entries
            .iter()
            .map(|entry| (entry.name.to_str().unwrap(), entry.kind))
            .collect();
        assert_eq!(
            seen,
            [
                ("a [1] 中文.pyd", Kind::File),
                ("b.dll", Kind::File),
                ("c", Kind::Folder)
            ]
        );
        assert!(read.failures.is_empty());
    }

    #[test]
    fn a_folder_that_is_not_there_is_an_error_that_names_it() {
        let folder = tempfile::tempdir().unwrap();
        let error = read_folder(&folder.path().join("gone")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert!(error.to_string().contains("gone"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn links_to_folders_are_links() {
        let folder = tempfile::tempdir().unwrap();
        fs_err::os::unix::fs::symlink(".", folder.path().join("loop")).unwrap();
        fs_err::os::unix::fs::symlink("nowhere", folder.path().join("dead")).unwrap();
        let read = read_folder(folder.path()).unwrap();
        assert!(read.entries.iter().all(|entry| entry.kind == Kind::Link));
        assert_eq!(read.entries.len(), 2);
    }
}
