//! `fixnvpe measure`: what processes really cost.

mod earlier;
mod target;

use std::io;
use std::path::PathBuf;
use std::process::Command;

use fixnvpe_batch::{Failure, Step};
use fixnvpe_doctor::measure::{
    self, ImageMeasurement, MeasureError, MeasureReport, Measurement, Plan, Process, Processes,
    Stage, compare,
};

use crate::arguments;
use crate::caller;
use crate::document::MeasureDocument;
use crate::exit_code::ExitCode;
use crate::fatal::{Fatal, Word};
use crate::job::{self, Job};
use crate::message;
use crate::output::Output;
use crate::progress::Watcher;
use crate::report;
use crate::session::Session;

use target::Target;

/// What makes this program a process that is measured.
const CHILD: &str = "measured-process";

/// Runs the command.
pub(crate) fn run(session: &Session, asked: &arguments::Measure) -> Result<ExitCode, Fatal> {
    if asked.python.is_none() && !asked.modules.is_empty() {
        let missing = message!("usage-missing", arguments = "--python <NAME|PREFIX>");
        return Err(Fatal::usage(missing));
    }
    if !measure::is_available() {
        return Err(Fatal::usage(message!("measure-not-windows")).code(Word::Unavailable));
    }
    let earlier = match &asked.against {
        Some(file) => Some(earlier::read(file)?),
        None => None,
    };
    let job = Job::new(session, &asked.work)?;
    let mut target = target::find(session, &job, asked)?;
    if job.is_interrupted() {
        return Err(interrupted());
    }
    // The file may be the one of `--against`, which is read by now.
    let mut output = session.output(&asked.document)?;
    let plan = Plan::new(asked.worker_processes, target.subject.clone());
    let measurement = measured(&job, &plan)?;
    target.failures.extend(not_mapped(&measurement));
    let code = exit_code(&job, &target, &measurement);
    let mut report = MeasureReport::new(measurement, None);
    report.against = earlier.as_ref().map(|earlier| {
        let redactor = session.caller.redactor();
        compare(
            &earlier::without_names(earlier, &redactor),
            &earlier::without_names(&report.measurement, &redactor),
        )
    });
    let shown = report::measure::Measured {
        asked,
        report: &report,
        earlier: earlier.as_ref(),
        failures: &target.failures,
        has_writable: target.has_writable,
        is_complete: !job.is_interrupted(),
    };
    for_people(session, &mut output, &shown)?;
    if asked.document.json || asked.document.output.is_some() {
        output.json(&MeasureDocument {
            head: session.head(MeasureDocument::SCHEMA),
            complete: !job.is_interrupted(),
            exit_code: code,
            report,
            skipped: target.skipped,
            failures: target.failures,
        });
    }
    output.finish()?;
    Ok(code)
}

/// The child's side of a measurement.
pub(crate) fn serve() -> Result<ExitCode, Fatal> {
    let (input, output) = (io::stdin().lock(), io::stdout().lock());
    measure::serve(input, output, &mut measure::mapper()).map_err(|error| {
        Fatal::new(ExitCode::Failed, Word::System, message!("measure-failed"))
            .detail(error.to_string())
    })?;
    Ok(ExitCode::Done)
}

/// The table on standard output. With `-o` the file takes the document, since it
/// is kept for a comparison.
fn for_people(
    session: &Session,
    output: &mut Output,
    measured: &report::measure::Measured<'_>,
) -> Result<(), Fatal> {
    let document = &measured.asked.document;
    if document.json {
        return Ok(());
    }
    if session.general.quiet {
        job::say_failures(session, measured.failures, output);
        return Ok(());
    }
    let screen = arguments::Document {
        output: None,
        ..document.clone()
    };
    let mut screen = session.output(&screen)?;
    let mut page = session.page(&screen);
    report::measure::write(&mut page, measured);
    screen.text(&page.into_text());
    screen.finish()
}

fn measured(job: &Job<'_>, plan: &Plan) -> Result<Measurement, Fatal> {
    let own = caller::own_program().map_err(|error| {
        Fatal::new(ExitCode::Failed, Word::System, message!("measure-failed"))
            .detail(error.to_string())
    })?;
    if let Err(error) = measure::end_children_with_this_process() {
        // Each child ends with this process once it runs.
        tracing::debug!(%error, "no job object for this process");
    }
    let watcher = job.watcher(None);
    // The idle one comes first.
    watcher.measuring(u64::from(plan.processes) + 1);
    let mut stage = Watched {
        processes: Processes::new(move || child(&own)).map_err(|error| of_measure(&error))?,
        watcher: &watcher,
    };
    let found = measure::measure(plan, &mut stage, &|| job.is_interrupted());
    watcher.end();
    found.map_err(|error| {
        if job.is_interrupted() {
            interrupted()
        } else {
            of_measure(&error)
        }
    })
}

fn child(own: &PathBuf) -> Command {
    let mut command = Command::new(own);
    command.arg(CHILD);
    command
}

/// Processes, one step of the progress bar each.
struct Watched<'a, S> {
    processes: S,
    watcher: &'a Watcher<'a>,
}

impl<S: Stage> Stage for Watched<'_, S> {
    fn system_commit(&mut self) -> Result<u64, MeasureError> {
        self.processes.system_commit()
    }

    fn start(&mut self, plan: &Plan, idle: bool) -> Result<Box<dyn Process>, MeasureError> {
        let started = self.processes.start(plan, idle);
        self.watcher.measured();
        started
    }
}

/// The images that not even the first process could map.
fn not_mapped(measurement: &Measurement) -> impl Iterator<Item = Failure> {
    let unmapped = |image: &&ImageMeasurement| image.measured.is_none();
    measurement.images.iter().filter(unmapped).map(|image| {
        let error = match image.os_error {
            Some(number) => io::Error::from_raw_os_error(number),
            None => io::Error::other("the process gave no answer about it"),
        };
        Failure::of_io(&image.path, Step::Map, &error)
    })
}

/// More processes than the commit limit allows is something that the caller can
/// change.
fn exit_code(job: &Job<'_>, target: &Target, measurement: &Measurement) -> ExitCode {
    ExitCode::Interrupted
        .when(job.is_interrupted())
        .merge(job::of_failures(&target.failures))
        .merge(ExitCode::LeftUndone.when(measurement.stopped.is_some()))
}

fn interrupted() -> Fatal {
    let message = message!("measure-interrupted");
    Fatal::new(ExitCode::Interrupted, Word::System, message)
}

fn of_measure(error: &MeasureError) -> Fatal {
    let fatal = match error {
        MeasureError::NotWindows => {
            return Fatal::usage(message!("measure-not-windows")).code(Word::Unavailable);
        }
        MeasureError::Nothing => {
            return Fatal::usage(message!("measure-nothing"))
                .code(Word::NoSelection)
                .hint(message!("measure-nothing-hint"));
        }
        MeasureError::Ended { .. } => {
            Fatal::new(ExitCode::Failed, Word::System, message!("measure-failed"))
                .hint(message!("measure-ended-hint"))
        }
        _ => Fatal::new(ExitCode::Failed, Word::System, message!("measure-failed")),
    };
    fatal.detail(job::chain(error))
}
