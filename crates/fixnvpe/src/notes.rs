//! What is said beside the result, on standard error.

use std::io::Write;

use anstyle::{AnsiColor, Style};

use crate::catalogue::{Catalogue, Message};
use crate::fatal::Fatal;
use crate::message;
use crate::redact::Redactor;

/// Says things to people. What cannot be written there is lost: there is no
/// place to complain about it.
#[derive(Debug)]
pub(crate) struct Notes<'a> {
    /// The user's language.
    pub(crate) catalogue: &'a Catalogue,
    /// Only errors and warnings.
    pub(crate) quiet: bool,
    /// What takes names out.
    pub(crate) redactor: Option<&'a Redactor>,
}

impl Notes<'_> {
    /// Something to know.
    pub(crate) fn note(&self, message: &Message) {
        if !self.quiet {
            let label = self.catalogue.text(&message!("label-note"));
            self.say(AnsiColor::Cyan, &label, &self.catalogue.text(message));
        }
    }

    /// Something to do.
    pub(crate) fn hint(&self, message: &Message) {
        if !self.quiet {
            let label = self.catalogue.text(&message!("label-hint"));
            self.say(AnsiColor::Green, &label, &self.catalogue.text(message));
        }
    }

    /// Something that may be wrong.
    pub(crate) fn warning(&self, message: &Message) {
        let label = self.catalogue.text(&message!("label-warning"));
        self.say(AnsiColor::Yellow, &label, &self.catalogue.text(message));
    }

    /// What ended the run.
    pub(crate) fn fatal(&self, fatal: &Fatal) {
        let label = self.catalogue.text(&message!("label-error"));
        self.say(AnsiColor::Red, &label, &self.catalogue.text(&fatal.message));
        if let Some(detail) = &fatal.detail {
            self.line(&format!("  {}", crate::paths::harmless(detail)));
        }
        for hint in &fatal.hints {
            self.hint(hint);
        }
    }

    fn say(&self, color: AnsiColor, label: &str, text: &str) {
        let style = Style::new().bold().fg_color(Some(color.into()));
        self.line(&format!("{style}{label}{style:#} {text}"));
    }

    fn line(&self, text: &str) {
        let text = match self.redactor {
            Some(redactor) => redactor.text(text),
            None => text.to_owned(),
        };
        // A closed standard error is no reason to stop.
        let _ = writeln!(anstream::stderr(), "{text}");
    }
}
