//! Opening files and folders, and asking the handle.

use std::fs::File;
use std::io;
use std::path::Path;

use crate::{Stat, system};

/// Reads identity, link count and length from an open handle, which cannot be
/// swapped for another file meanwhile as a path can.
///
/// # Errors
///
/// The operating system's error when it will not tell.
pub fn stat(file: &File) -> io::Result<Stat> {
    system::stat(file)
}

/// Like [`stat`], for what stands at `path` itself: a link is described, not
/// followed.
///
/// # Errors
///
/// The operating system's error when the path cannot be opened.
pub fn stat_path(path: &Path) -> io::Result<Stat> {
    system::stat_path(path)
}

/// Opens a file for reading; other programs may go on reading, writing,
/// renaming and deleting it.
///
/// # Errors
///
/// The operating system's error when the path cannot be opened.
pub fn open_read(path: &Path) -> io::Result<File> {
    system::open_read(path)
}

/// Opens a file for reading and writing. On Windows no other program can open
/// it for writing while the handle lives, and opening fails (error 32) while
/// another has it open for writing or a process has it mapped as an image.
/// Unix has no such mode: there the handle is an ordinary one.
///
/// # Errors
///
/// The operating system's error when the path cannot be opened so.
pub fn open_exclusive(path: &Path) -> io::Result<File> {
    system::open_exclusive(path)
}

/// Opens a folder, through links, for its identity alone.
///
/// # Errors
///
/// The operating system's error when the path cannot be opened, or is no
/// folder.
pub fn open_folder(path: &Path) -> io::Result<File> {
    system::open_folder(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;

    #[test]
    fn a_handle_keeps_the_identity_when_the_name_goes_to_another_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.dll");
        fs_err::write(&path, b"first").unwrap();
        let open = open_read(&path).unwrap();
        let before = stat(&open).unwrap();
        fs_err::rename(&path, folder.path().join("b.dll")).unwrap();
        fs_err::write(&path, b"second!").unwrap();

        assert_eq!(stat(&open).unwrap(), before);
        let now = stat(&open_read(&path).unwrap()).unwrap();
        assert_ne!(now.id, before.id);
        assert_eq!((before.len, now.len), (5, 7));
    }

    #[test]
    fn a_folder_is_opened_and_a_file_is_no_folder() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.dll");
        fs_err::write(&path, b"").unwrap();
        let opened = open_folder(folder.path()).unwrap();
        assert_eq!(stat(&opened).unwrap().kind, Kind::Folder);
        assert!(open_folder(&path).is_err());
    }

    #[test]
    fn the_read_only_state_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.dll");
        fs_err::write(&path, b"").unwrap();
        assert!(!stat_path(&path).unwrap().read_only);
        let mut permissions = fs_err::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs_err::set_permissions(&path, permissions).unwrap();
        assert!(stat_path(&path).unwrap().read_only);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_described_and_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a.dll");
        let link = folder.path().join("link.dll");
        fs_err::write(&target, b"").unwrap();
        fs_err::os::unix::fs::symlink(&target, &link).unwrap();
        assert_eq!(stat_path(&link).unwrap().kind, Kind::Link);
        let through = stat(&open_read(&link).unwrap()).unwrap();
        assert_eq!(through, stat_path(&target).unwrap());
    }
}
