//! Results as text for people: what was found or done, what to know, and what
//! to type next.

pub(crate) mod change;
pub(crate) mod cost;
pub(crate) mod doctor;
pub(crate) mod environments;
pub(crate) mod explain;
pub(crate) mod facts;
pub(crate) mod history;
pub(crate) mod inspect;
pub(crate) mod measure;
pub(crate) mod next;
pub(crate) mod problems;
pub(crate) mod scan;
pub(crate) mod verify;
pub(crate) mod words;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::catalogue::{Catalogue, Message};
use crate::paths::{harmless, printable, shorten};
use crate::prose::wrap;
use crate::redact::Redactor;
use crate::shell::{Line, Shell};
use crate::table::Table;

/// How many paths of one kind are listed before "and so many more".
const LISTED: usize = 10;

/// A text that grows, paragraph by paragraph.
#[derive(Debug)]
pub(crate) struct Page<'a> {
    catalogue: &'a Catalogue,
    look: Look,
    text: String,
}

/// How a text is laid out.
#[derive(Clone, Debug)]
pub(crate) struct Look {
    /// Columns of the screen.
    pub(crate) columns: usize,
    /// Full paths, all of them, and details.
    pub(crate) verbose: bool,
    /// The current folder: paths below it are shown from there.
    pub(crate) folder: Option<PathBuf>,
    /// Takes homes out of paths before they are shortened.
    pub(crate) redactor: Option<Redactor>,
}

impl<'a> Page<'a> {
    /// An empty page.
    pub(crate) fn new(catalogue: &'a Catalogue, look: Look) -> Self {
        Self {
            catalogue,
            look,
            text: String::new(),
        }
    }

    /// The whole text, without the last end of line.
    pub(crate) fn into_text(self) -> String {
        self.text.trim_end_matches('\n').to_owned()
    }

    /// Whether details are wanted.
    pub(crate) fn is_verbose(&self) -> bool {
        self.look.verbose
    }

    /// How wide the page is.
    pub(crate) fn columns(&self) -> usize {
        self.look.columns
    }

    /// A sentence of the catalogue, as text.
    pub(crate) fn say(&self, message: &Message) -> String {
        self.catalogue.text(message)
    }

    /// A path as it is shown: in a table it may be shortened further.
    pub(crate) fn path(&self, path: &Path) -> String {
        let folder = self.look.folder.as_deref().filter(|_| !self.look.verbose);
        let shown = printable(path, folder);
        match &self.look.redactor {
            Some(redactor) => redactor.text(&shown),
            None => shown,
        }
    }

    /// Starts a new block: one empty line above, unless the page is empty.
    pub(crate) fn block(&mut self) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
    }

    /// A sentence, in lines.
    pub(crate) fn sentence(&mut self, message: &Message) {
        self.indented(message, 0);
    }

    /// A sentence, in lines behind some spaces.
    pub(crate) fn indented(&mut self, message: &Message, indent: usize) {
        let text = self.say(message);
        self.line(&wrap(&text, self.look.columns, indent));
    }

    /// What a library said, in English, in lines behind some spaces.
    pub(crate) fn detail(&mut self, text: &str, indent: usize) {
        let text = format!("({})", harmless(text));
        let text = match &self.look.redactor {
            Some(redactor) => redactor.text(&text),
            None => text,
        };
        self.line(&wrap(&text, self.look.columns, indent));
    }

    /// The name of a host or user.
    pub(crate) fn name(&self, name: &str) -> String {
        match &self.look.redactor {
            Some(_) => Redactor::hash(name),
            None => harmless(name),
        }
    }

    /// A line as it is.
    pub(crate) fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// A table, within the columns unless details are wanted.
    pub(crate) fn table(&mut self, table: Table) {
        let columns = (!self.look.verbose).then_some(self.look.columns);
        let text = table.render(columns);
        self.line(&text);
    }

    /// A table, with a line of its own below each row: a path that has to be
    /// whole, since people copy it.
    pub(crate) fn table_with(&mut self, table: Table, below: &[String]) {
        let text = table.render(None);
        let mut lines = text.lines();
        self.line(lines.next().unwrap_or_default());
        for (row, below) in lines.zip(below) {
            self.line(row);
            self.line(&format!("  {below}"));
        }
    }

    /// Paths, one a line; only the first ones unless details are wanted.
    pub(crate) fn paths<'p>(&mut self, paths: impl IntoIterator<Item = &'p Path>, indent: usize) {
        let paths: Vec<&Path> = paths.into_iter().collect();
        let listed = if self.look.verbose {
            paths.len()
        } else {
            LISTED
        };
        let room = self.look.columns.saturating_sub(indent);
        for path in paths.iter().take(listed) {
            let mut shown = self.path(path);
            if !self.look.verbose {
                shown = shorten(&shown, room);
            }
            self.line(&format!("{}{shown}", " ".repeat(indent)));
        }
        if let Some(more) = paths.len().checked_sub(listed).filter(|more| *more > 0) {
            self.indented(&crate::message!("and-more", count = more), indent);
        }
    }

    /// A command to copy, on a line of its own and never broken.
    pub(crate) fn command(&mut self, words: impl IntoIterator<Item = OsString>) {
        self.typed(&Shell::native().command(words), 2);
    }

    /// Lines to copy behind some spaces, each below the name of its shell where
    /// it is for that one only.
    pub(crate) fn typed(&mut self, lines: &[Line], indent: usize) {
        for line in lines {
            let mut indent = indent;
            if let Some(shell) = line.shell {
                self.indented(&words::shell(shell), indent);
                indent += 2;
            }
            self.line(&format!("{}{}", " ".repeat(indent), line.text));
        }
    }
}
