//! The Windows half.

#![allow(unsafe_code)]

use std::fs::FileTimes;
use std::io;
use std::os::windows::ffi::OsStrExt;
use std::os::windows::fs::FileTimesExt;
use std::path::Path;

use fs_err::os::windows::fs::OpenOptionsExt;
use windows_sys::Win32::Foundation::{ERROR_SUCCESS, LocalFree};
use windows_sys::Win32::Security::Authorization::{
    GetNamedSecurityInfoW, SE_FILE_OBJECT, SetNamedSecurityInfoW,
};
use windows_sys::Win32::Security::{
    ACE_HEADER, ACL, DACL_SECURITY_INFORMATION, GetAce, GetSecurityDescriptorControl,
    INHERITED_ACE, PROTECTED_DACL_SECURITY_INFORMATION, PSECURITY_DESCRIPTOR, SE_DACL_PROTECTED,
    UNPROTECTED_DACL_SECURITY_INFORMATION,
};
use windows_sys::Win32::Storage::FileSystem::FILE_WRITE_ATTRIBUTES;

pub(super) fn set_read_only(path: &Path, read_only: bool) -> io::Result<()> {
    let mut permissions = fs_err::symlink_metadata(path)?.permissions();
    permissions.set_readonly(read_only);
    fs_err::set_permissions(path, permissions)
}

/// Gives a copy what `CopyFileEx` leaves behind: the time of creation, and
/// access rights that were set on the original itself. Inherited rights the
/// copy has from the folder already, the owner from the token.
pub(super) fn copy_metadata(from: &Path, to: &Path) -> io::Result<()> {
    copy_creation_time(from, to)?;
    copy_access_rights(from, to)
}

fn copy_creation_time(from: &Path, to: &Path) -> io::Result<()> {
    let created = fs_err::metadata(from)?.created()?;
    let mut options = fs_err::OpenOptions::new();
    let file = options.access_mode(FILE_WRITE_ATTRIBUTES).open(to)?;
    file.set_times(FileTimes::new().set_created(created))
}

/// The access control list of a file, in memory that Windows allocated.
struct AccessRights {
    descriptor: PSECURITY_DESCRIPTOR,
    list: *mut ACL,
}

impl Drop for AccessRights {
    fn drop(&mut self) {
        // SAFETY: `descriptor` came from GetNamedSecurityInfoW, which says to
        // free it so; nothing uses it any more.
        unsafe { LocalFree(self.descriptor) };
    }
}

impl AccessRights {
    /// Reads the list; `None` on a file system without one, and where the
    /// caller may not see it.
    fn of(path: &Path) -> Option<Self> {
        let path = terminated(path);
        let mut rights = Self {
            descriptor: std::ptr::null_mut(),
            list: std::ptr::null_mut(),
        };
        // SAFETY: `path` ends with a NUL, and the results are written to two
        // fields that live as long as the call.
        let code = unsafe {
            GetNamedSecurityInfoW(
                path.as_ptr(),
                SE_FILE_OBJECT,
                DACL_SECURITY_INFORMATION,
                std::ptr::null_mut(),
                std::ptr::null_mut(),
                &raw mut rights.list,
                std::ptr::null_mut(),
                &raw mut rights.descriptor,
            )
        };
        (code == ERROR_SUCCESS && !rights.list.is_null()).then_some(rights)
    }

    /// Whether the list keeps what the folder would hand down away.
    fn is_protected(&self) -> bool {
        let (mut control, mut revision) = (0, 0);
        // SAFETY: the descriptor is valid while `self` lives.
        let read = unsafe {
            GetSecurityDescriptorControl(self.descriptor, &raw mut control, &raw mut revision)
        };
        read != 0 && control & SE_DACL_PROTECTED != 0
    }

    /// Whether an entry was set on the file itself.
    fn has_own_entries(&self) -> bool {
        // SAFETY: the list is valid while `self` lives.
        let count = unsafe { (*self.list).AceCount };
        (0..u32::from(count)).any(|index| {
            let mut entry: *mut core::ffi::c_void = std::ptr::null_mut();
            // SAFETY: as above; `index` is below the count of entries.
            if unsafe { GetAce(self.list, index, &raw mut entry) } == 0 {
                return false;
            }
            // SAFETY: GetAce has given an entry of the list, each of which
            // starts with this header.
            let header = unsafe { entry.cast::<ACE_HEADER>().read_unaligned() };
            u32::from(header.AceFlags) & INHERITED_ACE == 0
        })
    }
}

fn copy_access_rights(from: &Path, to: &Path) -> io::Result<()> {
    let Some(rights) = AccessRights::of(from) else {
        return Ok(());
    };
    let protection = if rights.is_protected() {
        PROTECTED_DACL_SECURITY_INFORMATION
    } else if rights.has_own_entries() {
        UNPROTECTED_DACL_SECURITY_INFORMATION
    } else {
        return Ok(());
    };
    let path = terminated(to);
    // SAFETY: `path` ends with a NUL and is only read; the list is valid while
    // `rights` lives.
    let code = unsafe {
        SetNamedSecurityInfoW(
            path.as_ptr(),
            SE_FILE_OBJECT,
            DACL_SECURITY_INFORMATION | protection,
            std::ptr::null_mut(),
            std::ptr::null_mut(),
            rights.list,
            std::ptr::null(),
        )
    };
    if code == ERROR_SUCCESS {
        return Ok(());
    }
    // A copy that more people may write to than to its original is worse than
    // none.
    Err(io::Error::from_raw_os_error(code.cast_signed()))
}

fn terminated(path: &Path) -> Vec<u16> {
    path.as_os_str().encode_wide().chain([0]).collect()
}
