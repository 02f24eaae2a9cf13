//! The CheckSum field: a full pass over the file, and an update from the
//! changed bytes alone.
//!
//! The sum is the one's-complement sum of the file's little-endian 16-bit words
//! (an odd last byte is extended by a zero), without the field itself, plus the
//! length of the file. Windows checks it for drivers and some system DLLs only,
//! but a wrong value is a change that nobody asked for.

use std::fmt;

use crate::error::Error;
use crate::image::Image;
use crate::source::ReadAt;

const CHUNK: usize = 64 * 1024;
const FIELD: u64 = 4;

/// What a CheckSum field can be, as far as its value alone tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum CheckSumState {
    /// The field is 0: the linker was not asked to set it.
    Unset,
    /// A value that some file of this length has. Whether this one does, only a
    /// full pass tells.
    Set,
    /// A value that no file of this length has.
    Impossible,
}

impl CheckSumState {
    pub(crate) fn of(stored: u32, len: u64) -> Self {
        if stored == 0 {
            Self::Unset
        } else if residue(stored, len) <= 0xffff {
            Self::Set
        } else {
            Self::Impossible
        }
    }

    /// The stable word for scripts.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unset => "unset",
            Self::Set => "set",
            Self::Impossible => "impossible",
        }
    }
}

impl fmt::Display for CheckSumState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The length's low half: the field has 32 bits and wraps in files over 4 GiB.
fn wrapped(len: u64) -> u32 {
    u32::try_from(len & 0xffff_ffff).unwrap_or_default()
}

/// The sum of words that a stored value claims.
fn residue(stored: u32, len: u64) -> u32 {
    stored.wrapping_sub(wrapped(len))
}

/// Folds a sum of words to 16 bits. Zero words alone give 0; else 0xFFFF stands
/// for the residue 0.
fn fold(mut sum: u64) -> u32 {
    while sum > 0xffff {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    u32::try_from(sum).unwrap_or_default()
}

/// Whether two stored values mean the same sum. Residue 0 has two encodings,
/// 0x0000 and 0xFFFF, on which tools differ.
#[must_use]
pub fn same_check_sum(left: u32, right: u32, len: u64) -> bool {
    let canonical = |stored| match residue(stored, len) {
        0 => 0xffff,
        other => other,
    };
    canonical(left) == canonical(right)
}

/// The value to store after bytes changed: each change is a file offset and the
/// old and new byte there. `stored` is the old value, `len` the file's length.
/// `None` where the field stays: it is unset or impossible.
pub(crate) fn updated(
    stored: u32,
    len: u64,
    changes: impl Iterator<Item = (u64, u8, u8)>,
) -> Option<u32> {
    if CheckSumState::of(stored, len) != CheckSumState::Set {
        return None;
    }
    let mut sum = i64::from(residue(stored, len));
    for (offset, old, new) in changes {
        let weight = if offset % 2 == 0 { 1 } else { 256 };
        sum = (sum + (i64::from(new) - i64::from(old)) * weight).rem_euclid(0xffff);
    }
    let sum = match u32::try_from(sum.rem_euclid(0xffff)).unwrap_or_default() {
        0 => 0xffff,
        sum => sum,
    };
    Some(sum.wrapping_add(wrapped(len)))
}

impl<R: ReadAt> Image<R> {
    /// Computes the CheckSum of the file as it is, by reading all of it in
    /// chunks. The residue 0 is given as 0xFFFF; compare by
    /// [`same_check_sum`].
    ///
    /// # Errors
    ///
    /// [`Error::Read`] where the source fails, also if it became shorter.
    pub fn check_sum_full(&self) -> Result<u32, Error> {
        let field = self.check_sum_offset();
        let mut chunk = vec![0; CHUNK];
        let mut sum = 0;
        let mut offset = 0;
        while offset < self.len() {
            let left = self.len() - offset;
            let count = usize::try_from(left).unwrap_or(CHUNK).min(CHUNK);
            let bytes = &mut chunk[..count];
            self.source()
                .read_exact_at(offset, bytes)
                .map_err(|error| Error::read(offset, count, error))?;
            blank(bytes, offset, field);
            sum = u64::from(fold(sum + sum_of(bytes)));
            offset += count as u64;
        }
        Ok(fold(sum).wrapping_add(wrapped(self.len())))
    }
}

/// Zeroes the field's bytes where `bytes`, read at `offset`, hold them.
fn blank(bytes: &mut [u8], offset: u64, field: u64) {
    for at in field..field + FIELD {
        let place = at
            .checked_sub(offset)
            .and_then(|place| bytes.get_mut(usize::try_from(place).ok()?));
        if let Some(place) = place {
            *place = 0;
        }
    }
}

/// Sums the 16-bit words of a chunk that starts at an even offset. Words are
/// added in pairs: 0x10000 is 1 in one's complement, so that folding a sum of
/// 32-bit words gives the same.
fn sum_of(bytes: &[u8]) -> u64 {
    let mut words = bytes.chunks_exact(4);
    let sum: u64 = words
        .by_ref()
        .map(|word| u64::from(u32::from_le_bytes([word[0], word[1], word[2], word[3]])))
        .sum();
    let mut tail = [0; 4];
    let rest = words.remainder();
    tail[..rest.len()].copy_from_slice(rest);
    sum + u64::from(u32::from_le_bytes(tail))
}
