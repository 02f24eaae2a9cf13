//! `fixnvpe scan`: what it finds and how it tells.

use fixnvpe_tests::fixtures::{self, Expected};
use fixnvpe_tests::image::{Fatbin, Layout, RDATA};
use fixnvpe_tests::tree::{Tree, windows_home};
use serde_json::Value;

use crate::world::{World, assert_fits, snapshot, writable};

fn images(document: &Value) -> &[Value] {
    document["images"].as_array().expect("images")
}

#[test]
fn every_fixture_gets_the_verdict_that_its_table_gives() {
    let all = fixtures::all();
    let tree = all.iter().fold(Tree::default(), |tree, fixture| {
        tree.fixture(format!("all/{}", fixture.name), fixture.name)
    });
    let world = World::new(&tree);
    let document = world.json(["scan", "all"]);
    for fixture in &all {
        let found = images(&document).iter().find(|image| {
            let path = image["path"].as_str().expect("a path");
            path.rsplit(['/', '\\']).next() == Some(fixture.name)
        });
        let name = fixture.name;
        let condition = found.map(|image| image["condition"].as_str().expect("a word"));
        assert_eq!(condition, fixture.expected.condition(), "{name}");
        let Some(found) = found else { continue };
        if found["condition"] == "refused" {
            assert_eq!(
                found["reason"].as_str(),
                fixture.expected.reason(),
                "{name}"
            );
        }
        if let Expected::Image { reasons, .. } = fixture.expected {
            assert_eq!(found["reasons"], serde_json::json!(reasons), "{name}");
        }
    }
    let malformed = all
        .iter()
        .filter(|fixture| fixture.expected == Expected::Malformed);
    assert!(document["failures"].as_array().expect("a list").len() >= malformed.count());
    assert_eq!(document["exit_code"], 1);
}

#[test]
fn the_table_of_a_home_reads_well_in_both_languages() {
    let world = World::new(&windows_home());
    for (language, name) in [("en", "scan_home_en"), ("zh", "scan_home_zh")] {
        let run = world.run(["scan", "Users", "--lang", language]);
        assert_fits(&run.stdout);
        snapshot(name, &run);
    }
}

#[test]
fn one_environment_reads_well() {
    let world = World::new(&windows_home());
    let venv = "Users/mei/projects/detector/.venv";
    snapshot("scan_venv_en", &world.run(["scan", venv]));
    snapshot("scan_venv_verbose", &{
        let mut run = world.run(["scan", venv, "--verbose"]);
        run.stdout = run
            .stdout
            .replace(&world.disk().display().to_string(), "/disk");
        run
    });
}

#[test]
fn where_nothing_is_writable_the_text_says_what_else_it_may_be() {
    let read_only = Layout::plain_dll(fixnvpe_tests::image::Machine::Amd64).with_fatbin(
        ".nv_fatb",
        RDATA,
        &Fatbin::of(["sm_86"]).grown_to(0x4000),
    );
    let world = World::new(&Tree::default().image("lib/good.dll", &read_only));
    for (language, name) in [("en", "scan_nothing_en"), ("zh", "scan_nothing_zh")] {
        let run = world.run(["scan", "lib", "--lang", language]);
        assert_fits(&run.stdout);
        snapshot(name, &run);
    }
}

#[test]
fn a_check_that_finds_something_points_to_the_patch_and_to_the_doctor() {
    let world = World::with_writable(["lib/x.dll"]);
    for (language, name) in [("en", "scan_check_en"), ("zh", "scan_check_zh")] {
        let run = world.run(["scan", "--check", "lib", "--lang", language]);
        assert_eq!(run.code, 3);
        assert_fits(&run.stdout);
        snapshot(name, &run);
    }
    let run = world.run(["scan", "lib"]);
    assert!(!run.stdout.contains("doctor"), "{}", run.stdout);
}

#[test]
fn a_folder_without_images_says_so() {
    let world = World::new(&Tree::default().text("docs/readme.txt", "hello"));
    let run = world.run(["scan", "docs"]);
    assert_eq!(run.code, 0);
    assert_eq!(run.stdout, "There is no DLL, .pyd or .exe file here.\n");
}

#[test]
fn costs_of_two_environments_are_never_added_up() {
    let world = World::with_writable([
        "envs/a/Lib/site-packages/x.dll",
        "envs/b/Lib/site-packages/x.dll",
    ]);
    let run = world.run(["scan", "envs"]);
    snapshot("scan_two_environments", &run);
    let document = world.json(["scan", "envs"]);
    assert!(document.get("commit").is_none(), "no sum over everything");
}

#[test]
fn check_ends_with_3_only_while_an_image_is_writable() {
    let world = World::with_writable(["lib/x.dll"]);
    assert_eq!(world.run(["scan", "lib"]).code, 0);
    assert_eq!(world.run(["scan", "lib", "--check"]).code, 3);
    assert_eq!(world.run(["patch", "lib"]).code, 0);
    assert_eq!(world.run(["scan", "lib", "--check"]).code, 0);
}

#[test]
fn a_check_holds_for_the_policy_that_it_is_given() {
    let mut signed = writable();
    signed.certificate = Some(0x1a00);
    let world = World::new(&Tree::default().image("lib/signed.dll", &signed));
    assert_eq!(world.run(["scan", "lib", "--check"]).code, 0);
    let check = ["scan", "lib", "--check", "--allow-signed"];
    assert_eq!(world.run(check).code, 3);
    assert_eq!(world.run(["patch", "lib", "--allow-signed"]).code, 0);
    assert_eq!(world.run(check).code, 0);
}

#[test]
fn a_scan_names_the_run_that_patched() {
    let world = World::with_writable(["lib/x.dll"]);
    let run = world.json(["patch", "lib"])["run"].clone();
    let document = world.json(["scan", "lib"]);
    assert_eq!(images(&document)[0]["patched_in"], run);
    assert_eq!(images(&document)[0]["condition"], "read_only");
    assert!(world.run(["scan", "lib"]).stdout.contains("patched"));
}

#[test]
fn a_scan_changes_nothing_at_all() {
    let world = World::new(&windows_home());
    let before = world.stamps();
    world.run(["scan", "Users"]);
    assert_eq!(world.stamps(), before);
    assert!(!world.state().exists(), "no state folder is made");
}
