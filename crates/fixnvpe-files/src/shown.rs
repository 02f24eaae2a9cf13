//! Paths as they are written: for people, for Windows, and without loss.

use std::io;
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;

use crate::system;

/// The path as people write it: without the `\\?\` prefix that long paths need
/// on Windows, network paths as `\\server\share\…`. Elsewhere the path itself.
#[must_use]
pub fn shown(path: &Path) -> PathBuf {
    system::shown(path)
}

/// The path in the form that Windows takes as it stands, whatever its length,
/// its trailing dots and spaces or its reserved names: absolute, behind `\\?\`.
/// Elsewhere the absolute path.
///
/// # Errors
///
/// The operating system's error when the path cannot be made absolute.
pub fn extended(path: &Path) -> io::Result<PathBuf> {
    system::extended(path)
}

/// The exact name of a path that is not Unicode, in a form that any text can
/// carry: `bytes:` (Unix) or `utf16:` (Windows, little endian) and hexadecimal
/// digits. `None` for a path that is Unicode, which needs no other form.
#[must_use]
pub fn raw(path: &Path) -> Option<String> {
    if path.to_str().is_some() {
        return None;
    }
    let digits = HEXLOWER.encode(&system::units(path));
    Some(format!("{}:{digits}", system::UNITS))
}

/// The path that [`raw`] wrote down, on the kind of system that wrote it.
#[must_use]
pub fn from_raw(text: &str) -> Option<PathBuf> {
    let digits = text.strip_prefix(system::UNITS)?.strip_prefix(':')?;
    system::from_units(&HEXLOWER.decode(digits.as_bytes()).ok()?)
}

/// The rules for Windows paths, as functions of UTF-16 units, so that they run
/// everywhere. (Microsoft's page "Naming Files, Paths, and Namespaces".)
#[cfg(any(windows, test))]
pub(crate) mod rules {
    const BACKSLASH: u16 = b'\\' as u16;
    const SLASH: u16 = b'/' as u16;
    const COLON: u16 = b':' as u16;
    const QUESTION: u16 = b'?' as u16;
    const DOT: u16 = b'.' as u16;

    fn is_separator(unit: u16) -> bool {
        unit == BACKSLASH || unit == SLASH
    }

    fn is_drive(path: &[u16]) -> bool {
        let letter = |unit: u16| u8::try_from(unit).is_ok_and(|byte| byte.is_ascii_alphabetic());
        path.len() >= 3 && letter(path[0]) && path[1] == COLON && is_separator(path[2])
    }

    fn text(plain: &str) -> impl Iterator<Item = u16> {
        plain.encode_utf16()
    }

    /// `\\?\C:\x` as `C:\x`, `\\?\UNC\s\x` as `\\s\x`; anything else as it is:
    /// what stands behind another `\\?\` (a volume, a device) has no other form.
    pub(crate) fn without_prefix(path: &[u16]) -> Vec<u16> {
        let prefix = [BACKSLASH, BACKSLASH, QUESTION, BACKSLASH];
        let Some(rest) = path.strip_prefix(&prefix) else {
            return path.to_vec();
        };
        if is_drive(rest) {
            return rest.to_vec();
        }
        let unc: Vec<u16> = text("UNC\\").collect();
        if rest.len() > unc.len() && is_unc_word(rest) {
            return text("\\\\")
                .chain(rest[unc.len()..].iter().copied())
                .collect();
        }
        path.to_vec()
    }

    fn is_unc_word(rest: &[u16]) -> bool {
        String::from_utf16_lossy(&rest[..4]).eq_ignore_ascii_case("UNC\\")
    }

    /// The absolute `path` behind `\\?\`; `None` for a path that is not
    /// absolute. One that has the prefix, or names a device, stays as it is.
    pub(crate) fn with_prefix(path: &[u16]) -> Option<Vec<u16>> {
        let device = |third: u16| {
            path.len() > 3
                && is_separator(path[0])
                && is_separator(path[1])
                && path[2] == third
                && is_separator(path[3])
        };
        if device(QUESTION) || device(DOT) {
            return Some(path.to_vec());
        }
        let backslashes = |path: &[u16]| -> Vec<u16> {
            path.iter()
                .map(|&unit| if unit == SLASH { BACKSLASH } else { unit })
                .collect()
        };
        if is_drive(path) {
            return Some(text("\\\\?\\").chain(backslashes(path)).collect());
        }
        if path.len() > 2 && is_separator(path[0]) && is_separator(path[1]) {
            return Some(
                text("\\\\?\\UNC\\")
                    .chain(backslashes(&path[2..]))
                    .collect(),
            );
        }
        None
    }

