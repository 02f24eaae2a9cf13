//! Bytes of which only the ones that are not zero are kept.

#[cfg(windows)]
mod win32;

use std::collections::BTreeMap;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

use fs_err::File;

/// A run of bytes of any length, stored as the pieces that were put into it; the rest is zero.
///
/// A 1.2 GB section costs as much memory, and as much disk once written, as its headers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SparseBytes {
    len: u64,
    /// Offset to bytes; pieces neither overlap nor touch.
    pieces: BTreeMap<u64, Vec<u8>>,
}

impl SparseBytes {
    /// `len` bytes of zero.
    #[must_use]
    pub fn zeros(len: u64) -> Self {
        Self {
            len,
            pieces: BTreeMap::new(),
        }
    }

    /// The length in bytes, zeros included.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there is not a single byte, not even a zero.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many bytes are kept in memory.
    #[must_use]
    pub fn stored(&self) -> u64 {
        self.pieces.values().map(|piece| piece.len() as u64).sum()
    }

    /// Makes the run longer with zeros; a shorter length changes nothing.
    pub fn extend_to(&mut self, len: u64) {
        self.len = self.len.max(len);
    }

    /// Cuts the run at `len` bytes; a greater length changes nothing.
    pub fn truncate(&mut self, len: u64) {
        self.len = self.len.min(len);
        self.pieces.split_off(&len);
        if let Some((&start, last)) = self.pieces.iter_mut().next_back() {
            last.truncate(usize::try_from(len - start).unwrap_or(usize::MAX));
        }
    }

    /// Puts bytes at an offset, over what was there, and makes the run longer if needed.
    pub fn put(&mut self, offset: u64, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        let end = offset + bytes.len() as u64;
        self.len = self.len.max(end);
        let mut start = offset;
        let mut merged = Vec::new();
        // The last piece that starts at or before the offset, if it reaches it.
        if let Some((&before, piece)) = self.pieces.range(..=offset).next_back()
            && before + piece.len() as u64 >= offset
        {
            start = before;
            merged = self.pieces.remove(&before).unwrap_or_default();
        }
        let at = index(offset - start);
        if merged.len() < at + bytes.len() {
            merged.resize(at + bytes.len(), 0);
        }
        merged[at..at + bytes.len()].copy_from_slice(bytes);
        // What follows within or right behind the new end.
        while let Some((&next, _)) = self
            .pieces
            .range(start..=start + merged.len() as u64)
            .next()
        {
            let piece = self.pieces.remove(&next).unwrap_or_default();
            let keep = usize::try_from(start + merged.len() as u64 - next).unwrap_or(usize::MAX);
            merged.extend_from_slice(piece.get(keep..).unwrap_or_default());
        }
        self.pieces.insert(start, merged);
    }

    /// Puts another run at an offset, zeros of the other one left out.
    pub fn put_sparse(&mut self, offset: u64, other: &Self) {
        self.extend_to(offset + other.len);
        for (&at, piece) in &other.pieces {
            self.put(offset + at, piece);
        }
    }

    /// The pieces that are kept, by rising offset.
    pub fn pieces(&self) -> impl Iterator<Item = (u64, &[u8])> {
        self.pieces
            .iter()
            .map(|(&at, piece)| (at, piece.as_slice()))
    }

    /// Fills `buf` from an offset; returns how many bytes there were before the end.
    pub fn read_at(&self, offset: u64, buf: &mut [u8]) -> usize {
        let wanted = self.len.saturating_sub(offset).min(buf.len() as u64);
        let read = index(wanted);
        let buf = &mut buf[..read];
        buf.fill(0);
        let end = offset + wanted;
        let from = self
            .pieces
            .range(..=offset)
            .next_back()
            .map_or(offset, |(&at, _)| at);
        for (&at, piece) in self.pieces.range(from..end) {
            let first = at.max(offset);
            let last = (at + piece.len() as u64).min(end);
            if first < last {
                buf[index(first - offset)..index(last - offset)]
                    .copy_from_slice(&piece[index(first - at)..index(last - at)]);
            }
        }
        read
    }

    /// All bytes, zeros included: for small runs.
    ///
    /// # Panics
    ///
    /// When the length does not fit into memory.
    #[must_use]
    pub fn to_vec(&self) -> Vec<u8> {
        let mut bytes = vec![0; usize::try_from(self.len).expect("a length that fits into memory")];
        self.read_at(0, &mut bytes);
        bytes
    }

    /// Writes a new file that holds these bytes, with holes where nothing was put.
    ///
    /// # Errors
    ///
    /// When the file exists or cannot be written.
    pub fn write_to(&self, path: &Path) -> io::Result<()> {
        let mut file = File::create_new(path)?;
        #[cfg(windows)]
        win32::allow_holes(file.file());
        file.set_len(self.len)?;
        for (&at, piece) in &self.pieces {
            file.seek(SeekFrom::Start(at))?;
            file.write_all(piece)?;
        }
        Ok(())
    }
}

/// An index into bytes that are in memory, which are never longer than `usize` counts.
fn index(value: u64) -> usize {
    usize::try_from(value).expect("an index into bytes in memory")
}

impl From<Vec<u8>> for SparseBytes {
    fn from(bytes: Vec<u8>) -> Self {
        let mut run = Self::zeros(bytes.len() as u64);
        run.put(0, &bytes);
        run
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_and_touching_pieces_read_like_plain_bytes() {
        let mut run = SparseBytes::zeros(40);
        let mut plain = vec![0_u8; 40];
        for (value, (offset, len)) in [
            (4, 4),
            (20, 4),
            (8, 3),
            (2, 4),
            (12, 8),
            (10, 25),
            (38, 2),
            (0, 40),
            (5, 1),
        ]
        .into_iter()
        .enumerate()
        {
            let bytes = vec![u8::try_from(value + 1).unwrap(); len];
            run.put(offset as u64, &bytes);
            plain[offset..offset + len].copy_from_slice(&bytes);
            assert_eq!(run.to_vec(), plain);
            for start in 0..40 {
                let mut some = [0xEE; 7];
                let read = run.read_at(start as u64, &mut some);
                assert_eq!(read, 7.min(40 - start));
                assert_eq!(some[..read], plain[start..start + read]);
            }
        }
    }

    #[test]
    fn writing_one_byte_after_the_other_keeps_one_piece() {
        let mut run = SparseBytes::default();
        for offset in 0..1000 {
            run.put(offset, &[7]);
        }
        assert_eq!(run.pieces().count(), 1);
        assert_eq!(run.to_vec(), [7; 1000]);
    }

    #[test]
    fn a_cut_run_ends_where_it_was_cut() {
        let mut run = SparseBytes::from(vec![1, 2, 3, 4]);
        run.put(10, &[5, 6]);
        run.truncate(11);
        assert_eq!(run.to_vec(), [1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 5]);
        run.truncate(2);
        assert_eq!(run.to_vec(), [1, 2]);
        run.truncate(9);
        assert_eq!(run.len(), 2);
    }

    #[cfg(unix)]
    #[test]
    fn a_large_run_takes_little_disk() {
        use std::os::unix::fs::MetadataExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("large");
        let mut run = SparseBytes::zeros(3 << 30);
        run.put(1 << 30, b"in the middle");
        run.write_to(&path).unwrap();
        let metadata = fs_err::metadata(&path).unwrap();
        assert_eq!(metadata.len(), 3 << 30);
        assert!(
            metadata.blocks() * 512 < 64 << 10,
            "{} blocks",
            metadata.blocks()
        );
        assert!(
            run.write_to(&path).is_err(),
            "an existing file is not overwritten"
        );
    }
}
