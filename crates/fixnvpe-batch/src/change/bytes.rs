//! Writing the bytes of edits into an open file.

use std::io;

use fixnvpe_pe::Edit;

use crate::filesystem::{Handle, read_exact};
use crate::report::Step;

/// Which side of the edits to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// The bytes before the change.
    Old,
    /// The bytes after it.
    New,
}

/// What failed while bytes were written.
#[derive(Debug)]
pub(crate) struct WriteFault {
    pub(crate) step: Step,
    pub(crate) error: io::Error,
}

/// No list of edits spans more: they all lie in one header block.
const LONGEST_SPAN: u64 = 1 << 20;

/// Writes one side of all edits: reads the smallest span that covers them,
/// lays the bytes over it, writes the span, syncs, and reads it back. Bytes
/// between the edits keep the values that they had.
pub(crate) fn put(file: &dyn Handle, edits: &[Edit], side: Side) -> Result<(), WriteFault> {
    let fault = |step| move |error| WriteFault { step, error };
    let Some((start, len)) = span(edits) else {
        return Ok(());
    };
    let mut bytes = vec![0; len];
    read_exact(file, start, &mut bytes).map_err(fault(Step::Read))?;
    lay(&mut bytes, start, edits, side);
    file.write_all_at(start, &bytes)
        .map_err(fault(Step::Write))?;
    file.sync().map_err(fault(Step::Sync))?;
    let mut back = vec![0; len];
    read_exact(file, start, &mut back).map_err(fault(Step::ReadBack))?;
    if back != bytes {
        let error = io::Error::other("what was written does not read back");
        return Err(fault(Step::ReadBack)(error));
    }
    Ok(())
}

/// Lays one side of all edits over the bytes of a file from `start` on; what
/// lies outside is left out.
pub(crate) fn lay(bytes: &mut [u8], start: u64, edits: &[Edit], side: Side) {
    for edit in edits {
        let new = match side {
            Side::Old => &edit.old,
            Side::New => &edit.new,
        };
        let place = edit
            .offset
            .checked_sub(start)
            .and_then(|at| usize::try_from(at).ok())
            .and_then(|at| bytes.get_mut(at..at.checked_add(new.len())?));
        if let Some(place) = place {
            place.copy_from_slice(new);
        }
    }
}

/// The smallest range that covers all edits: file offset and length in bytes.
/// `None` where there is nothing to cover, or where a journal holds nonsense.
fn span(edits: &[Edit]) -> Option<(u64, usize)> {
    let start = edits.iter().map(|edit| edit.offset).min()?;
    let end = edits
        .iter()
        .map(|edit| {
            edit.offset
                .saturating_add(edit.new.len().max(edit.old.len()) as u64)
        })
        .max()?;
    let len = end.checked_sub(start).filter(|&len| len <= LONGEST_SPAN)?;
    Some((start, usize::try_from(len).ok()?))
}
