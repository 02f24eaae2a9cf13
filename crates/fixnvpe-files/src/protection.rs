//! Folders that only administrators may write to.
//!
//! What an administrator's run writes down, and later believes, must not be
//! anybody's to write. Windows lets every user make folders in
//! `%ProgramData%`, so such a folder may be there before the program is, and
//! belong to whoever made it.

use std::io;
use std::path::Path;

use crate::system;

/// Why a folder is not an administrator's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Exposure {
    /// It is a link, junction or other reparse point: it leads wherever its
    /// maker wants.
    Link,
    /// It is no folder.
    NotAFolder,
    /// Somebody who is no administrator owns it, and may change its rights.
    Owner,
    /// Others than administrators may write to it, or to what is made in it.
    Writable,
}

impl std::fmt::Display for Exposure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Link => "it is a link to another place",
            Self::NotAFolder => "it is no folder",
            Self::Owner => "its owner is no administrator",
            Self::Writable => "others than administrators may write to it",
        })
    }
}

/// Creates a folder that everybody may read and administrators alone may write
/// to, with those above it where they are missing; or says why the one that is
/// there is not so.
///
/// # Errors
///
/// The operating system's error when the folder cannot be made or described.
pub fn create_protected_folder(folder: &Path) -> io::Result<Option<Exposure>> {
    system::create_protected_folder(folder)
}

/// The rules of Windows, as functions of values, so that they run everywhere.
/// (Microsoft's pages "Well-known SIDs", "`ACE_HEADER`" and "File Access
/// Rights Constants".)
#[cfg(any(windows, test))]
pub(crate) mod access {
    use super::Exposure;

    /// Who may write: the system, administrators, Windows' own installer. The
    /// creator and the owner of something are those who may make or own it.
    const TRUSTED: [&str; 5] = [
        "S-1-5-18",
        "S-1-5-32-544",
        "S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464",
        "S-1-3-0",
        "S-1-3-4",
    ];

    /// The first three may own such a folder.
    const OWNERS: &[&str] = TRUSTED.split_at(3).0;

    /// Creating files and folders, deleting, changing attributes or rights, and
    /// the generic rights that hold those.
    const WRITING: u32 = 0x2
        | 0x4
        | 0x10
        | 0x40
        | 0x100
        | 0x1_0000
        | 0x4_0000
        | 0x8_0000
        | 0x1000_0000
        | 0x4000_0000;

    /// One entry of an access control list.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) struct Entry {
        /// `AceType`.
        pub(crate) kind: u8,
        /// The rights that it speaks of.
        pub(crate) rights: u32,
        /// Whom it is about, `S-1-…`; `None` for a kind of entry whose form is
        /// not known.
        pub(crate) who: Option<String>,
    }

    /// Who owns something, and who may do what with it.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) struct Rights {
        /// `S-1-…`.
        pub(crate) owner: Option<String>,
        /// `None` where there is no list, which lets everybody do everything.
        pub(crate) list: Option<Vec<Entry>>,
    }

    impl Rights {
        /// What is wrong with them, for a folder that is an administrator's.
        /// Entries that only what is made in it inherits count as well.
        pub(crate) fn exposure(&self) -> Option<Exposure> {
            let is_one_of = |list: &[&str], who: &Option<String>| {
                who.as_deref().is_some_and(|who| list.contains(&who))
            };
            if !is_one_of(OWNERS, &self.owner) {
                return Some(Exposure::Owner);
            }
            let exposes = |entry: &Entry| {
                !is_denial(entry.kind)
                    && entry.rights & WRITING != 0
                    && !is_one_of(&TRUSTED, &entry.who)
            };
            match &self.list {
                Some(list) if !list.iter().any(exposes) => None,
                _ => Some(Exposure::Writable),
            }
        }
    }

    /// The kinds that take rights away, or only write down who used them.
    fn is_denial(kind: u8) -> bool {
        // ACCESS_DENIED and SYSTEM_AUDIT, plain, for objects and with callbacks;
        // SYSTEM_MANDATORY_LABEL.
        matches!(kind, 1 | 6 | 10 | 12 | 2 | 7 | 13 | 15 | 17)
    }
}

