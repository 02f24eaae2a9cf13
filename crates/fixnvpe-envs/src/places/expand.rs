//! From the rows of the table to folders on the disks.

use std::path::PathBuf;

use super::Place;
use crate::look::{Look, UserFolders};

impl Place {
    /// The row's places on this machine's system, each of `{a,b}` by itself.
    pub(crate) fn patterns(&self, windows: bool) -> Vec<String> {
        let written = if windows {
            self.windows
        } else {
            self.elsewhere
        };
        written.iter().flat_map(|one| alternatives(one)).collect()
    }
}

/// Every folder that fits one of the row's places, with that place.
pub(crate) fn folders(look: &Look<'_>, place: &Place) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for pattern in place.patterns(look.is_windows()) {
        let parts = split(&pattern, look.is_windows());
        let Some((first, rest)) = parts.split_first() else {
            continue;
        };
        for base in bases(look, first) {
            look.count_place();
            let folders = look.reader.expand(&base, rest);
            found.extend(folders.into_iter().map(|folder| (folder, pattern.clone())));
        }
    }
    found
}

/// The parts of a place. The first of `/usr` is empty.
pub(crate) fn split(pattern: &str, windows: bool) -> Vec<&str> {
    let separator = if windows { '\\' } else { '/' };
    let mut parts: Vec<&str> = pattern.split(separator).collect();
    if parts.last() == Some(&"") {
        parts.pop();
    }
    parts
}

/// The folders that the first part of a place stands for.
fn bases(look: &Look<'_>, first: &str) -> Vec<PathBuf> {
    let users = |folders: fn(&UserFolders) -> &[PathBuf]| -> Vec<PathBuf> {
        let homes = look.homes.iter();
        homes
            .flat_map(|user| folders(user).iter().cloned())
            .collect()
    };
    match first {
        "" | "<drive>" => look.fixed_drives().map(PathBuf::from).collect(),
        "~" => look.homes.iter().map(|user| user.home.clone()).collect(),
        "%LOCALAPPDATA%" => users(|user| &user.local),
        "%APPDATA%" => users(|user| &user.roaming),
        "$XDG_DATA_HOME" => users(|user| &user.data),
        "$XDG_CACHE_HOME" => users(|user| &user.cache),
        "$XDG_CONFIG_HOME" => users(|user| &user.config),
        "%PROGRAMDATA%" => look.program_data(),
        "%PROGRAMFILES%" => look.program_files(),
        _ => {
            let Some(name) = variable_name(first) else {
                return Vec::new();
            };
            let names = look.machine.variables_like(name);
            let folders = names
                .iter()
                .filter_map(|name| look.folder_in_variable(name));
            folders.collect()
        }
    }
}

fn variable_name(part: &str) -> Option<&str> {
    let windows = || part.strip_prefix('%')?.strip_suffix('%');
    windows().or_else(|| part.strip_prefix('$'))
}

/// `a{b,c}d` as `abd` and `acd`.
fn alternatives(pattern: &str) -> Vec<String> {
    let parted = || {
        let (before, rest) = pattern.split_once('{')?;
        let (choices, after) = rest.split_once('}')?;
        Some((before, choices, after))
    };
    let Some((before, choices, after)) = parted() else {
        return vec![pattern.to_owned()];
    };
    choices
        .split(',')
        .flat_map(|choice| alternatives(&format!("{before}{choice}{after}")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::places;
    use crate::places::Way;

    #[test]
    fn braces_stand_for_each_of_their_alternatives() {
        assert_eq!(
            alternatives(r"~\{a,b\c}\{d,e}"),
            [r"~\a\d", r"~\a\e", r"~\b\c\d", r"~\b\c\e"]
        );
        assert_eq!(alternatives("plain{"), ["plain{"]);
    }

    #[test]
    fn every_place_that_is_read_begins_with_something_known_or_lies_anywhere() {
        for place in places() {
            for (windows, patterns) in
                [(true, place.patterns(true)), (false, place.patterns(false))]
            {
                for pattern in patterns {
                    let first = split(&pattern, windows)[0];
                    let known = first.is_empty()
                        || ["~", "<drive>"].contains(&first)
                        || variable_name(first).is_some()
                        || pattern.ends_with("of every installation");
                    let anywhere = matches!(place.way, Way::Below | Way::BelowSite | Way::Told);
                    assert!(known || anywhere, "{}: {pattern}", place.tool);
                    assert!(
                        !known || place.way != Way::Below,
                        "{}: {pattern}",
                        place.tool
                    );
                }
            }
        }
    }
}
