//! The Unix half.

use std::ffi::OsStr;
use std::fs::{File, Metadata};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::{Exposure, FileId, Kind, KnownFolder, Process, Stat};

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

pub(crate) fn create_protected_folder(folder: &Path) -> io::Result<Option<Exposure>> {
    if let Some(above) = folder.parent() {
        fs_err::create_dir_all(above)?;
    }
    // Whatever the mask of the process: others may read.
    let mode = rustix::fs::Mode::from_raw_mode(0o755);
    match rustix::fs::mkdir(folder, mode) {
        Ok(()) => Ok(None),
        Err(rustix::io::Errno::EXIST) => {
            let metadata = fs_err::symlink_metadata(folder)?;
            let kind = kind(metadata.file_type());
            Ok(exposure(kind, metadata.uid(), metadata.mode()))
        }
        Err(error) => Err(error.into()),
    }
}

/// What is wrong with a folder of this owner and mode that is to be root's.
fn exposure(kind: Kind, owner: u32, mode: u32) -> Option<Exposure> {
    /// The group and everybody else may write.
    const OTHERS_WRITE: u32 = 0o022;
    match kind {
        Kind::Link => Some(Exposure::Link),
        Kind::Folder if owner != 0 => Some(Exposure::Owner),
        Kind::Folder if mode & OTHERS_WRITE != 0 => Some(Exposure::Writable),
        Kind::Folder => None,
        _ => Some(Exposure::NotAFolder),
    }
}

pub(crate) fn known_folder(_folder: KnownFolder) -> Option<PathBuf> {
    None
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_roots_where_root_owns_it_and_nobody_else_writes() {
        for (kind, owner, mode, expected) in [
            (Kind::Folder, 0, 0o755, None),
            (Kind::Folder, 0, 0o700, None),
            (Kind::Folder, 1000, 0o755, Some(Exposure::Owner)),
            (Kind::Folder, 0, 0o775, Some(Exposure::Writable)),
            (Kind::Folder, 0, 0o1777, Some(Exposure::Writable)),
            (Kind::Link, 0, 0o755, Some(Exposure::Link)),
            (Kind::File, 0, 0o644, Some(Exposure::NotAFolder)),
        ] {
            assert_eq!(exposure(kind, owner, mode), expected, "{owner} {mode:o}");
        }
    }

    #[test]
    fn a_folder_that_is_there_is_judged_by_what_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("a"), folder.path().join("b"));
        assert_eq!(create_protected_folder(&path).unwrap(), None);
        let owner = fs_err::metadata(&path).unwrap().uid();
        let again = create_protected_folder(&path).unwrap();
        assert_eq!(again, (owner != 0).then_some(Exposure::Owner));
        fs_err::os::unix::fs::symlink(&path, &link).unwrap();
        assert_eq!(
            create_protected_folder(&link).unwrap(),
            Some(Exposure::Link)
        );
    }
}
