//! Originals that a recorded hash or a backup tells, and verification.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use fixnvpe_pe::{Aslr, Image, Policy};
use fixnvpe_tests::image::{CheckSum, Fatbin, Layout};
use proptest::prelude::any;
use proptest::{prop_assert_eq, proptest};
use sha2::{Digest, Sha256};

use super::bench::{Bench, X, image, left, other_release, patched, patched_under};
use crate::double::MemoryDisk;
use crate::options::RestoreOptions;
use crate::recorded::{Recorded, RecordedHashes};
use crate::report::{FileResult, FileState, LeftReason, Outcome};
use crate::restore::RestoreTarget;
use crate::verify::VerifyOptions;

const BACKUP: &str = "/a/x.dll_bak";

/// A RECORD with these files.
#[derive(Default)]
struct Record(BTreeMap<PathBuf, Recorded>);

impl Record {
    fn of(files: &[(&str, &[u8])]) -> Self {
        let entry = |(path, bytes): &(&str, &[u8])| {
            let recorded = Recorded {
                size: Some(bytes.len() as u64),
                sha256: Sha256::digest(bytes).into(),
                source: "RECORD".to_owned(),
            };
            (PathBuf::from(path), recorded)
        };
        Self(files.iter().map(entry).collect())
    }
}

impl RecordedHashes for Record {
    fn of(&self, path: &Path) -> Option<Recorded> {
        self.0.get(path).cloned()
    }
}

fn bytes_of(layout: &Layout) -> Vec<u8> {
    layout.assemble().unwrap().to_vec()
}

fn layout(check_sum: CheckSum) -> Layout {
    let mut layout = Layout::cuda_dll(&Fatbin::of(["sm_70"]));
    layout.check_sum = check_sum;
    layout
}

fn put(bytes: &mut [u8], offset: u64, value: &[u8]) {
    let start = usize::try_from(offset).unwrap();
    bytes[start..start + value.len()].copy_from_slice(value);
}

/// What the older script makes of an image: the section's and the image's flag
/// cleared, the CheckSum as it was.
fn by_the_script(original: &[u8]) -> Vec<u8> {
    let image = Image::read(original).unwrap();
    let mut bytes = original.to_vec();
    for section in image.fatbin_sections() {
        let flags = section.characteristics() & !0x8000_0000;
        put(
            &mut bytes,
            section.characteristics_offset(),
            &flags.to_le_bytes(),
        );
    }
    let flags = image.dll_characteristics() & !0x40;
    put(
        &mut bytes,
        image.dll_characteristics_offset(),
        &flags.to_le_bytes(),
    );
    bytes
}

fn with_check_sum(bytes: &[u8], value: u32) -> Vec<u8> {
    let offset = Image::read(bytes).unwrap().check_sum_offset();
    let mut bytes = bytes.to_vec();
    put(&mut bytes, offset, &value.to_le_bytes());
    bytes
}

fn true_check_sum(bytes: &[u8]) -> u32 {
    Image::read(bytes).unwrap().check_sum_full().unwrap()
}

fn bench_with(bytes: &[u8]) -> Bench<MemoryDisk> {
    let bench = Bench::in_memory();
    bench.files.put(X, bytes);
    bench
}

fn restore(bench: &Bench<MemoryDisk>, record: &Record) -> FileResult {
    let options = RestoreOptions {
        recorded: Some(record),
        ..RestoreOptions::default()
    };
    restore_with(bench, &options)
}

fn restore_with(bench: &Bench<MemoryDisk>, options: &RestoreOptions<'_>) -> FileResult {
    let files = bench.files.collection([X]);
    let mut report = bench.restore_with(&RestoreTarget::Files(&files), options);
    assert_eq!(report.failures, []);
    assert_eq!(report.results.len(), 1);
    report.results.remove(0)
}

fn verify(bench: &Bench<MemoryDisk>, record: &Record) -> FileState {
    let files = bench.files.collection([X]);
    let options = VerifyOptions::new(record);
    let report = crate::verify(&files, &options, Some(&bench.view()), &bench.context());
    assert_eq!(report.failures, []);
    report.results[0].state
}

#[test]
fn what_the_older_script_did_is_undone_to_the_recorded_hash() {
    for check_sum in [CheckSum::Unset, CheckSum::True, CheckSum::OffBy(77)] {
        let original = bytes_of(&layout(check_sum));
        let record = Record::of(&[(X, &original)]);
        let bench = bench_with(&by_the_script(&original));
        assert_eq!(verify(&bench, &record), FileState::Patched);
        let result = restore(&bench, &record);
        assert_eq!(result.outcome, Outcome::Restored);
        assert_eq!(bench.files.get(X), Some(original));
        assert_eq!(verify(&bench, &record), FileState::Pristine);
        // Journaled like any other change.
        assert_eq!(bench.view().entries.len(), 1);
        assert_eq!(restore(&bench, &record).outcome, Outcome::Already);
    }
}

