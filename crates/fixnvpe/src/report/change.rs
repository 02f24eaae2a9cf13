//! `fixnvpe patch` and `fixnvpe restore` for people.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use fixnvpe_batch::{Failure, FileResult, Method, Outcome, RunId, SameBase, Skipped, Why};
use fixnvpe_pe::Reason;

use super::cost::{self, Place};
use super::scan::{costs, other_causes, places_table};
use super::{Page, next, problems, words};
use crate::message;
use crate::size::shown_size;
use crate::table::{Column, Table};

/// What was done.
#[derive(Debug)]
pub(crate) struct Done<'a> {
    pub(crate) results: &'a [FileResult],
    pub(crate) skipped: &'a [Skipped],
    pub(crate) failures: &'a [Failure],
    pub(crate) complete: bool,
    pub(crate) run: Option<&'a RunId>,
    pub(crate) same_base: &'a [SameBase],
    pub(crate) roots: &'a [PathBuf],
    pub(crate) state_dir: Option<&'a Path>,
    /// Whether undoing it takes an administrator.
    pub(crate) elevated: bool,
    pub(crate) dry_run: bool,
    /// Bytes that became, or would become, free with backups that were removed.
    pub(crate) freed: u64,
    /// Options without which the command that undoes would leave something.
    pub(crate) to_undo: Vec<OsString>,
    /// The same command without `--dry-run`, for the end of a dry run.
    pub(crate) real: Vec<OsString>,
    /// The doctor for the same selection, for a patch that had nothing to do.
    pub(crate) doctor: Vec<OsString>,
}

/// Writes what a patch did, or would do.
pub(crate) fn write_patch(page: &mut Page<'_>, done: &Done<'_>) {
    let table = costs_table(page, done);
    listing(page, done, table);
    let changed = done.count(Outcome::Patched);
    let would = done.count(Outcome::WouldPatch);
    let places = cost::by_place(
        done.of(&[Outcome::Patched, Outcome::WouldPatch])
            .map(|result| (result.names.as_slice(), result.commit)),
        done.roots,
    );
    page.block();
    if changed > 0 {
        page.sentence(&message!("patched", count = changed));
        costs_after_patch(page, &places);
        page.sentence(&message!("restart-python"));
        undo(page, done);
    } else if would > 0 {
        page.sentence(&message!("would-patch", count = would));
        costs(page, &places);
        page.block();
        page.sentence(&message!("do-it"));
        page.command(done.real.clone());
    } else {
        nothing_patched(page, done);
    }
}

/// Writes what a restore did, or would do.
pub(crate) fn write_restore(page: &mut Page<'_>, done: &Done<'_>) {
    let table = files_table(page, done);
    listing(page, done, table);
    page.block();
    let changed = done.count(Outcome::Restored);
    let would = done.count(Outcome::WouldRestore);
    if changed > 0 {
        page.sentence(&message!("restored", count = changed));
        page.sentence(&message!("restart-python"));
    } else if would > 0 {
        page.sentence(&message!("would-restore", count = would));
        page.sentence(&message!("do-it"));
        page.command(done.real.clone());
    } else if done.count(Outcome::Already) > 0 {
        let already = done.count(Outcome::Already);
        page.sentence(&message!("already-restored", count = already));
    } else {
        page.sentence(&message!("nothing-restored"));
        page.sentence(&message!("see-history"));
    }
    if done.freed > 0 {
        let size = shown_size(done.freed);
        page.sentence(&if done.dry_run {
            message!("backups-would-free", size = size)
        } else {
            message!("backups-freed", size = size)
        });
    }
}

impl Done<'_> {
    fn of(&self, outcomes: &[Outcome]) -> impl Iterator<Item = &FileResult> {
        self.results
            .iter()
            .filter(move |result| outcomes.contains(&result.outcome))
    }

    fn count(&self, outcome: Outcome) -> usize {
        self.results
            .iter()
            .filter(|result| result.outcome == outcome)
            .count()
    }

    fn refused(&self) -> impl Iterator<Item = (Reason, &Path)> {
        self.of(&[Outcome::Refused])
            .filter(|result| !problems::is_failure(&result.path, self.failures))
            .filter_map(|result| match result.reason {
                Some(Why::Image(reason)) => Some((reason, result.path.as_path())),
                _ => None,
            })
    }

    fn left(&self) -> impl Iterator<Item = (problems::Left<'_>, &Path)> {
        self.results
            .iter()
            .filter_map(|result| match result.reason {
                Some(Why::Left(reason)) => {
                    let holders = &result.holders;
                    let left = problems::Left { reason, holders };
                    Some((left, result.path.as_path()))
                }
                _ => None,
            })
    }
}

/// The table, and what was not done, with reasons.
fn listing(page: &mut Page<'_>, done: &Done<'_>, table: Table) {
    if !table.is_empty() {
        page.table(table);
    }
    names_outside(page, done);
    notes(page, done.results);
    collisions(page, done.same_base);
    problems::refused(page, done.refused());
    problems::left_undone(page, done.left());
    problems::skipped(page, done.skipped);
    problems::failures(page, done.failures);
    if !done.complete {
        page.block();
        page.sentence(&message!("interrupted"));
    }
}

