//! Choosing environments out of what was found.

mod tree;

use fixnvpe_envs::{DiscoverOptions, Found, find};
use tree::{Make, Tree, default_look, look};

#[test]
fn a_conda_installation_does_not_own_what_lies_in_its_envs_and_pkgs() {
    let tree = Tree::of(&[
        ("C/Users/Ann/miniconda3", Make::CondaRoot("3.9.1")),
        ("C/Users/Ann/miniconda3/envs/yolo", Make::Conda("3.8.1")),
        ("C/Users/Ann/miniconda3-old", Make::CondaRoot("3.9.0")),
    ]);
    let machine = tree.windows("C");
    for caches in [false, true] {
        let found = look(&machine, DiscoverOptions::new().caches(caches));
        let Found::One(base) = find(&machine, &found.environments, r"c:\users\ann\miniconda3\")
        else {
            panic!("the prefix tells the two installations apart");
        };
        assert_eq!(
            found.inner_folders(base),
            [
                tree.path("C/Users/Ann/miniconda3/envs/yolo"),
                tree.path("C/Users/Ann/miniconda3/pkgs"),
            ]
        );
        let Found::One(yolo) = find(&machine, &found.environments, "yolo") else {
            panic!("one is called so");
        };
        assert_eq!(found.inner_folders(yolo), [yolo.prefix.join("pkgs")]);
    }
}

#[test]
fn two_installations_share_the_name_base() {
    let tree = Tree::of(&[
        ("C/Users/Ann/miniconda3", Make::CondaRoot("3.9.1")),
        ("C/ProgramData/Anaconda3", Make::CondaRoot("3.9.0")),
    ]);
    let machine = tree.windows("C");
    let found = default_look(&machine);
    let Found::Several(both) = find(&machine, &found.environments, "base") else {
        panic!("both are called so");
    };
    let prefixes: Vec<String> = both.iter().map(|one| tree.name(&one.prefix)).collect();
    assert_eq!(
        prefixes,
        ["C/ProgramData/Anaconda3", "C/Users/Ann/miniconda3"]
    );
}

#[test]
fn an_environment_in_which_conda_itself_is_installed_keeps_its_name() {
    let tree = Tree::of(&[
        ("C/Users/Ann/miniconda3", Make::CondaRoot("3.9.1")),
        (
            "C/Users/Ann/miniconda3/envs/build",
            Make::CondaRoot("3.8.1"),
        ),
    ]);
    let found = default_look(&tree.windows("C"));
    let names: Vec<&str> = found
        .environments
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    assert_eq!(names, ["base", "build"]);
}

#[test]
fn the_environment_in_use_is_the_virtual_one_where_both_are_set() {
    let tree = Tree::of(&[
        ("C/Users/Ann/miniconda3", Make::CondaRoot("3.9.1")),
        ("D/p/venv", Make::Venv("3.9.2")),
    ]);
    let conda = tree
        .windows("CD")
        .with_variable("CONDA_PREFIX", r"C:\Users\Ann\Miniconda3");
    let both = conda.clone().with_variable("VIRTUAL_ENV", r"D:\p\venv");
    let active = |machine| default_look(machine).active().map(|one| one.name.clone());
    assert_eq!(active(&conda).as_deref(), Some("base"));
    assert_eq!(active(&both).as_deref(), Some("p"));
    assert_eq!(active(&tree.windows("CD")), None);
}

#[cfg(unix)]
#[test]
fn an_environment_is_found_by_another_path_to_its_folder() {
    let tree = Tree::of(&[("C/a/b/yolo", Make::Conda("3.8.1"))]);
    let alias = tree.path("C/alias");
    fs_err::os::unix::fs::symlink(tree.path("C/a"), &alias).unwrap();
    let machine = tree.windows("C");
    let found = default_look(&machine);
    let by_alias = find(&machine, &found.environments, r"C:\alias\b\yolo");
    assert!(matches!(by_alias, Found::One(one) if one.prefix == tree.path("C/a/b/yolo")));
}

#[test]
fn an_environment_that_somebody_names_is_found_wherever_it_lies() {
    let tree = Tree::of(&[("D/a/b/c/d/e/venv", Make::Venv("3.8.1"))]);
    let machine = tree.windows("D");
    assert!(default_look(&machine).environments.is_empty());
    let native = tree.path("D/a/b/c/d/e/venv");
    for named in [native.to_str().unwrap(), r"D:\a\b\c\d\e\venv"] {
        let found = default_look(&machine.clone().with_named([named, "a name"]));
        assert_eq!(found.environments.len(), 1, "{named}");
        assert_eq!(found.environments[0].prefix, native);
        assert_eq!(found.environments[0].python.as_deref(), Some("3.8.1"));
        let chosen = find(&machine, &found.environments, named);
        assert_eq!(chosen, Found::One(&found.environments[0]));
    }
    // What is no environment stays none.
    let found = default_look(&machine.with_named([r"D:\a", r"D:\no\such"]));
    assert_eq!((found.environments, found.skipped), (vec![], vec![]));
}
