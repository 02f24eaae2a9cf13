//! What the journals say, put together: every record with what became of it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use fixnvpe_files::FileId;

use super::read::{BadLine, JOURNAL, read};
use super::record::{Action, Closed, ClosedAs, EntryId, Planned, Record, RunStart};
use super::{Reading, RunId, System};
use crate::error::Error;
use crate::filesystem::FileSystem;
use crate::report::{Method, chain};

/// What became of a planned change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EntryState {
    /// Nobody knows: a run ended before it said so.
    Unsettled,
    /// The new bytes are there.
    New,
    /// The old bytes are there.
    Old,
    /// Another file stands there.
    Stale,
}

/// A planned change and what became of it.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) planned: Planned,
    pub(crate) state: EntryState,
    /// The names that have the new bytes, as far as the journal knows: those of
    /// the record, less those that a later restore took back.
    pub(crate) names: Vec<PathBuf>,
    /// The file that has the new bytes.
    pub(crate) file: FileId,
    pub(crate) leftover: Vec<PathBuf>,
    /// Whether it stands in the folder that this process may write to.
    pub(crate) own: bool,
    pub(crate) restored: bool,
}

impl Entry {
    /// Whether the journal says that some name has this patch's bytes.
    pub(crate) fn is_live(&self) -> bool {
        self.planned.action == Action::Patch && self.state == EntryState::New && !self.restored
    }
}

/// A run, as it began and ended.
#[derive(Clone, Debug)]
pub(crate) struct RunLog {
    pub(crate) start: RunStart,
    /// Whether it went through; `None` where it never said so.
    pub(crate) complete: Option<bool>,
}

/// What the journals of one or more state folders say. Reading needs no lock.
#[derive(Debug, Default)]
pub struct JournalView {
    pub(crate) runs: Vec<RunLog>,
    pub(crate) entries: Vec<Entry>,
    bad: Vec<BadLine>,
    index: HashMap<EntryId, usize>,
    by_len: HashMap<u64, Vec<usize>>,
    by_path: HashMap<PathBuf, Vec<usize>>,
    unsettled: Vec<usize>,
    /// Whether paths that differ in case alone are one (Windows).
    ignores_case: bool,
}

impl JournalView {
    /// Reads the journals of state folders: the first is the caller's own, the
    /// others are only read. A folder without a journal says nothing.
    ///
    /// # Errors
    ///
    /// [`Error::ReadJournal`] where the own journal is there and cannot be read.
    /// Another one that cannot, and lines that are not understood, are no error:
    /// see [`bad_lines`](JournalView::bad_lines).
    pub fn read(
        own: Option<&Path>,
        others: &[PathBuf],
        files: &dyn FileSystem,
    ) -> Result<Self, Error> {
        Self::read_on(System::this(), own, others, files)
    }

    /// The same by the rules of a system.
    pub(crate) fn read_on(
        system: System,
        own: Option<&Path>,
        others: &[PathBuf],
        files: &dyn FileSystem,
    ) -> Result<Self, Error> {
        let mut view = Self {
            ignores_case: system == System::Windows,
            ..Self::default()
        };
        let own = own.map(|folder| (folder, true));
        let others = others.iter().map(|folder| (folder.as_path(), false));
        for (folder, own) in own.into_iter().chain(others) {
            let lines = match read(folder, files) {
                Ok(lines) => lines,
                Err(error) if !own => {
                    view.bad.push(BadLine {
                        journal: folder.join(JOURNAL),
                        line: 0,
                        what: chain(&error),
                    });
                    continue;
                }
                Err(source) => {
                    let path = folder.join(JOURNAL);
                    return Err(Error::ReadJournal { path, source });
                }
            };
            view.bad.extend(lines.bad);
            for record in lines.records {
                view.take(record, own);
            }
        }
        view.link();
        Ok(view)
    }

    /// Lines that were not understood, such as one that a power cut tore.
    #[must_use]
    pub fn bad_lines(&self) -> &[BadLine] {
        &self.bad
    }

    /// The first names of files that a run left unsettled.
    pub fn unsettled(&self) -> impl Iterator<Item = &Path> {
        self.unsettled_entries()
            .filter_map(|entry| entry.planned.paths().next())
    }

    pub(crate) fn unsettled_entries(&self) -> impl Iterator<Item = &Entry> {
        self.unsettled.iter().map(|&index| &self.entries[index])
    }

    fn take(&mut self, record: Record, own: bool) {
        match record {
            Record::Run(start) => self.runs.push(RunLog {
                start,
                complete: None,
            }),
            Record::Planned(planned) => self.plan(planned, own),
            Record::Closed(closed) => self.close(closed),
            Record::End(end) => {
                let run = self.runs.iter_mut().rfind(|run| run.start.run == end.run);
                if let Some(run) = run {
                    run.complete = Some(end.complete);
                }
            }
        }
    }

    fn plan(&mut self, planned: Planned, own: bool) {
        // A second record of the same number would be somebody's edit of the
        // journal; the first one stands.
        if self.index.contains_key(&planned.id) {
            return;
        }
        self.index.insert(planned.id.clone(), self.entries.len());
        self.entries.push(Entry {
            state: EntryState::Unsettled,
            names: planned.paths().map(Path::to_path_buf).collect(),
            file: planned.file,
            leftover: Vec::new(),
            own,
            restored: false,
            planned,
        });
    }

