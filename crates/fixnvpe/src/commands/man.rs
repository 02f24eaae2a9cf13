//! `fixnvpe man`: the manual page, for packagers.

use clap::CommandFactory;
use clap_mangen::Man;

use crate::arguments::{Arguments, Document, help};
use crate::exit_code::ExitCode;
use crate::fatal::{Fatal, Word};
use crate::message;
use crate::session::Session;

/// Runs the command.
pub(crate) fn run(session: &Session) -> Result<ExitCode, Fatal> {
    let command = help::in_language(Arguments::command(), &session.catalogue);
    let mut page = Vec::new();
    Man::new(command).render(&mut page).map_err(|error| {
        Fatal::new(ExitCode::Failed, Word::Output, message!("output-failed"))
            .detail(error.to_string())
    })?;
    let mut output = session.output(&Document::default())?;
    output.text(String::from_utf8_lossy(&page).trim_end());
    output.finish()?;
    Ok(ExitCode::Done)
}
