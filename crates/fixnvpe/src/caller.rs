//! Who started the program, where, and on what: the one place that asks the
//! environment.

use std::env;
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::PathBuf;

use crate::arguments::Color;
use crate::redact::Redactor;
use crate::system;
use crate::window::Start;

/// The caller of this run.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    /// The machine's name.
    pub(crate) host: String,
    /// The user's name.
    pub(crate) user: String,
    /// Whether with an administrator's rights.
    pub(crate) elevated: bool,
    /// The user's home.
    pub(crate) home: Option<PathBuf>,
    /// The current folder.
    pub(crate) folder: Option<PathBuf>,
}

impl Caller {
    /// This process.
    pub(crate) fn this() -> Self {
        let variable = |name: &str| variable(name).filter(|value| !value.is_empty());
        let user = ["USERNAME", "USER", "LOGNAME"]
            .into_iter()
            .find_map(variable);
        Self {
            host: gethostname::gethostname().to_string_lossy().into_owned(),
            user: user.unwrap_or_default().to_string_lossy().into_owned(),
            elevated: fixnvpe_files::is_elevated(),
            home: variable(if cfg!(windows) { "USERPROFILE" } else { "HOME" }).map(PathBuf::from),
            folder: env::current_dir().ok(),
        }
    }

    /// What takes this caller's names out of a text.
    pub(crate) fn redactor(&self) -> Redactor {
        Redactor::new(self.home.as_deref(), &self.user)
    }
}

/// This program, to be started once more.
///
/// # Errors
///
/// The system's.
pub(crate) fn own_program() -> io::Result<PathBuf> {
    env::current_exe()
}

/// A variable of the environment.
pub(crate) fn variable(name: &str) -> Option<OsString> {
    env::var_os(name)
}

/// All variables of the environment.
pub(crate) fn variables() -> impl Iterator<Item = (OsString, OsString)> {
    env::vars_os()
}

/// The user's locales, preferred first.
pub(crate) fn locales() -> impl Iterator<Item = String> {
    sys_locale::get_locales()
}

/// Whether progress can be shown.
pub(crate) fn stderr_is_terminal() -> bool {
    io::stderr().is_terminal()
}

/// Whether someone types what is read.
pub(crate) fn stdin_is_terminal() -> bool {
    io::stdin().is_terminal()
}

/// Whether someone sees the result.
pub(crate) fn stdout_is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// How the program was started.
pub(crate) fn start(arguments: usize) -> Start {
    Start {
        arguments,
        console_processes: system::console_processes(),
        is_interactive: stdin_is_terminal() && stdout_is_terminal(),
    }
}

/// How the two streams take colours.
pub(crate) fn choose_color(asked: Color) {
    let choice = match asked {
        Color::Auto => anstream::ColorChoice::Auto,
        Color::Always => anstream::ColorChoice::Always,
        Color::Never => anstream::ColorChoice::Never,
    };
    choice.write_global();
}

/// How many columns a table on standard output may take: those of the
/// terminal, but at least 40; 80 anywhere else, so that what is sent to
/// someone looks the same for everyone.
pub(crate) fn columns() -> usize {
    let terminal = io::stdout()
        .is_terminal()
        .then(console::Term::stdout)
        .and_then(|terminal| terminal.size_checked());
    terminal.map_or(80, |(_, columns)| usize::from(columns).max(40))
}
