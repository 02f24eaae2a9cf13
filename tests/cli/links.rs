//! Hard links: what package managers share between environments and caches.

use fixnvpe_tests::tree::Tree;
use serde_json::Value;

use crate::world::{World, writable};

const CACHE: &str = "pkgs/demo-1.0-0/x.dll";

/// A cache and environments `e0`, `e1`, ... that all have one file.
fn sharing(environments: usize) -> World {
    let cache = Tree::default().image(CACHE, &writable());
    let tree = (0..environments).fold(cache, |tree, n| tree.hard_link(file_of(n), CACHE));
    World::new(&tree)
}

fn file_of(environment: usize) -> String {
    format!("envs/e{environment}/x.dll")
}

fn only_result(document: &Value) -> &Value {
    let results = document["results"].as_array().expect("results");
    assert_eq!(results.len(), 1, "{document:#}");
    &results[0]
}

#[test]
fn ten_environments_share_one_new_file_and_the_others_keep_theirs() {
    let world = sharing(12);
    let before = world.contents();
    let selected: Vec<String> = (0..10).map(|n| format!("envs/e{n}")).collect();
    let document = world.json([vec!["patch".to_owned()], selected].concat());
    let result = only_result(&document);
    assert_eq!(result["method"], "link");
    assert_eq!(result["names"].as_array().map(Vec::len), Some(10));
    assert_eq!(result["links"]["outside"], 3);

    let after = world.contents();
    for kept in [CACHE.to_owned(), file_of(10), file_of(11)] {
        assert_eq!(after[&kept], before[&kept], "{kept}");
    }
    let first = &after[&file_of(0)];
    assert_ne!(first.sha256, before[CACHE].sha256);
    for n in 1..10 {
        assert_eq!(&after[&file_of(n)], first);
    }
    let names = |contents: &crate::world::Contents| contents.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&after), names(&before), "no file is left over");
}

#[test]
fn with_the_cache_selected_there_is_one_write_and_no_copy() {
    let world = sharing(10);
    let before = world.contents();
    let document = world.json(["patch", "envs", "pkgs"]);
    assert_eq!(only_result(&document)["method"], "in_place");
    assert_eq!(only_result(&document)["links"]["outside"], 0);
    for (path, after) in world.contents() {
        assert_eq!(after.id, before[&path].id, "{path}");
        assert_ne!(after.sha256, before[&path].sha256, "{path}");
    }
}

#[test]
fn one_environment_is_restored_without_the_others_that_share_its_patched_copy() {
    let world = sharing(3);
    let before = world.contents();
    assert_eq!(world.run(["patch", "envs/e0", "envs/e1"]).code, 0);
    let patched = world.contents();
    assert_eq!(world.run(["restore", "envs/e0"]).code, 0);
    let after = world.contents();
    assert_eq!(after[&file_of(0)].sha256, before[CACHE].sha256);
    for kept in [CACHE.to_owned(), file_of(1), file_of(2)] {
        assert_eq!(after[&kept], patched[&kept], "{kept}");
    }
}

#[test]
fn the_printed_command_undoes_a_shared_change_under_every_name() {
    let world = sharing(2);
    let before = world.contents();
    let run = world.run(["patch", "envs/e0", "--links", "share"]);
    assert_eq!(run.code, 0, "{}", run.stdout);
    let patched = world.contents();
    for (path, content) in &patched {
        assert_ne!(content.sha256, before[path].sha256, "{path}");
    }
    let command = run
        .stdout
        .lines()
        .find_map(|line| line.trim().strip_prefix("fixnvpe "))
        .expect("the command");
    assert_eq!(world.run(command.split_whitespace()).code, 0, "{command}");
    assert_eq!(world.contents(), before);
}

#[test]
fn breaking_leaves_a_file_without_names_outside_where_it_is() {
    let world = World::with_writable(["envs/e0/x.dll"]);
    let before = world.contents();
    let document = world.json(["patch", "envs", "--links", "break"]);
    assert_eq!(only_result(&document)["method"], "in_place");
    assert_eq!(world.contents()[&file_of(0)].id, before[&file_of(0)].id);
}

#[cfg(unix)]
#[test]
fn another_path_to_a_folder_is_not_another_name_of_its_files() {
    let cache = Tree::default().image(CACHE, &writable());
    let world = World::new(&cache.hard_link(file_of(0), CACHE).symlink("alias", "envs"));
    let before = world.contents();
    // Two paths, but one of the file's two names: the cache is outside still.
    let document = world.json(["patch", "envs/e0", "alias/e0"]);
    assert_eq!(only_result(&document)["links"]["outside"], 1);
    let after = world.contents();
    assert_eq!(after[CACHE], before[CACHE]);
    assert_ne!(after[&file_of(0)].sha256, before[CACHE].sha256);
}
