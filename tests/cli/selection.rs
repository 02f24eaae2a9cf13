//! Which files a run works on.

use fixnvpe_tests::tree::Tree;

use crate::world::{Run, World, writable};

/// The paths that a scan of these words looks at, from the disk's root.
fn selected(world: &World, words: &[&str]) -> Vec<String> {
    let document = world.json(["scan"].iter().chain(words));
    paths(world, &document)
}

fn paths(world: &World, document: &serde_json::Value) -> Vec<String> {
    let disk = world.disk();
    document["images"]
        .as_array()
        .expect("images")
        .iter()
        .map(|image| {
            let path = image["path"].as_str().expect("a path");
            let below = std::path::Path::new(path).strip_prefix(&disk);
            let below = below.expect("a path below the disk");
            below.to_string_lossy().replace('\\', "/")
        })
        .collect()
}

fn world() -> World {
    World::with_writable([
        "envs/a/x.dll",
        "envs/a/lib/y.pyd",
        "envs/[b]/x.dll",
        "envs/[b]/tool.exe",
        "envs/b/x.dll",
        "data.bin",
    ])
}

#[test]
fn a_folder_is_searched_to_the_bottom() {
    assert_eq!(
        selected(&world(), &["envs/a"]),
        ["envs/a/lib/y.pyd", "envs/a/x.dll"]
    );
}

#[test]
fn a_file_that_is_named_may_have_any_extension() {
    assert_eq!(selected(&world(), &["data.bin"]), ["data.bin"]);
    assert_eq!(
        selected(&world(), &["."]).len(),
        5,
        "in a folder it is left out"
    );
}

#[test]
fn patterns_are_expanded_by_the_program_itself() {
    let world = world();
    assert_eq!(selected(&world, &["envs/*/*.dll"]).len(), 3);
    assert_eq!(selected(&world, &["envs/**/*.pyd"]), ["envs/a/lib/y.pyd"]);
    assert_eq!(
        selected(&world, &["envs/?/x.dll"]),
        ["envs/a/x.dll", "envs/b/x.dll"]
    );
}

#[test]
fn brackets_in_a_name_that_exists_are_no_pattern() {
    let world = world();
    assert_eq!(selected(&world, &["envs/[b]/x.dll"]), ["envs/[b]/x.dll"]);
    assert_eq!(selected(&world, &["envs/[b]"]).len(), 2);
    assert_eq!(selected(&world, &["envs/[b]/*.dll"]), ["envs/[b]/x.dll"]);
}

#[test]
fn what_a_pattern_matches_may_be_no_image() {
    let world = World::new(
        &Tree::default()
            .image("lib/x.dll", &writable())
            .text("lib/readme.txt", "hello")
            .text("lib/stub.dll", "no image"),
    );
    let run = world.run(["scan", "lib/*"]);
    assert_eq!(run.code, 0, "{}", run.stdout);
    let document = world.json(["scan", "lib/readme.txt"]);
    assert_eq!(document["failures"][0]["code"], "not_pe");
    assert_eq!(document["exit_code"], 1);
}

#[test]
fn exclusions_subtract_names_paths_and_patterns() {
    let world = world();
    assert_eq!(selected(&world, &["envs", "--exclude", "[b]"]).len(), 2);
    assert_eq!(selected(&world, &["envs", "--exclude", "envs/a"]).len(), 3);
    assert_eq!(selected(&world, &["envs", "--exclude", "*.dll"]).len(), 2);
    assert_eq!(
        selected(
            &world,
            &["envs", "--exclude", "envs/*/x.dll", "--exclude", "lib"]
        ),
        ["envs/[b]/tool.exe"]
    );
}

#[test]
fn an_exclusion_that_excludes_nothing_is_told_of() {
    let run = world().run(["scan", "envs", "--exclude", "no-such-name"]);
    assert_eq!(run.code, 0);
    assert!(run.stderr.contains("no-such-name"), "{}", run.stderr);
    let run = world().run(["scan", "envs", "--exclude", "a"]);
    assert_eq!(run.stderr, "");
}

#[test]
fn lists_of_files_come_from_a_file_or_from_standard_input() {
    let world = world();
    let list = "envs/[b]/x.dll\r\n\nenvs/a\n";
    fs_err::write(world.path("list.txt"), list).expect("written");
    let expected = ["envs/[b]/x.dll", "envs/a/lib/y.pyd", "envs/a/x.dll"];
    assert_eq!(selected(&world, &["--files-from", "list.txt"]), expected);
    let mut command = world.command();
    command.args(["scan", "--files-from", "-", "--json"]);
    let run = Run::with_input(command, list);
    assert_eq!(paths(&world, &run.document()), expected);
    assert_eq!(
        selected(&world, &["--files-from", "list.txt", "data.bin"]).len(),
        4
    );
}

#[test]
fn names_in_a_list_are_never_patterns() {
    let world = world();
    fs_err::write(world.path("list.txt"), "envs/*/x.dll\n").expect("written");
    let document = world.json(["scan", "--files-from", "list.txt"]);
    assert_eq!(document["failures"][0]["code"], "not_found");
}

#[test]
fn one_file_under_two_names_is_one_image() {
    let world = World::new(
        &Tree::default()
            .image("a/x.dll", &writable())
            .hard_link("b/x.dll", "a/x.dll"),
    );
    let document = world.json(["scan", "a", "b", "a/x.dll"]);
    assert_eq!(document["summary"]["images"], 1);
    assert_eq!(
        document["images"][0]["names"].as_array().map(Vec::len),
        Some(2)
    );
    assert_eq!(
        document["images"][0]["links"],
        serde_json::json!({"count": 2, "outside": 0})
    );
}
