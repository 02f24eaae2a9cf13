//! The ids of the sentences that this crate speaks of, with the values that each
//! may take. The sentences themselves are the caller's, in each language that it
//! has; its tests compare them with this list.

use crate::budget::NotCounted;
use crate::explain::Kind;
use crate::findings::rules;
use crate::report::AnswerKind;
use crate::step::Purpose;

/// A sentence: its id, and the names of the values that it may speak of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Sentence {
    /// Its id: `doctor-page-file-off`.
    pub id: String,
    /// The names of its values.
    pub values: &'static [&'static str],
}

/// Sentences with an id of their own.
const FIXED: &[(&str, &[&str])] = &[
    ("doctor-severity-high", &[]),
    ("doctor-severity-medium", &[]),
    ("doctor-severity-low", &[]),
    ("doctor-action-conda", &[]),
    ("doctor-action-declare", &["tool", "packages", "from"]),
    ("doctor-action-open", &["program"]),
    ("doctor-action-page", &["url"]),
    ("doctor-action-remove", &["path"]),
    ("doctor-budget-title", &[]),
    (
        "doctor-budget-imports",
        &["modules", "images", "now", "after"],
    ),
    ("doctor-budget-everything", &["now", "after"]),
    (
        "doctor-budget-workers",
        &["workers", "total", "total_after"],
    ),
    (
        "doctor-budget-headroom",
        &[
            "headroom",
            "largest",
            "largest_after",
            "many_after",
            "cores",
        ],
    ),
    ("doctor-budget-headroom-enough", &["headroom", "cores"]),
    ("doctor-budget-headroom-none", &["headroom"]),
    ("doctor-budget-grows", &["grows_to"]),
    (
        "doctor-budget-page-file",
        &["page_file", "page_file_after", "enough_after"],
    ),
    ("doctor-budget-not-counted", &["parts"]),
    ("doctor-unknown-modules", &["modules"]),
    ("doctor-unknown-modules-hint", &[]),
    ("doctor-compare-title", &[]),
    ("doctor-compare-answer", &[]),
    ("doctor-compare-gain", &[]),
    ("doctor-compare-cost", &[]),
    ("doctor-compare-when", &[]),
    ("doctor-upgrades-as-of", &["as_of"]),
    ("explain-dll", &["dll"]),
    ("explain-environment", &["prefix"]),
    ("explain-others", &["kinds"]),
    ("explain-here", &[]),
    ("explain-not-here", &[]),
    ("explain-paste", &[]),
    ("explain-nothing", &[]),
    ("measure-images", &["processes", "images"]),
    ("measure-python", &["processes", "modules", "program"]),
    ("measure-before", &[]),
    ("measure-with", &["processes"]),
    ("measure-after", &[]),
    ("measure-range", &["least", "most"]),
    ("measure-not-windows", &[]),
    ("measure-nothing", &[]),
    ("measure-per-process", &["bytes", "idle"]),
    ("measure-calculated", &["calculated", "difference"]),
    ("measure-calculated-python", &["calculated", "difference"]),
    ("measure-error", &["number"]),
    ("measure-stopped", &["ready"]),
    ("measure-compared", &[]),
    ("measure-one", &[]),
    ("measure-all", &["processes"]),
    ("measure-not-same", &[]),
    ("measure-keep", &[]),
    ("measure-then", &[]),
    ("measure-is-compared", &[]),
    ("measure-nothing-writable", &[]),
];

/// Every sentence, in the order of ids.
///
/// A finding `page_file_off` has `doctor-page-file-off` for the screen and
/// `doctor-page-file-off-more` for those who ask; a kind `commit_limit` has
/// `explain-commit-limit`, what it is, and `explain-commit-limit-todo`.
#[must_use]
pub fn sentences() -> Vec<Sentence> {
    let mut all: Vec<_> = FIXED
        .iter()
        .map(|(id, values)| sentence(id, values))
        .collect();
    for rule in rules() {
        let id = id("doctor", rule.id);
        all.push(sentence(&format!("{id}-more"), rule.arguments));
        all.push(sentence(&id, rule.arguments));
    }
    for (_, word) in Kind::ALL {
        let id = id("explain", word);
        all.push(sentence(&format!("{id}-todo"), &[]));
        all.push(sentence(&id, &[]));
    }
    for (_, word) in Purpose::ALL {
        all.push(sentence(&id("doctor-step", word), &[]));
    }
    for (_, word) in NotCounted::ALL {
        all.push(sentence(&id("doctor-not-counted", word), &[]));
    }
    for (_, word) in AnswerKind::ALL {
        let id = id("doctor-compare", word);
        let gain = &["saves", "leaves", "leaves_any"];
        all.push(sentence(&format!("{id}-gain"), gain));
        all.push(sentence(&format!("{id}-cost"), &["disk", "disk_known"]));
        all.push(sentence(&format!("{id}-when"), &[]));
        all.push(sentence(&id, &[]));
    }
    all.sort();
    all
}

/// The id of a sentence about something that has a word.
#[must_use]
pub fn id(prefix: &str, word: &str) -> String {
    format!("{prefix}-{}", word.replace('_', "-"))
}

fn sentence(id: &str, values: &'static [&'static str]) -> Sentence {
    let id = id.to_owned();
    Sentence { id, values }
}

#[cfg(test)]
mod tests;
