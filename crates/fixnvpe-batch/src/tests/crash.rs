//! The machine stops at every operation of a job in turn, and loses, keeps or
//! tears what was never synced. Whatever is left, the next run makes whole.

use super::bench::{Bench, image, patched};
use super::scenario::{SCENARIOS, Scenario};
use crate::double::{Fault, MemoryDisk, Unsynced};
use crate::report::Outcome;

/// What becomes of unsynced bytes: other ones are torn at each operation.
fn fates(stop: u64) -> [Unsynced; 5] {
    [
        Unsynced::Lost,
        Unsynced::Kept,
        Unsynced::Torn(3 * stop),
        Unsynced::Torn(3 * stop + 1),
        Unsynced::Torn(3 * stop + 2),
    ]
}

/// Runs a job to its end once, then crashes it at every operation. `then` is
/// what is tried after each crash.
fn at_every_operation(
    scenario: &Scenario,
    prepare: impl Fn(&Bench<MemoryDisk>),
    job: impl Fn(&Bench<MemoryDisk>),
    then: impl Fn(&Bench<MemoryDisk>, &str),
) {
    let bench = scenario.bench();
    prepare(&bench);
    bench.files.break_at(Fault::None);
    job(&bench);
    let operations = bench.files.operations();
    assert!(
        operations > 10,
        "{}: {operations} operations",
        scenario.name
    );
    for stop in 1..=operations {
        for unsynced in fates(stop) {
            let at = format!("{}, operation {stop}, {unsynced:?}", scenario.name);
            let bench = scenario.bench();
            prepare(&bench);
            bench.files.break_at(Fault::Crash(stop));
            job(&bench);
            assert!(bench.files.has_crashed(), "{at}");
            bench.files.reboot(unsynced);
            scenario.check_safe(&bench.files, &at);
            then(&bench, &at);
        }
    }
}

#[test]
fn a_patch_that_crashes_anywhere_can_be_run_again() {
    for scenario in &SCENARIOS {
        at_every_operation(
            scenario,
            |_| {},
            |bench| drop(scenario.patch(bench)),
            |bench, at| {
                // A name that is missing until the first run settles is only
                // found by the second.
                scenario.patch(bench).unwrap();
                let outcomes = scenario.patch(bench).unwrap();
                let done = [Outcome::Patched, Outcome::Already];
                assert!(
                    outcomes.iter().all(|outcome| done.contains(outcome)),
                    "{at}: {outcomes:?}"
                );
                scenario.check_whole(&bench.files, &patched(&image()), at);
                scenario.restore(bench).unwrap();
                scenario.check_whole(&bench.files, &image(), at);
            },
        );
    }
}

#[test]
fn a_patch_that_crashes_anywhere_can_be_undone() {
    for scenario in &SCENARIOS {
        at_every_operation(
            scenario,
            |_| {},
            |bench| drop(scenario.patch(bench)),
            |bench, at| {
                scenario.restore(bench).unwrap();
                scenario.check_whole(&bench.files, &image(), at);
            },
        );
    }
}

#[test]
fn a_restore_that_crashes_anywhere_can_be_run_again() {
    for scenario in &SCENARIOS {
        at_every_operation(
            scenario,
            |bench| {
                scenario.patch(bench).unwrap();
                bench.files.unmap_all();
                scenario.map(bench);
            },
            |bench| drop(scenario.restore(bench)),
            |bench, at| {
                scenario.restore(bench).unwrap();
                scenario.check_whole(&bench.files, &image(), at);
            },
        );
    }
}

#[test]
fn a_restore_that_crashes_anywhere_can_be_patched_again() {
    for scenario in &SCENARIOS {
        at_every_operation(
            scenario,
            |bench| {
                scenario.patch(bench).unwrap();
                bench.files.unmap_all();
            },
            |bench| drop(scenario.restore(bench)),
            |bench, at| {
                scenario.patch(bench).unwrap();
                scenario.patch(bench).unwrap();
                scenario.check_whole(&bench.files, &patched(&image()), at);
            },
        );
    }
}

/// The machine stops again while the next run settles.
#[test]
fn a_crash_while_an_earlier_one_is_settled_can_be_settled_too() {
    for scenario in &SCENARIOS {
        let bench = scenario.bench();
        bench.files.break_at(Fault::None);
        drop(scenario.patch(&bench));
        for first in 1..=bench.files.operations() {
            let crashed = || {
                let bench = scenario.bench();
                bench.files.break_at(Fault::Crash(first));
                drop(scenario.patch(&bench));
                bench.files.reboot(Unsynced::Torn(first));
                bench
            };
            let whole = crashed();
            whole.files.break_at(Fault::None);
            scenario.restore(&whole).unwrap();
            // Not every one: the pairs are many, and the first crash moves which
            // ones that are.
            for second in (1 + first % 5..=whole.files.operations()).step_by(5) {
                let at = format!("{}, {first} then {second}", scenario.name);
                let bench = crashed();
                bench.files.break_at(Fault::Crash(second));
                drop(scenario.restore(&bench));
                bench.files.reboot(Unsynced::Torn(second));
                scenario.check_safe(&bench.files, &at);
                scenario.restore(&bench).unwrap();
                scenario.check_whole(&bench.files, &image(), &at);
            }
        }
    }
}
