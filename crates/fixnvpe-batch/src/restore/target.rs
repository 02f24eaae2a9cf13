//! The files that the journal names.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::RestoreTarget;
use crate::collect::{Candidate, Collection, Found, group};
use crate::context::Context;
use crate::error::Error;
use crate::journal::{Action, Entry, EntryState, JournalView, RunId};
use crate::outcome;
use crate::report::{Code, Failure, FileResult, LeftReason, Links, Step};

/// The run that a target is about; none for everything.
pub(super) fn run(target: &RestoreTarget<'_>, view: &JournalView) -> Result<Option<RunId>, Error> {
    match target {
        RestoreTarget::Run(run) => {
            let known = view
                .runs
                .iter()
                .any(|log| log.start.run == *run && log.start.action == Action::Patch);
            if known {
                return Ok(Some(run.clone()));
            }
            Err(Error::NoSuchRun { run: run.clone() })
        }
        RestoreTarget::LastRun => {
            let patches = view
                .entries
                .iter()
                .filter(|entry| entry.planned.action == Action::Patch)
                .filter(|entry| matches!(entry.state, EntryState::New | EntryState::Unsettled));
            // Within a journal the order of the lines counts, between journals
            // the time, which is written in one form; `max_by_key` takes the
            // last of equals.
            let last = patches.max_by_key(|entry| &entry.planned.at);
            let run = last.map(|entry| entry.planned.id.run.clone());
            run.map(Some).ok_or(Error::NoRun)
        }
        RestoreTarget::Files(_) | RestoreTarget::Everything => Ok(None),
    }
}

/// The files of a run, or of all of them; and results for those that are gone.
pub(super) fn find(
    run: Option<&RunId>,
    view: &JournalView,
    context: &Context<'_>,
) -> (Collection, Vec<FileResult>) {
    let mut collection = Collection {
        complete: true,
        ..Collection::default()
    };
    let mut names: BTreeMap<PathBuf, Option<Found>> = BTreeMap::new();
    for entry in view.entries.iter().filter(|entry| is_about(entry, run)) {
        for name in entry.planned.paths() {
            if !names.contains_key(name) {
                let found = look(name, &mut collection.failures, context);
                names.insert(name.to_path_buf(), found);
            }
        }
    }
    let mut gone = Vec::new();
    for entry in view.entries.iter().filter(|entry| is_about(entry, run)) {
        let mut paths = entry.planned.paths();
        let there = |name| names.get(name).is_some_and(Option::is_some);
        let failed = |name| {
            collection
                .failures
                .iter()
                .any(|failure| failure.path == name)
        };
        if !paths.any(|name| there(name) || failed(name)) {
            gone.extend(gone_result(entry, &gone));
        }
    }
    context.tell_failures(&collection.failures);
    collection.candidates = group(names.into_values().flatten().collect());
    (collection, gone)
}

/// Whether a record is one to undo: of the run, or of any that still stands.
fn is_about(entry: &Entry, run: Option<&RunId>) -> bool {
    let patched = entry.planned.action == Action::Patch
        && matches!(entry.state, EntryState::New | EntryState::Unsettled);
    match run {
        Some(run) => patched && entry.planned.id.run == *run,
        None => patched && !entry.restored,
    }
}

fn gone_result(entry: &Entry, known: &[FileResult]) -> Option<FileResult> {
    let names: Vec<PathBuf> = entry.planned.paths().map(Into::into).collect();
    let path = names.first()?.clone();
    if known.iter().any(|result| result.path == path) {
        return None;
    }
    let candidate = Candidate {
        path,
        names,
        id: entry.file,
        links: Links::default(),
        named: false,
        size: entry.planned.identity.len,
    };
    Some(outcome::left(&candidate, LeftReason::NotFound))
}

fn look(path: &Path, failures: &mut Vec<Failure>, context: &Context<'_>) -> Option<Found> {
    let look = || -> std::io::Result<Found> {
        let stat = context.files.stat(path)?;
        Ok(Found {
            name: context.files.name_of(path)?,
            path: path.to_path_buf(),
            id: stat.id,
            links: stat.links,
            named: false,
            size: stat.len,
        })
    };
    match look() {
        Ok(found) => Some(found),
        Err(error) if Code::of_io(&error) == Code::NotFound => None,
        Err(error) => {
            failures.push(Failure::of_io(path, Step::Collect, &error));
            None
        }
    }
}
