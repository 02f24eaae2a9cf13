//! Folders of the system, as it names them itself. A variable says what whoever
//! set it wants.

use std::path::PathBuf;

use crate::system;

/// Where programs keep the data of all users, on Windows: `C:\ProgramData`.
/// `None` elsewhere.
#[must_use]
pub fn program_data() -> Option<PathBuf> {
    system::program_data()
}

/// Where programs of this program's word size are installed, on Windows:
/// `C:\Program Files`. `None` elsewhere.
#[must_use]
pub fn program_files() -> Option<PathBuf> {
    system::program_files()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_alone_has_these_folders_and_they_are_there() {
        for folder in [program_data(), program_files()] {
            assert_eq!(folder.is_some(), cfg!(windows));
            assert!(folder.is_none_or(|folder| folder.is_dir()));
        }
    }
}
