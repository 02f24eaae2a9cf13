//! Scanning: what is there, and what it costs.

use std::path::Path;

use fixnvpe_pe::{CheckSumState, Condition, Error, Image, Judgement, Policy, Reason};

use crate::collect::{Candidate, Collection};
use crate::context::Context;
use crate::filesystem::Source;
use crate::journal::JournalView;
use crate::judge::{self, NotImage, Opened};
use crate::observe::Event;
use crate::report::{
    Commit, Failure, ImageReport, Links, ScanReport, SectionReport, SkipReason, Skipped, Summary,
    raw,
};
use crate::stage;

/// How a scan judges, and what it keeps.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ScanOptions {
    /// The policy of the patch that the scan is about: a signed image counts as
    /// writable where it may be patched.
    pub policy: Policy,
    /// Whether images without fat binaries are in the report.
    pub without_fatbin: bool,
}

impl Default for ScanOptions {
    /// The default policy, and every image.
    fn default() -> Self {
        Self {
            policy: Policy::default(),
            without_fatbin: true,
        }
    }
}

/// What the look at one file gave.
#[derive(Default)]
struct Looked {
    image: Option<ImageReport>,
    without_fatbin: bool,
    failure: Option<Failure>,
    skipped: Option<Skipped>,
}

/// Judges every image of a collection, in parallel. Nothing is written. What
/// was skipped and what failed while collecting is part of the report.
///
/// With a journal, the report also says which run made an image read-only,
/// and which files a run left unsettled.
#[must_use]
pub fn scan(
    collection: &Collection,
    options: &ScanOptions,
    journal: Option<&JournalView>,
    context: &Context<'_>,
) -> ScanReport {
    let files = collection.candidates.len() as u64;
    context.tell(&Event::Stage { files, bytes: 0 });
    let (looked, complete) = stage::run(
        &collection.candidates,
        |candidate| &candidate.path,
        context,
        |candidate| {
            let looked = look(candidate, *options, journal, context);
            tell(&looked, context);
            looked
        },
    );
    let mut report = ScanReport {
        images: Vec::new(),
        summary: Summary::default(),
        skipped: collection.skipped.clone(),
        failures: collection.failures.clone(),
        complete: complete && collection.complete,
    };
    report.summary.files = looked.len() as u64;
    for one in looked {
        count(&one, &mut report.summary);
        let keep = options.without_fatbin || !one.without_fatbin;
        report.images.extend(one.image.filter(|_| keep));
        report.failures.extend(one.failure);
        report.skipped.extend(one.skipped);
    }
    if let Some(journal) = journal {
        report.skipped.extend(journal_skips(journal, context));
    }
    report
}

/// What a reader of the journal should know: files that a run left unsettled,
/// and journals with lines that are not understood.
pub(crate) fn journal_skips(journal: &JournalView, context: &Context<'_>) -> Vec<Skipped> {
    let unsettled = journal
        .unsettled()
        .map(|path| Skipped::new(path, SkipReason::Unsettled));
    let mut journals: Vec<&Path> = journal
        .bad_lines()
        .iter()
        .map(|bad| bad.journal.as_path())
        .collect();
    journals.dedup();
    let bad = journals
        .into_iter()
        .map(|path| Skipped::new(path, SkipReason::BadRecord));
    let skipped: Vec<Skipped> = unsettled.chain(bad).collect();
    context.tell_skips(&skipped);
    skipped
}

fn tell(looked: &Looked, context: &Context<'_>) {
    if let Some(image) = &looked.image {
        context.tell(&Event::Scanned(image));
    }
    if let Some(failure) = &looked.failure {
        context.tell(&Event::Failed(failure));
    }
    if let Some(skipped) = &looked.skipped {
        context.tell(&Event::Skipped(skipped));
    }
}

fn count(looked: &Looked, summary: &mut Summary) {
    let Some(image) = &looked.image else {
        return;
    };
    summary.images += 1;
    match image.condition {
        Condition::Writable => summary.writable += 1,
        Condition::ReadOnly => summary.read_only += 1,
        Condition::Refused => summary.refused += 1,
        _ => {}
    }
}

