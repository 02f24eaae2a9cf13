//! What ends a run before or beside its work: the command line cannot be
//! followed, or there is no place for the result or the undo data.

use serde::{Deserialize, Serialize};

use crate::catalogue::Message;
use crate::exit_code::ExitCode;

/// A run that ends here.
#[derive(Clone, Debug)]
pub(crate) struct Fatal {
    /// The code to end with.
    pub(crate) exit: ExitCode,
    /// The stable word for scripts.
    pub(crate) word: Word,
    /// What is wrong.
    pub(crate) message: Message,
    /// What a library or the system said, in English.
    pub(crate) detail: Option<String>,
    /// What to do.
    pub(crate) hints: Vec<Message>,
}

/// Stable words for what ended a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Word {
    /// The command line is wrong.
    Usage,
    /// A pattern matches nothing.
    NoMatch,
    /// Nothing is selected.
    NoSelection,
    /// The file that should take the result cannot be written.
    Output,
    /// The state folder cannot be found, read or locked.
    State,
    /// The file that was to be inspected cannot be read or is no image.
    File,
    /// The system refused something else, such as threads.
    System,
    /// This system has nothing of that kind, such as commit to measure.
    Unavailable,
}

impl Fatal {
    /// An error of the command line: exit code 2.
    pub(crate) fn usage(message: Message) -> Self {
        Self::new(ExitCode::Usage, Word::Usage, message)
    }

    /// An error with its exit code.
    pub(crate) fn new(exit: ExitCode, word: Word, message: Message) -> Self {
        Self {
            exit,
            word,
            message,
            detail: None,
            hints: Vec::new(),
        }
    }

    /// With another word.
    pub(crate) fn code(mut self, word: Word) -> Self {
        self.word = word;
        self
    }

    /// With what a library said.
    pub(crate) fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    /// With advice.
    pub(crate) fn hint(mut self, hint: Message) -> Self {
        self.hints.push(hint);
        self
    }
}
