//! What patching and restoring have in common: judge every file without a
//! lock, then change those that need it, with the journal open.

mod passes;

use std::collections::BTreeMap;

use crate::change::Change;
use crate::collect::{Candidate, Collection};
use crate::context::Context;
use crate::error::Error;
use crate::journal::{Action, JournalView, RunId};
use crate::judge::NotImage;
use crate::options::ChangeOptions;
use crate::report::{Commit, Failure, FileResult, SameBase, Skipped};
use crate::scan::journal_skips;
use crate::session::Session;

use passes::{Passes, Waiting};

/// What a file asks for, judged from its bytes.
pub(crate) enum Verdict<'a> {
    /// Nothing to say.
    Nothing,
    Skipped(Skipped),
    Failed(Failure),
    /// The end, with nothing to write.
    Ended(Box<FileResult>, Option<Failure>),
    Planned(Box<Planned<'a>>),
}

impl Verdict<'_> {
    /// The verdict on a file that is no image; `refused` makes the result of one
    /// that starts like an image and is none.
    pub(crate) fn of_not_image(not: NotImage, refused: impl FnOnce() -> FileResult) -> Self {
        match not {
            NotImage::Silent => Self::Nothing,
            NotImage::Vanished(skipped) => Self::Skipped(skipped),
            NotImage::Failed(failure) => Self::Failed(failure),
            NotImage::Malformed(failure) => Self::Ended(Box::new(refused()), Some(failure)),
        }
    }
}

/// A file with a change to make.
pub(crate) struct Planned<'a> {
    pub(crate) candidate: &'a Candidate,
    pub(crate) change: Change,
    pub(crate) commit: Commit,
    pub(crate) notes: Vec<String>,
    /// The preferred base, where ASLR is cleared.
    pub(crate) cleared_base: Option<u64>,
}

/// What a job did.
#[derive(Default)]
pub(crate) struct Ran {
    pub(crate) run: Option<RunId>,
    pub(crate) results: Vec<FileResult>,
    pub(crate) same_base: Vec<SameBase>,
    pub(crate) skipped: Vec<Skipped>,
    pub(crate) failures: Vec<Failure>,
    pub(crate) complete: bool,
}

/// Runs a job: `judge` on every file, then the changes that it planned.
pub(crate) fn run<'a>(
    collection: &'a Collection,
    judge: impl Fn(&'a Candidate, &JournalView) -> Verdict<'a> + Sync,
    action: Action,
    options: &ChangeOptions<'_>,
    mut session: Session<'_>,
    context: &Context<'_>,
) -> Result<Ran, Error> {
    let mut ran = Ran {
        skipped: collection.skipped.clone(),
        failures: collection.failures.clone(),
        complete: collection.complete,
        ..Ran::default()
    };
    let files = collection.candidates.iter().map(Waiting::to_be_judged);
    let passes = Passes {
        judge,
        action,
        options,
        session: &mut session,
        context,
        ran: &mut ran,
        bases: BTreeMap::new(),
    };
    passes.run(files.collect())?;
    ran.skipped.extend(journal_skips(&session.view, context));
    let journal = session.journal.as_ref();
    ran.run = journal.and_then(|journal| journal.run().cloned());
    ran.failures.extend(session.end(ran.complete));
    ran.results.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(ran)
}
