//! The real disk.

use std::fs::{File, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use fixnvpe_files::{Exposure, Name, Process};
use fixnvpe_pe::{ReadAt, WriteAt};

use super::{FileStat, FileSystem, Handle, Lock, system};

/// The real disk.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

struct OpenFile(File);

impl FileStat {
    fn of(stat: fixnvpe_files::Stat, modified: Option<SystemTime>) -> Self {
        Self {
            id: stat.id,
            links: stat.links,
            len: stat.len,
            kind: stat.kind,
            read_only: stat.read_only,
            modified,
        }
    }
}

impl Handle for OpenFile {
    fn stat(&self) -> io::Result<FileStat> {
        let modified = self.0.metadata()?.modified().ok();
        Ok(FileStat::of(fixnvpe_files::stat(&self.0)?, modified))
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        self.0.read_at(offset, buf)
    }

    fn write_all_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        (&self.0).write_all_at(offset, bytes)
    }

    fn sync(&self) -> io::Result<()> {
        self.0.sync_data()
    }

    fn set_modified(&self, time: SystemTime) -> io::Result<()> {
        self.0.set_modified(time)
    }
}

fn boxed(file: File) -> Box<dyn Handle> {
    Box::new(OpenFile(file))
}

impl FileSystem for Disk {
    fn open_read(&self, path: &Path) -> io::Result<Box<dyn Handle>> {
        fixnvpe_files::open_read(path).map(boxed)
    }

    fn open_exclusive(&self, path: &Path) -> io::Result<Box<dyn Handle>> {
        fixnvpe_files::open_exclusive(path).map(boxed)
    }

    fn open_or_create(&self, path: &Path) -> io::Result<Box<dyn Handle>> {
        let mut options = fs_err::OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        Ok(boxed(options.open(path)?.into_file()))
    }

    fn stat(&self, path: &Path) -> io::Result<FileStat> {
        let modified = fs_err::symlink_metadata(path)?.modified().ok();
        Ok(FileStat::of(fixnvpe_files::stat_path(path)?, modified))
    }

    fn name_of(&self, path: &Path) -> io::Result<Name> {
        fixnvpe_files::name_of(path)
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut file = fs_err::File::create(path)?;
        file.write_all(bytes)
    }

    fn copy_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        if fs_err::symlink_metadata(to).is_ok() {
            return Err(io::Error::new(
                io::ErrorKind::AlreadyExists,
                format!("`{}` exists", to.display()),
            ));
        }
        // Clones where the file system can.
        fs_err::copy(from, to)?;
        system::copy_metadata(from, to)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs_err::rename(from, to)
    }

    fn hard_link(&self, original: &Path, link: &Path) -> io::Result<()> {
        fs_err::hard_link(original, link)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs_err::remove_file(path)
    }

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        fs_err::create_dir_all(path)
    }

    fn create_protected_folder(&self, path: &Path) -> io::Result<Option<Exposure>> {
        fixnvpe_files::create_protected_folder(path)
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        fixnvpe_files::sync_folder(path)
    }

    fn free_space(&self, folder: &Path) -> io::Result<u64> {
        fixnvpe_files::free_space(folder)
    }

    fn set_read_only(&self, path: &Path, read_only: bool) -> io::Result<()> {
        system::set_read_only(path, read_only)
    }

    fn holding_processes(&self, names: &[PathBuf]) -> io::Result<Vec<Process>> {
        fixnvpe_files::holding_processes(names)
    }

    fn try_lock(&self, path: &Path) -> io::Result<Option<Lock>> {
        let mut options = fs_err::OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = options.open(path)?.into_file();
        match file.try_lock() {
            Ok(()) => Ok(Some(Box::new(file))),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}
