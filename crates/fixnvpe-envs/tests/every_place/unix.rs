//! Machines without drive letters.

use fixnvpe_envs::Os;

use crate::expected;
use crate::tree::{Make, Tree, default_look};
use crate::windows::Row;

#[rustfmt::skip]
const LINUX: &[Row] = &[
    ("usr", Make::UnixPython("3.11.2"), "system usr 3.11.2"),
    ("usr/local", Make::UnixPython("3.12.1"), "system local 3.12.1"),
    ("home/ann/.local/lib/python3.11/site-packages", Make::Site, "user_site user-python3.11 3.11"),
    ("home/ann/.local/lib/python3.12/site-packages", Make::Site, "user_site user-python3.12 3.12"),
    ("home/ann/userbase/lib/python3.9/site-packages", Make::Site, "user_site user-python3.9 3.9"),
    ("home/ann/miniconda3", Make::CondaRoot("3.9.12"), "conda base 3.9.12"),
    ("home/ann/miniconda3/envs/yolov5", Make::Conda("3.8.13"), "conda yolov5 3.8.13"),
    ("opt/conda", Make::CondaRoot("3.10.1"), "conda base 3.10.1"),
    ("data/listed/far/from/all", Make::Conda("3.8.1"), "conda all 3.8.1"),
    ("data/condarc/of/system/one", Make::Conda("3.8.2"), "conda one 3.8.2"),
    ("home/ann/.conda/envs/own", Make::Conda("3.8.3"), "conda own 3.8.3"),
    ("home/ann/.local/share/mamba/envs/two", Make::Conda("3.11.3"), "conda two 3.11.3"),
    ("home/ann/.pixi/envs/tool", Make::Pixi("3.12.2"), "conda tool 3.12.2"),
    ("home/ann/src/vision/.pixi/envs/default", Make::Pixi("3.12.4"), "conda vision 3.12.4"),
    ("home/ann/src/web/.venv", Make::UnixVenv("3.10.4"), "venv web 3.10.4"),
    ("home/ann/.virtualenvs/wrapped", Make::UnixVenv("3.7.9"), "venv wrapped 3.7.9"),
    ("home/ann/.local/share/virtualenvs/pipenv-Ab3_x-9Z", Make::UnixVenv("3.7.8"), "venv pipenv-Ab3_x-9Z 3.7.8"),
    ("home/ann/.cache/pypoetry/virtualenvs/app-XyZ-py3.10", Make::UnixVenv("3.10.1"), "poetry app-XyZ-py3.10 3.10.1"),
    ("home/ann/.local/share/hatch/env/virtual/app/1a2b3c/app", Make::UnixVenv("3.11.5"), "hatch app 3.11.5"),
    ("home/ann/.local/share/pdm/venvs/app-3.9", Make::UnixVenv("3.9.2"), "pdm app-3.9 3.9.2"),
    ("home/ann/src/pdmproj/__pypackages__/3.10/lib", Make::Site, "pdm pdmproj 3.10"),
    ("home/ann/.local/share/pipx/venvs/black", Make::UnixVenv("3.10.3"), "pipx black 3.10.3"),
    ("home/ann/.local/pipx/venvs/nox", Make::UnixVenv("3.10.5"), "pipx nox 3.10.5"),
    ("home/ann/.local/share/uv/tools/ruff", Make::UnixVenv("3.12.0"), "uv ruff 3.12.0"),
    ("home/ann/.local/share/uv/python/cpython-3.11.4-linux-x86_64-gnu", Make::UnixPython("3.11.4"), "uv cpython-3.11.4-linux-x86_64-gnu 3.11.4"),
    ("home/ann/.pyenv/versions/3.8.10", Make::UnixPython("3.8.10"), "pyenv 3.8.10 3.8.10"),
    ("home/ann/.pyenv/versions/3.8.10/envs/named", Make::UnixVenv("3.8.10"), "venv named 3.8.10"),
    ("home/ann/.rye/py/cpython@3.12.3", Make::UnixPython("3.12.3"), "python_org cpython@3.12.3 3.12.3"),
    ("home/ann/.local/share/mise/installs/python/3.11.7", Make::UnixPython("3.11.7"), "python_org 3.11.7 3.11.7"),
    ("home/ann/src/lib/.tox/py38", Make::UnixVenv("3.8.12"), "venv py38 3.8.12"),
    ("home/ann/src/kernel/deep/inside/far/env", Make::UnixVenv("3.8.15"), "venv far 3.8.15"),
    ("home/bob/project/venv", Make::UnixVenv("3.9.9"), "venv project 3.9.9"),
    ("root/work/venv", Make::UnixVenv("3.9.8"), "venv work 3.9.8"),
    ("srv/jenkins/agent/home/tool/venv", Make::UnixVenv("3.9.7"), "venv tool 3.9.7"),
    ("opt/app/venv", Make::UnixVenv("3.9.6"), "venv app 3.9.6"),
];

