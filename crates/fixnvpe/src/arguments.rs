//! The command line as typed values. Its help comes from the catalogue: see
//! [`help`].

mod advice;
pub(crate) mod help;
pub(crate) mod older_script;
pub(crate) mod usage_error;

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{ArgAction, ArgGroup, Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use fixnvpe_batch::LinkPolicy;

use crate::language::Language;

pub(crate) use advice::{Doctor, Explain, Measure};

/// What was asked for.
#[derive(Debug, Parser)]
#[command(
    name = "fixnvpe",
    bin_name = "fixnvpe",
    version,
    disable_help_flag = true
)]
#[command(disable_version_flag = true, disable_help_subcommand = true)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) general: General,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What every command understands.
#[derive(Debug, Args)]
#[command(next_help_heading = "output")]
pub(crate) struct General {
    #[arg(long, global = true, value_name = "en|zh")]
    pub(crate) lang: Option<Language>,
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
    #[arg(long, global = true, default_value = "auto", value_name = "WHEN")]
    pub(crate) color: Color,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Scan(Scan),
    Patch(Patch),
    Restore(Restore),
    Verify(Verify),
    Inspect(Inspect),
    History(History),
    Envs(Envs),
    Doctor(Doctor),
    Explain(Explain),
    Measure(Box<Measure>),
    Completions {
        shell: Shell,
    },
    #[command(hide = true)]
    Man,
    /// A process that `measure` starts.
    #[command(hide = true)]
    MeasuredProcess,
    #[command(hide = true)]
    Schema {
        document: crate::schema::Document,
    },
}

/// `fixnvpe scan`
#[derive(Debug, Args)]
pub(crate) struct Scan {
    #[arg(long)]
    pub(crate) check: bool,
    #[command(flatten)]
    pub(crate) selection: Selection,
    #[command(flatten)]
    pub(crate) policy: Policy,
    #[command(flatten)]
    pub(crate) work: Work,
    #[command(flatten)]
    pub(crate) document: Document,
    #[command(flatten)]
    pub(crate) events: Events,
}

/// `fixnvpe patch`
#[derive(Debug, Args)]
pub(crate) struct Patch {
    #[arg(short = 'n', long)]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) selection: Selection,
    #[command(flatten)]
    pub(crate) policy: Policy,
    #[command(flatten)]
    pub(crate) change: Change,
    #[arg(
        long,
        default_value = "none",
        value_name = "none|copy",
        help_heading = "policy"
    )]
    pub(crate) backup: Backup,
    #[command(flatten)]
    pub(crate) work: Work,
    #[command(flatten)]
    pub(crate) document: Document,
    #[command(flatten)]
    pub(crate) events: Events,
}

/// `fixnvpe restore`
#[expect(clippy::struct_excessive_bools, reason = "flags of a command line")]
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("journal").args(["last", "run", "everything"])
    .conflicts_with_all(["paths", "files_from", "exclude", "environments", "this_env", "kind",
        "all_envs", "caches", "toolkits"]))]
pub(crate) struct Restore {
    #[arg(long)]
    pub(crate) last: bool,
    #[arg(long, value_name = "ID")]
    pub(crate) run: Option<String>,
    #[arg(long)]
    pub(crate) everything: bool,
    #[arg(short = 'n', long)]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) selection: Selection,
    #[command(flatten)]
    pub(crate) change: Change,
    #[arg(long, help_heading = "policy")]
    pub(crate) infer: bool,
    #[arg(long, help_heading = "policy")]
    pub(crate) remove_backups: bool,
    #[command(flatten)]
    pub(crate) work: Work,
    #[command(flatten)]
    pub(crate) document: Document,
    #[command(flatten)]
    pub(crate) events: Events,
}

/// `fixnvpe verify`
#[derive(Debug, Args)]
pub(crate) struct Verify {
    #[command(flatten)]
    pub(crate) selection: Selection,
    #[command(flatten)]
    pub(crate) work: Work,
    #[command(flatten)]
    pub(crate) document: Document,
    #[command(flatten)]
    pub(crate) events: Events,
}

