//! One name of a file, however the path to it was spelled.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use crate::{FileId, open_folder, stat, system};

/// One name of a file: the folder that holds the name, by identity, and the
/// name in it as the file system keeps it.
///
/// A file reached through a junction, a linked parent folder, another case or
/// an 8.3 name has one `Name`; two hard links have two. Comparing the number of
/// names with [`Stat::links`](crate::Stat::links) tells whether all of them are
/// known.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name {
    /// The identity of the folder.
    pub parent: FileId,
    /// The final part of the path, as it is on disk.
    pub file_name: OsString,
}

/// Finds the name that `path` leads to. The final part must not be a link.
///
/// # Errors
///
/// The operating system's error when the folder cannot be opened, and
/// [`io::ErrorKind::InvalidInput`] for a path without a final name (`..`, a
/// drive root).
pub fn name_of(path: &Path) -> io::Result<Name> {
    let Some(file_name) = path.file_name() else {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("`{}` has no file name", path.display()),
        ));
    };
    let parent = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    Ok(Name {
        parent: stat(&open_folder(parent)?)?.id,
        file_name: system::final_name(path).unwrap_or_else(|| file_name.to_os_string()),
    })
}

/// Keeps of several paths to one file those that are different names of it,
/// each as it was spelled first, in the order given.
///
/// # Errors
///
/// As [`name_of`], for the first path that fails.
pub fn distinct_names<P: AsRef<Path>>(paths: &[P]) -> io::Result<Vec<PathBuf>> {
    let mut names = BTreeMap::new();
    for (order, path) in paths.iter().enumerate() {
        let path = path.as_ref();
        names
            .entry(name_of(path)?)
            .or_insert_with(|| (order, path.to_path_buf()));
    }
    let mut distinct: Vec<_> = names.into_values().collect();
    distinct.sort_unstable_by_key(|(order, _)| *order);
    Ok(distinct.into_iter().map(|(_, path)| path).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_hard_links_are_two_names() {
        let folder = tempfile::tempdir().unwrap();
        let (a, b) = (folder.path().join("a.dll"), folder.path().join("b.dll"));
        fs_err::write(&a, b"").unwrap();
        fs_err::hard_link(&a, &b).unwrap();
        assert_eq!(distinct_names(&[&a, &b]).unwrap(), [a, b]);
    }

    #[test]
    fn a_detour_through_a_parent_is_the_same_name() {
        let folder = tempfile::tempdir().unwrap();
        let below = folder.path().join("below");
        fs_err::create_dir(&below).unwrap();
        let plain = folder.path().join("a.dll");
        let detour = below.join("..").join("a.dll");
        fs_err::write(&plain, b"").unwrap();
        assert_eq!(distinct_names(&[&detour, &plain]).unwrap(), [detour]);
    }

    #[cfg(unix)]
    #[test]
    fn a_path_through_a_linked_folder_is_the_same_name() {
        let folder = tempfile::tempdir().unwrap();
        let real = folder.path().join("real");
        fs_err::create_dir(&real).unwrap();
        let alias = folder.path().join("alias");
        fs_err::os::unix::fs::symlink(&real, &alias).unwrap();
        let plain = real.join("a.dll");
        fs_err::write(&plain, b"").unwrap();
        assert_eq!(
            name_of(&plain).unwrap(),
            name_of(&alias.join("a.dll")).unwrap()
        );
    }

    #[test]
    fn a_path_without_a_final_name_is_an_error() {
        for path in ["..", "/", ""] {
            let error = name_of(Path::new(path)).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
        }
    }
}
