//! Processes: their commit, images mapped into them, and a job that ends them.

use std::io;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::os::windows::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command};

use windows_sys::Win32::Foundation::HANDLE;
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation,
    SetInformationJobObject,
};
use windows_sys::Win32::System::LibraryLoader::{DONT_RESOLVE_DLL_REFERENCES, LoadLibraryExW};
use windows_sys::Win32::System::ProcessStatus::{
    K32GetProcessMemoryInfo, PROCESS_MEMORY_COUNTERS_EX,
};
use windows_sys::Win32::System::Threading::{
    CREATE_NEW_PROCESS_GROUP, GetCurrentProcess, OpenProcess, PROCESS_QUERY_LIMITED_INFORMATION,
    PROCESS_VM_READ,
};

use super::{checked, size, terminated};
use crate::measure::Mapper;

/// The commit of a process in bytes (`PrivateUsage`).
pub(crate) fn commit_of(child: &Child) -> io::Result<u64> {
    private_usage(child.as_raw_handle().cast())
}

/// The commit of a process that something else started, in bytes.
pub(crate) fn commit_of_id(process: u32) -> io::Result<u64> {
    let access = PROCESS_QUERY_LIMITED_INFORMATION | PROCESS_VM_READ;
    // SAFETY: a number that is no process is an error, not a fault.
    let handle = unsafe { OpenProcess(access, 0, process) };
    if handle.is_null() {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the handle was opened above, and belongs to nobody else.
    let process = unsafe { OwnedHandle::from_raw_handle(handle.cast()) };
    private_usage(process.as_raw_handle().cast())
}

/// Lets Ctrl-C in the terminal reach the parent alone, which ends its children
/// in order.
pub(crate) fn keep_from_ctrl_c(command: &mut Command) {
    command.creation_flags(CREATE_NEW_PROCESS_GROUP);
}

fn private_usage(process: HANDLE) -> io::Result<u64> {
    let mut counters = PROCESS_MEMORY_COUNTERS_EX::default();
    let length = size::<PROCESS_MEMORY_COUNTERS_EX>();
    // SAFETY: the handle is open while its owner lives; `counters` is the larger
    // of the two structures that the call takes, as `length` says.
    checked(unsafe { K32GetProcessMemoryInfo(process, (&raw mut counters).cast(), length) })?;
    Ok(counters.PrivateUsage as u64)
}

/// This process, as a child that maps images.
#[derive(Debug)]
pub(crate) struct OwnProcess;

impl Mapper for OwnProcess {
    fn commit(&mut self) -> io::Result<u64> {
        // SAFETY: the pseudo handle of this process is always valid.
        private_usage(unsafe { GetCurrentProcess() })
    }

    fn map(&mut self, path: &Path) -> io::Result<()> {
        let name = terminated(path.as_os_str());
        // SAFETY: `name` ends with a NUL; the second argument is reserved. With
        // this flag no code of the image runs, and nothing else is loaded. The
        // module stays mapped until the process ends.
        let module = unsafe {
            LoadLibraryExW(
                name.as_ptr(),
                std::ptr::null_mut(),
                DONT_RESOLVE_DLL_REFERENCES,
            )
        };
        if module.is_null() {
            return Err(io::Error::last_os_error());
        }
        Ok(())
    }
}

/// A job whose processes end when it is closed, also when this process dies.
#[derive(Debug)]
pub(crate) struct Job(OwnedHandle);

impl Job {
    pub(crate) fn new() -> io::Result<Self> {
        // SAFETY: neither attributes nor a name are given.
        let handle = unsafe { CreateJobObjectW(std::ptr::null(), std::ptr::null()) };
        if handle.is_null() {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the handle was made above, and belongs to nobody else.
        let job = Self(unsafe { OwnedHandle::from_raw_handle(handle.cast()) });
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
        // SAFETY: the handle is open; `limits` is the structure of this class, as
        // large as `size` says.
        checked(unsafe {
            SetInformationJobObject(
                job.0.as_raw_handle().cast(),
                JobObjectExtendedLimitInformation,
                (&raw const limits).cast(),
                size::<JOBOBJECT_EXTENDED_LIMIT_INFORMATION>(),
            )
        })?;
        Ok(job)
    }

    /// Puts a child into the job.
    pub(crate) fn adopt(&self, child: &Child) -> io::Result<()> {
        self.take_in(child.as_raw_handle().cast())
    }

    /// Puts this process into the job, and with it whatever it starts from now
    /// on; the job is closed when this process is gone.
    pub(crate) fn adopt_own(self) -> io::Result<()> {
        // SAFETY: the pseudo handle of this process is always valid.
        self.take_in(unsafe { GetCurrentProcess() })?;
        // Nobody else closes it: that would end this process too.
        std::mem::forget(self);
        Ok(())
    }

    fn take_in(&self, process: HANDLE) -> io::Result<()> {
        // SAFETY: both handles are open while their owners live.
        checked(unsafe { AssignProcessToJobObject(self.0.as_raw_handle().cast(), process) })
    }
}
