//! Holes in files on Windows, where a file must ask for them.
#![allow(unsafe_code)] // the one call into the system

use std::fs::File;
use std::os::windows::io::AsRawHandle as _;
use std::ptr::null_mut;

use windows_sys::Win32::System::IO::DeviceIoControl;
use windows_sys::Win32::System::Ioctl::FSCTL_SET_SPARSE;

/// Marks the file as sparse; where the file system cannot, the file just takes its full size.
pub(super) fn allow_holes(file: &File) {
    let mut returned = 0;
    // SAFETY: the handle is open for the whole call, the control takes no buffers, and `returned`
    // outlives the call, which is synchronous.
    unsafe {
        DeviceIoControl(
            file.as_raw_handle(),
            FSCTL_SET_SPARSE,
            null_mut(),
            0,
            null_mut(),
            0,
            &raw mut returned,
            null_mut(),
        );
    }
}
