//! Python, for pip and for archives: the wheels need it anyway.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use crate::error::Error;

/// Runs Python to its end.
pub(crate) fn python(arguments: &[OsString]) -> Result<(), Error> {
    python_in(Path::new("."), arguments)
}

/// Runs Python in a folder to its end.
pub(crate) fn python_in(folder: &Path, arguments: &[OsString]) -> Result<(), Error> {
    let name = if cfg!(windows) { "python" } else { "python3" };
    run_in(folder, Path::new(name), arguments)
}

/// Runs a program to its end.
pub(crate) fn run(program: &Path, arguments: &[OsString]) -> Result<(), Error> {
    run_in(Path::new("."), program, arguments)
}

fn run_in(folder: &Path, program: &Path, arguments: &[OsString]) -> Result<(), Error> {
    let shown: Vec<_> = arguments
        .iter()
        .map(|argument| argument.to_string_lossy())
        .collect();
    let command = format!("{} {}", program.display(), shown.join(" "));
    let output = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .output();
    let output = match output {
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
