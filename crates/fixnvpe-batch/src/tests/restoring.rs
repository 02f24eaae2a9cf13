//! What a restore gives back, and what it refuses to touch.

use fixnvpe_pe::{Aslr, Policy};

use super::bench::{Bench, X, Y, image, left, only, other_release, patched, patched_under};
use crate::double::MemoryDisk;
use crate::error::Error;
use crate::filesystem::FileSystem as _;
use crate::journal::{HistoryState, JournalView, System, history};
use crate::options::{LinkPolicy, PatchOptions, RestoreOptions};
use crate::report::{Commit, LeftReason, Method, Outcome};
use crate::restore::RestoreTarget;

fn patched_x() -> Bench<MemoryDisk> {
    let bench = Bench::in_memory();
    bench.files.put(X, &image());
    bench.patch(&bench.files.collection([X]));
    bench
}

#[test]
fn a_restore_gives_back_every_byte_the_file_and_its_time() {
    let bench = Bench::in_memory();
    bench.files.put(X, &image());
    let (inode, modified) = (bench.files.inode(X), bench.files.modified(X));
    let saved = bench.patch(&bench.files.collection([X])).commit;
    assert_ne!(bench.files.modified(X), modified);

    let files = bench.files.collection([X]);
    let report = bench.restore(&RestoreTarget::Files(&files));
    let result = only(&report.results);
    assert_eq!(result.outcome, Outcome::Restored);
    assert_eq!(result.method, Some(Method::InPlace));
    // What the patch saved is paid again.
    assert_eq!(result.commit, Commit::new(saved.after, saved.now));
    assert_eq!(bench.files.get(X), Some(image()));
    assert_eq!(bench.files.inode(X), inode);
    assert_eq!(bench.files.modified(X), modified);
}

#[test]
fn a_second_restore_says_already_and_writes_nothing() {
    let bench = patched_x();
    let targets = |files| [RestoreTarget::LastRun, RestoreTarget::Files(files)];
    let files = bench.files.collection([X]);
    bench.restore(&RestoreTarget::LastRun);
    let before = bench.files.snapshot();
    for target in targets(&files) {
        let report = bench.restore(&target);
        assert_eq!(only(&report.results).outcome, Outcome::Already);
        assert_eq!(report.run, None);
        assert_eq!(bench.files.snapshot(), before);
    }
    // Nothing stands any more.
    assert!(bench.restore(&RestoreTarget::Everything).results.is_empty());
}

#[test]
fn a_dry_restore_writes_nothing() {
    let bench = patched_x();
    let before = bench.files.snapshot();
    let mut options = RestoreOptions::default();
    options.change.dry_run = true;
    let report = bench.restore_with(&RestoreTarget::LastRun, &options);
    let result = only(&report.results);
    assert_eq!(result.outcome, Outcome::WouldRestore);
    assert_eq!(result.edits.len(), 2);
    assert_eq!(bench.files.snapshot(), before);
}

/// The same byte of two releases can read the same in both: the flags of
/// `thrust.pyd` in two builds of CuPy 10.6.0, at the same offset.
#[test]
fn another_release_under_the_same_name_is_stale_and_stays_untouched() {
    let bench = patched_x();
    bench.files.erase(X);
    // Read-only as it was built.
    let other = patched(&other_release());
    bench.files.put(X, &other);
    let before = bench.files.snapshot();
    let files = bench.files.collection([X]);
    for target in [
        RestoreTarget::Files(&files),
        RestoreTarget::LastRun,
        RestoreTarget::Everything,
    ] {
        let report = bench.restore(&target);
        let result = only(&report.results);
        assert_eq!(result.outcome, Outcome::Skipped);
        assert_eq!(left(result), LeftReason::Stale);
        assert!(!result.retryable);
        assert_eq!(bench.files.snapshot(), before);
    }
}

#[test]
fn a_file_that_is_gone_is_told_and_nothing_else() {
    let bench = patched_x();
    bench.files.erase(X);
    let report = bench.restore(&RestoreTarget::LastRun);
    assert_eq!(left(only(&report.results)), LeftReason::NotFound);
    assert!(!report.results[0].retryable && report.failures.is_empty());
}

#[test]
fn what_two_runs_did_to_one_file_is_undone_at_once() {
    let bench = patched_x();
    let files = bench.files.collection([X]);
    // Another tool makes the section writable again, and a second run clears
    // ASLR as well: its record is about other bytes than the first one's.
    bench.restore(&RestoreTarget::LastRun);
    let options = PatchOptions {
        policy: Policy::new(Aslr::Clear, false),
        ..PatchOptions::default()
    };
    bench.patch_with(&files, &options);
    assert_eq!(
        bench.files.get(X),
        Some(patched_under(&image(), options.policy))
    );
    let report = bench.restore(&RestoreTarget::Files(&files));
    assert_eq!(only(&report.results).outcome, Outcome::Restored);
    assert_eq!(bench.files.get(X), Some(image()));
}

