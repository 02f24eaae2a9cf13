//! Writing the journal, with the lock held for the whole run.

use std::io;
use std::path::PathBuf;
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};

use super::lock::{Holder, LockWait, Locked, take};
use super::read::JOURNAL;
use super::record::{Action, Closed, EntryId, Line, Planned, Record, RunEnd, RunStart, VERSION};
use super::{RunId, now};
use crate::context::Context;
use crate::error::Error;
use crate::filesystem::Handle;

/// Where a job keeps its journal, and as whom it writes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct State {
    /// The folder to write to; created when something is written.
    pub folder: PathBuf,
    /// Other state folders, which are only read.
    pub others: Vec<PathBuf>,
    /// Who writes.
    pub holder: Holder,
    /// How long to wait for another writer.
    pub wait: LockWait,
    /// Whether the folder has to be one that administrators alone may write to.
    pub protected: bool,
}

impl State {
    /// A journal in `folder`, written by `holder`.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>, holder: Holder) -> Self {
        Self {
            folder: folder.into(),
            others: Vec::new(),
            holder,
            wait: LockWait::default(),
            protected: false,
        }
    }

    /// The same in a folder that administrators alone may write to, if `so`.
    #[must_use]
    pub fn protected(self, so: bool) -> Self {
        Self {
            protected: so,
            ..self
        }
    }

    /// The same, reading other state folders too.
    #[must_use]
    pub fn with_others(self, others: Vec<PathBuf>) -> Self {
        Self { others, ..self }
    }

    /// The same, waiting for another writer as long as `wait` says.
    #[must_use]
    pub fn waiting(self, wait: LockWait) -> Self {
        Self { wait, ..self }
    }
}

/// The journal, open for writing. Nothing is written before the first record,
/// so that a run without work leaves no trace.
pub(crate) struct Journal<'a> {
    state: &'a State,
    file: Box<dyn Handle>,
    _locked: Locked<'a>,
    action: Action,
    run: OnceLock<RunId>,
    tail: Mutex<Tail>,
    synced: Condvar,
}

/// Where the journal ends, and how much of it is durable.
struct Tail {
    end: u64,
    /// The last line has no end: a write was cut short, now or long ago.
    torn: bool,
    entries: u64,
    /// Lines written and lines known to be durable, since the journal was
    /// opened.
    written: u64,
    durable: u64,
    syncing: bool,
}

impl<'a> Journal<'a> {
    /// Takes the lock and opens the journal.
    pub(crate) fn open(
        state: &'a State,
        action: Action,
        context: &Context<'a>,
    ) -> Result<Self, Error> {
        let locked = take(state, context)?;
        let path = state.folder.join(JOURNAL);
        let failed = |source| Error::StateFolder {
            path: path.clone(),
            source,
        };
        let file = context.files.open_or_create(&path).map_err(failed)?;
        // The journal's own name has to survive as well.
        context.files.sync_folder(&state.folder).map_err(failed)?;
        let end = file.stat().map_err(failed)?.len;
        let torn = !ends_a_line(&*file, end).map_err(failed)?;
        Ok(Self {
            state,
            file,
            _locked: locked,
            action,
            run: OnceLock::new(),
            tail: Mutex::new(Tail {
                end,
                torn,
                entries: 0,
                written: 0,
                durable: 0,
                syncing: false,
            }),
            synced: Condvar::new(),
        })
    }

    /// The run, if anything was written.
    pub(crate) fn run(&self) -> Option<&RunId> {
        self.run.get()
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.state.folder.join(JOURNAL)
    }

    fn tail(&self) -> MutexGuard<'_, Tail> {
        self.tail.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Numbers a change of this run, which begins with the first one. The names
    /// of temporary files are made of that number.
    pub(crate) fn next_entry(&self) -> io::Result<EntryId> {
        let mut tail = self.tail();
        let run = if let Some(run) = self.run.get() {
            run.clone()
        } else {
            let run = RunId::new(jiff::Timestamp::now());
            let holder = &self.state.holder;
            self.append(
                &mut tail,
                Record::Run(RunStart {
                    run: run.clone(),
                    at: now(),
                    action: self.action,
                    tool: env!("CARGO_PKG_VERSION").to_owned(),
                    user: holder.user.clone(),
                    host: holder.host.clone(),
                }),
            )?;
            // The mutex is held: nobody else can have set it.
            self.run.get_or_init(|| run).clone()
        };
        let entry = tail.entries;
        tail.entries += 1;
        Ok(EntryId { run, entry })
    }

    /// Writes down a change that is about to be made. When this returns, the
    /// record is durable; several threads share one sync.
    pub(crate) fn plan(&self, planned: Planned) -> io::Result<()> {
        let line = {
            let mut tail = self.tail();
            self.append(&mut tail, Record::Planned(planned))?
        };
        self.sync_up_to(line)
    }

    /// Writes down how a change ended. It may be lost in a crash: then a later
    /// run settles the record from the bytes of the file.
    pub(crate) fn close(&self, closed: Closed) -> io::Result<()> {
        let mut tail = self.tail();
        self.append(&mut tail, Record::Closed(closed)).map(drop)
    }

    /// Ends the run, if it ever began.
    pub(crate) fn end(&self, complete: bool) -> io::Result<()> {
        let line = {
            let mut tail = self.tail();
            if let Some(run) = self.run.get().cloned() {
                let at = now();
                self.append(&mut tail, Record::End(RunEnd { run, at, complete }))?;
            }
            tail.written
        };
        self.sync_up_to(line)
    }

    fn append(&self, tail: &mut Tail, record: Record) -> io::Result<u64> {
        let line = Line { v: VERSION, record };
        let mut text = Vec::new();
        if tail.torn {
            text.push(b'\n');
        }
        serde_json::to_writer(&mut text, &line).map_err(io::Error::other)?;
        text.push(b'\n');
        if let Err(error) = self.file.write_all_at(tail.end, &text) {
            // Part of the line may be there. It stays, as any torn line does.
            tail.torn = true;
            if let Ok(stat) = self.file.stat() {
                tail.end = stat.len;
            }
            return Err(error);
        }
        tail.torn = false;
        tail.end += text.len() as u64;
        tail.written += 1;
        Ok(tail.written)
    }

    /// Waits until a line is durable. One thread syncs for all that wait.
    fn sync_up_to(&self, line: u64) -> io::Result<()> {
        let mut tail = self.tail();
        loop {
            if tail.durable >= line {
                return Ok(());
            }
            if tail.syncing {
                tail = self
                    .synced
                    .wait(tail)
                    .unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            tail.syncing = true;
            let written = tail.written;
            drop(tail);
            let result = self.file.sync();
            tail = self.tail();
            tail.syncing = false;
            if result.is_ok() {
                tail.durable = tail.durable.max(written);
            }
            self.synced.notify_all();
            result?;
        }
    }
}

fn ends_a_line(file: &dyn Handle, end: u64) -> io::Result<bool> {
    let mut last = [0];
    if end == 0 {
        return Ok(true);
    }
    crate::filesystem::read_exact(file, end - 1, &mut last)?;
    Ok(last == *b"\n")
}
