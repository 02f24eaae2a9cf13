//! `fixnvpe envs`: what Python environments there are, and where they are
//! looked for.

use fixnvpe_envs::{DiscoverOptions, Discovery, Environment, Machine, Packages, discover, places};
use rayon::prelude::*;

use crate::arguments::{self, Work};
use crate::document::{CudaPackage, EnvironmentEntry, EnvsDocument, LeftOut, PlaceEntry};
use crate::exit_code::ExitCode;
use crate::fatal::Fatal;
use crate::job::Job;
use crate::machine::machine;
use crate::report;
use crate::selection::kinds;
use crate::session::Session;

/// Runs the command.
pub(crate) fn run(session: &Session, asked: &arguments::Envs) -> Result<ExitCode, Fatal> {
    let kinds = kinds(&asked.kind)?;
    let mut output = session.output(&asked.document)?;
    if asked.places {
        show_places(session, asked, &mut output);
        output.finish()?;
        return Ok(ExitCode::Done);
    }
    let machine = machine(session, &asked.place)?;
    let work = Work {
        threads: asked.threads,
        ..Work::default()
    };
    let job = Job::new(session, &work)?;
    let watcher = job.watcher(None);
    watcher.looking();
    let options = DiscoverOptions::new()
        .deep(asked.place.deep)
        .caches(asked.beside.caches)
        .toolkits(asked.beside.toolkits);
    let mut found = discover(&machine, options, job.pool(), &|| job.is_interrupted());
    if !kinds.is_empty() {
        found
            .environments
            .retain(|environment| kinds.contains(&environment.kind));
    }
    let entries = job.pool().install(|| describe(&machine, &found));
    watcher.end();
    let code = ExitCode::Interrupted.when(job.is_interrupted());
    if asked.document.json {
        output.json(&document(session, code, entries, found));
    } else if !session.general.quiet {
        let mut page = session.page(&output);
        report::environments::write(&mut page, &entries, &found);
        output.text(&page.into_text());
    }
    output.finish()?;
    Ok(code)
}

fn describe(machine: &Machine, found: &Discovery) -> Vec<EnvironmentEntry> {
    let entry = |environment: &Environment| {
        let packages = Packages::read(machine, environment);
        let about_cuda = packages
            .distributions()
            .into_iter()
            .filter(|one| one.is_about_cuda())
            .map(|one| CudaPackage {
                name: one.name.clone(),
                version: one.version.clone(),
            });
        EnvironmentEntry {
            environment: environment.clone(),
            cuda_packages: about_cuda.collect(),
            torch: packages.torch(),
        }
    };
    found.environments.par_iter().map(entry).collect()
}

fn document(
    session: &Session,
    code: ExitCode,
    entries: Vec<EnvironmentEntry>,
    found: Discovery,
) -> EnvsDocument {
    EnvsDocument {
        head: session.head(EnvsDocument::SCHEMA),
        complete: found.complete,
        exit_code: code,
        environments: entries,
        caches: found.caches,
        toolkits: found.toolkits,
        places: None,
        looked: Some(found.looked),
        skipped: found.skipped.into_iter().map(LeftOut::Place).collect(),
        failures: Vec::new(),
    }
}

fn show_places(session: &Session, asked: &arguments::Envs, output: &mut crate::output::Output) {
    let texts = |list: &[&str]| list.iter().map(|&text| text.to_owned()).collect();
    let rows: Vec<PlaceEntry> = places()
        .iter()
        .map(|place| PlaceEntry {
            tool: place.tool.to_owned(),
            windows: texts(place.windows),
            elsewhere: texts(place.elsewhere),
            marker: place.marker.to_owned(),
        })
        .collect();
    if asked.document.json {
        output.json(&EnvsDocument {
            head: session.head(EnvsDocument::SCHEMA),
            complete: true,
            exit_code: ExitCode::Done,
            environments: Vec::new(),
            caches: Vec::new(),
            toolkits: Vec::new(),
            places: Some(rows),
            looked: None,
            skipped: Vec::new(),
            failures: Vec::new(),
        });
    } else {
        let mut page = session.page(output);
        report::environments::write_places(
            &mut page,
            &rows,
            cfg!(windows) || !asked.place.root.is_empty(),
        );
        output.text(&page.into_text());
    }
}
