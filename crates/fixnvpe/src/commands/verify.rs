//! `fixnvpe verify`: whether files are what their packages installed.

use std::collections::BTreeSet;

use fixnvpe_batch::{FileState, VerifyOptions, VerifyReport, verify};

use crate::arguments;
use crate::document::{Line, VerifyDocument};
use crate::exit_code::ExitCode;
use crate::fatal::Fatal;
use crate::job::{self, Job};
use crate::machine::machine;
use crate::output::Output;
use crate::records::Records;
use crate::report;
use crate::session::Session;

/// Runs the command.
pub(crate) fn run(session: &Session, asked: &arguments::Verify) -> Result<ExitCode, Fatal> {
    let mut selected = job::select(&asked.selection)?;
    let mut output = session.output(&asked.document)?;
    let job = Job::new(session, &asked.work)?;
    // Nothing named is everything, as for a scan.
    let every = selected.roots.is_empty() && !asked.selection.selects_environments();
    let records = Records::new(machine(session, &asked.selection.place)?);
    job.look(&asked.selection, every, &mut selected)?;
    let (journal, _) = job::journal(session, &asked.work.state)?;
    if asked.events.jsonl {
        job::begin_lines(session, "verify", &mut output);
    }
    let watcher = job.watcher(asked.events.jsonl.then_some(&mut output));
    let context = job.context(&watcher);
    let files = job::find(session, &selected, &context, &watcher);
    let options = VerifyOptions::new(&records);
    let found = verify(&files.collection, &options, Some(&journal), &context);
    watcher.end();
    let code = exit_code(&found, job.is_interrupted());
    write(session, asked, &mut output, code, found, &records);
    output.finish()?;
    Ok(code)
}

fn write(
    session: &Session,
    asked: &arguments::Verify,
    output: &mut Output,
    code: ExitCode,
    report: VerifyReport,
    records: &Records,
) {
    if asked.events.jsonl {
        output.json(&Line::End {
            complete: report.complete,
            exit_code: code,
            run: None,
            summary: None,
        });
    } else if asked.document.json {
        let head = session.head(VerifyDocument::SCHEMA);
        output.json(&VerifyDocument::new(head, code, report));
    } else if session.general.quiet {
        job::say_failures(session, &report.failures, output);
    } else {
        let modified = report
            .results
            .iter()
            .filter(|result| result.state == FileState::Modified);
        let reinstall: BTreeSet<_> = modified
            .filter_map(|result| records.reinstall(&result.path))
            .collect();
        let mut page = session.page(output);
        let found = report::verify::Found {
            report: &report,
            reinstall: &reinstall,
        };
        report::verify::write(&mut page, asked, &found);
        output.text(&page.into_text());
    }
}

fn exit_code(report: &VerifyReport, interrupted: bool) -> ExitCode {
    let modified = report
        .results
        .iter()
        .any(|result| result.state == FileState::Modified);
    ExitCode::Interrupted
        .when(interrupted)
        .merge(job::of_failures(&report.failures))
        .merge(ExitCode::Found.when(modified))
}
