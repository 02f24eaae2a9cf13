//! What a patch does and tells, beyond the bytes.

use fixnvpe_pe::{Aslr, Condition, Policy, Reason};
use fixnvpe_tests::image::{Fatbin, Layout};

use super::bench::{
    Bench, X, Y, image, left, only, other_release, patched, patched_under, with_links, with_x,
};
use crate::cancel::CancelToken;
use crate::double::MemoryDisk;
use crate::error::Error;
use crate::observe::{Event, Observer};
use crate::options::{Backup, InUse, LinkPolicy, PatchOptions};
use crate::report::{Code, LeftReason, Method, Outcome, SkipReason, Why};
use crate::scan::ScanOptions;

#[test]
fn patching_changes_the_planned_bytes_in_place_and_tells_them() {
    let bench = with_x();
    let inode = bench.files.inode(X);
    let report = bench.patch(&bench.files.collection([X]));
    let result = only(&report.results);
    assert_eq!(result.outcome, Outcome::Patched);
    assert_eq!(result.method, Some(Method::InPlace));
    assert_eq!(result.edits.len(), 2);
    assert!(report.complete && report.run.is_some() && report.failures.is_empty());
    assert_eq!(bench.files.get(X), Some(patched(&image())));
    assert_eq!(bench.files.inode(X), inode);
    assert!(report.commit.after < report.commit.now);
    assert_eq!(report.commit, result.commit);
}

#[test]
fn a_second_patch_writes_nothing_at_all() {
    let bench = with_x();
    bench.patch(&bench.files.collection([X]));
    let before = bench.files.snapshot();
    let report = bench.patch(&bench.files.collection([X]));
    assert_eq!(only(&report.results).outcome, Outcome::Already);
    assert_eq!(report.run, None);
    assert_eq!(bench.files.snapshot(), before);
}

#[test]
fn a_dry_run_tells_what_a_run_would_do_and_writes_nothing() {
    let bench = with_links();
    let before = bench.files.snapshot();
    for links in [LinkPolicy::Auto, LinkPolicy::Share] {
        let mut options = PatchOptions::default();
        options.change.links = links;
        options.change.dry_run = true;
        let report = bench.patch_with(&bench.files.collection([X]), &options);
        let dry = only(&report.results);
        assert_eq!(dry.outcome, Outcome::WouldPatch);
        assert_eq!(bench.files.snapshot(), before);
        assert_eq!(report.run, None);

        options.change.dry_run = false;
        let other = with_links();
        let report = other.patch_with(&other.files.collection([X]), &options);
        let real = only(&report.results);
        assert_eq!(real.outcome, Outcome::Patched);
        assert_eq!((dry.method, &dry.edits), (real.method, &real.edits));
    }
}

#[test]
fn a_dry_run_leaves_what_a_run_would_leave() {
    let bench = with_links();
    bench.files.map(X, true);
    let mut options = PatchOptions::default();
    options.change.dry_run = true;
    let report = bench.patch_with(&bench.files.collection([X]), &options);
    assert_eq!(left(only(&report.results)), LeftReason::InUse);
}

#[test]
fn a_file_in_use_is_left_alone_by_default() {
    let bench = with_x();
    bench.files.map(X, true);
    let report = bench.patch(&bench.files.collection([X]));
    let result = only(&report.results);
    assert_eq!(left(result), LeftReason::InUse);
    assert!(result.retryable);
    assert_eq!(bench.files.get(X), Some(image()));
}

#[test]
fn a_file_in_use_is_replaced_on_request_and_its_leftover_goes_later() {
    let bench = with_x();
    bench.files.map(X, true);
    let mut options = PatchOptions::default();
    options.change.in_use = InUse::Replace;
    let report = bench.patch_with(&bench.files.collection([X]), &options);
    let result = only(&report.results);
    assert_eq!(result.outcome, Outcome::Patched);
    assert_eq!(result.notes.len(), 1);
    assert_eq!(bench.files.get(X), Some(patched(&image())));
    let leftover = |bench: &Bench<MemoryDisk>| {
        let names = bench.files.names();
        names
            .iter()
            .filter(|name| name.contains(".fixnvpe-"))
            .count()
    };
    assert_eq!(leftover(&bench), 1);

    // Still in use: it stays, and nothing fails.
    let report = bench.patch(&bench.files.collection([X]));
    assert!(report.failures.is_empty());
    assert_eq!(leftover(&bench), 1);

    bench.files.unmap_all();
    let report = bench.patch(&bench.files.collection([X]));
    assert_eq!(only(&report.results).outcome, Outcome::Already);
    assert_eq!(report.run, None);
    assert_eq!(leftover(&bench), 0);
}

