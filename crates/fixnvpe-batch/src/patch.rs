//! Patching: making fat binaries read-only.

use fixnvpe_pe::{Condition, Image, Patch, Reason};

use crate::change::Change;
use crate::collect::{Candidate, Collection};
use crate::context::Context;
use crate::error::Error;
use crate::filesystem::Source;
use crate::job::{self, Planned, Verdict};
use crate::journal::{Action, Identity, JournalView, State};
use crate::judge::{self, Opened};
use crate::options::PatchOptions;
use crate::outcome;
use crate::report::{Commit, FileResult, LeftReason, Outcome, PatchReport, Why};
use crate::scan::links;
use crate::session::Session;

/// Makes the fat binaries of every image of a collection read-only, where that
/// is safe, in parallel.
///
/// First all files are judged, without a lock. Only if something is to be
/// written, the lock is taken and the files are changed: a second patch of the
/// same files writes nothing at all. What an earlier run left unsettled is
/// settled before.
///
/// # Errors
///
/// Where the journal cannot be read, locked or opened: nothing was changed.
/// What befalls a file is in the report.
pub fn patch(
    collection: &Collection,
    options: &PatchOptions<'_>,
    state: &State,
    context: &Context<'_>,
) -> Result<PatchReport, Error> {
    let session = Session::begin(state, Action::Patch, options.change.dry_run, context)?;
    let ran = job::run(
        collection,
        |candidate, view| judge_one(candidate, options, view, context),
        Action::Patch,
        &options.change,
        session,
        context,
    )?;
    let mut commit = Commit::default();
    for result in &ran.results {
        commit += result.commit;
    }
    Ok(PatchReport {
        run: ran.run,
        results: ran.results,
        commit,
        same_base: ran.same_base,
        skipped: ran.skipped,
        failures: ran.failures,
        complete: ran.complete,
    })
}

fn judge_one<'a>(
    candidate: &'a Candidate,
    options: &PatchOptions<'_>,
    view: &JournalView,
    context: &Context<'_>,
) -> Verdict<'a> {
    let refused = || FileResult {
        reason: Some(Why::Image(Reason::Malformed)),
        ..outcome::result(candidate, Outcome::Refused)
    };
    let opened = match judge::open_collected(candidate, context) {
        Ok(opened) => opened,
        Err(not) => return Verdict::of_not_image(not, refused),
    };
    let image = match judge::image(candidate, &opened) {
        Ok(image) => image,
        Err(not) => return Verdict::of_not_image(not, refused),
    };
    match verdict(candidate, &opened, &image, options) {
        Ok(Verdict::Ended(..) | Verdict::Planned(_))
            if view.is_unsettled(opened.stat.id, &candidate.names, options.change.dry_run) =>
        {
            let result = outcome::left(candidate, LeftReason::Unsettled);
            Verdict::Ended(Box::new(result), None)
        }
        Ok(verdict) => verdict,
        Err(error) => Verdict::Failed(judge::failure(candidate, &error)),
    }
}

fn verdict<'a>(
    candidate: &'a Candidate,
    opened: &Opened,
    image: &Image<Source<'_>>,
    options: &PatchOptions<'_>,
) -> Result<Verdict<'a>, fixnvpe_pe::Error> {
    let judgement = image.condition()?;
    let commit: Commit = image.commit_charge(&options.policy)?.into();
    let ended = |outcome| FileResult {
        links: links(candidate, opened),
        commit,
        ..outcome::result(candidate, outcome)
    };
    let result = match judgement.under(&options.policy) {
        Condition::NoFatbin => return Ok(Verdict::Nothing),
        Condition::ReadOnly => ended(Outcome::Already),
        Condition::Writable => {
            let Some(patch) = Patch::plan(image, &options.policy)? else {
                return Ok(Verdict::Nothing);
            };
            return Ok(Verdict::Planned(Box::new(Planned {
                candidate,
                change: Change {
                    action: Action::Patch,
                    id: opened.stat.id,
                    modified: opened.stat.modified,
                    identity: Identity::of(image.len(), image.header()),
                    edits: patch.edits().to_vec(),
                    undoes: Vec::new(),
                    source: None,
                    modified_then: None,
                },
                commit,
                notes: patch.notes().iter().map(ToString::to_string).collect(),
                cleared_base: patch.clears_aslr().then(|| image.image_base()),
            })));
        }
        _ => FileResult {
            reason: judgement.reason().map(Why::Image),
            // The only reason that a caller can lift, by `allow_signed`.
            retryable: judgement.reasons == [Reason::Signed],
            ..ended(Outcome::Refused)
        },
    };
    Ok(Verdict::Ended(Box::new(result), None))
}
