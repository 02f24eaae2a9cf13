//! `fixnvpe schema`: the JSON Schema of a document.

use crate::arguments::Document as Form;
use crate::exit_code::ExitCode;
use crate::fatal::Fatal;
use crate::schema::{Document, schema_of};
use crate::session::Session;

/// Runs the command.
pub(crate) fn run(session: &Session, document: Document) -> Result<ExitCode, Fatal> {
    let mut output = session.output(&Form::default())?;
    output.text(schema_of(document).trim_end());
    output.finish()?;
    Ok(ExitCode::Done)
}