    /// `path`, as it stands in the folder `current`, behind `\\?\`: no name in
    /// it is rewritten, but `.` and `..` are resolved by name. `None` for a path
    /// that has such a prefix, or hangs on another drive's folder (`D:x`).
    pub(crate) fn as_it_stands(current: &[u16], path: &[u16]) -> Option<Vec<u16>> {
        let is_prefixed = with_prefix(path).is_some_and(|prefixed| prefixed == path);
        if is_prefixed || (path.get(1) == Some(&COLON) && !is_drive(path)) {
            return None;
        }
        let (root, names) = root_and_names(path).or_else(|| {
            let (root, mut names) = root_and_names(&without_prefix(current))?;
            if path.first().copied().is_some_and(is_separator) {
                names.clear();
            }
            names.extend(split(path));
            Some((root, names))
        })?;
        let mut resolved: Vec<Vec<u16>> = Vec::new();
        for name in names {
            match String::from_utf16_lossy(&name).as_str() {
                "" | "." => {}
                ".." => drop(resolved.pop()),
                _ => resolved.push(name),
            }
        }
        let below = resolved.join(&BACKSLASH);
        Some(root.into_iter().chain(below).collect())
    }

    /// The root of an absolute path behind `\\?\`, and the names below it.
    fn root_and_names(path: &[u16]) -> Option<(Vec<u16>, Vec<Vec<u16>>)> {
        let absolute = with_prefix(path)?;
        let prefix: Vec<u16> = text("\\\\?\\").collect();
        let unc: Vec<u16> = text("\\\\?\\UNC\\").collect();
        if let Some(rest) = absolute.strip_prefix(&*unc) {
            let mut names = split(rest);
            let share: Vec<Vec<u16>> = names.drain(..names.len().min(2)).collect();
            let share = share.join(&BACKSLASH);
            let root = unc.into_iter().chain(share).chain([BACKSLASH]);
            return Some((root.collect(), names));
        }
        let (drive, rest) = absolute.strip_prefix(&*prefix)?.split_at_checked(3)?;
        let root = prefix.iter().chain(drive).copied();
        Some((root.collect(), split(rest)))
    }

    fn split(path: &[u16]) -> Vec<Vec<u16>> {
        let names = path.split(|&unit| is_separator(unit));
        names.map(<[u16]>::to_vec).collect()
    }

    /// The final part of a path.
    #[cfg(any(windows, test))]
    pub(crate) fn final_part(path: &[u16]) -> &[u16] {
        let start = path.iter().rposition(|&unit| is_separator(unit));
        &path[start.map_or(0, |start| start + 1)..]
    }
}

#[cfg(test)]
mod tests {
    use super::rules::{as_it_stands, final_part, with_prefix, without_prefix};
    use super::*;

    fn wide(text: &str) -> Vec<u16> {
        text.encode_utf16().collect()
    }

    fn narrow(units: &[u16]) -> String {
        String::from_utf16(units).unwrap()
    }

