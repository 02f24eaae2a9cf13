//! What a task says while it works.

use std::fmt::Display;
use std::io::{self, Write as _};

/// Prints one line. A closed pipe is no reason to stop a task that cleans up after itself.
pub(crate) fn say(line: impl Display) {
    let _ = writeln!(io::stdout(), "{line}");
}

/// Prints one line to standard error.
pub(crate) fn complain(line: impl Display) {
    let _ = writeln!(io::stderr(), "error: {line}");
}
