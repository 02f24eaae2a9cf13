//! Paths as Windows programs write them into files, read on any system.
//!
//! The rules are those of Microsoft's page "Naming Files, Paths, and
//! Namespaces": both slashes separate, `\\?\` switches all rewriting off,
//! otherwise trailing dots and spaces of a name do not count.

/// A Windows path, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum WindowsPath {
    /// `C:\a\b`.
    Absolute {
        /// The drive letter, in upper case.
        letter: char,
        /// The names below the drive's root, `.` and `..` resolved.
        parts: Vec<String>,
    },
    /// `\a\b`: on whichever drive is meant.
    Rooted(Vec<String>),
    /// `\\server\share\a`.
    Network,
    /// Anything else: relative, or a device.
    Other,
}

/// Takes a path apart.
pub(crate) fn parse(text: &str) -> WindowsPath {
    let text = text.trim().trim_matches('"');
    if let Some(rest) = strip_device(text, '?') {
        if is_unc(rest) {
            return WindowsPath::Network;
        }
        return absolute(rest, true).unwrap_or(WindowsPath::Other);
    }
    if strip_device(text, '.').is_some() {
        return WindowsPath::Other;
    }
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some('\\' | '/'), Some('\\' | '/')) => WindowsPath::Network,
        (Some('\\' | '/'), _) => WindowsPath::Rooted(parts(text, false)),
        _ => absolute(text, false).unwrap_or(WindowsPath::Other),
    }
}

/// What follows `\\?\` or `\\.\`.
fn strip_device(text: &str, mark: char) -> Option<&str> {
    let mut rest = text;
    for wanted in ['\\', '\\', mark, '\\'] {
        let slash = if wanted == '\\' { '/' } else { wanted };
        rest = rest.strip_prefix([wanted, slash])?;
    }
    Some(rest)
}

fn is_unc(rest: &str) -> bool {
    let mut parts = rest.splitn(2, ['\\', '/']);
    parts
        .next()
        .is_some_and(|word| word.eq_ignore_ascii_case("UNC"))
        && parts.next().is_some()
}

fn absolute(text: &str, verbatim: bool) -> Option<WindowsPath> {
    let letter = text.chars().next().filter(char::is_ascii_alphabetic)?;
    let below = text[1..].strip_prefix(':')?;
    below
        .starts_with(['\\', '/'])
        .then(|| WindowsPath::Absolute {
            letter: letter.to_ascii_uppercase(),
            parts: parts(below, verbatim),
        })
}

/// The names of a path, `.` and `..` resolved as Windows does, by name alone.
pub(crate) fn parts(text: &str, verbatim: bool) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for part in text.split(['\\', '/']) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part if verbatim => parts.push(part.to_owned()),
            part => {
                let trimmed = part.trim_end_matches(['.', ' ']);
                let kept = if trimmed.is_empty() { part } else { trimmed };
                parts.push(kept.to_owned());
            }
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn absolute(letter: char, parts: &[&str]) -> WindowsPath {
        let parts = parts.iter().map(ToString::to_string).collect();
        WindowsPath::Absolute { letter, parts }
    }

    #[test]
    fn paths_are_taken_apart_as_windows_does() {
        for (text, expected) in [
            (r"C:\Users\Ann", absolute('C', &["Users", "Ann"])),
            ("d:/envs//yolo/", absolute('D', &["envs", "yolo"])),
            (r"\\?\C:\a b\x.", absolute('C', &["a b", "x."])),
            (r"C:\a.\b \c", absolute('C', &["a", "b", "c"])),
            (r"C:\a\..\b\.\c", absolute('C', &["b", "c"])),
            (r"C:\..\..\b", absolute('C', &["b"])),
            (
                "\"C:\\Program Files\\x\"",
                absolute('C', &["Program Files", "x"]),
            ),
            (r"C:\", absolute('C', &[])),
            (r"C:\用户\среда", absolute('C', &["用户", "среда"])),
            (r"\\nas\envs", WindowsPath::Network),
            ("//nas/envs", WindowsPath::Network),
            (r"\\?\UNC\nas\envs", WindowsPath::Network),
            (r"\\.\pipe\x", WindowsPath::Other),
            ("C:", WindowsPath::Other),
            ("C:envs", WindowsPath::Other),
            ("envs\\a", WindowsPath::Other),
            ("", WindowsPath::Other),
            ("é:\\a", WindowsPath::Other),
        ] {
            assert_eq!(parse(text), expected, "{text}");
        }
        assert_eq!(
            parse(r"\envs\a"),
            WindowsPath::Rooted(vec!["envs".into(), "a".into()])
        );
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_taken_apart_without_a_panic(text: String) {
            let _ = parse(&text);
        }

        #[test]
        fn no_part_leads_out_of_the_drive(text in r"[A-Z]:[\\/.a ]{0,30}") {
            if let WindowsPath::Absolute { parts, .. } = parse(&text) {
                for part in parts {
                    assert!(part != ".." && !part.contains(['\\', '/']));
                }
            }
        }
    }
}