/// A patch on top of another: the CheckSum byte of the first is changed again.
fn patched_twice() -> Bench<MemoryDisk> {
    let bench = patched_x();
    let mut bytes = bench.files.get(X).unwrap();
    // MEM_WRITE set by hand, as editbin would, with the CheckSum left.
    let flags = bytes
        .iter()
        .zip(image())
        .rposition(|(a, b)| *a != b)
        .unwrap();
    bytes[flags] |= 0x80;
    bench.files.erase(X);
    bench.files.put(X, &bytes);
    let files = bench.files.collection([X]);
    let report = bench.patch(&files);
    assert_eq!(only(&report.results).outcome, Outcome::Patched);
    bench
}

#[test]
fn a_run_below_a_later_one_is_not_undone_alone() {
    let bench = patched_twice();
    let runs = history(&bench.view());
    let before = bench.files.snapshot();
    let first = RestoreTarget::Run(runs[0].run.clone());
    let report = bench.restore(&first);
    // The first run's bytes are below the second's.
    assert_eq!(left(only(&report.results)), LeftReason::PatchedLater);
    assert!(report.results[0].retryable);
    assert_eq!(bench.files.snapshot(), before);

    let second = RestoreTarget::Run(runs[1].run.clone());
    assert_eq!(
        only(&bench.restore(&second).results).outcome,
        Outcome::Restored
    );
}

#[test]
fn one_name_of_a_shared_copy_is_restored_without_the_others() {
    let bench = Bench::in_memory();
    bench.files.put(X, &image());
    bench.files.link(X, Y);
    bench.files.link(X, "/cache/x.dll");
    bench.patch(&bench.files.collection([X, Y]));
    assert_eq!(bench.files.inode(X), bench.files.inode(Y));

    let files = bench.files.collection([X]);
    let report = bench.restore(&RestoreTarget::Files(&files));
    assert_eq!(only(&report.results).method, Some(Method::Replace));
    assert_eq!(bench.files.get(X), Some(image()));
    assert_eq!(bench.files.get(Y), Some(patched(&image())));
    assert_eq!(history(&bench.view())[0].files[0].state, HistoryState::Done);

    // The rest of the run.
    let report = bench.restore(&RestoreTarget::Everything);
    assert!(
        report
            .results
            .iter()
            .any(|result| result.outcome == Outcome::Restored)
    );
    assert_eq!(bench.files.get(Y), Some(image()));
    assert_eq!(
        history(&bench.view())[0].files[0].state,
        HistoryState::Restored
    );
}

#[test]
fn a_restore_obeys_the_link_policy() {
    let bench = patched_x();
    bench.files.link(X, Y);
    let files = bench.files.collection([X]);
    let mut options = RestoreOptions::default();
    options.change.links = LinkPolicy::Skip;
    let report = bench.restore_with(&RestoreTarget::Files(&files), &options);
    assert_eq!(left(only(&report.results)), LeftReason::LinksOutside);
    assert_eq!(bench.files.get(X), Some(patched(&image())));

    options.change.links = LinkPolicy::Share;
    bench.restore_with(&RestoreTarget::Files(&files), &options);
    assert_eq!(bench.files.get(X), Some(image()));
    assert_eq!(bench.files.get(Y), Some(image()));
}

#[test]
fn a_copy_of_a_patched_file_is_known_by_its_content() {
    let bench = patched_x();
    // As an installer does from a cache that shares the patched file.
    bench.files.put("/new/venv/x.dll", &patched(&image()));
    let files = bench.files.collection(["/new/venv/x.dll"]);
    let report = bench.restore(&RestoreTarget::Files(&files));
    assert_eq!(only(&report.results).outcome, Outcome::Restored);
    assert_eq!(bench.files.get("/new/venv/x.dll"), Some(image()));
    // That says nothing about the file that the run was about.
    assert_eq!(history(&bench.view())[0].files[0].state, HistoryState::Done);
    assert_eq!(bench.files.get(X), Some(patched(&image())));
}

