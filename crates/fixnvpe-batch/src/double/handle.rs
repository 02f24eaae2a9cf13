//! An open file of the disk in memory.

use std::io;
use std::time::{Duration, SystemTime};

use super::MemoryDisk;
use crate::filesystem::{FileStat, Handle};

pub(super) struct MemoryHandle {
    pub(super) disk: MemoryDisk,
    pub(super) inode: u64,
    pub(super) access: Access,
}

/// What a handle was opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Write,
    /// For writing, while nobody else may.
    Exclusive,
}

impl Handle for MemoryHandle {
    fn stat(&self) -> io::Result<FileStat> {
        let mut inner = self.disk.inner();
        inner.begin_whole()?;
        Ok(inner.stat(self.inode))
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        let mut inner = self.disk.inner();
        inner.begin_whole()?;
        let bytes = &inner.inodes[&self.inode].bytes;
        let start = usize::try_from(offset).unwrap().min(bytes.len());
        let count = buf.len().min(bytes.len() - start);
        buf[..count].copy_from_slice(&bytes[start..start + count]);
        Ok(count)
    }

    fn write_all_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let mut inner = self.disk.inner();
        let last = inner.begin()?;
        inner.clock += 1;
        let clock = inner.clock;
        let offset = usize::try_from(offset).unwrap();
        let inode = inner.inodes.get_mut(&self.inode).unwrap();
        inode.write(offset, bytes, clock);
        if last {
            return Err(io::Error::other("the machine has stopped"));
        }
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        let mut inner = self.disk.inner();
        inner.begin_whole()?;
        // As on Windows.
        if self.access == Access::Read {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        inner.inodes.get_mut(&self.inode).unwrap().sync();
        Ok(())
    }

    fn set_modified(&self, time: SystemTime) -> io::Result<()> {
        let mut inner = self.disk.inner();
        inner.begin_whole()?;
        let since = time
            .duration_since(SystemTime::UNIX_EPOCH)
            .unwrap_or(Duration::ZERO);
        inner.inodes.get_mut(&self.inode).unwrap().modified = since.as_secs();
        Ok(())
    }
}

impl Drop for MemoryHandle {
    fn drop(&mut self) {
        if self.access == Access::Exclusive {
            self.disk.inner().exclusive.remove(&self.inode);
        }
    }
}
