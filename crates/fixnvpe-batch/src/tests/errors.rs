//! Every operation of a job fails in turn, and the others work. The job goes
//! on, says what it did, and leaves every file whole.

use std::io::ErrorKind;

use super::bench::{Bench, image, patched};
use super::scenario::{SCENARIOS, Scenario};
use crate::double::{Fault, MemoryDisk};
use crate::options::RestoreOptions;
use crate::report::{FileResult, Outcome};
use crate::restore::RestoreTarget;

const ERRORS: [ErrorKind; 4] = [
    ErrorKind::Other,
    ErrorKind::PermissionDenied,
    ErrorKind::StorageFull,
    ErrorKind::ResourceBusy,
];

fn at_every_operation(
    scenario: &Scenario,
    prepare: impl Fn(&Bench<MemoryDisk>),
    job: impl Fn(&Bench<MemoryDisk>, &str),
    then: impl Fn(&Bench<MemoryDisk>, &str),
) {
    let bench = scenario.bench();
    prepare(&bench);
    bench.files.break_at(Fault::None);
    job(&bench, "no error");
    for at in 1..=bench.files.operations() {
        for kind in ERRORS {
            let at_error = format!("{}, operation {at}, {kind}", scenario.name);
            let bench = scenario.bench();
            prepare(&bench);
            bench.files.break_at(Fault::Error(at, kind));
            job(&bench, &at_error);
            bench.files.break_at(Fault::None);
            scenario.check_safe(&bench.files, &at_error);
            then(&bench, &at_error);
        }
    }
}

/// What a result says is what the disk has.
fn check_told(
    results: &[FileResult],
    done: Outcome,
    disk: &MemoryDisk,
    (old, new): (&[u8], &[u8]),
    at: &str,
) {
    for result in results {
        let told = match result.outcome {
            outcome if outcome == done => new,
            Outcome::Already => new,
            Outcome::Skipped | Outcome::Failed => old,
            other => panic!("{at}: {other:?}"),
        };
        let path = result.path.to_str().unwrap();
        let bytes = disk.get(path);
        assert!(bytes.as_deref() == Some(told), "{at}: {result:?}");
    }
}

#[test]
fn a_patch_with_an_error_anywhere_leaves_files_whole_and_can_be_run_again() {
    let (original, patched) = (image(), patched(&image()));
    for scenario in &SCENARIOS {
        at_every_operation(
            scenario,
            |_| {},
            |bench, at| {
                let disk = &bench.files;
                let files = disk.collection(scenario.names());
                if let Ok(report) = bench.try_patch(&files, &scenario.options()) {
                    let sides = (original.as_slice(), patched.as_slice());
                    check_told(&report.results, Outcome::Patched, disk, sides, at);
                    assert!(
                        !report.results.is_empty() || !report.failures.is_empty(),
                        "{at}"
                    );
                }
            },
            |bench, at| {
                let disk = &bench.files;
                scenario.patch(bench).unwrap();
                disk.unmap_all();
                scenario.patch(bench).unwrap();
                scenario.check_whole(disk, &patched, at);
                scenario.restore(bench).unwrap();
                scenario.check_whole(disk, &original, at);
            },
        );
    }
}

#[test]
fn a_restore_with_an_error_anywhere_leaves_files_whole_and_can_be_run_again() {
    let (original, patched) = (image(), patched(&image()));
    for scenario in &SCENARIOS {
        at_every_operation(
            scenario,
            |bench| {
                scenario.patch(bench).unwrap();
                bench.files.unmap_all();
            },
            |bench, at| {
                let disk = &bench.files;
                let mut options = RestoreOptions::default();
                options.change = scenario.options().change;
                options.change.backup = crate::Backup::None;
                if let Ok(report) = bench.try_restore(&RestoreTarget::Everything, &options) {
                    let sides = (patched.as_slice(), original.as_slice());
                    check_told(&report.results, Outcome::Restored, disk, sides, at);
                    assert!(
                        !report.results.is_empty() || !report.failures.is_empty(),
                        "{at}"
                    );
                }
            },
            |bench, at| {
                scenario.restore(bench).unwrap();
                scenario.check_whole(&bench.files, &original, at);
            },
        );
    }
}
