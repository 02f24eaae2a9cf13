//! Names as Windows compares them.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

/// The character as Windows compares it: in upper case, one for one, whatever
/// the language.
#[must_use]
pub fn folded_char(c: char) -> char {
    let mut mapped = c.to_uppercase();
    match (mapped.next(), mapped.next()) {
        (Some(one), None) => one,
        _ => c,
    }
}

/// The name in the form in which names that Windows takes for one are equal.
#[must_use]
pub fn folded(name: &str) -> String {
    name.chars().map(folded_char).collect()
}

/// The path in the form in which paths that differ in nothing but the case of
/// their names are equal, and one lies below another by its parts. A name that
/// is not Unicode stays as it is.
#[must_use]
pub fn folded_path(path: &Path) -> PathBuf {
    let part = |part: &OsStr| part.to_str().map_or_else(|| part.into(), folded_part);
    path.components()
        .map(|component| match component {
            Component::Normal(name) => part(name),
            // A drive's letter, a server's name.
            Component::Prefix(prefix) => part(prefix.as_os_str()),
            other => other.as_os_str().to_owned(),
        })
        .collect()
}

fn folded_part(text: &str) -> std::ffi::OsString {
    folded(text).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_without_one_upper_case_form_stay_as_they_are() {
        assert_eq!(folded("straße"), "STRAßE");
        assert_eq!(folded("Среда 环境"), "СРЕДА 环境");
    }

    #[test]
    fn paths_that_differ_in_case_alone_are_folded_to_one() {
        let (one, other) = (Path::new("/Users/Mei/Lib"), Path::new("/users/mei/lib/"));
        assert_eq!(folded_path(one), folded_path(other));
        let below = folded_path(Path::new("/USERS/mei/libs"));
        assert!(!below.starts_with(folded_path(one)));
        assert!(below.starts_with(folded_path(Path::new("/users"))));
    }

    #[cfg(windows)]
    #[test]
    fn the_letter_of_a_drive_has_no_case() {
        let (one, other) = (Path::new(r"c:\a"), Path::new(r"C:/A"));
        assert_eq!(folded_path(one), folded_path(other));
    }
}
