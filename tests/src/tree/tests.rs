use super::*;

#[test]
fn a_tree_holds_what_the_table_says() {
    let folder = tempfile::tempdir().unwrap();
    let inner = Tree::default()
        .text("a/b.txt", "b")
        .hard_link("c.txt", "a/b.txt");
    Tree::default()
        .folder("empty")
        .tree("in [here] 里", inner)
        .fixture("x.dll", "check_sum_true.dll")
        .build_in(folder.path())
        .unwrap();
    let at = |path: &str| folder.path().join(path);
    assert!(at("empty").is_dir());
    assert_eq!(fs_err::read(at("in [here] 里/c.txt")).unwrap(), b"b");
    fs_err::write(at("in [here] 里/c.txt"), "changed").unwrap();
    assert_eq!(
        fs_err::read(at("in [here] 里/a/b.txt")).unwrap(),
        b"changed"
    );
    let expected = fixtures::named("check_sum_true.dll")
        .assemble()
        .unwrap()
        .to_vec();
    assert_eq!(fs_err::read(at("x.dll")).unwrap(), expected);
}

#[cfg(unix)]
#[test]
fn links_may_point_nowhere_and_at_themselves() {
    let folder = tempfile::tempdir().unwrap();
    Tree::default()
        .symlink("nowhere", "gone/away")
        .symlink("loop", "loop")
        .symlink("up", "..")
        .build_in(folder.path())
        .unwrap();
    let target = fs_err::read_link(folder.path().join("nowhere")).unwrap();
    assert_eq!(target, Path::new("gone/away"));
    assert!(folder.path().join("up").is_dir());
}

#[test]
fn a_record_holds_the_hash_and_the_size_of_each_file() {
    let folder = tempfile::tempdir().unwrap();
    Tree::default()
        .bytes("site/pkg/a,b.dll", b"abc".to_vec())
        .distribution("site", "some-pkg", "1.0", ["pkg/a,b.dll"])
        .conda_package("site", "some-pkg", "1.0", ["pkg/a,b.dll"])
        .build_in(folder.path())
        .unwrap();
    let at = |path: &str| fs_err::read_to_string(folder.path().join("site").join(path)).unwrap();
    let record = at("some_pkg-1.0.dist-info/RECORD");
    // The SHA-256 of `abc` from FIPS 180-2, appendix B.1.
    let base64 = "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0";
    assert!(
        record.starts_with(&format!("\"pkg/a,b.dll\",sha256={base64},3\n")),
        "{record}"
    );
    assert!(record.ends_with("some_pkg-1.0.dist-info/RECORD,,\n"));
    let hex = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    let meta = at("conda-meta/some-pkg-1.0-0.json");
    let meta: serde_json::Value = serde_json::from_str(&meta).unwrap();
    let path = &meta["paths_data"]["paths"][0];
    assert_eq!(path["_path"], "pkg/a,b.dll");
    assert_eq!(path["sha256_in_prefix"], hex);
    assert_eq!(path["size_in_bytes"], 3);
}

#[cfg(unix)]
#[test]
fn the_home_shares_files_with_the_caches_as_conda_and_uv_do() {
    use std::os::unix::fs::MetadataExt as _;
    let folder = tempfile::tempdir().unwrap();
    windows_home().build_in(folder.path()).unwrap();
    let mei = folder.path().join("Users/mei");
    let torch = "Lib/site-packages/torch/lib/torch_cuda_cu.dll";
    let conda = fs_err::metadata(mei.join("miniconda3/envs/yolov5").join(torch)).unwrap();
    assert_eq!(conda.nlink(), 2);
    let venv = mei.join("projects/detector/.venv/Lib/site-packages/xgboost/lib/xgboost.dll");
    assert_eq!(fs_err::metadata(venv).unwrap().nlink(), 1);
}

#[test]
fn the_fixtures_of_a_tree_are_listed_by_all_their_names() {
    let inner = Tree::default()
        .text("a.txt", "a")
        .fixture("a.dll", "hip.dll")
        .hard_link("b.dll", "a.dll")
        .hard_link("b.txt", "a.txt");
    let fixtures = Tree::default().tree("in", inner).fixtures();
    let listed: Vec<_> = fixtures
        .iter()
        .map(|(path, name)| (path.as_path(), &**name))
        .collect();
    let expected = [("in/a.dll", "hip.dll"), ("in/b.dll", "hip.dll")];
    assert_eq!(listed, expected.map(|(path, name)| (Path::new(path), name)));
}
