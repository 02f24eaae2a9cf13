//! `fixnvpe measure` for people: the system and its processes at each moment,
//! image by image where that is wanted, and before and after.

use std::ffi::OsString;
use std::path::Path;

use fixnvpe_batch::Failure;
use fixnvpe_doctor::measure::{Comparison, ImageMeasurement, MeasureReport, Measurement};

use super::{Page, next, problems};
use crate::arguments::{self, Selection};
use crate::message;
use crate::size::{shown_difference, shown_size};
use crate::table::{Column, Table};

/// A measurement, and what was asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measured<'a> {
    pub(crate) asked: &'a arguments::Measure,
    pub(crate) report: &'a MeasureReport,
    pub(crate) earlier: Option<&'a Measurement>,
    pub(crate) failures: &'a [Failure],
    /// Whether a patch would change anything of what was measured.
    pub(crate) has_writable: bool,
    pub(crate) is_complete: bool,
}

/// Writes a measurement.
pub(crate) fn write(page: &mut Page<'_>, measured: &Measured<'_>) {
    let measurement = &measured.report.measurement;
    title(page, measurement);
    page.block();
    moments(page, measurement);
    page.block();
    process(page, measurement);
    if measured.asked.each {
        each(page, &measurement.images);
    }
    if let Some(stopped) = measurement
        .stopped
        .as_ref()
        .filter(|_| measured.is_complete)
    {
        page.block();
        let ready = u64::from(stopped.ready);
        page.sentence(&message!("measure-stopped", ready = ready));
        page.detail(&stopped.message, 2);
    }
    if let (Some(against), Some(earlier)) = (&measured.report.against, measured.earlier) {
        comparison(page, against, earlier, measurement);
    }
    problems::failures(page, measured.failures);
    page.block();
    if measured.is_complete {
        ending(page, measured);
    } else {
        page.sentence(&message!("measure-not-all"));
    }
}

fn title(page: &mut Page<'_>, measurement: &Measurement) {
    let processes = u64::from(measurement.processes);
    match &measurement.program {
        Some(program) => page.sentence(&message!(
            "measure-python",
            processes = processes,
            modules = measurement.imports.join(", "),
            program = page.path(program),
        )),
        None => page.sentence(&message!(
            "measure-images",
            processes = processes,
            images = measurement.images.len(),
        )),
    }
}

/// The system and the processes before, with one, with all, and after.
fn moments(page: &mut Page<'_>, measurement: &Measurement) {
    let system = &measurement.system;
    let mut table = Table::new([
        (Column::Words, String::new()),
        (Column::Figures, page.say(&message!("column-system"))),
        (Column::Figures, page.say(&message!("column-more"))),
        (Column::Figures, page.say(&message!("column-each-process"))),
    ]);
    let more = |now: u64| shown_difference(difference(now, system.before));
    let nothing = || "-".to_owned();
    table.row([
        page.say(&message!("measure-before")),
        shown_size(system.before),
        nothing(),
        nothing(),
    ]);
    table.row([
        page.say(&message!("measure-with", processes = 1_u64)),
        shown_size(system.with_one),
        more(system.with_one),
        measurement
            .commits
            .first()
            .copied()
            .map_or_else(nothing, shown_size),
    ]);
    if measurement.commits.len() > 1 {
        let processes = measurement.commits.len();
        table.row([
            page.say(&message!("measure-with", processes = processes)),
            shown_size(system.with_all),
            more(system.with_all),
            range(page, &measurement.commits),
        ]);
    }
    table.row([
        page.say(&message!("measure-after")),
        shown_size(system.after),
        more(system.after),
        nothing(),
    ]);
    page.table(table);
}

/// What each of several processes has; all of them where details are wanted.
fn range(page: &Page<'_>, commits: &[u64]) -> String {
    let shown = |commit: &u64| shown_size(*commit);
    if page.is_verbose() {
        let all: Vec<String> = commits.iter().map(shown).collect();
        return all.join(" ");
    }
    let least = commits.iter().min().map(shown).unwrap_or_default();
    let most = commits.iter().max().map(shown).unwrap_or_default();
    if least == most {
        return least;
    }
    page.say(&message!("measure-range", least = least, most = most))
}

/// What one process pays, beside what it should pay by the headers.
fn process(page: &mut Page<'_>, measurement: &Measurement) {
    page.sentence(&message!(
        "measure-per-process",
        bytes = shown(measurement.per_process),
        idle = shown_size(measurement.idle),
    ));
    let (Some(calculated), Some(beyond)) = (measurement.calculated, measurement.beyond()) else {
        return;
    };
    let (calculated, difference) = (shown_size(calculated), shown_difference(beyond));
    page.sentence(&match measurement.program {
        Some(_) => message!(
            "measure-calculated-python",
            calculated = calculated,
            difference = difference,
        ),
        None => message!(
            "measure-calculated",
            calculated = calculated,
            difference = difference,
        ),
    });
}

