//! Started by a double-click: the window is the program's own and closes with
//! it, so it stays until someone has read what is in it.

use std::io::Write;

use crate::catalogue::Catalogue;
use crate::message;

/// How the program was started.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start {
    /// How many arguments were typed.
    pub(crate) arguments: usize,
    /// How many processes share the console; none where the system does not
    /// tell, or there is no console.
    pub(crate) console_processes: Option<u32>,
    /// Whether someone sees the output and can type.
    pub(crate) is_interactive: bool,
}

impl Start {
    /// Whether the window goes when the program ends. A shell would be another
    /// process of the console, and keeps it open.
    pub(crate) fn owns_its_window(self) -> bool {
        self.arguments == 0 && self.is_interactive && self.console_processes == Some(1)
    }
}

/// Waits until someone presses Enter.
pub(crate) fn keep_open(catalogue: &Catalogue) {
    let text = catalogue.text(&message!("press-enter"));
    // Where nobody reads or types, there is nobody to wait for.
    if writeln!(anstream::stdout(), "\n{text}").is_ok() {
        let _ = std::io::stdin().read_line(&mut String::new());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A double-click.
    const CLICKED: Start = Start {
        arguments: 0,
        console_processes: Some(1),
        is_interactive: true,
    };

    #[test]
    fn the_window_of_a_double_click_stays_open() {
        assert!(CLICKED.owns_its_window());
    }

    #[test]
    fn a_shell_keeps_its_window_open_by_itself() {
        for console_processes in [None, Some(0), Some(2), Some(7)] {
            let start = Start {
                console_processes,
                ..CLICKED
            };
            assert!(!start.owns_its_window(), "{start:?}");
        }
    }

    #[test]
    fn who_gives_arguments_or_takes_the_output_waits_for_nothing() {
        let with_arguments = Start {
            arguments: 1,
            ..CLICKED
        };
        let redirected = Start {
            is_interactive: false,
            ..CLICKED
        };
        assert!(!with_arguments.owns_its_window());
        assert!(!redirected.owns_its_window());
    }
}
