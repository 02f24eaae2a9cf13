//! Sources that count, that are mostly zeros, and that fail.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::io;

use fixnvpe_pe::ReadAt;

/// Counts what is read of another source.
#[derive(Debug)]
pub(crate) struct Counted<S> {
    inner: S,
    pub(crate) reads: Cell<u64>,
    pub(crate) bytes: Cell<u64>,
    /// The largest single read that was asked for.
    pub(crate) largest: Cell<u64>,
}

impl<S> Counted<S> {
    pub(crate) fn new(inner: S) -> Self {
        Self {
            inner,
            reads: Cell::new(0),
            bytes: Cell::new(0),
            largest: Cell::new(0),
        }
    }
}

impl<S: ReadAt> ReadAt for Counted<S> {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read_at(offset, buf)?;
        self.reads.set(self.reads.get() + 1);
        self.bytes.set(self.bytes.get() + count as u64);
        self.largest.set(self.largest.get().max(buf.len() as u64));
        Ok(count)
    }

    fn size(&self) -> io::Result<u64> {
        self.inner.size()
    }
}

/// A file of any length that is zero but for a few pieces.
#[derive(Debug, Default)]
pub(crate) struct Sparse {
    len: u64,
    pieces: BTreeMap<u64, Vec<u8>>,
}

impl Sparse {
    pub(crate) fn new(len: u64) -> Self {
        Self {
            len,
            pieces: BTreeMap::new(),
        }
    }

    /// Puts bytes at an offset; pieces must not overlap.
    pub(crate) fn put(&mut self, offset: u64, bytes: Vec<u8>) {
        self.pieces.insert(offset, bytes);
    }
}

impl ReadAt for Sparse {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.len.saturating_sub(offset)).unwrap_or(usize::MAX);
        let count = buf.len().min(left);
        let buf = &mut buf[..count];
        buf.fill(0);
        let end = offset + count as u64;
        for (start, piece) in self.pieces.range(..end) {
            let from = offset.max(*start);
            let to = end.min(start + piece.len() as u64);
            if from < to {
                let index = |at: u64, base: u64| usize::try_from(at - base).expect("in memory");
                buf[index(from, offset)..index(to, offset)]
                    .copy_from_slice(&piece[index(from, *start)..index(to, *start)]);
            }
        }
        Ok(count)
    }

    fn size(&self) -> io::Result<u64> {
        Ok(self.len)
    }
}

/// Fails every read from the `after`-th on.
#[derive(Debug)]
pub(crate) struct Failing<S> {
    inner: S,
    left: Cell<u64>,
}

impl<S> Failing<S> {
    pub(crate) fn new(inner: S, after: u64) -> Self {
        Self {
            inner,
            left: Cell::new(after),
        }
    }
}

impl<S: ReadAt> ReadAt for Failing<S> {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        match self.left.get() {
            0 => Err(io::ErrorKind::PermissionDenied.into()),
            left => {
                self.left.set(left - 1);
                self.inner.read_at(offset, buf)
            }
        }
    }

    fn size(&self) -> io::Result<u64> {
        self.inner.size()
    }
}

/// Answers every read with one byte, as a source may.
#[derive(Debug)]
pub(crate) struct Trickling<S>(pub(crate) S);

impl<S: ReadAt> ReadAt for Trickling<S> {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        let count = buf.len().min(1);
        self.0.read_at(offset, &mut buf[..count])
    }

    fn size(&self) -> io::Result<u64> {
        self.0.size()
    }
}
