//! What stands under a name.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use fixnvpe_files::{FileId, Kind, Name, folded_path};

use super::{Inner, Spelling};
use crate::filesystem::FileStat;

impl Inner {
    /// The name as the disk spells it; one that is not there, as it is.
    pub(super) fn spelled(&self, path: &Path) -> PathBuf {
        let same = |name: &&PathBuf| folded_path(name) == folded_path(path);
        let known = self.names.keys().find(same);
        known
            .filter(|_| self.names_are == Spelling::InAnyCase)
            .cloned()
            .unwrap_or_else(|| path.to_path_buf())
    }

    pub(super) fn find(&self, path: &Path) -> io::Result<u64> {
        let found = self.names.get(&self.spelled(path)).copied();
        found.ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// The folder's identity is a number made of its path.
    pub(super) fn name_of(&self, path: &Path) -> io::Result<Name> {
        self.find(path)?;
        let path = self.spelled(path);
        let folder = path.parent().unwrap_or(&path).to_string_lossy();
        let number = |sum: u128, byte: u8| sum.wrapping_mul(257).wrapping_add(byte.into());
        let id = folder.bytes().fold(1, number);
        let file_name = path.file_name().unwrap_or_default().to_os_string();
        let parent = FileId::new(2, id);
        Ok(Name { parent, file_name })
    }

    /// A folder is what names lie below.
    pub(super) fn describe(&self, path: &Path) -> io::Result<FileStat> {
        let inode = self.find(path);
        let mut below = self.names.iter().filter(|(name, _)| name.starts_with(path));
        match (inode, below.next()) {
            (Err(_), Some((_, inode))) => Ok(FileStat {
                kind: Kind::Folder,
                ..self.stat(*inode)
            }),
            (inode, _) => Ok(self.stat(inode?)),
        }
    }

    pub(super) fn stat(&self, inode: u64) -> FileStat {
        let file = &self.inodes[&inode];
        let links = self.names.values().filter(|other| **other == inode);
        FileStat {
            id: FileId::new(1, u128::from(inode)),
            links: links.count() as u64,
            len: file.bytes.len() as u64,
            kind: if file.alias { Kind::Other } else { Kind::File },
            read_only: file.read_only,
            modified: Some(SystemTime::UNIX_EPOCH + Duration::from_secs(file.modified)),
        }
    }
}
