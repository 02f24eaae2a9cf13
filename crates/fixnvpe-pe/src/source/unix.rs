//! Positioned reads and writes of a file on Unix.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

pub(super) fn read_at(file: &File, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
    file.read_at(buf, offset)
}

pub(super) fn write_all_at(file: &File, offset: u64, bytes: &[u8]) -> io::Result<()> {
    file.write_all_at(bytes, offset)
}
