//! What the rules look at: plain values, from wherever they came.

mod environment;
mod machine;
mod page_file;

use serde::{Deserialize, Serialize};

pub(crate) use environment::sum;
pub use environment::{
    EnvironmentFacts, ImageFacts, ImportFacts, Leftover, Leftovers, Package, Torch, normalised,
};
pub use machine::{AppControl, DriveSpace, Gpu, MachineFacts, SystemCommit};
pub use page_file::{PageFile, PageFileSize, PageFiles};

/// Everything that is known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Facts {
    /// The machine.
    pub machine: MachineFacts,
    /// The environments asked for.
    pub environments: Vec<EnvironmentFacts>,
}

impl Facts {
    /// Facts about a machine and environments.
    #[must_use]
    pub fn new(machine: MachineFacts, environments: Vec<EnvironmentFacts>) -> Self {
        Self {
            machine,
            environments,
        }
    }
}

/// What the user plans.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Options {
    /// Worker processes beside the main one (`num_workers`); `None` where
    /// nobody said.
    pub workers: Option<u32>,
    /// Whether the versions of the packages must stay as they are.
    pub pinned: bool,
}

impl Options {
    /// A plan with this many workers.
    #[must_use]
    pub fn with_workers(workers: Option<u32>) -> Self {
        Self {
            workers,
            pinned: false,
        }
    }
}
