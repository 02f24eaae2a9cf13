//! The real disk, counting the bytes that go through each open file.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use fixnvpe_files::{Exposure, Name, Process};

use crate::filesystem::{Disk, FileStat, FileSystem, Handle, Lock};

#[derive(Debug, Default)]
struct Counts {
    files: BTreeMap<PathBuf, (u64, u64)>,
    opened_for_writing: u64,
}

/// The real disk, counting.
#[derive(Debug, Default)]
pub(super) struct Counting(Arc<Mutex<Counts>>);

impl Counting {
    /// Bytes read from and written to a file.
    pub(super) fn of(&self, path: &Path) -> (u64, u64) {
        self.0
            .lock()
            .unwrap()
            .files
            .get(path)
            .copied()
            .unwrap_or_default()
    }

    /// How many files were opened for writing.
    pub(super) fn opened_for_writing(&self) -> u64 {
        self.0.lock().unwrap().opened_for_writing
    }

    pub(super) fn reset(&self) {
        *self.0.lock().unwrap() = Counts::default();
    }

    fn open(&self, path: &Path, file: io::Result<Box<dyn Handle>>) -> io::Result<Box<dyn Handle>> {
        Ok(Box::new(CountingHandle {
            file: file?,
            path: path.to_path_buf(),
            counts: Arc::clone(&self.0),
        }))
    }

    fn for_writing(&self) {
        self.0.lock().unwrap().opened_for_writing += 1;
    }
}

struct CountingHandle {
    file: Box<dyn Handle>,
    path: PathBuf,
    counts: Arc<Mutex<Counts>>,
}

impl CountingHandle {
    fn count(&self, read: usize, written: usize) {
        let mut counts = self.counts.lock().unwrap();
        let (all_read, all_written) = counts.files.entry(self.path.clone()).or_default();
        *all_read += read as u64;
        *all_written += written as u64;
    }
}

impl Handle for CountingHandle {
    fn stat(&self) -> io::Result<FileStat> {
        self.file.stat()
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read_at(offset, buf)?;
        self.count(count, 0);
        Ok(count)
    }

    fn write_all_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.count(0, bytes.len());
        self.file.write_all_at(offset, bytes)
    }

    fn sync(&self) -> io::Result<()> {
        self.file.sync()
    }

    fn set_modified(&self, time: SystemTime) -> io::Result<()> {
        self.file.set_modified(time)
    }
}

impl FileSystem for Counting {
    fn open_read(&self, path: &Path) -> io::Result<Box<dyn Handle>> {
        self.open(path, Disk.open_read(path))
    }

    fn open_exclusive(&self, path: &Path) -> io::Result<Box<dyn Handle>> {
        self.for_writing();
        self.open(path, Disk.open_exclusive(path))
    }

    fn open_or_create(&self, path: &Path) -> io::Result<Box<dyn Handle>> {
        self.for_writing();
        self.open(path, Disk.open_or_create(path))
    }

    fn stat(&self, path: &Path) -> io::Result<FileStat> {
        Disk.stat(path)
    }

    fn name_of(&self, path: &Path) -> io::Result<Name> {
        Disk.name_of(path)
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.for_writing();
        Disk.write(path, bytes)
    }

    fn copy_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.for_writing();
        Disk.copy_new(from, to)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        Disk.rename(from, to)
    }

    fn hard_link(&self, original: &Path, link: &Path) -> io::Result<()> {
        Disk.hard_link(original, link)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        Disk.remove(path)
    }

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        Disk.create_folder(path)
    }

    fn create_protected_folder(&self, path: &Path) -> io::Result<Option<Exposure>> {
        Disk.create_protected_folder(path)
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        Disk.sync_folder(path)
    }

    fn free_space(&self, folder: &Path) -> io::Result<u64> {
        Disk.free_space(folder)
    }

    fn set_read_only(&self, path: &Path, read_only: bool) -> io::Result<()> {
        Disk.set_read_only(path, read_only)
    }

    fn holding_processes(&self, names: &[PathBuf]) -> io::Result<Vec<Process>> {
        Disk.holding_processes(names)
    }

    fn try_lock(&self, path: &Path) -> io::Result<Option<Lock>> {
        Disk.try_lock(path)
    }
}