#[test]
fn a_read_only_attribute_is_respected_unless_forced_and_put_back() {
    let bench = with_x();
    bench.files.set_attribute(X, true);
    let report = bench.patch(&bench.files.collection([X]));
    assert_eq!(left(only(&report.results)), LeftReason::ReadOnlyAttribute);
    assert_eq!(bench.files.get(X), Some(image()));

    let mut options = PatchOptions::default();
    options.change.force = true;
    let report = bench.patch_with(&bench.files.collection([X]), &options);
    assert_eq!(only(&report.results).outcome, Outcome::Patched);
    assert_eq!(bench.files.get(X), Some(patched(&image())));
    assert!(bench.files.attribute(X));
}

#[test]
fn the_backup_of_a_read_only_file_is_read_only_as_well() {
    let bench = with_x();
    bench.files.set_attribute(X, true);
    let mut options = PatchOptions::default();
    options.change.backup = Backup::Copy;
    options.change.force = true;
    let report = bench.patch_with(&bench.files.collection([X]), &options);
    assert_eq!(only(&report.results).outcome, Outcome::Patched);
    assert_eq!(bench.files.get("/a/x.dll_bak"), Some(image()));
    assert!(bench.files.attribute("/a/x.dll_bak") && bench.files.attribute(X));
}

#[test]
fn a_backup_is_made_once_and_never_over_another_file() {
    let mut options = PatchOptions::default();
    options.change.backup = Backup::Copy;
    let bench = with_x();
    bench.patch_with(&bench.files.collection([X]), &options);
    assert_eq!(bench.files.get("/a/x.dll_bak"), Some(image()));

    let bench = with_x();
    bench.files.put("/a/x.dll_bak", b"something else");
    let report = bench.patch_with(&bench.files.collection([X]), &options);
    assert_eq!(left(only(&report.results)), LeftReason::BackupExists);
    assert_eq!(bench.files.get(X), Some(image()));
    assert_eq!(
        bench.files.get("/a/x.dll_bak"),
        Some(b"something else".to_vec())
    );
}

#[test]
fn a_file_that_changed_since_it_was_collected_is_a_failure_and_stays() {
    let bench = with_x();
    bench.files.put(Y, &image());
    let files = bench.files.collection([X, Y]);
    bench.files.erase(X);
    bench.files.put(X, &other_release());
    let report = bench.patch(&files);
    assert_eq!(bench.files.get(X), Some(other_release()));
    assert_eq!(bench.files.get(Y), Some(patched(&image())));
    assert_eq!(report.failures.len(), 1);
    assert_eq!(report.failures[0].code, Code::Changed);
    assert_eq!(only(&report.results).outcome, Outcome::Patched);
}

#[test]
fn a_signed_image_is_refused_unless_allowed() {
    let mut layout = Layout::cuda_dll(&Fatbin::of(["sm_70"]));
    layout.certificate = Some(0x800);
    let signed = layout.assemble().unwrap().to_vec();
    let bench = Bench::in_memory();
    bench.files.put(X, &signed);
    let report = bench.patch(&bench.files.collection([X]));
    let result = only(&report.results);
    assert_eq!(result.outcome, Outcome::Refused);
    assert_eq!(result.reason, Some(Why::Image(Reason::Signed)));
    assert!(result.retryable);
    assert_eq!(bench.files.get(X), Some(signed.clone()));

    let options = PatchOptions {
        policy: Policy::new(Aslr::Keep, true),
        ..PatchOptions::default()
    };
    bench.patch_with(&bench.files.collection([X]), &options);
    assert_eq!(
        bench.files.get(X),
        Some(patched_under(&signed, options.policy))
    );
}

#[test]
fn images_that_lose_aslr_and_share_a_base_are_reported() {
    let bench = with_x();
    bench.files.put(Y, &image());
    let options = PatchOptions {
        policy: Policy::new(Aslr::Clear, false),
        ..PatchOptions::default()
    };
    let report = bench.patch_with(&bench.files.collection([X, Y]), &options);
    assert_eq!(report.same_base.len(), 1);
    assert_eq!(
        report.same_base[0].paths,
        [X, Y].map(std::path::PathBuf::from)
    );
    assert_eq!(
        bench.files.get(X),
        Some(patched_under(&image(), options.policy))
    );

    let bench = with_x();
    let report = bench.patch_with(&bench.files.collection([X]), &options);
    assert!(report.same_base.is_empty());
}

