//! The machine that the tests run on.

mod tree;

use std::ffi::OsString;

use fixnvpe_envs::{DiscoverOptions, Kind, Machine, discover};
use tree::{Make, Tree};

#[test]
fn this_machine_is_looked_around_with_the_callers_variables() {
    let tree = Tree::of(&[
        ("home/Envs/mine", Make::Venv("3.9.1")),
        ("elsewhere/of/the/caller/active", Make::Venv("3.9.2")),
        ("work/project/venv", Make::Venv("3.9.3")),
    ]);
    let variables: Vec<(OsString, OsString)> = [
        ("HOME", "home"),
        ("USERPROFILE", "home"),
        ("VIRTUAL_ENV", "elsewhere/of/the/caller/active"),
    ]
    .map(|(name, path)| (name.into(), tree.path(path).into()))
    .into();
    let machine = Machine::this(variables, Some(tree.path("work/project")));
    assert!(machine.drives().iter().any(|drive| drive.root.is_dir()));

    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(2)
        .build()
        .unwrap();
    let found = discover(&machine, DiscoverOptions::new(), &pool, &|| false);
    assert!(found.complete && found.looked.places > 0);
    for (path, python) in [
        ("home/Envs/mine", "3.9.1"),
        ("elsewhere/of/the/caller/active", "3.9.2"),
        ("work/project/venv", "3.9.3"),
    ] {
        let same = |one: &&fixnvpe_envs::Environment| {
            let id = |path: &std::path::Path| {
                let folder = fixnvpe_files::open_folder(path).unwrap();
                fixnvpe_files::stat(&folder).unwrap().id
            };
            one.id() == Some(id(&tree.path(path)))
        };
        let found: Vec<_> = found.environments.iter().filter(same).collect();
        assert_eq!(found.len(), 1, "{path}");
        assert_eq!(found[0].kind, Kind::Venv);
        assert_eq!(found[0].python.as_deref(), Some(python));
    }
}
