//! The Windows half.

use std::io;
use std::path::Path;

pub(super) fn set_read_only(path: &Path, read_only: bool) -> io::Result<()> {
    let mut permissions = fs_err::symlink_metadata(path)?.permissions();
    permissions.set_readonly(read_only);
    fs_err::set_permissions(path, permissions)
}

/// A new file takes its owner from the token and its access rights from the
/// folder, as any copy does.
#[expect(clippy::unnecessary_wraps, reason = "the Unix half can fail")]
pub(super) fn copy_owner(_from: &Path, _to: &Path) -> io::Result<()> {
    Ok(())
}
