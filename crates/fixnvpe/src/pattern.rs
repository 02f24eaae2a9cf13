//! Patterns for paths, expanded by this program: Windows shells do not.
//!
//! `*` and `?` match within one name, `**` any number of folders, `[ab]` one
//! of some characters, `{a,b}` one of some words. A path that exists is taken
//! literally, and so is a part such as `[new]` where a folder has that name.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use fixnvpe_files::{Kind, read_folder};
use globset::{GlobBuilder, GlobMatcher};

/// How a platform writes and compares paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rules {
    /// `a.DLL` and `A.dll` are one name.
    pub(crate) ignore_case: bool,
    /// `\` separates names, beside `/`. Where it does not, it takes the meaning
    /// of the next character away.
    pub(crate) backslash_separates: bool,
}

impl Rules {
    /// Of Windows.
    pub(crate) const WINDOWS: Self = Self {
        ignore_case: true,
        backslash_separates: true,
    };
    /// Of every other platform.
    pub(crate) const UNIX: Self = Self {
        ignore_case: false,
        backslash_separates: false,
    };

    /// Of the platform that this program is built for.
    pub(crate) const fn native() -> Self {
        if cfg!(windows) {
            Self::WINDOWS
        } else {
            Self::UNIX
        }
    }

    /// Whether the character stands between two names.
    pub(crate) fn is_separator(self, c: char) -> bool {
        c == '/' || (c == '\\' && self.backslash_separates)
    }

    /// One matcher for a pattern, whose `*` does not cross a separator.
    pub(crate) fn matcher(self, pattern: &str) -> Result<GlobMatcher, globset::Error> {
        GlobBuilder::new(pattern)
            .case_insensitive(self.ignore_case)
            .backslash_escape(!self.backslash_separates)
            .literal_separator(true)
            .build()
            .map(|glob| glob.compile_matcher())
    }
}

/// Whether the text has a character that means more than itself. The `?` of
/// the prefix `\\?\` does not.
pub(crate) fn is_pattern(text: &str, rules: Rules) -> bool {
    start_of_pattern(text, rules).is_some()
}

fn start_of_pattern(text: &str, rules: Rules) -> Option<usize> {
    let verbatim = if rules.backslash_separates && text.starts_with(r"\\?\") {
        4
    } else {
        0
    };
    text[verbatim..]
        .find(['*', '?', '[', '{'])
        .map(|at| at + verbatim)
}

/// A pattern, cut into names.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    base: PathBuf,
    parts: Vec<Part>,
}

#[derive(Clone, Debug)]
enum Part {
    /// A name as it is.
    Name(String),
    /// `**`
    Folders,
    /// A name with something to match, and its text.
    Match(GlobMatcher, String),
}

/// What a pattern led to.
#[derive(Debug, Default)]
pub(crate) struct Expansion {
    /// What matched, in the order of names.
    pub(crate) paths: Vec<PathBuf>,
    /// Folders that could not be read, where more may have matched.
    pub(crate) unreadable: Vec<(PathBuf, io::Error)>,
}

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    ///
    /// A part that is no pattern, such as `[a`.
    pub(crate) fn parse(text: &str, rules: Rules) -> Result<Self, globset::Error> {
        let start = start_of_pattern(text, rules).unwrap_or(text.len());
        let base_len = text[..start]
            .rfind(|c| rules.is_separator(c) || (rules.backslash_separates && c == ':'))
            .map_or(0, |at| at + 1);
        let (base, rest) = text.split_at(base_len);
        let parts = rest
            .split(|c| rules.is_separator(c))
            .filter(|part| !part.is_empty() && *part != ".")
            .map(|part| match part {
                "**" => Ok(Part::Folders),
                part if is_pattern(part, rules) => {
                    Ok(Part::Match(rules.matcher(part)?, part.to_owned()))
                }
                part => Ok(Part::Name(part.to_owned())),
            })
            .collect::<Result<_, globset::Error>>()?;
        Ok(Self {
            base: base.into(),
            parts,
        })
    }

    /// All paths that match now. `**` follows no link.
    pub(crate) fn expand(&self) -> Expansion {
        let mut expansion = Expansion::default();
        expand_below(&self.base, &self.parts, &mut expansion);
        expansion.paths.sort_unstable();
        expansion.paths.dedup();
        expansion
    }
}

