//! Files with several names, some of them outside the selection.

use super::bench::{STATE, X, Y, image, left, only, patched, with_links, with_x};
use crate::options::{LinkPolicy, PatchOptions};
use crate::report::{LeftReason, Method, Outcome};

#[test]
fn names_outside_keep_the_original_and_selected_ones_share_one_new_file() {
    let bench = with_links();
    let report = bench.patch(&bench.files.collection([X, Y]));
    let result = only(&report.results);
    assert_eq!(result.outcome, Outcome::Patched);
    assert_eq!(result.method, Some(Method::Link));
    assert_eq!((result.links.count, result.links.outside), (3, 1));
    assert_eq!(bench.files.get(X), Some(patched(&image())));
    assert_eq!(bench.files.inode(X), bench.files.inode(Y));
    assert_eq!(bench.files.get("/cache/x.dll"), Some(image()));
}

#[test]
fn share_edits_the_one_file_whoever_has_it() {
    let bench = with_links();
    let mut options = PatchOptions::default();
    options.change.links = LinkPolicy::Share;
    let neighbours = bench.files.collection([Y, "/cache/x.dll"]);
    options.change.neighbours = Some(&neighbours);
    let report = bench.patch_with(&bench.files.collection([X]), &options);
    let result = only(&report.results);
    assert_eq!(result.method, Some(Method::InPlace));
    assert_eq!(
        result.shared_with,
        [Y, "/cache/x.dll"].map(std::path::PathBuf::from)
    );
    for name in [X, Y, "/cache/x.dll"] {
        assert_eq!(bench.files.get(name), Some(patched(&image())));
    }
}

#[test]
fn skip_leaves_a_file_with_names_outside_alone() {
    let bench = with_links();
    let before = bench.files.snapshot();
    let mut options = PatchOptions::default();
    options.change.links = LinkPolicy::Skip;
    let report = bench.patch_with(&bench.files.collection([X]), &options);
    let result = only(&report.results);
    assert_eq!(left(result), LeftReason::LinksOutside);
    assert!(result.retryable);
    assert_eq!((result.links.count, result.links.outside), (3, 2));
    let mut after = bench.files.snapshot();
    after.retain(|path, _| !path.starts_with(STATE));
    assert_eq!(after, before);
}

#[test]
fn where_there_are_no_links_every_selected_name_gets_a_copy() {
    let bench = with_links();
    bench.files.forbid_links();
    let report = bench.patch(&bench.files.collection([X, Y]));
    assert_eq!(only(&report.results).outcome, Outcome::Patched);
    for name in [X, Y] {
        assert_eq!(bench.files.get(name), Some(patched(&image())));
    }
    assert_eq!(bench.files.get("/cache/x.dll"), Some(image()));
}

#[test]
fn a_file_that_got_another_link_meanwhile_is_counted_again() {
    let bench = with_x();
    let files = bench.files.collection([X]);
    assert_eq!(files.candidates[0].links.outside, 0);
    bench.files.link(X, "/cache/x.dll");
    bench.patch(&files);
    assert_eq!(bench.files.get("/cache/x.dll"), Some(image()));
    assert_eq!(bench.files.get(X), Some(patched(&image())));
}

#[test]
fn a_copy_that_would_not_fit_is_not_begun() {
    let bench = with_links();
    bench.files.limit_space(100);
    let report = bench.patch(&bench.files.collection([X]));
    let result = only(&report.results);
    assert_eq!(left(result), LeftReason::NoSpace);
    assert!(result.retryable && result.notes[0].contains("100"));
    assert_eq!(bench.files.get(X), Some(image()));
}
