//! The console: keys that end a run, a window of one's own, and what a pipe carries.

use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::windows::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use fixnvpe_tests::fixtures;
use serde_json::Value;
use windows_sys::Win32::System::Threading::{CREATE_NEW_PROCESS_GROUP, DETACHED_PROCESS};

use crate::program::{Program, not_run};
use crate::terminal;
use crate::win32::{self, Console};

const WRITABLE: &str = "relocated.dll";

#[test]
fn ctrl_break_finishes_the_files_in_flight_and_the_rest_can_be_done_later() {
    const NAME: &str =
        "console::ctrl_break_finishes_the_files_in_flight_and_the_rest_can_be_done_later";
    if terminal::takes_over(NAME) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let fixture = fixtures::named(WRITABLE);
    for index in 0..200 {
        let below = folder.path().join(index.to_string());
        fs_err::create_dir(&below).unwrap();
        fixture.write_into(&below).unwrap();
    }
    let program = Program::new();
    let mut child = program
        .command()
        .arg("patch")
        .arg(folder.path())
        .args(["--jsonl", "--threads", "1"])
        // A group of its own, so that the key is for it alone.
        .creation_flags(CREATE_NEW_PROCESS_GROUP)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut events = lines.map(|line| serde_json::from_str::<Value>(&line.unwrap()).unwrap());
    // The first result proves that the run is in its work. The rest does not fit into the pipe,
    // so that it stays there until it is read.
    assert!(events.by_ref().any(|event| event["event"] == "result"));
    let sent = win32::press_break(child.id());
    let last = events.last().unwrap();
    let code = child.wait().unwrap().code();
    if !sent {
        return not_run("there is no console to press Ctrl-Break in");
    }
    assert_eq!(code, Some(130), "{last}");
    assert_eq!(last["event"], "end");
    assert_eq!(last["complete"], false);
    let again = program.run("patch", folder.path(), &[]);
    assert_eq!(again.code, 0, "{}", again.document["failures"]);
}

/// Names the folder to the process that shows it on a console.
const SHOWN: &str = "CONSOLE_FOLDER";
/// Comes before what that process says, after whatever the test harness writes.
const ANSWER: &str = "console: ";

/// Shows the folder on the console of this process, with a code page of old.
fn show(folder: &str) {
    let say = |answer: &str| {
        let mut output = std::io::stdout().lock();
        writeln!(output, "{ANSWER}{answer}").unwrap();
    };
    for code_page in [437, 936] {
        let Some(console) = Console::with_code_page(code_page) else {
            return say("none");
        };
        let program = Program::new();
        let status = program
            .command()
            .args(["scan", folder])
            .stdin(console.input())
            .stdout(console.output())
            .stderr(console.output())
            .status()
            .unwrap();
        say(&format!("{code_page} {status} {:?}", console.text()));
    }
}

/// Where the variable names a folder, this is the process that shows it.
#[test]
fn a_console_of_any_code_page_shows_chinese_paths() {
    const NAME: &str = "console::a_console_of_any_code_page_shows_chinese_paths";
    if let Ok(folder) = std::env::var(SHOWN) {
        return show(&folder);
    }
    if terminal::takes_over(NAME) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let below = folder.path().join("张三 的 环境");
    fs_err::create_dir(&below).unwrap();
    fixtures::named(WRITABLE).write_into(&below).unwrap();
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", NAME])
        .env(SHOWN, &below)
        // Without a console, to make one of its own; under Wine it has the terminal.
        .creation_flags(if win32::is_wine() {
            0
        } else {
            DETACHED_PROCESS
        })
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let answers: Vec<&str> = text
        .lines()
        .filter_map(|line| Some(line.split_once(ANSWER)?.1))
        .collect();
    if answers == ["none"] {
        return not_run("there is no console to show anything on");
    }
    assert_eq!(answers.len(), 2, "{output:?}");
    for answer in answers {
        assert!(answer.contains("张三 的 环境"), "{answer}");
        assert!(answer.contains(WRITABLE), "{answer}");
    }
}

#[test]
fn the_window_of_a_double_click_stays_until_enter_is_pressed() {
    let program = Path::new(env!("CARGO_BIN_EXE_fixnvpe"));
    let Some(shown) = terminal::run(program, &[], Some(("Press Enter", r"\r"))) else {
        return;
    };
    assert!(shown.contains("fixnvpe doctor"), "{shown}");
    assert!(shown.contains("Press Enter"), "{shown}");
    let shown = terminal::run(program, &["--version".as_ref()], None).unwrap();
    assert!(!shown.contains("Press Enter"), "{shown}");
}

#[test]
fn a_pipe_carries_utf8_without_colours_and_json_is_ascii() {
    let folder = tempfile::tempdir().unwrap();
    let below = folder.path().join("张三");
    fs_err::create_dir(&below).unwrap();
    fixtures::named(WRITABLE).write_into(&below).unwrap();
    let program = Program::new();
    for language in ["zh", "en"] {
        let arguments = ["--lang", language, "scan"].map(OsStr::new);
        let arguments = arguments.into_iter().chain([below.as_os_str()]);
        let output = program.text(arguments.clone());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(text.contains(r"张三\"), "{text}");
        assert!(!text.contains('\x1b'), "{text:?}");
        let output = program.output(arguments);
        assert!(output.stdout.is_ascii());
    }
}
