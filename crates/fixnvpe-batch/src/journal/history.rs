//! What was done, by run.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{Action, Entry, EntryState, JournalView, RunId};
use crate::report::{Method, path_text, path_texts, raw};

/// What became of a file of a run, as the journal tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum HistoryState {
    /// It was changed.
    Done,
    /// It was changed, and a later run took that back.
    Restored,
    /// It was not changed after all.
    Undone,
    /// The run ended before it said; the next patch or restore will settle it.
    Unsettled,
    /// Another file stands there now.
    Stale,
}

/// One file of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct HistoryEntry {
    /// The first of its names.
    #[serde(with = "path_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub path: PathBuf,
    /// The exact path, where it is not Unicode.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path_raw: Option<String>,
    /// Every name that the run was about.
    #[serde(with = "path_texts")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub names: Vec<PathBuf>,
    /// How it was changed.
    pub method: Method,
    /// What became of it.
    pub state: HistoryState,
}

/// One run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Run {
    /// Its id.
    pub run: RunId,
    /// When it began, RFC 3339.
    pub started: String,
    /// What it did.
    pub action: Action,
    /// The version of the program.
    pub tool: String,
    /// Who ran it.
    pub user: String,
    /// Where.
    pub host: String,
    /// Whether it went through; none where it never said so.
    pub complete: Option<bool>,
    /// How many files it changed, whatever became of them since.
    pub changed: u64,
    /// How many of them still have what it wrote, as far as the journal knows.
    pub standing: u64,
    /// Its files.
    pub files: Vec<HistoryEntry>,
}

/// Tells what was done, oldest run first. No file but the journal is read.
#[must_use]
pub fn history(journal: &JournalView) -> Vec<Run> {
    let mut runs: Vec<Run> = journal
        .runs
        .iter()
        .map(|log| Run {
            run: log.start.run.clone(),
            started: log.start.at.clone(),
            action: log.start.action,
            tool: log.start.tool.clone(),
            user: log.start.user.clone(),
            host: log.start.host.clone(),
            complete: log.complete,
            changed: 0,
            standing: 0,
            files: Vec::new(),
        })
        .collect();
    // Journals of several folders are read one after the other; the sort is
    // stable, so that the order within a journal stays.
    runs.sort_by(|a, b| a.started.cmp(&b.started));
    for entry in &journal.entries {
        let run = runs.iter_mut().find(|run| run.run == entry.planned.id.run);
        if let Some(run) = run {
            let file = describe(entry);
            let changed = matches!(file.state, HistoryState::Done | HistoryState::Restored);
            run.changed += u64::from(changed);
            run.standing += u64::from(file.state == HistoryState::Done);
            run.files.push(file);
        }
    }
    runs
}

fn describe(entry: &Entry) -> HistoryEntry {
    let names: Vec<PathBuf> = entry.planned.paths().map(Into::into).collect();
    let path = names.first().cloned().unwrap_or_default();
    HistoryEntry {
        path_raw: raw(&path),
        path,
        names,
        method: entry.planned.method,
        state: match entry.state {
            EntryState::Unsettled => HistoryState::Unsettled,
            EntryState::New if entry.restored => HistoryState::Restored,
            EntryState::New => HistoryState::Done,
            EntryState::Old => HistoryState::Undone,
            EntryState::Stale => HistoryState::Stale,
        },
    }
}
