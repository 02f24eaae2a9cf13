//! A library that a process holds.

use serde_json::{Value, json};

use fs_err::os::windows::fs::OpenOptionsExt as _;
use windows_sys::Win32::Storage::FileSystem::FILE_SHARE_READ;

use fixnvpe_tests::fixtures;

use crate::probe::{Load, Probe};
use crate::program::{Program, not_run};
use crate::win32::{self, PAGE_READONLY, PAGE_WRITECOPY};

const WRITABLE: &str = "relocated.dll";

#[test]
fn a_library_that_a_process_holds_is_left_as_it_is_and_can_be_patched_later() {
    let folder = tempfile::tempdir().unwrap();
    fixtures::named(WRITABLE).write_into(folder.path()).unwrap();
    let library = folder.path().join(WRITABLE);
    let original = fs_err::read(&library).unwrap();
    let program = Program::new();

    let mut holder = Probe::start(&library, Load::Started).unwrap();
    let ended = program.run("patch", &library, &[]);
    assert_eq!(ended.code, 4, "{}", ended.document);
    assert_eq!(ended.result()["reason"], "in_use");
    assert_eq!(ended.result()["retryable"], true);
    check_holder(ended.result(), holder.id());
    assert!(fs_err::read(&library).unwrap() == original);
    let left: Vec<_> = fs_err::read_dir(folder.path()).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
    assert_eq!(holder.protection(), PAGE_WRITECOPY);
    drop(holder);

    let ended = program.run("patch", &library, &[]);
    assert_eq!(ended.code, 0, "{}", ended.document);
    let mut probe = Probe::start(&library, Load::Started).unwrap();
    assert_eq!(probe.protection(), PAGE_READONLY);
}

/// Windows names the process; Wine's list is empty, and the result says nothing.
fn check_holder(result: &Value, id: u32) {
    if win32::is_wine() {
        assert_eq!(result.get("holders"), None);
        return not_run("Wine's Restart Manager does not tell who holds a file");
    }
    let program = std::env::current_exe().unwrap();
    let name = program.file_name().unwrap().to_str().unwrap();
    assert_eq!(result["holders"], json!([{"name": name, "pid": id}]));
}

#[test]
fn a_library_that_is_held_for_a_moment_is_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    fixtures::named(WRITABLE).write_into(folder.path()).unwrap();
    let library = folder.path().join(WRITABLE);
    let program = Program::new();
    for (command, outcome) in [("patch", "patched"), ("restore", "restored")] {
        // As a virus scanner does: it reads, lets others read, and lets go.
        let mut reader = fs_err::OpenOptions::new();
        let reader = reader.read(true).share_mode(FILE_SHARE_READ);
        let mut held = Some(reader.open(&library).unwrap());
        let ended = program.watched(command, &library, |line| {
            if line.contains("trying again") {
                held.take();
            }
        });
        assert!(held.is_none(), "{command} did not wait");
        assert_eq!(ended.code, 0, "{}", ended.document);
        assert_eq!(ended.result()["outcome"], outcome);
        assert_eq!(ended.result()["method"], "in_place");
    }
}
