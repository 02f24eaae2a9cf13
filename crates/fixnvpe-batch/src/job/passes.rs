//! Going over the files: once, and again over those that another program held,
//! as long as the caller says so.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{Planned, Ran, Verdict};
use crate::change::{self, End};
use crate::collect::Candidate;
use crate::context::Context;
use crate::error::Error;
use crate::journal::{Action, JournalView};
use crate::observe::Event;
use crate::options::{ChangeOptions, InUse};
use crate::outcome::{self, Neighbours};
use crate::report::{Code, Failure, FileResult, Outcome, SameBase};
use crate::session::Session;
use crate::stage;

/// A file that a pass is to go over.
pub(super) struct Waiting<'a> {
    work: Work<'a>,
    /// How the pass before ended for it, where another program held it.
    ended: Option<Ended>,
}

/// What is to be done with it.
enum Work<'a> {
    Judge(&'a Candidate),
    Apply(Box<Planned<'a>>),
}

/// How it ended for a file.
#[derive(Default)]
struct Ended {
    result: Option<FileResult>,
    failures: Vec<Failure>,
    /// The preferred base, where ASLR was cleared.
    cleared_base: Option<u64>,
    /// Whether another program caused that, and may let go within moments.
    momentary: bool,
    /// Files of ours that have to go before another attempt.
    leftover: Vec<PathBuf>,
}

impl<'a> Waiting<'a> {
    pub(super) fn to_be_judged(candidate: &'a Candidate) -> Self {
        Self {
            work: Work::Judge(candidate),
            ended: None,
        }
    }

    fn to_be_applied(planned: Box<Planned<'a>>) -> Self {
        Self {
            work: Work::Apply(planned),
            ended: None,
        }
    }

    /// The file with what an attempt left beside it removed, as far as that is
    /// free by now. The rest is in the journal, for a later run.
    fn cleaned(mut self, context: &Context<'_>) -> Self {
        if let Some(ended) = &mut self.ended {
            ended
                .leftover
                .retain(|path| match context.files.remove(path) {
                    Ok(()) => false,
                    Err(error) => Code::of_io(&error) != Code::NotFound,
                });
        }
        self
    }

    /// Whether another attempt would not add to what the one before left.
    fn is_clean(&self) -> bool {
        self.ended
            .as_ref()
            .is_none_or(|ended| ended.leftover.is_empty())
    }

    fn path(&self) -> &Path {
        match &self.work {
            Work::Judge(candidate) => &candidate.path,
            Work::Apply(planned) => &planned.candidate.path,
        }
    }
}

/// A job on its way over the files.
pub(super) struct Passes<'p, 's, J> {
    pub(super) judge: J,
    pub(super) action: Action,
    pub(super) options: &'p ChangeOptions<'p>,
    pub(super) session: &'p mut Session<'s>,
    pub(super) context: &'p Context<'p>,
    pub(super) ran: &'p mut Ran,
    pub(super) bases: BTreeMap<u64, Vec<PathBuf>>,
}

impl<'a, J> Passes<'_, '_, J>
where
    J: Fn(&'a Candidate, &JournalView) -> Verdict<'a> + Sync,
{
    /// Goes over all files until none is held any more, or the caller has
    /// enough.
    pub(super) fn run(mut self, files: Vec<Waiting<'a>>) -> Result<(), Error> {
        let Some(retry) = self.options.retry else {
            let held = self.pass(files, self.options.in_use)?;
            self.conclude(held);
            return Ok(());
        };
        // A file that is free again in a moment needs no successor.
        let mut held = self.pass(files, InUse::Skip)?;
        let mut attempt = 0;
        while !held.is_empty() && !self.is_cancelled() && retry.again(attempt, held.len()) {
            if self.is_cancelled() {
                break;
            }
            held = self.pass(held, InUse::Skip)?;
            attempt += 1;
        }
        let replace = self.options.in_use == InUse::Replace;
        if !held.is_empty() && replace && !self.is_cancelled() {
            held = self.pass(held, InUse::Replace)?;
        }
        self.conclude(held);
        Ok(())
    }

    fn is_cancelled(&self) -> bool {
        self.context.cancel.is_cancelled()
    }

    /// Goes over files once; gives back those that another program held, with
    /// how it ended for them.
    fn pass(&mut self, files: Vec<Waiting<'a>>, in_use: InUse) -> Result<Vec<Waiting<'a>>, Error> {
        let (files, mut held): (Vec<_>, Vec<_>) = files
            .into_iter()
            .map(|one| one.cleaned(self.context))
            .partition(Waiting::is_clean);
        let is_unjudged = |one: &Waiting<'_>| matches!(one.work, Work::Judge(_));
        let (unjudged, mut planned): (Vec<_>, Vec<_>) = files.into_iter().partition(is_unjudged);
        if !unjudged.is_empty() {
            self.judge_all(unjudged, &mut planned, &mut held);
        }
        if !planned.is_empty() {
            if !self.options.dry_run {
                self.session.open()?;
            }
            self.apply_all(planned, in_use, &mut held);
        }
        Ok(held)
    }

    fn judge_all(
        &mut self,
        files: Vec<Waiting<'a>>,
        planned: &mut Vec<Waiting<'a>>,
        held: &mut Vec<Waiting<'a>>,
    ) {
        let (action, context, view) = (self.action, self.context, &self.session.view);
        begin(files.len(), context);
        let verdicts = stage::each(&files, Waiting::path, context, |one| match &one.work {
            Work::Judge(candidate) => {
                let verdict = (self.judge)(candidate, view);
                if !verdict.is_momentary() {
                    tell(&verdict, action, context);
                }
                verdict
            }
            // Only files without a plan are judged.
            Work::Apply(_) => Verdict::Nothing,
        });
        for (mut one, verdict) in files.into_iter().zip(verdicts) {
            match verdict {
                None => self.was_not_begun(one, held),
                Some(Verdict::Nothing) => {}
                Some(Verdict::Planned(change)) => planned.push(Waiting::to_be_applied(change)),
                Some(Verdict::Skipped(skipped)) => self.ran.skipped.push(skipped),
                Some(Verdict::Ended(result, failure)) => {
                    self.ran.results.push(*result);
                    self.ran.failures.extend(failure);
                }
                Some(Verdict::Failed(failure)) if is_momentary(&failure) => {
                    one.ended = Some(Ended {
                        failures: vec![failure],
                        momentary: true,
                        ..Ended::default()
                    });
                    held.push(one);
                }
                Some(Verdict::Failed(failure)) => self.ran.failures.push(failure),
            }
        }
    }

    /// Makes, or pretends to make, all changes.
    fn apply_all(&mut self, files: Vec<Waiting<'a>>, in_use: InUse, held: &mut Vec<Waiting<'a>>) {
        let (action, context, session) = (self.action, self.context, &*self.session);
        let options = &ChangeOptions {
            in_use,
            ..*self.options
        };
        let neighbours = Neighbours::of(options);
        begin(files.len(), context);
        let applied = stage::each(&files, Waiting::path, context, |one| match &one.work {
            Work::Apply(planned) => {
                let mut ended = apply_one(planned, action, options, session, &neighbours, context);
                if !ended.momentary {
                    ended.tell(action, context);
                }
                ended
            }
            // Only files with a plan are changed.
            Work::Judge(_) => Ended::default(),
        });
        for (mut one, ended) in files.into_iter().zip(applied) {
            match ended {
                None => self.was_not_begun(one, held),
                Some(ended) if ended.momentary => {
                    one.ended = Some(ended);
                    held.push(one);
                }
                Some(ended) => self.record(ended),
            }
        }
    }

    /// The job was cancelled before a file had its turn. What the pass before
    /// came to still holds.
    fn was_not_begun(&mut self, one: Waiting<'a>, held: &mut Vec<Waiting<'a>>) {
        self.ran.complete = false;
        held.extend(Some(one).filter(|one| one.ended.is_some()));
    }

    /// Ends the job for files that are held to the last.
    fn conclude(&mut self, held: Vec<Waiting<'a>>) {
        if !held.is_empty() && self.is_cancelled() {
            self.ran.complete = false;
        }
        for one in held {
            let Some(mut ended) = one.cleaned(self.context).ended else {
                continue;
            };
            ended.tell(self.action, self.context);
            self.record(ended);
        }
        let bases = std::mem::take(&mut self.bases);
        self.ran.same_base = bases
            .into_iter()
            .filter(|(_, paths)| paths.len() > 1)
            .map(|(image_base, paths)| SameBase { image_base, paths })
            .collect();
    }

    fn record(&mut self, ended: Ended) {
        if let (Some(base), Some(result)) = (ended.cleared_base, &ended.result) {
            self.bases
                .entry(base)
                .or_default()
                .push(result.path.clone());
        }
        self.ran.results.extend(ended.result);
        self.ran.failures.extend(ended.failures);
    }
}

impl Ended {
    /// Tells of the end, which is final.
    fn tell(&mut self, action: Action, context: &Context<'_>) {
        context.tell_failures(&self.failures);
        if let Some(result) = &mut self.result {
            outcome::name_holders(result, context);
            tell_result(result, action, context);
        }
    }
}

impl Verdict<'_> {
    /// Whether another program kept the file from being judged, and may let go
    /// within moments.
    fn is_momentary(&self) -> bool {
        matches!(self, Self::Failed(failure) if is_momentary(failure))
    }
}

fn is_momentary(failure: &Failure) -> bool {
    failure.code.is_momentary(cfg!(windows))
}

fn begin(files: usize, context: &Context<'_>) {
    let files = files as u64;
    context.tell(&Event::Stage { files, bytes: 0 });
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

fn apply_one(
    one: &Planned<'_>,
    action: Action,
    options: &ChangeOptions<'_>,
    session: &Session<'_>,
    neighbours: &Neighbours<'_>,
    context: &Context<'_>,
) -> Ended {
    let done = match (action, options.dry_run) {
        (Action::Patch, false) => Outcome::Patched,
        (Action::Patch, true) => Outcome::WouldPatch,
        (Action::Restore, false) => Outcome::Restored,
        (Action::Restore, true) => Outcome::WouldRestore,
    };
    let journal = session.journal.as_ref();
    let applied = change::apply(&one.change, one.candidate, options, journal, context);
    let mut result = outcome::applied(one.candidate, &applied, done);
    result.commit = one.commit;
    let changed = applied.end == End::Done;
    if changed {
        result.edits.clone_from(&one.change.edits);
    } else {
        result.commit.after = result.commit.now;
    }
    result.notes.extend(one.notes.iter().cloned());
    result.shared_with = neighbours.sharing(one.candidate);
    Ended {
        result: Some(result),
        failures: applied.failures,
        cleared_base: one.cleared_base.filter(|_| changed),
        momentary: applied.momentary,
        leftover: applied.leftover,
    }
}
