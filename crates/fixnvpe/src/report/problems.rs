//! What was refused, left alone or failed, each with its reason.

use std::collections::BTreeMap;
use std::path::Path;

use fixnvpe_batch::{Failure, HoldingProcess, LeftReason, Skipped};
use fixnvpe_pe::Reason;

use super::{Page, words};
use crate::catalogue::Message;
use crate::message;
use crate::paths::harmless;

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

/// Why a file was left alone, and who holds it where it is in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Left<'p> {
    pub(crate) reason: LeftReason,
    pub(crate) holders: &'p [HoldingProcess],
}

/// Files that were left alone, by reason: first those where the caller can
/// change that.
pub(crate) fn left_undone<'p>(
    page: &mut Page<'_>,
    files: impl IntoIterator<Item = (Left<'p>, &'p Path)>,
) {
    let (retryable, final_ones): (Vec<_>, Vec<_>) = group(files)
        .into_iter()
        .partition(|(left, _)| left.reason.is_retryable());
    let headings = [message!("left-undone"), message!("left-alone")];
    for (heading, by_reason) in headings.iter().zip([retryable, final_ones]) {
        if by_reason.is_empty() {
            continue;
        }
        page.block();
        page.sentence(heading);
        for (left, paths) in by_reason {
            let sentence = if left.holders.is_empty() {
                words::left(left.reason, cfg!(windows))
            } else {
                message!("left-in-use-by", holders = holders(page, left.holders))
            };
            explain(page, &words::word_of(&left.reason), &sentence, &paths);
        }
    }
}

/// Processes in one line, each with what the task manager shows of it.
fn holders(page: &Page<'_>, holders: &[HoldingProcess]) -> String {
    let mut said = String::new();
    for holder in holders {
        let pid = holder.pid.to_string();
        let one = page.say(&message!(
            "holder",
            name = harmless(&holder.name),
            pid = pid
        ));
        said = if said.is_empty() {
            one
        } else {
            page.say(&message!("holders-and", first = said, next = one))
        };
    }
    said
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Catalogue;
    use crate::language::Language;
    use crate::report::Look;

    fn holders(processes: &[(&str, u32)]) -> Vec<HoldingProcess> {
        let json = |(name, pid): &(&str, u32)| serde_json::json!({"name": name, "pid": pid});
        let json: Vec<_> = processes.iter().map(json).collect();
        serde_json::from_value(json.into()).expect("processes")
    }

    fn said(language: Language, files: &[(&[HoldingProcess], &str)]) -> String {
        let catalogue = Catalogue::of(language);
        let look = Look {
            columns: 200,
            verbose: false,
            folder: None,
            redactor: None,
        };
        let mut page = Page::new(&catalogue, look);
        let reason = LeftReason::InUse;
        let files = files
            .iter()
            .map(|&(holders, path)| (Left { reason, holders }, Path::new(path)));
        left_undone(&mut page, files);
        page.into_text()
    }

    #[test]
    fn a_file_in_use_is_told_with_the_programs_that_hold_it() {
        let python = holders(&[("python.exe", 1234), ("python.exe", 5678)]);
        let other = holders(&[("train.exe", 9)]);
        let files: [(&[HoldingProcess], &str); 4] = [
            (&python, "a.dll"),
            (&other, "b.dll"),
            (&python, "c.dll"),
            (&[], "d.dll"),
        ];
        let text = said(Language::En, &files);
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let line = |start: &str| {
            let found = lines.iter().position(|line| line.starts_with(start));
            found.unwrap_or_else(|| panic!("no `{start}` in:\n{text}"))
        };
        let both = line("in_use: In use by python.exe (1234), python.exe (5678): close");
        assert!(lines[both].contains("`--in-use replace`"));
        assert_eq!(lines[both + 1..both + 3], ["a.dll", "c.dll"]);
        let one = line("in_use: In use by train.exe (9): close");
        assert_eq!(lines[one + 1], "b.dll");
        let nobody = line("in_use: A program uses it");
        assert_eq!(lines[nobody + 1], "d.dll");

        let text = said(Language::Zh, &files);
        let both = "以下程序正在使用它：python.exe（1234）、python.exe（5678）。";
        assert!(text.contains(both), "{text}");
    }
}