#[test]
fn a_lost_journal_is_made_up_for_by_the_recorded_hash() {
    for policy in [Policy::default(), Policy::new(Aslr::Clear, false)] {
        for check_sum in [CheckSum::Unset, CheckSum::True, CheckSum::OffBy(5)] {
            let original = bytes_of(&layout(check_sum));
            let bench = bench_with(&patched_under(&original, policy));
            let record = Record::of(&[(X, &original)]);
            assert_eq!(restore(&bench, &record).outcome, Outcome::Restored);
            assert_eq!(bench.files.get(X), Some(original));
        }
    }
}

/// Tools that compute the CheckSum anew, or write nonsense over it, where it
/// was unset or right before.
#[test]
fn a_check_sum_that_another_tool_wrote_is_undone() {
    for check_sum in [CheckSum::Unset, CheckSum::True] {
        let original = bytes_of(&layout(check_sum));
        let changed = by_the_script(&original);
        for stored in [true_check_sum(&changed), 0, 0x1234] {
            let bench = bench_with(&with_check_sum(&changed, stored));
            let record = Record::of(&[(X, &original)]);
            assert_eq!(restore(&bench, &record).outcome, Outcome::Restored);
            assert_eq!(bench.files.get(X), Some(original.clone()), "{stored:#x}");
        }
    }
}

#[test]
fn a_file_that_differs_in_anything_else_is_modified_and_stays() {
    let original = image();
    let mut changed = patched(&original);
    *changed.last_mut().unwrap() ^= 1;
    let bench = bench_with(&changed);
    let record = Record::of(&[(X, &original)]);
    assert_eq!(verify(&bench, &record), FileState::Modified);
    let result = restore(&bench, &record);
    assert_eq!(left(&result), LeftReason::NothingToRestoreFrom);
    assert!(result.retryable);
    assert_eq!(bench.files.get(X), Some(changed));
}

#[test]
fn a_file_of_another_length_is_not_even_hashed() {
    let bench = bench_with(&patched(&image()));
    let mut longer = image();
    longer.push(0);
    assert_eq!(
        verify(&bench, &Record::of(&[(X, &longer)])),
        FileState::Modified
    );
}

#[test]
fn a_file_of_which_nothing_is_recorded_is_unknown() {
    let bench = bench_with(&patched(&image()));
    assert_eq!(verify(&bench, &Record::default()), FileState::Unknown);
    let result = restore(&bench, &Record::default());
    assert_eq!(left(&result), LeftReason::NothingToRestoreFrom);
}

#[test]
fn a_verification_knows_our_own_edits_from_the_journal() {
    let bench = bench_with(&image());
    bench.patch(&bench.files.collection([X]));
    let record = Record::of(&[(X, &image())]);
    assert_eq!(verify(&bench, &record), FileState::Patched);
    let before = bench.files.snapshot();
    verify(&bench, &record);
    assert_eq!(bench.files.snapshot(), before);
}

#[test]
fn an_image_that_was_read_only_as_built_is_pristine_and_restored_already() {
    let native = patched(&image());
    let bench = bench_with(&native);
    let record = Record::of(&[(X, &native)]);
    assert_eq!(verify(&bench, &record), FileState::Pristine);
    assert_eq!(restore(&bench, &record).outcome, Outcome::Already);
    assert_eq!(bench.files.get(X), Some(native));
}

#[test]
fn a_backup_that_differs_in_those_fields_alone_is_a_source() {
    let original = image();
    let bench = bench_with(&by_the_script(&original));
    bench.files.put(BACKUP, &original);
    let options = RestoreOptions {
        remove_backups: true,
        ..RestoreOptions::default()
    };
    assert_eq!(restore_with(&bench, &options).outcome, Outcome::Restored);
    assert_eq!(bench.files.get(X), Some(original));
    assert_eq!(bench.files.get(BACKUP), None);
}

