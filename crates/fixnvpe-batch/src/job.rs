//! What patching and restoring have in common: judge every file without a
//! lock, then change those that need it, with the journal open.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::change::{self, Change, End};
use crate::collect::{Candidate, Collection};
use crate::context::Context;
use crate::error::Error;
use crate::journal::{Action, JournalView, RunId};
use crate::judge::NotImage;
use crate::observe::Event;
use crate::options::ChangeOptions;
use crate::outcome::{self, Neighbours};
use crate::report::{Commit, Failure, FileResult, Outcome, SameBase, Skipped};
use crate::scan::journal_skips;
use crate::session::Session;
use crate::stage;

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
    let files = collection.candidates.len() as u64;
    context.tell(&Event::Stage { files, bytes: 0 });
    let (verdicts, judged_all) = stage::run(
        &collection.candidates,
        |candidate| &candidate.path,
        context,
        |candidate| {
            let verdict = judge(candidate, &session.view);
            tell(&verdict, action, context);
            verdict
        },
    );
    let mut ran = Ran {
        skipped: collection.skipped.clone(),
        failures: collection.failures.clone(),
        ..Ran::default()
    };
    let mut planned = Vec::new();
    for verdict in verdicts {
        match verdict {
            Verdict::Nothing => {}
            Verdict::Skipped(skipped) => ran.skipped.push(skipped),
            Verdict::Failed(failure) => ran.failures.push(failure),
            Verdict::Ended(result, failure) => {
                ran.results.push(*result);
                ran.failures.extend(failure);
            }
            Verdict::Planned(one) => planned.push(*one),
        }
    }
    if !planned.is_empty() && !options.dry_run {
        session.open()?;
    }
    let applied_all = apply_all(&planned, action, options, &session, &mut ran, context);
    ran.complete = collection.complete && judged_all && applied_all;
    ran.skipped.extend(journal_skips(&session.view, context));
    let journal = session.journal.as_ref();
    ran.run = journal.and_then(|journal| journal.run().cloned());
    ran.failures.extend(session.end(ran.complete));
    ran.results.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(ran)
}

fn tell(verdict: &Verdict<'_>, action: Action, context: &Context<'_>) {
    match verdict {
        Verdict::Nothing | Verdict::Planned(_) => {}
        Verdict::Skipped(skipped) => context.tell(&Event::Skipped(skipped)),
        Verdict::Failed(failure) => context.tell(&Event::Failed(failure)),
        Verdict::Ended(result, failure) => {
            if let Some(failure) = failure {
                context.tell(&Event::Failed(failure));
            }
            tell_result(result, action, context);
        }
    }
}

fn tell_result(result: &FileResult, action: Action, context: &Context<'_>) {
    context.tell(&match action {
        Action::Patch => Event::Patched(result),
        Action::Restore => Event::Restored(result),
    });
}

/// Makes, or pretends to make, all changes.
fn apply_all(
    planned: &[Planned<'_>],
    action: Action,
    options: &ChangeOptions<'_>,
    session: &Session<'_>,
    ran: &mut Ran,
    context: &Context<'_>,
) -> bool {
    if planned.is_empty() {
        return true;
    }
    let neighbours = Neighbours::of(options);
    let files = planned.len() as u64;
    context.tell(&Event::Stage { files, bytes: 0 });
    let done = match (action, options.dry_run) {
        (Action::Patch, false) => Outcome::Patched,
        (Action::Patch, true) => Outcome::WouldPatch,
        (Action::Restore, false) => Outcome::Restored,
        (Action::Restore, true) => Outcome::WouldRestore,
    };
    let (applied, complete) = stage::run(
        planned,
        |one| &one.candidate.path,
        context,
        |one| {
            let (result, failures) = apply_one(one, options, done, session, &neighbours, context);
            context.tell_failures(&failures);
            tell_result(&result, action, context);
            (result, failures, one.cleared_base)
        },
    );
    let mut bases: BTreeMap<u64, Vec<PathBuf>> = BTreeMap::new();
    for (result, failures, cleared_base) in applied {
        if let Some(base) = cleared_base.filter(|_| result.outcome == done) {
            bases.entry(base).or_default().push(result.path.clone());
        }
        ran.results.push(result);
        ran.failures.extend(failures);
    }
    ran.same_base = bases
        .into_iter()
        .filter(|(_, paths)| paths.len() > 1)
        .map(|(image_base, paths)| SameBase { image_base, paths })
        .collect();
    complete
}

fn apply_one(
    one: &Planned<'_>,
    options: &ChangeOptions<'_>,
    done: Outcome,
    session: &Session<'_>,
    neighbours: &Neighbours<'_>,
    context: &Context<'_>,
) -> (FileResult, Vec<Failure>) {
    let journal = session.journal.as_ref();
    let applied = change::apply(&one.change, one.candidate, options, journal, context);
    let mut result = outcome::applied(one.candidate, &applied, done);
    result.commit = one.commit;
    if applied.end == End::Done {
        result.edits.clone_from(&one.change.edits);
    } else {
        result.commit.after = result.commit.now;
    }
    result.notes.extend(one.notes.iter().cloned());
    result.shared_with = neighbours.sharing(one.candidate);
    (result, applied.failures)
}
