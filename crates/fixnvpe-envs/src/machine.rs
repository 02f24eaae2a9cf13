//! A machine as a value: what the rules may know about it.

mod home;
mod this;
#[cfg(windows)]
mod win32;
pub(crate) mod windows_path;

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) use self::home::Home;
use self::windows_path::WindowsPath;
use crate::disk::names::Case;
use crate::{Disk, Error, LiveDisk, NoRegistry, Registry};

/// The operating system that a machine's disks belong to, which need not be
/// the one that reads them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each is the name of a system")]
pub enum Os {
    Windows,
    Linux,
    MacOs,
}

/// A drive, or the root folder of a system without drives.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Drive {
    /// The letter, in upper case; `None` where the system has no letters.
    pub letter: Option<char>,
    /// The folder where it can be read here: `C:\`, `/mnt/c`, `/`.
    pub root: PathBuf,
    /// Whether it is built in. Removable and network drives are read only
    /// where something names a folder on them.
    pub fixed: bool,
}

/// One machine: its system, drives, homes, variables and registry.
///
/// ```
/// # fn main() -> Result<(), fixnvpe_envs::Error> {
/// use fixnvpe_envs::{Machine, Os};
///
/// // The Windows disks below /mnt, seen from WSL.
/// let machine = Machine::mounted([('C', "/mnt/c".into()), ('D', "/mnt/d".into())])?;
/// assert_eq!(machine.os(), Os::Windows);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Machine {
    os: Os,
    pub(crate) drives: Vec<Drive>,
    pub(crate) homes: Vec<Home>,
    /// Names as the system compares them, see [`Machine::variable`].
    variables: BTreeMap<String, OsString>,
    pub(crate) registry: Arc<dyn Registry>,
    pub(crate) disk: Arc<dyn Disk>,
    pub(crate) current_folder: Option<PathBuf>,
    pub(crate) named: Vec<String>,
    /// Whether a drive that is not in `drives` can be read under its letter.
    letters_are_paths: bool,
}

/// Why a path that a file or variable names cannot be followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lost {
    Drive(char),
    Network,
    NotAbsolute,
}

impl Machine {
    fn new(os: Os, drives: Vec<Drive>) -> Self {
        Self {
            os,
            drives,
            homes: Vec::new(),
            variables: BTreeMap::new(),
            registry: Arc::new(NoRegistry),
            disk: Arc::new(LiveDisk),
            current_folder: None,
            named: Vec::new(),
            letters_are_paths: false,
        }
    }

    /// A Windows machine whose disks are seen from elsewhere: each drive letter
    /// with the folder where that drive is mounted. It has no variables and no
    /// registry; its users are the folders below `Users`.
    ///
    /// # Errors
    ///
    /// [`Error::DriveTwice`], [`Error::NoDriveLetter`].
    pub fn mounted(drives: impl IntoIterator<Item = (char, PathBuf)>) -> Result<Self, Error> {
        let mut mounted: Vec<Drive> = Vec::new();
        for (letter, root) in drives {
            let shown = |path: &Path| path.display().to_string();
            if !letter.is_ascii_alphabetic() {
                let folder = shown(&root);
                return Err(Error::NoDriveLetter { letter, folder });
            }
            let letter = letter.to_ascii_uppercase();
            if let Some(first) = mounted.iter().find(|drive| drive.letter == Some(letter)) {
                return Err(Error::DriveTwice {
                    letter,
                    first: shown(&first.root),
                    second: shown(&root),
                });
            }
            mounted.push(Drive {
                letter: Some(letter),
                root,
                fixed: true,
            });
        }
        Ok(Self::new(Os::Windows, mounted))
    }

    /// A machine without drive letters whose root folder is `root`: `/`, or
    /// where its disk is mounted.
    pub fn rooted(os: Os, root: impl Into<PathBuf>) -> Self {
        let root = Drive {
            letter: None,
            root: root.into(),
            fixed: true,
        };
        Self::new(os, vec![root])
    }

    /// The machine with one more variable (`CONDA_PREFIX`). Paths in it are
    /// written as that machine writes them.
    #[must_use]
    pub fn with_variable(mut self, name: &str, value: impl Into<OsString>) -> Self {
        let key = self.case().key(name);
        self.variables.insert(key, value.into());
        self
    }

    /// The machine with a registry.
    #[must_use]
    pub fn with_registry(mut self, registry: impl Registry + 'static) -> Self {
        self.registry = Arc::new(registry);
        self
    }

    /// The machine read through another [`Disk`].
    #[must_use]
    pub fn with_disk(mut self, disk: impl Disk + 'static) -> Self {
        self.disk = Arc::new(disk);
        self
    }

