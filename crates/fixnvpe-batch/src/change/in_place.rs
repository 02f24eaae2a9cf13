//! Changing a few bytes of the file itself.

use std::path::PathBuf;

use super::{Beside, Job, Side, Stop, backup, journal_paths, put};
use crate::filesystem::Handle;
use crate::journal::ClosedAs;
use crate::options::Backup;
use crate::report::{Failure, Method, Step};

/// Changes the file: the record first, the old bytes checked again, the
/// smallest span written, synced and read back.
pub(super) fn apply(
    job: Job<'_>,
    open: Option<Box<dyn Handle>>,
    forced: bool,
) -> Result<Beside, Stop> {
    let files = job.files();
    let backups = match job.options.backup {
        Backup::Copy => backup::missing(job.target, files)?,
        Backup::None => Vec::new(),
    };
    let id = job
        .journal
        .next_entry()
        .map_err(|error| job.journal_stop(&error))?;
    let mut planned = job.planned(id.clone(), Method::InPlace, forced);
    let copies: Vec<_> = backups.iter().map(|(_, to)| to.clone()).collect();
    planned.backup = journal_paths(&copies);
    job.plan(planned)?;

    let mut beside = Beside::of(&job.target.names);
    let written = write(job, open, forced, &backups);
    let path = job.target.path();
    // Where this fails, the record stays open, and settling tries again.
    let attribute = if forced {
        files.set_read_only(path, true)
    } else {
        Ok(())
    };
    let (mut closed, mut settled) = (Ok(()), false);
    match (&attribute, &written) {
        (Ok(()), Ok(())) => closed = job.close(id, ClosedAs::New),
        (Ok(()), Err((_, Undone::Yes))) => {
            backup::unmake(&backups, files);
            // As above.
            settled = job.close(id, ClosedAs::Old).is_ok();
        }
        _ => {}
    }
    if let Err(error) = attribute {
        let failure = Failure::of_io(path, Step::Attributes, &error);
        beside.failures.push(failure);
    }
    if let Err(error) = closed {
        let journal = job.journal.path();
        let failure = Failure::of_io(&journal, Step::Journal, &error);
        beside.failures.push(failure);
    }
    match written {
        Ok(()) => Ok(beside),
        Err((stop, _)) if settled => Err(stop),
        Err((stop, _)) => Err(stop.unsettled()),
    }
}

/// Whether a change that failed left the file as it was.
enum Undone {
    Yes,
    Unknown,
}

fn write(
    job: Job<'_>,
    open: Option<Box<dyn Handle>>,
    forced: bool,
    backups: &[(PathBuf, PathBuf)],
) -> Result<(), (Stop, Undone)> {
    let (files, path, change) = (job.files(), job.target.path(), job.change);
    let undone = |stop| (stop, Undone::Yes);
    let file = if forced || !backups.is_empty() {
        // A copy reads the file, which on Windows needs it not to be open for
        // writing here.
        drop(open);
        backup::make(backups, forced, files).map_err(undone)?;
        if forced {
            files
                .set_read_only(path, false)
                .map_err(|error| undone(Stop::of_io(path, Step::Attributes, &error)))?;
        }
        None
    } else {
        open
    };
    let file = match file {
        Some(file) => file,
        None => files
            .open_exclusive(path)
            .map_err(|error| undone(Stop::of_io(path, Step::Open, &error)))?,
    };
    job.check(path, &*file).map_err(undone)?;
    if let Err(fault) = put(&*file, &change.edits, Side::New) {
        let stop = Stop::of_io(path, fault.step, &fault.error);
        // Back to the old bytes, if the disk still takes any.
        if put(&*file, &change.edits, Side::Old).is_err() {
            return Err((stop, Undone::Unknown));
        }
        // The same bytes, so the same time; with another one the next attempt
        // would take it for another file.
        let same = change.modified.map(|time| file.set_modified(time));
        return Err(match same {
            None | Some(Ok(())) => undone(stop),
            Some(Err(_)) => undone(stop.unsettled()),
        });
    }
    if let Some(then) = change.modified_then {
        // The original bytes are back, and with them their time: a backup
        // program that compares times sees what it saw before the patch. It is
        // no failure if the time cannot be set.
        let _ = file.set_modified(then);
    }
    Ok(())
}
