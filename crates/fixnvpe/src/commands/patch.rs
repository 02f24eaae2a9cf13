//! `fixnvpe patch`: make fat binaries read-only.

use std::ffi::OsString;
use std::path::PathBuf;

use fixnvpe_batch::{Backup, PatchOptions, PatchReport, ScanOptions, patch, scan};
use fixnvpe_pe::Condition;

use crate::arguments;
use crate::attribution::attribute;
use crate::document::{ChangeDocument, Line};
use crate::exit_code::ExitCode;
use crate::fatal::{Fatal, Word};
use crate::job::{self, Job};
use crate::message;
use crate::output::Output;
use crate::report::{self, next};
use crate::session::Session;
use crate::size::shown_size;

/// Runs the command.
pub(crate) fn run(session: &Session, asked: &arguments::Patch) -> Result<ExitCode, Fatal> {
    if asked.selection.is_empty() {
        return Err(nothing_selected(session, asked)?);
    }
    let mut selected = job::select(&asked.selection)?;
    let mut output = session.output(&asked.document)?;
    let job = Job::new(session, &asked.work)?;
    let around = job.look(&asked.selection, false, &mut selected)?;
    let state = job::state(session, &asked.work.state)?;
    if asked.events.jsonl {
        job::begin_lines(session, "patch", &mut output);
    }
    let watcher = job.watcher(asked.events.jsonl.then_some(&mut output));
    let context = job.context(&watcher);
    let files = job::find(session, &selected, &context, &watcher);
    let mut options = PatchOptions::default();
    options.policy = asked.policy.into();
    options.change.dry_run = asked.dry_run;
    options.change.backup = match asked.backup {
        arguments::Backup::None => Backup::None,
        arguments::Backup::Copy => Backup::Copy,
    };
    asked.change.apply_to(&mut options.change);
    let patience = job.patience(&watcher);
    options.change.retry = Some(&patience);
    let neighbours = job.neighbours(&files.collection, &asked.selection, around.as_ref())?;
    options.change.neighbours = neighbours.as_ref();
    let done = patch(&files.collection, &options, &state, &context);
    watcher.end();
    let report = done.map_err(|error| job::of_batch(&error))?;
    let code = job::exit_code(&report.results, &report.failures, job.is_interrupted());
    write(session, asked, &mut output, code, report, &files.roots);
    output.finish()?;
    Ok(code)
}

/// What to say where nothing is selected: what a scan of all environments
/// finds, and the likely commands.
fn nothing_selected(session: &Session, asked: &arguments::Patch) -> Result<Fatal, Fatal> {
    let mut selected = job::select(&asked.selection)?;
    let job = Job::new(session, &asked.work)?;
    let around = job.look(&asked.selection, true, &mut selected)?;
    let watcher = job.watcher(None);
    let context = job.context(&watcher);
    let files = job::find(session, &selected, &context, &watcher);
    let mut options = ScanOptions::default();
    options.policy = asked.policy.into();
    let mut found = scan(&files.collection, &options, None, &context);
    watcher.end();
    found
        .images
        .retain(|image| image.condition == Condition::Writable);
    let mut costs = around.map_or_else(Vec::new, |around| attribute(&around, &mut found.images));
    costs.retain(|one| one.commit_if_all_loaded.now > 0);
    costs.sort_by_key(|one| std::cmp::Reverse(one.commit_if_all_loaded.now));
    let fatal = Fatal::usage(message!("patch-nothing-selected")).code(Word::NoSelection);
    let Some(dearest) = costs.first() else {
        return Ok(fatal
            .hint(message!("scan-finds-nothing"))
            .hint(message!("select-a-folder-to-patch")));
    };
    let command = |option: &[&str]| {
        let mut words = real_command(asked);
        words.extend(option.iter().map(Into::into));
        next::likely(words)
    };
    let fatal = fatal.hint(message!(
        "scan-finds",
        images = found.images.len(),
        environments = costs.len(),
        now = shown_size(dearest.commit_if_all_loaded.now),
        name = dearest.name.as_str(),
    ));
    let dearest = command(&["--env", &dearest.prefix]);
    let commands = dearest.into_iter().chain(command(&["--all-envs"]));
    Ok(commands.fold(fatal, Fatal::hint))
}

fn write(
    session: &Session,
    asked: &arguments::Patch,
    output: &mut Output,
    code: ExitCode,
    report: PatchReport,
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
        let head = session.head(ChangeDocument::PATCH);
        output.json(&ChangeDocument::of_patch(head, code, asked.dry_run, report));
    } else if session.general.quiet {
        job::say_failures(session, &report.failures, output);
    } else {
        let state_dir = asked.work.state.state_dir.as_deref();
        let mut page = session.page(output);
        let done = report::change::Done {
            results: &report.results,
            skipped: &report.skipped,
            failures: &report.failures,
            complete: report.complete,
            run: report.run.as_ref(),
            same_base: &report.same_base,
            roots,
            state_dir,
            elevated: session.caller.elevated,
            dry_run: asked.dry_run,
            freed: 0,
            to_undo: next::change(asked.change.to_undo()),
            real: real_command(asked),
            doctor: next::command("doctor", Vec::new(), &asked.selection, state_dir),
        };
        report::change::write_patch(&mut page, &done);
        output.text(&page.into_text());
    }
}

/// The same command without `--dry-run`.
fn real_command(asked: &arguments::Patch) -> Vec<OsString> {
    let mut options = next::policy(asked.policy);
    options.extend(next::change(asked.change));
    if asked.backup == arguments::Backup::Copy {
        options.extend(["--backup".into(), "copy".into()]);
    }
    let state_dir = asked.work.state.state_dir.as_deref();
    next::command("patch", options, &asked.selection, state_dir)
}