fn expand_below(base: &Path, parts: &[Part], expansion: &mut Expansion) {
    let Some((part, rest)) = parts.split_first() else {
        expansion.paths.push(base.to_path_buf());
        return;
    };
    match part {
        Part::Name(name) => {
            let path = base.join(name);
            if !rest.is_empty() || exists(&path) {
                expand_below(&path, rest, expansion);
            }
        }
        Part::Match(_, text) if may_be_a_name(text) && exists(&base.join(text)) => {
            expand_below(&base.join(text), rest, expansion);
        }
        Part::Match(matcher, _) => {
            for (name, _) in entries(base, expansion) {
                if matcher.is_match(Path::new(&name)) {
                    expand_below(&base.join(name), rest, expansion);
                }
            }
        }
        // Everything below a folder is the folder.
        Part::Folders if rest.is_empty() => {
            if exists(base) {
                expansion.paths.push(base.to_path_buf());
            }
        }
        Part::Folders => {
            expand_below(base, rest, expansion);
            for (name, kind) in entries(base, expansion) {
                if kind == Kind::Folder {
                    expand_below(&base.join(name), parts, expansion);
                }
            }
        }
    }
}

/// Brackets and braces are common in names, stars and question marks are not
/// even allowed on Windows.
fn may_be_a_name(part: &str) -> bool {
    !part.contains(['*', '?'])
}

fn exists(path: &Path) -> bool {
    let path = if path.as_os_str().is_empty() {
        Path::new(".")
    } else {
        path
    };
    fs_err::symlink_metadata(path).is_ok()
}

