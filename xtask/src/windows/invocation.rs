//! One program to be run: a value, so that tests can look at it.

use std::ffi::{OsStr, OsString};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use super::Error;

/// A program with its arguments and the changes to its environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Invocation {
    program: OsString,
    args: Vec<OsString>,
    set: Vec<(OsString, OsString)>,
    removed: Vec<OsString>,
}

impl Invocation {
    pub(super) fn new(program: impl AsRef<OsStr>) -> Self {
        Self {
            program: program.as_ref().to_owned(),
            args: Vec::new(),
            set: Vec::new(),
            removed: Vec::new(),
        }
    }

    pub(super) fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.args.push(arg.as_ref().to_owned());
        self
    }

    pub(super) fn args<I: IntoIterator<Item: AsRef<OsStr>>>(mut self, args: I) -> Self {
        self.args
            .extend(args.into_iter().map(|arg| arg.as_ref().to_owned()));
        self
    }

    pub(super) fn set(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.set
            .push((name.as_ref().to_owned(), value.as_ref().to_owned()));
        self
    }

    pub(super) fn remove(mut self, name: impl AsRef<OsStr>) -> Self {
        self.removed.push(name.as_ref().to_owned());
        self
    }

    /// The line that a person would type.
    pub(super) fn shown(&self) -> String {
        let words = self.set.iter().map(|(name, value)| {
            let mut word = name.clone();
            word.push("=");
            word.push(value);
            word
        });
        words
            .chain([self.program.clone()])
            .chain(self.args.iter().cloned())
            .map(|word| quoted(&word))
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// Runs the program in `folder` and waits; its output goes where ours goes.
    pub(super) fn status(&self, folder: &Path) -> Result<ExitStatus, Error> {
        self.command(folder)
            .status()
            .map_err(|source| self.not_started(source))
    }

    /// The same, and hands each line of its standard output to `watch`.
    pub(super) fn status_with(
        &self,
        folder: &Path,
        watch: &mut dyn FnMut(&str),
    ) -> Result<ExitStatus, Error> {
        let mut child = self
            .command(folder)
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|source| self.not_started(source))?;
        if let Some(output) = child.stdout.take() {
            let mut output = BufReader::new(output);
            let mut line = Vec::new();
            while output.read_until(b'\n', &mut line).map_err(Error::File)? > 0 {
                std::io::stdout().write_all(&line).map_err(Error::Output)?;
                watch(&String::from_utf8_lossy(&line));
                line.clear();
            }
        }
        child.wait().map_err(|source| self.not_started(source))
    }

    /// Runs the program in `folder` without any console.
    ///
    /// What it leaves running (the Wine server does) would otherwise hold our
    /// standard output open, and a reader of that would wait for it.
    pub(super) fn run_silently(&self, folder: &Path) -> Result<(), Error> {
        let status = self
            .command(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .map_err(|source| self.not_started(source))?;
        self.succeeded(status)
    }

    /// Runs the program in `folder`, and fails where it fails.
    pub(super) fn run(&self, folder: &Path) -> Result<(), Error> {
        let status = self.status(folder)?;
        self.succeeded(status)
    }

    /// What the program writes to its standard output; nothing if it fails.
    pub(super) fn output(&self, folder: &Path) -> Option<String> {
        let output = self
            .command(folder)
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output()
            .ok()?;
        output
            .status
            .success()
            .then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    fn succeeded(&self, status: ExitStatus) -> Result<(), Error> {
        if status.success() {
            return Ok(());
        }
        Err(Error::Failed {
            command: self.shown(),
            status,
        })
    }

    fn not_started(&self, source: std::io::Error) -> Error {
        Error::NotStarted {
            command: self.shown(),
            source,
        }
    }

    fn command(&self, folder: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(&self.args)
            .envs(self.set.iter().map(|(name, value)| (name, value)))
            .current_dir(folder);
        for name in &self.removed {
            command.env_remove(name);
        }
        command
    }
}

fn quoted(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    let plain = |c: char| c.is_alphanumeric() || "-_=./:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.into_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shown_line_can_be_pasted_into_a_shell() {
        let invocation = Invocation::new("cargo")
            .arg("test")
            .arg("it's 1")
            .set("WINEDEBUG", "-all")
            .remove("DISPLAY");
        assert_eq!(invocation.shown(), r"WINEDEBUG=-all cargo test 'it'\''s 1'");
        assert_eq!(Invocation::new("x").arg("").shown(), "x ''");
    }

    #[cfg(unix)]
    #[test]
    fn a_failing_program_is_an_error_that_names_it() {
        let failing = Invocation::new("false");
        let error = failing.run(Path::new("/")).unwrap_err();
        assert!(error.to_string().contains("`false`"), "{error}");
        assert_eq!(failing.output(Path::new("/")), None);
    }

    #[cfg(unix)]
    #[test]
    fn variables_are_set_and_removed() {
        let shell = Invocation::new("sh")
            .args(["-c", "echo \"$A\" \"${HOME-none}\""])
            .set("A", "b c")
            .remove("HOME");
        assert_eq!(shell.output(Path::new("/")).as_deref(), Some("b c none"));
    }
}
