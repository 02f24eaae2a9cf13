//! Memory, commit, cores and disk space.

use std::ffi::OsStr;
use std::io;

use windows_sys::Win32::Foundation::ERROR_INSUFFICIENT_BUFFER;
use windows_sys::Win32::Storage::FileSystem::GetDiskFreeSpaceExW;
use windows_sys::Win32::System::ProcessStatus::{K32GetPerformanceInfo, PERFORMANCE_INFORMATION};
use windows_sys::Win32::System::SystemInformation::{
    GetLogicalProcessorInformation, GetSystemWindowsDirectoryW, GlobalMemoryStatusEx,
    MEMORYSTATUSEX, RelationProcessorCore, SYSTEM_LOGICAL_PROCESSOR_INFORMATION,
};

use super::{checked, size, terminated};
use crate::facts::{DriveSpace, SystemCommit};

/// The commit of the whole system, in bytes.
pub(crate) fn commit() -> io::Result<SystemCommit> {
    let mut info = PERFORMANCE_INFORMATION::default();
    // SAFETY: `info` is the structure that is written to, as large as `size` says.
    checked(unsafe { K32GetPerformanceInfo(&raw mut info, size::<PERFORMANCE_INFORMATION>()) })?;
    let bytes = |pages: usize| (pages as u64).saturating_mul(info.PageSize as u64);
    Ok(SystemCommit::new(
        bytes(info.CommitLimit),
        bytes(info.CommitTotal),
    ))
}

/// Physical memory that the system can use, in bytes.
pub(crate) fn physical_memory() -> io::Result<u64> {
    let mut status = MEMORYSTATUSEX {
        dwLength: size::<MEMORYSTATUSEX>(),
        ..MEMORYSTATUSEX::default()
    };
    // SAFETY: `status` is the structure that is written to, and says its length.
    checked(unsafe { GlobalMemoryStatusEx(&raw mut status) })?;
    Ok(status.ullTotalPhys)
}

/// Cores, each once however many threads it runs.
pub(crate) fn cores() -> Option<u32> {
    let mut length = 0;
    // SAFETY: a null buffer of length 0 asks for the length, which is written to.
    unsafe { GetLogicalProcessorInformation(std::ptr::null_mut(), &raw mut length) };
    let needed = io::Error::last_os_error();
    if needed.raw_os_error() != i32::try_from(ERROR_INSUFFICIENT_BUFFER).ok() {
        return None;
    }
    let entry = size_of::<SYSTEM_LOGICAL_PROCESSOR_INFORMATION>();
    let count = usize::try_from(length).ok()?.div_ceil(entry);
    let mut entries = vec![SYSTEM_LOGICAL_PROCESSOR_INFORMATION::default(); count];
    // SAFETY: `entries` is at least `length` bytes long, which the call was told.
    let done = unsafe { GetLogicalProcessorInformation(entries.as_mut_ptr(), &raw mut length) };
    checked(done).ok()?;
    let found = entries
        .iter()
        .take(usize::try_from(length).ok()? / entry)
        .filter(|entry| entry.Relationship == RelationProcessorCore)
        .count();
    u32::try_from(found).ok().filter(|count| *count > 0)
}

/// The room on a drive.
pub(crate) fn drive_space(letter: char) -> io::Result<DriveSpace> {
    let root = terminated(OsStr::new(&format!("{letter}:\\")));
    let (mut total, mut free) = (0, 0);
    // SAFETY: `root` ends with a NUL; the first result is not asked for, the
    // others are written to.
    checked(unsafe {
        GetDiskFreeSpaceExW(
            root.as_ptr(),
            std::ptr::null_mut(),
            &raw mut total,
            &raw mut free,
        )
    })?;
    Ok(DriveSpace::new(letter, total, free))
}

/// The folder of Windows.
pub(crate) fn windows_folder() -> Option<String> {
    let mut units = [0_u16; 260];
    // SAFETY: `units` is as long as the call is told.
    let length = unsafe { GetSystemWindowsDirectoryW(units.as_mut_ptr(), 260) };
    let folder = units.get(..usize::try_from(length).ok()?)?;
    (!folder.is_empty()).then(|| String::from_utf16_lossy(folder))
}
