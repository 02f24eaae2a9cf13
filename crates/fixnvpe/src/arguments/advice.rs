//! The commands that give advice.

use std::ffi::OsString;

use clap::{ArgAction, Args};

use super::{Document, Place, Selection, Work};

/// `fixnvpe doctor`
#[derive(Debug, Default, Args)]
pub(crate) struct Doctor {
    #[command(flatten)]
    pub(crate) selection: Selection,
    #[command(flatten)]
    pub(crate) plan: Plan,
    #[command(flatten)]
    pub(crate) work: Work,
    #[command(flatten)]
    pub(crate) document: Document,
}

/// What the user plans to run.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "options")]
pub(crate) struct Plan {
    #[arg(long, value_name = "N")]
    pub(crate) workers: Option<u32>,
    #[arg(long)]
    pub(crate) pinned: bool,
    #[arg(long = "import", value_name = "MODULE,...", action = ArgAction::Append,
        value_delimiter = ',')]
    pub(crate) imports: Vec<String>,
}

/// `fixnvpe explain`
#[derive(Debug, Args)]
pub(crate) struct Explain {
    #[arg(value_name = "TEXT|FILE|-")]
    pub(crate) text: Vec<OsString>,
    #[command(flatten)]
    pub(crate) place: Place,
    #[command(flatten)]
    pub(crate) work: Work,
    #[command(flatten)]
    pub(crate) document: Document,
}
