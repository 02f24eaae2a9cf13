//! `fixnvpe doctor`: what is wrong, which answer is best, what to type.

use fixnvpe_doctor::facts::Options;

use crate::arguments;
use crate::diagnosis::{Diagnosis, diagnose, fill_in};
use crate::document::DoctorDocument;
use crate::exit_code::ExitCode;
use crate::fatal::{Fatal, Word};
use crate::job::{self, Job};
use crate::message;
use crate::report;
use crate::session::Session;

/// Runs the command.
pub(crate) fn run(session: &Session, asked: &arguments::Doctor) -> Result<ExitCode, Fatal> {
    let mut output = session.output(&asked.document)?;
    let job = Job::new(session, &asked.work)?;
    let mut options = Options::with_workers(asked.plan.workers);
    options.pinned = asked.plan.pinned;
    let found = diagnose(
        session,
        &job,
        &asked.selection,
        &asked.work,
        &options,
        &asked.plan.imports,
    )?;
    unknown_modules(session, &found, asked.plan.imports.len())?;
    let code = exit_code(&found, &job);
    if asked.document.json {
        output.json(&document(session, code, found));
    } else if session.general.quiet {
        job::say_failures(session, &found.failures, &output);
    } else {
        let mut page = session.page(&output);
        report::doctor::write(&mut page, &found);
        output.text(&page.into_text());
    }
    output.finish()?;
    Ok(code)
}

/// Says which of the named modules no environment has; where that is all of
/// them, there is nothing to calculate.
fn unknown_modules(session: &Session, found: &Diagnosis, named: usize) -> Result<(), Fatal> {
    let mut unknown = found.report.environments.iter().map(|one| {
        let imports = one.facts.imports.as_ref();
        imports.map_or(&[][..], |imports| &imports.unknown)
    });
    let mut nowhere = unknown.next().unwrap_or_default().to_vec();
    for here in unknown {
        nowhere.retain(|module| here.contains(module));
    }
    if nowhere.is_empty() {
        return Ok(());
    }
    let modules = nowhere.join(", ");
    let message = message!("doctor-unknown-modules", modules = modules);
    if nowhere.len() == named {
        return Err(Fatal::usage(message)
            .code(Word::NoMatch)
            .hint(message!("doctor-unknown-modules-hint")));
    }
    session.notes().warning(&message);
    Ok(())
}

/// What is wrong with an environment is the result, not a failure.
pub(crate) fn exit_code(found: &Diagnosis, job: &Job<'_>) -> ExitCode {
    ExitCode::Interrupted
        .when(job.is_interrupted())
        .merge(job::of_failures(&found.failures))
}

fn document(session: &Session, code: ExitCode, found: Diagnosis) -> DoctorDocument {
    let mut report = found.report;
    fill_in(&mut report);
    DoctorDocument {
        head: session.head(DoctorDocument::SCHEMA),
        complete: found.complete,
        exit_code: code,
        report,
        skipped: found.skipped,
        failures: found.failures,
    }
}

/// Says how to go on, to someone who typed nothing but the program's name.
pub(crate) fn what_next(session: &Session) {
    if let Ok(mut output) = session.output(&arguments::Document::default()) {
        let mut page = session.page(&output);
        report::doctor::what_next(&mut page);
        output.text(&format!("\n{}", page.into_text()));
        // What was found is told; a reader that went away has seen it.
        let _ = output.finish();
    }
}
