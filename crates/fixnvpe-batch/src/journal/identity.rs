//! Telling whether a record is about this file.
//!
//! A path says little: a package may have been upgraded since, and the same
//! byte of two releases can read "new" in both (the flags of `thrust.pyd` in
//! two builds of CuPy 10.6.0 do). So a record carries the length of the file
//! and the SHA-256 of its header block with the edits undone. The header block
//! holds the time stamp, sizes and addresses of every section.

use std::io;

use data_encoding::HEXLOWER;
use fixnvpe_pe::Edit;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};

use crate::filesystem::{Handle, read_exact};

/// A SHA-256 sum, hexadecimal when written down.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Sha256Sum(pub(crate) [u8; 32]);

impl Sha256Sum {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }
}

impl std::fmt::Debug for Sha256Sum {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&HEXLOWER.encode(&self.0))
    }
}

impl Serialize for Sha256Sum {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&HEXLOWER.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Sha256Sum {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        let bytes = HEXLOWER
            .decode(text.as_bytes())
            .map_err(serde::de::Error::custom)?;
        bytes
            .try_into()
            .map(Self)
            .map_err(|_| serde::de::Error::custom("a SHA-256 sum has 32 bytes"))
    }
}

/// What a file is, whatever of some edits is done to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Identity {
    /// The length of the file, in bytes.
    pub(crate) len: u64,
    /// The length of its header block, in bytes.
    pub(crate) header_len: u64,
    /// SHA-256 of the header block with the edits undone.
    pub(crate) header_sha256: Sha256Sum,
}

/// What of the edits is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// Every byte reads old.
    Old,
    /// Every byte reads new.
    New,
    /// Some read old, some new: a write was cut short.
    Mixed,
}

/// No header block is longer: 96 sections fit a thousand times over.
const LONGEST_HEADER: u64 = 1 << 20;

impl Identity {
    /// The identity of a file whose header block reads `header` before any of
    /// the edits is done.
    pub(crate) fn of(len: u64, header: &[u8]) -> Self {
        Self {
            len,
            header_len: header.len() as u64,
            header_sha256: Sha256Sum::of(header),
        }
    }

    /// Says how much of `edits` is done if `header`, the first `header_len`
    /// bytes of a file of this length, is the header of this file; `None` if it
    /// is another file.
    pub(crate) fn reading(&self, header: &[u8], edits: &[Edit]) -> Option<Reading> {
        let mut undone = header.to_vec();
        let (mut old, mut new) = (true, true);
        for edit in edits {
            let start = usize::try_from(edit.offset).ok()?;
            let there = undone.get_mut(start..start.checked_add(edit.new.len())?)?;
            if edit.old.len() != there.len() {
                return None;
            }
            for ((byte, &was), &is) in there.iter_mut().zip(&edit.old).zip(&edit.new) {
                if *byte != was && *byte != is {
                    return None;
                }
                old &= *byte == was;
                new &= *byte == is;
                *byte = was;
            }
        }
        if self.header_sha256 != Sha256Sum::of(&undone) {
            return None;
        }
        Some(match (old, new) {
            (true, _) => Reading::Old,
            (false, true) => Reading::New,
            (false, false) => Reading::Mixed,
        })
    }

    /// Reads the header block of an open file; `None` if the file cannot be
    /// this one.
    pub(crate) fn read_header(&self, file: &dyn Handle) -> io::Result<Option<Vec<u8>>> {
        if file.stat()?.len != self.len || self.header_len > self.len.min(LONGEST_HEADER) {
            return Ok(None);
        }
        let Ok(len) = usize::try_from(self.header_len) else {
            return Ok(None);
        };
        let mut header = vec![0; len];
        read_exact(file, 0, &mut header)?;
        Ok(Some(header))
    }

    /// Compares an open file with this identity.
    pub(crate) fn read(&self, file: &dyn Handle, edits: &[Edit]) -> io::Result<Option<Reading>> {
        let header = self.read_header(file)?;
        Ok(header.and_then(|header| self.reading(&header, edits)))
    }
}