    fn close(&mut self, closed: Closed) {
        let Some(&index) = self.index.get(&closed.id) else {
            return;
        };
        let entry = &mut self.entries[index];
        entry.state = match closed.state {
            ClosedAs::New => EntryState::New,
            ClosedAs::Old => EntryState::Old,
            ClosedAs::Stale => EntryState::Stale,
        };
        if let Some(names) = closed.names {
            entry.names = names.into_iter().map(|name| name.0).collect();
        }
        if let Some(file) = closed.file {
            entry.file = file;
        }
        entry.leftover = closed.leftover.into_iter().map(|path| path.0).collect();
    }

    /// Applies what restores took back, and builds the indexes.
    fn link(&mut self) {
        for index in 0..self.entries.len() {
            let restore = &self.entries[index];
            if restore.planned.action != Action::Restore || restore.state != EntryState::New {
                continue;
            }
            let (undoes, names) = (restore.planned.undoes.clone(), restore.names.clone());
            let in_place = restore.planned.method == Method::InPlace;
            let file = restore.planned.file;
            for id in undoes {
                let Some(&undone) = self.index.get(&id) else {
                    continue;
                };
                let entry = &mut self.entries[undone];
                // In place all names of the file have the old bytes again.
                let all = in_place && entry.file == file;
                let ignores_case = self.ignores_case;
                let back = |name: &PathBuf| {
                    let mut names = names.iter();
                    names.any(|one| key(ignores_case, one) == key(ignores_case, name))
                };
                entry.names.retain(|name| !all && !back(name));
                entry.restored = entry.names.is_empty();
            }
        }
        for (index, entry) in self.entries.iter().enumerate() {
            let planned = &entry.planned;
            if entry.state == EntryState::Unsettled {
                self.unsettled.push(index);
            }
            if planned.action != Action::Patch {
                continue;
            }
            self.by_len
                .entry(planned.identity.len)
                .or_default()
                .push(index);
            for name in planned.paths() {
                self.by_path
                    .entry(key(self.ignores_case, name))
                    .or_default()
                    .push(index);
            }
        }
    }

    /// The patches that may be about a file of this length: first those of this
    /// file or one of its names, then those of others, since a copy of a patched
    /// file is patched as well; each newest first.
    pub(crate) fn about(&self, len: u64, id: FileId, names: &[PathBuf]) -> Vec<&Entry> {
        let mut about: Vec<&Entry> = self.newest(self.by_len.get(&len)).collect();
        about.retain(|entry| entry.state != EntryState::Stale);
        about.sort_by_key(|entry| {
            let mut paths = entry.planned.paths();
            entry.file != id && !paths.any(|path| self.has(names, path))
        });
        about
    }

    /// The patches of files that had this name, newest first.
    pub(crate) fn of_path(&self, path: &Path) -> impl Iterator<Item = &Entry> {
        self.newest(self.by_path.get(&key(self.ignores_case, path)))
    }

    fn newest<'a>(&'a self, indexes: Option<&'a Vec<usize>>) -> impl Iterator<Item = &'a Entry> {
        let indexes = indexes.map_or(&[] as &[usize], Vec::as_slice);
        indexes.iter().rev().map(|&index| &self.entries[index])
    }

    /// Whether a run left a file unsettled, by identity or by one of its names.
    /// What a real run would settle first does not count in a dry one.
    pub(crate) fn is_unsettled(&self, id: FileId, names: &[PathBuf], dry_run: bool) -> bool {
        let mut left = self
            .unsettled_entries()
            .filter(|entry| !(dry_run && entry.own));
        left.any(|entry| {
            let mut paths = entry.planned.paths();
            entry.file == id || paths.any(|path| self.has(names, path))
        })
    }

    /// Whether a path is one of these names, as the system compares them.
    pub(crate) fn has(&self, names: &[PathBuf], path: &Path) -> bool {
        let path = key(self.ignores_case, path);
        let mut names = names.iter();
        names.any(|name| key(self.ignores_case, name) == path)
    }

    /// The run that made a file read-only, for a file whose patched header
    /// block is `header`.
    pub(crate) fn patched_in(
        &self,
        len: u64,
        header: &[u8],
        id: FileId,
        names: &[PathBuf],
    ) -> Option<&RunId> {
        self.about(len, id, names)
            .into_iter()
            .find(|entry| {
                let identity = &entry.planned.identity;
                let block = usize::try_from(identity.header_len)
                    .ok()
                    .and_then(|len| header.get(..len));
                block.and_then(|block| identity.reading(block, &entry.planned.edits))
                    == Some(Reading::New)
            })
            .map(|entry| &entry.planned.id.run)
    }
}

/// A path in the form in which equal ones are equal.
fn key(ignores_case: bool, path: &Path) -> PathBuf {
    if ignores_case {
        fixnvpe_files::folded_path(path)
    } else {
        path.to_path_buf()
    }
}
