//! The Unix half.

use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

/// Every write bit of a mode.
const WRITE: u32 = 0o222;
/// The owner's write bit.
const OWNER_WRITE: u32 = 0o200;

/// A file counts as read-only when its mode has no write bit at all, so
/// clearing the owner's bit again gives back the exact mode.
pub(super) fn set_read_only(path: &Path, read_only: bool) -> io::Result<()> {
    let mut permissions = fs_err::symlink_metadata(path)?.permissions();
    let mode = permissions.mode();
    permissions.set_mode(if read_only {
        mode & !WRITE
    } else {
        mode | OWNER_WRITE
    });
    fs_err::set_permissions(path, permissions)
}

/// Gives a copy the owner of its original. Only root may give files away;
/// others keep the copy as their own, which is what any copy does.
pub(super) fn copy_metadata(from: &Path, to: &Path) -> io::Result<()> {
    let (original, copy) = (fs_err::metadata(from)?, fs_err::metadata(to)?);
    let owner = (original.uid(), original.gid());
    if owner == (copy.uid(), copy.gid()) {
        return Ok(());
    }
    match fs_err::os::unix::fs::chown(to, Some(owner.0), Some(owner.1)) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
        other => other,
    }
}