fn entries(folder: &Path, expansion: &mut Expansion) -> Vec<(std::ffi::OsString, Kind)> {
    let opened = if folder.as_os_str() == OsStr::new("") {
        Path::new(".")
    } else {
        folder
    };
    match read_folder(opened) {
        Ok(read) => {
            let failures = read.failures.into_iter();
            expansion
                .unreadable
                .extend(failures.map(|error| (folder.to_path_buf(), error)));
            read.entries
                .into_iter()
                .map(|entry| (entry.name, entry.kind))
                .collect()
        }
        // What is not there, or is no folder, matches nothing.
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
            ) =>
        {
            Vec::new()
        }
        Err(error) => {
            // `**` meets a folder twice; it is one failure.
            if !expansion.unreadable.iter().any(|(path, _)| path == folder) {
                expansion.unreadable.push((folder.to_path_buf(), error));
            }
            Vec::new()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[&str]) -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a folder");
        for file in files {
            let path = root.path().join(file);
            fs_err::create_dir_all(path.parent().expect("a parent")).expect("created");
            fs_err::write(path, b"").expect("written");
        }
        root
    }

    fn expand(root: &tempfile::TempDir, pattern: &str, rules: Rules) -> Vec<String> {
        let root = root.path();
        let separator = if rules.backslash_separates { '\\' } else { '/' };
        let text = format!("{}{separator}{pattern}", root.display());
        // A test of Windows' rules on Unix: only the base has to be a path here.
        let text = if cfg!(unix) {
            text.replacen(
                &format!("{}\\", root.display()),
                &format!("{}/", root.display()),
                1,
            )
        } else {
            text
        };
        Pattern::parse(&text, rules)
            .expect("a pattern")
            .expand()
            .paths
            .iter()
            .map(|path| path.strip_prefix(root).expect("below the root"))
            .map(|path| path.to_string_lossy().replace('\\', "/"))
            .collect()
    }

    const FILES: [&str; 6] = [
        "envs/a/Lib/x.dll",
        "envs/a/Lib/Y.DLL",
        "envs/b/z.pyd",
        "envs/[new]/w.dll",
        "envs/{9f}/v.dll",
        "top.dll",
    ];

    #[test]
    fn a_star_stays_within_one_name() {
        let root = tree(&FILES);
        assert_eq!(expand(&root, "*.dll", Rules::UNIX), ["top.dll"]);
        assert_eq!(
            expand(&root, "envs/?/*", Rules::UNIX),
            ["envs/a/Lib", "envs/b/z.pyd"]
        );
    }

    #[test]
    fn two_stars_are_any_number_of_folders() {
        let root = tree(&FILES);
        assert_eq!(
            expand(&root, "**/*.dll", Rules::UNIX),
            [
                "envs/[new]/w.dll",
                "envs/a/Lib/x.dll",
                "envs/{9f}/v.dll",
                "top.dll"
            ]
        );
        assert_eq!(expand(&root, "envs/**", Rules::UNIX), ["envs"]);
        assert_eq!(expand(&root, "nowhere/**", Rules::UNIX), [] as [&str; 0]);
    }

    #[test]
    fn case_matters_only_where_the_platform_says_so() {
        let root = tree(&FILES);
        assert_eq!(expand(&root, "envs/a/Lib/*.dll", Rules::UNIX).len(), 1);
        assert_eq!(expand(&root, "envs/a/Lib/*.dll", Rules::WINDOWS).len(), 2);
    }

    #[test]
    fn a_backslash_separates_on_windows_and_escapes_elsewhere() {
        let root = tree(&FILES);
        assert_eq!(
            expand(&root, r"?nvs\?\*.pyd", Rules::WINDOWS),
            ["envs/b/z.pyd"]
        );
        assert_eq!(
            expand(&root, r"envs/\[new\]/*", Rules::UNIX),
            ["envs/[new]/w.dll"]
        );
    }

    #[test]
    fn a_part_that_exists_is_literal() {
        let root = tree(&FILES);
        assert_eq!(
            expand(&root, "envs/[new]/*.dll", Rules::UNIX),
            ["envs/[new]/w.dll"]
        );
        assert_eq!(
            expand(&root, "envs/{9f}/*.dll", Rules::UNIX),
            ["envs/{9f}/v.dll"]
        );
        assert_eq!(
            expand(&root, "envs/[ab]/*.pyd", Rules::UNIX),
            ["envs/b/z.pyd"]
        );
        assert_eq!(
            expand(&root, "envs/{a,b}/*.pyd", Rules::UNIX),
            ["envs/b/z.pyd"]
        );
    }

    #[test]
    fn the_prefix_of_long_paths_is_no_pattern() {
        assert!(!is_pattern(r"\\?\C:\a.dll", Rules::WINDOWS));
        assert!(is_pattern(r"\\?\C:\*.dll", Rules::WINDOWS));
        let pattern = Pattern::parse(r"\\?\C:\x\*.dll", Rules::WINDOWS).expect("a pattern");
        assert_eq!(pattern.base, Path::new(r"\\?\C:\x\"));
        let pattern = Pattern::parse(r"C:*.dll", Rules::WINDOWS).expect("a pattern");
        assert_eq!(pattern.base, Path::new("C:"));
    }

    #[test]
    fn a_broken_pattern_is_an_error() {
        assert!(Pattern::parse("x/[a", Rules::UNIX).is_err());
        assert!(Pattern::parse("x/{a,b/c}", Rules::UNIX).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn two_stars_follow_no_link() {
        let root = tree(&FILES);
        fs_err::os::unix::fs::symlink("..", root.path().join("envs/loop")).expect("a link");
        assert_eq!(expand(&root, "**/*.pyd", Rules::UNIX), ["envs/b/z.pyd"]);
    }
}
