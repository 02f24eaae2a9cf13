//! Copies beside a file, for those who want them.

use std::io;
use std::path::{Path, PathBuf};

use super::{Stop, Target};
use crate::filesystem::{FileSystem, Handle};
use crate::report::{Code, LeftReason, Step};

const CHUNK: usize = 128 * 1024;

/// The name of the copy beside a file: `NAME_bak`, as the older script had it.
pub(crate) fn backup_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push("_bak");
    name.into()
}

/// Whether two files have the same content.
pub(crate) fn same_content(one: &Path, other: &Path, files: &dyn FileSystem) -> io::Result<bool> {
    let (one, other) = (files.open_read(one)?, files.open_read(other)?);
    Ok(one.stat()?.len == other.stat()?.len && same_from(&*one, &*other, 0)?)
}

/// Whether two open files have the same content from `offset` on.
pub(crate) fn same_from(one: &dyn Handle, other: &dyn Handle, mut offset: u64) -> io::Result<bool> {
    let (mut left, mut right) = (vec![0; CHUNK], vec![0; CHUNK]);
    loop {
        let count = fill(one, offset, &mut left)?;
        if count != fill(other, offset, &mut right)? || left[..count] != right[..count] {
            return Ok(false);
        }
        if count < CHUNK {
            return Ok(true);
        }
        offset += count as u64;
    }
}

/// Reads until `buf` is full or the file ends.
fn fill(file: &dyn Handle, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buf.len() {
        match file.read_at(offset + filled as u64, &mut buf[filled..]) {
            Ok(0) => break,
            Ok(count) => filled = (filled + count).min(buf.len()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// The backups that are missing, each with the name that it is of. One that is
/// there already has to be the same as the file.
pub(super) fn missing(
    target: &Target,
    files: &dyn FileSystem,
) -> Result<Vec<(PathBuf, PathBuf)>, Stop> {
    let mut missing = Vec::new();
    for name in &target.names {
        let backup = backup_of(name);
        match same_content(name, &backup, files) {
            Ok(true) => {}
            Ok(false) => {
                let detail = format!("`{}` is another file", backup.display());
                return Err(Stop::left(LeftReason::BackupExists, detail));
            }
            Err(error) if Code::of_io(&error) == Code::NotFound => {
                missing.push((name.clone(), backup));
            }
            Err(error) => return Err(Stop::of_io(&backup, Step::Read, &error)),
        }
    }
    Ok(missing)
}

/// Whether the backups that are there are what they should be.
pub(super) fn check(target: &Target, files: &dyn FileSystem) -> Result<(), Stop> {
    missing(target, files).map(drop)
}

/// Makes one copy, durable, and links the other names' backups to it.
/// `read_only`: the files have the read-only attribute, and so have their copies.
pub(super) fn make(
    missing: &[(PathBuf, PathBuf)],
    read_only: bool,
    files: &dyn FileSystem,
) -> Result<(), Stop> {
    let mut first: Option<&PathBuf> = None;
    for (name, backup) in missing {
        let stop = |error: io::Error| Stop::of_io(backup, Step::Copy, &error);
        if let Some(first) = first
            && files.hard_link(first, backup).is_ok()
        {
            continue;
        }
        files.copy_new(name, backup).map_err(stop)?;
        make_durable(backup, read_only, files).map_err(stop)?;
        first = first.or(Some(backup));
    }
    Ok(())
}

/// Makes a new file survive a loss of power. Windows asks for a handle that may
/// write, and gives none for a read-only file.
fn make_durable(path: &Path, read_only: bool, files: &dyn FileSystem) -> io::Result<()> {
    if read_only {
        files.set_read_only(path, false)?;
    }
    files.open_exclusive(path)?.sync()?;
    if read_only {
        files.set_read_only(path, true)?;
    }
    Ok(())
}

/// Removes the copies of a change that did not happen.
pub(super) fn unmake(missing: &[(PathBuf, PathBuf)], files: &dyn FileSystem) {
    for (_, backup) in missing {
        // One that stays behind is the same as the file, or refused as a
        // source of it.
        let _ = files.remove(backup);
    }
}
