//! `fixnvpe restore`: give back the originals.

use std::ffi::OsString;
use std::path::PathBuf;

use fixnvpe_batch::{Context, RestoreOptions, RestoreReport, RestoreTarget, RunId, State, restore};

use crate::arguments;
use crate::document::{ChangeDocument, Line};
use crate::exit_code::ExitCode;
use crate::fatal::{Fatal, Word};
use crate::job::{self, Job};
use crate::machine::machine;
use crate::message;
use crate::output::Output;
use crate::progress::Watcher;
use crate::records::Records;
use crate::report::{self, next};
use crate::selection::Selected;
use crate::session::Session;

/// Runs the command.
pub(crate) fn run(session: &Session, asked: &arguments::Restore) -> Result<ExitCode, Fatal> {
    let mut what = What::of(asked)?;
    let mut output = session.output(&asked.document)?;
    let job = Job::new(session, &asked.work)?;
    if let What::Selected(selected) = &mut what {
        job.look(&asked.selection, false, selected)?;
    }
    let records = Records::new(machine(session, &asked.selection.place)?);
    let state = job::state(session, &asked.work.state)?;
    if asked.events.jsonl {
        job::begin_lines(session, "restore", &mut output);
    }
    let watcher = job.watcher(asked.events.jsonl.then_some(&mut output));
    let context = job.context(&watcher);
    let patience = job.patience(&watcher);
    let mut options = RestoreOptions::default();
    options.recorded = Some(&records);
    options.change.retry = Some(&patience);
    let done = restore_what(session, asked, what, &state, &context, &watcher, options);
    watcher.end();
    let (report, roots) = done?;
    let code = job::exit_code(&report.results, &report.failures, job.is_interrupted());
    write(session, asked, &mut output, code, report, &roots);
    output.finish()?;
    Ok(code)
}

/// What is to be restored.
enum What {
    Selected(Box<Selected>),
    Last,
    Run(RunId),
    Everything,
}

impl What {
    fn of(asked: &arguments::Restore) -> Result<Self, Fatal> {
        if asked.last {
            return Ok(Self::Last);
        }
        if asked.everything {
            return Ok(Self::Everything);
        }
        if let Some(run) = &asked.run {
            return run.parse().map(Self::Run).map_err(|_| {
                Fatal::usage(message!("no-run-id", run = run.clone())).hint(message!("see-history"))
            });
        }
        if asked.selection.is_empty() {
            return Err(Fatal::usage(message!("restore-nothing-selected"))
                .code(Word::NoSelection)
                .hint(message!("select-to-restore")));
        }
        let selected = job::select(&asked.selection)?;
        Ok(Self::Selected(Box::new(selected)))
    }
}

fn restore_what(
    session: &Session,
    asked: &arguments::Restore,
    what: What,
    state: &State,
    context: &Context<'_>,
    watcher: &Watcher<'_>,
    mut options: RestoreOptions<'_>,
) -> Result<(RestoreReport, Vec<PathBuf>), Fatal> {
    let files;
    let mut roots = Vec::new();
    let target = match what {
        What::Selected(selected) => {
            files = job::find(session, &selected, context, watcher);
            roots.clone_from(&files.roots);
            RestoreTarget::Files(&files.collection)
        }
        What::Last => RestoreTarget::LastRun,
        What::Run(run) => RestoreTarget::Run(run),
        What::Everything => RestoreTarget::Everything,
    };
    options.change.dry_run = asked.dry_run;
    options.infer = asked.infer;
    options.remove_backups = asked.remove_backups;
    asked.change.apply_to(&mut options.change);
    let report =
        restore(&target, &options, state, context).map_err(|error| job::of_batch(&error))?;
    Ok((report, roots))
}

fn write(
    session: &Session,
    asked: &arguments::Restore,
    output: &mut Output,
    code: ExitCode,
    report: RestoreReport,
    roots: &[PathBuf],
) {
    if asked.events.jsonl {
        output.json(&Line::End {
            complete: report.complete,
            exit_code: code,
            run: report.run,
            summary: None,
        });
    } else if asked.document.json {
        let head = session.head(ChangeDocument::RESTORE);
        output.json(&ChangeDocument::of_restore(
            head,
            code,
            asked.dry_run,
            report,
        ));
    } else if session.general.quiet {
        job::say_failures(session, &report.failures, output);
    } else {
        let mut page = session.page(output);
        let done = report::change::Done {
            results: &report.results,
            skipped: &report.skipped,
            failures: &report.failures,
            complete: report.complete,
            run: report.run.as_ref(),
            same_base: &[],
            roots,
            state_dir: asked.work.state.state_dir.as_deref(),
            elevated: session.caller.elevated,
            dry_run: asked.dry_run,
            freed: report.freed,
            to_undo: Vec::new(),
            real: real_command(asked),
            doctor: Vec::new(),
        };
        report::change::write_restore(&mut page, &done);
        output.text(&page.into_text());
    }
}

/// The same command without `--dry-run`.
fn real_command(asked: &arguments::Restore) -> Vec<OsString> {
    let state_dir = asked.work.state.state_dir.as_deref();
    let mut words = next::change(asked.change);
    if let Some(run) = &asked.run {
        words.extend(["--run".into(), run.into()]);
    }
    if asked.last {
        words.push("--last".into());
    }
    for (flag, word) in [
        (asked.everything, "--everything"),
        (asked.infer, "--infer"),
        (asked.remove_backups, "--remove-backups"),
    ] {
        words.extend(flag.then(|| word.into()));
    }
    next::command("restore", words, &asked.selection, state_dir)
}
