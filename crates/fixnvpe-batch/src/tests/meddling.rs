//! Another program does something to a file at every moment of a job. What it
//! did is not lost, but for the moment between the last look and the write that
//! no file system closes; the tests count how many operations that is.

use super::bench::{Bench, image, other_release, patched};
use super::scenario::{SCENARIOS, Scenario};
use crate::double::{Fault, Meddling, MemoryDisk};

const X: &str = "/a/x.dll";
const LATE: &str = "/late/x.dll";

/// Scenarios without a policy that lets the file be changed under others.
fn scenarios() -> impl Iterator<Item = &'static Scenario> {
    SCENARIOS.iter().filter(|scenario| !scenario.in_use)
}

/// Patches with the meddling before each operation in turn, and counts how
/// often what was meddled with was lost.
fn lost(
    scenario: &Scenario,
    meddling: Meddling,
    is_lost: impl Fn(&MemoryDisk) -> bool,
) -> Vec<u64> {
    let run = |fault| {
        let bench = scenario.bench();
        let files = bench.files.collection(scenario.names());
        bench.files.break_at(fault);
        let report = bench.try_patch(&files, &scenario.options());
        let operations = bench.files.operations();
        bench.files.break_at(Fault::None);
        assert!(report.is_ok());
        (bench, operations)
    };
    let (_, operations) = run(Fault::None);
    (1..=operations)
        .filter(|&at| {
            let (bench, _) = run(Fault::Meanwhile(at, meddling));
            check_nothing_of_ours(&bench);
            is_lost(&bench.files)
        })
        .collect()
}

fn check_nothing_of_ours(bench: &Bench<MemoryDisk>) {
    for name in bench.files.names() {
        assert!(!name.contains(".fixnvpe-"), "{name}");
    }
}

#[test]
fn a_file_that_takes_the_name_meanwhile_stays() {
    let other: &'static [u8] = Vec::leak(other_release());
    for scenario in scenarios() {
        let lost = lost(scenario, Meddling::Replace(other), |disk| {
            disk.get(X).as_deref() != Some(other)
        });
        // The rename itself.
        assert!(lost.len() <= 1, "{}: {lost:?}", scenario.name);
    }
}

#[test]
fn bytes_that_are_written_meanwhile_stay() {
    let end = image().len() - 1;
    let changed = !image()[end];
    for scenario in scenarios() {
        let lost = lost(scenario, Meddling::Write, |disk| {
            // Nobody can write to a file whose name is missing.
            disk.meddled_with().is_some() && disk.get(X).unwrap()[end] != changed
        });
        // As above, and nothing at all where the file itself is edited.
        assert!(lost.len() <= 1, "{}: {lost:?}", scenario.name);
    }
}

#[test]
fn a_link_that_is_made_meanwhile_keeps_the_original() {
    let (original, patched) = (image(), patched(&image()));
    for scenario in scenarios() {
        let lost = lost(scenario, Meddling::Link, |disk| {
            // A file that was patched already is linked as it is.
            let linked = disk.meddled_with();
            linked.as_ref() == Some(&original) && disk.get(LATE).as_ref() == Some(&patched)
        });
        // In place: the last look at the header, and the write.
        assert!(lost.len() <= 4, "{}: {lost:?}", scenario.name);
        assert!(
            scenario.outside.is_empty() || lost.is_empty(),
            "{}",
            scenario.name
        );
    }
}
