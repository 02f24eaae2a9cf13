//! Rules about the machine: page files and what is committed.

use super::rule::{Draft, Fact, Rule, Scope, Severity};
use super::{Scene, Value};
use crate::budget::GB;
use crate::facts::PageFiles;
use crate::step::{Purpose, Step};

const PAGE_FILE_SOURCE: &str = "https://learn.microsoft.com/troubleshoot/windows-client/performance/how-to-determine-the-appropriate-page-file-size-for-64-bit-versions-of-windows";

/// The window of Windows in which page files are set.
const SETTINGS: &str = "SystemPropertiesPerformance.exe";

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "page_file_off",
        severity: Severity::High,
        scope: Scope::Machine,
        looks_at: &[Fact::PageFile, Fact::Commit, Fact::Budget],
        when: "there is no page file",
        arguments: &["memory", "needed", "needed_known", "drive"],
        purposes: &[Purpose::Set],
        sources: &[PAGE_FILE_SOURCE],
        condition: page_file_off,
    },
    Rule {
        id: "page_file_small",
        severity: Severity::High,
        scope: Scope::Machine,
        looks_at: &[Fact::PageFile, Fact::Commit, Fact::Budget],
        when: "the page files have a fixed largest size, and it is below what the largest budget needs",
        arguments: &[
            "largest",
            "needed",
            "needed_after",
            "helped",
            "drive",
            "workers",
            "environment",
        ],
        purposes: &[Purpose::Set],
        sources: &[
            PAGE_FILE_SOURCE,
            "https://github.com/pytorch/pytorch/issues/53695",
        ],
        condition: page_file_small,
    },
    Rule {
        id: "page_file_no_room",
        severity: Severity::High,
        scope: Scope::Machine,
        looks_at: &[Fact::PageFile, Fact::Drives, Fact::Commit, Fact::Budget],
        when: "Windows manages the page file, but it cannot grow to what the largest budget needs",
        arguments: &[
            "largest",
            "needed",
            "needed_after",
            "helped",
            "drive",
            "free",
            "free_known",
            "workers",
            "environment",
        ],
        purposes: &[Purpose::Set],
        sources: &[
            PAGE_FILE_SOURCE,
            "https://github.com/Comfy-Org/ComfyUI/issues/7550",
        ],
        condition: page_file_no_room,
    },
    Rule {
        id: "commit_nearly_full",
        severity: Severity::Medium,
        scope: Scope::Machine,
        looks_at: &[Fact::Commit, Fact::PageFile],
        when: "nine tenths of the commit limit are used, and the page files cannot grow",
        arguments: &["used", "limit", "headroom"],
        purposes: &[],
        sources: &[PAGE_FILE_SOURCE],
        condition: commit_nearly_full,
    },
    Rule {
        id: "no_environment",
        severity: Severity::Medium,
        scope: Scope::Machine,
        looks_at: &[Fact::System],
        when: "no environment was found or selected",
        arguments: &[],
        purposes: &[Purpose::Look],
        sources: &[],
        condition: no_environment,
    },
    Rule {
        id: "not_windows",
        severity: Severity::Low,
        scope: Scope::Machine,
        looks_at: &[Fact::System],
        when: "the machine does not run Windows",
        arguments: &[],
        purposes: &[],
        sources: &["https://www.kernel.org/doc/Documentation/vm/overcommit-accounting"],
        condition: not_windows,
    },
];

fn page_file_off(scene: &Scene<'_>) -> Option<Draft> {
    let machine = scene.machine;
    if !machine.windows || machine.page_files != PageFiles::Off {
        return None;
    }
    let needed = scene
        .budget
        .and_then(|budget| budget.page_file)
        .map(|page_file| whole_gb(page_file.now))
        .filter(|bytes| *bytes > 0);
    Some(
        Draft::new(vec![
            ("memory", Value::Bytes(machine.physical_memory.unwrap_or(0))),
            ("needed", Value::Bytes(needed.unwrap_or(0))),
            ("needed_known", Value::choice(needed.is_some())),
            ("drive", drive(scene)),
        ])
        .with_steps(vec![Step::open(SETTINGS)]),
    )
}

