//! What lies in a folder, to compare before and after.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use fixnvpe_tests::tree::sha256;
use fs_err::File;

use crate::error::Error;

/// The SHA-256 of every file below a folder, by its path relative to the folder.
pub(crate) type Hashes = BTreeMap<PathBuf, [u8; 32]>;

/// Every file below a folder, links not followed, sorted.
pub(crate) fn below(root: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs_err::read_dir(&folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                folders.push(entry.path());
            } else {
                files.push(entry.path());
            }
        }
    }
    files.sort();
    Ok(files)
}

/// The hash of every file below a folder.
pub(crate) fn hashes(root: &Path) -> Result<Hashes, Error> {
    let mut hashes = Hashes::new();
    for path in below(root)? {
        let name = path.strip_prefix(root).unwrap_or(&path).to_path_buf();
        hashes.insert(name, sha256(&path)?);
    }
    Ok(hashes)
}

/// One byte that differs between two files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Difference {
    /// The file offset.
    pub(crate) offset: u64,
    pub(crate) old: u8,
    pub(crate) new: u8,
}

/// The bytes that differ, at most `limit` of them; files of different length differ in all.
pub(crate) fn differences(old: &Path, new: &Path, limit: usize) -> Result<Vec<Difference>, Error> {
    let lengths = [fs_err::metadata(old)?.len(), fs_err::metadata(new)?.len()];
    if lengths[0] != lengths[1] {
        return Err(Error::wrong(format!(
            "`{}` has {} bytes and `{}` has {}",
            old.display(),
            lengths[0],
            new.display(),
            lengths[1]
        )));
    }
    let (mut old, mut new) = (File::open(old)?, File::open(new)?);
    let (mut left, mut right) = (vec![0; 1 << 20], vec![0; 1 << 20]);
    let mut found = Vec::new();
    let mut offset = 0;
    while offset < lengths[0] && found.len() < limit {
        let size = usize::try_from((lengths[0] - offset).min(1 << 20)).unwrap_or(1 << 20);
        old.read_exact(&mut left[..size])?;
        new.read_exact(&mut right[..size])?;
        if left[..size] != right[..size] {
            let pairs = left[..size].iter().zip(&right[..size]);
            found.extend(
                (offset..)
                    .zip(pairs)
                    .filter(|(_, (old, new))| old != new)
                    .map(|(offset, (&old, &new))| Difference { offset, old, new }),
            );
        }
        offset += size as u64;
    }
    found.truncate(limit);
    Ok(found)
}

/// A file's number on its volume; Windows tells it of open handles only.
pub(crate) fn inode(path: &Path) -> Result<Option<u64>, Error> {
    let metadata = fs_err::metadata(path)?;
    #[cfg(unix)]
    let number = Some(std::os::unix::fs::MetadataExt::ino(&metadata));
    #[cfg(not(unix))]
    let number = {
        let _ = metadata;
        None
    };
    Ok(number)
}

/// Bytes as people read them.
pub(crate) fn megabytes(bytes: u64) -> String {
    let tenths = (bytes * 10 + (1 << 19)) >> 20;
    format!("{}.{} MB", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_differing_byte_is_found_across_blocks() {
        let folder = tempfile::tempdir().unwrap();
        let (old, new) = (folder.path().join("old"), folder.path().join("new"));
        let mut bytes = vec![7_u8; (2 << 20) + 5];
        fs_err::write(&old, &bytes).unwrap();
        bytes[(1 << 20) - 1] = 8;
        bytes[(2 << 20) + 4] = 9;
        fs_err::write(&new, &bytes).unwrap();
        let found = differences(&old, &new, 10).unwrap();
        let offsets: Vec<_> = found.iter().map(|one| one.offset).collect();
        assert_eq!(offsets, [(1 << 20) - 1, (2 << 20) + 4]);
        assert_eq!((found[1].old, found[1].new), (7, 9));
        assert_eq!(differences(&old, &new, 1).unwrap().len(), 1);
    }

    #[test]
    fn sizes_are_rounded_to_a_tenth() {
        assert_eq!(megabytes(170_168_320), "162.3 MB");
        assert_eq!(megabytes(0), "0.0 MB");
    }
}
