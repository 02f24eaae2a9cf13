//! Folders of the system, as it names them itself. A variable says what whoever
//! set it wants.

use std::path::PathBuf;

use crate::system;

/// A folder that Windows knows wherever it was moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KnownFolder {
    /// The caller's desktop.
    Desktop,
    /// The caller's documents.
    Documents,
    /// What the caller downloaded.
    Downloads,
    /// `%LOCALAPPDATA%`: the caller's data of programs, for this machine.
    LocalAppData,
    /// The caller's home.
    Profile,
    /// Where programs keep the data of all users: `C:\ProgramData`.
    ProgramData,
    /// Where programs of this program's word size are installed:
    /// `C:\Program Files`.
    ProgramFiles,
    /// `%APPDATA%`: the caller's data of programs, on every machine.
    RoamingAppData,
}

impl KnownFolder {
    /// Where it is, an absolute path; `None` elsewhere than on Windows.
    #[must_use]
    pub fn path(self) -> Option<PathBuf> {
        system::known_folder(self).filter(|path| path.is_absolute())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_alone_has_these_folders_and_they_are_there() {
        for folder in [KnownFolder::ProgramData, KnownFolder::ProgramFiles] {
            let folder = folder.path();
            assert_eq!(folder.is_some(), cfg!(windows));
            assert!(folder.is_none_or(|folder| folder.is_dir()));
        }
    }
}
