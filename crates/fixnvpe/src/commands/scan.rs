//! `fixnvpe scan`: what is there, and what it costs.

use fixnvpe_batch::{ScanOptions, ScanReport, scan};
use fixnvpe_pe::Condition;

use crate::arguments;
use crate::attribution::attribute;
use crate::document::{EnvironmentCost, Line, ScanDocument};
use crate::exit_code::ExitCode;
use crate::fatal::Fatal;
use crate::job::{self, Job};
use crate::machine::machine;
use crate::output::Output;
use crate::records::Records;
use crate::report;
use crate::selection::Around;
use crate::session::Session;

/// Runs the command.
pub(crate) fn run(session: &Session, asked: &arguments::Scan) -> Result<ExitCode, Fatal> {
    let mut selected = job::select(&asked.selection)?;
    let mut output = session.output(&asked.document)?;
    let job = Job::new(session, &asked.work)?;
    // Nothing named is everything; caches and toolkits come on top of it.
    let every = selected.roots.is_empty() && !asked.selection.selects_environments();
    let records = Records::new(machine(session, &asked.selection.place)?);
    let around = job.look(&asked.selection, every, &mut selected)?;
    let (journal, _) = job::journal(session, &asked.work.state)?;
    if asked.events.jsonl {
        job::begin_lines(session, "scan", &mut output);
    }
    let watcher = job
        .watcher(asked.events.jsonl.then_some(&mut output))
        .naming_packages(&records);
    let context = job.context(&watcher);
    let files = job::find(session, &selected, &context, &watcher);
    let mut options = ScanOptions::default();
    options.policy = asked.policy.into();
    let mut found = scan(&files.collection, &options, Some(&journal), &context);
    watcher.end();
    let environments = around
        .as_ref()
        .map(|around| attribute(around, &mut found.images));
    if asked.document.json {
        let images = found.images.iter_mut();
        images.for_each(|image| records.name_package(image));
    }
    let code = exit_code(&found, asked.check, job.is_interrupted());
    let found = Found {
        report: found,
        roots: files.roots,
        environments: environments.unwrap_or_default(),
        around,
    };
    write(session, asked, &mut output, code, found);
    output.finish()?;
    Ok(code)
}

struct Found {
    report: ScanReport,
    roots: Vec<std::path::PathBuf>,
    environments: Vec<EnvironmentCost>,
    around: Option<Around>,
}

fn write(
    session: &Session,
    asked: &arguments::Scan,
    output: &mut Output,
    code: ExitCode,
    found: Found,
) {
    if asked.events.jsonl {
        output.json(&Line::End {
            complete: found.report.complete,
            exit_code: code,
            run: None,
            summary: Some(found.report.summary),
        });
    } else if asked.document.json {
        let head = session.head(ScanDocument::SCHEMA);
        let skipped = found.around.map(|around| around.discovery.skipped);
        output.json(&ScanDocument::new(
            head,
            code,
            found.environments,
            found.report,
            skipped.unwrap_or_default(),
        ));
    } else if session.general.quiet {
        job::say_failures(session, &found.report.failures, output);
    } else {
        let mut page = session.page(output);
        let found = report::scan::Found {
            report: &found.report,
            roots: &found.roots,
            environments: &found.environments,
            around: found.around.as_ref(),
        };
        report::scan::write(&mut page, asked, &found);
        output.text(&page.into_text());
    }
}

/// A writable image counts only where it was looked for.
fn exit_code(report: &ScanReport, check: bool, interrupted: bool) -> ExitCode {
    let writable = report
        .images
        .iter()
        .any(|image| image.condition == Condition::Writable);
    ExitCode::Interrupted
        .when(interrupted)
        .merge(job::of_failures(&report.failures))
        .merge(ExitCode::Found.when(check && writable))
}
