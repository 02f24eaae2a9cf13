//! Where bytes come from and go to: positioned reads and writes.
//!
//! Nothing in this crate maps or loads a file. Everything goes through these
//! two traits, so that a test can count the bytes or inject a fault, and so
//! that one piece of code serves files and memory alike.

use std::fs::File;
use std::io;

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod win32;

#[cfg(unix)]
use unix as system;
#[cfg(windows)]
use win32 as system;

/// Bytes that can be read at any offset.
///
/// Implemented for [`File`], `[u8]`, `Vec<u8>` and references to any
/// implementor. Offsets are bytes from the start.
pub trait ReadAt {
    /// Reads up to `buf.len()` bytes at `offset` and says how many were read.
    /// 0 means that `offset` is at or beyond the end, or that `buf` is empty.
    ///
    /// # Errors
    ///
    /// Whatever the source reports.
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize>;

    /// The length of the source in bytes.
    ///
    /// # Errors
    ///
    /// Whatever the source reports.
    fn size(&self) -> io::Result<u64>;

    /// Fills `buf` with the bytes at `offset`, with as many reads as it takes.
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::UnexpectedEof`] if the source ends first, else
    /// whatever the source reports.
    fn read_exact_at(&self, mut offset: u64, mut buf: &mut [u8]) -> io::Result<()> {
        while !buf.is_empty() {
            match self.read_at(offset, buf) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(count) => {
                    offset = offset.saturating_add(count as u64);
                    // A source that claims more than it was asked for is at its end.
                    buf = buf.get_mut(count..).unwrap_or_default();
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// Bytes that can be written at any offset.
///
/// Implemented for [`File`], `[u8]`, `Vec<u8>` and exclusive references to any
/// implementor. Nothing here makes a source longer.
pub trait WriteAt {
    /// Writes all of `bytes` at `offset`.
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::WriteZero`] if memory ends first, else whatever the
    /// target reports. What was written before the error stays written.
    fn write_all_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()>;
}

impl ReadAt for File {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        system::read_at(self, offset, buf)
    }

    fn size(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }
}

impl WriteAt for File {
    fn write_all_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        system::write_all_at(self, offset, bytes)
    }
}

impl WriteAt for &File {
    fn write_all_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        system::write_all_at(self, offset, bytes)
    }
}

impl ReadAt for [u8] {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        let rest = usize::try_from(offset)
            .ok()
            .and_then(|offset| self.get(offset..))
            .unwrap_or_default();
        let count = rest.len().min(buf.len());
        buf[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }

    fn size(&self) -> io::Result<u64> {
        Ok(self.len() as u64)
    }
}

impl WriteAt for [u8] {
    fn write_all_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let place = usize::try_from(offset)
            .ok()
            .and_then(|start| Some(start..start.checked_add(bytes.len())?))
            .and_then(|range| self.get_mut(range))
            .ok_or(io::ErrorKind::WriteZero)?;
        place.copy_from_slice(bytes);
        Ok(())
    }
}

impl ReadAt for Vec<u8> {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        self.as_slice().read_at(offset, buf)
    }

    fn size(&self) -> io::Result<u64> {
        self.as_slice().size()
    }
}

impl WriteAt for Vec<u8> {
    fn write_all_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.as_mut_slice().write_all_at(offset, bytes)
    }
}

impl<T: ReadAt + ?Sized> ReadAt for &T {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        (**self).read_at(offset, buf)
    }

    fn size(&self) -> io::Result<u64> {
        (**self).size()
    }
}

impl<T: ReadAt + ?Sized> ReadAt for &mut T {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        (**self).read_at(offset, buf)
    }

    fn size(&self) -> io::Result<u64> {
        (**self).size()
    }
}

impl<T: WriteAt + ?Sized> WriteAt for &mut T {
    fn write_all_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        (**self).write_all_at(offset, bytes)
    }
}
