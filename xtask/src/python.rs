//! Python, for pip and for archives: the wheels need it anyway.

use std::ffi::OsString;
use std::process::Command;

use crate::error::Error;

/// Runs Python to its end.
pub(crate) fn python(arguments: &[OsString]) -> Result<(), Error> {
    let name = if cfg!(windows) { "python" } else { "python3" };
    let shown: Vec<_> = arguments
        .iter()
        .map(|argument| argument.to_string_lossy())
        .collect();
    let command = format!("{name} {}", shown.join(" "));
    let output = match Command::new(name).args(arguments).output() {
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
