//! Rules about what lies in an environment that should not: leftovers, lost
//! ASLR, broken signatures.

use std::collections::BTreeMap;
use std::path::Path;

use fixnvpe_pe::Condition;

use super::rule::{Draft, Fact, Rule, Scope, Severity};
use super::{Scene, Value};
use crate::facts::{AppControl, EnvironmentFacts, Leftover};
use crate::step::{Purpose, Step};

/// How many leftovers are named one by one.
const NAMED: usize = 3;

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "signed_patched_blocked",
        severity: Severity::High,
        scope: Scope::Environment,
        looks_at: &[Fact::Images, Fact::AppControl],
        when: "a signed image was patched, and Smart App Control is on",
        arguments: &["images", "file"],
        purposes: &[Purpose::Restore],
        sources: &["https://github.com/Comfy-Org/ComfyUI/issues/15117"],
        condition: signed_patched_blocked,
    },
    Rule {
        id: "aslr_collisions",
        severity: Severity::Medium,
        scope: Scope::Environment,
        looks_at: &[Fact::Images],
        when: "several images with fat binaries lost ASLR and are linked for one address",
        arguments: &["images", "base", "files"],
        purposes: &[Purpose::Restore, Purpose::PatchAgain],
        sources: &[
            "https://devblogs.microsoft.com/oldnewthing/20041217-00/?p=36953",
            "https://devblogs.microsoft.com/oldnewthing/20170120-00/?p=95225",
        ],
        condition: aslr_collisions,
    },
    Rule {
        id: "script_leftovers",
        severity: Severity::Medium,
        scope: Scope::Environment,
        looks_at: &[Fact::Leftovers],
        when: "`_bak` or `_mod` files lie beside DLLs: what the older script left, or `--backup copy`",
        arguments: &["files", "bytes", "backups", "unfinished", "again"],
        purposes: &[Purpose::Free, Purpose::PatchAgain],
        sources: &["https://gist.github.com/cobryan05/7d1fe28dd370e110a372c4d268dcb2e5"],
        condition: script_leftovers,
    },
    Rule {
        id: "pip_leftovers",
        severity: Severity::Medium,
        scope: Scope::Environment,
        looks_at: &[Fact::Leftovers],
        when: "folders whose name begins with `~` hold DLLs: pip could not remove them while they were in use",
        arguments: &["folders", "bytes", "first"],
        purposes: &[Purpose::Free],
        sources: &[
            "https://github.com/pypa/pip/issues/7269",
            "https://github.com/pypa/pip/issues/11857",
        ],
        condition: pip_leftovers,
    },
    Rule {
        id: "signed_patched",
        severity: Severity::Low,
        scope: Scope::Environment,
        looks_at: &[Fact::Images, Fact::AppControl],
        when: "a signed image was patched, and Smart App Control is evaluating, or its state is not known",
        arguments: &["images", "file"],
        purposes: &[Purpose::Restore],
        sources: &["https://github.com/Comfy-Org/ComfyUI/issues/15117"],
        condition: signed_patched,
    },
];

fn signed_patched_blocked(scene: &Scene<'_>) -> Option<Draft> {
    (scene.machine.app_control == Some(AppControl::Enforced))
        .then(|| patched_signatures(scene))
        .flatten()
}

fn signed_patched(scene: &Scene<'_>) -> Option<Draft> {
    match scene.machine.app_control {
        Some(AppControl::Enforced | AppControl::Off) => None,
        Some(AppControl::Evaluation) | None => patched_signatures(scene),
    }
}

fn patched_signatures(scene: &Scene<'_>) -> Option<Draft> {
    let environment = scene.environment?;
    let images: Vec<_> = environment
        .images
        .iter()
        .filter(|image| image.signed && image.patched)
        .collect();
    let first = images.first()?;
    Some(
        Draft::new(vec![
            ("images", Value::count(images.len())),
            ("file", Value::Text(first.file_name())),
        ])
        .with_steps(vec![Step::run(
            Purpose::Restore,
            [
                "fixnvpe".to_owned(),
                "restore".to_owned(),
                crate::path_text::shown(&first.path),
            ],
        )]),
    )
}

