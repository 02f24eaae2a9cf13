//! Folders of the system, as it names them itself.

use std::ffi::OsString;
use std::os::windows::ffi::OsStringExt;
use std::path::PathBuf;
use std::ptr;

use windows_sys::Win32::System::Com::CoTaskMemFree;
use windows_sys::Win32::UI::Shell::{
    FOLDERID_ProgramData, FOLDERID_ProgramFiles, KF_FLAG_DONT_VERIFY, SHGetKnownFolderPath,
};
use windows_sys::core::GUID;

pub(crate) fn program_data() -> Option<PathBuf> {
    known_folder(&FOLDERID_ProgramData)
}

pub(crate) fn program_files() -> Option<PathBuf> {
    known_folder(&FOLDERID_ProgramFiles)
}

fn known_folder(id: &GUID) -> Option<PathBuf> {
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
    path.filter(|path| path.is_absolute())
}
