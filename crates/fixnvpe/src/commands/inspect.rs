//! `fixnvpe inspect`: one image in full.

use fixnvpe_batch::{Code, Failure, Step};
use fixnvpe_pe::{Error, Image};

use crate::arguments;
use crate::document::InspectDocument;
use crate::exit_code::ExitCode;
use crate::fatal::{Fatal, Word};
use crate::inspection::{Inspection, inspect};
use crate::message;
use crate::paths::{absolute, printable};
use crate::report;
use crate::report::words;
use crate::session::Session;

/// Runs the command.
pub(crate) fn run(session: &Session, asked: &arguments::Inspect) -> Result<ExitCode, Fatal> {
    let mut output = session.output(&asked.document)?;
    let inspected = read(asked);
    let code = match &inspected {
        Ok(_) => ExitCode::Done,
        Err(_) => ExitCode::Failed,
    };
    if asked.document.json {
        let (image, failures) = match inspected {
            Ok(image) => (Some(image), Vec::new()),
            Err(failure) => (None, vec![failure]),
        };
        output.json(&InspectDocument {
            head: session.head(InspectDocument::SCHEMA),
            complete: true,
            exit_code: code,
            image,
            skipped: Vec::new(),
            failures,
        });
    } else {
        let image = inspected.map_err(|failure| fatal(session, &failure))?;
        let mut page = session.page(&output);
        report::inspect::write(&mut page, &image);
        output.text(&page.into_text());
    }
    output.finish()?;
    Ok(code)
}

fn read(asked: &arguments::Inspect) -> Result<Inspection, Failure> {
    let path = absolute(&asked.file);
    let file = fixnvpe_files::extended(&path)
        .and_then(|path| fixnvpe_files::open_read(&path))
        .map_err(|error| Failure::of_io(&path, Step::Open, &error))?;
    let image = Image::read(file).map_err(|error| failure(&path, &error))?;
    inspect(&path, &image, asked.policy.into(), asked.checksum)
        .map_err(|error| failure(&path, &error))
}

fn failure(path: &std::path::Path, error: &Error) -> Failure {
    match error {
        Error::Read { source, .. } | Error::Size { source } => {
            Failure::of_io(path, Step::Read, source)
        }
        Error::NotPe { .. } => Failure::new(path, Step::Judge, Code::NotPe, error.to_string()),
        Error::Unsupported { .. } => {
            Failure::new(path, Step::Judge, Code::Unsupported, error.to_string())
        }
        _ => Failure::new(path, Step::Judge, Code::Malformed, error.to_string()),
    }
}

fn fatal(session: &Session, failure: &Failure) -> Fatal {
    let message = message!(
        "cannot-inspect",
        file = printable(&failure.path, session.caller.folder.as_deref()),
        cause = session.catalogue.text(&words::code(failure.code)),
    );
    Fatal::new(ExitCode::Failed, Word::File, message).detail(failure.message.clone())
}