    #[test]
    fn people_see_no_prefix_of_long_paths() {
        for (path, expected) in [
            (r"\\?\C:\Users\李雷\a.dll", r"C:\Users\李雷\a.dll"),
            (r"\\?\UNC\nas\envs\a.dll", r"\\nas\envs\a.dll"),
            (r"\\?\unc\nas\envs", r"\\nas\envs"),
            (r"C:\a.dll", r"C:\a.dll"),
            (r"\\nas\envs\a.dll", r"\\nas\envs\a.dll"),
            (
                r"\\?\Volume{0c0b1b1e-0000-0000-0000-100000000000}\a",
                r"\\?\Volume{0c0b1b1e-0000-0000-0000-100000000000}\a",
            ),
            (r"\\?\", r"\\?\"),
            (r"\\?\UNC", r"\\?\UNC"),
            (r"\\.\pipe\x", r"\\.\pipe\x"),
        ] {
            assert_eq!(narrow(&without_prefix(&wide(path))), expected);
        }
    }

    #[test]
    fn absolute_paths_get_the_prefix_and_others_none() {
        for (path, expected) in [
            (r"C:\a b\x.", Some(r"\\?\C:\a b\x.")),
            ("D:/envs/yolo/con.dll", Some(r"\\?\D:\envs\yolo\con.dll")),
            (r"\\nas\envs\a", Some(r"\\?\UNC\nas\envs\a")),
            ("//nas/envs/a", Some(r"\\?\UNC\nas\envs\a")),
            (r"\\?\C:\a", Some(r"\\?\C:\a")),
            (r"\\.\pipe\x", Some(r"\\.\pipe\x")),
            ("C:", None),
            ("C:a", None),
            (r"\a", None),
            ("a.dll", None),
            ("", None),
        ] {
            let prefixed = with_prefix(&wide(path));
            assert_eq!(prefixed.as_deref().map(narrow).as_deref(), expected);
        }
    }

    #[test]
    fn a_path_as_it_stands_keeps_every_name() {
        for (path, expected) in [
            ("nul.dll", Some(r"\\?\C:\envs\nul.dll")),
            (r".\dot.\x.dll", Some(r"\\?\C:\envs\dot.\x.dll")),
            ("../space /x", Some(r"\\?\C:\space \x")),
            (r"..\..\..\x", Some(r"\\?\C:\x")),
            (r"\aux", Some(r"\\?\C:\aux")),
            (r"D:/a/../con.dll", Some(r"\\?\D:\con.dll")),
            (r"D:\a\", Some(r"\\?\D:\a")),
            (r"\\nas\envs\a.\..\b.", Some(r"\\?\UNC\nas\envs\b.")),
            (r"\\nas\envs\..\..\x", Some(r"\\?\UNC\nas\envs\x")),
            ("D:x", None),
            ("D:", None),
            (r"\\?\C:\a", None),
            (r"\\.\nul", None),
        ] {
            for current in [r"C:\envs", r"\\?\C:\envs\"] {
                let stands = as_it_stands(&wide(current), &wide(path));
                assert_eq!(stands.as_deref().map(narrow).as_deref(), expected, "{path}");
            }
        }
    }

    #[test]
    fn the_final_part_is_what_follows_the_last_separator() {
        for (path, expected) in [(r"C:\a\b.dll", "b.dll"), ("b.dll", "b.dll"), (r"C:\", "")] {
            assert_eq!(narrow(final_part(&wide(path))), expected);
        }
    }

    #[test]
    fn a_unicode_path_has_no_other_form() {
        assert_eq!(raw(Path::new("C:/Users/Привет/a.dll")), None);
        assert_eq!(from_raw("C:/Users/a.dll"), None);
        assert_eq!(from_raw("bytes:zz"), None);
        assert_eq!(from_raw("utf16:zz"), None);
    }

    #[cfg(unix)]
    proptest::proptest! {
        #[test]
        fn a_path_that_is_not_unicode_is_never_lost(
            bytes in proptest::collection::vec(1_u8.., 0..40),
        ) {
            use std::os::unix::ffi::OsStringExt;
            let path = PathBuf::from(std::ffi::OsString::from_vec(bytes));
            match raw(&path) {
                None => assert!(path.to_str().is_some()),
                Some(text) => assert_eq!(from_raw(&text), Some(path)),
            }
        }
    }

    proptest::proptest! {
        #[test]
        fn any_units_are_taken_without_a_panic(units: Vec<u16>) {
            let _ = without_prefix(&units);
            let _ = with_prefix(&units);
            let _ = final_part(&units);
            let _ = as_it_stands(&units, &units);
            let _ = as_it_stands(&wide(r"C:\\x"), &units);
        }

        #[test]
        fn the_prefix_comes_off_as_it_went_on(rest in r"[A-Z]:\\[a-z. ]{0,20}") {
            let path = wide(&rest);
            assert_eq!(without_prefix(&with_prefix(&path).unwrap()), path);
        }
    }
}
