//! `fixnvpe history` for people.

use std::path::Path;

use fixnvpe_batch::{Action, Failure, Run};

use super::{Page, next, problems, words};
use crate::message;
use crate::table::{Column, Table};

/// Writes what was done, newest run first.
pub(crate) fn write(
    page: &mut Page<'_>,
    runs: &[Run],
    failures: &[Failure],
    state_dir: Option<&Path>,
) {
    if runs.is_empty() {
        page.sentence(&message!("history-is-empty"));
        problems::failures(page, failures);
        return;
    }
    page.table(table(page, runs));
    if page.is_verbose() {
        for run in runs.iter().rev() {
            files(page, run);
        }
    }
    problems::failures(page, failures);
    if runs.iter().any(|run| run.complete.is_none()) {
        page.block();
        page.sentence(&message!("history-unsettled"));
    }
    let last = runs
        .iter()
        .rev()
        .find(|run| run.action == Action::Patch && run.standing > 0);
    if let Some(run) = last {
        page.block();
        page.sentence(&message!("history-undo"));
        page.command(next::undo(&run.run, state_dir));
    }
}

fn table(page: &Page<'_>, runs: &[Run]) -> Table {
    let mut table = Table::new([
        (Column::Words, page.say(&message!("column-run"))),
        (Column::Words, page.say(&message!("column-action"))),
        (Column::Figures, page.say(&message!("column-changed"))),
        (Column::Figures, page.say(&message!("column-standing"))),
        (Column::Words, page.say(&message!("column-by"))),
    ]);
    for run in runs.iter().rev() {
        let action = match run.action {
            Action::Patch => message!("action-patch"),
            _ => message!("action-restore"),
        };
        table.row([
            run.run.to_string(),
            page.say(&action),
            page.say(&message!("runs-files", count = run.changed)),
            standing(page, run),
            by(page, run),
        ]);
    }
    table
}

/// How much of a patch is still in force; a restore is the end of one.
fn standing(page: &Page<'_>, run: &Run) -> String {
    if run.action == Action::Patch {
        page.say(&message!("runs-files", count = run.standing))
    } else {
        "-".to_owned()
    }
}

fn by(page: &Page<'_>, run: &Run) -> String {
    let host = page.name(&run.host);
    if run.user.is_empty() {
        return host;
    }
    format!("{}@{host}", page.name(&run.user))
}

fn files(page: &mut Page<'_>, run: &Run) {
    page.block();
    page.line(run.run.as_str());
    for file in &run.files {
        let state = page.say(&words::state(file.state));
        let path = page.path(&file.path);
        page.line(&format!("  {state}  {path}"));
    }
}
