//! Python, for pip and for archives: the wheels need it anyway.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use crate::error::Error;

/// Runs Python to its end.
pub(crate) fn python(arguments: &[OsString]) -> Result<(), Error> {
    let name = if cfg!(windows) { "python" } else { "python3" };
    run(Path::new(name), arguments)
}

/// Runs a program to its end.
pub(crate) fn run(program: &Path, arguments: &[OsString]) -> Result<(), Error> {
    let shown: Vec<_> = arguments
        .iter()
        .map(|argument| argument.to_string_lossy())
        .collect();
    let command = format!("{} {}", program.display(), shown.join(" "));
    let output = match Command::new(program).args(arguments).output() {
        Ok(output) => output,
        Err(source) => return Err(Error::NotStarted { command, source }),
    };
    if output.status.success() {
        return Ok(());
    }
    Err(Error::Failed {
        command,
        status: output.status,
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    })
}
