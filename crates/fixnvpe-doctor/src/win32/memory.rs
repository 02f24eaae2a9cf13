//! Memory, commit, cores and disk space.

use std::ffi::OsStr;
use std::io;

use windows_sys::Win32::Foundation::ERROR_INSUFFICIENT_BUFFER;
use windows_sys::Win32::Storage::FileSystem::GetDiskFreeSpaceExW;
use windows_sys::Win32::System::ProcessStatus::{K32GetPerformanceInfo, PERFORMANCE_INFORMATION};
use windows_sys::Win32::System::SystemInformation::{
    GetLogicalProcessorInformationEx, GetSystemWindowsDirectoryW, GlobalMemoryStatusEx,
    MEMORYSTATUSEX, RelationProcessorCore,
};

use super::{checked, size, terminated};
use crate::cores::entries;
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

/// Cores, each once however many threads it runs, in all processor groups.
pub(crate) fn cores() -> Option<u32> {
    let mut length = 0;
    let relation = RelationProcessorCore;
    // SAFETY: a null buffer of length 0 asks for the length, which is written to.
    unsafe {
        GetLogicalProcessorInformationEx(relation, std::ptr::null_mut(), &raw mut length);
    }
    let needed = io::Error::last_os_error();
    if needed.raw_os_error() != i32::try_from(ERROR_INSUFFICIENT_BUFFER).ok() {
        return None;
    }
    // Of 64-bit numbers, so that the entries lie as they have to.
    let mut buffer = vec![0_u64; usize::try_from(length).ok()?.div_ceil(size_of::<u64>())];
    // SAFETY: `buffer` is at least `length` bytes long, which the call was told.
    let done = unsafe {
        GetLogicalProcessorInformationEx(relation, buffer.as_mut_ptr().cast(), &raw mut length)
    };
    checked(done).ok()?;
    let bytes: Vec<u8> = buffer.iter().flat_map(|part| part.to_ne_bytes()).collect();
    entries(bytes.get(..usize::try_from(length).ok()?)?).filter(|count| *count > 0)
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
