//! What only Unix has: names that are not Unicode, and modes.

use std::fs::Permissions;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;

use super::bench::{image, patched};
use super::real::real;
use crate::journal::history;
use crate::options::PatchOptions;
use crate::report::Outcome;
use crate::restore::RestoreTarget;

#[test]
fn a_name_that_is_not_unicode_goes_through_the_journal_unchanged() {
    let real = real();
    let name = std::ffi::OsStr::from_bytes(b"\xff\xfe not unicode.dll");
    let path = real.write(name, &image());
    let report = real.bench.patch(&real.collect());
    let raw = report.results[0].path_raw.clone().unwrap();
    assert_eq!(fixnvpe_files::from_raw(&raw), Some(path.clone()));
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["results"][0]["path_raw"], raw);
    assert!(json["results"][0]["path"].is_string());

    let report = real.bench.restore(&RestoreTarget::LastRun);
    assert_eq!(report.results[0].outcome, Outcome::Restored);
    assert_eq!(report.results[0].path, path);
    assert_eq!(fs_err::read(&path).unwrap(), image());
    assert_eq!(history(&real.bench.view())[0].files[0].path, path);
}

#[test]
fn a_replaced_file_keeps_its_mode() {
    let real = real();
    let path = real.write("env/x.dll", &image());
    let mode = Permissions::from_mode(0o751);
    fs_err::set_permissions(&path, mode).unwrap();
    fs_err::hard_link(&path, real.files.join("cache.dll")).unwrap();
    let files = real.collect_only(&real.files.join("env"));
    let report = real.bench.patch(&files);
    assert_eq!(report.results[0].outcome, Outcome::Patched);
    let mode = fs_err::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o7777, 0o751);
    assert_eq!(fs_err::read(&path).unwrap(), patched(&image()));
    let cached = fs_err::read(real.files.join("cache.dll")).unwrap();
    assert_eq!(cached, image());
    // Nothing of ours is left beside.
    let names: Vec<_> = real.content().into_keys().collect();
    assert_eq!(names.len(), 2);
}

#[test]
fn the_read_only_mode_is_refused_forced_and_put_back() {
    let real = real();
    let path = real.write("x.dll", &image());
    let mode = Permissions::from_mode(0o555);
    fs_err::set_permissions(&path, mode).unwrap();
    let report = real.bench.patch(&real.collect());
    assert_eq!(report.results[0].outcome, Outcome::Skipped);
    assert_eq!(fs_err::read(&path).unwrap(), image());

    let mut options = PatchOptions::default();
    options.change.force = true;
    real.bench.patch_with(&real.collect(), &options);
    assert_eq!(fs_err::read(&path).unwrap(), patched(&image()));
    let mode = fs_err::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o555);
}
