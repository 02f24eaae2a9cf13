//! Settling what a crash left: every record without an end gets one, from the
//! bytes of the files.
//!
//! Only a run that patches or restores does this, with the lock held. A write
//! that was cut short is completed towards the original bytes. A replacement
//! that was cut short keeps the names that have the new file already; the
//! others stay as they were, with a file that was renamed aside put back.

use std::path::{Path, PathBuf};

use super::record::{Action, Closed, ClosedAs, JournalPath, Planned};
use super::soundness::is_patch_of;
use super::write::Journal;
use super::{Entry, JournalView, Reading};
use crate::change::{Side, put};
use crate::context::Context;
use crate::filesystem::FileSystem;
use crate::observe::Event;
use crate::report::{Code, Failure, Method, Step};

/// Whether files that are of no use any more are still there.
pub(crate) fn has_leftovers(view: &JournalView, files: &dyn FileSystem) -> bool {
    leftovers(view).any(|path| files.stat(path).is_ok())
}

fn leftovers(view: &JournalView) -> impl Iterator<Item = &PathBuf> {
    view.entries
        .iter()
        .filter(|entry| entry.own)
        .flat_map(|entry| &entry.leftover)
}

/// Settles every record of the caller's own journal, and removes leftovers.
/// What cannot be settled now is a failure and stays for a later run.
pub(crate) fn settle(
    view: &JournalView,
    journal: &Journal<'_>,
    context: &Context<'_>,
) -> Vec<Failure> {
    let mut failures = Vec::new();
    for entry in view.unsettled_entries().filter(|entry| entry.own) {
        let path = entry.planned.paths().next().unwrap_or(Path::new(""));
        match settle_one(entry, context.files) {
            Ok(closed) => {
                context.tell(&Event::Settled(path));
                if let Err(error) = journal.close(closed) {
                    failures.push(Failure::of_io(path, Step::Journal, &error));
                }
            }
            Err(failure) => failures.push(failure),
        }
    }
    for path in leftovers(view) {
        // Most often the process that had it mapped has ended since. If not,
        // the next run tries again.
        let _ = context.files.remove(path);
    }
    failures
}

fn settle_one(entry: &Entry, files: &dyn FileSystem) -> Result<Closed, Failure> {
    let planned = &entry.planned;
    let (state, names, leftover) = match planned.method {
        Method::InPlace => (in_place(planned, files)?, None, Vec::new()),
        _ => replaced(planned, files)?,
    };
    if state != ClosedAs::New {
        // The backups of a change that did not happen are half-written copies
        // of a file that is as it was.
        for backup in &planned.backup {
            let _ = files.remove(&backup.0);
        }
    }
    let mut closed = Closed::new(planned.id.clone(), state);
    closed.names = names;
    closed.leftover = leftover;
    Ok(closed)
}

/// Settles an edit of the file itself. The file is known by its content alone:
/// device numbers, and with them file ids, may change with a reboot.
fn in_place(planned: &Planned, files: &dyn FileSystem) -> Result<ClosedAs, Failure> {
    for path in planned.paths() {
        let Some(reading) = read(path, planned, files)? else {
            continue;
        };
        let failed = |error| Failure::of_io(path, Step::Settle, &error);
        let state = match reading {
            Reading::Old => ClosedAs::Old,
            Reading::New => ClosedAs::New,
            Reading::Mixed => complete(path, planned, files)?,
        };
        if planned.forced {
            files.set_read_only(path, true).map_err(failed)?;
        }
        return Ok(state);
    }
    Ok(ClosedAs::Stale)
}

/// Completes a write that was cut short, towards the original bytes.
fn complete(path: &Path, planned: &Planned, files: &dyn FileSystem) -> Result<ClosedAs, Failure> {
    let failed = |error| Failure::of_io(path, Step::Settle, &error);
    if planned.forced {
        files.set_read_only(path, false).map_err(failed)?;
    }
    let file = files.open_exclusive(path).map_err(failed)?;
    let reading = planned.identity.read(&*file, &planned.edits);
    if reading.map_err(failed)? != Some(Reading::Mixed) {
        let what = "the file changed while it was settled";
        return Err(Failure::new(path, Step::Settle, Code::Changed, what));
    }
    if !is_patch_of(planned, &*file) {
        return Ok(ClosedAs::Stale);
    }
    let (side, state) = match planned.action {
        Action::Patch => (Side::Old, ClosedAs::Old),
        Action::Restore => (Side::New, ClosedAs::New),
    };
    put(&*file, &planned.edits, side).map_err(|fault| failed(fault.error))?;
    Ok(state)
}

/// The end of a replacement, the names that have the new file if they are not
/// all, and what could not be removed.
type Replaced = (ClosedAs, Option<Vec<JournalPath>>, Vec<JournalPath>);

fn replaced(planned: &Planned, files: &dyn FileSystem) -> Result<Replaced, Failure> {
    let (mut new, mut leftover, mut known) = (Vec::new(), Vec::new(), false);
    for (index, name) in planned.names.iter().enumerate() {
        let aside = planned.aside.get(index);
        if let Some(aside) = aside {
            put_back(&aside.0, &name.0, planned, files)?;
        }
        match read(&name.0, planned, files)? {
            Some(Reading::New) => new.push(name.clone()),
            Some(_) => known = true,
            None => {}
        }
        let temporary = planned.temporary.get(index);
        for path in temporary.into_iter().chain(aside) {
            if !remove(&path.0, files) {
                leftover.push(path.clone());
            }
        }
        // What is removed must not come back once the record is closed.
        if let Some(folder) = name.0.parent() {
            let _ = files.sync_folder(folder);
        }
    }
    if new.is_empty() {
        let state = if known {
            ClosedAs::Old
        } else {
            ClosedAs::Stale
        };
        return Ok((state, None, leftover));
    }
    let names = (new.len() < planned.names.len()).then_some(new);
    Ok((ClosedAs::New, names, leftover))
}

/// Moves a file that was renamed aside back, where its name is missing.
fn put_back(
    aside: &Path,
    name: &Path,
    planned: &Planned,
    files: &dyn FileSystem,
) -> Result<(), Failure> {
    let failed = |error| Failure::of_io(name, Step::Settle, &error);
    if exists(name, files)? || read(aside, planned, files)?.is_none() {
        return Ok(());
    }
    files.rename(aside, name).map_err(failed)?;
    if let Some(folder) = name.parent() {
        files.sync_folder(folder).map_err(failed)?;
    }
    Ok(())
}

/// Removes a temporary or aside file; false if it is still there.
fn remove(path: &Path, files: &dyn FileSystem) -> bool {
    match files.remove(path) {
        Ok(()) => true,
        Err(error) => Code::of_io(&error) == Code::NotFound,
    }
}

fn exists(path: &Path, files: &dyn FileSystem) -> Result<bool, Failure> {
    match files.stat(path) {
        Ok(_) => Ok(true),
        Err(error) if Code::of_io(&error) == Code::NotFound => Ok(false),
        Err(error) => Err(Failure::of_io(path, Step::Settle, &error)),
    }
}

/// How much of the edits is done at a path; `None` where another file or none
/// is there.
fn read(
    path: &Path,
    planned: &Planned,
    files: &dyn FileSystem,
) -> Result<Option<Reading>, Failure> {
    let reading = match files.open_read(path) {
        Ok(file) => planned.identity.read(&*file, &planned.edits),
        Err(error) if Code::of_io(&error) == Code::NotFound => return Ok(None),
        Err(error) => Err(error),
    };
    reading.map_err(|error| Failure::of_io(path, Step::Settle, &error))
}
