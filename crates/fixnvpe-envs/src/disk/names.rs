//! Comparing names of files as the machine does that wrote them.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use fixnvpe_files::{folded, folded_char, folded_path};

/// How a machine tells names apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Case {
    /// `Lib` and `lib` are one name (Windows), also where the disk is now read
    /// by a system that tells them apart.
    Ignored,
    /// Every difference counts.
    Exact,
}

impl Case {
    /// The form in which equal names are equal texts.
    pub(crate) fn key(self, name: &str) -> String {
        match self {
            Self::Ignored => folded(name),
            Self::Exact => name.to_owned(),
        }
    }

    /// The form in which equal paths are equal, and one lies below another by
    /// its parts.
    pub(crate) fn path(self, path: &Path) -> PathBuf {
        match self {
            Self::Ignored => folded_path(path),
            Self::Exact => path.to_path_buf(),
        }
    }

    /// Whether two characters count as one.
    fn same_char(self, a: char, b: char) -> bool {
        a == b || (self == Self::Ignored && folded_char(a) == folded_char(b))
    }

    /// Whether a name on disk is this name.
    pub(crate) fn same(self, name: &OsStr, wanted: &str) -> bool {
        let Some(name) = name.to_str() else {
            return false;
        };
        let mut wanted = wanted.chars();
        name.chars()
            .all(|a| wanted.next().is_some_and(|b| self.same_char(a, b)))
            && wanted.next().is_none()
    }

    /// Whether a name on disk fits a pattern, in which `*` stands for any
    /// text and `?` for any character.
    pub(crate) fn fits(self, name: &OsStr, pattern: &str) -> bool {
        if pattern == "*" {
            return true;
        }
        let name: Vec<char> = name.to_string_lossy().chars().collect();
        let pattern: Vec<char> = pattern.chars().collect();
        let (mut n, mut p) = (0, 0);
        // Where the last `*` stands, and how much of the name it has taken.
        let mut star: Option<(usize, usize)> = None;
        while n < name.len() {
            if p < pattern.len() && pattern[p] == '*' {
                star = Some((p, n));
                p += 1;
            } else if p < pattern.len()
                && (pattern[p] == '?' || self.same_char(name[n], pattern[p]))
            {
                n += 1;
                p += 1;
            } else if let Some((at, taken)) = star {
                star = Some((at, taken + 1));
                n = taken + 1;
                p = at + 1;
            } else {
                return false;
            }
        }
        pattern[p..].iter().all(|&c| c == '*')
    }
}

/// The path in the form in which equal paths are equal texts.
pub(crate) fn path_key(case: Case, path: &Path) -> String {
    let mut parts: Vec<String> = Vec::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                parts.pop();
            }
            Component::CurDir | Component::RootDir => {}
            Component::Prefix(_) | Component::Normal(_) => {
                parts.push(case.key(&part.as_os_str().to_string_lossy()));
            }
        }
    }
    parts.join("/")
}

/// Whether a name is a pattern.
pub(crate) fn is_pattern(name: &str) -> bool {
    name.contains(['*', '?'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_takes_names_that_differ_in_case_for_one() {
        for (name, wanted) in [
            ("Lib", "lib"),
            ("SITE-PACKAGES", "site-packages"),
            ("Среда", "СРЕДА"),
            ("环境", "环境"),
        ] {
            assert!(Case::Ignored.same(OsStr::new(name), wanted), "{name}");
            assert_eq!(folded(name), folded(wanted));
        }
        assert!(!Case::Exact.same(OsStr::new("Lib"), "lib"));
        assert!(!Case::Ignored.same(OsStr::new("Lib"), "Libs"));
        assert!(!Case::Ignored.same(OsStr::new("Libs"), "Lib"));
    }

    #[test]
    fn patterns_fit_whole_names() {
        for (pattern, fits, not) in [
            ("python3*._pth", "python38._pth", "python38.zip"),
            ("Python3*", "python311", "xPython311"),
            (
                "python-3.*-embed-*",
                "python-3.8.10-embed-amd64",
                "python-3.8.10",
            ),
            ("v*", "v11.8", "11.8"),
            ("*a*b", "xaab", "xaabc"),
            ("?", "环", "ab"),
            ("**", "", "-"),
        ] {
            assert!(Case::Ignored.fits(OsStr::new(fits), pattern), "{pattern}");
            if not != "-" {
                assert!(!Case::Ignored.fits(OsStr::new(not), pattern), "{pattern}");
            }
        }
    }

    proptest::proptest! {
        #[test]
        fn a_star_fits_whatever_stands_in_its_place(
            before in "[a-z]{0,5}", middle in "[a-z*?]{0,9}", after in "[a-z]{0,5}",
        ) {
            let name = format!("{before}{middle}{after}");
            let pattern = format!("{before}*{after}");
            assert!(Case::Exact.fits(OsStr::new(&name), &pattern));
        }

        #[test]
        fn a_name_without_wildcards_fits_itself_alone(a in "[a-c]{0,3}", b in "[a-c]{0,3}") {
            assert_eq!(Case::Exact.fits(OsStr::new(&a), &b), a == b);
        }
    }
}
