//! Collecting from real folders.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tempfile::TempDir;

use super::bench::{collected, threads};
use crate::cancel::CancelToken;
use crate::collect::{Collection, Root};
use crate::context::Context;
use crate::double::MemoryDisk;
use crate::observe::{Event, Observer};
use crate::options::CollectOptions;
use crate::report::{Code, SkipReason, Step};

/// Keeps the folders that were read.
struct Folders(Mutex<Vec<PathBuf>>);
impl Observer for Folders {
    fn event(&self, event: &Event<'_>) {
        if let Event::Folder(path) = event {
            self.0.lock().unwrap().push(path.to_path_buf());
        }
    }
}

/// Removes a folder as soon as the one above it was read.
struct Remover(PathBuf);
impl Observer for Remover {
    fn event(&self, event: &Event<'_>) {
        if let Event::Folder(path) = event
            && Some(*path) == collected(&self.0).parent()
        {
            fs_err::remove_dir_all(&self.0).unwrap();
        }
    }
}

fn tree(files: &[&str]) -> TempDir {
    let root = tempfile::tempdir().unwrap();
    for file in files {
        let path = root.path().join(file);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(path, file).unwrap();
    }
    root
}

fn collect(roots: &[PathBuf]) -> Collection {
    collect_with(roots, &CollectOptions::default())
}

fn collect_with(roots: &[PathBuf], options: &CollectOptions<'_>) -> Collection {
    let (pool, cancel) = (threads(2), CancelToken::new());
    crate::collect(roots, options, &Context::new(&pool, &cancel))
}

fn names(collection: &Collection, root: &Path) -> Vec<String> {
    let names = collection.candidates.iter().flat_map(|one| &one.names);
    let root = collected(root);
    names
        .map(|name| {
            let below = name.strip_prefix(&root).unwrap().to_str().unwrap();
            below.replace('\\', "/")
        })
        .collect()
}

#[test]
fn images_are_found_at_any_depth_by_their_extension_in_any_case() {
    let root = tree(&[
        "torch/lib/c10.dll",
        "torch/lib/deep/er/CUBLAS.DLL",
        "cupy/thrust.pyd",
        "Scripts/tool.exe",
        "torch/lib/c10.lib",
        "readme",
        "x.dll_bak",
    ]);
    let found = collect(&[root.path().to_path_buf()]);
    assert_eq!(
        names(&found, root.path()),
        [
            "Scripts/tool.exe",
            "cupy/thrust.pyd",
            "torch/lib/c10.dll",
            "torch/lib/deep/er/CUBLAS.DLL"
        ]
    );
    assert!(found.complete && found.skipped.is_empty() && found.failures.is_empty());
    assert!(found.candidates.iter().all(|one| !one.named));
}

#[test]
fn a_named_file_is_taken_whatever_its_name_and_a_missing_one_is_a_failure() {
    let root = tree(&["kernels.bin"]);
    let (there, gone) = (
        root.path().join("kernels.bin"),
        root.path().join("gone.dll"),
    );
    let found = collect(&[there.clone(), gone.clone()]);
    assert_eq!(found.candidates.len(), 1);
    assert_eq!(found.candidates[0].path, collected(there));
    assert!(found.candidates[0].named);
    assert_eq!(found.failures.len(), 1);
    assert_eq!(found.failures[0].path, gone);
    assert_eq!(found.failures[0].code, Code::NotFound);
    assert_eq!(found.failures[0].step, Step::Collect);
}

#[test]
fn a_file_reached_twice_is_one_file_with_one_name() {
    let root = tree(&["lib/x.dll"]);
    let folder = root.path().join("lib");
    let found = collect(&[
        root.path().to_path_buf(),
        folder.clone(),
        folder.join("x.dll"),
        folder.join("..").join("lib").join("x.dll"),
    ]);
    assert_eq!(found.candidates.len(), 1);
    assert_eq!(found.candidates[0].names.len(), 1);
    assert!(found.candidates[0].named);
}

