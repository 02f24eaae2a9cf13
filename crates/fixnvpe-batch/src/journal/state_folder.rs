//! Where the journal lies.

use std::ffi::OsString;
use std::path::PathBuf;

/// The values that decide where the journal lies. Nothing is read from the
/// environment here; a caller fills in what it found.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Places {
    /// The folder that the user named, if any.
    pub asked: Option<PathBuf>,
    /// `FIXNVPE_STATE_DIR`.
    pub variable: Option<OsString>,
    /// `C:\ProgramData`, on Windows, as the system names it: a variable says
    /// what whoever set it wants.
    pub program_data: Option<PathBuf>,
    /// `%LOCALAPPDATA%`, on Windows.
    pub local_app_data: Option<PathBuf>,
    /// `$XDG_STATE_HOME`.
    pub xdg_state_home: Option<PathBuf>,
    /// The user's home.
    pub home: Option<PathBuf>,
}

/// The system whose rules hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum System {
    /// Windows.
    Windows,
    /// macOS.
    MacOs,
    /// Linux and the rest.
    Unix,
}

impl System {
    /// The system that this program runs on.
    #[must_use]
    pub const fn this() -> Self {
        if cfg!(windows) {
            Self::Windows
        } else if cfg!(target_os = "macos") {
            Self::MacOs
        } else {
            Self::Unix
        }
    }
}

/// Where journals lie.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct StateFolders {
    /// The one to write to; none where no value says where.
    pub own: Option<PathBuf>,
    /// Whether that is the machine's, which administrators alone may write to.
    pub own_is_machines: bool,
    /// Others to read: the machine's, for a user; the user's, for an
    /// administrator.
    pub others: Vec<PathBuf>,
}

impl Places {
    /// Decides where the journal lies: the folder asked for, else the
    /// variable's, else the machine's when elevated, else the user's. A folder
    /// that was asked for, either way, stands alone.
    #[must_use]
    pub fn state_folders(&self, system: System, elevated: bool) -> StateFolders {
        let variable = self.variable.as_ref().filter(|value| !value.is_empty());
        let asked = self.asked.clone().or_else(|| variable.map(PathBuf::from));
        if asked.is_some() {
            return StateFolders {
                own: asked,
                own_is_machines: false,
                others: Vec::new(),
            };
        }
        let (machine, user) = (self.of_machine(system), self.of_user(system));
        let (own, other) = if elevated {
            (machine, user)
        } else {
            (user, machine)
        };
        StateFolders {
            own,
            own_is_machines: elevated,
            others: other.into_iter().collect(),
        }
    }

    fn of_machine(&self, system: System) -> Option<PathBuf> {
        match system {
            System::Windows => self.program_data.as_ref().map(|data| data.join("fixnvpe")),
            System::MacOs | System::Unix => Some(PathBuf::from("/var/lib/fixnvpe")),
        }
    }

    fn of_user(&self, system: System) -> Option<PathBuf> {
        let home = self.home.as_ref();
        match system {
            System::Windows => self
                .local_app_data
                .as_ref()
                .map(|data| data.join("fixnvpe")),
            System::MacOs => {
                home.map(|home| home.join("Library/Application Support").join("fixnvpe"))
            }
            System::Unix => {
                // The XDG base directory specification: relative values are
                // to be ignored.
                let named = self.xdg_state_home.as_ref();
                let state = named
                    .filter(|folder| folder.has_root())
                    .cloned()
                    .or_else(|| home.map(|home| home.join(".local/state")));
                state.map(|state| state.join("fixnvpe"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places() -> Places {
        Places {
            program_data: Some("C:/ProgramData".into()),
            local_app_data: Some("C:/Users/li/AppData/Local".into()),
            home: Some("/home/li".into()),
            ..Places::default()
        }
    }

    #[test]
    fn a_folder_asked_for_stands_alone() {
        let mut places = places();
        places.variable = Some("/from/variable".into());
        let folders = places.state_folders(System::Unix, true);
        assert_eq!(folders.own, Some("/from/variable".into()));
        assert!(!folders.own_is_machines);
        assert!(folders.others.is_empty());

        places.asked = Some("/asked".into());
        let folders = places.state_folders(System::Unix, false);
        assert_eq!(folders.own, Some("/asked".into()));
        assert!(folders.others.is_empty());
    }

    #[test]
    fn an_empty_variable_is_none() {
        let mut places = places();
        places.variable = Some(OsString::new());
        let folders = places.state_folders(System::Unix, false);
        assert_eq!(folders.own, Some("/home/li/.local/state/fixnvpe".into()));
    }

    #[test]
    fn administrators_write_the_machines_folder_and_read_their_own() {
        for (system, machine, user) in [
            (
                System::Windows,
                "C:/ProgramData/fixnvpe",
                "C:/Users/li/AppData/Local/fixnvpe",
            ),
            (
                System::Unix,
                "/var/lib/fixnvpe",
                "/home/li/.local/state/fixnvpe",
            ),
            (
                System::MacOs,
                "/var/lib/fixnvpe",
                "/home/li/Library/Application Support/fixnvpe",
            ),
        ] {
            let elevated = places().state_folders(system, true);
            assert_eq!(elevated.own, Some(machine.into()));
            assert!(elevated.own_is_machines);
            assert_eq!(elevated.others, [PathBuf::from(user)]);
            let plain = places().state_folders(system, false);
            assert_eq!(plain.own, Some(user.into()));
            assert!(!plain.own_is_machines);
            assert_eq!(plain.others, [PathBuf::from(machine)]);
        }
    }

    #[test]
    fn a_relative_xdg_folder_is_ignored() {
        let mut places = places();
        places.xdg_state_home = Some("state".into());
        let folders = places.state_folders(System::Unix, false);
        assert_eq!(folders.own, Some("/home/li/.local/state/fixnvpe".into()));
        places.xdg_state_home = Some("/state".into());
        let folders = places.state_folders(System::Unix, false);
        assert_eq!(folders.own, Some("/state/fixnvpe".into()));
    }

    #[test]
    fn without_any_value_there_is_no_folder_to_write_to() {
        let folders = Places::default().state_folders(System::Windows, false);
        assert_eq!(folders, StateFolders::default());
    }
}
