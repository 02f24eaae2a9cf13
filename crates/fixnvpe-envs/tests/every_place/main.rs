//! Machines that have one of every row of the table of places.

mod machine;
#[path = "../tree/mod.rs"]
mod tree;
mod unix;
mod windows;

use std::collections::BTreeSet;

use fixnvpe_envs::{DiscoverOptions, Manager, Place, places};
use machine::{shared_tree, windows_machine, windows_tree};
use tree::{Make, default_look, look};
use windows::{CACHES, Row, TOOLKITS, WINDOWS};

/// What a table says is to be found.
pub(crate) fn expected(rows: &[Row]) -> Vec<String> {
    let mut lines: Vec<String> = rows
        .iter()
        .map(|(path, make, found)| {
            // A folder of packages is known by the folder that has the version.
            let path = match make {
                Make::Site => path.rsplit_once('/').unwrap().0,
                _ => path,
            };
            format!("{path}: {found}")
        })
        .collect();
    lines.sort();
    lines
}

#[test]
fn a_windows_machine_with_one_of_every_row_loses_none_and_repeats_none() {
    let tree = shared_tree();
    let before = tree.state();
    let (machine, disk) = windows_machine(&tree);
    let found = default_look(&machine);

    assert_eq!(tree.found(&found), expected(WINDOWS));
    assert_eq!(
        tree.skipped(&found),
        [
            "C/Users/Ann/.conda/condarc.d/extra.yml: Malformed",
            "C/Users/Ann/.mambarc: AccessDenied",
            "C/Users/Ann/OneDrive - Firma/Documents/Archive: CloudPlaceholder",
            "C/Users/Bob: AccessDenied",
            "D/AI/locked: AccessDenied",
            "HKLM (32-bit)/Software/Python/Astral: AccessDenied",
            "X:/on/another/drive: DriveMissing",
            "relative: Malformed",
        ]
        .map(str::to_owned)
    );
    assert_eq!(tree.state(), before, "looking around changes nothing");
    let read = disk.folders.load(std::sync::atomic::Ordering::Relaxed);
    // `default_look` looks twice.
    assert_eq!(
        read,
        2 * found.looked.folders,
        "every folder that is read is counted"
    );
    // What looking around costs. A change of this number is a change of what
    // every user waits for.
    assert_eq!(found.looked.folders, FOLDERS_READ);
}

/// How many folders the default look reads on that machine.
const FOLDERS_READ: u64 = 546;

#[test]
fn every_place_of_the_table_is_tried_on_that_machine() {
    let tree = shared_tree();
    let (machine, _) = windows_machine(&tree);
    let options = DiscoverOptions::new().caches(true).toolkits(true);
    let found = look(&machine, options);
    let of_environments = found.environments.iter().flat_map(|one| &one.evidence);
    let of_caches = found.caches.iter().flat_map(|one| &one.evidence);
    let of_toolkits = found.toolkits.iter().flat_map(|one| &one.evidence);
    let told: BTreeSet<&str> = of_environments
        .chain(of_caches)
        .chain(of_toolkits)
        .map(|evidence| evidence.detail.as_str())
        .collect();
    let missed = untried(&told, |place| place.windows);
    assert_eq!(missed, Vec::<String>::new());
}

/// The places that name folders and led to nothing.
fn untried(told: &BTreeSet<&str>, patterns: fn(&Place) -> &'static [&'static str]) -> Vec<String> {
    let mut missed = Vec::new();
    for place in places() {
        let by_itself = [
            "conda, configuration",
            "conda, environments by name",
            "Jupyter kernels",
            "shallow look",
        ];
        for pattern in patterns(place) {
            let begins_somewhere = pattern.starts_with(['~', '%', '<', '$', '/']);
            let told_of_folders = place.marker
                != "the environment in use, and what can be started by name"
                && place.tool != "conda, configuration in variables";
            if !begins_somewhere || by_itself.contains(&place.tool) || !told_of_folders {
                continue;
            }
            let alternatives = braces(pattern);
            let tried = |one: &String| told.contains(format!("{}: {one}", place.tool).as_str());
            if !alternatives.iter().any(tried) {
                missed.push(format!("{}: {pattern}", place.tool));
            }
        }
    }
    missed
}

fn braces(pattern: &str) -> Vec<String> {
    let Some((before, rest)) = pattern.split_once('{') else {
        return vec![pattern.to_owned()];
    };
    let (choices, after) = rest.split_once('}').unwrap();
    let each = choices.split(',');
    each.flat_map(|choice| braces(&format!("{before}{choice}{after}")))
        .collect()
}