#[test]
fn hard_links_within_the_selection_are_names_and_others_are_counted() {
    let root = tree(&["env/x.dll"]);
    let path = root.path().join("env/x.dll");
    fs_err::hard_link(&path, root.path().join("env/y.dll")).unwrap();
    fs_err::create_dir(root.path().join("cache")).unwrap();
    fs_err::hard_link(&path, root.path().join("cache/x.dll")).unwrap();

    let found = collect(&[root.path().join("env")]);
    assert_eq!(found.candidates.len(), 1);
    assert_eq!(found.candidates[0].names.len(), 2);
    assert_eq!(found.candidates[0].links.count, 3);
    assert_eq!(found.candidates[0].links.outside, 1);

    let found = collect(&[root.path().to_path_buf()]);
    assert_eq!(found.candidates[0].links.outside, 0);
}

#[test]
fn what_is_excluded_is_not_even_read() {
    let root = tree(&["keep/x.dll", "leave/y.dll", "keep/z.dll"]);
    let (pool, cancel) = (threads(2), CancelToken::new());
    let folders = Folders(Mutex::default());
    let context = Context::new(&pool, &cancel).observed(&folders);
    let exclude = |path: &Path| path.ends_with("leave") || path.ends_with("z.dll");
    let options = CollectOptions { exclude: &exclude };
    let found = crate::collect(&[root.path().to_path_buf()], &options, &context);
    assert_eq!(names(&found, root.path()), ["keep/x.dll"]);
    let read = folders.0.into_inner().unwrap();
    assert!(!read.iter().any(|path| path.ends_with("leave")));
}

#[test]
fn an_excluded_name_of_a_linked_file_is_outside() {
    let root = tree(&["a/x.dll"]);
    fs_err::create_dir(root.path().join("b")).unwrap();
    fs_err::hard_link(root.path().join("a/x.dll"), root.path().join("b/x.dll")).unwrap();
    let exclude = |path: &Path| path.ends_with("b");
    let options = CollectOptions { exclude: &exclude };
    let found = collect_with(&[root.path().to_path_buf()], &options);
    assert_eq!(found.candidates[0].links.outside, 1);
}

#[test]
fn a_cancelled_collection_says_so() {
    let root = tree(&["x.dll"]);
    let (pool, cancel) = (threads(1), CancelToken::new());
    cancel.cancel();
    let context = Context::new(&pool, &cancel);
    let found = crate::collect(
        &[root.path().to_path_buf()],
        &CollectOptions::default(),
        &context,
    );
    assert!(!found.complete);
    assert!(found.candidates.is_empty());
}

#[test]
fn a_folder_that_vanishes_is_left_out_and_the_rest_is_found() {
    let root = tree(&["a/x.dll", "b/y.dll"]);
    let (pool, cancel) = (threads(1), CancelToken::new());
    let remover = Remover(root.path().join("a"));
    let context = Context::new(&pool, &cancel).observed(&remover);
    let found = crate::collect(
        &[root.path().to_path_buf()],
        &CollectOptions::default(),
        &context,
    );
    assert_eq!(names(&found, root.path()), ["b/y.dll"]);
    assert_eq!(found.skipped.len(), 1);
    assert_eq!(found.skipped[0].reason, SkipReason::Vanished);
    assert!(found.failures.is_empty());
}

#[test]
fn what_only_looks_like_a_file_in_a_listing_is_told_and_no_failure() {
    let root = tree(&["alias.exe", "x.dll"]);
    let disk = MemoryDisk::new();
    let path = |name: &str| collected(root.path()).join(name);
    for name in ["alias.exe", "x.dll"] {
        disk.put(path(name).to_str().unwrap(), b"");
    }
    disk.make_alias(path("alias.exe").to_str().unwrap());
    let (pool, cancel) = (threads(2), CancelToken::new());
    let context = Context::new(&pool, &cancel).on(&disk);
    let roots = [root.path().to_path_buf()];
    let found = crate::collect(&roots, &CollectOptions::default(), &context);
    assert_eq!(names(&found, root.path()), ["x.dll"]);
    assert!(found.failures.is_empty());
    assert_eq!(found.skipped.len(), 1);
    assert_eq!(found.skipped[0].path, path("alias.exe"));
    assert_eq!(found.skipped[0].reason, SkipReason::Special);
}

