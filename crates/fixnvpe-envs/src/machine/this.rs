//! The machine that the program runs on.

use std::ffi::OsString;
use std::path::PathBuf;

use super::{Home, Machine};

impl Machine {
    /// The machine that this program runs on, with the variables and the
    /// current folder that the caller read (`std::env::vars_os`,
    /// `std::env::current_dir`): a library does not read them itself.
    pub fn this(
        variables: impl IntoIterator<Item = (OsString, OsString)>,
        current_folder: Option<PathBuf>,
    ) -> Self {
        let mut machine = live();
        for (name, value) in variables {
            // A variable whose name is not Unicode is none of those asked for.
            if let Some(name) = name.to_str() {
                machine = machine.with_variable(name, value);
            }
        }
        if let Some(folder) = current_folder {
            machine = machine.with_current_folder(folder);
        }
        machine.add_own_home();
        machine
    }

    /// The caller's own home, with the folders that the variables name.
    fn add_own_home(&mut self) {
        let folder = |name: &str| self.variable(name).map(PathBuf::from);
        let absolute = |name: &str| folder(name).filter(|path| path.is_absolute());
        let known = self.homes.iter().find(|home| home.own).cloned();
        let home = match self.os {
            super::Os::Windows => absolute("USERPROFILE"),
            super::Os::Linux | super::Os::MacOs => absolute("HOME"),
        };
        let known = known.unwrap_or_default();
        let Some(home) = home
            .or(Some(known.folder))
            .filter(|path| path.is_absolute())
        else {
            return;
        };
        let own = Home {
            folder: home,
            own: true,
            local: absolute("LOCALAPPDATA").or(known.local),
            roaming: absolute("APPDATA").or(known.roaming),
            data: absolute("XDG_DATA_HOME"),
            cache: absolute("XDG_CACHE_HOME"),
            config: absolute("XDG_CONFIG_HOME"),
            moved: known.moved,
        };
        self.homes.retain(|home| !home.own);
        self.homes.insert(0, own);
    }
}

#[cfg(windows)]
fn live() -> Machine {
    let mut machine = Machine::new(super::Os::Windows, super::win32::drives());
    machine.letters_are_paths = true;
    machine.homes = super::win32::homes();
    machine.with_registry(super::win32::LiveRegistry)
}

#[cfg(target_os = "macos")]
fn live() -> Machine {
    Machine::rooted(super::Os::MacOs, "/")
}

#[cfg(not(any(windows, target_os = "macos")))]
fn live() -> Machine {
    Machine::rooted(super::Os::Linux, "/")
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_callers_variables_speak_of_the_callers_home() {
        let variables = [("HOME", "/home/ann"), ("XDG_CACHE_HOME", "/fast/cache")];
        let variables = variables.map(|(name, value)| (name.into(), value.into()));
        let machine = Machine::this(variables, Some("/work".into()));
        let own = &machine.homes[0];
        assert!(own.own);
        assert_eq!(own.folder, PathBuf::from("/home/ann"));
        assert_eq!(own.cache, Some(PathBuf::from("/fast/cache")));
        assert_eq!(own.data, None);
        assert_eq!(machine.current_folder, Some(PathBuf::from("/work")));
    }

    #[test]
    fn a_caller_without_a_home_has_none() {
        let machine = Machine::this([("HOME".into(), "relative".into())], None);
        assert!(machine.homes.is_empty());
    }
}
