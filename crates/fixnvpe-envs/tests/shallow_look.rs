//! How far a look goes that nothing guides.

mod tree;

use fixnvpe_envs::DiscoverOptions;
use tree::{Make, Tree, Troubled, default_look, look};

#[test]
fn the_shallow_look_goes_three_levels_down_and_no_further() {
    let tree = Tree::of(&[
        ("D/one", Make::Conda("3.8.1")),
        ("D/a/two", Make::Conda("3.8.2")),
        ("D/a/b/three", Make::Conda("3.8.3")),
        ("D/a/b/c/four", Make::Conda("3.8.4")),
        // The usual name is looked for in every folder that was reached.
        ("D/a/b/d/venv", Make::Venv("3.8.5")),
        ("D/a/b/e/f/venv", Make::Venv("3.8.6")),
        ("C/Users/Ann/a/b/home", Make::Conda("3.8.7")),
        ("C/Users/Ann/a/b/c/beyond", Make::Conda("3.8.8")),
        ("C/Users/Ann/Downloads/a/b/three-more", Make::Conda("3.8.9")),
    ]);
    let names = |deep: bool| -> Vec<String> {
        let options = DiscoverOptions::new().deep(deep);
        let found = look(&tree.windows("CD"), options);
        let mut names: Vec<String> = found.environments.into_iter().map(|one| one.name).collect();
        names.sort();
        names
    };
    assert_eq!(
        names(false),
        ["d", "home", "one", "three", "three-more", "two"]
    );
    assert_eq!(
        names(true),
        [
            "beyond",
            "d",
            "f",
            "four",
            "home",
            "one",
            "three",
            "three-more",
            "two"
        ]
    );
}

#[test]
fn what_lies_in_an_environment_is_not_gone_through() {
    let with = |packages: usize| {
        let tree = Tree::of(&[
            ("D/yolo", Make::Venv("3.8.1")),
            ("C/Users/Ann", Make::Folder),
        ]);
        for package in 0..packages {
            tree.folder(&format!(
                "D/yolo/Lib/site-packages/package{package}/lib/data"
            ));
            tree.folder(&format!("D/yolo/share{package}/a/b"));
        }
        [false, true].map(|deep| {
            let options = DiscoverOptions::new().deep(deep);
            look(&tree.windows("CD"), options).looked.folders
        })
    };
    assert_eq!(with(0), with(20));
}

#[test]
fn a_folder_on_another_volume_is_left_alone_and_a_drive_there_is_not() {
    let tree = Tree::of(&[
        ("C/net/venv", Make::Venv("3.8.1")),
        ("D/own/venv", Make::Venv("3.8.2")),
    ]);
    let disk = Troubled {
        mounted: vec![tree.path("C/net"), tree.path("D")],
        ..Troubled::default()
    };
    let found = default_look(&tree.windows("CD").with_disk(disk));
    assert_eq!(tree.found(&found), ["D/own/venv: venv own 3.8.2"]);
}

#[test]
fn folders_of_the_system_are_left_alone_at_the_root_and_their_names_elsewhere_are_not() {
    let tree = Tree::of(&[
        ("C/Windows/Temp/venv", Make::Venv("3.8.1")),
        ("C/$RECYCLE.BIN/S-1/venv", Make::Venv("3.8.2")),
        ("C/System Volume Information/venv", Make::Venv("3.8.3")),
        ("C/web/node_modules/venv", Make::Venv("3.8.4")),
        ("C/src/Windows/venv", Make::Venv("3.8.5")),
    ]);
    for deep in [false, true] {
        let found = look(&tree.windows("C"), DiscoverOptions::new().deep(deep));
        assert_eq!(
            tree.found(&found),
            ["C/src/Windows/venv: venv Windows 3.8.5"]
        );
    }
}

#[test]
fn of_a_drive_or_home_that_is_an_environment_its_own_folders_alone_are_searched() {
    let tree = Tree::of(&[
        ("C", Make::Python("310")),
        ("C/DLLs", Make::Folder),
        ("C/Users/Ann", Make::Conda("3.8.1")),
        ("C/Users/Ann/project/venv", Make::Venv("3.8.2")),
        ("D/tools", Make::Python("311")),
    ]);
    let found = default_look(&tree.windows("CD"));
    let folders = |prefix: &str| -> Vec<std::path::PathBuf> {
        let prefix = tree.path(prefix);
        let mut all = found.environments.iter();
        let one = all.find(|one| one.prefix == prefix).unwrap();
        one.folders().into_iter().map(Into::into).collect()
    };
    let paths =
        |expected: &[&str]| -> Vec<_> { expected.iter().map(|path| tree.path(path)).collect() };
    assert_eq!(folders("C"), paths(&["C/DLLs", "C/Lib/site-packages"]));
    assert_eq!(
        folders("C/Users/Ann"),
        paths(&["C/Users/Ann/Library/bin", "C/Users/Ann/Lib/site-packages"])
    );
    assert_eq!(
        folders("C/Users/Ann/project/venv"),
        paths(&["C/Users/Ann/project/venv"])
    );
    assert_eq!(folders("D/tools"), paths(&["D/tools"]));
}