/// The largest size that the page files can have, and what is needed now and
/// after a patch, where it is more.
fn shortage(scene: &Scene<'_>) -> Option<(u64, u64, u64)> {
    let machine = scene.machine;
    if !machine.windows || machine.page_files == PageFiles::Off {
        return None;
    }
    let needed = scene.budget?.page_file?;
    let largest = machine
        .page_files
        .largest(machine, machine.page_file_now()?)?;
    (needed.now > largest).then_some((largest, needed.now, needed.after))
}

fn page_file_small(scene: &Scene<'_>) -> Option<Draft> {
    let (largest, needed, after) = shortage(scene)?;
    if !scene.machine.page_files.is_fixed() {
        return None;
    }
    Some(
        Draft::new(vec![
            ("largest", Value::Bytes(largest)),
            ("needed", Value::Bytes(whole_gb(needed))),
            ("needed_after", Value::Bytes(whole_gb(after))),
            ("helped", Value::choice(after <= largest && after < needed)),
            ("drive", drive(scene)),
            ("workers", workers(scene)),
            ("environment", environment(scene)),
        ])
        .with_steps(vec![Step::open(SETTINGS)]),
    )
}

fn page_file_no_room(scene: &Scene<'_>) -> Option<Draft> {
    let (largest, needed, after) = shortage(scene)?;
    if scene.machine.page_files.is_fixed() {
        return None;
    }
    let space = scene.machine.drive(scene.machine.page_files.drive());
    Some(
        Draft::new(vec![
            ("largest", Value::Bytes(largest)),
            ("needed", Value::Bytes(whole_gb(needed))),
            ("needed_after", Value::Bytes(whole_gb(after))),
            ("helped", Value::choice(after <= largest && after < needed)),
            ("drive", drive(scene)),
            ("free", Value::Bytes(space.map_or(0, |space| space.free))),
            ("free_known", Value::choice(space.is_some())),
            ("workers", workers(scene)),
            ("environment", environment(scene)),
        ])
        .with_steps(vec![Step::open(SETTINGS)]),
    )
}

fn commit_nearly_full(scene: &Scene<'_>) -> Option<Draft> {
    let machine = scene.machine;
    let commit = machine.commit.filter(|_| machine.windows)?;
    machine.page_file_now()?;
    if machine.page_file_can_grow_to().is_some() || commit.used / 9 < commit.limit / 10 {
        return None;
    }
    Some(Draft::new(vec![
        ("used", Value::Bytes(commit.used)),
        ("limit", Value::Bytes(commit.limit)),
        ("headroom", Value::Bytes(commit.headroom())),
    ]))
}

fn no_environment(scene: &Scene<'_>) -> Option<Draft> {
    scene.environments.is_empty().then(|| {
        Draft::default().with_steps(vec![
            Step::own(Purpose::Look, ["envs"]),
            Step::own(Purpose::Look, ["doctor", "--deep"]),
        ])
    })
}

fn not_windows(scene: &Scene<'_>) -> Option<Draft> {
    (!scene.machine.windows).then(Draft::default)
}

/// The drive that the page file is on, or would be on.
fn drive(scene: &Scene<'_>) -> Value {
    let machine = scene.machine;
    let letter = machine.page_files.drive().or(machine.system_drive);
    Value::text(&format!("{}:", letter.unwrap_or('C')))
}

/// The environment that needs the most.
fn environment(scene: &Scene<'_>) -> Value {
    Value::text(scene.budget_of.map_or("", |one| one.name.as_str()))
}

fn workers(scene: &Scene<'_>) -> Value {
    Value::count(scene.budget.map_or(0, |budget| budget.workers))
}

/// Sizes are typed in as whole numbers: up to the next GB.
fn whole_gb(bytes: u64) -> u64 {
    bytes.div_ceil(GB).saturating_mul(GB)
}
