//! What ends a whole job. What befalls one file is in its report.

use std::io;
use std::path::PathBuf;

use fixnvpe_files::Exposure;

use crate::journal::{Holder, RunId};

/// A failure that ends a job before it changed anything.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Another process is patching or restoring.
    #[error("`{}` is locked by {}", path.display(), holder.as_ref().map_or_else(|| "another process".to_owned(), ToString::to_string))]
    Locked {
        /// The lock file.
        path: PathBuf,
        /// Who has it, if they said so.
        holder: Option<Holder>,
    },
    /// The job was cancelled while it waited for the lock.
    #[error("cancelled while `{}` was locked", path.display())]
    Cancelled {
        /// The lock file.
        path: PathBuf,
    },
    /// The state folder could not be made or used.
    #[error("cannot use the state folder `{}`", path.display())]
    StateFolder {
        /// The folder or the file in it.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The state folder of administrators is not their own: nothing in it can be
    /// believed.
    #[error("the state folder `{}` is not safe: {exposure}", path.display())]
    ExposedStateFolder {
        /// The folder.
        path: PathBuf,
        /// What is wrong with it.
        exposure: Exposure,
    },
    /// The journal could not be read.
    #[error("cannot read the journal `{}`", path.display())]
    ReadJournal {
        /// The journal.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The journal knows no such run.
    #[error("the journal has no run `{run}`")]
    NoSuchRun {
        /// The run asked for.
        run: RunId,
    },
    /// The journal knows no run that patched anything.
    #[error("the journal has no run that could be undone")]
    NoRun,
}