/// The images one by one, the dearest first.
fn each(page: &mut Page<'_>, images: &[ImageMeasurement]) {
    let mut sorted: Vec<&ImageMeasurement> = images.iter().collect();
    sorted.sort_by_key(|image| std::cmp::Reverse((image.measured, image.calculated)));
    let mut table = Table::new([
        (Column::Figures, page.say(&message!("column-measured"))),
        (Column::Figures, page.say(&message!("column-calculated"))),
        (Column::Path, page.say(&message!("column-file"))),
    ]);
    for image in sorted {
        let measured = match (image.measured, image.os_error) {
            (Some(bytes), _) => shown(bytes),
            (None, Some(number)) => {
                page.say(&message!("measure-error", number = number.to_string()))
            }
            (None, None) => "-".to_owned(),
        };
        table.row([
            measured,
            shown_size(image.calculated),
            page.path(&image.path),
        ]);
    }
    page.block();
    page.table(table);
}

/// Before and after, of one process and of the system.
fn comparison(
    page: &mut Page<'_>,
    against: &Comparison,
    earlier: &Measurement,
    later: &Measurement,
) {
    let mut table = Table::new([
        (Column::Words, String::new()),
        (Column::Figures, page.say(&message!("column-before"))),
        (Column::Figures, page.say(&message!("column-today"))),
        (Column::Figures, page.say(&message!("column-saved"))),
    ]);
    table.row([
        page.say(&message!("measure-one")),
        shown(against.before),
        shown(against.after),
        shown(against.saved),
    ]);
    if against.same && earlier.commits.len() == later.commits.len() {
        let grown = |one: &Measurement| difference(one.system.with_all, one.system.before);
        let processes = later.commits.len();
        table.row([
            page.say(&message!("measure-all", processes = processes)),
            shown(grown(earlier)),
            shown(grown(later)),
            shown(grown(earlier).saturating_sub(grown(later))),
        ]);
    }
    page.block();
    page.sentence(&message!("measure-compared"));
    page.table(table);
    if !against.same {
        page.sentence(&message!("measure-not-same"));
    }
}

/// What to type next.
fn ending(page: &mut Page<'_>, measured: &Measured<'_>) {
    let asked = measured.asked;
    if asked.against.is_some() {
        page.sentence(&message!("measure-is-compared"));
        return;
    }
    if !measured.has_writable {
        page.sentence(&message!("measure-nothing-writable"));
        let workers = asked.worker_processes.to_string();
        let options = vec!["--workers".into(), workers.into()];
        page.command(next::command("doctor", options, &selection(asked), None));
        return;
    }
    let Some(kept) = &asked.document.output else {
        page.sentence(&message!("measure-keep"));
        page.command(again(asked, "-o", Path::new("before.json")));
        return;
    };
    page.sentence(&message!("measure-then"));
    page.command(next::command("patch", Vec::new(), &selection(asked), None));
    page.command(again(asked, "--against", kept));
}

/// The same measurement with one more option.
fn again(asked: &arguments::Measure, option: &str, file: &Path) -> Vec<OsString> {
    let workers = asked.worker_processes.to_string();
    let mut options: Vec<OsString> = vec!["--workers".into(), workers.into()];
    let mut selected = selection(asked);
    if let Some(python) = &asked.python {
        selected.environments.clear();
        options.extend(["--python".into(), python.into()]);
    }
    if !asked.modules.is_empty() {
        options.extend(["--import".into(), asked.modules.join(",").into()]);
    }
    options.extend([option.into(), file.into()]);
    next::command("measure", options, &selected, None)
}

/// What was measured, as a selection for other commands.
fn selection(asked: &arguments::Measure) -> Selection {
    let mut selection = asked.selection.clone();
    selection.environments.extend(asked.python.clone());
    selection
}

fn difference(now: u64, before: u64) -> i64 {
    i64::try_from(i128::from(now) - i128::from(before)).unwrap_or(i64::MAX)
}

/// A figure that is below 0 only where something else happened meanwhile.
fn shown(bytes: i64) -> String {
    match u64::try_from(bytes) {
        Ok(bytes) => shown_size(bytes),
        Err(_) => shown_difference(bytes),
    }
}

#[cfg(test)]
mod tests;
