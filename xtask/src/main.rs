//! Tasks of the workspace, run by `cargo xtask`.
//!
//! What a task needs of the program under work it gets by running it: `cargo build` first
//! ([`workspace`]), then the program with its JSON output ([`program`]).

mod bench;
mod check;
mod demo;
mod error;
mod files;
mod fixtures;
mod links;
mod measure;
mod program;
mod python;
mod release;
mod samples;
mod schemas;
mod screen;
mod windows;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::error::Error;

/// Tasks of the fixnvpe workspace.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Line {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Writes the fixture images into a folder, or lists them.
    Fixtures(fixtures::Fixtures),
    /// Shows the main job on a throwaway tree: scan, patch, restore, nothing left behind.
    Demo(demo::Demo),
    /// Downloads real wheels and checks what fixnvpe does to their DLLs.
    Samples(samples::Samples),
    /// Proves on real hard links, made by uv, whose files a patch and a restore change.
    Links(links::Links),
    /// Compares an edit in place with rewriting the whole file.
    Bench(bench::Bench),
    /// Builds an archive of the program for each target.
    Release(release::Release),
    /// Writes the JSON Schemas of the program's documents into docs/schemas, or checks them.
    Schemas(schemas::Schemas),
    /// Builds, tests or runs fixnvpe as a Windows program.
    Windows(windows::Windows),
    /// Runs a program and writes down what it read, wrote and took of memory.
    #[command(hide = true)]
    Measure(measure::Measure),
}

fn main() -> ExitCode {
    match run(&Line::parse().task) {
        Ok(code) => code,
        Err(error) => {
            screen::complain(&error);
            ExitCode::FAILURE
        }
    }
}

fn run(task: &Task) -> Result<ExitCode, Error> {
    let done = match task {
        Task::Fixtures(task) => fixtures::run(task),
        Task::Demo(task) => demo::run(task),
        Task::Samples(task) => samples::run(task),
        Task::Links(task) => links::run_proof(task),
        Task::Bench(task) => bench::run(task),
        Task::Release(task) => release::run(task),
        Task::Schemas(task) => schemas::run(task),
        Task::Windows(task) => return Ok(windows::run(task)?),
        Task::Measure(task) => return measure::run(task),
    };
    done.map(|()| ExitCode::SUCCESS)
}
