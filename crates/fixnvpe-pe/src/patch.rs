//! A patch: the bytes of the headers to change, forwards and backwards.

mod edit;
mod plan;

pub use edit::{Edit, Field};
pub use plan::Note;

use crate::error::Error;
use crate::malformation::EditFault;
use crate::source::{ReadAt, WriteAt};

/// Edits in the headers of one image, in the order of their offsets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Patch {
    edits: Vec<Edit>,
    notes: Vec<Note>,
}

/// What the bytes under a patch say about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum State {
    /// Every edit reads its old bytes.
    Old,
    /// Every edit reads its new bytes.
    New,
    /// Some edits read old, some new, none anything else: what a torn write leaves.
    Mixed,
    /// Some bytes are neither.
    Foreign,
}

/// Every edit lies in the headers, which are read up to this size.
const MAX_OFFSET: u64 = 1 << 20;

impl Patch {
    /// A patch of edits that were planned before, as a journal keeps them.
    ///
    /// # Errors
    ///
    /// [`Error::Edits`] unless there are edits, each replaces bytes of one
    /// header field by as many, and no two touch one byte.
    pub fn from_edits(mut edits: Vec<Edit>) -> Result<Self, Error> {
        let fault = |what| Err(Error::Edits { what });
        edits.sort_by_key(|edit| edit.offset);
        if edits.is_empty() {
            return fault(EditFault::NoEdits);
        }
        let mut end = 0;
        for edit in &edits {
            let offset = edit.offset;
            if edit.old.is_empty() || edit.old.len() != edit.new.len() {
                return fault(EditFault::Uneven { offset });
            }
            if edit.old.len() > edit.field.size() || edit.end() > MAX_OFFSET {
                return fault(EditFault::OutOfBounds { offset });
            }
            if offset < end {
                return fault(EditFault::Overlap { offset });
            }
            end = edit.end();
        }
        Ok(Self {
            edits,
            notes: Vec::new(),
        })
    }

    /// The edits, ordered by offset. None of them touches a byte that it does
    /// not change.
    #[must_use]
    pub fn edits(&self) -> &[Edit] {
        &self.edits
    }

    /// What the plan did not do although the policy asked for it, and why.
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// The smallest range of the file that covers all edits: offset and length
    /// in bytes.
    #[must_use]
    pub fn span(&self) -> (u64, u64) {
        let start = self.edits.first().map_or(0, |edit| edit.offset);
        let end = self.edits.last().map_or(start, Edit::end);
        (start, end - start)
    }

    /// The patch that undoes this one byte for byte.
    #[must_use]
    pub fn inverse(&self) -> Self {
        Self {
            edits: self.edits.iter().map(Edit::inverse).collect(),
            notes: Vec::new(),
        }
    }

    /// Compares the bytes under the edits with both sides of them.
    ///
    /// # Errors
    ///
    /// [`Error::Read`] where the source fails. A source that ends before the
    /// edits is [`State::Foreign`].
    pub fn state<T: ReadAt + ?Sized>(&self, target: &T) -> Result<State, Error> {
        let (start, len) = self.span();
        let size = target.size().map_err(|source| Error::Size { source })?;
        if size < start + len {
            return Ok(State::Foreign);
        }
        let bytes = self.read_span(target)?;
        let (mut old, mut new) = (0, 0);
        for edit in &self.edits {
            let found = edit.of_span(&bytes, start);
            if found == edit.old {
                old += 1;
            } else if found == edit.new {
                new += 1;
            } else {
                return Ok(State::Foreign);
            }
        }
        Ok(match (old, new) {
            (_, 0) => State::Old,
            (0, _) => State::New,
            _ => State::Mixed,
        })
    }

    /// Checks that every edit finds its old bytes, writes the smallest span that
    /// covers all of them at once, and reads it back.
    ///
    /// # Errors
    ///
    /// [`Error::OldBytes`] before anything is written; [`Error::Read`] and
    /// [`Error::Write`] where the target fails; [`Error::ReadBack`] if it does
    /// not hold what was written.
    pub fn apply<T: ReadAt + WriteAt + ?Sized>(&self, target: &mut T) -> Result<(), Error> {
        let (start, _) = self.span();
        let mut bytes = self.read_span(target)?;
        for edit in &self.edits {
            let found = edit.of_span(&bytes, start);
            if found != edit.old {
                return Err(Error::OldBytes {
                    offset: edit.offset,
                    expected: edit.old.clone(),
                    found: found.to_vec(),
                });
            }
        }
        for edit in &self.edits {
            edit.write_to_span(&mut bytes, start);
        }
        target
            .write_all_at(start, &bytes)
            .map_err(|source| Error::Write {
                offset: start,
                len: bytes.len() as u64,
                source,
            })?;
        let back = self.read_span(target)?;
        match bytes
            .iter()
            .zip(&back)
            .position(|(wrote, read)| wrote != read)
        {
            None => Ok(()),
            Some(at) => Err(Error::ReadBack {
                offset: start + at as u64,
                expected: vec![bytes[at]],
                found: vec![back[at]],
            }),
        }
    }

    fn read_span<T: ReadAt + ?Sized>(&self, target: &T) -> Result<Vec<u8>, Error> {
        let (start, len) = self.span();
        // `from_edits` and `plan` bound the span by the size of the headers.
        let mut bytes = vec![0; crate::header::usize_of(len)];
        target
            .read_exact_at(start, &mut bytes)
            .map_err(|error| Error::read(start, bytes.len(), error))?;
        Ok(bytes)
    }
}
