//! fixnvpe as a Windows program: built, tested and run, on Windows or not.
//!
//! On Windows its own toolchain does it. Elsewhere the program is built for
//! `x86_64-pc-windows-gnu`, linked by mingw-w64 and run by Wine: what is here
//! ([`machine`]), how to get the rest ([`install`]), where things go
//! ([`folders`]), what cargo is asked ([`cargo`]), what Wine needs ([`wine`]), a real library for
//! the tests ([`sample`]), and whether all of them came to their end ([`told`]).

mod cargo;
mod folders;
mod install;
mod invocation;
mod machine;
mod sample;
mod told;
mod wine;

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{ExitCode, ExitStatus};

use cargo::Job;
use folders::Folders;
use invocation::Invocation;
use machine::{Machine, Need, Toolchain};
use told::Told;

/// The target of a build from elsewhere.
const TARGET: &str = "x86_64-pc-windows-gnu";

/// Builds, tests or runs fixnvpe as a Windows program.
#[derive(Debug, clap::Args)]
pub(crate) struct Windows {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, clap::Subcommand)]
enum Task {
    /// Builds the program; the last line is the path of fixnvpe.exe.
    Build {
        #[command(flatten)]
        options: Options,
    },
    /// Builds and runs the tests, end-to-end tests included.
    Test {
        #[command(flatten)]
        options: Options,
        /// Only the tests of this package (may be given again).
        #[arg(long, short, value_name = "NAME")]
        package: Vec<String>,
        /// Arguments for the test programs: a filter, `--nocapture`.
        #[arg(last = true)]
        args: Vec<OsString>,
    },
    /// Checks what is compiled on Windows alone with clippy, warnings denied.
    Lint {
        #[command(flatten)]
        options: Options,
    },
    /// Builds the program and runs it.
    Run {
        #[command(flatten)]
        options: Options,
        /// Arguments for fixnvpe.
        #[arg(last = true)]
        args: Vec<OsString>,
    },
}

#[derive(Debug, Clone, Copy, clap::Args)]
struct Options {
    /// Installs what is missing (rustup, else apt-get); without it, says what to install.
    #[arg(long)]
    install: bool,
    /// Builds with optimizations.
    #[arg(long)]
    release: bool,
}

/// Why a Windows task failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum Error {
    /// Something is not installed.
    #[error("this needs more than is installed; either add `--install` or run:\n{advice}")]
    Missing { advice: String },
    /// A program could not be started.
    #[error("cannot start `{command}`: {source}")]
    NotStarted {
        command: String,
        source: std::io::Error,
    },
    /// A program ended with an error.
    #[error("`{command}` failed ({status})")]
    Failed { command: String, status: ExitStatus },
    /// Test programs went away without a word.
    #[error(
        "of {began} test programs {left} did not tell their result: look for the last one in the \
         output above, and run its tests alone (`-p NAME -- FILTER`)"
    )]
    Unfinished { began: usize, left: usize },
    /// The real library could not be unpacked.
    #[error(transparent)]
    Sample(Box<crate::error::Error>),
    /// A file could not be read or written; the text names it.
    #[error(transparent)]
    File(std::io::Error),
    /// The result could not be printed.
    #[error("cannot write to standard output: {0}")]
    Output(std::io::Error),
}

/// Does the task; the exit code is that of the tests, or of the program.
pub(crate) fn run(windows: &Windows) -> Result<ExitCode, Error> {
    match &windows.task {
        Task::Build { options } => {
            let build = Build::prepare(*options, Need::Build)?;
            let program = build.program()?;
            writeln!(std::io::stdout(), "{}", program.display()).map_err(Error::Output)?;
            Ok(ExitCode::SUCCESS)
        }
        Task::Test {
            options,
            package,
            args,
        } => {
            let build = Build::prepare(*options, Need::BuildAndRun)?;
            // A build takes longer than Wine's server waits for the next program.
            let tests = build.cargo(Job::BuildTests { packages: package });
            let ended = tests.status(&build.folders.workspace)?;
            if !ended.success() {
                return Ok(code(ended));
            }
            build.start_wine()?;
            let job = Job::Test {
                packages: package,
                args,
            };
            let mut tests = build.cargo(job);
            if let Some(library) = sample::xgboost(&build.folders)? {
                tests = tests.set(sample::VARIABLE, library);
            }
            let mut told = Told::default();
            let ended = tests.status_with(&build.folders.workspace, &mut |line| told.take(line))?;
            match told.unfinished(args.is_empty()) {
                Some((began, left)) if ended.success() => Err(Error::Unfinished { began, left }),
                _ => Ok(code(ended)),
            }
        }
        Task::Lint { options } => {
            let build = Build::prepare(*options, Need::Build)?;
            if build.toolchain == Toolchain::BuildStd {
                let note = "not linted: clippy needs the target from rustup";
                writeln!(std::io::stderr(), "{note}").map_err(Error::Output)?;
                return Ok(ExitCode::SUCCESS);
            }
            let lint = build.cargo(Job::Lint);
            lint.status(&build.folders.workspace).map(code)
        }
        Task::Run { options, args } => {
            let build = Build::prepare(*options, Need::BuildAndRun)?;
            let program = build.program()?;
            build.start_wine()?;
            let here = std::env::current_dir().map_err(Error::File)?;
            build.runner(&program).args(args).status(&here).map(code)
        }
    }
}

