//! One rule.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Scene, Value};
use crate::step::{Purpose, Step};

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Severity {
    /// It causes the error, or will.
    High,
    /// It makes the error likelier, or costs something.
    Medium,
    /// Good to know.
    Low,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::High => "high",
            Self::Medium => "medium",
            Self::Low => "low",
        })
    }
}

/// What a rule is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Scope {
    /// Each environment.
    Environment,
    /// The machine, once.
    Machine,
}

/// A kind of fact that a rule looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each is the name of a kind of fact")]
pub enum Fact {
    Torch,
    Python,
    Packages,
    Images,
    Architectures,
    Leftovers,
    Gpu,
    Driver,
    Budget,
    Workers,
    Cores,
    Commit,
    PageFile,
    Drives,
    AppControl,
    System,
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Torch => "version and CUDA build of torch",
            Self::Python => "version of Python",
            Self::Packages => "installed packages",
            Self::Images => "images, as a scan judges them",
            Self::Architectures => "architectures in the fat binaries",
            Self::Leftovers => "leftover files",
            Self::Gpu => "compute capability of the GPUs",
            Self::Driver => "version of the NVIDIA driver",
            Self::Budget => "commit budget",
            Self::Workers => "number of workers",
            Self::Cores => "cores",
            Self::Commit => "commit of the system",
            Self::PageFile => "page file settings",
            Self::Drives => "free disk space",
            Self::AppControl => "Smart App Control",
            Self::System => "operating system",
        })
    }
}

/// What a rule found, before it is part of a report.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    pub(crate) arguments: Vec<(&'static str, Value)>,
    pub(crate) steps: Vec<Step>,
}

impl Draft {
    pub(crate) fn new(arguments: Vec<(&'static str, Value)>) -> Self {
        Self {
            arguments,
            steps: Vec::new(),
        }
    }

    pub(crate) fn with_steps(mut self, steps: Vec<Step>) -> Self {
        self.steps = steps;
        self
    }
}

/// One row of the table.
#[derive(Debug)]
#[non_exhaustive]
pub struct Rule {
    /// The stable word of its finding.
    pub id: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// What it is asked about.
    pub scope: Scope,
    /// What it looks at.
    pub looks_at: &'static [Fact],
    /// When it is found, in words.
    pub when: &'static str,
    /// The values that its sentences may speak of.
    pub arguments: &'static [&'static str],
    /// What its steps may be for.
    pub purposes: &'static [Purpose],
    /// Where it comes from: addresses of public pages, or `owner/name#number`.
    pub sources: &'static [&'static str],
    pub(crate) condition: fn(&Scene<'_>) -> Option<Draft>,
}
