//! What `doctor` tells.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::budget::Budget;
use crate::facts::{EnvironmentFacts, Facts, MachineFacts, Options};
use crate::findings::{Scene, Scope, Severity, Value, rules};
use crate::step::Step;
use crate::upgrade::AS_OF;

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Finding {
    /// The stable word of its rule.
    pub id: String,
    /// How much it matters.
    pub severity: Severity,
    /// The environment that it is about; `None` where it is about the machine.
    #[serde(with = "crate::path_text::optional")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub environment: Option<PathBuf>,
    /// The values that its sentence speaks of.
    pub arguments: BTreeMap<String, Value>,
    /// What to do, in this order.
    pub steps: Vec<Step>,
    /// Where the rule comes from.
    pub sources: Vec<String>,
    /// The sentence, in English; the caller fills this in.
    #[serde(default)]
    pub message: String,
}

/// One of the three answers to writable fat binaries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum AnswerKind {
    /// A newer torch.
    Upgrade,
    /// Making the fat binaries read-only.
    Patch,
    /// A larger page file.
    PageFile,
}

impl AnswerKind {
    /// Every answer, with its word.
    pub const ALL: [(Self, &'static str); 3] = [
        (Self::Upgrade, "upgrade"),
        (Self::Patch, "patch"),
        (Self::PageFile, "page_file"),
    ];
}

/// What an answer does for one environment. Gains, costs and when to choose it
/// are sentences; the figures are here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Answer {
    /// Which one.
    pub answer: AnswerKind,
    /// Whether it can be done here.
    pub possible: bool,
    /// What it saves in each process that maps everything, in bytes.
    pub saves: u64,
    /// What it leaves of what a patch would save, in bytes.
    pub leaves: u64,
    /// What it takes on the disk, in bytes; `None` where it is not known
    /// beforehand.
    pub disk: Option<u64>,
    /// What it leads to: the name of a build.
    pub target: Option<String>,
}

/// One environment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct EnvironmentReport {
    /// What is known about it.
    pub facts: EnvironmentFacts,
    /// What its processes cost.
    pub budget: Budget,
    /// The answers compared; empty where nothing is writable.
    pub answers: Vec<Answer>,
}

/// What was found, and what is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct DoctorReport {
    /// Year and month of the table of upgrades.
    pub upgrades_as_of: String,
    /// The findings, the worst first.
    pub findings: Vec<Finding>,
    /// The machine.
    pub machine: MachineFacts,
    /// What the user plans.
    pub options: Options,
    /// The environments, the one that gains most from a patch first.
    pub environments: Vec<EnvironmentReport>,
}

/// Asks every rule about every environment, and about the machine.
///
/// ```
/// use fixnvpe_doctor::facts::{EnvironmentFacts, Facts, ImageFacts, MachineFacts, Options};
/// use fixnvpe_doctor::pe::{CommitCharge, Condition};
///
/// let mut environment = EnvironmentFacts::new("yolo", r"D:\envs\yolo");
/// let charge = CommitCharge::new(300 << 20, 1 << 20);
/// environment.images = vec![ImageFacts::new("cudnn64_7.dll", Condition::Writable, charge)];
///
/// let facts = Facts::new(MachineFacts::elsewhere(), vec![environment]);
/// let report = fixnvpe_doctor::examine(facts, &Options::default());
/// assert_eq!(report.findings[0].id, "patch");
/// ```
#[must_use]
pub fn examine(mut facts: Facts, options: &Options) -> DoctorReport {
    facts
        .environments
        .sort_by_key(|environment| std::cmp::Reverse(environment.savable()));
    let workers = options.workers.unwrap_or(0);
    let budgets: Vec<_> = facts
        .environments
        .iter()
        .map(|environment| Budget::new(environment.commit(), workers, &facts.machine))
        .collect();
    let findings = findings(&facts, options, &budgets);
    let Facts {
        machine,
        environments,
    } = facts;
    let environments = environments
        .into_iter()
        .zip(budgets)
        .map(|(facts, budget)| EnvironmentReport {
            answers: answers(&facts, &budget, &machine),
            facts,
            budget,
        })
        .collect();
    DoctorReport {
        upgrades_as_of: AS_OF.to_owned(),
        findings,
        machine,
        options: options.clone(),
        environments,
    }
}

fn findings(facts: &Facts, options: &Options, budgets: &[Budget]) -> Vec<Finding> {
    let largest = facts
        .environments
        .iter()
        .zip(budgets)
        .max_by_key(|(_, budget)| budget.total.now);
    let mut found = Vec::new();
    for rule in rules() {
        let scenes: Vec<_> = match rule.scope {
            Scope::Machine => vec![Scene::of_machine(facts, options, largest)],
            Scope::Environment => facts
                .environments
                .iter()
                .zip(budgets)
                .map(|(environment, budget)| {
                    Scene::of_environment(facts, options, environment, budget)
                })
                .collect(),
        };
        for scene in scenes {
            let Some(draft) = (rule.condition)(&scene) else {
                continue;
            };
            found.push(Finding {
                id: rule.id.to_owned(),
                severity: rule.severity,
                environment: scene.environment.map(|it| it.prefix.clone()),
                arguments: draft
                    .arguments
                    .into_iter()
                    .map(|(name, value)| (name.to_owned(), value))
                    .collect(),
                steps: draft.steps,
                sources: rule.sources.iter().map(ToString::to_string).collect(),
                message: String::new(),
            });
        }
    }
    found
}

/// The three answers, where a question is.
fn answers(environment: &EnvironmentFacts, budget: &Budget, machine: &MachineFacts) -> Vec<Answer> {
    if environment.writable().next().is_none() {
        return Vec::new();
    }
    let choice = crate::upgrade::choose(environment, machine)
        .ok()
        .filter(|_| environment.upgrade_helps());
    // Where nothing is missing, it is the user who says how much it grows.
    let page_file = budget
        .page_file
        .zip(machine.page_file_now())
        .map(|(needed, now)| needed.now.saturating_sub(now))
        .filter(|missing| *missing > 0);
    let savable = environment.savable();
    let by_upgrade = environment.savable_by_upgrade();
    vec![
        Answer {
            answer: AnswerKind::Upgrade,
            possible: choice.is_some(),
            saves: by_upgrade,
            leaves: savable.saturating_sub(by_upgrade),
            disk: None,
            target: choice.map(|choice| choice.smallest.name()),
        },
        Answer {
            answer: AnswerKind::Patch,
            possible: true,
            saves: savable,
            leaves: 0,
            disk: Some(0),
            target: None,
        },
        Answer {
            answer: AnswerKind::PageFile,
            possible: machine.windows,
            saves: 0,
            leaves: savable,
            disk: page_file,
            target: None,
        },
    ]
}
