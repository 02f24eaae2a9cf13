//! The program under test.

use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// The program with a state folder of its own and in a folder of its own, so that nothing of this
/// machine matters: it looks for environments around the folder in which it runs.
#[derive(Debug)]
pub(crate) struct Program {
    state: tempfile::TempDir,
}

/// How a run ended: the exit code, and the document that it printed.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: i32,
    pub(crate) document: Value,
}

impl Program {
    pub(crate) fn new() -> Self {
        Self {
            state: tempfile::tempdir().unwrap(),
        }
    }

    /// Runs a command on a path, for its document.
    pub(crate) fn run(&self, command: &str, path: &Path, options: &[&str]) -> Ended {
        let arguments = [OsStr::new(command), path.as_os_str()];
        self.ended(arguments.into_iter().chain(options.iter().map(OsStr::new)))
    }

    /// Runs it with `--json` and these arguments, for its document.
    pub(crate) fn ended<'a>(&self, arguments: impl IntoIterator<Item = &'a OsStr>) -> Ended {
        Ended::of(&self.output(arguments))
    }

    /// Runs a command on a path for its document, and hands each line of what
    /// `--verbose` tells meanwhile to `watch`.
    pub(crate) fn watched(&self, command: &str, path: &Path, mut watch: impl FnMut(&str)) -> Ended {
        let mut child = self
            .command()
            .args([OsStr::new(command), path.as_os_str()])
            .args(["--json", "--verbose"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        for line in BufReader::new(child.stderr.take().unwrap()).lines() {
            watch(&line.unwrap());
        }
        Ended::of(&child.wait_with_output().unwrap())
    }

    /// Runs it with `--json` and these arguments.
    pub(crate) fn output<'a>(&self, arguments: impl IntoIterator<Item = &'a OsStr>) -> Output {
        self.text(arguments.into_iter().chain([OsStr::new("--json")]))
    }

    /// Runs it with these arguments.
    pub(crate) fn text<'a>(&self, arguments: impl IntoIterator<Item = &'a OsStr>) -> Output {
        self.command().args(arguments).output().unwrap()
    }

    /// The program, about to be started.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fixnvpe"));
        command
            .current_dir(self.state.path())
            .env("FIXNVPE_STATE_DIR", self.state.path());
        command
    }

    /// A folder in which a test may leave files.
    pub(crate) fn folder(&self) -> &Path {
        self.state.path()
    }
}

impl Ended {
    pub(crate) fn of(output: &Output) -> Self {
        let document = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{error} in the output: {output:?}"));
        Self {
            code: output.status.code().unwrap(),
            document,
        }
    }

    /// The one result of a patch or a restore.
    pub(crate) fn result(&self) -> &Value {
        let results = self.document["results"].as_array().unwrap();
        assert_eq!(results.len(), 1, "{}", self.document);
        &results[0]
    }
}

/// Says, past the test harness, that a test proved nothing here, and why.
pub(crate) fn not_run(why: &str) {
    let mut line = std::io::stderr().lock();
    writeln!(line, "not run: {why}").unwrap();
}
