//! From the words of the command line to the paths that a run works on.

mod environments;

use std::ffi::{OsStr, OsString};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use fixnvpe_batch::Root;
use globset::GlobMatcher;

use crate::arguments;
use crate::fatal::{Fatal, Word};
use crate::message;
use crate::paths::absolute;
use crate::pattern::{Pattern, Rules, is_pattern};

pub(crate) use environments::{Around, kinds};

/// What is selected.
#[derive(Debug)]
pub(crate) struct Selected {
    /// The absolute paths, in the order of the command line.
    pub(crate) roots: Vec<Root>,
    /// What is subtracted.
    pub(crate) exclusions: Exclusions,
    /// Folders in which a pattern could not look.
    pub(crate) unreadable: Vec<(PathBuf, io::Error)>,
    /// What of the machine is selected, and what inside it is not.
    marks: environments::Marks,
}

impl Selected {
    /// The selected folders: any of them may be an environment.
    pub(crate) fn folders(&self) -> impl Iterator<Item = &str> {
        let folders = self.roots.iter().filter(|root| root.path.is_dir());
        folders.filter_map(|root| root.path.to_str())
    }

    /// Reads a selection: patterns are expanded, lists are read.
    ///
    /// # Errors
    ///
    /// Usage errors only: a pattern that is none or matches nothing, a list
    /// that cannot be read or is empty.
    pub(crate) fn read(selection: &arguments::Selection, rules: Rules) -> Result<Self, Fatal> {
        let mut selected = Self {
            roots: Vec::new(),
            exclusions: Exclusions::new(&selection.exclude, rules)?,
            unreadable: Vec::new(),
            marks: environments::Marks::default(),
        };
        for word in &selection.paths {
            selected.add(word, rules)?;
        }
        for list in &selection.files_from {
            let names = read_list(list)?;
            if names.is_empty() {
                return Err(Fatal::usage(message!(
                    "list-is-empty",
                    list = shown_list(list)
                )));
            }
            for name in names {
                selected.push(name.as_ref(), Root::named);
            }
        }
        Ok(selected)
    }

    /// Whether an absolute path is left out: excluded, or a part of something
    /// that was not selected.
    pub(crate) fn leaves_out(&self, path: &Path) -> bool {
        self.exclusions.excludes(path) || self.marks.leave_out(path)
    }

    fn add(&mut self, word: &OsStr, rules: Rules) -> Result<(), Fatal> {
        let text = match word.to_str() {
            Some(text) if is_pattern(text, rules) && !exists(word) => text,
            // No text, no pattern: a name that is not Unicode is literal.
            _ => {
                self.push(word.as_ref(), Root::named);
                return Ok(());
            }
        };
        let pattern = Pattern::parse(text, rules).map_err(|error| {
            Fatal::usage(message!("pattern-is-invalid", pattern = text)).detail(error.to_string())
        })?;
        let expansion = pattern.expand();
        if expansion.paths.is_empty() && expansion.unreadable.is_empty() {
            return Err(
                Fatal::usage(message!("pattern-matches-nothing", pattern = text))
                    .code(Word::NoMatch),
            );
        }
        for path in expansion.paths {
            self.push(&path, Root::matched);
        }
        self.unreadable.extend(expansion.unreadable);
        Ok(())
    }

    fn push(&mut self, path: &Path, root: fn(PathBuf) -> Root) {
        // Fails for the empty path only, which does not exist either way.
        self.roots.push(root(absolute(path)));
    }
}

fn exists(path: &OsStr) -> bool {
    fs_err::symlink_metadata(path).is_ok()
}

fn shown_list(list: &Path) -> String {
    if list == Path::new("-") {
        "stdin".to_owned()
    } else {
        list.display().to_string()
    }
}

/// The paths of a list, one a line, taken literally.
fn read_list(list: &Path) -> Result<Vec<OsString>, Fatal> {
    let mut bytes = Vec::new();
    let read = if list == Path::new("-") {
        io::stdin().lock().read_to_end(&mut bytes).map(drop)
    } else {
        fs_err::File::open(list).and_then(|mut file| file.read_to_end(&mut bytes).map(drop))
    };
    read.and_then(|()| names_in(&bytes)).map_err(|error| {
        Fatal::usage(message!("list-is-unreadable", list = shown_list(list)))
            .detail(error.to_string())
    })
}

/// The names in a list: UTF-8 or, as PowerShell's `>` writes it, UTF-16 with a
/// byte-order mark; a name ends at the end of a line, or at a NUL byte where
/// there is one (`find -print0`). On Unix any bytes are a name.
fn names_in(bytes: &[u8]) -> io::Result<Vec<OsString>> {
    if let Some(text) = utf16(bytes)? {
        let lines = text.lines().filter(|line| !line.is_empty());
        return Ok(lines.map(OsString::from).collect());
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let end = if bytes.contains(&0) { 0 } else { b'\n' };
    bytes
        .split(|byte| *byte == end)
        .map(|line| line.strip_suffix(b"\r").unwrap_or(line))
        .filter(|line| !line.is_empty())
        .map(name)
        .collect()
}

fn utf16(bytes: &[u8]) -> io::Result<Option<String>> {
    let (unit, rest): (fn([u8; 2]) -> u16, _) = match bytes {
        [0xff, 0xfe, rest @ ..] => (u16::from_le_bytes, rest),
        [0xfe, 0xff, rest @ ..] => (u16::from_be_bytes, rest),
        _ => return Ok(None),
    };
    let units: Vec<u16> = rest
        .chunks_exact(2)
        .map(|pair| unit([pair[0], pair[1]]))
        .collect();
    String::from_utf16(&units)
        .map(Some)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// A name from a list: Unicode everywhere, and on Unix any other bytes too.
#[cfg_attr(
    unix,
    expect(
        clippy::unnecessary_wraps,
        reason = "elsewhere not all bytes are a name"
    )
)]
fn name(bytes: &[u8]) -> io::Result<OsString> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.into()),
        #[cfg(unix)]
        Err(_) => {
            use std::os::unix::ffi::OsStrExt;
            Ok(OsStr::from_bytes(bytes).to_owned())
        }
        #[cfg(not(unix))]
        Err(error) => Err(io::Error::new(io::ErrorKind::InvalidData, error)),
    }
}

