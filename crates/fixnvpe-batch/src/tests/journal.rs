//! The journal, whatever has become of it.

use std::io::ErrorKind;

use fixnvpe_files::Exposure;
use serde_json::{Value, json};

use super::bench::{Bench, STATE, X, image, patched, with_x};
use crate::double::{Fault, MemoryDisk};
use crate::error::Error;
use crate::journal::{HistoryState, history};
use crate::options::PatchOptions;
use crate::report::{Outcome, SkipReason};
use crate::restore::RestoreTarget;
use crate::scan::ScanOptions;

const JOURNAL: &str = "/state/journal.jsonl";

fn patched_x() -> Bench<MemoryDisk> {
    let bench = Bench::in_memory();
    bench.files.put(X, &image());
    bench.patch(&bench.files.collection([X]));
    bench
}

fn lines(bench: &Bench<MemoryDisk>) -> Vec<Value> {
    let journal = bench.files.get(JOURNAL).unwrap();
    let text = String::from_utf8(journal).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn a_run_is_four_lines_of_a_known_version() {
    let lines = lines(&patched_x());
    let records: Vec<_> = lines.iter().map(|line| line["record"].clone()).collect();
    assert_eq!(records, ["run", "planned", "closed", "end"]);
    assert!(lines.iter().all(|line| line["v"] == 1));
    let planned = &lines[1];
    assert_eq!(planned["names"], json!([X]));
    assert_eq!(planned["method"], "in_place");
    assert_eq!(planned["identity"]["len"], image().len());
    assert_eq!(planned["edits"].as_array().unwrap().len(), 2);
    assert_eq!(lines[2]["state"], "new");
    assert_eq!(lines[3]["complete"], true);
}

/// Wherever the last line is cut, the file is settled from its bytes, and the
/// journal goes on behind the torn line.
#[test]
fn a_journal_torn_at_any_byte_of_its_last_line_goes_on() {
    let whole = patched_x();
    let journal = whole.files.get(JOURNAL).unwrap();
    let ends: Vec<usize> = (0..journal.len())
        .filter(|&at| journal[at] == b'\n')
        .map(|at| at + 1)
        .collect();
    // The end of the run, the end of the change, and the change itself.
    for pair in ends.windows(2) {
        for cut in pair[0]..pair[1] {
            let bench = Bench::in_memory();
            let planned_is_whole = cut >= ends[1] - 1;
            let bytes = if planned_is_whole {
                patched(&image())
            } else {
                image()
            };
            bench.files.put(X, &bytes);
            bench.files.put(JOURNAL, &journal[..cut]);
            let torn = u64::from(cut > pair[0] && cut < pair[1] - 1);
            assert_eq!(bench.view().bad_lines().len() as u64, torn, "cut at {cut}");

            let files = bench.files.collection([X]);
            let report = bench.patch(&files);
            assert_eq!(report.failures, [], "cut at {cut}");
            assert_eq!(report.results.len(), 1);
            assert_eq!(bench.files.get(X), Some(patched(&image())), "cut at {cut}");
            assert_eq!(bench.view().bad_lines().len() as u64, torn, "cut at {cut}");
            assert_eq!(bench.view().unsettled().count(), 0, "cut at {cut}");

            bench.restore(&RestoreTarget::Everything);
            assert_eq!(bench.files.get(X), Some(image()), "cut at {cut}");
        }
    }
}

#[test]
fn garbage_in_the_middle_is_kept_reported_and_harmless() {
    let bench = patched_x();
    let journal = bench.files.get(JOURNAL).unwrap();
    let garbage: [&[u8]; 7] = [
        b"not json\n",
        b"\xff\xfe\x00\x00\n",
        b"{}\n",
        b"[1, 2]\n",
        br#"{"v":1,"record":"planned","run":"../..","entry":0}"#,
        b"\n\n",
        br#"{"v":1,"record":"something newer"}"#,
    ];
    let mut mixed = Vec::new();
    for (index, line) in journal.split_inclusive(|&byte| byte == b'\n').enumerate() {
        mixed.extend_from_slice(garbage[index % 4]);
        mixed.extend_from_slice(line);
    }
    for line in &garbage[4..] {
        mixed.extend_from_slice(line);
        mixed.push(b'\n');
    }
    bench.files.put(JOURNAL, &mixed);
    let view = bench.view();
    assert_eq!(view.bad_lines().len(), 6);
    assert_eq!(view.bad_lines()[0].line, 1);
    let files = bench.files.collection([X]);
    let scan = crate::scan(
        &files,
        &ScanOptions::default(),
        Some(&view),
        &bench.context(),
    );
    assert!(scan.failures.is_empty());
    assert_eq!(scan.skipped.len(), 1);
    assert_eq!(scan.skipped[0].reason, SkipReason::BadRecord);
    assert!(scan.images[0].patched_in.is_some());

    let report = bench.restore(&RestoreTarget::LastRun);
    assert_eq!(report.results[0].outcome, Outcome::Restored);
    assert_eq!(bench.files.get(X), Some(image()));
    let after = bench.files.get(JOURNAL).unwrap();
    assert!(after.starts_with(&mixed));
}

#[test]
fn lines_of_a_newer_version_are_kept_and_not_used() {
    let bench = patched_x();
    let journal = String::from_utf8(bench.files.get(JOURNAL).unwrap()).unwrap();
    let newer = journal.replace(r#""v":1"#, r#""v":2"#);
    bench.files.put(JOURNAL, newer.as_bytes());
    let view = bench.view();
    assert_eq!(view.bad_lines().len(), 4);
    assert!(view.bad_lines()[0].what.contains("version 2"));
    assert!(history(&view).is_empty());
    assert!(bench.restore(&RestoreTarget::Everything).results.is_empty());
    assert_eq!(bench.files.get(X), Some(patched(&image())));
}

#[test]
fn members_that_a_later_program_adds_are_ignored() {
    let bench = patched_x();
    let journal = String::from_utf8(bench.files.get(JOURNAL).unwrap()).unwrap();
    let later = journal.replace(r#""v":1"#, r#""v":1,"colour":"green""#);
    bench.files.put(JOURNAL, later.as_bytes());
    assert!(bench.view().bad_lines().is_empty());
    bench.restore(&RestoreTarget::LastRun);
    assert_eq!(bench.files.get(X), Some(image()));
}

#[test]
fn a_line_without_an_end_is_not_kept_in_memory() {
    let bench = patched_x();
    let mut journal = vec![b'x'; 9 << 20];
    journal.push(b'\n');
    journal.extend(bench.files.get(JOURNAL).unwrap());
    bench.files.put(JOURNAL, &journal);
    let view = bench.view();
    assert_eq!(view.bad_lines().len(), 1);
    assert!(view.bad_lines()[0].what.contains("longer"));
    assert_eq!(history(&view).len(), 1);
}

#[test]
fn the_record_is_durable_before_the_first_byte_changes() {
    let bench = Bench::in_memory();
    bench.files.put(X, &image());
    bench.files.break_at(Fault::None);
    bench.patch(&bench.files.collection([X]));
    for stop in 1..=bench.files.operations() {
        let bench = Bench::in_memory();
        bench.files.put(X, &image());
        bench.files.break_at(Fault::Crash(stop));
        let files = bench.files.collection([X]);
        let _ = bench.try_patch(&files, &PatchOptions::default());
        // What was written to the file is there, the journal's tail is lost.
        let changed = bench.files.get(X) != Some(image());
        bench.files.reboot(crate::double::Unsynced::Lost);
        if changed {
            let records = lines(&bench);
            assert!(
                records.iter().any(|line| line["record"] == "planned"),
                "{stop}"
            );
        }
    }
}

#[test]
fn history_tells_each_run_with_its_files() {
    let bench = patched_x();
    bench.files.put("/a/y.dll", &image());
    bench.patch(&bench.files.collection(["/a/y.dll"]));
    bench.restore(&RestoreTarget::LastRun);
    let runs = history(&bench.view());
    let told: Vec<_> = runs
        .iter()
        .map(|run| {
            (
                run.files.len(),
                run.changed,
                run.standing,
                run.files[0].state,
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            (1, 1, 1, HistoryState::Done),
            (1, 1, 0, HistoryState::Restored),
            (1, 1, 1, HistoryState::Done),
        ]
    );
    assert!(
        runs.iter()
            .all(|run| run.user == "li" && run.complete == Some(true))
    );
    let json = serde_json::to_value(&runs).unwrap();
    assert_eq!(json[0]["action"], "patch");
    assert_eq!(json[2]["files"][0]["state"], "done");
}

#[test]
fn a_journal_that_cannot_be_written_leaves_the_file_alone() {
    let bench = patched_x();
    bench.restore(&RestoreTarget::LastRun);
    bench.files.break_at(Fault::None);
    bench.patch(&bench.files.collection([X]));
    let operations = bench.files.operations();
    bench.restore(&RestoreTarget::LastRun);
    let mut left = 0;
    for at in 1..=operations {
        bench
            .files
            .break_at(Fault::Error(at, ErrorKind::StorageFull));
        let files = bench.files.collection([X]);
        let report = bench.try_patch(&files, &PatchOptions::default());
        bench.files.break_at(Fault::None);
        if report.is_ok_and(|report| report.results.iter().any(|one| one.retryable)) {
            left += 1;
            assert_eq!(bench.files.get(X), Some(image()));
        }
        bench.restore(&RestoreTarget::Everything);
        assert_eq!(bench.files.get(X), Some(image()));
    }
    assert!(left > 3, "{left}");
    assert!(
        bench
            .files
            .names()
            .iter()
            .all(|name| !name.contains(".fixnvpe-"))
    );
    assert!(
        bench
            .files
            .names()
            .iter()
            .any(|name| name.starts_with(STATE))
    );
}

/// Records that ask for what no change of a file needs: to remove or rename
/// other files, or to write other bytes.
#[test]
fn a_record_that_asks_for_anything_else_is_not_understood() {
    let bench = patched_x();
    let good = lines(&bench)[1].clone();
    let with = |member: &str, value: Value| {
        let mut record = good.clone();
        record[member] = value;
        record
    };
    let forged = [
        with("names", json!([])),
        with("names", json!(["x.dll"])),
        with("temporary", json!(["/a/precious"])),
        with("temporary", json!(["/b/.fixnvpe-x.new"])),
        with("aside", json!(["/b/.fixnvpe-x.old"])),
        with("aside", json!(["/a/.fixnvpe-1.old", "/a/.fixnvpe-2.old"])),
        with("backup", json!(["/b/precious_bak"])),
        with("edits", json!([])),
        with(
            "edits",
            json!([{"offset": u64::MAX, "old": "00", "new": "01", "field": "check_sum"}]),
        ),
        json!({"v": 1, "record": "closed", "run": good["run"], "entry": 0, "at": "",
               "state": "new", "leftover": ["/b/precious"]}),
    ];
    for record in forged {
        let bench = Bench::in_memory();
        bench.files.put(JOURNAL, format!("{record}\n").as_bytes());
        assert_eq!(bench.view().bad_lines().len(), 1, "{record}");
        assert_eq!(bench.view().unsettled().count(), 0, "{record}");
    }
}

/// A record that fits the file and reads half done, but not in the fields of a
/// patch, settles nothing.
#[test]
fn settling_writes_nothing_but_the_fields_of_a_patch() {
    let bench = patched_x();
    let mut record = lines(&bench)[1].clone();
    let now = bench.files.get(X).unwrap();
    let len = usize::try_from(record["identity"]["header_len"].as_u64().unwrap()).unwrap();
    let mut before = now[..len].to_vec();
    before[8] ^= 0xFF;
    let hex = |byte: u8| format!("{byte:02x}");
    record["edits"] = json!([
        {"offset": 8, "old": hex(before[8]), "new": hex(now[8]), "field": "check_sum"},
        {"offset": 12, "old": hex(now[12]), "new": hex(now[12] ^ 1), "field": "check_sum"},
    ]);
    let sum = crate::journal::Identity::of(0, &before).header_sha256;
    record["identity"]["header_sha256"] = serde_json::to_value(sum).unwrap();
    bench.files.put(JOURNAL, format!("{record}\n").as_bytes());
    assert_eq!(bench.view().unsettled().count(), 1);
    bench.patch(&bench.files.collection([X]));
    assert_eq!(bench.files.get(X), Some(now));
    assert_eq!(bench.view().unsettled().count(), 0);
}

#[test]
fn an_administrators_journal_is_not_written_where_others_may_write() {
    for (protected, exposure, patches) in [
        (true, Some(Exposure::Writable), false),
        (true, None, true),
        // A folder that was asked for is whoever's it is.
        (false, Some(Exposure::Writable), true),
    ] {
        let mut bench = with_x();
        bench.state = bench.state.clone().protected(protected);
        if let Some(exposure) = exposure {
            bench.files.expose_folders(exposure);
        }
        let files = bench.files.collection([X]);
        let patched = bench.try_patch(&files, &PatchOptions::default());
        assert_eq!(patched.is_ok(), patches, "{patched:?}");
        if let Err(error) = patched {
            let Error::ExposedStateFolder { exposure, .. } = &error else {
                panic!("{error}");
            };
            assert_eq!(*exposure, Exposure::Writable);
            assert_eq!(bench.files.get(X), Some(image()));
            assert_eq!(bench.files.names(), [X]);
        }
    }
}
