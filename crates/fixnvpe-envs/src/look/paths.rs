//! Paths that files and variables name, found on the disks.

use std::path::{Path, PathBuf};

use super::{Look, UserFolders};
use crate::machine::{Lost, windows_path};
use crate::{SkipReason, Skipped};

impl Look<'_> {
    /// Finds the folder or file that a path of this machine names. `from` says
    /// who names it, for the note about a path that cannot be followed.
    pub(crate) fn locate(&self, text: &str, from: &str) -> Option<PathBuf> {
        let lost = |reason, why: &str| {
            let detail = format!("{why}; named in {from}");
            self.reader.skip(Skipped::new(text.trim(), reason, detail));
        };
        match self.machine.locate(text) {
            Ok((root, parts)) => self.reader.resolve(&root, parts.iter().map(String::as_str)),
            Err(Lost::Drive(letter)) => {
                let why = format!("drive {letter}: is not there");
                lost(SkipReason::DriveMissing, &why);
                None
            }
            Err(Lost::Network) => {
                lost(SkipReason::Network, "it lies on another computer");
                None
            }
            Err(Lost::NotAbsolute) => {
                lost(SkipReason::Malformed, "it is no absolute path");
                None
            }
        }
    }

    /// Finds the path that a configuration file names, with `~` and variables
    /// in it, as the user whose file it is would.
    pub(crate) fn locate_expanded(
        &self,
        text: &str,
        user: Option<&UserFolders>,
        from: &str,
    ) -> Option<PathBuf> {
        let text = text.trim();
        if let Some((name, rest)) = leading_variable(text)
            && let Some(base) = self.known_folder(name, user)
        {
            let parts = self.parts(rest);
            return self.reader.resolve(&base, parts.iter().map(String::as_str));
        }
        // Only the caller's own variables are known.
        let known = user.is_none_or(|user| user.own);
        let value = |name: &str| {
            let value = self.machine.variable(name).filter(|_| known)?;
            value.to_str().map(str::to_owned)
        };
        self.locate(&substituted(text, &value), from)
    }

    /// A path of the system that reads the machine, as the disk spells it: a
    /// user may have typed it in another case, or with a short name.
    pub(super) fn as_on_disk(&self, path: &Path) -> PathBuf {
        let case = self.reader.case();
        let path = fixnvpe_files::shown(path);
        let key = case.path(&path);
        let mut drives = self.machine.drives.iter();
        let Some(drive) = drives.find(|drive| key.starts_with(case.path(&drive.root))) else {
            return path;
        };
        let below = path.components().skip(drive.root.components().count());
        let names: Option<Vec<&str>> = below.map(|name| name.as_os_str().to_str()).collect();
        let found = names.and_then(|names| self.reader.resolve(&drive.root, names));
        found.unwrap_or(path)
    }

    fn parts(&self, rest: &str) -> Vec<String> {
        if self.is_windows() {
            return windows_path::parts(rest, false);
        }
        let parts = rest.split('/').filter(|part| !part.is_empty());
        parts.map(str::to_owned).collect()
    }

    /// The folder behind `~` or a variable that every user has.
    fn known_folder(&self, name: &str, user: Option<&UserFolders>) -> Option<PathBuf> {
        let own = || self.homes.iter().find(|home| home.own);
        let user = user.or_else(own);
        let first = |list: &[PathBuf]| list.first().cloned();
        match self.machine.case().key(name).as_str() {
            "~" | "HOME" | "USERPROFILE" => user.map(|user| user.home.clone()),
            "LOCALAPPDATA" => user.and_then(|user| first(&user.local)),
            "APPDATA" => user.and_then(|user| first(&user.roaming)),
            "PROGRAMDATA" | "ALLUSERSPROFILE" => first(&self.program_data()),
            "PROGRAMFILES" => first(&self.program_files()),
            "XDG_DATA_HOME" => user.and_then(|user| first(&user.data)),
            "XDG_CACHE_HOME" => user.and_then(|user| first(&user.cache)),
            "XDG_CONFIG_HOME" => user.and_then(|user| first(&user.config)),
            _ => None,
        }
    }

    /// `C:\ProgramData`, on whichever drives it stands.
    pub(crate) fn program_data(&self) -> Vec<PathBuf> {
        let named = self.folders_in_variables(&["PROGRAMDATA"]);
        merged(named, self.on_each_drive(&["ProgramData"]))
    }

    /// The folders of installed programs, on whichever drives they stand.
    pub(crate) fn program_files(&self) -> Vec<PathBuf> {
        let variables = ["PROGRAMFILES", "PROGRAMW6432", "PROGRAMFILES(X86)"];
        let named = self.folders_in_variables(&variables);
        let usual = ["Program Files", "Program Files (x86)"];
        merged(named, self.on_each_drive(&usual))
    }

    fn folders_in_variables(&self, names: &[&str]) -> Vec<PathBuf> {
        if !self.is_windows() {
            return Vec::new();
        }
        let folder = |name: &&str| self.folder_in_variable(name);
        names.iter().filter_map(folder).collect()
    }

    /// The folder that a variable names.
    pub(crate) fn folder_in_variable(&self, name: &str) -> Option<PathBuf> {
        let value = self.machine.variable(name)?;
        match value.to_str() {
            Some(text) => self.locate_expanded(text, None, &self.variable_text(name)),
            // Not Unicode: only a path of the system that reads it can be so.
            None => Some(PathBuf::from(value)).filter(|path| path.is_absolute()),
        }
    }

    /// A variable as people write it.
    pub(crate) fn variable_text(&self, name: &str) -> String {
        if self.is_windows() {
            format!("%{name}%")
        } else {
            format!("${name}")
        }
    }

    /// The folders of a list in a variable (`PATH`).
    pub(crate) fn folders_in_list(&self, name: &str, separators: &[char]) -> Vec<PathBuf> {
        let Some(value) = self.machine.variable(name).and_then(|value| value.to_str()) else {
            return Vec::new();
        };
        let from = self.variable_text(name);
        value
            .split(separators)
            .filter(|folder| !folder.trim().is_empty())
            .filter_map(|folder| self.locate_expanded(folder, None, &from))
            .collect()
    }
}

