//! What was refused, left alone or failed, each with its reason.

use std::collections::BTreeMap;
use std::path::Path;

use fixnvpe_batch::{Failure, LeftReason, Skipped};
use fixnvpe_pe::Reason;

use super::{Page, words};
use crate::catalogue::Message;
use crate::message;

/// Images that must stay as they are, by reason.
pub(crate) fn refused<'p>(
    page: &mut Page<'_>,
    images: impl IntoIterator<Item = (Reason, &'p Path)>,
) {
    let by_reason = group(images);
    if by_reason.is_empty() {
        return;
    }
    page.block();
    page.sentence(&message!("refused"));
    for (reason, paths) in by_reason {
        explain(page, reason.as_str(), &words::reason(reason), &paths);
    }
}

/// Files that were left alone, by reason: first those where the caller can
/// change that.
pub(crate) fn left_undone<'p>(
    page: &mut Page<'_>,
    files: impl IntoIterator<Item = (LeftReason, &'p Path)>,
) {
    let (retryable, final_ones): (Vec<_>, Vec<_>) = group(files)
        .into_iter()
        .partition(|(reason, _)| reason.is_retryable());
    let headings = [message!("left-undone"), message!("left-alone")];
    for (heading, by_reason) in headings.iter().zip([retryable, final_ones]) {
        if by_reason.is_empty() {
            continue;
        }
        page.block();
        page.sentence(heading);
        for (reason, paths) in by_reason {
            explain(page, &words::word_of(&reason), &words::left(reason), &paths);
        }
    }
}

/// What was not looked at; named one by one only where details are wanted.
pub(crate) fn skipped(page: &mut Page<'_>, skipped: &[Skipped]) {
    let by_reason = group(skipped.iter().map(|one| (one.reason, one.path.as_path())));
    if by_reason.is_empty() {
        return;
    }
    page.block();
    page.sentence(&message!("skipped"));
    for (reason, paths) in by_reason {
        let counted = message!(
            "skipped-count",
            count = paths.len(),
            reason = page.say(&words::skipped(reason)),
        );
        page.indented(&counted, 2);
        if page.is_verbose() {
            page.paths(paths, 4);
        }
    }
}

/// What failed: path, step, cause.
pub(crate) fn failures(page: &mut Page<'_>, failures: &[Failure]) {
    if failures.is_empty() {
        return;
    }
    page.block();
    page.sentence(&message!("failures", count = failures.len()));
    for failure in failures {
        page.paths([failure.path.as_path()], 2);
        page.indented(&cause(page, failure), 4);
        if !says_it_all(failure) || page.is_verbose() {
            page.detail(&failure.message, 4);
        }
    }
}

/// Whether a file stands among the failures, which say more than a refusal.
pub(crate) fn is_failure(path: &Path, failures: &[Failure]) -> bool {
    failures.iter().any(|failure| failure.path == path)
}

/// A failure in one line, for standard error.
pub(crate) fn one_line(page: &Page<'_>, failure: &Failure) -> Message {
    message!(
        "failure-of-file",
        file = page.path(&failure.path),
        cause = page.say(&cause(page, failure)),
    )
}

fn cause(page: &Page<'_>, failure: &Failure) -> Message {
    message!(
        "failure-cause",
        cause = page.say(&words::code(failure.code)),
        step = page.say(&words::step(failure.step)),
    )
}

/// Whether the code is the whole story, so that the English message would only
/// repeat it.
fn says_it_all(failure: &Failure) -> bool {
    use fixnvpe_batch::Code;
    matches!(
        failure.code,
        Code::AccessDenied | Code::NotFound | Code::InUse | Code::NoSpace | Code::ReadOnly
    )
}

fn explain(page: &mut Page<'_>, word: &str, sentence: &Message, paths: &[&Path]) {
    let text = message!("reason-line", word = word, sentence = page.say(sentence));
    page.indented(&text, 2);
    page.paths(paths.iter().copied(), 4);
}

fn group<'p, K: Ord>(items: impl IntoIterator<Item = (K, &'p Path)>) -> BTreeMap<K, Vec<&'p Path>> {
    let mut groups: BTreeMap<K, Vec<&Path>> = BTreeMap::new();
    for (key, path) in items {
        groups.entry(key).or_default().push(path);
    }
    groups
}