fn look(
    candidate: &Candidate,
    options: ScanOptions,
    journal: Option<&JournalView>,
    context: &Context<'_>,
) -> Looked {
    let opened = match judge::open(candidate, context) {
        Ok(opened) => opened,
        Err(not) => return not_an_image(candidate, None, not),
    };
    let image = match judge::image(candidate, &opened) {
        Ok(image) => image,
        Err(not) => return not_an_image(candidate, Some(&opened), not),
    };
    match describe(candidate, &opened, &image, options.policy) {
        Ok(mut report) => {
            if report.condition == Condition::ReadOnly {
                report.patched_in = journal
                    .and_then(|journal| {
                        let (id, names) = (opened.stat.id, &candidate.names);
                        journal.patched_in(image.len(), image.header(), id, names)
                    })
                    .cloned();
            }
            Looked {
                without_fatbin: report.condition == Condition::NoFatbin,
                image: Some(report),
                ..Looked::default()
            }
        }
        Err(error) => Looked {
            failure: Some(judge::failure(candidate, &error)),
            ..Looked::default()
        },
    }
}

fn not_an_image(candidate: &Candidate, opened: Option<&Opened>, not: NotImage) -> Looked {
    let mut looked = Looked::default();
    match not {
        NotImage::Silent => {}
        NotImage::Vanished(skipped) => looked.skipped = Some(skipped),
        NotImage::Failed(failure) => looked.failure = Some(failure),
        NotImage::Malformed(failure) => {
            looked.image = opened.map(|opened| malformed(candidate, opened));
            looked.failure = Some(failure);
        }
    }
    looked
}

/// An image that cannot be parsed: refused, with all that is known of it.
fn malformed(candidate: &Candidate, opened: &Opened) -> ImageReport {
    ImageReport {
        size: opened.stat.len,
        condition: Condition::Refused,
        reason: Some(Reason::Malformed),
        reasons: vec![Reason::Malformed],
        ..blank(candidate, opened)
    }
}

fn blank(candidate: &Candidate, opened: &Opened) -> ImageReport {
    ImageReport {
        path: candidate.path.clone(),
        path_raw: raw(&candidate.path),
        names: candidate.names.clone(),
        links: links(candidate, opened),
        environments: Vec::new(),
        package: None,
        size: opened.stat.len,
        machine: "unknown".to_owned(),
        condition: Condition::NoFatbin,
        reason: None,
        reasons: Vec::new(),
        sections: Vec::new(),
        commit: Commit::default(),
        aslr: false,
        guard_cf: false,
        signed: false,
        checksum: CheckSumState::Unset,
        patched_in: None,
    }
}

/// How many names the open file has, and how many of them are outside.
pub(crate) fn links(candidate: &Candidate, opened: &Opened) -> Links {
    let selected = candidate.names.len() as u64;
    Links {
        count: opened.stat.links,
        outside: opened.stat.links.saturating_sub(selected),
    }
}

fn describe(
    candidate: &Candidate,
    opened: &Opened,
    image: &Image<Source<'_>>,
    policy: Policy,
) -> Result<ImageReport, Error> {
    let judgement = image.condition()?;
    let condition = judgement.under(&policy);
    Ok(ImageReport {
        size: image.len(),
        machine: image.machine().to_string(),
        condition,
        reason: (condition == Condition::Refused)
            .then(|| judgement.reason())
            .flatten(),
        sections: sections(image, &judgement),
        reasons: judgement.reasons,
        commit: image.commit_charge(&policy)?.into(),
        aslr: image.has_aslr(),
        guard_cf: image.has_guard_cf(),
        signed: image.certificate_table().is_some(),
        checksum: image.check_sum_state(),
        ..blank(candidate, opened)
    })
}

/// The fat-binary sections. One whose `VirtualSize` is 0 is as large in memory
/// as its raw data.
fn sections(image: &Image<Source<'_>>, judgement: &Judgement) -> Vec<SectionReport> {
    let judged = judgement.sections.iter();
    judged
        .map(|section| SectionReport {
            name: section.name.clone(),
            kind: section.kind,
            virtual_size: image
                .sections()
                .get(section.index)
                .map_or(section.virtual_size, fixnvpe_pe::Section::size_in_memory)
                .into(),
            writable: section.writable,
        })
        .collect()
}