fn merged(mut first: Vec<PathBuf>, second: Vec<PathBuf>) -> Vec<PathBuf> {
    for path in second {
        if !first.contains(&path) {
            first.push(path);
        }
    }
    first
}

/// The variable that a path begins with, and what follows it: `~`, `%NAME%`,
/// `$NAME`, `${NAME}`.
fn leading_variable(text: &str) -> Option<(&str, &str)> {
    let is_end = |rest: &str| rest.is_empty() || rest.starts_with(['\\', '/']);
    let (name, rest) = if let Some(rest) = text.strip_prefix('%') {
        rest.split_once('%')?
    } else if let Some(rest) = text.strip_prefix("${") {
        rest.split_once('}')?
    } else if let Some(rest) = text.strip_prefix('$') {
        rest.split_at(name_length(rest))
    } else if text.starts_with('~') {
        text.split_at(1)
    } else {
        return None;
    };
    (!name.is_empty() && is_end(rest)).then_some((name, rest))
}

fn name_length(text: &str) -> usize {
    let ends = |c: char| !c.is_ascii_alphanumeric() && c != '_';
    text.find(ends).unwrap_or(text.len())
}

/// The text with the variables that are known replaced by their values.
fn substituted(text: &str, value: &dyn Fn(&str) -> Option<String>) -> String {
    let mut done = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['%', '$']) {
        done.push_str(&rest[..at]);
        rest = &rest[at..];
        let (name, length) = variable_at(rest);
        let length = if let Some(value) = name.and_then(value) {
            done.push_str(&value);
            length
        } else {
            // No known variable: it stays as it is, from its first character.
            done.push_str(&rest[..1]);
            1
        };
        rest = &rest[length..];
    }
    done.push_str(rest);
    done
}

/// The name of the variable that `text` begins with, and how long the whole
/// of it is, in bytes.
fn variable_at(text: &str) -> (Option<&str>, usize) {
    let behind = &text[1..];
    if text.starts_with('%') {
        let end = behind.find('%');
        return (end.map(|end| &behind[..end]), end.map_or(1, |end| end + 2));
    }
    if let Some(braced) = behind.strip_prefix('{') {
        let end = braced.find('}');
        return (end.map(|end| &braced[..end]), end.map_or(1, |end| end + 3));
    }
    let length = name_length(behind);
    ((length > 0).then(|| &behind[..length]), length + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variable_that_a_path_begins_with_is_found() {
        for (text, expected) in [
            (r"~\envs", Some(("~", r"\envs"))),
            ("~", Some(("~", ""))),
            ("~ann/envs", None),
            (r"%USERPROFILE%\envs", Some(("USERPROFILE", r"\envs"))),
            ("$HOME/envs", Some(("HOME", "/envs"))),
            ("${HOME}/envs", Some(("HOME", "/envs"))),
            ("$HOMER", Some(("HOMER", ""))),
            (r"C:\envs", None),
            ("%", None),
            ("$", None),
            ("${x", None),
            ("%%", None),
        ] {
            assert_eq!(leading_variable(text), expected, "{text}");
        }
    }

    #[test]
    fn known_variables_are_replaced_and_others_stay() {
        let value = |name: &str| (name == "A").then(|| r"D:\a".to_owned());
        for (text, expected) in [
            (r"%A%\envs", r"D:\a\envs"),
            ("$A/x", r"D:\a/x"),
            ("${A}x", r"D:\ax"),
            (r"%B%\envs", r"%B%\envs"),
            ("100%", "100%"),
            ("a$", "a$"),
            ("%A", "%A"),
        ] {
            assert_eq!(substituted(text, &value), expected);
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_expanded_without_a_panic(text in r"[%${}~A环\\/]{0,20}") {
            let _ = leading_variable(&text);
            let _ = substituted(&text, &|name| (name == "A").then(|| "x".into()));
        }
    }
}