#[cfg(test)]
mod tests {
    use super::access::{Entry, Rights};
    use super::*;

    const SYSTEM: &str = "S-1-5-18";
    const ADMINISTRATORS: &str = "S-1-5-32-544";
    const USERS: &str = "S-1-5-32-545";
    const MEI: &str = "S-1-5-21-1-2-3-1001";
    const ALLOWED: u8 = 0;
    const DENIED: u8 = 1;
    const ALL: u32 = 0x1f_01ff;
    const READ: u32 = 0x12_00a9;

    fn rights(owner: &str, list: &[(u8, u32, &str)]) -> Rights {
        let entry = |(kind, rights, who): &(u8, u32, &str)| Entry {
            kind: *kind,
            rights: *rights,
            who: Some((*who).to_owned()),
        };
        Rights {
            owner: Some(owner.to_owned()),
            list: Some(list.iter().map(entry).collect()),
        }
    }

    #[test]
    fn a_folder_that_only_administrators_write_to_is_theirs() {
        let own = [
            (ALLOWED, ALL, SYSTEM),
            (ALLOWED, ALL, ADMINISTRATORS),
            (ALLOWED, READ, USERS),
        ];
        for owner in [SYSTEM, ADMINISTRATORS] {
            assert_eq!(rights(owner, &own).exposure(), None);
        }
        // Whoever makes something in it, as ProgramData hands it down.
        let inherited = [(ALLOWED, 0x1000_0000, "S-1-3-0")];
        assert_eq!(rights(SYSTEM, &inherited).exposure(), None);
        let denied = [(DENIED, ALL, USERS)];
        assert_eq!(rights(SYSTEM, &denied).exposure(), None);
    }

    #[test]
    fn a_folder_that_a_user_owns_is_the_users() {
        let own = [(ALLOWED, ALL, ADMINISTRATORS)];
        assert_eq!(rights(MEI, &own).exposure(), Some(Exposure::Owner));
        let mut nobodys = rights(MEI, &own);
        nobodys.owner = None;
        assert_eq!(nobodys.exposure(), Some(Exposure::Owner));
        // An entry about the owner makes no owner.
        let owner = rights("S-1-3-4", &own);
        assert_eq!(owner.exposure(), Some(Exposure::Owner));
    }

    #[test]
    fn every_right_to_write_that_another_has_exposes_a_folder() {
        // What ProgramData hands down to users: create files and folders.
        for right in [
            0x2,
            0x4,
            0x6,
            0x40,
            0x100,
            0x1_0000,
            0x4_0000,
            0x8_0000,
            0x1000_0000,
            0x4000_0000,
        ] {
            for who in [USERS, MEI, "S-1-1-0", "S-1-5-11"] {
                let rights = rights(SYSTEM, &[(ALLOWED, ALL, SYSTEM), (ALLOWED, right, who)]);
                assert_eq!(
                    rights.exposure(),
                    Some(Exposure::Writable),
                    "{right:x} {who}"
                );
            }
        }
    }

    #[test]
    fn a_missing_list_and_an_entry_of_unknown_form_expose_a_folder() {
        let mut rights = rights(SYSTEM, &[]);
        assert_eq!(rights.exposure(), None);
        rights.list = Some(vec![Entry {
            kind: 5,
            rights: ALL,
            who: None,
        }]);
        assert_eq!(rights.exposure(), Some(Exposure::Writable));
        rights.list = None;
        assert_eq!(rights.exposure(), Some(Exposure::Writable));
    }

    #[test]
    fn a_file_in_the_folders_place_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state");
        fs_err::write(&path, b"").unwrap();
        let exposure = create_protected_folder(&path).unwrap();
        assert_eq!(exposure, Some(Exposure::NotAFolder));
    }

    #[test]
    fn a_folder_is_made_with_those_above_it() {
        if cfg!(windows) && !crate::is_elevated() {
            // Nobody else may make administrators the owner.
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a").join("state");
        assert_eq!(create_protected_folder(&path).unwrap(), None);
        assert!(path.is_dir());
        fs_err::write(path.join("journal.jsonl"), b"").unwrap();
    }
}
