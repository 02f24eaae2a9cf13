//! Folders of the system, as it names them itself.

use std::ffi::OsString;
use std::os::windows::ffi::OsStringExt;
use std::path::PathBuf;
use std::ptr;

use windows_sys::Win32::System::Com::CoTaskMemFree;
use windows_sys::Win32::UI::Shell::{
    FOLDERID_Desktop, FOLDERID_Documents, FOLDERID_Downloads, FOLDERID_LocalAppData,
    FOLDERID_Profile, FOLDERID_ProgramData, FOLDERID_ProgramFiles, FOLDERID_RoamingAppData,
    KF_FLAG_DONT_VERIFY, SHGetKnownFolderPath,
};

use crate::KnownFolder;

pub(crate) fn known_folder(folder: KnownFolder) -> Option<PathBuf> {
    let id = match folder {
        KnownFolder::Desktop => &FOLDERID_Desktop,
        KnownFolder::Documents => &FOLDERID_Documents,
        KnownFolder::Downloads => &FOLDERID_Downloads,
        KnownFolder::LocalAppData => &FOLDERID_LocalAppData,
        KnownFolder::Profile => &FOLDERID_Profile,
        KnownFolder::ProgramData => &FOLDERID_ProgramData,
        KnownFolder::ProgramFiles => &FOLDERID_ProgramFiles,
        KnownFolder::RoamingAppData => &FOLDERID_RoamingAppData,
    };
    let mut text = ptr::null_mut();
    let flags = KF_FLAG_DONT_VERIFY.cast_unsigned();
    // SAFETY: `id` and `text` outlive the call; no token means this user.
    let result = unsafe { SHGetKnownFolderPath(id, flags, ptr::null_mut(), &raw mut text) };
    let path = (result == 0 && !text.is_null()).then(|| {
        let mut length = 0;
        // SAFETY: on success `text` is a string that ends with a zero, so every
        // unit up to that one may be read.
        let units = unsafe {
            while *text.add(length) != 0 {
                length += 1;
            }
            std::slice::from_raw_parts(text, length)
        };
        PathBuf::from(OsString::from_wide(units))
    });
    // SAFETY: the system allocated `text` and leaves it to the caller to free,
    // also when it failed; a null pointer is allowed.
    unsafe { CoTaskMemFree(text.cast_const().cast()) };
    path
}
