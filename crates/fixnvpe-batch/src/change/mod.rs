//! Changing one file: which way, with the journal first, and never half.

mod backup;
mod bytes;
mod in_place;
mod names;
mod replace;
mod way;

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use fixnvpe_files::FileId;
use fixnvpe_pe::Edit;

use crate::collect::Candidate;
use crate::context::Context;
use crate::filesystem::{FileSystem, Handle};
use crate::journal::{
    Action, Closed, ClosedAs, EntryId, Identity, Journal, JournalPath, Planned, now,
};
use crate::options::ChangeOptions;
use crate::report::{Code, Failure, LeftReason, Links, Method, Step};

pub(crate) use backup::{backup_of, same_content, same_from};
pub(crate) use bytes::{Side, lay, put};
use names::Target;
use way::Way;

/// A change of a file, planned from its bytes.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) action: Action,
    /// The file as it was judged.
    pub(crate) id: FileId,
    pub(crate) modified: Option<SystemTime>,
    /// Its length and header block, before the change.
    pub(crate) identity: Identity,
    pub(crate) edits: Vec<Edit>,
    /// The records that a restore undoes.
    pub(crate) undoes: Vec<EntryId>,
    /// What told the original bytes, where no record did.
    pub(crate) source: Option<String>,
    /// The time of change that comes back with the original bytes.
    pub(crate) modified_then: Option<SystemTime>,
}

/// How a change ended.
#[derive(Debug)]
pub(crate) struct Applied {
    pub(crate) end: End,
    pub(crate) method: Option<Method>,
    pub(crate) links: Option<Links>,
    /// The names that were changed, or would have been.
    pub(crate) names: Vec<PathBuf>,
    /// What failed beside, or why the end is what it is.
    pub(crate) failures: Vec<Failure>,
    /// What is worth knowing beside.
    pub(crate) notes: Vec<String>,
    /// Whether another attempt, a moment later, may well succeed, once these
    /// files of ours can be removed.
    pub(crate) momentary: bool,
    pub(crate) leftover: Vec<PathBuf>,
}

/// How a change ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Done,
    Left(LeftReason),
    Failed,
}

/// Why a change stops before its end, with the file as it was.
#[derive(Debug)]
pub(crate) enum Stop {
    Left(Left),
    Failed(Failure),
}

/// Why a file is left alone.
#[derive(Debug)]
pub(crate) struct Left {
    pub(crate) reason: LeftReason,
    pub(crate) detail: String,
    /// Whether another attempt, a moment later, may well succeed.
    pub(crate) momentary: bool,
    /// Files of ours that could not be removed: another attempt makes more of
    /// them.
    pub(crate) leftover: Vec<PathBuf>,
}

impl Stop {
    /// A file that is left alone for a reason that stays.
    fn left(reason: LeftReason, detail: impl Into<String>) -> Self {
        Self::Left(Left {
            reason,
            detail: detail.into(),
            momentary: false,
            leftover: Vec::new(),
        })
    }

    /// The same, and the record stays open: another attempt in this run would
    /// write a second one for a file that the first one may have changed.
    fn unsettled(self) -> Self {
        match self {
            Self::Left(left) => Self::left(left.reason, left.detail),
            failed @ Self::Failed(_) => failed,
        }
    }

    /// What an I/O error means for the file: something that the caller can
    /// change, or a failure.
    fn of_io(path: &Path, step: Step, error: &std::io::Error) -> Self {
        Self::of_failure(Failure::of_io(path, step, error))
    }

    /// The same for a failure that was written down already.
    fn of_failure(failure: Failure) -> Self {
        let left = match failure.code {
            Code::InUse => LeftReason::InUse,
            Code::AccessDenied | Code::ReadOnly => LeftReason::AccessDenied,
            Code::NoSpace => LeftReason::NoSpace,
            Code::NotFound => LeftReason::NotFound,
            _ => return Self::Failed(failure),
        };
        Self::Left(Left {
            reason: left,
            momentary: failure.code.is_momentary(cfg!(windows)),
            detail: failure.message,
            leftover: Vec::new(),
        })
    }

    fn changed(path: &Path, what: &str) -> Self {
        Self::Failed(Failure::new(path, Step::Open, Code::Changed, what))
    }
}

/// What a change did beside what it was for.
#[derive(Debug, Default)]
struct Beside {
    /// The names that were changed.
    names: Vec<PathBuf>,
    failures: Vec<Failure>,
    notes: Vec<String>,
}

impl Beside {
    fn of(names: &[PathBuf]) -> Self {
        Self {
            names: names.to_vec(),
            ..Self::default()
        }
    }
}

