//! `fixnvpe completions`: the script that lets a shell complete arguments.

use clap::CommandFactory;
use clap_complete::{Shell, generate};

use crate::arguments::{Arguments, Document, help};
use crate::exit_code::ExitCode;
use crate::fatal::Fatal;
use crate::session::Session;

/// Runs the command.
pub(crate) fn run(session: &Session, shell: Shell) -> Result<ExitCode, Fatal> {
    let mut command = help::in_language(Arguments::command(), &session.catalogue);
    let mut script = Vec::new();
    generate(shell, &mut command, "fixnvpe", &mut script);
    let mut output = session.output(&Document::default())?;
    output.text(String::from_utf8_lossy(&script).trim_end());
    output.finish()?;
    Ok(ExitCode::Done)
}
