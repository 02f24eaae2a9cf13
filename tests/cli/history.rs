//! `fixnvpe history`: what was done, by run.

use fixnvpe_tests::tree::Tree;

use crate::world::{World, assert_fits, snapshot};

#[test]
fn history_lists_runs_and_what_became_of_them() {
    let world = World::with_writable(["lib/x.dll", "lib/y.dll"]);
    world.run(["patch", "lib"]);
    world.run(["restore", "lib/y.dll"]);
    for (language, name) in [("en", "history_en"), ("zh", "history_zh")] {
        let run = world.run(["history", "--lang", language]);
        assert_fits(&run.stdout);
        snapshot(name, &run);
    }
    let document = world.json(["history"]);
    assert_eq!(document["runs"].as_array().map(Vec::len), Some(2));
    assert_eq!(document["runs"][0]["changed"], 2);
    assert_eq!(document["runs"][0]["standing"], 1);
}

#[test]
fn before_the_first_patch_there_is_no_history() {
    let world = World::new(&Tree::default());
    let run = world.run(["history"]);
    assert_eq!(
        (run.code, run.stdout.as_str()),
        (0, "Nothing was patched yet.\n")
    );
    assert!(!world.state().exists());
}