#[cfg(unix)]
mod links {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    use fs_err::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_named_link_stands_for_its_target_once() {
        let root = tree(&["store/x.dll"]);
        let link = root.path().join("x.dll");
        let target = root.path().join("store/x.dll");
        symlink(&target, &link).unwrap();
        let found = collect(&[link, target.clone()]);
        assert_eq!(found.candidates.len(), 1);
        assert_eq!(found.candidates[0].names.len(), 1);
        assert!(found.candidates[0].path.ends_with("store/x.dll"));
    }

    #[test]
    fn a_named_link_to_a_folder_is_searched() {
        let root = tree(&["store/x.dll"]);
        let link = root.path().join("env");
        symlink(root.path().join("store"), &link).unwrap();
        let found = collect(&[link]);
        assert_eq!(found.candidates.len(), 1);
    }

    #[test]
    fn links_inside_a_folder_are_reported_and_not_followed() {
        let root = tree(&["env/x.dll", "store/y.dll"]);
        symlink("../store/y.dll", root.path().join("env/y.dll")).unwrap();
        symlink("../store", root.path().join("env/store")).unwrap();
        symlink(".", root.path().join("env/loop")).unwrap();
        // Says nothing to anybody: neither an image nor a folder.
        symlink("nowhere", root.path().join("env/readme")).unwrap();
        let found = collect(&[root.path().join("env")]);
        assert_eq!(names(&found, root.path()), ["env/x.dll"]);
        let skipped: Vec<_> = found.skipped.iter().map(|one| one.reason).collect();
        assert_eq!(skipped, [SkipReason::Link; 3]);
    }

    #[test]
    fn a_path_through_a_linked_folder_is_no_second_link() {
        let root = tree(&["real/x.dll"]);
        symlink("real", root.path().join("alias")).unwrap();
        let outside = root.path().join("outside.dll");
        fs_err::hard_link(root.path().join("real/x.dll"), outside).unwrap();
        let found = collect(&[
            root.path().join("real/x.dll"),
            root.path().join("alias/x.dll"),
        ]);
        assert_eq!(found.candidates.len(), 1);
        assert_eq!(found.candidates[0].names.len(), 1);
        assert_eq!(found.candidates[0].links.outside, 1);
    }

    #[test]
    fn names_that_are_hard_to_write_are_found_like_others() {
        let root = tempfile::tempdir().unwrap();
        let names = [
            OsStr::new("with space.dll"),
            OsStr::new("[brackets]*?.dll"),
            OsStr::new("it's \"quoted\".dll"),
            OsStr::new("中文路径.dll"),
            OsStr::new("Привет.PYD"),
            OsStr::new("-rf.exe"),
            OsStr::from_bytes(b"not \xff unicode.dll"),
        ];
        for name in names {
            fs_err::write(root.path().join(name), b"").unwrap();
        }
        let found = collect(&[root.path().to_path_buf()]);
        assert_eq!(found.candidates.len(), names.len());
        assert!(found.failures.is_empty());
    }

    #[test]
    fn what_is_no_file_is_left_out() {
        let root = tree(&["x.dll"]);
        let socket = root.path().join("y.dll");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        let found = collect(&[root.path().to_path_buf()]);
        assert_eq!(found.candidates.len(), 1);
        assert_eq!(found.skipped[0].reason, SkipReason::Special);
    }
}

#[test]
fn what_a_pattern_matched_may_be_anything_and_may_be_gone() {
    let root = tree(&["kernels.bin"]);
    let roots = [
        Root::matched(root.path().join("kernels.bin")),
        Root::matched(root.path().join("gone.dll")),
    ];
    let (pool, cancel) = (threads(1), CancelToken::new());
    let context = Context::new(&pool, &cancel);
    let found = crate::collect(&roots, &CollectOptions::default(), &context);
    assert_eq!(found.candidates.len(), 1);
    assert!(!found.candidates[0].named);
    assert!(found.failures.is_empty());
    assert_eq!(found.skipped[0].reason, SkipReason::Vanished);
    let report = crate::scan(&found, &crate::ScanOptions::default(), None, &context);
    assert!(report.images.is_empty() && report.failures.is_empty());
}
