//! Folders that only administrators may write to.

use std::fs::File;
use std::io;
use std::os::windows::ffi::OsStringExt;
use std::path::Path;
use std::ptr;

use fs_err::os::windows::fs::OpenOptionsExt;
use windows_sys::Win32::Foundation::{ERROR_ALREADY_EXISTS, ERROR_SUCCESS, HLOCAL, LocalFree};
use windows_sys::Win32::Security::Authorization::{
    ConvertSidToStringSidW, ConvertStringSecurityDescriptorToSecurityDescriptorW, GetSecurityInfo,
    SDDL_REVISION_1, SE_FILE_OBJECT,
};
use windows_sys::Win32::Security::{
    ACCESS_ALLOWED_ACE, ACE_HEADER, ACL, DACL_SECURITY_INFORMATION, GetAce,
    OWNER_SECURITY_INFORMATION, PSECURITY_DESCRIPTOR, PSID, SECURITY_ATTRIBUTES,
};
use windows_sys::Win32::Storage::FileSystem::{
    CreateDirectoryW, FILE_FLAG_BACKUP_SEMANTICS, FILE_FLAG_OPEN_REPARSE_POINT,
    FILE_READ_ATTRIBUTES, FILE_SHARE_DELETE, FILE_SHARE_READ, FILE_SHARE_WRITE, READ_CONTROL,
};

use super::{extended, handle, stat, terminated};
use crate::protection::access::{Entry, Rights};
use crate::{Exposure, Kind};

/// Administrators own it; they and the system may do everything with it and
/// what is made in it, users may read; nothing comes from the folder above.
const RIGHTS: &str = "O:BAD:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;0x1200a9;;;BU)";

/// Memory that Windows allocated and leaves to the caller to free.
struct Local(HLOCAL);

impl Drop for Local {
    fn drop(&mut self) {
        // SAFETY: it came from a function that says to free it so, and nothing
        // uses it any more.
        unsafe { LocalFree(self.0) };
    }
}

pub(crate) fn create_protected_folder(folder: &Path) -> io::Result<Option<Exposure>> {
    if let Some(above) = folder.parent() {
        fs_err::create_dir_all(above)?;
    }
    match create(folder) {
        Err(error) if error.raw_os_error() == Some(ERROR_ALREADY_EXISTS.cast_signed()) => {
            exposure(folder)
        }
        created => created.map(|()| None),
    }
}