/// `fixnvpe inspect`
#[derive(Debug, Args)]
pub(crate) struct Inspect {
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[arg(long)]
    pub(crate) checksum: bool,
    #[command(flatten)]
    pub(crate) policy: Policy,
    #[command(flatten)]
    pub(crate) document: Document,
}

/// `fixnvpe history`
#[derive(Debug, Args)]
pub(crate) struct History {
    #[command(flatten)]
    pub(crate) state: State,
    #[command(flatten)]
    pub(crate) document: Document,
}

/// `fixnvpe envs`
#[derive(Debug, Args)]
pub(crate) struct Envs {
    #[arg(long)]
    pub(crate) places: bool,
    #[arg(long, value_name = "KIND,...", action = ArgAction::Append, value_delimiter = ',')]
    pub(crate) kind: Vec<String>,
    #[command(flatten)]
    pub(crate) beside: Beside,
    #[command(flatten)]
    pub(crate) place: Place,
    #[arg(long, value_name = "N", help_heading = "work")]
    pub(crate) threads: Option<NonZeroUsize>,
    #[command(flatten)]
    pub(crate) document: Document,
}

/// Which files. Several ways unite; `--exclude` subtracts.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "selection")]
pub(crate) struct Selection {
    #[arg(value_name = "PATH|GLOB")]
    pub(crate) paths: Vec<OsString>,
    #[arg(long = "env", value_name = "NAME|PREFIX", action = ArgAction::Append)]
    pub(crate) environments: Vec<String>,
    #[arg(long)]
    pub(crate) this_env: bool,
    #[arg(long, value_name = "KIND,...", action = ArgAction::Append, value_delimiter = ',')]
    pub(crate) kind: Vec<String>,
    #[arg(long)]
    pub(crate) all_envs: bool,
    #[command(flatten)]
    pub(crate) beside: Beside,
    #[arg(long, value_name = "FILE|-", action = ArgAction::Append)]
    pub(crate) files_from: Vec<PathBuf>,
    #[arg(long, value_name = "NAME|PREFIX|GLOB", action = ArgAction::Append)]
    pub(crate) exclude: Vec<OsString>,
    #[command(flatten)]
    pub(crate) place: Place,
}

/// What lies beside environments and holds the same files.
#[derive(Clone, Copy, Debug, Default, Args)]
#[command(next_help_heading = "selection")]
pub(crate) struct Beside {
    #[arg(long)]
    pub(crate) caches: bool,
    #[arg(long)]
    pub(crate) toolkits: bool,
}

/// Where environments are looked for. It selects nothing.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "place")]
pub(crate) struct Place {
    #[arg(long, value_name = "[LETTER=]DIR", action = ArgAction::Append)]
    pub(crate) root: Vec<OsString>,
    #[arg(long)]
    pub(crate) deep: bool,
}

/// What may be changed.
#[derive(Clone, Copy, Debug, Default, Args)]
#[command(next_help_heading = "policy")]
pub(crate) struct Policy {
    #[arg(long, default_value = "keep", value_name = "keep|clear")]
    pub(crate) aslr: Aslr,
    #[arg(long)]
    pub(crate) allow_signed: bool,
}

/// How files are changed.
#[derive(Clone, Copy, Debug, Default, Args)]
#[command(next_help_heading = "policy")]
pub(crate) struct Change {
    #[arg(long, default_value = "auto", value_name = "POLICY")]
    pub(crate) links: Links,
    #[arg(long, default_value = "skip", value_name = "skip|replace")]
    pub(crate) in_use: InUse,
    #[arg(long)]
    pub(crate) force: bool,
}

/// How the work is done.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "work")]
pub(crate) struct Work {
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,
    #[command(flatten)]
    pub(crate) state: State,
    #[arg(long)]
    pub(crate) no_progress: bool,
}

/// Where the journal lies.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "work")]
pub(crate) struct State {
    #[arg(long, value_name = "DIR")]
    pub(crate) state_dir: Option<PathBuf>,
}

