//! A changed copy that takes over the name of a file: on a real disk of Windows, with processes
//! that hold the file and with all that Windows keeps beside its bytes.

use std::ffi::OsString;
use std::os::windows::fs::{FileTimesExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use fixnvpe_tests::fixtures;
use windows_sys::Win32::Storage::FileSystem::{FILE_ATTRIBUTE_ARCHIVE, FILE_ATTRIBUTE_SPARSE_FILE};

use crate::probe::{Load, Probe};
use crate::program::{Ended, Program, not_run};
use crate::win32::{self, PAGE_READONLY, PAGE_WRITECOPY};

const FIXTURE: &str = "relocated.dll";
const IN_USE: [&str; 2] = ["--in-use", "replace"];

/// A library in a folder that is patched, and a place for another name outside of that.
#[derive(Debug)]
struct Stage {
    folder: tempfile::TempDir,
    library: PathBuf,
    program: Program,
}

impl Stage {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let site_packages = folder.path().join("site-packages");
        fs_err::create_dir(&site_packages).unwrap();
        fixtures::named(FIXTURE).write_into(&site_packages).unwrap();
        let library = site_packages.join(FIXTURE);
        Self {
            folder,
            library,
            program: Program::new(),
        }
    }

    fn with_a_name_outside() -> Self {
        let stage = Self::new();
        fs_err::hard_link(&stage.library, stage.outside()).unwrap();
        stage
    }

    fn outside(&self) -> PathBuf {
        self.folder.path().join("cache.dll")
    }

    fn patch(&self, options: &[&str]) -> Ended {
        let folder = self.library.parent().unwrap();
        let ended = self.program.run("patch", folder, options);
        assert_eq!(ended.code, 0, "{}", ended.document);
        ended
    }

    /// Patches with names outside, so that a copy takes over.
    fn replace(&self) {
        let ended = self.patch(&["--links", "auto"]);
        assert_eq!(ended.result()["outcome"], "patched");
        assert_eq!(ended.result()["method"], "replace");
    }

    /// The names beside the library.
    fn beside(&self) -> Vec<OsString> {
        let folder = self.library.parent().unwrap();
        let mut names: Vec<_> = fs_err::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        names.sort();
        names
    }
}

#[test]
fn a_library_in_use_is_replaced_for_new_processes_and_its_leftover_goes_later() {
    let stage = Stage::new();
    let mut running = Probe::start(&stage.library, Load::Started).unwrap();
    let works = running.first_bytes();

    let patched = stage.patch(&IN_USE);
    assert_eq!(patched.result()["outcome"], "patched");
    assert_eq!(stage.beside().len(), 2, "{:?}", stage.beside());
    assert_eq!(running.first_bytes(), works);
    assert_eq!(running.protection(), PAGE_WRITECOPY);
    let mut fresh = Probe::start(&stage.library, Load::Started).unwrap();
    assert_eq!(fresh.protection(), PAGE_READONLY);
    assert_eq!(fresh.first_bytes(), works);
    drop(fresh);

    // The old file is still in use: it stays, and that is no failure.
    let again = stage.patch(&IN_USE);
    assert_eq!(again.result()["outcome"], "already");
    assert_eq!(stage.beside().len(), 2, "{:?}", stage.beside());
    assert_eq!(running.first_bytes(), works);
    drop(running);

    let later = stage.patch(&[]);
    assert_eq!(later.result()["outcome"], "already");
    assert_eq!(stage.beside(), [FIXTURE]);
}

#[test]
fn names_outside_keep_the_original_bytes() {
    let stage = Stage::with_a_name_outside();
    let original = fs_err::read(&stage.library).unwrap();
    stage.replace();
    assert!(fs_err::read(stage.outside()).unwrap() == original);
    assert!(fs_err::read(&stage.library).unwrap() != original);
    assert_eq!(stage.beside(), [FIXTURE]);
}

#[test]
fn the_copy_keeps_attributes_and_the_time_of_creation() {
    let stage = Stage::with_a_name_outside();
    let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_500_000_000);
    let times = std::fs::FileTimes::new().set_created(long_ago);
    let file = fs_err::OpenOptions::new()
        .write(true)
        .open(&stage.library)
        .unwrap();
    file.file().set_times(times).unwrap();
    drop(file);
    win32::hide(&stage.library);
    let describe = |path: &Path| {
        let metadata = fs_err::metadata(path).unwrap();
        // Writing sets one of these, and copying drops the other.
        let kept =
            metadata.file_attributes() & !(FILE_ATTRIBUTE_ARCHIVE | FILE_ATTRIBUTE_SPARSE_FILE);
        (kept, metadata.creation_time())
    };
    let before = describe(&stage.library);
    stage.replace();
    let after = describe(&stage.library);
    assert_eq!(after.0, before.0);
    if win32::is_wine() {
        return not_run("Wine keeps no time of creation");
    }
    assert_eq!(after.1, before.1);
}

#[test]
fn the_copy_keeps_alternate_data_streams() {
    let stage = Stage::with_a_name_outside();
    let mut stream = stage.library.clone().into_os_string();
    stream.push(":Zone.Identifier");
    let text = "[ZoneTransfer]\r\nZoneId=3\r\n";
    if win32::is_wine() {
        return not_run("Wine has no alternate data streams");
    }
    fs_err::write(&stream, text).unwrap();
    stage.replace();
    assert_eq!(fs_err::read_to_string(&stream).unwrap(), text);
}

#[test]
fn the_copy_keeps_access_rights_that_were_set_on_the_file_itself() {
    if win32::is_wine() {
        return not_run("Wine keeps no access control lists");
    }
    let icacls = |arguments: &[&str]| {
        let stage = Stage::with_a_name_outside();
        let run = |arguments: &[&str]| {
            let output = Command::new("icacls")
                .arg(&stage.library)
                .args(arguments)
                .output()
                .unwrap();
            assert!(output.status.success(), "{output:?}");
            output.stdout
        };
        let inherited = run(&[]);
        run(arguments);
        let before = run(&[]);
        assert_ne!(before, inherited, "{arguments:?} changed nothing");
        stage.replace();
        assert_eq!(run(&[]), before, "{arguments:?}");
    };
    // Guests may read; nothing comes from the folder any more.
    icacls(&["/grant", "*S-1-5-32-546:(R)"]);
    icacls(&["/inheritance:d"]);
}
