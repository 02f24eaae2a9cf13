//! The text on the clipboard: the program that the desktop brings for it tells,
//! where there is one.

use std::io::{self, Read};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use fixnvpe_doctor::explain::decode;

use crate::caller::variable;

/// The owner of the clipboard may hang, and the program with it.
const PATIENCE: Duration = Duration::from_secs(2);
/// No error text is longer.
const LARGEST: u64 = 4 << 20;

/// The text on the clipboard; `None` where nothing tells of any.
#[expect(clippy::unnecessary_wraps, reason = "Windows has errors to tell")]
pub(crate) fn clipboard_text() -> io::Result<Option<String>> {
    let programs = programs(Desktop::this());
    let text = programs.iter().find_map(|words| said_by(words, PATIENCE));
    Ok(text)
}

/// What shows windows here.
#[derive(Clone, Copy, Debug, Default)]
struct Desktop {
    macos: bool,
    wayland: bool,
    x11: bool,
}

impl Desktop {
    fn this() -> Self {
        let is_set = |name| variable(name).is_some_and(|value| !value.is_empty());
        Self {
            macos: cfg!(target_os = "macos"),
            wayland: is_set("WAYLAND_DISPLAY"),
            x11: is_set("DISPLAY"),
        }
    }
}

/// The programs that print the clipboard, in the order in which to try them.
fn programs(desktop: Desktop) -> Vec<&'static [&'static str]> {
    let mut programs: Vec<&[&str]> = Vec::new();
    if desktop.macos {
        programs.push(&["pbpaste"]);
    }
    if desktop.wayland {
        programs.push(&["wl-paste", "--no-newline", "--type", "text"]);
    }
    if desktop.x11 {
        programs.push(&["xclip", "-selection", "clipboard", "-out"]);
        programs.push(&["xsel", "--clipboard", "--output"]);
    }
    programs
}

/// What a program prints, where it ends well.
fn said_by(words: &[&str], patience: Duration) -> Option<String> {
    let (program, arguments) = words.split_first()?;
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let output = child.stdout.take();
    let (sender, receiver) = mpsc::channel();
    let listener = thread::Builder::new().spawn(move || {
        let mut bytes = Vec::new();
        let read = output.map(|output| output.take(LARGEST).read_to_end(&mut bytes));
        // Nobody waits any more where that took too long.
        let _ = sender.send(read.is_some_and(|read| read.is_ok()).then_some(bytes));
    });
    let bytes = listener
        .ok()
        .and_then(|_| receiver.recv_timeout(patience).ok());
    if bytes.is_none() {
        // It ended by itself meanwhile, or ends now.
        let _ = child.kill();
    }
    let ended_well = child.wait().is_ok_and(|status| status.success());
    bytes.flatten().filter(|_| ended_well).map(|it| decode(&it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_desktop_decides_which_programs_are_asked() {
        let names = |macos, wayland, x11| -> Vec<&str> {
            let desktop = Desktop {
                macos,
                wayland,
                x11,
            };
            programs(desktop).iter().map(|words| words[0]).collect()
        };
        assert!(names(false, false, false).is_empty());
        assert_eq!(names(true, false, false), ["pbpaste"]);
        assert_eq!(names(false, true, true), ["wl-paste", "xclip", "xsel"]);
        assert_eq!(names(false, false, true), ["xclip", "xsel"]);
    }

    #[test]
    fn what_a_program_prints_counts_where_it_ends_well() {
        let said = |words: &[&str]| said_by(words, Duration::from_secs(60));
        assert_eq!(said(&["printf", "错误 1455"]).as_deref(), Some("错误 1455"));
        assert_eq!(said(&["sh", "-c", "echo no; exit 1"]), None);
        assert_eq!(said(&["no-such-program-anywhere"]), None);
    }

    #[test]
    fn a_program_that_hangs_is_ended() {
        assert_eq!(said_by(&["sleep", "1000000"], Duration::ZERO), None);
    }
}
