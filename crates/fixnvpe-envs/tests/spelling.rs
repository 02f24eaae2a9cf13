//! One folder under several spellings: another case, a short name, a link.

mod tree;

use std::path::{Path, PathBuf};

use fixnvpe_envs::{DiscoverOptions, Discovery, Environment, Kind, Source};
use tree::{CaseBlind, Make, Tree, look};

const BASE: &str = "C/Users/Mei/Miniconda3";

fn installation() -> Tree {
    Tree::of(&[
        (BASE, Make::CondaRoot("3.8.13")),
        ("C/Users/Mei/Miniconda3/envs/yolov5", Make::Conda("3.8.13")),
        ("C/Users/Mei/Miniconda3/envs/yolov7", Make::Conda("3.8.13")),
        ("C/Users/Mei/work", Make::Folder),
    ])
}

fn caches() -> DiscoverOptions {
    DiscoverOptions::new().caches(true)
}

fn at<'d>(discovery: &'d Discovery, prefix: &Path) -> &'d Environment {
    let mut all = discovery.environments.iter();
    let found = all.find(|one| one.prefix == prefix);
    found.unwrap_or_else(|| panic!("{} is not found", prefix.display()))
}

fn expect_inner(tree: &Tree, discovery: &Discovery, base: &Environment) {
    let inner: Vec<String> = discovery
        .inner_folders(base)
        .iter()
        .map(|path| {
            let below = path.strip_prefix(&base.prefix);
            let below = below.unwrap_or_else(|_| panic!("{} is elsewhere", tree.name(path)));
            below.to_string_lossy().replace('\\', "/")
        })
        .collect();
    assert_eq!(inner, ["envs/yolov5", "envs/yolov7", "pkgs"]);
}

#[test]
fn a_current_folder_typed_in_another_case_changes_no_path() {
    let tree = installation();
    let disk = CaseBlind::default();
    for typed in ["C/users/mei/work", "C/USERS/MEI/MINICONDA3/ENVS", "C/users"] {
        let machine = tree
            .windows("C")
            .with_disk(disk.clone())
            .with_current_folder(tree.path(typed));
        let found = look(&machine, caches());
        let base = at(&found, &tree.path(BASE));
        expect_inner(&tree, &found, base);
        assert_eq!(found.environments.len(), 3, "{typed}");
        let from_here = base
            .evidence
            .iter()
            .any(|one| one.source == Source::CurrentFolder);
        assert_eq!(from_here, typed != "C/users", "{typed}");
    }
}

#[test]
fn a_short_name_in_the_current_folder_changes_no_path() {
    let tree = installation();
    let disk = CaseBlind::default().with_short("MINICO~1", "Miniconda3");
    let machine = tree
        .windows("C")
        .with_disk(disk)
        .with_current_folder(tree.path("C/Users/Mei/MINICO~1/envs"));
    let found = look(&machine, caches());
    let base = at(&found, &tree.path(BASE));
    expect_inner(&tree, &found, base);
}

#[cfg(unix)]
#[test]
fn what_lies_in_an_installation_is_known_through_a_link() {
    let tree = installation();
    // The user's own path to the installation: everything in it is found
    // through the real one as well.
    fs_err::os::unix::fs::symlink(tree.path(BASE), tree.path("C/conda")).unwrap();
    let machine = tree.windows("C").with_variable("CONDA_PREFIX", r"C:\conda");
    let found = look(&machine, caches());
    let base = at(&found, &tree.path("C/conda"));
    expect_inner(&tree, &found, base);

    // The environments through the link, the installation without it.
    let machine = tree
        .windows("C")
        .with_variable("CONDA_PREFIX", r"C:\conda\envs\yolov5");
    let found = look(&machine, caches());
    let base = found.environments.iter().find(|one| one.name == "base");
    expect_inner(&tree, &found, base.unwrap());
    at(&found, &tree.path("C/conda/envs/yolov5"));
}

#[cfg(unix)]
#[test]
fn an_environment_that_only_another_path_leads_to_is_inside_all_the_same() {
    let tree = installation();
    tree.make("C/Users/Mei/Miniconda3/a/b/c/d/env", Make::Venv("3.8.13"));
    fs_err::os::unix::fs::symlink(tree.path("C/Users"), tree.path("C/people")).unwrap();
    let machine = tree
        .windows("C")
        .with_variable("VIRTUAL_ENV", r"C:\people\Mei\Miniconda3\a\b\c\d\env");
    let found = look(&machine, caches());
    at(&found, &tree.path("C/people/Mei/Miniconda3/a/b/c/d/env"));
    let base = at(&found, &tree.path(BASE));
    let inner = found.inner_folders(base);
    assert!(
        inner.contains(&base.prefix.join("a/b/c/d/env")),
        "{inner:?}"
    );
}

#[cfg(unix)]
#[test]
fn an_environment_that_is_a_home_through_a_link_owns_its_packages_alone() {
    let tree = Tree::of(&[("C/Users/Mei", Make::Venv("3.8.13"))]);
    fs_err::os::unix::fs::symlink(tree.path("C/Users"), tree.path("C/people")).unwrap();
    let machine = tree
        .windows("C")
        .with_variable("VIRTUAL_ENV", r"C:\people\Mei");
    let found = look(&machine, caches());
    let home = at(&found, &tree.path("C/people/Mei"));
    let site = tree.path("C/people/Mei/Lib/site-packages");
    assert_eq!(home.folders(), [site.as_path()]);
}

#[test]
fn environments_that_were_read_back_are_told_apart_without_case() {
    let tree = installation();
    let mut found = look(&tree.windows("C"), caches());
    let name = |one: &Environment| tree.name(&one.prefix).to_uppercase();
    found.environments = found
        .environments
        .iter()
        .map(|one| Environment::new(one.kind, one.name.clone(), name(one)))
        .collect();
    found.caches.clear();
    let base = Environment::new(Kind::Conda, "base", tree.name(&tree.path(BASE)));
    let inner: Vec<PathBuf> = found.inner_folders(&base);
    assert_eq!(inner.len(), 3, "{inner:?}");
}
