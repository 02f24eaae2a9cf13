//! Restoring: giving back the original bytes, and proving that they are.

mod backups;
mod target;
mod undo;

use std::io;

use fixnvpe_pe::{Condition, Image, MEM_WRITE, Section};

use crate::change::Change;
use crate::collect::{Candidate, Collection};
use crate::context::Context;
use crate::error::Error;
use crate::filesystem::Source;
use crate::job::{self, Planned, Verdict};
use crate::journal::{Action, Identity, JournalView, RunId, State};
use crate::judge::{self, NotImage, Opened};
use crate::observe::Event;
use crate::options::{Backup, ChangeOptions, RestoreOptions};
use crate::original::{Fields, Proof, inferred, prove};
use crate::outcome;
use crate::report::{Commit, Failure, FileResult, LeftReason, Outcome, RestoreReport, Step};
use crate::scan::links;
use crate::session::Session;

pub(crate) use undo::{Known, Was, look_up};

/// What to restore.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum RestoreTarget<'a> {
    /// These files, wherever the original comes from.
    Files(&'a Collection),
    /// What the last patch changed.
    LastRun,
    /// What this run changed.
    Run(RunId),
    /// Whatever the journal knows to be patched.
    Everything,
}

/// Gives back the original bytes of files, in parallel, as carefully as
/// [`patch`](crate::patch) changed them.
///
/// The original comes from the journal; else it is rebuilt and proven by the
/// hash that a package manager recorded; else it is taken from a backup that
/// differs in nothing but the fields of a patch; else, where the caller asks
/// for that, it is inferred. A file that the journal does not recognise as the
/// one it patched is never touched on the journal's word.
///
/// # Errors
///
/// Where the journal cannot be read, locked or opened, and where it does not
/// know the run: nothing was changed. What befalls a file is in the report.
pub fn restore(
    target: &RestoreTarget<'_>,
    options: &RestoreOptions<'_>,
    state: &State,
    context: &Context<'_>,
) -> Result<RestoreReport, Error> {
    let dry_run = options.change.dry_run;
    let session = Session::begin(state, Action::Restore, dry_run, context)?;
    if let RestoreTarget::Files(collection) = target {
        let asked = Asked {
            options,
            run: None,
            by_journal: false,
            context,
        };
        return asked.restore(collection, session, Vec::new());
    }
    let run = target::run(target, &session.view)?;
    let (collection, gone) = target::find(run.as_ref(), &session.view, context);
    let asked = Asked {
        options,
        run: run.as_ref(),
        by_journal: true,
        context,
    };
    asked.restore(&collection, session, gone)
}

/// The source of an original that nothing proves.
const INFERRED: &str = "inferred";

/// What a restore was asked for.
struct Asked<'a> {
    options: &'a RestoreOptions<'a>,
    run: Option<&'a RunId>,
    /// The journal names the files: only what it knows counts.
    by_journal: bool,
    context: &'a Context<'a>,
}

/// What the original of a file was.
enum Original {
    /// As the file is: nothing to do.
    Same,
    /// With another header block.
    Header { was: Was, source: Option<String> },
    /// Nothing tells, for this reason.
    Unknown(LeftReason, Vec<String>),
    /// Nothing tells, and nothing is to be told: no sign of a patch.
    NoSign,
    /// The job was cancelled while the file was hashed.
    Cancelled,
}

