//! Environments: finding, listing and selecting them on mounted Windows disks.

use fixnvpe_tests::tree::{Tree, windows_home};
use serde_json::Value;

use crate::world::{Contents, World, assert_fits, snapshot, writable};

const CONDA: &str = "Users/mei/miniconda3";
const SITE: &str = "Lib/site-packages";

/// A conda installation with two environments, a package cache, and a venv of
/// the same name as one of them, all with one writable image.
fn machine() -> World {
    let layout = writable();
    let tree = Tree::default()
        .text(format!("{CONDA}/conda-meta/history"), "")
        .image(format!("{CONDA}/{SITE}/base.dll"), &layout)
        .image(format!("{CONDA}/pkgs/a-1.0/{SITE}/cached.dll"), &layout)
        .text(format!("{CONDA}/envs/yolo v5/conda-meta/history"), "")
        .image(format!("{CONDA}/envs/yolo v5/{SITE}/yolo.dll"), &layout)
        .text(format!("{CONDA}/envs/检测/conda-meta/history"), "")
        .image(format!("{CONDA}/envs/检测/{SITE}/detect.dll"), &layout)
        .text("work/检测/pyvenv.cfg", "version = 3.10.4\n")
        .image(format!("work/检测/{SITE}/venv.dll"), &layout)
        .image("work/alone.dll", &layout);
    World::new(&tree)
}

fn names(document: &Value, list: &str) -> Vec<String> {
    let file_name = |entry: &Value| {
        let path = entry["path"].as_str().expect("a path");
        path.rsplit(['/', '\\']).next().expect("a name").to_owned()
    };
    let entries = document[list].as_array().expect("a list");
    let mut names: Vec<String> = entries.iter().map(file_name).collect();
    names.sort();
    names
}

fn changed(before: &Contents, after: &Contents) -> Vec<String> {
    let differs = |path: &&String| before.get(*path) != after.get(*path);
    let name = |path: &String| path.rsplit('/').next().expect("a name").to_owned();
    let mut changed: Vec<String> = after.keys().filter(differs).map(name).collect();
    changed.sort();
    changed
}

#[test]
fn every_environment_of_a_home_is_listed_and_nothing_is_written() {
    let world = World::new(&windows_home());
    let before = world.stamps();
    for (language, name) in [("en", "envs_en"), ("zh", "envs_zh")] {
        let run = world.run(["envs", "--root", ".", "--lang", language]);
        assert_fits(&run.stdout);
        snapshot(name, &run);
    }
    let document = world.json(["envs", "--root", ".", "--caches"]);
    assert_eq!(document["exit_code"], 0);
    assert_eq!(document["caches"].as_array().expect("caches").len(), 2);
    assert_eq!(world.stamps(), before);
}

#[test]
fn a_scan_without_a_selection_looks_at_every_environment_and_at_nothing_else() {
    let world = machine();
    let document = world.json(["scan", "--root", "."]);
    assert_eq!(
        names(&document, "images"),
        ["base.dll", "detect.dll", "venv.dll", "yolo.dll"]
    );
    let environments = document["environments"].as_array().expect("environments");
    let found: Vec<(&str, &str)> = environments
        .iter()
        .map(|one| (one["kind"].as_str().unwrap(), one["name"].as_str().unwrap()))
        .collect();
    assert_eq!(
        found,
        [
            ("conda", "base"),
            ("conda", "yolo v5"),
            ("conda", "检测"),
            ("venv", "检测")
        ]
    );
    for image in document["images"].as_array().expect("images") {
        let holders = image["environments"].as_array().expect("prefixes");
        assert_eq!(holders.len(), 1, "{image}");
    }
    for environment in environments {
        let commit = &environment["commit_if_all_loaded"];
        assert!(commit["now"].as_u64() > commit["after"].as_u64());
    }
}

#[test]
fn a_scan_says_which_package_brought_an_image() {
    let world = World::new(&windows_home());
    let document = world.json(["scan", "--root", ".", "--kind", "venv"]);
    let images = document["images"].as_array().expect("images");
    let xgboost = images
        .iter()
        .find(|image| image["path"].as_str().unwrap().ends_with("xgboost.dll"))
        .expect("xgboost");
    assert_eq!(xgboost["package"]["name"], "xgboost");
    assert_eq!(xgboost["package"]["version"], "1.6.2");
}

#[test]
fn an_environment_is_selected_by_name_prefix_and_kind() {
    let world = machine();
    let prefix = format!("{CONDA}/envs/检测");
    for (arguments, expected) in [
        (vec!["--env", "YOLO V5"], vec!["yolo.dll"]),
        (vec!["--env", prefix.as_str()], vec!["detect.dll"]),
        (
            vec!["--env", r"C:\Users\mei\miniconda3\envs\检测"],
            vec!["detect.dll"],
        ),
        (vec!["--kind", "venv"], vec!["venv.dll"]),
        (
            vec!["--env", "base", "--kind", "venv"],
            vec!["base.dll", "venv.dll"],
        ),
        (
            vec!["work/alone.dll", "--env", "base"],
            vec!["alone.dll", "base.dll"],
        ),
        (
            vec!["--all-envs", "--exclude", "yolo v5"],
            vec!["base.dll", "detect.dll", "venv.dll"],
        ),
        (
            vec!["--env", "yolo v5", "--caches"],
            vec!["cached.dll", "yolo.dll"],
        ),
        (
            vec!["--caches"],
            vec![
                "base.dll",
                "cached.dll",
                "detect.dll",
                "venv.dll",
                "yolo.dll",
            ],
        ),
    ] {
        let all = ["scan", "--root", "."].into_iter().chain(arguments.clone());
        let document = world.json(all);
        assert_eq!(names(&document, "images"), expected, "{arguments:?}");
    }
}