/// What the result looks like and where it goes.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "output")]
pub(crate) struct Document {
    #[arg(long)]
    pub(crate) json: bool,
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[arg(long)]
    pub(crate) redact: bool,
}

/// Results as they come.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "output")]
pub(crate) struct Events {
    #[arg(long, conflicts_with = "json")]
    pub(crate) jsonl: bool,
}

/// When to colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

/// What becomes of the flag that lets an image be loaded at a random address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Aslr {
    #[default]
    Keep,
    Clear,
}

/// What becomes of a file that has names outside the selection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Links {
    #[default]
    Auto,
    Share,
    Break,
    Skip,
}

/// What becomes of a file that a program uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum InUse {
    #[default]
    Skip,
    Replace,
}

/// Whether a copy of the original stays beside the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Backup {
    #[default]
    None,
    Copy,
}

impl Selection {
    /// Whether nothing was selected; an exclusion selects nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.paths.is_empty() && self.files_from.is_empty() && !self.selects_around()
    }

    /// Whether something is selected that has to be found on the machine.
    pub(crate) fn selects_around(&self) -> bool {
        self.selects_environments() || self.beside.caches || self.beside.toolkits
    }

    /// Whether environments are selected.
    pub(crate) fn selects_environments(&self) -> bool {
        self.all_envs || self.this_env || !self.environments.is_empty() || !self.kind.is_empty()
    }
}

impl Command {
    /// What the result of this command looks like, if that can be chosen.
    pub(crate) fn document(&self) -> Option<&Document> {
        match self {
            Self::Scan(scan) => Some(&scan.document),
            Self::Patch(patch) => Some(&patch.document),
            Self::Restore(restore) => Some(&restore.document),
            Self::Verify(verify) => Some(&verify.document),
            Self::Inspect(inspect) => Some(&inspect.document),
            Self::History(history) => Some(&history.document),
            Self::Envs(envs) => Some(&envs.document),
            Self::Doctor(doctor) => Some(&doctor.document),
            Self::Explain(explain) => Some(&explain.document),
            Self::Measure(measure) => Some(&measure.document),
            Self::Completions { .. } | Self::Man | Self::MeasuredProcess | Self::Schema { .. } => {
                None
            }
        }
    }

    /// Whether each event is wanted as a line.
    pub(crate) fn wants_lines(&self) -> bool {
        match self {
            Self::Scan(scan) => scan.events.jsonl,
            Self::Patch(patch) => patch.events.jsonl,
            Self::Restore(restore) => restore.events.jsonl,
            Self::Verify(verify) => verify.events.jsonl,
            _ => false,
        }
    }
}

impl Change {
    /// What a restore has to be told so that it undoes a patch that was told
    /// this: a file that was changed under all its names is changed back under
    /// all of them, and a read-only attribute is set still.
    pub(crate) fn to_undo(self) -> Self {
        let links = match self.links {
            Links::Share => Links::Share,
            Links::Auto | Links::Break | Links::Skip => Links::Auto,
        };
        Self {
            links,
            in_use: InUse::Skip,
            force: self.force,
        }
    }

    /// The same choices for the library.
    pub(crate) fn apply_to(self, options: &mut fixnvpe_batch::ChangeOptions<'_>) {
        options.links = match self.links {
            Links::Auto => LinkPolicy::Auto,
            Links::Share => LinkPolicy::Share,
            Links::Break => LinkPolicy::Break,
            Links::Skip => LinkPolicy::Skip,
        };
        options.in_use = match self.in_use {
            InUse::Skip => fixnvpe_batch::InUse::Skip,
            InUse::Replace => fixnvpe_batch::InUse::Replace,
        };
        options.force = self.force;
    }
}

impl From<Policy> for fixnvpe_pe::Policy {
    fn from(policy: Policy) -> Self {
        let aslr = match policy.aslr {
            Aslr::Keep => fixnvpe_pe::Aslr::Keep,
            Aslr::Clear => fixnvpe_pe::Aslr::Clear,
        };
        Self::new(aslr, policy.allow_signed)
    }
}