/// A machine that has what the task needs.
struct Build {
    machine: Machine,
    toolchain: Toolchain,
    folders: Folders,
    release: bool,
}

impl Build {
    fn prepare(options: Options, need: Need) -> Result<Self, Error> {
        let workspace = workspace();
        let machine = Machine::observe(workspace);
        let machine = install::complete(machine, need, options.install, workspace)?;
        let toolchain = machine.toolchain().unwrap_or(Toolchain::Cross);
        let shared = std::env::var_os("CARGO_TARGET_DIR")
            .map(std::path::absolute)
            .transpose()
            .map_err(Error::File)?;
        Ok(Self {
            folders: Folders::new(workspace, shared.as_deref(), toolchain),
            machine,
            toolchain,
            release: options.release,
        })
    }

    /// Builds the program; its path.
    fn program(&self) -> Result<PathBuf, Error> {
        self.cargo(Job::Build).run(&self.folders.workspace)?;
        if self.toolchain != Toolchain::Native {
            let programs = self.folders.programs(self.toolchain, self.release);
            wine::place_stub(&self.machine, &self.folders, &programs)?;
        }
        Ok(self.folders.program(self.toolchain, self.release))
    }

    fn cargo(&self, job: Job<'_>) -> Invocation {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let call = cargo::invocation(
            job,
            self.release,
            self.toolchain,
            &self.machine,
            &self.folders,
            &path,
        );
        match self.toolchain {
            Toolchain::Native => call,
            Toolchain::Cross | Toolchain::BuildStd => wine::environment(call, &self.folders),
        }
    }

    fn start_wine(&self) -> Result<(), Error> {
        match self.toolchain {
            Toolchain::Native => Ok(()),
            Toolchain::Cross | Toolchain::BuildStd => wine::prepare(&self.machine, &self.folders),
        }
    }

    fn runner(&self, program: &Path) -> Invocation {
        match self.toolchain {
            Toolchain::Native => Invocation::new(program),
            Toolchain::Cross | Toolchain::BuildStd => {
                wine::runner(&self.machine, &self.folders, program)
            }
        }
    }
}

/// The root of the workspace that this program was built from.
fn workspace() -> &'static Path {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own)
}

/// The exit code to end with after a program ended with `status`.
fn code(status: ExitStatus) -> ExitCode {
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    code.map_or(ExitCode::FAILURE, ExitCode::from)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        windows: Windows,
    }

    #[test]
    fn arguments_after_two_dashes_belong_to_the_program() {
        let line = Line::try_parse_from(["x", "run", "--release", "--", "scan", "--json"]).unwrap();
        let Task::Run { options, args } = line.windows.task else {
            panic!("{line:?}");
        };
        assert!(options.release && !options.install);
        assert_eq!(args, ["scan", "--json"]);
    }

    #[test]
    fn tests_can_be_chosen_by_package_and_filter() {
        let line = ["x", "test", "--install", "-p", "fixnvpe-pe", "--", "walk"];
        let Task::Test {
            options,
            package,
            args,
        } = Line::try_parse_from(line).unwrap().windows.task
        else {
            panic!("not the test task");
        };
        assert!(options.install);
        assert_eq!(package, ["fixnvpe-pe"]);
        assert_eq!(args, ["walk"]);
    }

    #[test]
    fn the_workspace_is_the_folder_that_holds_the_crates() {
        assert!(workspace().join("crates").is_dir());
    }
}
