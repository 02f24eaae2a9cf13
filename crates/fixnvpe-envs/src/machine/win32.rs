//! What only a running Windows can tell: drives, moved folders, the registry.
#![allow(unsafe_code)]

use std::io;
use std::path::PathBuf;

use fixnvpe_files::KnownFolder;
use windows_sys::Win32::Storage::FileSystem::{GetDriveTypeW, GetLogicalDrives};
use winreg::RegKey;
use winreg::enums::{
    HKEY_CURRENT_USER, HKEY_LOCAL_MACHINE, KEY_READ, KEY_WOW64_32KEY, KEY_WOW64_64KEY,
};

use super::{Drive, Home};
use crate::{Hive, Registry};

/// `DRIVE_FIXED` of `GetDriveTypeW`.
const DRIVE_FIXED: u32 = 3;

/// Every drive that has a letter.
pub(super) fn drives() -> Vec<Drive> {
    // SAFETY: takes nothing, and returns a bit for each letter.
    let letters = unsafe { GetLogicalDrives() };
    ('A'..='Z')
        .enumerate()
        .filter(|(bit, _)| letters & (1 << bit) != 0)
        .map(|(_, letter)| {
            let root = format!("{letter}:\\");
            let wide: Vec<u16> = root.encode_utf16().chain([0]).collect();
            // SAFETY: `wide` ends with a zero and outlives the call.
            let kind = unsafe { GetDriveTypeW(wide.as_ptr()) };
            Drive {
                letter: Some(letter),
                root: PathBuf::from(root),
                fixed: kind == DRIVE_FIXED,
            }
        })
        .collect()
}

/// The caller's home and its folders, wherever they were moved, and the home
/// of every other user that has a profile here.
pub(super) fn homes() -> Vec<Home> {
    let mut homes = Vec::new();
    if let Some(folder) = KnownFolder::Profile.path() {
        let moved = [
            KnownFolder::Desktop,
            KnownFolder::Documents,
            KnownFolder::Downloads,
        ];
        homes.push(Home {
            own: true,
            local: KnownFolder::LocalAppData.path(),
            roaming: KnownFolder::RoamingAppData.path(),
            moved: moved.into_iter().filter_map(KnownFolder::path).collect(),
            ..Home::at(&folder)
        });
    }
    homes.extend(profiles().iter().map(|folder| Home::at(folder)));
    homes
}

/// The folders of the users' profiles (`ProfileList`), without those of the
/// system's own accounts.
fn profiles() -> Vec<PathBuf> {
    let list = r"SOFTWARE\Microsoft\Windows NT\CurrentVersion\ProfileList";
    let Ok(list) = RegKey::predef(HKEY_LOCAL_MACHINE).open_subkey(list) else {
        return Vec::new();
    };
    list.enum_keys()
        .filter_map(Result::ok)
        .filter(|sid| sid.starts_with("S-1-5-21-") || sid.starts_with("S-1-12-1-"))
        .filter_map(|sid| list.open_subkey(sid).ok())
        .filter_map(|profile| profile.get_value::<String, _>("ProfileImagePath").ok())
        .map(PathBuf::from)
        .filter(|path| path.is_absolute())
        .collect()
}

/// The registry of the running system.
#[derive(Debug)]
pub(super) struct LiveRegistry;

impl LiveRegistry {
    fn open(hive: Hive, key: &str) -> io::Result<Option<RegKey>> {
        let (root, view) = match hive {
            Hive::CurrentUser => (HKEY_CURRENT_USER, 0),
            Hive::LocalMachine64 => (HKEY_LOCAL_MACHINE, KEY_WOW64_64KEY),
            Hive::LocalMachine32 => (HKEY_LOCAL_MACHINE, KEY_WOW64_32KEY),
        };
        there(RegKey::predef(root).open_subkey_with_flags(key, KEY_READ | view))
    }
}

fn there<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

impl Registry for LiveRegistry {
    fn keys(&self, hive: Hive, key: &str) -> io::Result<Vec<String>> {
        match Self::open(hive, key)? {
            Some(key) => key.enum_keys().collect(),
            None => Ok(Vec::new()),
        }
    }

    fn value(&self, hive: Hive, key: &str, name: &str) -> io::Result<Option<String>> {
        match Self::open(hive, key)? {
            Some(key) => there(key.get_value(name)),
            None => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_running_windows_has_a_drive_c_and_a_home() {
        assert!(drives().iter().any(|drive| drive.letter == Some('C')));
        let homes = homes();
        let own = homes.iter().find(|home| home.own).unwrap();
        assert!(own.folder.is_absolute());
        assert!(own.local.as_ref().unwrap().is_absolute());
    }

    #[test]
    fn the_running_registry_is_read_in_both_views() {
        for hive in [Hive::LocalMachine64, Hive::LocalMachine32] {
            let keys = LiveRegistry.keys(hive, r"SOFTWARE\Microsoft").unwrap();
            assert!(keys.iter().any(|key| key == "Windows"), "{hive}: {keys:?}");
        }
        let version = r"SOFTWARE\Microsoft\Windows NT\CurrentVersion";
        let root = LiveRegistry.value(Hive::LocalMachine64, version, "SystemRoot");
        assert!(root.unwrap().is_some_and(|root| root.contains(':')));
    }

    #[test]
    fn what_is_not_in_the_registry_is_none_and_no_error() {
        let gone = r"Software\fixnvpe\no such key";
        assert_eq!(LiveRegistry.keys(Hive::CurrentUser, gone).unwrap(), [""; 0]);
        assert_eq!(
            LiveRegistry.value(Hive::CurrentUser, gone, "").unwrap(),
            None
        );
    }
}
