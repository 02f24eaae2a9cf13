//! The operations on the disk in memory.

use std::io;
use std::path::{Path, PathBuf};

use fixnvpe_files::{Exposure, Name, Process};

use super::MemoryDisk;
use super::handle::{Access, MemoryHandle};
use crate::filesystem::{FileStat, FileSystem, Handle, Lock};

impl MemoryDisk {
    fn handle(&self, inode: u64, access: Access) -> Box<dyn Handle> {
        Box::new(MemoryHandle {
            disk: self.clone(),
            inode,
            access,
        })
    }
}

/// A lock, given back when it is dropped.
struct HeldLock(MemoryDisk, PathBuf);

impl Drop for HeldLock {
    fn drop(&mut self) {
        self.0.inner().locked.remove(&self.1);
    }
}

impl FileSystem for MemoryDisk {
    fn open_read(&self, path: &Path) -> io::Result<Box<dyn Handle>> {
        let mut inner = self.inner();
        inner.begin_whole()?;
        let inode = inner.find(path)?;
        inner.is_released(inode)?;
        drop(inner);
        Ok(self.handle(inode, Access::Read))
    }

    fn open_exclusive(&self, path: &Path) -> io::Result<Box<dyn Handle>> {
        let mut inner = self.inner();
        inner.begin_whole()?;
        let inode = inner.find(path)?;
        if inner.mapped.contains(&inode) {
            return Err(io::ErrorKind::ResourceBusy.into());
        }
        inner.is_closed(inode)?;
        if inner.inodes[&inode].read_only {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        inner.exclusive.insert(inode);
        drop(inner);
        Ok(self.handle(inode, Access::Exclusive))
    }

    fn open_or_create(&self, path: &Path) -> io::Result<Box<dyn Handle>> {
        let mut inner = self.inner();
        inner.begin_whole()?;
        let inode = if let Ok(inode) = inner.find(path) {
            inode
        } else {
            let inode = inner.create(b"");
            inner.names.insert(path.to_path_buf(), inode);
            inner.rename_log();
            inode
        };
        drop(inner);
        Ok(self.handle(inode, Access::Write))
    }

    fn stat(&self, path: &Path) -> io::Result<FileStat> {
        let mut inner = self.inner();
        inner.begin_whole()?;
        inner.describe(path)
    }

    fn name_of(&self, path: &Path) -> io::Result<Name> {
        self.inner().name_of(path)
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut inner = self.inner();
        inner.begin_whole()?;
        let inode = inner.create(bytes);
        inner.names.insert(path.to_path_buf(), inode);
        inner.rename_log();
        Ok(())
    }

    fn copy_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut inner = self.inner();
        let last = inner.begin()?;
        let original = inner.find(from)?;
        inner.is_closed(original)?;
        if inner.names.contains_key(to) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let file = inner.inodes[&original].clone();
        let len = if last {
            file.bytes.len() / 2
        } else {
            file.bytes.len()
        };
        let copy = inner.create(b"");
        inner.names.insert(to.to_path_buf(), copy);
        inner.rename_log();
        let clock = inner.clock;
        let copy = inner.inodes.get_mut(&copy).unwrap();
        copy.write(0, &file.bytes[..len], clock);
        copy.read_only = file.read_only;
        if inner.holds_copies {
            let copy = inner.names[to];
            inner.held.insert(copy);
        }
        if last {
            return Err(io::Error::other("the machine has stopped"));
        }
        Ok(())
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut inner = self.inner();
        inner.begin_whole()?;
        let inode = inner.find(from)?;
        inner.is_closed(inode)?;
        if let Ok(target) = inner.find(to) {
            if target == inode {
                // Two links of one file: POSIX says that nothing happens.
                return Ok(());
            }
            inner.is_free(target)?;
            if inner.inodes[&target].read_only {
                return Err(io::ErrorKind::PermissionDenied.into());
            }
        }
        let (from, to) = (inner.spelled(from), inner.spelled(to));
        inner.names.remove(&from);
        inner.names.insert(to, inode);
        inner.rename_log();
        Ok(())
    }

    fn hard_link(&self, original: &Path, link: &Path) -> io::Result<()> {
        let mut inner = self.inner();
        inner.begin_whole()?;
        let inode = inner.find(original)?;
        if inner.no_links {
            return Err(io::ErrorKind::Unsupported.into());
        }
        if inner.names.contains_key(link) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        inner.names.insert(link.to_path_buf(), inode);
        inner.rename_log();
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let mut inner = self.inner();
        inner.begin_whole()?;
        let inode = inner.find(path)?;
        inner.is_free(inode)?;
        let path = inner.spelled(path);
        inner.names.remove(&path);
        inner.rename_log();
        Ok(())
    }

    fn create_folder(&self, _path: &Path) -> io::Result<()> {
        self.inner().begin_whole()
    }

    fn create_protected_folder(&self, path: &Path) -> io::Result<Option<Exposure>> {
        self.create_folder(path)?;
        Ok(self.inner().exposure)
    }

    fn sync_folder(&self, _path: &Path) -> io::Result<()> {
        let mut inner = self.inner();
        inner.begin_whole()?;
        inner.settle_names();
        Ok(())
    }

    fn free_space(&self, _folder: &Path) -> io::Result<u64> {
        let mut inner = self.inner();
        inner.begin_whole()?;
        Ok(inner.free.unwrap_or(u64::MAX))
    }

    fn set_read_only(&self, path: &Path, read_only: bool) -> io::Result<()> {
        let mut inner = self.inner();
        inner.begin_whole()?;
        let inode = inner.find(path)?;
        inner.inodes.get_mut(&inode).unwrap().read_only = read_only;
        Ok(())
    }

    fn holding_processes(&self, names: &[PathBuf]) -> io::Result<Vec<Process>> {
        let mut inner = self.inner();
        inner.begin_whole()?;
        let inode = inner.find(&names[0])?;
        let held = inner.mapped.contains(&inode) || inner.held.contains(&inode);
        Ok(if held {
            inner.holders.clone()
        } else {
            Vec::new()
        })
    }

    fn try_lock(&self, path: &Path) -> io::Result<Option<Lock>> {
        let mut inner = self.inner();
        inner.begin_whole()?;
        if !inner.locked.insert(path.to_path_buf()) {
            return Ok(None);
        }
        drop(inner);
        Ok(Some(Box::new(HeldLock(self.clone(), path.to_path_buf()))))
    }
}