/// What a patch did to each file, and what the file costs before and after.
fn costs_table(page: &Page<'_>, done: &Done<'_>) -> Table {
    let mut table = Table::new([
        (Column::Words, page.say(&message!("column-outcome"))),
        (Column::Figures, page.say(&message!("column-before"))),
        (Column::Figures, page.say(&message!("column-after"))),
        (Column::Path, page.say(&message!("column-file"))),
    ]);
    for result in by_cost(done.results) {
        let (before, after) = if problems::is_failure(&result.path, done.failures) {
            ("-".to_owned(), "-".to_owned())
        } else {
            (shown_size(result.commit.now), shown_size(after(result)))
        };
        let path = page.path(&result.path);
        table.row([outcome(page, result, done), before, after, path]);
    }
    table
}

/// What a restore did to each file.
fn files_table(page: &Page<'_>, done: &Done<'_>) -> Table {
    let mut table = Table::new([
        (Column::Words, page.say(&message!("column-outcome"))),
        (Column::Path, page.say(&message!("column-file"))),
    ]);
    for result in done.results {
        table.row([outcome(page, result, done), page.path(&result.path)]);
    }
    table
}

/// How it ended, in a word. What is both refused and a failure is damaged.
fn outcome(page: &Page<'_>, result: &FileResult, done: &Done<'_>) -> String {
    let failed = problems::is_failure(&result.path, done.failures);
    let outcome = if failed {
        Outcome::Failed
    } else {
        result.outcome
    };
    page.say(&words::outcome(outcome))
}

fn by_cost(results: &[FileResult]) -> Vec<&FileResult> {
    let mut results: Vec<&FileResult> = results.iter().collect();
    results.sort_by(|a, b| {
        let cost = (b.commit.now, b.commit.after).cmp(&(a.commit.now, a.commit.after));
        cost.then_with(|| a.path.cmp(&b.path))
    });
    results
}

/// What it costs once the run is over: what was not changed costs the same.
fn after(result: &FileResult) -> u64 {
    match result.outcome {
        Outcome::Refused | Outcome::Skipped | Outcome::Failed => result.commit.now,
        _ => result.commit.after,
    }
}

/// What a library found worth knowing, in English.
fn notes(page: &mut Page<'_>, results: &[FileResult]) {
    for result in results.iter().filter(|result| !result.notes.is_empty()) {
        page.block();
        page.paths([result.path.as_path()], 0);
        for note in &result.notes {
            page.detail(note, 2);
        }
    }
}

/// What became of names outside the selection, and of files in use.
fn names_outside(page: &mut Page<'_>, done: &Done<'_>) {
    let changed: Vec<&FileResult> = done
        .of(&[
            Outcome::Patched,
            Outcome::Restored,
            Outcome::WouldPatch,
            Outcome::WouldRestore,
        ])
        .collect();
    let of = |in_place: bool, outside: bool| -> Vec<&FileResult> {
        let fits = |result: &&&FileResult| {
            (result.method == Some(Method::InPlace)) == in_place
                && (result.links.outside > 0) == outside
        };
        changed.iter().filter(fits).copied().collect()
    };
    let (copied, shared, replaced) = (of(false, true), of(true, true), of(false, false));
    if !copied.is_empty() {
        let bytes = copied.iter().map(|result| result.size).sum();
        let (count, size) = (copied.len(), shown_size(bytes));
        page.block();
        page.sentence(&message!(
            "names-keep-the-original",
            count = count,
            size = size
        ));
    }
    if !shared.is_empty() {
        page.block();
        page.sentence(&message!("names-changed-too", count = shared.len()));
    }
    if !replaced.is_empty() {
        page.block();
        page.sentence(&message!("in-use-replaced", count = replaced.len()));
    }
    let shared = changed.iter().flat_map(|result| &result.shared_with);
    page.paths(shared.map(PathBuf::as_path), 2);
}

/// Images that will be loaded on top of each other, now that ASLR is cleared.
fn collisions(page: &mut Page<'_>, same_base: &[SameBase]) {
    for collision in same_base {
        page.block();
        let base = format!("{:#x}", collision.image_base);
        let count = collision.paths.len();
        page.sentence(&message!("same-base", count = count, base = base));
        page.paths(collision.paths.iter().map(PathBuf::as_path), 2);
    }
}

/// What a process paid and pays, place by place.
fn costs_after_patch(page: &mut Page<'_>, places: &[Place]) {
    if let [place] = places {
        let (before, now) = (shown_size(place.commit.now), shown_size(place.commit.after));
        page.sentence(&message!("cost-after-patch", before = before, now = now));
        return;
    }
    page.sentence(&message!("cost-by-place-after-patch"));
    let headers = [message!("column-before"), message!("column-after")];
    page.table(places_table(page, &headers, places));
    page.block();
}

fn undo(page: &mut Page<'_>, done: &Done<'_>) {
    let Some(run) = done.run else {
        return;
    };
    if done.elevated {
        page.sentence(&message!("undo-elevated"));
    } else {
        page.sentence(&message!("undo"));
    }
    let mut words = next::undo(run, done.state_dir);
    words.extend(done.to_undo.iter().cloned());
    page.command(words);
}

fn nothing_patched(page: &mut Page<'_>, done: &Done<'_>) {
    let already = done.count(Outcome::Already);
    if already > 0 {
        page.sentence(&message!("already-patched", count = already));
    } else if done.results.is_empty() {
        page.sentence(&message!("nothing-writable"));
    } else {
        page.sentence(&message!("nothing-to-patch-but-refused"));
    }
    let undone = done.results.iter().any(|result| result.retryable);
    if !undone && done.failures.is_empty() && done.complete {
        other_causes(page);
        page.sentence(&message!("patch-look-for-answer"));
        page.command(done.doctor.clone());
    }
}
