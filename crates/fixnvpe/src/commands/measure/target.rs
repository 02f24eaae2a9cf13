//! What is measured: the images of a selection, or a Python that imports.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use fixnvpe_batch::{Failure, ImageReport, ScanOptions, scan};
use fixnvpe_doctor::facts::{EnvironmentFacts, Options};
use fixnvpe_doctor::measure::{MeasuredImage, Subject};
use fixnvpe_pe::{CommitCharge, Condition};

use crate::arguments::{self, Selection};
use crate::diagnosis::{Diagnosis, diagnose};
use crate::document::LeftOut;
use crate::fatal::{Fatal, Word};
use crate::job::{self, Job};
use crate::message;
use crate::paths::printable;
use crate::report::cost::prefix_of;
use crate::report::next;
use crate::report::problems::is_failure;
use crate::session::Session;

/// What is measured, and what the way there found.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) subject: Subject,
    /// Whether a patch would change any of it.
    pub(super) has_writable: bool,
    pub(super) skipped: Vec<LeftOut>,
    pub(super) failures: Vec<Failure>,
}

/// Finds it.
///
/// # Errors
///
/// Usage errors only: nothing is selected, or more than one process loads.
pub(super) fn find(
    session: &Session,
    job: &Job<'_>,
    asked: &arguments::Measure,
) -> Result<Target, Fatal> {
    match &asked.python {
        Some(wanted) => python(session, job, asked, wanted),
        None => images(session, job, asked),
    }
}

/// The images of the selection that hold GPU code, and every file that was named.
fn images(session: &Session, job: &Job<'_>, asked: &arguments::Measure) -> Result<Target, Fatal> {
    if asked.selection.is_empty() {
        return Err(Fatal::usage(message!("measure-nothing"))
            .code(Word::NoSelection)
            .hint(message!("measure-nothing-hint")));
    }
    let mut selected = job::select(&asked.selection)?;
    let around = job.look(&asked.selection, false, &mut selected)?;
    let watcher = job.watcher(None);
    let context = job.context(&watcher);
    let files = job::find(session, &selected, &context, &watcher);
    let found = scan(&files.collection, &ScanOptions::default(), None, &context);
    watcher.end();
    let is_measured = |image: &&ImageReport| {
        let is_named = files.roots.contains(&image.path);
        (is_named || image.condition != Condition::NoFatbin)
            && !is_failure(&image.path, &found.failures)
    };
    let measured: Vec<&ImageReport> = found.images.iter().filter(is_measured).collect();
    one_environment(asked, &measured)?;
    let subject = measured.iter().map(|image| {
        let charge = CommitCharge::new(image.commit.now, image.commit.after);
        MeasuredImage::new(fixnvpe_files::shown(&image.path), charge)
    });
    let subject = Subject::Images(subject.collect());
    let is_writable = |image: &&ImageReport| image.condition == Condition::Writable;
    let has_writable = measured.iter().any(is_writable);
    let places = around
        .into_iter()
        .flat_map(|around| around.discovery.skipped);
    let skipped = found.skipped.into_iter().map(LeftOut::File);
    Ok(Target {
        subject,
        has_writable,
        skipped: skipped.chain(places.map(LeftOut::Place)).collect(),
        failures: found.failures,
    })
}

/// No process loads the images of two environments: what it would cost is no
/// figure that anyone pays.
fn one_environment(asked: &arguments::Measure, images: &[&ImageReport]) -> Result<(), Fatal> {
    let prefixes: BTreeSet<PathBuf> = images
        .iter()
        .filter_map(|image| prefix_of(&fixnvpe_files::shown(&image.path)))
        .collect();
    if prefixes.len() < 2 {
        return Ok(());
    }
    let mut fatal = Fatal::usage(message!("measure-several", count = prefixes.len()));
    for prefix in prefixes.iter().take(3) {
        let selection = Selection {
            paths: vec![prefix.into()],
            place: asked.selection.place.clone(),
            ..Selection::default()
        };
        let words = next::command("measure", Vec::new(), &selection, None);
        fatal = next::likely(words).into_iter().fold(fatal, Fatal::hint);
    }
    Err(fatal)
}

/// A Python, and what its imports should cost by the headers of what they map.
fn python(
    session: &Session,
    job: &Job<'_>,
    asked: &arguments::Measure,
    wanted: &str,
) -> Result<Target, Fatal> {
    let mut found = examined(session, job, asked, wanted)?;
    let prefix = |facts: &EnvironmentFacts| facts.prefix.clone();
    let environment = match &mut *found.report.environments {
        [one] => &mut one.facts,
        several => {
            let mut fatal = Fatal::usage(message!("measure-no-program", name = wanted));
            for one in several {
                let prefix = printable(&prefix(&one.facts), None);
                fatal = fatal.hint(message!("use-prefix", prefix = prefix));
            }
            return Err(fatal.code(Word::NoMatch));
        }
    };
    let Some(program) = environment.program.clone() else {
        return Err(Fatal::usage(message!("measure-no-program", name = wanted))
            .code(Word::NoMatch)
            .hint(message!("see-envs")));
    };
    let imports = environment.imports.take();
    // What is named is imported whether its files were recognised or not: Python
    // knows. Only a calculation of all of it can be compared with.
    let (modules, commit) = match imports {
        Some(imports) if imports.unknown.is_empty() => (imports.modules, Some(imports.commit.now)),
        _ => (asked.modules.clone(), None),
    };
    if modules.is_empty() {
        let message = message!("measure-no-module");
        return Err(Fatal::usage(message).code(Word::NoSelection));
    }
    Ok(Target {
        subject: Subject::Python {
            program: fixnvpe_files::shown(&program),
            imports: modules,
            calculated: commit,
        },
        has_writable: environment.writable().next().is_some(),
        skipped: found.skipped,
        failures: found.failures,
    })
}

/// What the doctor knows of the environment. One that is in none of the places
/// where environments lie is its folder.
fn examined(
    session: &Session,
    job: &Job<'_>,
    asked: &arguments::Measure,
    wanted: &str,
) -> Result<Diagnosis, Fatal> {
    let of = |selection: &Selection| {
        let (work, options) = (&asked.work, Options::default());
        diagnose(session, job, selection, work, &options, &asked.modules)
    };
    let place = asked.selection.place.clone();
    let named = Selection {
        environments: vec![wanted.to_owned()],
        place: place.clone(),
        ..Selection::default()
    };
    match of(&named) {
        Err(fatal) if fatal.word == Word::NoMatch && Path::new(wanted).is_dir() => of(&Selection {
            paths: vec![wanted.into()],
            place,
            ..Selection::default()
        }),
        examined => examined,
    }
}
