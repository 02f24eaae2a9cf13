//! The commands that give advice.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgAction, Args, value_parser};
use fixnvpe_doctor::measure::is_module_name;

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

/// `fixnvpe measure`
#[derive(Debug, Args)]
pub(crate) struct Measure {
    #[command(flatten)]
    pub(crate) selection: Selection,
    #[arg(long = "workers", value_name = "N", default_value_t = 1,
        value_parser = value_parser!(u32).range(..=MOST_WORKERS))]
    pub(crate) worker_processes: u32,
    #[arg(long)]
    pub(crate) each: bool,
    #[arg(long, value_name = "NAME|PREFIX", conflicts_with_all = ["each", "paths", "files_from",
        "exclude", "environments", "this_env", "kind", "all_envs", "caches", "toolkits"])]
    pub(crate) python: Option<String>,
    #[arg(long = "import", value_name = "MODULE,...",
        action = ArgAction::Append, value_delimiter = ',', value_parser = module)]
    pub(crate) modules: Vec<String>,
    #[arg(long, value_name = "FILE")]
    pub(crate) against: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) work: Work,
    #[command(flatten)]
    pub(crate) document: Document,
}

/// More processes than anyone trains with; a slip of the finger starts no more.
const MOST_WORKERS: i64 = 1024;

fn module(name: &str) -> Result<String, String> {
    if is_module_name(name) {
        Ok(name.to_owned())
    } else {
        Err(format!("`{name}` is no name of a module"))
    }
}
