//! `fixnvpe history`: what was done, by run.

use fixnvpe_batch::{Code, Failure, JournalView, Step, history};

use crate::arguments;
use crate::document::HistoryDocument;
use crate::exit_code::ExitCode;
use crate::fatal::Fatal;
use crate::job;
use crate::report;
use crate::session::Session;

/// Runs the command.
pub(crate) fn run(session: &Session, asked: &arguments::History) -> Result<ExitCode, Fatal> {
    let mut output = session.output(&asked.document)?;
    let (journal, folders) = job::journal(session, &asked.state)?;
    let runs = history(&journal);
    let failures = bad_lines(&journal);
    // A torn line is kept and told of; it hides nothing that was done.
    let code = ExitCode::Done;
    if asked.document.json {
        output.json(&HistoryDocument {
            head: session.head(HistoryDocument::SCHEMA),
            complete: true,
            exit_code: code,
            state_folders: folders
                .iter()
                .map(|folder| fixnvpe_files::shown(folder).to_string_lossy().into_owned())
                .collect(),
            runs,
            skipped: Vec::new(),
            failures,
        });
    } else {
        let mut page = session.page(&output);
        let state_dir = asked.state.state_dir.as_deref();
        report::history::write(&mut page, &runs, &failures, state_dir);
        output.text(&page.into_text());
    }
    output.finish()?;
    Ok(code)
}

fn bad_lines(journal: &JournalView) -> Vec<Failure> {
    journal
        .bad_lines()
        .iter()
        .map(|bad| {
            let message = format!("line {}: {}", bad.line, bad.what);
            Failure::new(&bad.journal, Step::Journal, Code::BadRecord, message)
        })
        .collect()
}