/// What is subtracted from a selection.
#[derive(Debug)]
pub(crate) struct Exclusions {
    rules: Rules,
    items: Vec<Exclusion>,
}

#[derive(Debug)]
struct Exclusion {
    written: OsString,
    what: Excluded,
    matched: AtomicBool,
}

#[derive(Debug)]
enum Excluded {
    /// Every file and folder of this name.
    Name(OsString),
    /// Every file and folder whose name matches, or is the pattern itself.
    Names(OsString, GlobMatcher),
    /// This path and all below it.
    Prefix(PathBuf),
    /// Every path that matches and all below it.
    Paths(GlobMatcher),
}

impl Exclusions {
    /// None at all.
    pub(crate) fn none(rules: Rules) -> Self {
        Self {
            rules,
            items: Vec::new(),
        }
    }

    fn new(words: &[OsString], rules: Rules) -> Result<Self, Fatal> {
        let items = words
            .iter()
            .map(|word| {
                Ok(Exclusion {
                    written: word.clone(),
                    what: Excluded::read(word, rules)?,
                    matched: AtomicBool::new(false),
                })
            })
            .collect::<Result<_, Fatal>>()?;
        Ok(Self { rules, items })
    }

    /// Whether an absolute path is excluded, by itself or by a folder above it.
    pub(crate) fn excludes(&self, path: &Path) -> bool {
        let mut excluded = false;
        for item in &self.items {
            if item.what.holds(path, self.rules) {
                item.matched.store(true, Ordering::Relaxed);
                excluded = true;
            }
        }
        excluded
    }

    /// Whether an environment is excluded by what people call it.
    pub(crate) fn excludes_name(&self, name: &str) -> bool {
        let mut excluded = false;
        for item in &self.items {
            let fits = match &item.what {
                Excluded::Name(own) => same_name(own, OsStr::new(name), self.rules),
                Excluded::Names(_, matcher) => matcher.is_match(Path::new(name)),
                _ => false,
            };
            if fits {
                item.matched.store(true, Ordering::Relaxed);
                excluded = true;
            }
        }
        excluded
    }

    /// The exclusions that met nothing so far: perhaps mistyped.
    pub(crate) fn unmatched(&self) -> impl Iterator<Item = &OsStr> {
        self.items
            .iter()
            .filter(|item| !item.matched.load(Ordering::Relaxed))
            .map(|item| item.written.as_os_str())
    }
}

impl Excluded {
    fn read(word: &OsStr, rules: Rules) -> Result<Self, Fatal> {
        let text = word.to_str();
        let is_bare = !word
            .as_encoded_bytes()
            .iter()
            .any(|byte| rules.is_separator(char::from(*byte)));
        let pattern = text.filter(|text| is_pattern(text, rules) && !exists(word));
        match (is_bare, pattern) {
            (true, None) => Ok(Self::Name(word.to_owned())),
            // Brackets are common in names: `[b]` excludes that name too.
            (true, Some(pattern)) => Ok(Self::Names(word.to_owned(), matcher(pattern, rules)?)),
            (false, None) => Ok(Self::Prefix(absolute(word.as_ref()))),
            (false, Some(pattern)) => {
                let whole = absolute(pattern.as_ref());
                matcher(slashes(&whole, rules), rules).map(Self::Paths)
            }
        }
    }

    fn holds(&self, path: &Path, rules: Rules) -> bool {
        match self {
            Self::Name(name) => path.iter().any(|part| same_name(part, name, rules)),
            Self::Names(name, matcher) => path
                .iter()
                .any(|part| same_name(part, name, rules) || matcher.is_match(Path::new(part))),
            Self::Prefix(prefix) => {
                let mut parts = path.iter();
                prefix
                    .iter()
                    .all(|part| parts.next().is_some_and(|own| same_name(own, part, rules)))
            }
            Self::Paths(matcher) => path
                .ancestors()
                .any(|above| matcher.is_match(Path::new(&slashes(above, rules)))),
        }
    }
}

/// A path with the one separator that matchers compare by.
fn slashes(path: &Path, rules: Rules) -> OsString {
    match path.to_str() {
        Some(text) if rules.backslash_separates => text.replace('\\', "/").into(),
        _ => path.into(),
    }
}

fn matcher(pattern: impl AsRef<OsStr>, rules: Rules) -> Result<GlobMatcher, Fatal> {
    let pattern = pattern.as_ref().to_string_lossy();
    rules.matcher(&pattern).map_err(|error| {
        Fatal::usage(message!("pattern-is-invalid", pattern = pattern.as_ref()))
            .detail(error.to_string())
    })
}

fn same_name(a: &OsStr, b: &OsStr, rules: Rules) -> bool {
    a == b
        || (rules.ignore_case
            && a.to_string_lossy().to_lowercase() == b.to_string_lossy().to_lowercase())
}

#[cfg(test)]
mod tests;