#[test]
fn the_journal_of_another_user_is_read_and_the_own_one_is_written() {
    let mut bench = patched_x();
    let journal = bench.files.get("/state/journal.jsonl");
    bench.state = super::bench::state("/admin").with_others(vec!["/state".into()]);
    let report = bench.restore(&RestoreTarget::Everything);
    assert_eq!(only(&report.results).outcome, Outcome::Restored);
    assert_eq!(bench.files.get(X), Some(image()));
    assert_eq!(bench.files.get("/state/journal.jsonl"), journal);
    assert!(bench.files.get("/admin/journal.jsonl").is_some());
    assert!(bench.restore(&RestoreTarget::Everything).results.is_empty());
}

#[test]
fn a_journal_that_asks_for_other_bytes_is_not_obeyed() {
    let bench = patched_x();
    let journal = bench.files.get("/state/journal.jsonl").unwrap();
    let text = String::from_utf8(journal).unwrap();
    // The edit of the section's flags, moved to the section's size: a header
    // block with another hash.
    let record: serde_json::Value = serde_json::from_str(text.lines().nth(1).unwrap()).unwrap();
    let header_len = record["identity"]["header_len"].as_u64().unwrap();
    let header = &patched(&image())[..usize::try_from(header_len).unwrap()];
    let mut before = header.to_vec();
    before[8] ^= 0xFF;
    let mut record = record;
    record["edits"] = serde_json::json!([{
        "offset": 8, "old": format!("{:02x}", before[8]), "new": format!("{:02x}", header[8]),
        "field": "check_sum",
    }]);
    let sum = crate::journal::Identity::of(0, &before).header_sha256;
    record["identity"]["header_sha256"] = serde_json::to_value(sum).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let forged = format!("{}\n{record}\n{}\n", lines[0], lines[2]);
    bench.files.put("/state/journal.jsonl", forged.as_bytes());

    let files = bench.files.collection([X]);
    let report = bench.restore(&RestoreTarget::Files(&files));
    assert_eq!(only(&report.results).outcome, Outcome::Skipped);
    assert_eq!(bench.files.get(X), Some(patched(&image())));
}

#[test]
fn a_run_that_the_journal_does_not_know_is_an_error() {
    let bench = patched_x();
    let unknown = RestoreTarget::Run("20200101T000000Z-00000000".parse().unwrap());
    let error = bench
        .try_restore(&unknown, &RestoreOptions::default())
        .unwrap_err();
    assert!(matches!(error, Error::NoSuchRun { .. }));
    let empty = Bench::in_memory();
    let error = empty
        .try_restore(&RestoreTarget::LastRun, &RestoreOptions::default())
        .unwrap_err();
    assert!(matches!(error, Error::NoRun));
}

/// X under another case, on a disk that takes both for one.
const OTHER_CASE: &str = "/A/X.DLL";

/// X patched on such a disk under the policy that is handed on, for a cache that
/// shares it.
fn shared_and_patched() -> (Bench<MemoryDisk>, PatchOptions<'static>) {
    let bench = Bench::in_memory();
    bench.files.ignore_case();
    bench.files.put(X, &image());
    bench.files.link(X, "/cache/x.dll");
    let mut options = PatchOptions::default();
    options.change.links = LinkPolicy::Share;
    bench.patch_with(&bench.files.collection([X]), &options);
    (bench, options)
}

#[test]
fn one_name_under_two_spellings_is_one_link_of_a_shared_file() {
    // Patched twice: in between, another tool gave the bytes back.
    let (bench, options) = shared_and_patched();
    let file = bench.files.open_exclusive(X.as_ref()).unwrap();
    file.write_all_at(0, &image()).unwrap();
    drop(file);
    let other = bench.files.collection([OTHER_CASE]);
    let run = bench.patch_with(&other, &options);
    assert_eq!(only(&run.results).outcome, Outcome::Patched);

    let report = bench.restore(&RestoreTarget::Everything);
    let result = only(&report.results);
    assert_eq!(result.method, Some(Method::Replace), "{result:?}");
    assert_eq!((result.links.count, result.links.outside), (2, 1));
    assert_eq!(bench.files.get(X), Some(image()));
    assert_eq!(bench.files.get("/cache/x.dll"), Some(patched(&image())));
}

#[test]
fn a_name_that_was_restored_in_another_case_is_restored_on_windows() {
    let (bench, _) = shared_and_patched();
    let other = bench.files.collection([OTHER_CASE]);
    let report = bench.restore(&RestoreTarget::Files(&other));
    assert_eq!(only(&report.results).method, Some(Method::Replace));

    for (system, standing) in [(System::Windows, 0), (System::Unix, 1)] {
        let own = Some(bench.state.folder.as_path());
        let view = JournalView::read_on(system, own, &[], &bench.files).unwrap();
        assert_eq!(history(&view)[0].standing, standing, "{system:?}");
    }
}