#[test]
fn a_patch_of_one_environment_leaves_those_around_it_alone() {
    let world = machine();
    let before = world.contents();
    let run = world.run(["patch", "--root", ".", "--env", "base"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(changed(&before, &world.contents()), ["base.dll"]);
    let run = world.run(["patch", "--root", ".", "--all-envs"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(
        changed(&before, &world.contents()),
        ["base.dll", "detect.dll", "venv.dll", "yolo.dll"]
    );
    let run = world.run(["scan", "--root", ".", "--check"]);
    assert_eq!(run.code, 0, "{run:?}");
    let run = world.run(["restore", "--root", ".", "--all-envs"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(world.contents(), before);
}

#[test]
fn a_name_that_two_environments_share_asks_for_the_prefix() {
    let world = machine();
    let before = world.contents();
    let run = world.run(["patch", "--root", ".", "--env", "检测"]);
    assert_eq!(run.code, 2);
    assert_eq!(run.stderr.matches("--env").count(), 2, "{}", run.stderr);
    assert_eq!(world.contents(), before);
}

#[test]
fn what_is_not_there_is_a_usage_error_before_any_work() {
    let world = machine();
    for (arguments, code) in [
        (vec!["--root", ".", "--env", "nowhere"], "no_match"),
        (vec!["--root", ".", "--kind", "poetry"], "no_match"),
        (vec!["--root", ".", "--kind", "docker"], "usage"),
        (vec!["--root", "C=nowhere", "--all-envs"], "usage"),
        (
            vec!["--root", ".", "--root", "c=work", "--all-envs"],
            "usage",
        ),
        (vec!["--root", ".", "--this-env"], "no_match"),
    ] {
        let document = world.json(["patch"].into_iter().chain(arguments.clone()));
        assert_eq!(document["exit_code"], 2, "{arguments:?}");
        assert_eq!(document["schema"], "fixnvpe/error/1", "{arguments:?}");
        assert_eq!(document["error"]["code"], code, "{arguments:?}");
    }
}

#[test]
fn looking_somewhere_selects_nothing() {
    let world = machine();
    let before = world.contents();
    for arguments in [vec!["--root", "."], vec!["--deep", "--root", "."]] {
        let run = world.run(["patch"].into_iter().chain(arguments));
        assert_eq!(run.code, 2);
        assert!(run.stderr.contains("--all-envs"), "{}", run.stderr);
    }
    assert_eq!(world.contents(), before);
}

#[test]
fn the_environment_of_the_terminal_is_the_one_that_is_patched() {
    let world = machine();
    let before = world.contents();
    let mut command = world.command();
    command.env("VIRTUAL_ENV", world.path("work/检测"));
    command.args(["patch", "--this-env"]);
    let run = crate::world::Run::of(command);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(changed(&before, &world.contents()), ["venv.dll"]);
}

#[test]
fn the_places_are_printed_for_people_and_scripts() {
    let world = World::new(&Tree::default());
    let run = world.run(["envs", "--places"]);
    assert_eq!(run.code, 0);
    assert!(run.stdout.contains("pyenv"));
    let document = world.json(["envs", "--places"]);
    let places = document["places"].as_array().expect("places");
    assert!(places.len() > 30);
}

#[test]
fn the_page_of_places_in_the_book_is_that_of_the_program() {
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/places.md");
    let current = fixnvpe_envs::places_page();
    // How it is brought up to date: UPDATE_SCHEMAS=1 cargo test -p fixnvpe
    if std::env::var_os("UPDATE_SCHEMAS").is_some() {
        fs_err::write(&page, &current).expect("written");
    }
    let kept = fs_err::read_to_string(&page).expect("the page");
    assert_eq!(kept.replace("\r\n", "\n"), current);
}

#[test]
fn a_patch_names_the_environments_and_caches_that_keep_the_original() {
    let cached = format!("{CONDA}/pkgs/a-1.0/{SITE}/x.dll");
    let tree = ["one", "two"].iter().fold(
        Tree::default()
            .text(format!("{CONDA}/conda-meta/history"), "")
            .image(&cached, &writable()),
        |tree, name| {
            let prefix = format!("{CONDA}/envs/{name}");
            tree.text(format!("{prefix}/conda-meta/history"), "")
                .hard_link(format!("{prefix}/{SITE}/x.dll"), &cached)
        },
    );
    let world = World::new(&tree);
    let before = world.contents();
    let document = world.json(["patch", "--root", ".", "--env", "one"]);
    let result = &document["results"][0];
    assert_eq!(result["outcome"], "patched");
    let shared: Vec<&str> = result["shared_with"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|path| path.as_str().expect("a path"))
        .collect();
    assert_eq!(shared.len(), 2, "{document:#}");
    assert!(shared.iter().any(|path| path.contains("pkgs")));
    assert!(shared.iter().any(|path| path.contains("two")));
    let after = world.contents();
    let kept = format!("{CONDA}/envs/two/{SITE}/x.dll");
    assert_eq!(after[&kept], before[&kept]);
    assert_eq!(after[&cached], before[&cached]);
}
