//! Who holds a file that is in use.

use std::sync::Mutex;

use fixnvpe_files::Process;

use super::bench::{Bench, X, Y, image, with_x};
use crate::HoldingProcess;
use crate::double::MemoryDisk;
use crate::observe::{Event, Observer};
use crate::options::{InUse, PatchOptions, RestoreOptions};
use crate::report::Outcome;
use crate::restore::RestoreTarget;

const MAIN: u32 = 4242;
const WORKER: u32 = 4243;

/// Two files, one of which two processes use.
fn with_one_in_use() -> Bench<MemoryDisk> {
    let bench = with_x();
    bench.files.put(Y, &image());
    let python = |id| Process::new("python.exe", id);
    bench.files.set_holders(&[python(MAIN), python(WORKER)]);
    bench.files.map(X, true);
    bench
}

fn pids(holders: &[HoldingProcess]) -> Vec<u32> {
    assert!(holders.iter().all(|one| one.name == "python.exe"));
    holders.iter().map(|one| one.pid).collect()
}

#[test]
fn the_result_of_a_file_in_use_names_its_holders_also_while_the_job_runs() {
    #[derive(Default)]
    struct Told(Mutex<Vec<Vec<u32>>>);
    impl Observer for Told {
        fn event(&self, event: &Event<'_>) {
            if let Event::Patched(result) = event {
                self.0.lock().unwrap().push(pids(&result.holders));
            }
        }
    }
    for dry_run in [true, false] {
        let bench = with_one_in_use();
        let told = Told::default();
        let context = bench.context().observed(&told);
        let mut options = PatchOptions::default();
        options.change.dry_run = dry_run;
        let files = bench.files.collection([X, Y]);
        let report = crate::patch(&files, &options, &bench.state, &context).unwrap();
        let holders = report.results.iter().map(|one| pids(&one.holders));
        let expected = [vec![MAIN, WORKER], vec![]];
        assert!(holders.eq(expected.clone()));
        let mut told = told.0.into_inner().unwrap();
        told.sort();
        told.reverse();
        assert_eq!(told, expected);
    }
}

#[test]
fn a_restore_names_holders_as_well() {
    let bench = with_x();
    bench.patch(&bench.files.collection([X]));
    bench.files.set_holders(&[Process::new("python.exe", MAIN)]);
    bench.files.map(X, true);
    let options = RestoreOptions::default();
    let report = bench.restore_with(&RestoreTarget::LastRun, &options);
    assert_eq!(pids(&report.results[0].holders), [MAIN]);
}

#[test]
fn a_file_that_was_replaced_names_nobody() {
    let bench = with_one_in_use();
    let mut options = PatchOptions::default();
    options.change.in_use = InUse::Replace;
    let report = bench.patch_with(&bench.files.collection([X]), &options);
    assert_eq!(report.results[0].outcome, Outcome::Patched);
    assert!(report.results[0].holders.is_empty());
}

#[test]
fn a_file_that_is_left_for_another_reason_names_nobody() {
    let bench = with_one_in_use();
    bench.files.set_attribute(X, true);
    let report = bench.patch(&bench.files.collection([X]));
    assert_eq!(report.results[0].outcome, Outcome::Skipped);
    assert!(report.results[0].holders.is_empty());
}

#[test]
fn holders_are_named_in_json_and_left_out_where_there_are_none() {
    let bench = with_one_in_use();
    let report = bench.patch(&bench.files.collection([X, Y]));
    let json = serde_json::to_value(&report.results).unwrap();
    let holder = |pid| serde_json::json!({"name": "python.exe", "pid": pid});
    assert_eq!(
        json[0]["holders"],
        serde_json::json!([holder(MAIN), holder(WORKER)])
    );
    assert_eq!(json[1].get("holders"), None);
}