fn aslr_collisions(scene: &Scene<'_>) -> Option<Draft> {
    let environment = scene.environment?;
    let mut bases = BTreeMap::<u64, Vec<String>>::new();
    for image in &environment.images {
        let has_fatbin = image.condition != Condition::NoFatbin;
        if let (true, false, Some(base)) = (has_fatbin, image.aslr, image.image_base) {
            bases.entry(base).or_default().push(image.file_name());
        }
    }
    let (base, files) = bases.into_iter().max_by_key(|(_, files)| files.len())?;
    if files.len() < 2 {
        return None;
    }
    let prefix = &environment.prefix;
    Some(
        Draft::new(vec![
            ("images", Value::count(files.len())),
            ("base", Value::text(&format!("{base:#x}"))),
            (
                "files",
                Value::List(files.into_iter().take(NAMED).collect()),
            ),
        ])
        .with_steps(vec![
            Step::for_environment(Purpose::Restore, &["restore"], prefix),
            Step::for_environment(Purpose::PatchAgain, &["patch"], prefix),
        ]),
    )
}

fn script_leftovers(scene: &Scene<'_>) -> Option<Draft> {
    let environment = scene.environment?;
    let leftovers = &environment.leftovers;
    let (backups, unfinished) = (leftovers.backups.len(), leftovers.unfinished.len());
    if backups + unfinished == 0 {
        return None;
    }
    // A backup is freed by restoring from it: what was patched is patched again.
    let again = leftovers
        .backups
        .iter()
        .any(|backup| is_read_only(environment, backup));
    let mut steps = Vec::new();
    if backups > 0 {
        let prefix = &environment.prefix;
        let words = &["restore", "--remove-backups"];
        steps.push(Step::for_environment(Purpose::Free, words, prefix));
        if again {
            steps.push(Step::for_environment(
                Purpose::PatchAgain,
                &["patch"],
                prefix,
            ));
        }
    }
    steps.extend(removals(&leftovers.unfinished));
    Some(
        Draft::new(vec![
            ("files", Value::count(backups + unfinished)),
            (
                "bytes",
                Value::Bytes(size(&leftovers.backups).saturating_add(size(&leftovers.unfinished))),
            ),
            ("backups", Value::count(backups)),
            ("unfinished", Value::count(unfinished)),
            ("again", Value::choice(again)),
        ])
        .with_steps(steps),
    )
}

/// Whether the image that a backup is of, `NAME.dll` of `NAME.dll_bak`, has been
/// made read-only.
fn is_read_only(environment: &EnvironmentFacts, backup: &Leftover) -> bool {
    let lower = |path: &Path| crate::path_text::shown(path).to_lowercase();
    let backup = lower(&backup.path);
    environment.images.iter().any(|image| {
        image.condition == Condition::ReadOnly
            && backup.strip_suffix("_bak") == Some(lower(&image.path).as_str())
    })
}

fn pip_leftovers(scene: &Scene<'_>) -> Option<Draft> {
    let leftovers = &scene.environment?.leftovers.pip;
    let first = leftovers.first()?;
    Some(
        Draft::new(vec![
            ("folders", Value::count(leftovers.len())),
            ("bytes", Value::Bytes(size(leftovers))),
            ("first", Value::Text(crate::path_text::shown(&first.path))),
        ])
        .with_steps(removals(leftovers)),
    )
}

fn removals(leftovers: &[Leftover]) -> Vec<Step> {
    leftovers
        .iter()
        .take(NAMED)
        .map(|leftover| Step::remove(&leftover.path))
        .collect()
}

fn size(leftovers: &[Leftover]) -> u64 {
    leftovers
        .iter()
        .fold(0, |sum, leftover| sum.saturating_add(leftover.size))
}