/// Makes the folder with its rights, in one step.
fn create(folder: &Path) -> io::Result<()> {
    let text = terminated(RIGHTS.as_ref());
    let mut descriptor: PSECURITY_DESCRIPTOR = ptr::null_mut();
    // SAFETY: `text` ends with a NUL; the descriptor is written to, its length
    // is not asked for.
    let done = unsafe {
        ConvertStringSecurityDescriptorToSecurityDescriptorW(
            text.as_ptr(),
            SDDL_REVISION_1,
            &raw mut descriptor,
            ptr::null_mut(),
        )
    };
    if done == 0 {
        return Err(io::Error::last_os_error());
    }
    let descriptor = Local(descriptor);
    let attributes = SECURITY_ATTRIBUTES {
        nLength: u32::try_from(size_of::<SECURITY_ATTRIBUTES>()).unwrap_or(0),
        lpSecurityDescriptor: descriptor.0,
        bInheritHandle: 0,
    };
    let path = terminated(extended(folder)?.as_os_str());
    // SAFETY: `path` ends with a NUL; the attributes and their descriptor live
    // as long as the call.
    if unsafe { CreateDirectoryW(path.as_ptr(), &raw const attributes) } == 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

/// What is wrong with a folder that is there. All is asked of one handle: what
/// stands under the name cannot be exchanged in between.
fn exposure(folder: &Path) -> io::Result<Option<Exposure>> {
    let file = open(folder)?;
    match stat(&file)?.kind {
        Kind::Folder => {
            let exposure = rights(&file)?.exposure();
            Ok(exposure.filter(|_| keeps_rights(folder)))
        }
        Kind::File => Ok(Some(Exposure::NotAFolder)),
        _ => Ok(Some(Exposure::Link)),
    }
}

fn open(folder: &Path) -> io::Result<File> {
    let mut options = fs_err::OpenOptions::new();
    options
        .access_mode(FILE_READ_ATTRIBUTES | READ_CONTROL)
        .share_mode(FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE)
        .custom_flags(FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT);
    Ok(options.open(extended(folder)?)?.into_file())
}

/// Whether rights mean something beside this folder: a new one has those that it
/// was made with. Wine and some file systems keep none, whoever may write.
fn keeps_rights(folder: &Path) -> bool {
    let name = format!(".fixnvpe-{}.probe", std::process::id());
    let probe = folder.with_file_name(name);
    if create(&probe).is_err() {
        return true;
    }
    let read = || -> io::Result<Option<Exposure>> { Ok(rights(&open(&probe)?)?.exposure()) };
    let kept = !read().is_ok_and(|exposure| exposure.is_some());
    // One that stays behind is empty, and nobody's but an administrator's.
    let _ = fs_err::remove_dir(&probe);
    kept
}

fn rights(file: &File) -> io::Result<Rights> {
    let (mut owner, mut list): (PSID, *mut ACL) = (ptr::null_mut(), ptr::null_mut());
    let mut descriptor: PSECURITY_DESCRIPTOR = ptr::null_mut();
    // SAFETY: the handle is open while `file` lives; the results are written to.
    let code = unsafe {
        GetSecurityInfo(
            handle(file),
            SE_FILE_OBJECT,
            OWNER_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION,
            &raw mut owner,
            ptr::null_mut(),
            &raw mut list,
            ptr::null_mut(),
            &raw mut descriptor,
        )
    };
    if code != ERROR_SUCCESS {
        return Err(io::Error::from_raw_os_error(code.cast_signed()));
    }
    // The owner and the list lie in it.
    let _descriptor = Local(descriptor);
    Ok(Rights {
        owner: text_of(owner),
        list: (!list.is_null()).then(|| entries(list)),
    })
}

/// The entries of a list that is not null and valid.
fn entries(list: *mut ACL) -> Vec<Entry> {
    // SAFETY: the caller's list is valid.
    let count = unsafe { (*list).AceCount };
    let entry = |index: u32| {
        let mut entry: *mut core::ffi::c_void = ptr::null_mut();
        // SAFETY: as above; `index` is below the count of entries.
        if unsafe { GetAce(list, index, &raw mut entry) } == 0 {
            return None;
        }
        // SAFETY: GetAce has given an entry of the list, each of which starts
        // with this header.
        let header = unsafe { entry.cast::<ACE_HEADER>().read_unaligned() };
        let entry: *mut ACCESS_ALLOWED_ACE = entry.cast();
        // SAFETY: in every kind of entry the rights follow the header.
        let rights = unsafe { (&raw const (*entry).Mask).read_unaligned() };
        // In entries that allow, and no others, the SID follows the rights.
        let is_plain = header.AceType == 0;
        let who = || {
            // SAFETY: the entry is a plain one, so its SID starts here.
            text_of(unsafe { (&raw mut (*entry).SidStart).cast() })
        };
        Some(Entry {
            kind: header.AceType,
            rights,
            who: is_plain.then(who).flatten(),
        })
    };
    // One that is not given counts as one that lets everybody do everything.
    let unknown = || Entry {
        kind: 0,
        rights: u32::MAX,
        who: None,
    };
    (0..u32::from(count))
        .map(|index| entry(index).unwrap_or_else(unknown))
        .collect()
}

/// A SID as `S-1-…`.
fn text_of(sid: PSID) -> Option<String> {
    if sid.is_null() {
        return None;
    }
    let mut text = ptr::null_mut();
    // SAFETY: `sid` is valid; the text is written to.
    if unsafe { ConvertSidToStringSidW(sid, &raw mut text) } == 0 {
        return None;
    }
    let owned = Local(text.cast());
    let mut length = 0;
    // SAFETY: the text ends with a NUL, so every unit up to that may be read.
    let units = unsafe {
        while *text.add(length) != 0 {
            length += 1;
        }
        std::slice::from_raw_parts(text, length)
    };
    let read = std::ffi::OsString::from_wide(units).into_string().ok();
    drop(owned);
    read
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_was_made_so_is_found_so_again() {
        if !crate::is_elevated() {
            // Nobody else may make administrators the owner.
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state");
        for _ in 0..3 {
            assert_eq!(create_protected_folder(&path).unwrap(), None);
            fs_err::write(path.join("journal.jsonl"), b"").unwrap();
        }
        let rights = rights(&open(&path).unwrap()).unwrap();
        assert!(rights.owner.unwrap().starts_with("S-1-"));
        assert!(rights.list.is_some_and(|list| !list.is_empty()));
        // Nothing else is left beside.
        assert_eq!(fs_err::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_that_a_user_made_is_the_users_where_rights_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state");
        fs_err::create_dir(&path).unwrap();
        let exposure = create_protected_folder(&path).unwrap();
        assert_eq!(exposure.is_some(), keeps_rights(&path));
    }
}
