//! `fixnvpe scan` for people.

use std::ffi::OsString;
use std::path::PathBuf;

use fixnvpe_batch::{ImageReport, ScanReport};
use fixnvpe_pe::{Condition, Reason};

use super::cost::{self, Place};
use super::{Page, next, problems, words};
use crate::arguments;
use crate::catalogue::Message;
use crate::document::EnvironmentCost;
use crate::message;
use crate::selection::Around;
use crate::size::shown_size;
use crate::table::{Column, Table};

/// Writes what a scan found.
pub(crate) fn write(page: &mut Page<'_>, asked: &arguments::Scan, found: &Found<'_>) {
    let report = found.report;
    table(page, report);
    summary(page, report);
    let refused = report
        .images
        .iter()
        .filter(|image| image.condition == Condition::Refused)
        .filter(|image| !problems::is_failure(&image.path, &report.failures));
    problems::refused(
        page,
        refused.filter_map(|image| Some((image.reason?, image.path.as_path()))),
    );
    problems::skipped(page, &report.skipped);
    problems::failures(page, &report.failures);
    if let Some(around) = found.around {
        page.block();
        page.sentence(&message!(
            "environments-scanned",
            count = found.environments.len()
        ));
        super::environments::looked(page, &around.discovery);
    }
    ending(page, asked, found);
}

/// What a scan found, and where.
#[derive(Debug)]
pub(crate) struct Found<'a> {
    pub(crate) report: &'a ScanReport,
    pub(crate) roots: &'a [PathBuf],
    pub(crate) environments: &'a [EnvironmentCost],
    pub(crate) around: Option<&'a Around>,
}

fn table(page: &mut Page<'_>, report: &ScanReport) {
    let mut listed: Vec<&ImageReport> = report
        .images
        .iter()
        .filter(|image| image.condition != Condition::NoFatbin || page.is_verbose())
        .collect();
    listed.sort_by(|a, b| {
        let cost = (b.commit.now, b.commit.after).cmp(&(a.commit.now, a.commit.after));
        cost.then_with(|| a.path.cmp(&b.path))
    });
    let mut table = Table::new([
        (Column::Figures, page.say(&message!("column-now"))),
        (Column::Figures, page.say(&message!("column-after"))),
        (Column::Words, page.say(&message!("column-condition"))),
        (Column::Path, page.say(&message!("column-file"))),
    ]);
    for image in listed {
        if problems::is_failure(&image.path, &report.failures) {
            let damaged = page.say(&message!("condition-damaged"));
            table.row(["-".into(), "-".into(), damaged, page.path(&image.path)]);
            continue;
        }
        table.row([
            shown_size(image.commit.now),
            shown_size(image.commit.after),
            condition(page, image),
            page.path(&image.path),
        ]);
    }
    if !table.is_empty() {
        page.table(table);
    }
}

fn condition(page: &Page<'_>, image: &ImageReport) -> String {
    if image.patched_in.is_some() {
        return page.say(&message!("condition-patched"));
    }
    page.say(&words::condition(image.condition))
}

fn summary(page: &mut Page<'_>, report: &ScanReport) {
    let count = report.summary;
    if count.images == 0 {
        // Where the search itself failed, the failures say more.
        if report.failures.is_empty() {
            page.block();
            page.sentence(&message!("scan-no-images", files = count.files));
        }
        return;
    }
    page.block();
    page.sentence(&message!(
        "scan-summary",
        images = count.images,
        writable = count.writable,
        read_only = count.read_only,
        refused = count.refused,
    ));
}

fn ending(page: &mut Page<'_>, asked: &arguments::Scan, found: &Found<'_>) {
    let report = found.report;
    if !report.complete {
        page.block();
        page.sentence(&message!("interrupted"));
    }
    let writable = report
        .images
        .iter()
        .filter(|image| image.condition == Condition::Writable);
    let places = cost::by_place(
        writable.map(|image| (image.names.as_slice(), image.commit)),
        found.roots,
    );
    if places.is_empty() {
        nothing_writable(page, asked, report);
        return;
    }
    page.block();
    costs(page, &places);
    page.block();
    page.sentence(&message!("next-patch"));
    let mut words = next::command(
        "patch",
        next::policy(asked.policy),
        &asked.selection,
        asked.work.state.state_dir.as_deref(),
    );
    if found.around.is_some() && asked.selection.is_empty() {
        words.insert(2, "--all-envs".into());
    }
    page.command(words);
    if asked.check {
        page.block();
        page.sentence(&message!("check-found"));
        page.command(doctor(asked));
    }
}

/// The doctor for the same selection.
fn doctor(asked: &arguments::Scan) -> Vec<OsString> {
    let state_dir = asked.work.state.state_dir.as_deref();
    next::command("doctor", Vec::new(), &asked.selection, state_dir)
}

/// What a process pays for what is writable, place by place.
pub(crate) fn costs(page: &mut Page<'_>, places: &[Place]) {
    if let [place] = places {
        page.sentence(&message!(
            "cost-of-one-place",
            now = shown_size(place.commit.now),
            after = shown_size(place.commit.after),
        ));
        return;
    }
    page.sentence(&message!("cost-by-place"));
    let headers = [message!("column-now"), message!("column-after")];
    page.table(places_table(page, &headers, places));
}

/// Places with what a process pays in each, under these two headers.
pub(crate) fn places_table(page: &Page<'_>, headers: &[Message; 2], places: &[Place]) -> Table {
    let mut table = Table::new([
        (Column::Figures, page.say(&headers[0])),
        (Column::Figures, page.say(&headers[1])),
        (Column::Path, page.say(&message!("column-place"))),
    ]);
    for place in places {
        table.row([
            shown_size(place.commit.now),
            shown_size(place.commit.after),
            page.path(&place.prefix),
        ]);
    }
    table
}

fn nothing_writable(page: &mut Page<'_>, asked: &arguments::Scan, report: &ScanReport) {
    if report.summary.images == 0 || !report.complete {
        return;
    }
    page.block();
    if report.summary.refused == 0 {
        page.sentence(&message!("nothing-writable"));
    } else {
        page.sentence(&message!("nothing-to-patch-but-refused"));
    }
    // What a flag would lift may still be the cause.
    let can_be_lifted = |image: &ImageReport| {
        image.condition == Condition::Refused && image.reasons == [Reason::Signed]
    };
    if !report.images.iter().any(can_be_lifted) {
        other_causes(page);
        page.sentence(&message!("scan-look-for-cause"));
        page.command(doctor(asked));
    }
}

/// What else may be behind the error, where a patch has nothing to do.
pub(crate) fn other_causes(page: &mut Page<'_>) {
    page.sentence(&message!("other-causes"));
    page.indented(&message!("cause-page-file"), 2);
    page.indented(&message!("cause-workers"), 2);
    page.indented(&message!("cause-threads"), 2);
}
