//! Verifying: whether files are what their packages installed.

use fixnvpe_pe::{Condition, Image};

use crate::collect::{Candidate, Collection};
use crate::context::Context;
use crate::filesystem::Source;
use crate::journal::JournalView;
use crate::judge::{self, NotImage, Opened};
use crate::observe::Event;
use crate::original::{Proof, prove};
use crate::recorded::{Recorded, RecordedHashes};
use crate::report::{Failure, FileState, Skipped, Step, VerifyReport, VerifyResult, raw};
use crate::restore::{Known, look_up};
use crate::scan::journal_skips;
use crate::stage;

/// What is verified, and against what.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct VerifyOptions<'a> {
    /// What package managers recorded.
    pub recorded: &'a dyn RecordedHashes,
    /// Whether images without fat binaries are verified as well.
    pub without_fatbin: bool,
}

impl<'a> VerifyOptions<'a> {
    /// Verifies images with fat binaries, and every file that was named.
    #[must_use]
    pub fn new(recorded: &'a dyn RecordedHashes) -> Self {
        Self {
            recorded,
            without_fatbin: false,
        }
    }
}

impl std::fmt::Debug for VerifyOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("VerifyOptions")
            .field("without_fatbin", &self.without_fatbin)
            .finish_non_exhaustive()
    }
}

/// A file with what is recorded of it.
struct Item<'a> {
    candidate: &'a Candidate,
    recorded: Option<Recorded>,
}

enum Verified {
    Nothing,
    Cancelled,
    Result(VerifyResult),
    Failed(Failure),
    Skipped(Skipped),
}

/// Compares every image of a collection with its recorded hash, in parallel,
/// as it is and with the edits of a patch undone. Files are read whole, once,
/// a second time where the edits are not known.
#[must_use]
pub fn verify(
    collection: &Collection,
    options: &VerifyOptions<'_>,
    journal: Option<&JournalView>,
    context: &Context<'_>,
) -> VerifyReport {
    let items: Vec<Item<'_>> = collection
        .candidates
        .iter()
        .map(|candidate| {
            let mut names = candidate.names.iter();
            Item {
                candidate,
                recorded: names.find_map(|name| options.recorded.of(name)),
            }
        })
        .collect();
    let sizes = items.iter().filter(|item| item.recorded.is_some());
    context.tell(&Event::Stage {
        files: items.len() as u64,
        bytes: sizes.map(|item| item.candidate.size).sum(),
    });
    let (verified, all) = stage::run(
        &items,
        |item| &item.candidate.path,
        context,
        |item| {
            let verified = item.verify(options, journal, context);
            match &verified {
                Verified::Nothing | Verified::Cancelled => {}
                Verified::Result(result) => context.tell(&Event::Verified(result)),
                Verified::Failed(failure) => context.tell(&Event::Failed(failure)),
                Verified::Skipped(skipped) => context.tell(&Event::Skipped(skipped)),
            }
            verified
        },
    );
    let mut report = VerifyReport {
        results: Vec::new(),
        skipped: collection.skipped.clone(),
        failures: collection.failures.clone(),
        complete: collection.complete && all,
    };
    for one in verified {
        match one {
            Verified::Nothing => {}
            Verified::Cancelled => report.complete = false,
            Verified::Result(result) => report.results.push(result),
            Verified::Failed(failure) => report.failures.push(failure),
            Verified::Skipped(skipped) => report.skipped.push(skipped),
        }
    }
    if let Some(journal) = journal {
        report.skipped.extend(journal_skips(journal, context));
    }
    report
}

impl Item<'_> {
    fn verify(
        &self,
        options: &VerifyOptions<'_>,
        journal: Option<&JournalView>,
        context: &Context<'_>,
    ) -> Verified {
        let candidate = self.candidate;
        let judged = judge::open(candidate, context).and_then(|opened| {
            let image = judge::image(candidate, &opened)?;
            let judgement = image
                .condition()
                .map_err(|error| judge::not_image(candidate, &error))?;
            let wanted = options.without_fatbin
                || candidate.named
                || judgement.condition != Condition::NoFatbin;
            if !wanted {
                self.passed_over(context);
                return Ok(Verified::Nothing);
            }
            Ok(self.state(&opened, &image, journal, context))
        });
        judged.unwrap_or_else(|not| {
            self.passed_over(context);
            match not {
                NotImage::Silent => Verified::Nothing,
                NotImage::Vanished(skipped) => Verified::Skipped(skipped),
                NotImage::Malformed(failure) | NotImage::Failed(failure) => {
                    Verified::Failed(failure)
                }
            }
        })
    }

    /// Counts the bytes of a file that is not read after all, so that the
    /// progress comes to its end.
    fn passed_over(&self, context: &Context<'_>) {
        if self.recorded.is_some() {
            context.tell(&Event::Bytes(self.candidate.size));
        }
    }

    fn state(
        &self,
        opened: &Opened,
        image: &Image<Source<'_>>,
        journal: Option<&JournalView>,
        context: &Context<'_>,
    ) -> Verified {
        let Some(recorded) = &self.recorded else {
            return self.result(FileState::Unknown, None);
        };
        let known = journal.and_then(|journal| {
            let (id, names) = (opened.stat.id, &self.candidate.names);
            match look_up(journal, image, id, names, None) {
                Known::Was(was) => Some(was.header),
                _ => None,
            }
        });
        let proof = prove(&*opened.file, image, recorded, known.as_deref(), context);
        let state = match proof {
            Ok(Proof::Pristine) => FileState::Pristine,
            Ok(Proof::Was(_)) => FileState::Patched,
            Ok(Proof::Neither) => FileState::Modified,
            Ok(Proof::Cancelled) => return Verified::Cancelled,
            Err(error) => {
                let failure = Failure::of_io(&self.candidate.path, Step::Hash, &error);
                return Verified::Failed(failure);
            }
        };
        self.result(state, Some(recorded.source.clone()))
    }

    fn result(&self, state: FileState, source: Option<String>) -> Verified {
        let path = &self.candidate.path;
        Verified::Result(VerifyResult {
            path: path.clone(),
            path_raw: raw(path),
            state,
            source,
        })
    }
}
