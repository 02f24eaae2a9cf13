//! What the journal knows of a file: the bytes before one patch, or before
//! several on top of each other.

use std::path::PathBuf;
use std::time::SystemTime;

use fixnvpe_files::FileId;
use fixnvpe_pe::Image;

use crate::change::time;
use crate::filesystem::Source;
use crate::journal::{Entry, EntryId, JournalView, Reading, RunId};
use crate::original::Fields;

/// What the journal knows of a file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// It was patched, and this was its header block before.
    Was(Was),
    /// It was patched, and has its old bytes again.
    Original,
    /// It was patched again by a later run, which has to be undone first.
    PatchedLater,
    /// Another file of this name was patched.
    Stale,
    /// Nothing.
    Nothing,
}

/// A header block from before, and what led to it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Was {
    pub(crate) header: Vec<u8>,
    pub(crate) undoes: Vec<EntryId>,
    pub(crate) modified: Option<SystemTime>,
}

/// Asks the journal about an open image, known by these names. With a run, only
/// that run is undone.
pub(crate) fn look_up(
    view: &JournalView,
    image: &Image<Source<'_>>,
    id: FileId,
    names: &[PathBuf],
    run: Option<&RunId>,
) -> Known {
    let (header, fields) = (image.header(), &Fields::of(image));
    let about = view.about(image.len(), id, names);
    let wanted = |entry: &Entry| run.is_none_or(|run| entry.planned.id.run == *run);
    let mut asked = about.iter().copied().filter(|entry| wanted(entry));
    let was = undo(&asked.clone(), header, fields);
    if !was.undoes.is_empty() {
        return Known::Was(was);
    }
    if asked.any(|entry| reading(entry, header) == Some(Reading::Old)) {
        return Known::Original;
    }
    if run.is_some() {
        let all = undo(&about.iter().copied(), header, fields);
        let reached = about
            .iter()
            .filter(|entry| wanted(entry))
            .any(|entry| all.undoes.contains(&entry.planned.id));
        if reached {
            return Known::PatchedLater;
        }
    }
    let by_name = names.iter().flat_map(|name| view.of_path(name));
    let stale = by_name
        .filter(|entry| wanted(entry) && entry.is_live())
        .any(|entry| entry.names.iter().any(|name| view.has(names, name)));
    if stale { Known::Stale } else { Known::Nothing }
}

/// Undoes one record after the other, as long as one fits the bytes.
fn undo<'a>(
    entries: &(impl Iterator<Item = &'a Entry> + Clone),
    header: &[u8],
    fields: &Fields,
) -> Was {
    let mut was = Was {
        header: header.to_vec(),
        undoes: Vec::new(),
        modified: None,
    };
    while let Some(entry) = entries.clone().find(|entry| {
        !was.undoes.contains(&entry.planned.id)
            && matches!(
                reading(entry, &was.header),
                Some(Reading::New | Reading::Mixed)
            )
    }) {
        let mut before = was.header.clone();
        for edit in &entry.planned.edits {
            // `reading` has found every edit within the header block.
            if let Ok(start) = usize::try_from(edit.offset)
                && let Some(place) = before.get_mut(start..start + edit.old.len())
            {
                place.copy_from_slice(&edit.old);
            }
        }
        was.undoes.push(entry.planned.id.clone());
        // Nothing but the fields of a patch is ever written on the word of a
        // journal, which may have been changed by anybody who may write to it.
        if fields.cover(header, &before) {
            was.header = before;
            was.modified = entry.planned.modified.and_then(time);
        } else {
            was.undoes.pop();
            break;
        }
    }
    was
}

fn reading(entry: &Entry, header: &[u8]) -> Option<Reading> {
    let identity = &entry.planned.identity;
    let len = usize::try_from(identity.header_len).ok()?;
    identity.reading(header.get(..len)?, &entry.planned.edits)
}
