//! What the disk below a folder can do, and who is asking.

use std::io;
use std::path::Path;

use crate::system;

/// How many bytes the caller may still write on the volume that holds `folder`.
///
/// # Errors
///
/// The operating system's error when it will not tell.
pub fn free_space(folder: &Path) -> io::Result<u64> {
    system::free_space(folder)
}

/// Makes the names in `folder` durable: after it returns, a rename or a new
/// file in it survives a power cut. Where Windows does not let the caller flush a
/// folder, its file system does so by itself, within seconds.
///
/// # Errors
///
/// The operating system's error.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    system::sync_folder(folder)
}

/// Whether this process runs with an administrator's rights: an elevated token
/// on Windows, the user id 0 on Unix.
#[must_use]
pub fn is_elevated() -> bool {
    system::is_elevated()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_volume_has_some_space_and_its_folders_can_be_synced() {
        let folder = tempfile::tempdir().unwrap();
        assert!(free_space(folder.path()).unwrap() > 0);
        sync_folder(folder.path()).unwrap();
        assert!(free_space(&folder.path().join("gone")).is_err());
    }
}