#[test]
fn caches_and_toolkits_are_found_when_they_are_asked_for() {
    let tree = shared_tree();
    let (machine, _) = windows_machine(&tree);
    let found = look(&machine, DiscoverOptions::new().caches(true).toolkits(true));
    let mut expected: Vec<String> = WINDOWS
        .iter()
        .filter(|(_, make, _)| matches!(make, Make::CondaRoot(_)))
        .map(|(path, ..)| format!("{path}/pkgs: CondaPkgs"))
        .chain(CACHES.iter().map(|line| (*line).to_owned()))
        .collect();
    expected.sort();
    let caches = found.caches.iter();
    let mut caches: Vec<String> = caches
        .map(|cache| format!("{}: {:?}", tree.name(&cache.path), cache.kind))
        .collect();
    caches.sort();
    assert_eq!(caches, expected);

    let toolkits = found.toolkits.iter();
    let toolkits: Vec<String> = toolkits
        .map(|one| {
            let version = one.version.as_deref().unwrap_or("-");
            format!("{}: {} {version}", tree.name(&one.path), one.name)
        })
        .collect();
    assert_eq!(toolkits, TOOLKITS);

    let found = default_look(&machine);
    assert!(found.caches.is_empty() && found.toolkits.is_empty());
}

#[test]
fn the_tool_in_charge_is_told_where_it_can_be() {
    let tree = shared_tree();
    let (machine, _) = windows_machine(&tree);
    let found = default_look(&machine);
    let manager = |path: &str| {
        let mut all = found.environments.iter();
        let one = all.find(|one| tree.name(&one.prefix) == path);
        one.unwrap_or_else(|| panic!("{path}")).manager
    };
    for (path, expected) in [
        ("C/Users/Ann/anaconda3/envs/yolov5", Some(Manager::Conda)),
        ("D/work/vision/.pixi/envs/default", Some(Manager::Pixi)),
        ("C/Users/Ann/.pixi/envs/global-tool", Some(Manager::Pixi)),
        (
            "C/Users/Ann/.virtualenvs/vision-Ab3_x-9Z",
            Some(Manager::Pipenv),
        ),
        ("C/Users/Ann/Envs/wrapped", Some(Manager::Virtualenvwrapper)),
        (
            "C/Users/Ann/AppData/Local/pypoetry/Cache/virtualenvs/app-XyZ-py3.10",
            Some(Manager::Poetry),
        ),
        (
            "C/Users/Ann/AppData/Local/pipx/pipx/venvs/black",
            Some(Manager::Pipx),
        ),
        (
            "C/Users/Ann/AppData/Roaming/uv/tools/pre-commit",
            Some(Manager::Uv),
        ),
        ("C/Users/Ann/.rye/tools/ruff", Some(Manager::Rye)),
        (
            "C/Users/Ann/scoop/apps/python310/3.10.11",
            Some(Manager::Scoop),
        ),
        (
            "C/Users/Ann/.nuget/packages/python/3.8.10/tools",
            Some(Manager::Nuget),
        ),
        ("D/work/lib/.tox/py38", Some(Manager::Tox)),
        ("D/work/lib/.nox/tests", Some(Manager::Nox)),
        ("D/work/lib/.direnv/python-3.9.7", Some(Manager::Direnv)),
        ("D/tools/py/three/of/uv", Some(Manager::Uv)),
        ("D/work/one/myenv", None),
        ("C/Python39", None),
    ] {
        assert_eq!(manager(path), expected, "{path}");
    }
}

#[test]
fn the_walk_over_whole_drives_adds_what_nothing_names() {
    let tree = windows_tree();
    tree.make("E/x/y/z/very/deep/env-of-nobody", Make::Venv("3.10.15"));
    tree.make("E/x/Windows/y/z/not-the-system/py", Make::Python("310"));
    tree.make("C/Windows/Temp/a/venv", Make::Venv("3.10.15"));
    tree.make("E/x/.git/y/z/modules/venv", Make::Venv("3.10.15"));
    tree.make("E/net/mount/a/b/c/venv", Make::Venv("3.10.15"));
    let (machine, mut disk) = windows_machine(&tree);
    disk.mounted = vec![tree.path("E/net/mount")];
    let machine = machine.with_disk(disk);
    let by_default = tree.found(&default_look(&machine));
    let deep = tree.found(&look(&machine, DiscoverOptions::new().deep(true)));
    let added: Vec<&String> = deep
        .iter()
        .filter(|line| !by_default.contains(line))
        .collect();
    assert_eq!(
        added,
        [
            "E/x/Windows/y/z/not-the-system/py: portable py 3.10",
            "E/x/y/z/very/deep/env-of-nobody: venv env-of-nobody 3.10.15",
        ]
    );
    assert_eq!(deep.len(), by_default.len() + added.len());
}