#[test]
fn a_backup_of_another_version_is_refused_and_kept() {
    let changed = by_the_script(&image());
    let mut other_content = image();
    *other_content.last_mut().unwrap() ^= 1;
    for backup in [other_release(), other_content, b"short".to_vec()] {
        let bench = bench_with(&changed);
        bench.files.put(BACKUP, &backup);
        let options = RestoreOptions {
            remove_backups: true,
            ..RestoreOptions::default()
        };
        let result = restore_with(&bench, &options);
        assert_eq!(left(&result), LeftReason::NothingToRestoreFrom);
        assert!(result.notes[0].contains("x.dll_bak"));
        assert_eq!(bench.files.get(X), Some(changed.clone()));
        assert_eq!(bench.files.get(BACKUP), Some(backup));
    }
}

#[test]
fn backups_are_removed_only_where_the_file_is_the_same_again() {
    let bench = bench_with(&image());
    bench.files.put(BACKUP, &other_release());
    let options = RestoreOptions {
        remove_backups: true,
        ..RestoreOptions::default()
    };
    assert_eq!(restore_with(&bench, &options).outcome, Outcome::Already);
    assert_eq!(bench.files.get(BACKUP), Some(other_release()));

    bench.files.put(BACKUP, &image());
    let files = bench.files.collection([X]);
    let report = bench.restore_with(&RestoreTarget::Files(&files), &options);
    assert_eq!(report.freed, image().len() as u64);
    assert_eq!(bench.files.get(BACKUP), None);
}

#[test]
fn a_dry_run_removes_no_backup() {
    let bench = bench_with(&by_the_script(&image()));
    bench.files.put(BACKUP, &image());
    let mut options = RestoreOptions {
        remove_backups: true,
        ..RestoreOptions::default()
    };
    options.change.dry_run = true;
    let before = bench.files.snapshot();
    let files = bench.files.collection([X]);
    let report = bench.restore_with(&RestoreTarget::Files(&files), &options);
    assert_eq!(report.results[0].outcome, Outcome::WouldRestore);
    assert_eq!(report.freed, image().len() as u64);
    assert_eq!(bench.files.snapshot(), before);
}

#[test]
fn an_original_is_inferred_only_when_that_is_asked_for() {
    for original in [image(), bytes_of(&layout(CheckSum::Unset))] {
        let bench = bench_with(&patched(&original));
        assert_eq!(
            restore(&bench, &Record::default()).outcome,
            Outcome::Skipped
        );
        let options = RestoreOptions {
            infer: true,
            ..RestoreOptions::default()
        };
        assert_eq!(restore_with(&bench, &options).outcome, Outcome::Restored);
        assert_eq!(bench.files.get(X), Some(original));
    }
}

#[test]
fn a_stale_record_gives_way_to_a_proof_and_to_nothing_less() {
    // Patched, then upgraded, then patched by the script.
    let bench = bench_with(&image());
    bench.patch(&bench.files.collection([X]));
    bench.files.erase(X);
    bench.files.put(X, &by_the_script(&other_release()));
    let infer = RestoreOptions {
        infer: true,
        ..RestoreOptions::default()
    };
    assert_eq!(left(&restore_with(&bench, &infer)), LeftReason::Stale);
    let record = Record::of(&[(X, &other_release())]);
    assert_eq!(restore(&bench, &record).outcome, Outcome::Restored);
    assert_eq!(bench.files.get(X), Some(other_release()));
}

#[test]
fn a_cancelled_verification_says_that_it_is_not_complete() {
    let bench = bench_with(&image());
    bench.cancel.cancel();
    let files = bench.files.collection([X]);
    let record = Record::of(&[(X, &image())]);
    let report = crate::verify(&files, &VerifyOptions::new(&record), None, &bench.context());
    assert!(!report.complete && report.results.is_empty());
}

proptest! {
    #![proptest_config(proptest::test_runner::Config {
        cases: 64,
        failure_persistence: None,
        ..Default::default()
    })]

    /// Whatever the CheckSum was, right, wrong or one of the two encodings of
    /// the residue 0, an update of it is undone to the recorded hash.
    #[test]
    fn an_updated_check_sum_is_undone_whatever_it_was(stored in any::<u16>(), clear: bool) {
        let plain = bytes_of(&layout(CheckSum::Unset));
        let len = u32::try_from(plain.len()).unwrap();
        let policy = Policy::new(if clear { Aslr::Clear } else { Aslr::Keep }, false);
        for residue in [u32::from(stored), 0, 0xFFFF] {
            let original = with_check_sum(&plain, len + residue);
            let bench = bench_with(&patched_under(&original, policy));
            let record = Record::of(&[(X, &original)]);
            prop_assert_eq!(restore(&bench, &record).outcome, Outcome::Restored);
            prop_assert_eq!(bench.files.get(X), Some(original));
        }
    }
}
