//! What to do next, as data: a caller writes it for the user's shell.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::path_text::shown;

/// What a step is for, where one sentence or one label depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Purpose {
    /// The smallest upgrade that ends the problem.
    UpgradeSmallest,
    /// The upgrade to a current version.
    UpgradeCurrent,
    /// The same in a fresh environment, to try it first.
    TryFresh,
    /// Whether the GPU is still found.
    Check,
    /// What a patch would do.
    PreviewPatch,
    /// The patch.
    Patch,
    /// The patch after the step before it, which undoes one: both belong
    /// together.
    PatchAgain,
    /// Giving back the original bytes.
    Restore,
    /// Freeing the space of leftovers.
    Free,
    /// Looking closer.
    Look,
    /// Changing a setting.
    Set,
    /// Reading on.
    Read,
}

impl Purpose {
    /// Every purpose, with its word.
    pub const ALL: &'static [(Self, &'static str)] = &[
        (Self::UpgradeSmallest, "upgrade_smallest"),
        (Self::UpgradeCurrent, "upgrade_current"),
        (Self::TryFresh, "try_fresh"),
        (Self::Check, "check"),
        (Self::PreviewPatch, "preview_patch"),
        (Self::Patch, "patch"),
        (Self::PatchAgain, "patch_again"),
        (Self::Restore, "restore"),
        (Self::Free, "free"),
        (Self::Look, "look"),
        (Self::Set, "set"),
        (Self::Read, "read"),
    ];
}

/// How a step is done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Action {
    /// Run this command: the program and its arguments, not quoted yet.
    Run(Vec<String>),
    /// Set this environment variable in the shell, before Python is started.
    Variable {
        /// Its name.
        name: String,
        /// Its value.
        value: String,
    },
    /// Let the tool of a project install these packages, by the project's own
    /// file: what is installed past it, its next run undoes.
    Declare {
        /// The tool: `Poetry`.
        tool: String,
        /// The packages, as the tool's own source of them writes them.
        packages: Vec<String>,
        /// The index of wheels, or the channels of conda.
        from: String,
    },
    /// Open this program of Windows and do there what the sentence says.
    Open(String),
    /// Read this page.
    Page(String),
    /// Remove this by hand.
    Remove(String),
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Step {
    /// What it is for.
    pub purpose: Purpose,
    /// How it is done.
    pub action: Action,
}

impl Step {
    /// A command.
    pub fn run<S: Into<String>>(purpose: Purpose, words: impl IntoIterator<Item = S>) -> Self {
        let words = words.into_iter().map(Into::into).collect();
        Self {
            purpose,
            action: Action::Run(words),
        }
    }

    /// A command of this program.
    pub(crate) fn own<'a>(purpose: Purpose, words: impl IntoIterator<Item = &'a str>) -> Self {
        Self::run(purpose, std::iter::once("fixnvpe").chain(words))
    }

    /// A command of this program for one environment.
    pub(crate) fn for_environment(purpose: Purpose, words: &[&str], prefix: &Path) -> Self {
        let prefix = shown(prefix);
        let words = words.iter().copied().chain(["--env", prefix.as_str()]);
        Self::own(purpose, words)
    }

    /// A page to read.
    pub(crate) fn read(url: &str) -> Self {
        Self {
            purpose: Purpose::Read,
            action: Action::Page(url.to_owned()),
        }
    }

    /// A variable to set.
    pub(crate) fn variable(name: &str, value: &str) -> Self {
        Self {
            purpose: Purpose::Set,
            action: Action::Variable {
                name: name.to_owned(),
                value: value.to_owned(),
            },
        }
    }

    /// A program of Windows to open.
    pub(crate) fn open(program: &str) -> Self {
        Self {
            purpose: Purpose::Set,
            action: Action::Open(program.to_owned()),
        }
    }

    /// Something to remove by hand.
    pub(crate) fn remove(path: &Path) -> Self {
        Self {
            purpose: Purpose::Free,
            action: Action::Remove(shown(path)),
        }
    }
}
