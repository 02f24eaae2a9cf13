//! What is installed, who owns a file, and what was recorded about it.

mod tree;

use std::path::Path;

use fixnvpe_envs::{Environment, Kind, Machine, Os, Packages, RecordKind, SkipReason};
use tree::{Make, Tree, Troubled};

/// The SHA-256 of nothing, as RECORD writes it, and as conda does.
const EMPTY_RECORD: &str = "sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU";
const EMPTY_HEX: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const OTHER_HEX: &str = "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff";

const SITE: &str = "C/env/Lib/site-packages";

/// A pip package with a RECORD of these rows.
fn dist_info(tree: &Tree, name: &str, version: &str, rows: &str) {
    let folder = format!("{SITE}/{}-{version}.dist-info", name.replace('-', "_"));
    tree.file(
        &format!("{folder}/METADATA"),
        format!("Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n\nText\n"),
    );
    tree.file(&format!("{folder}/RECORD"), rows);
}

/// A conda package with these entries of `paths_data`.
fn conda_meta(tree: &Tree, file: &str, paths: &[(&str, &str, &str)]) {
    let paths: Vec<String> = paths
        .iter()
        .map(|(path, before, after)| {
            format!(r#"{{"_path": "{path}", "sha256": "{before}", "sha256_in_prefix": "{after}", "size_in_bytes": 5, "path_type": "hardlink"}}"#)
        })
        .collect();
    let json = format!(
        r#"{{"files": ["x"], "paths_data": {{"paths": [{}]}}}}"#,
        paths.join(", ")
    );
    tree.file(&format!("C/env/conda-meta/{file}"), json);
}

fn environment(tree: &Tree) -> Environment {
    Environment::new(Kind::Conda, "env", tree.path("C/env")).with_site_packages([tree.path(SITE)])
}

fn read(tree: &Tree) -> Packages {
    Packages::read(&tree.windows("C"), &environment(tree))
}

/// `name version` of a file's owner.
fn owner(packages: &Packages, path: &Path) -> Option<String> {
    let owner = packages.owner(path)?;
    Some(format!("{} {}", owner.name, owner.version))
}

#[test]
fn distributions_are_named_by_their_own_metadata_and_each_once() {
    let tree = Tree::new();
    dist_info(&tree, "torch", "1.12.1+cu113", "");
    dist_info(&tree, "nvidia-cublas-cu11", "11.10.3.66", "");
    dist_info(&tree, "numpy", "1.21.5", "");
    conda_meta(&tree, "numpy-1.21.5-py38hca35cd5_2.json", &[]);
    conda_meta(&tree, "python-dateutil-2.8.2-pyhd3eb1b0_0.json", &[]);
    tree.file(
        &format!("{SITE}/old.thing-0.5-py3.8.egg-info/PKG-INFO"),
        "Name: Old.Thing\nVersion: 0.5\n",
    );
    tree.file(
        &format!("{SITE}/flat-2.0.egg-info"),
        "Metadata-Version: 1.0\nName: flat\nVersion: 2.0\n",
    );
    tree.file(
        &format!("{SITE}/egg-3.0-py3.8.egg/EGG-INFO/PKG-INFO"),
        "Name: egg\nVersion: 3.0\n",
    );
    tree.file(&format!("{SITE}/bare-4.0.dist-info/RECORD"), "");
    tree.folder(&format!("{SITE}/~umpy-1.20.0.dist-info"));
    let packages = read(&tree);
    let all: Vec<String> = packages
        .distributions()
        .iter()
        .map(|one| format!("{} {} {:?}", one.name, one.version, one.kind))
        .collect();
    assert_eq!(
        all,
        [
            "bare 4.0 DistInfo",
            "egg 3.0 EggInfo",
            "flat 2.0 EggInfo",
            "numpy 1.21.5 CondaMeta",
            "nvidia-cublas-cu11 11.10.3.66 DistInfo",
            "Old.Thing 0.5 EggInfo",
            "python-dateutil 2.8.2 CondaMeta",
            "torch 1.12.1+cu113 DistInfo",
        ]
    );
    let about_cuda: Vec<&str> = packages
        .distributions()
        .iter()
        .filter(|one| one.is_about_cuda())
        .map(|one| one.name.as_str())
        .collect();
    assert_eq!(about_cuda, ["nvidia-cublas-cu11", "torch"]);
    assert_eq!(
        packages.leftovers(),
        [tree.path(&format!("{SITE}/~umpy-1.20.0.dist-info"))]
    );
}

#[test]
fn files_of_pip_are_owned_and_recorded_wherever_they_lie() {
    let tree = Tree::new();
    let rows = format!(
        "torch/lib/torch_cuda.dll,{EMPTY_RECORD},0\r\n\
         \"torch/lib/a, b.dll\",{EMPTY_RECORD},0\r\n\
         ../../Scripts/convert.exe,{EMPTY_RECORD},7\r\n\
         torch/py.typed,{EMPTY_RECORD},0\r\n\
         torch-1.0.dist-info/RECORD,,\r\n"
    );
    dist_info(&tree, "torch", "1.0", &rows);
    dist_info(
        &tree,
        "nvidia-cublas",
        "13.0",
        &format!("nvidia/cu13/bin/x86_64/cublas64_13.dll,{EMPTY_RECORD},0\n"),
    );
    dist_info(
        &tree,
        "nvidia-cublas-cu12",
        "12.0",
        "nvidia\\cublas\\lib\\x64\\cublas64_12.dll,,\n",
    );
    let packages = read(&tree);
    let at = |path: &str| tree.path(&format!("C/env/{path}"));
    for (path, expected) in [
        (
            "Lib/site-packages/torch/lib/torch_cuda.dll",
            Some("torch 1.0"),
        ),
        (
            "LIB/Site-Packages/Torch/lib/TORCH_CUDA.dll",
            Some("torch 1.0"),
        ),
        ("Lib/site-packages/torch/lib/a, b.dll", Some("torch 1.0")),
        ("Scripts/convert.exe", Some("torch 1.0")),
        ("Lib/site-packages/torch/py.typed", Some("torch 1.0")),
        (
            "Lib/site-packages/nvidia/cu13/bin/x86_64/cublas64_13.dll",
            Some("nvidia-cublas 13.0"),
        ),
        (
            "Lib/site-packages/nvidia/cublas/lib/x64/cublas64_12.dll",
            Some("nvidia-cublas-cu12 12.0"),
        ),
        ("Lib/site-packages/~orch/lib/torch_cuda.dll", None),
        ("Lib/site-packages/other.dll", None),
        ("Lib/site-packages/other.txt", None),
    ] {
        assert_eq!(owner(&packages, &at(path)).as_deref(), expected, "{path}");
    }
    let recorded = packages.recorded(&at("Scripts/convert.exe"));
    assert_eq!(recorded.len(), 1);
    assert_eq!(recorded[0].size, Some(7));
    assert_eq!(recorded[0].sha256[..2], [0xe3, 0xb0]);
    // An owner without a hash recorded nothing.
    let cublas = at("Lib/site-packages/nvidia/cublas/lib/x64/cublas64_12.dll");
    assert!(packages.recorded(&cublas).is_empty());
    assert!(packages.skipped().is_empty());
}

#[test]
fn files_of_conda_are_recorded_as_they_are_in_the_prefix() {
    let tree = Tree::new();
    conda_meta(
        &tree,
        "cudatoolkit-11.3.1-h59b6b97_2.json",
        &[
            ("Library/bin/cublas64_11.dll", EMPTY_HEX, EMPTY_HEX),
            ("Library/bin/adapted.exe", EMPTY_HEX, OTHER_HEX),
        ],
    );
    let packages = read(&tree);
    let dll = packages.recorded(&tree.path("C/env/library/BIN/cublas64_11.dll"));
    assert_eq!(dll[0].size, Some(5));
    assert_eq!(dll[0].sha256[0], 0xe3);
    assert_eq!(dll[0].distribution.name, "cudatoolkit");
    let adapted = packages.recorded(&tree.path("C/env/Library/bin/adapted.exe"));
    assert_eq!((adapted[0].sha256[0], adapted[0].size), (0xff, None));
}

#[test]
fn of_two_records_of_one_file_the_later_one_is_trusted_first() {
    for (installer, first) in [
        ("conda\n", RecordKind::CondaMeta),
        ("pip\n", RecordKind::DistInfo),
    ] {
        let tree = Tree::new();
        dist_info(
            &tree,
            "xgboost",
            "1.6.2",
            &format!("xgboost/lib/xgboost.dll,{EMPTY_RECORD},0\n"),
        );
        tree.file(
            &format!("{SITE}/xgboost-1.6.2.dist-info/INSTALLER"),
            installer,
        );
        let path = "Lib/site-packages/xgboost/lib/xgboost.dll";
        conda_meta(
            &tree,
            "py-xgboost-1.6.2-py38_0.json",
            &[(path, OTHER_HEX, OTHER_HEX)],
        );
        let packages = read(&tree);
        let recorded = packages.recorded(&tree.path(&format!("C/env/{path}")));
        assert_eq!(recorded.len(), 2);
        assert_eq!(recorded[0].distribution.kind, first, "{installer}");
        assert_eq!(
            packages
                .owner(&tree.path(&format!("C/env/{path}")))
                .unwrap()
                .kind,
            first
        );
    }
}

#[test]
fn records_that_cannot_be_read_are_told_and_the_others_count() {
    let tree = Tree::new();
    dist_info(
        &tree,
        "good",
        "1.0",
        &format!("good/a.dll,{EMPTY_RECORD},0\n"),
    );
    dist_info(&tree, "closed", "1.0", "closed/a.dll,,\n");
    conda_meta(&tree, "broken-1.0-0.json", &[]);
    tree.file(
        "C/env/conda-meta/broken-1.0-0.json",
        r#"{"paths_data": {"paths": [{"_path": "b.dll"}, 7]}}"#,
    );
    tree.file(
        &format!("{SITE}/binary-1.0.dist-info/RECORD"),
        b"\xff\xfe,x,y\n\"unclosed",
    );
    tree.folder(&format!("{SITE}/nothing-1.0.dist-info"));
    let disk = Troubled {
        denied: vec![tree.path(&format!("{SITE}/closed-1.0.dist-info/RECORD"))],
        ..Troubled::default()
    };
    let packages = Packages::read(&tree.windows("C").with_disk(disk), &environment(&tree));
    let good = tree.path(&format!("{SITE}/good/a.dll"));
    assert_eq!(owner(&packages, &good).as_deref(), Some("good 1.0"));
    // What stood before the mistake counts.
    let before = tree.path("C/env/b.dll");
    assert_eq!(owner(&packages, &before).as_deref(), Some("broken 1.0"));
    let skipped: Vec<(String, SkipReason)> = packages
        .skipped()
        .iter()
        .map(|one| (tree.name(&one.path), one.reason))
        .collect();
    assert_eq!(
        skipped,
        [
            (
                format!("{SITE}/closed-1.0.dist-info/RECORD"),
                SkipReason::AccessDenied
            ),
            (
                "C/env/conda-meta/broken-1.0-0.json".to_owned(),
                SkipReason::Malformed
            ),
        ]
    );
}

#[test]
fn nothing_is_read_before_it_is_asked_for() {
    let tree = Tree::new();
    dist_info(&tree, "torch", "1.0", "torch/a.dll,,\n");
    let disk = Troubled::default();
    let folders = disk.folders.clone();
    let machine = tree.windows("C").with_disk(disk);
    let packages = Packages::read(&machine, &environment(&tree));
    let read = || folders.load(std::sync::atomic::Ordering::Relaxed);
    let listed = read();
    assert!(listed <= 2, "the prefix and its site-packages: {listed}");
    assert!(packages.torch().is_none());
    assert_eq!(packages.prefix(), tree.path("C/env"));
}

#[test]
fn torch_tells_its_facts_without_python() {
    let tree = Tree::of(&[
        (
            "C/env/Lib/site-packages/Torch/VERSION.py",
            Make::File("__version__ = '1.12.1+cu113'\ndebug = False\ncuda = '11.3'\nhip = None\n"),
        ),
        (
            "C/env/Lib/site-packages/Torch/lib/torch_cuda_cu.dll",
            Make::File("MZ"),
        ),
        (
            "C/env/Lib/site-packages/Torch/lib/torch.lib",
            Make::File(""),
        ),
    ]);
    let torch = read(&tree).torch().unwrap();
    assert_eq!(torch.version, "1.12.1+cu113");
    assert_eq!(torch.cuda.as_deref(), Some("11.3"));
    assert_eq!(torch.libraries, ["torch_cuda_cu.dll"]);
}

#[test]
fn names_that_differ_in_case_are_two_files_where_the_machine_says_so() {
    let tree = Tree::new();
    let site = "env/lib/python3.9/site-packages";
    tree.file(
        &format!("{site}/x-1.0.dist-info/RECORD"),
        format!("x/A.pyd,{EMPTY_RECORD},0\n"),
    );
    let environment =
        Environment::new(Kind::Venv, "env", tree.path("env")).with_site_packages([tree.path(site)]);
    let machine: Machine = tree.rooted(Os::Linux);
    let packages = Packages::read(&machine, &environment);
    assert!(
        packages
            .owner(&tree.path(&format!("{site}/x/A.pyd")))
            .is_some()
    );
    assert!(
        packages
            .owner(&tree.path(&format!("{site}/x/a.pyd")))
            .is_none()
    );
}

#[test]
fn a_package_in_a_cache_of_conda_records_its_own_files() {
    let tree = Tree::new();
    let package = "C/conda/pkgs/cudatoolkit-dev-11.3.1-h59b6b97_2";
    let dll = format!("{package}/Library/bin/cufft64_10.dll");
    tree.file(&dll, "");
    tree.file(&format!("{package}/info/index.json"), "{}");
    tree.file(
        &format!("{package}/info/paths.json"),
        format!(
            r#"{{"paths": [{{"_path": "Library/bin/cufft64_10.dll", "path_type": "hardlink", "sha256": "{EMPTY_HEX}", "size_in_bytes": 0}}], "paths_version": 1}}"#
        ),
    );
    let environment = Environment::new(Kind::Portable, "package", tree.path(package));
    let packages = Packages::read(&tree.windows("C"), &environment);
    let recorded = packages.recorded(&tree.path(&dll));
    assert_eq!(recorded.len(), 1);
    assert_eq!(recorded[0].distribution.kind, RecordKind::CondaPackage);
    assert_eq!(recorded[0].size, Some(0));
    assert_eq!(
        owner(&packages, &tree.path(&dll)).as_deref(),
        Some("cudatoolkit-dev 11.3.1")
    );
}
