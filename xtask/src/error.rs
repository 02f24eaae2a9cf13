//! Why a task failed.

use std::io;
use std::process::ExitStatus;

use crate::windows;

/// Why a task failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum Error {
    /// A file could not be read or written; the text names it.
    #[error(transparent)]
    File(#[from] io::Error),
    /// A program could not be started.
    #[error("cannot start `{command}`: {source}")]
    NotStarted {
        /// What would have run.
        command: String,
        /// Why not.
        source: io::Error,
    },
    /// A program ended with an error.
    #[error("`{command}` failed ({status})\n{stderr}")]
    Failed {
        /// What ran.
        command: String,
        /// How it ended.
        status: ExitStatus,
        /// What it said.
        stderr: String,
    },
    /// A program printed something else than the JSON that was expected.
    #[error("cannot read what `{command}` printed: {source}\n{text}")]
    Json {
        /// What ran.
        command: String,
        /// What is wrong.
        source: serde_json::Error,
        /// What it printed.
        text: String,
    },
    /// Something that must hold does not.
    #[error("{0}")]
    Wrong(String),
    /// Some of many checks do not hold.
    #[error("{wrong} of {all} checks do not hold")]
    Checks {
        /// How many do not hold.
        wrong: usize,
        /// How many were made.
        all: usize,
    },
    /// A task for Windows failed.
    #[error(transparent)]
    Windows(#[from] windows::Error),
}

impl Error {
    /// Something that must hold does not.
    pub(crate) fn wrong(what: impl Into<String>) -> Self {
        Self::Wrong(what.into())
    }
}
