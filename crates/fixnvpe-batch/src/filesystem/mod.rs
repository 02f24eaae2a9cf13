//! Every operation on patched files, the journal and the lock goes through
//! [`FileSystem`], so that a test double can count them, fail one of them, or
//! lose what was never synced.

mod disk;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod win32;

#[cfg(unix)]
use unix as system;
#[cfg(windows)]
use win32 as system;

use std::any::Any;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use fixnvpe_files::{Exposure, FileId, Kind, Name, Process};
use fixnvpe_pe::ReadAt;

pub use disk::Disk;

/// What is known of a file, from its handle or from its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileStat {
    /// The identity of the file.
    pub id: FileId,
    /// How many names (hard links) the file has.
    pub links: u64,
    /// The length of the file, in bytes.
    pub len: u64,
    /// What stands there.
    pub kind: Kind,
    /// Whether the read-only attribute is set, or on Unix nobody may write.
    pub read_only: bool,
    /// When the content last changed, where the file system keeps it.
    pub modified: Option<SystemTime>,
}

/// An open file.
pub trait Handle: Send + Sync {
    /// What the handle tells of its file.
    ///
    /// # Errors
    ///
    /// The operating system's.
    fn stat(&self) -> io::Result<FileStat>;

    /// Reads up to `buf.len()` bytes at `offset` and says how many; 0 is the
    /// end.
    ///
    /// # Errors
    ///
    /// The operating system's.
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize>;

    /// Writes all of `bytes` at `offset`.
    ///
    /// # Errors
    ///
    /// The operating system's; some of the bytes may be written.
    fn write_all_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()>;

    /// Makes what was written durable.
    ///
    /// # Errors
    ///
    /// The operating system's.
    fn sync(&self) -> io::Result<()>;

    /// Sets the time at which the content last changed.
    ///
    /// # Errors
    ///
    /// The operating system's.
    fn set_modified(&self, time: SystemTime) -> io::Result<()>;
}

/// What holds a lock; dropping it gives the lock back.
pub type Lock = Box<dyn Any + Send + Sync>;

/// The operations on files that this crate needs.
pub trait FileSystem: Sync {
    /// Opens a file for reading, and keeps nobody else from anything.
    ///
    /// # Errors
    ///
    /// The operating system's.
    fn open_read(&self, path: &Path) -> io::Result<Box<dyn Handle>>;

    /// Opens a file for reading and writing; on Windows nobody else may write
    /// to it, rename it or delete it meanwhile.
    ///
    /// # Errors
    ///
    /// The operating system's.
    fn open_exclusive(&self, path: &Path) -> io::Result<Box<dyn Handle>>;

    /// Opens a file for reading and writing, and creates it if it is not there.
    ///
    /// # Errors
    ///
    /// The operating system's.
    fn open_or_create(&self, path: &Path) -> io::Result<Box<dyn Handle>>;

    /// What stands at `path`; a link is described, not followed.
    ///
    /// # Errors
    ///
    /// The operating system's.
    fn stat(&self, path: &Path) -> io::Result<FileStat>;

    /// The name that `path` leads to, however it was spelled.
    ///
    /// # Errors
    ///
    /// The operating system's.
    fn name_of(&self, path: &Path) -> io::Result<Name>;

    /// Makes `bytes` the whole content of a file, new or not.
    ///
    /// # Errors
    ///
    /// The operating system's.
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;

    /// Copies a file with its permissions, attributes and, where the caller
    /// may, its owner, to a name that does not exist.
    ///
    /// # Errors
    ///
    /// The operating system's; part of the copy may be there.
    fn copy_new(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Renames a file, over another one if there is one.
    ///
    /// # Errors
    ///
    /// The operating system's.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Gives a file another name, which must not exist.
    ///
    /// # Errors
    ///
    /// The operating system's.
    fn hard_link(&self, original: &Path, link: &Path) -> io::Result<()>;

    /// Removes one name of a file.
    ///
    /// # Errors
    ///
    /// The operating system's.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Creates a folder and those above it, where they are missing.
    ///
    /// # Errors
    ///
    /// The operating system's.
    fn create_folder(&self, path: &Path) -> io::Result<()>;

    /// Creates a folder that administrators alone may write to, or says why the
    /// one that is there is not so.
    ///
    /// # Errors
    ///
    /// The operating system's.
    fn create_protected_folder(&self, path: &Path) -> io::Result<Option<Exposure>>;

    /// Makes the names in a folder durable.
    ///
    /// # Errors
    ///
    /// The operating system's.
    fn sync_folder(&self, path: &Path) -> io::Result<()>;

    /// How many bytes the caller may still write below `folder`.
    ///
    /// # Errors
    ///
    /// The operating system's.
    fn free_space(&self, folder: &Path) -> io::Result<u64>;

    /// Sets or clears the read-only attribute; on Unix takes the write bits
    /// from everyone, or gives one to the owner.
    ///
    /// # Errors
    ///
    /// The operating system's.
    fn set_read_only(&self, path: &Path, read_only: bool) -> io::Result<()>;

    /// The processes that hold a file, open or mapped, under any of these
    /// names of it; none where the system does not tell.
    ///
    /// # Errors
    ///
    /// The operating system's.
    fn holding_processes(&self, names: &[PathBuf]) -> io::Result<Vec<Process>>;

    /// Takes an exclusive lock on a file of its own, creating it; `None` while
    /// another process has it.
    ///
    /// # Errors
    ///
    /// The operating system's.
    fn try_lock(&self, path: &Path) -> io::Result<Option<Lock>>;
}

/// A handle as a source of image bytes.
pub(crate) struct Source<'a>(pub(crate) &'a dyn Handle);

impl ReadAt for Source<'_> {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        self.0.read_at(offset, buf)
    }

    fn size(&self) -> io::Result<u64> {
        Ok(self.0.stat()?.len)
    }
}

/// Fills `buf` from `offset` on.
pub(crate) fn read_exact(file: &dyn Handle, offset: u64, buf: &mut [u8]) -> io::Result<()> {
    Source(file).read_exact_at(offset, buf)
}