impl Asked<'_> {
    /// Restores the files of a collection; `gone` tells of others.
    fn restore(
        &self,
        collection: &Collection,
        session: Session<'_>,
        gone: Vec<FileResult>,
    ) -> Result<RestoreReport, Error> {
        // A backup of patched bytes would be taken for one of the original.
        let change = &ChangeOptions {
            backup: Backup::None,
            ..self.options.change
        };
        let mut ran = job::run(
            collection,
            |candidate, view| self.judge(candidate, view),
            Action::Restore,
            change,
            session,
            self.context,
        )?;
        for result in &gone {
            self.context.tell(&Event::Restored(result));
        }
        ran.results.extend(gone);
        ran.results.sort_by(|a, b| a.path.cmp(&b.path));
        let mut report = RestoreReport {
            run: ran.run,
            results: ran.results,
            freed: 0,
            skipped: ran.skipped,
            failures: ran.failures,
            complete: ran.complete,
        };
        if self.options.remove_backups {
            backups::remove(&mut report, change.dry_run, self.context);
        }
        Ok(report)
    }

    fn judge<'c>(&self, candidate: &'c Candidate, view: &JournalView) -> Verdict<'c> {
        let opened = match judge::open_collected(candidate, self.context) {
            Ok(opened) => opened,
            Err(not) => return self.not_an_image(candidate, not),
        };
        let image = match judge::image(candidate, &opened) {
            Ok(image) => image,
            Err(not) => return self.not_an_image(candidate, not),
        };
        let dry_run = self.options.change.dry_run;
        if view.is_unsettled(opened.stat.id, &candidate.names, dry_run) {
            let result = outcome::left(candidate, LeftReason::Unsettled);
            return Verdict::Ended(Box::new(result), None);
        }
        let original = match self.original(candidate, &opened, &image, view) {
            Ok(original) => original,
            Err(failure) => return Verdict::Failed(failure),
        };
        let notes = original.notes();
        let mut result = match original {
            Original::NoSign if !candidate.named => return Verdict::Nothing,
            Original::Cancelled => return Verdict::Nothing,
            Original::Same | Original::NoSign => outcome::result(candidate, Outcome::Already),
            Original::Unknown(reason, notes) => FileResult {
                notes,
                ..outcome::left(candidate, reason)
            },
            Original::Header { was, source } => {
                let commit = commit(&image, &was.header);
                let edits = Fields::of(&image).edits(image.header(), &was.header);
                return Verdict::Planned(Box::new(Planned {
                    candidate,
                    change: Change {
                        action: Action::Restore,
                        id: opened.stat.id,
                        modified: opened.stat.modified,
                        identity: Identity::of(image.len(), image.header()),
                        edits,
                        undoes: was.undoes,
                        source,
                        modified_then: was.modified,
                    },
                    commit,
                    notes,
                    cleared_base: None,
                }));
            }
        };
        result.links = links(candidate, &opened);
        result.commit = commit(&image, image.header());
        Verdict::Ended(Box::new(result), None)
    }

    /// A file that the journal names and that is no image any more is another
    /// file.
    fn not_an_image<'c>(&self, candidate: &'c Candidate, not: NotImage) -> Verdict<'c> {
        let stale = || outcome::left(candidate, LeftReason::Stale);
        match not {
            NotImage::Silent | NotImage::Malformed(_) if self.by_journal => {
                Verdict::Ended(Box::new(stale()), None)
            }
            not => Verdict::of_not_image(not, || {
                outcome::left(candidate, LeftReason::NothingToRestoreFrom)
            }),
        }
    }

    /// Finds the original: from the journal, by a recorded hash, from a backup,
    /// or by inference.
    fn original(
        &self,
        candidate: &Candidate,
        opened: &Opened,
        image: &Image<Source<'_>>,
        view: &JournalView,
    ) -> Result<Original, Failure> {
        let (id, names) = (opened.stat.id, &candidate.names);
        let stale = match look_up(view, image, id, names, self.run) {
            Known::Was(was) => return Ok(Original::Header { was, source: None }),
            Known::Original => return Ok(Original::Same),
            Known::PatchedLater => {
                return Ok(Original::Unknown(LeftReason::PatchedLater, Vec::new()));
            }
            Known::Stale => true,
            Known::Nothing => false,
        };
        let judgement = image
            .condition()
            .map_err(|error| judge::failure(candidate, &error))?;
        let read_only = judgement.condition == Condition::ReadOnly;
        if read_only && !self.by_journal {
            let io = |error: io::Error| Failure::of_io(&candidate.path, Step::Hash, &error);
            let found = self.elsewhere(candidate, opened, image).map_err(io)?;
            if let Some(original) = found.filter(|found| !stale || found.is_header()) {
                return Ok(original);
            }
        }
        if stale {
            return Ok(Original::Unknown(LeftReason::Stale, Vec::new()));
        }
        if !read_only || self.by_journal {
            return Ok(Original::NoSign);
        }
        if self.options.infer
            && let Some(header) = inferred(image)
        {
            return Ok(Original::of(header, INFERRED));
        }
        let notes = backups::notes(candidate, self.context);
        Ok(Original::Unknown(LeftReason::NothingToRestoreFrom, notes))
    }

    /// Looks for the original of a read-only image outside the journal.
    fn elsewhere(
        &self,
        candidate: &Candidate,
        opened: &Opened,
        image: &Image<Source<'_>>,
    ) -> io::Result<Option<Original>> {
        let recorded = self.options.recorded.and_then(|recorded| {
            let mut names = candidate.names.iter();
            names.find_map(|name| recorded.of(name))
        });
        if let Some(recorded) = recorded {
            match prove(&*opened.file, image, &recorded, None, self.context)? {
                Proof::Pristine => return Ok(Some(Original::Same)),
                Proof::Was(header) => return Ok(Some(Original::of(header, &recorded.source))),
                Proof::Cancelled => return Ok(Some(Original::Cancelled)),
                Proof::Neither => {}
            }
        }
        let header = backups::header(candidate, opened, image, self.context)?;
        Ok(header.map(|(header, source)| Original::of(header, &source)))
    }
}

impl Original {
    fn of(header: Vec<u8>, source: &str) -> Self {
        Self::Header {
            was: Was {
                header,
                undoes: Vec::new(),
                modified: None,
            },
            source: Some(source.to_owned()),
        }
    }

    /// What to say of a file that gets this original.
    fn notes(&self) -> Vec<String> {
        match self {
            Self::Header {
                source: Some(source),
                ..
            } if source == INFERRED => {
                vec!["inferred: nothing proves that these were its bytes".to_owned()]
            }
            _ => Vec::new(),
        }
    }

    fn is_header(&self) -> bool {
        matches!(self, Self::Header { .. })
    }
}

/// What each process that maps the image is charged now, and once its header
/// block is `then`.
fn commit(image: &Image<Source<'_>>, then: &[u8]) -> Commit {
    let mut commit = Commit::default();
    for section in image.sections() {
        let now = section.commit_charge();
        commit += Commit::new(now, now);
        if !section.is_writable() && !section.is_shared() && becomes_writable(section, then) {
            let size = u64::from(section.size_in_memory());
            commit.after += size.next_multiple_of(PAGE);
        }
    }
    commit
}

/// The size of a page in bytes, on every machine that Windows runs on today.
const PAGE: u64 = 4096;

fn becomes_writable(section: &Section, header: &[u8]) -> bool {
    let start = usize::try_from(section.characteristics_offset()).unwrap_or(usize::MAX);
    let flags = start
        .checked_add(4)
        .and_then(|end| header.get(start..end))
        .and_then(|bytes| bytes.try_into().ok())
        .map_or(0, u32::from_le_bytes);
    flags & MEM_WRITE != 0
}
