//! `fixnvpe verify` for people.

use std::collections::BTreeSet;

use fixnvpe_batch::{FileState, VerifyReport, VerifyResult};

use super::{Page, next, problems, words};
use crate::arguments;
use crate::message;
use crate::paths::harmless;
use crate::records::Reinstall;
use crate::table::{Column, Table};

/// What a verification found.
#[derive(Debug)]
pub(crate) struct Found<'a> {
    pub(crate) report: &'a VerifyReport,
    /// What to do about the modified files.
    pub(crate) reinstall: &'a BTreeSet<Reinstall>,
}

/// Writes what a verification found.
pub(crate) fn write(page: &mut Page<'_>, asked: &arguments::Verify, found: &Found<'_>) {
    let report = found.report;
    table(page, &report.results);
    summary(page, report);
    problems::skipped(page, &report.skipped);
    problems::failures(page, &report.failures);
    if !report.complete {
        page.block();
        page.sentence(&message!("interrupted"));
    }
    modified(page, found);
    unknown(page, report);
    patched(page, asked, report);
}

/// The worst comes first.
fn rank(state: FileState) -> u8 {
    match state {
        FileState::Modified => 0,
        FileState::Unknown => 1,
        FileState::Patched => 2,
        _ => 3,
    }
}

fn table(page: &mut Page<'_>, results: &[VerifyResult]) {
    let mut results: Vec<&VerifyResult> = results.iter().collect();
    results.sort_by(|a, b| {
        let order = rank(a.state).cmp(&rank(b.state));
        order.then_with(|| a.path.cmp(&b.path))
    });
    let mut table = Table::new([
        (Column::Words, page.say(&message!("column-state"))),
        (Column::Words, page.say(&message!("column-record"))),
        (Column::Path, page.say(&message!("column-file"))),
    ]);
    for result in results {
        let source = result.source.as_deref().unwrap_or("-");
        table.row([
            page.say(&words::file_state(result.state)),
            harmless(source),
            page.path(&result.path),
        ]);
    }
    if !table.is_empty() {
        page.table(table);
    }
}

fn summary(page: &mut Page<'_>, report: &VerifyReport) {
    page.block();
    if report.results.is_empty() {
        page.sentence(&message!("verify-no-images"));
        return;
    }
    let all = report.results.len();
    if count(report, FileState::Pristine) == all {
        page.sentence(&message!("verify-all-pristine", count = all));
        return;
    }
    page.sentence(&message!(
        "verify-summary",
        pristine = count(report, FileState::Pristine),
        patched = count(report, FileState::Patched),
        modified = count(report, FileState::Modified),
        unknown = count(report, FileState::Unknown),
    ));
}

fn modified(page: &mut Page<'_>, found: &Found<'_>) {
    let count = count(found.report, FileState::Modified);
    if count == 0 {
        return;
    }
    page.block();
    page.sentence(&message!("verify-modified", count = count));
    let mut prefix = None;
    for one in found.reinstall {
        if prefix != Some(&one.prefix) {
            page.paths([one.prefix.as_path()], 0);
            prefix = Some(&one.prefix);
        }
        page.command(one.command.clone());
    }
    page.sentence(&message!("verify-modified-cache"));
}

fn unknown(page: &mut Page<'_>, report: &VerifyReport) {
    let count = count(report, FileState::Unknown);
    if count > 0 {
        page.block();
        page.sentence(&message!("verify-unknown", count = count));
    }
}

fn patched(page: &mut Page<'_>, asked: &arguments::Verify, report: &VerifyReport) {
    let count = count(report, FileState::Patched);
    if count == 0 {
        return;
    }
    page.block();
    page.sentence(&message!("verify-patched", count = count));
    let state_dir = asked.work.state.state_dir.as_deref();
    let selection = &asked.selection;
    let mut words = next::command("restore", Vec::new(), selection, state_dir);
    let names_nothing = selection.paths.is_empty() && selection.files_from.is_empty();
    if names_nothing && !selection.selects_environments() {
        words.insert(2, "--all-envs".into());
    }
    page.command(words);
}

fn count(report: &VerifyReport, state: FileState) -> usize {
    let results = report.results.iter();
    results.filter(|result| result.state == state).count()
}