    /// The machine with a current folder, a path of the system that reads it.
    /// A folder that lies on none of the machine's drives does not count.
    #[must_use]
    pub fn with_current_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        let key = |path: &Path| self.case().path(path);
        let lies_here = |drive: &Drive| key(&folder).starts_with(key(&drive.root));
        if self.letters_are_paths || self.drives.iter().any(lies_here) {
            self.current_folder = Some(folder);
        }
        self
    }

    /// The machine with folders that somebody says are environments, written
    /// as [`find`](crate::find) takes a prefix: a look around considers them
    /// wherever they lie. A text without a slash or backslash is a name, which
    /// leads nowhere.
    #[must_use]
    pub fn with_named<T: Into<String>>(mut self, prefixes: impl IntoIterator<Item = T>) -> Self {
        let prefixes = prefixes.into_iter().map(Into::into);
        self.named
            .extend(prefixes.filter(|text| text.contains(['/', '\\'])));
        self
    }

    /// Which system's disks these are.
    #[must_use]
    pub fn os(&self) -> Os {
        self.os
    }

    /// The drives.
    #[must_use]
    pub fn drives(&self) -> &[Drive] {
        &self.drives
    }

    /// A path of the system that reads the machine, in the form in which paths
    /// that the machine takes for one are equal, and one lies below another by
    /// its parts (`C:\Users` and `c:\users\mei`).
    #[must_use]
    pub fn comparable(&self, path: &Path) -> PathBuf {
        self.case().path(path)
    }

    /// How this machine compares names of files.
    pub(crate) fn case(&self) -> Case {
        match self.os {
            Os::Windows => Case::Ignored,
            Os::Linux | Os::MacOs => Case::Exact,
        }
    }

    /// A variable's value; Windows does not tell `Path` from `PATH`. An empty
    /// one counts as not set.
    pub(crate) fn variable(&self, name: &str) -> Option<&OsStr> {
        let value = self.variables.get(&self.case().key(name))?;
        (!value.is_empty()).then_some(value)
    }

    /// The names of the variables that fit a pattern (`CUDA_PATH*`).
    pub(crate) fn variables_like(&self, pattern: &str) -> Vec<&str> {
        self.variables
            .keys()
            .filter(|name| self.case().fits(OsStr::new(name), pattern))
            .map(String::as_str)
            .collect()
    }

    /// What separates the folders of a list in a variable.
    pub(crate) fn list_separator(&self) -> char {
        match self.os {
            Os::Windows => ';',
            Os::Linux | Os::MacOs => ':',
        }
    }

    /// Where a path that this machine wrote lies here: a folder that is
    /// certain, and names below it that have yet to be found.
    pub(crate) fn locate(&self, text: &str) -> Result<(PathBuf, Vec<String>), Lost> {
        if self.os != Os::Windows {
            let below = text.strip_prefix('/').ok_or(Lost::NotAbsolute)?;
            let root = self.drives.first().ok_or(Lost::NotAbsolute)?;
            return Ok((root.root.join(below.trim_start_matches('/')), Vec::new()));
        }
        match windows_path::parse(text) {
            WindowsPath::Absolute { letter, parts } => {
                let root = self.drive_root(letter).ok_or(Lost::Drive(letter))?;
                Ok((root, parts))
            }
            WindowsPath::Rooted(parts) => {
                let root = self.drive_root('C').ok_or(Lost::Drive('C'))?;
                Ok((root, parts))
            }
            WindowsPath::Network => Err(Lost::Network),
            WindowsPath::Other => Err(Lost::NotAbsolute),
        }
    }

    fn drive_root(&self, letter: char) -> Option<PathBuf> {
        let known = self
            .drives
            .iter()
            .find(|drive| drive.letter == Some(letter));
        match known {
            Some(drive) => Some(drive.root.clone()),
            None => self
                .letters_are_paths
                .then(|| PathBuf::from(format!("{letter}:\\"))),
        }
    }

    /// Whether another file system shows as a folder like any other. Windows
    /// itself shows it as a link; a Windows disk mounted elsewhere does not.
    pub(crate) fn shows_mounts_as_folders(&self) -> bool {
        !self.letters_are_paths
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_drives() -> Machine {
        let drives = [
            ('c', PathBuf::from("/mnt/c")),
            ('D', PathBuf::from("/mnt/d")),
        ];
        Machine::mounted(drives).unwrap()
    }

    #[test]
    fn windows_paths_are_mapped_through_the_drives() {
        let machine = two_drives();
        let (root, parts) = machine.locate(r"d:\envs\Yolo v5").unwrap();
        assert_eq!(root, Path::new("/mnt/d"));
        assert_eq!(parts, ["envs", "Yolo v5"]);
        assert_eq!(machine.locate(r"E:\envs"), Err(Lost::Drive('E')));
        assert_eq!(machine.locate(r"\\nas\envs"), Err(Lost::Network));
        assert_eq!(
            machine.locate("/home/ann/env").unwrap().0,
            Path::new("/mnt/c")
        );
        assert_eq!(machine.locate("envs"), Err(Lost::NotAbsolute));
    }

    #[test]
    fn a_drive_given_twice_is_an_error_that_names_both_folders() {
        let drives = [('C', PathBuf::from("/a")), ('c', PathBuf::from("/b"))];
        let error = Machine::mounted(drives).unwrap_err().to_string();
        assert_eq!(error, "drive C: was given twice: `/a` and `/b`");
        let error = Machine::mounted([('1', PathBuf::from("/a"))]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "`1` is no drive letter (for the folder `/a`)"
        );
    }

    #[test]
    fn windows_does_not_tell_variables_apart_by_case() {
        let machine = two_drives()
            .with_variable("Path", r"C:\bin")
            .with_variable("EMPTY", "");
        assert_eq!(machine.variable("PATH"), Some(OsStr::new(r"C:\bin")));
        assert_eq!(machine.variable("empty"), None);
        let linux = Machine::rooted(Os::Linux, "/").with_variable("Path", "x");
        assert_eq!(linux.variable("PATH"), None);
    }

    #[test]
    fn paths_of_a_rooted_machine_stay_below_its_root() {
        let machine = Machine::rooted(Os::Linux, "/backup");
        let (path, parts) = machine.locate("//home/ann").unwrap();
        assert_eq!(path, Path::new("/backup/home/ann"));
        assert!(parts.is_empty());
    }

    #[test]
    fn a_current_folder_elsewhere_does_not_count() {
        let machine = two_drives().with_current_folder("/home/ann");
        assert_eq!(machine.current_folder, None);
        let machine = machine.with_current_folder("/mnt/d/work");
        assert_eq!(machine.current_folder, Some(PathBuf::from("/mnt/d/work")));
    }
}