#[rustfmt::skip]
const BESIDE: &[(&str, Make)] = &[
    ("home/ann/.conda/environments.txt", Make::File("/data/listed/far/from/all\n/dead/entry\n")),
    ("etc/conda/condarc.d/site.yaml", Make::File("envs_dirs: [/data/condarc/of/system]\n")),
    ("home/ann/.local/share/jupyter/kernels/far/kernel.json", Make::File(r#"{"argv": ["/home/ann/src/kernel/deep/inside/far/env/bin/python"]}"#)),
    ("etc/passwd", Make::File("root:x:0:0::/root:/bin/sh\njenkins:x:9:9::/srv/jenkins/agent/home:/bin/sh\nman:x:6:12::/var/cache/man:/x\nbroken\n")),
    // Not environments.
    ("home/ann/.local/bin/python3.11", Make::File("")),
    ("proc/1/venv/pyvenv.cfg", Make::File("version = 3.9.0\n")),
    ("usr/share/venv/pyvenv.cfg", Make::File("version = 3.9.0\n")),
    // Names differ in case here: this is no library.
    ("home/ann/src/odd/PYVENV.CFG", Make::File("version = 3.9.0\n")),
];

fn linux() -> Tree {
    let tree = Tree::new();
    for (path, make, _) in LINUX {
        tree.make(path, *make);
    }
    for (path, make) in BESIDE {
        tree.make(path, *make);
    }
    tree
}

#[test]
fn a_linux_machine_with_one_of_every_row_loses_none_and_repeats_none() {
    let tree = linux();
    let machine = tree
        .rooted(Os::Linux)
        .with_variable("PYTHONUSERBASE", "/home/ann/userbase");
    let found = default_look(&machine);
    assert_eq!(tree.found(&found), expected(LINUX));
    assert_eq!(tree.skipped(&found), [""; 0]);
}

#[cfg(unix)]
#[test]
fn links_to_environments_are_not_environments_of_their_own() {
    use crate::tree::look;
    use fixnvpe_envs::DiscoverOptions;

    let tree = linux();
    let link = |target: &str, name: &str| {
        fs_err::os::unix::fs::symlink(tree.path(target), tree.path(name)).unwrap();
    };
    link(
        "home/ann/.pyenv/versions/3.8.10/envs/named",
        "home/ann/.pyenv/versions/named",
    );
    link(
        "home/ann/.pyenv/versions/3.8.10",
        "home/ann/.pyenv/versions/3.8",
    );
    link("home/ann/miniconda3", "home/ann/src/conda");
    link("home/ann", "home/ann/src/loop");
    link("home/ann/src/web/.venv/lib", "home/ann/src/web/.venv/lib64");
    let found = look(&tree.rooted(Os::Linux), DiscoverOptions::new().deep(true));
    let without_variable: Vec<String> = expected(LINUX)
        .into_iter()
        .filter(|line| !line.contains("userbase"))
        .collect();
    assert_eq!(tree.found(&found), without_variable);
    let web = found
        .environments
        .iter()
        .find(|one| one.name == "web")
        .unwrap();
    assert_eq!(
        web.site_packages.len(),
        1,
        "lib64 is the same folder once more"
    );
}

#[test]
fn macos_has_places_of_its_own() {
    let rows: &[Row] = &[
        (
            "Library/Frameworks/Python.framework/Versions/3.12",
            Make::UnixPython("3.12.4"),
            "python_org 3.12 3.12.4",
        ),
        (
            "Users/ann/Library/Python/3.9/lib/python/site-packages",
            Make::Site,
            "user_site user-3.9 3.9",
        ),
        (
            "Users/ann/Library/Caches/pypoetry/virtualenvs/app-py3.11",
            Make::UnixVenv("3.11.1"),
            "poetry app-py3.11 3.11.1",
        ),
        (
            "Users/ann/Library/Application Support/hatch/env/virtual/a/b/a",
            Make::UnixVenv("3.11.2"),
            "hatch a 3.11.2",
        ),
        (
            "opt/homebrew",
            Make::UnixPython("3.12.5"),
            "system homebrew 3.12.5",
        ),
        (
            "opt/homebrew/Caskroom/miniconda/base",
            Make::CondaRoot("3.11.3"),
            "conda base 3.11.3",
        ),
    ];
    let tree = Tree::new();
    for (path, make, _) in rows {
        tree.make(path, *make);
    }
    let found = default_look(&tree.rooted(Os::MacOs));
    let prefixes = |lines: Vec<String>| -> Vec<String> {
        let known = |line: String| line.replace("/lib/python:", ":");
        lines.into_iter().map(known).collect()
    };
    assert_eq!(tree.found(&found), prefixes(expected(rows)));
}
