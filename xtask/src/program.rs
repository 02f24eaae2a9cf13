//! The program under work, run with a state folder of its own.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use crate::error::Error;
use crate::measure::Usage;

/// `fixnvpe` with a state folder that no other run uses.
#[derive(Debug)]
pub(crate) struct Program {
    path: PathBuf,
    state: PathBuf,
}

/// How a run ended.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// What ran, as a person would type it.
    pub(crate) command: String,
    /// The exit code; none where a signal ended it.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Program {
    pub(crate) fn new(path: PathBuf, state: PathBuf) -> Self {
        Self { path, state }
    }

    /// The program itself.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The folder of the journal.
    pub(crate) fn state(&self) -> &Path {
        &self.state
    }

    /// Runs a command to its end.
    pub(crate) fn run<A: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = A>,
    ) -> Result<Outcome, Error> {
        let arguments: Vec<OsString> = arguments
            .into_iter()
            .map(|argument| argument.as_ref().to_owned())
            .collect();
        let shown = shown(&arguments);
        let output = self.command(&self.path, &arguments).output();
        outcome(shown, output)
    }

    /// Runs a command that prints one JSON document, which comes with the exit code.
    pub(crate) fn json<A: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = A>,
    ) -> Result<(Option<i32>, Value), Error> {
        let mut arguments: Vec<OsString> = arguments
            .into_iter()
            .map(|argument| argument.as_ref().to_owned())
            .collect();
        arguments.push("--json".into());
        let outcome = self.run(&arguments)?;
        Ok((outcome.code, outcome.document()?))
    }

    /// Runs a command that prints one JSON document, and says what it used where the system tells.
    pub(crate) fn measured<A: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = A>,
    ) -> Result<(Outcome, Option<Usage>), Error> {
        let mut all: Vec<OsString> = arguments
            .into_iter()
            .map(|argument| argument.as_ref().to_owned())
            .collect();
        all.push("--json".into());
        if !cfg!(target_os = "linux") {
            return Ok((self.run(&all)?, None));
        }
        let shown = shown(&all);
        let folder = tempfile::tempdir()?;
        let report = folder.path().join("usage.json");
        let mut line: Vec<OsString> = ["measure", "--report"].map(OsString::from).to_vec();
        line.extend([report.clone().into(), "--".into(), self.path.clone().into()]);
        line.extend(all);
        let own = std::env::current_exe()?;
        let outcome = outcome(shown, self.command(&own, &line).output())?;
        let text = fs_err::read_to_string(&report).map_err(|_| {
            Error::wrong(format!(
                "cannot measure `{}`: {}",
                outcome.command, outcome.stderr
            ))
        })?;
        let usage = serde_json::from_str(&text).map_err(std::io::Error::from)?;
        Ok((outcome, Some(usage)))
    }

    fn command(&self, program: &Path, arguments: &[OsString]) -> Command {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .env("FIXNVPE_STATE_DIR", &self.state)
            // The texts that a task shows are the same on every machine.
            .env("LC_ALL", "C.UTF-8")
            .env_remove("LANGUAGE");
        command
    }
}

impl Outcome {
    /// The JSON document that was printed.
    pub(crate) fn document(&self) -> Result<Value, Error> {
        serde_json::from_str(&self.stdout).map_err(|source| Error::Json {
            command: self.command.clone(),
            source,
            text: format!("{}{}", self.stdout, self.stderr),
        })
    }
}

fn outcome(command: String, output: std::io::Result<Output>) -> Result<Outcome, Error> {
    match output {
        Ok(output) => Ok(Outcome {
            command,
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }),
        Err(source) => Err(Error::NotStarted { command, source }),
    }
}

/// The command as a person would type it.
fn shown(arguments: &[OsString]) -> String {
    let mut line = "fixnvpe".to_owned();
    for argument in arguments {
        let argument = argument.to_string_lossy();
        line.push(' ');
        if argument.contains([' ', '[', ']', '*']) {
            line.extend(["\"", &argument, "\""]);
        } else {
            line.push_str(&argument);
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_shown_with_quotes_where_a_shell_needs_them() {
        let arguments = ["patch", "a b/[1].dll", "--dry-run"].map(OsString::from);
        assert_eq!(shown(&arguments), "fixnvpe patch \"a b/[1].dll\" --dry-run");
    }
}
