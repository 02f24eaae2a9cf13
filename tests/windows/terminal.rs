//! A console under Wine: there it is a terminal of the system below, which a test gets by being
//! run once more by `script`, the program of every Linux that records terminals.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::program::not_run;
use crate::win32;

/// Set for a test that has been given a terminal.
const GIVEN: &str = "TEST_HAS_TERMINAL";
const SCRIPT: &str = r"Z:\usr\bin\script";
const SHELL: &str = r"Z:\bin\sh";
/// Runs the command, and types the keys once it shows what they are to come after.
const TYPE: &str = r#"
    type() {
        until ! test -e shown || grep -qs "$TERMINAL_AFTER" shown; do sleep 0.1; done
        printf "$TERMINAL_KEYS"
    }
    type |
    script -qc "$TERMINAL_COMMAND" /dev/null > shown
"#;
/// Comes before the exit code, after all that the terminal shows.
const ENDED: &str = "ended with ";

/// Runs a test by itself on a terminal, where that takes Wine's help; false where the test is to go
/// on, since it has a console or Windows gives it one.
pub(crate) fn takes_over(test: &str) -> bool {
    if !win32::is_wine() || std::env::var_os(GIVEN).is_some() {
        return false;
    }
    let program = std::env::current_exe().unwrap();
    let arguments = ["--exact", "--nocapture", test].map(OsStr::new);
    if let Some(shown) = run(&program, &arguments, None) {
        assert!(shown.contains("1 passed"), "{shown}");
    }
    true
}

/// Runs a program on a terminal of its own, and tells what it showed; once that has the first
/// text, the second one is typed. Nothing where there is no terminal to be had.
pub(crate) fn run(
    program: &Path,
    arguments: &[&OsStr],
    keys: Option<(&str, &str)>,
) -> Option<String> {
    if !win32::is_wine() {
        not_run("a terminal of its own is made under Wine alone");
        return None;
    }
    if !Path::new(SCRIPT).exists() {
        not_run("there is no `script`, which makes terminals");
        return None;
    }
    let words = [program.as_os_str()]
        .into_iter()
        .chain(arguments.iter().copied());
    let quoted: Vec<String> = words
        .map(|word| format!("'{}'", word.to_str().unwrap().replace('\'', r"'\''")))
        .collect();
    let command = format!("wine {}; echo \"{ENDED}$?\"", quoted.join(" "));
    // Wine hands a program of the system below no pipes, and never tells that it has ended.
    let folder = tempfile::tempdir().unwrap();
    let shown = folder.path().join("shown");
    fs_err::write(&shown, "").unwrap();
    let (after, keys) = keys.unwrap_or((ENDED, ""));
    let mut shell = Command::new(SHELL)
        .args(["-c", TYPE])
        .current_dir(folder.path())
        .env(GIVEN, "1")
        .env("TERMINAL_COMMAND", command)
        .env("TERMINAL_AFTER", format!("{after}\\|{ENDED}"))
        .env("TERMINAL_KEYS", keys)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // Whether this waits is up to Wine; what counts is what is shown.
    let _ = shell.wait();
    loop {
        let text = String::from_utf8_lossy(&fs_err::read(&shown).unwrap()).into_owned();
        if let Some((text, code)) = text.rsplit_once(ENDED)
            && code.ends_with('\n')
        {
            assert_eq!(code.trim(), "0", "{text}");
            return Some(text.to_owned());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}
