//! What one rule looks at.

use std::collections::BTreeSet;

use crate::budget::Budget;
use crate::facts::{EnvironmentFacts, Facts, MachineFacts, Options};
use crate::upgrade::{Choice, NoBuild, choose};

/// The facts that a rule about one environment, or about the machine, may look
/// at, with what follows from them and several rules need.
#[derive(Debug)]
pub(crate) struct Scene<'a> {
    pub(crate) machine: &'a MachineFacts,
    pub(crate) options: &'a Options,
    /// The environment; `None` for rules about the machine.
    pub(crate) environment: Option<&'a EnvironmentFacts>,
    /// The budget of the environment; for rules about the machine, the largest.
    pub(crate) budget: Option<&'a Budget>,
    /// The environment whose budget that is.
    pub(crate) budget_of: Option<&'a EnvironmentFacts>,
    /// All environments.
    pub(crate) environments: &'a [EnvironmentFacts],
}

impl<'a> Scene<'a> {
    pub(crate) fn of_machine(
        facts: &'a Facts,
        options: &'a Options,
        largest: Option<(&'a EnvironmentFacts, &'a Budget)>,
    ) -> Self {
        let (budget_of, budget) = largest.unzip();
        Self {
            machine: &facts.machine,
            options,
            environment: None,
            budget,
            budget_of,
            environments: &facts.environments,
        }
    }

    pub(crate) fn of_environment(
        facts: &'a Facts,
        options: &'a Options,
        environment: &'a EnvironmentFacts,
        budget: &'a Budget,
    ) -> Self {
        Self {
            environment: Some(environment),
            budget: Some(budget),
            budget_of: Some(environment),
            ..Self::of_machine(facts, options, None)
        }
    }

    /// The builds to propose where an upgrade would help.
    pub(crate) fn upgrade(&self) -> Option<Result<Choice, NoBuild>> {
        let environment = self.environment.filter(|one| one.upgrade_helps())?;
        Some(choose(environment, self.machine))
    }

    /// What holds the version of torch where it is: packages that were built
    /// for it.
    pub(crate) fn bound(&self) -> Vec<String> {
        let Some(environment) = self.environment else {
            return Vec::new();
        };
        let bound: BTreeSet<_> = environment
            .packages
            .iter()
            .filter(|package| BOUND_TO_TORCH.contains(&package.name.as_str()))
            .map(|package| package.name.clone())
            .collect();
        bound.into_iter().collect()
    }

    /// Whether the versions must stay: the user said so, or something is built
    /// for them.
    pub(crate) fn pinned(&self) -> bool {
        self.options.pinned || !self.bound().is_empty()
    }
}

/// Packages with compiled code for one version of torch: an upgrade of torch
/// alone breaks them. Names as PEP 503 compares them; each says so in its own
/// installation guide.
pub(crate) const BOUND_TO_TORCH: &[&str] = &[
    "apex",
    "detectron2",
    "flash-attn",
    "kaolin",
    "mmcv",
    "mmcv-full",
    "pytorch3d",
    "tiny-cuda-nn",
    "torch-cluster",
    "torch-geometric",
    "torch-scatter",
    "torch-sparse",
    "torch-spline-conv",
    "torchtext",
    "xformers",
];
