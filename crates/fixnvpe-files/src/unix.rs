//! The Unix half.

use std::ffi::OsStr;
use std::fs::{File, Metadata};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::{FileId, Kind, Process, Stat};

pub(crate) fn stat(file: &File) -> io::Result<Stat> {
    let mut stat = describe(&file.metadata()?);
    if stat.links > 1 && stat.kind == Kind::File && has_dos_name(file) {
        stat.links -= 1;
    }
    Ok(stat)
}

pub(crate) fn holding_processes(names: &[PathBuf]) -> io::Result<Vec<Process>> {
    for name in names {
        fs_err::symlink_metadata(name)?;
    }
    Ok(Vec::new())
}

pub(crate) fn stat_path(path: &Path) -> io::Result<Stat> {
    let metadata = fs_err::symlink_metadata(path)?;
    if metadata.is_file() && metadata.nlink() > 1 {
        return stat(&open_read(path)?);
    }
    Ok(describe(&metadata))
}

fn describe(metadata: &Metadata) -> Stat {
    Stat {
        id: FileId::new(metadata.dev(), u128::from(metadata.ino())),
        links: metadata.nlink(),
        len: metadata.len(),
        kind: kind(metadata.file_type()),
        read_only: metadata.permissions().mode() & 0o222 == 0,
        placeholder: false,
    }
}

/// ntfs-3g counts the 8.3 name of a file as a link of its own, and shows that
/// name as an extended attribute.
fn has_dos_name(file: &File) -> bool {
    let mut name = [0; 64];
    rustix::fs::fgetxattr(file, "system.ntfs_dos_name", &mut name).is_ok_and(|length| length > 0)
}

fn kind(file_type: std::fs::FileType) -> Kind {
    if file_type.is_file() {
        Kind::File
    } else if file_type.is_dir() {
        Kind::Folder
    } else if file_type.is_symlink() {
        Kind::Link
    } else {
        Kind::Other
    }
}

pub(crate) fn entry_kind(entry: &fs_err::DirEntry) -> io::Result<(Kind, bool)> {
    Ok((kind(entry.file_type()?), false))
}

pub(crate) fn open_read(path: &Path) -> io::Result<File> {
    regular(path, fs_err::OpenOptions::new().read(true))
}

pub(crate) fn open_exclusive(path: &Path) -> io::Result<File> {
    regular(path, fs_err::OpenOptions::new().read(true).write(true))
}

/// Opening a pipe would wait for its other end: `O_NONBLOCK` makes it return,
/// and changes nothing for a regular file.
fn regular(path: &Path, options: &mut fs_err::OpenOptions) -> io::Result<File> {
    use fs_err::os::unix::fs::OpenOptionsExt;
    let flags = rustix::fs::OFlags::NONBLOCK.bits();
    let flags = i32::try_from(flags).map_err(io::Error::other)?;
    Ok(options.custom_flags(flags).open(path)?.into_file())
}

pub(crate) fn open_folder(path: &Path) -> io::Result<File> {
    let file = open_read(path)?;
    if file.metadata()?.is_dir() {
        return Ok(file);
    }
    Err(io::Error::new(
        io::ErrorKind::NotADirectory,
        format!("`{}` is not a folder", path.display()),
    ))
}

pub(crate) fn final_name(_path: &Path) -> Option<std::ffi::OsString> {
    None
}

pub(crate) fn free_space(folder: &Path) -> io::Result<u64> {
    let volume = rustix::fs::statvfs(folder)?;
    Ok(volume.f_bavail.saturating_mul(volume.f_frsize))
}

pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    open_folder(folder)?.sync_all()
}

pub(crate) fn is_elevated() -> bool {
    rustix::process::geteuid().is_root()
}

pub(crate) fn extended(path: &Path) -> io::Result<PathBuf> {
    std::path::absolute(path)
}

pub(crate) fn shown(path: &Path) -> PathBuf {
    path.to_path_buf()
}

pub(crate) fn units(path: &Path) -> Vec<u8> {
    path.as_os_str().as_bytes().to_vec()
}

pub(crate) fn from_units(units: &[u8]) -> Option<PathBuf> {
    // No file has a name with a NUL in it.
    (!units.contains(&0)).then(|| OsStr::from_bytes(units).into())
}

/// What the units of [`units`] are, as [`crate::raw`] writes it.
pub(crate) const UNITS: &str = "bytes";
