//! Putting together what is told of a file.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use fixnvpe_files::FileId;

use crate::change::{Applied, End};
use crate::collect::{Candidate, Collection};
use crate::context::Context;
use crate::options::ChangeOptions;
use crate::report::{Commit, FileResult, HoldingProcess, LeftReason, Outcome, Why, raw};

/// A result with nothing in it but the file and how it ended.
pub(crate) fn result(candidate: &Candidate, outcome: Outcome) -> FileResult {
    FileResult {
        path: candidate.path.clone(),
        path_raw: raw(&candidate.path),
        names: candidate.names.clone(),
        size: candidate.size,
        links: candidate.links,
        shared_with: Vec::new(),
        outcome,
        method: None,
        reason: None,
        retryable: false,
        holders: Vec::new(),
        edits: Vec::new(),
        commit: Commit::default(),
        notes: Vec::new(),
    }
}

/// A result of a file that was left alone.
pub(crate) fn left(candidate: &Candidate, reason: LeftReason) -> FileResult {
    FileResult {
        reason: Some(Why::Left(reason)),
        retryable: reason.is_retryable(),
        ..result(candidate, Outcome::Skipped)
    }
}

/// The result of a change that was applied, or that a dry run would apply.
pub(crate) fn applied(candidate: &Candidate, applied: &Applied, done: Outcome) -> FileResult {
    let mut result = match applied.end {
        End::Done => result(candidate, done),
        End::Left(reason) => left(candidate, reason),
        End::Failed => result(candidate, Outcome::Failed),
    };
    if let Some(first) = applied.names.first() {
        result.path.clone_from(first);
        result.path_raw = raw(first);
        result.names.clone_from(&applied.names);
    }
    result.links = applied.links.unwrap_or(result.links);
    result.method = applied.method;
    result.notes.clone_from(&applied.notes);
    result
}

/// Says of a file that was left alone because it is in use who uses it. Asking
/// takes a while, which nobody waits for who wants the job to end.
pub(crate) fn name_holders(result: &mut FileResult, context: &Context<'_>) {
    if result.reason != Some(Why::Left(LeftReason::InUse)) || context.cancel.is_cancelled() {
        return;
    }
    // Where the system does not tell, the result says less, and is as right.
    let processes = context.files.holding_processes(&result.names);
    result.holders = processes
        .unwrap_or_default()
        .into_iter()
        .map(|process| HoldingProcess {
            name: process.name,
            pid: process.id,
        })
        .collect();
}

/// Names of files outside the selection, by file.
pub(crate) struct Neighbours<'a>(HashMap<FileId, Vec<&'a Path>>);

impl<'a> Neighbours<'a> {
    pub(crate) fn of(options: &ChangeOptions<'a>) -> Self {
        let candidates = options
            .neighbours
            .map_or(&[] as &[Candidate], |known: &Collection| &known.candidates);
        let shared = candidates
            .iter()
            .filter(|candidate| candidate.links.count > 1);
        Self(
            shared
                .map(|candidate| {
                    let names = candidate.names.iter().map(PathBuf::as_path);
                    (candidate.id, names.collect())
                })
                .collect(),
        )
    }

    /// The names outside that share a candidate's file.
    pub(crate) fn sharing(&self, candidate: &Candidate) -> Vec<PathBuf> {
        let names = self.0.get(&candidate.id).map_or(&[] as &[_], Vec::as_slice);
        names
            .iter()
            .filter(|name| !candidate.names.iter().any(|own| own == *name))
            .map(|name| name.to_path_buf())
            .collect()
    }
}