#[test]
fn a_scan_knows_which_run_made_an_image_read_only() {
    let bench = with_x();
    let files = bench.files.collection([X]);
    let run = bench.patch(&files).run;
    let scan = crate::scan(
        &files,
        &ScanOptions::default(),
        Some(&bench.view()),
        &bench.context(),
    );
    assert_eq!(scan.images[0].condition, Condition::ReadOnly);
    assert_eq!(scan.images[0].patched_in, run);
    assert_eq!(scan.summary.read_only, 1);
}

#[test]
fn a_cancelled_patch_begins_no_file_and_says_that_it_is_not_complete() {
    let bench = with_x();
    bench.cancel.cancel();
    let report = bench.patch(&bench.files.collection([X]));
    assert!(!report.complete);
    assert!(report.results.is_empty());
    assert_eq!(bench.files.get(X), Some(image()));
}

#[test]
fn a_second_writer_is_told_who_has_the_lock() {
    let mut bench = with_x();
    bench.files.hold_lock("/state/lock");
    let holder = br#"{"pid":4242,"user":"wang","host":"lab","since":"2026-11-30T10:00:00Z"}"#;
    bench.files.put("/state/holder.json", holder);
    let files = bench.files.collection([X]);
    let error = bench
        .try_patch(&files, &PatchOptions::default())
        .unwrap_err();
    assert!(matches!(error, Error::Locked { .. }), "{error}");
    for word in ["4242", "wang", "lab", "2026-11-30T10:00:00Z"] {
        assert!(error.to_string().contains(word), "{error}");
    }
    assert_eq!(bench.files.get(X), Some(image()));

    // Cancelled while it waits, it says that instead.
    bench.state.wait.total = std::time::Duration::from_secs(60);
    let observer = CancelOnWait(bench.cancel.clone());
    let context = bench.context().observed(&observer);
    let options = PatchOptions::default();
    let error = crate::patch(&files, &options, &bench.state, &context).unwrap_err();
    assert!(matches!(error, Error::Cancelled { .. }), "{error}");
}

/// Cancels a job as soon as it waits.
struct CancelOnWait(CancelToken);

impl Observer for CancelOnWait {
    fn event(&self, event: &Event<'_>) {
        if matches!(event, Event::Waiting) {
            self.0.cancel();
        }
    }
}

#[test]
fn a_reader_reports_what_is_unsettled_and_settles_nothing() {
    let bench = with_x();
    // The last byte of the file is changed, and the record has no end.
    bench.files.break_at(crate::double::Fault::None);
    bench.patch(&bench.files.collection([X]));
    let journal = bench.files.get("/state/journal.jsonl").unwrap();
    let text = String::from_utf8(journal).unwrap();
    let open: Vec<&str> = text.lines().take(2).collect();
    bench
        .files
        .put("/state/journal.jsonl", (open.join("\n") + "\n").as_bytes());
    let before = bench.files.snapshot();
    let files = bench.files.collection([X]);
    let scan = crate::scan(
        &files,
        &ScanOptions::default(),
        Some(&bench.view()),
        &bench.context(),
    );
    assert_eq!(scan.skipped.len(), 1);
    assert_eq!(scan.skipped[0].reason, SkipReason::Unsettled);
    assert_eq!(bench.files.snapshot(), before);

    // A dry run tells what a run would find.
    let mut options = PatchOptions::default();
    options.change.dry_run = true;
    let report = bench.patch_with(&files, &options);
    assert_eq!(only(&report.results).outcome, Outcome::Already);
    assert_eq!(bench.files.snapshot(), before);

    // A patch settles it, and has nothing else to do.
    let report = bench.patch(&files);
    assert_eq!(only(&report.results).outcome, Outcome::Already);
    assert_eq!(bench.view().unsettled().count(), 0);
}

#[test]
fn a_file_that_another_user_left_unsettled_is_left_alone() {
    let bench = with_x();
    bench.patch(&bench.files.collection([X]));
    let journal = bench.files.get("/state/journal.jsonl").unwrap();
    let text = String::from_utf8(journal).unwrap();
    let open: Vec<&str> = text.lines().take(2).collect();
    bench
        .files
        .put("/other/journal.jsonl", (open.join("\n") + "\n").as_bytes());
    bench.files.erase("/state/journal.jsonl");
    bench.files.erase(X);
    bench.files.put(X, &image());

    let mut bench = bench;
    bench.state.others = vec!["/other".into()];
    let report = bench.patch(&bench.files.collection([X]));
    assert_eq!(left(only(&report.results)), LeftReason::Unsettled);
    assert_eq!(bench.files.get(X), Some(image()));
}