/// Changes a file. Its names are looked up and its links counted again before
/// anything is written. Without a journal nothing is written at all: the end
/// is then what a real run would most likely come to.
pub(crate) fn apply(
    change: &Change,
    candidate: &Candidate,
    options: &ChangeOptions<'_>,
    journal: Option<&Journal<'_>>,
    context: &Context<'_>,
) -> Applied {
    let mut applied = Applied {
        end: End::Failed,
        method: None,
        links: None,
        names: Vec::new(),
        failures: Vec::new(),
        notes: Vec::new(),
        momentary: false,
        leftover: Vec::new(),
    };
    let ended = steps(change, candidate, options, journal, context, &mut applied);
    match ended {
        Ok(beside) => {
            applied.end = End::Done;
            applied.names = beside.names;
            applied.failures.extend(beside.failures);
            applied.notes.extend(beside.notes);
        }
        Err(Stop::Left(left)) => {
            applied.end = End::Left(left.reason);
            applied.momentary = left.momentary;
            applied.leftover = left.leftover;
            let detail = Some(left.detail).filter(|detail| !detail.is_empty());
            applied.notes.extend(detail);
        }
        Err(Stop::Failed(failure)) => applied.failures.push(failure),
    }
    applied
}

fn steps(
    change: &Change,
    candidate: &Candidate,
    options: &ChangeOptions<'_>,
    journal: Option<&Journal<'_>>,
    context: &Context<'_>,
    applied: &mut Applied,
) -> Result<Beside, Stop> {
    let target = names::look_up(change, candidate, context.files)?;
    applied.links = Some(target.links());
    applied.names.clone_from(&target.names);
    applied.failures.extend(target.lost.iter().cloned());
    let way = way::find(change, &target, options, context.files)?;
    applied.method = Some(way.method(&target));
    let Some(journal) = journal else {
        return Ok(Beside::of(&target.names));
    };
    let job = Job {
        change,
        target: &target,
        options,
        journal,
        context,
    };
    match way {
        Way::InPlace { open, forced } => in_place::apply(job, open, forced),
        Way::Replace { aside, forced } => replace::apply(job, aside, forced),
    }
}

/// A change on its way: what is to be done, to what, and how.
#[derive(Clone, Copy)]
struct Job<'a> {
    change: &'a Change,
    target: &'a Target,
    options: &'a ChangeOptions<'a>,
    journal: &'a Journal<'a>,
    context: &'a Context<'a>,
}

impl Job<'_> {
    fn files(&self) -> &dyn FileSystem {
        self.context.files
    }

    /// The record of this change, with no paths but the names yet.
    fn planned(&self, id: EntryId, method: Method, forced: bool) -> Planned {
        let change = self.change;
        Planned {
            id,
            at: now(),
            action: change.action,
            method,
            names: journal_paths(&self.target.names),
            file: change.id,
            identity: change.identity.clone(),
            edits: change.edits.clone(),
            modified: change.modified.and_then(nanoseconds),
            forced,
            temporary: Vec::new(),
            aside: Vec::new(),
            backup: Vec::new(),
            undoes: change.undoes.clone(),
            source: change.source.clone(),
        }
    }

    /// Writes the record down. If that fails, nothing of the file has changed.
    fn plan(&self, planned: Planned) -> Result<(), Stop> {
        let id = planned.id.clone();
        self.journal.plan(planned).map_err(|error| {
            // Part of it may be in the journal: say that nothing came of it.
            let _ = self.close(id, ClosedAs::Old);
            self.journal_stop(&error)
        })
    }

    fn journal_stop(&self, error: &io::Error) -> Stop {
        let path = self.journal.path();
        match Stop::of_io(&path, Step::Journal, error) {
            // Only a full disk is the same thing for the journal as for a file.
            stop @ Stop::Left(Left {
                reason: LeftReason::NoSpace,
                ..
            }) => stop,
            _ => Stop::Failed(Failure::of_io(&path, Step::Journal, error)),
        }
    }

    fn close(&self, id: EntryId, state: ClosedAs) -> io::Result<()> {
        self.journal.close(Closed::new(id, state))
    }

    /// Checks that an open file is the one that was judged, byte for byte in
    /// its header block.
    fn check(&self, path: &Path, file: &dyn Handle) -> Result<(), Stop> {
        way::check(self.change, self.target, path, file)
    }
}

fn journal_paths(paths: &[PathBuf]) -> Vec<JournalPath> {
    paths.iter().cloned().map(JournalPath).collect()
}

/// A time as nanoseconds since 1970, where they fit.
fn nanoseconds(time: SystemTime) -> Option<i64> {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    i64::try_from(since.as_nanos()).ok()
}

/// The time that [`nanoseconds`] wrote down.
pub(crate) fn time(nanoseconds: i64) -> Option<SystemTime> {
    let since = Duration::from_nanos(u64::try_from(nanoseconds).ok()?);
    SystemTime::UNIX_EPOCH.checked_add(since)
}
