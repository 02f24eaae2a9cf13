//! One run of the program: what every command needs to know about it.

use std::io::{self, Write};

use jiff::Timestamp;
use tracing::level_filters::LevelFilter;

use crate::arguments::{self, General};
use crate::caller::{self, Caller};
use crate::catalogue::Catalogue;
use crate::document::Head;
use crate::fatal::Fatal;
use crate::notes::Notes;
use crate::output::Output;
use crate::redact::Redactor;
use crate::report::{Look, Page};

/// One run.
#[derive(Debug)]
pub(crate) struct Session {
    /// The user's language.
    pub(crate) catalogue: Catalogue,
    /// Options that every command has.
    pub(crate) general: General,
    /// Who runs it.
    pub(crate) caller: Caller,
    /// When it began.
    pub(crate) started: Timestamp,
    /// Takes names out of everything that is said, if asked for.
    pub(crate) redactor: Option<Redactor>,
}

impl Session {
    /// The voice on standard error.
    pub(crate) fn notes(&self) -> Notes<'_> {
        Notes {
            catalogue: &self.catalogue,
            quiet: self.general.quiet,
            redactor: self.redactor.as_ref(),
        }
    }

    /// The head of a document.
    pub(crate) fn head(&self, schema: &str) -> Head {
        Head::new(schema, &self.caller, self.started)
    }

    /// The place for the result.
    pub(crate) fn output(&self, document: &arguments::Document) -> Result<Output, Fatal> {
        Output::open(document.output.as_deref(), self.redactor.clone())
    }

    /// A page for people: as wide as the screen, or 80 columns in a file.
    pub(crate) fn page(&self, output: &Output) -> Page<'_> {
        let look = Look {
            columns: if output.is_file() {
                80
            } else {
                caller::columns()
            },
            verbose: self.general.verbose,
            folder: self.caller.folder.clone(),
            redactor: self.redactor.clone(),
        };
        Page::new(&self.catalogue, look)
    }

    /// Lets the libraries tell what they do, on standard error.
    pub(crate) fn trace(&self) {
        if !self.general.verbose {
            return;
        }
        let redactor = self.redactor.clone();
        tracing_subscriber::fmt()
            .with_max_level(LevelFilter::DEBUG)
            .with_ansi(false)
            .without_time()
            .with_writer(move || Redacted {
                redactor: redactor.clone(),
            })
            .init();
    }
}

/// Standard error without names.
struct Redacted {
    redactor: Option<Redactor>,
}

impl Write for Redacted {
    // One event comes as one buffer.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &self.redactor {
            Some(redactor) => {
                let text = redactor.text(&String::from_utf8_lossy(bytes));
                anstream::stderr().write_all(text.as_bytes())?;
            }
            None => anstream::stderr().write_all(bytes)?,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        anstream::stderr().flush()
    }
}
