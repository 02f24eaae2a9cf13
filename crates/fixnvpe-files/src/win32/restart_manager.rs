//! Who holds a file: the Restart Manager, which installers ask the same. It is
//! asked for its list and for nothing else; no process is ever ended.

use std::ffi::OsString;
use std::io;
use std::os::windows::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use windows_sys::Win32::Foundation::{CloseHandle, ERROR_MORE_DATA, ERROR_SUCCESS};
use windows_sys::Win32::System::RestartManager::{
    CCH_RM_SESSION_KEY, RM_PROCESS_INFO, RmEndSession, RmGetList, RmRegisterResources,
    RmStartSession,
};
use windows_sys::Win32::System::Threading::{
    OpenProcess, PROCESS_NAME_WIN32, PROCESS_QUERY_LIMITED_INFORMATION, QueryFullProcessImageNameW,
};

use super::{shown, terminated};
use crate::Process;

/// How often the list may have grown before there is room for it.
const ATTEMPTS: u32 = 8;
/// How many units a path can have at most.
const LONGEST: u32 = 32_768;

/// A session, ended when it is dropped. A user has 64 of them at most.
struct Session(u32);

impl Session {
    fn start() -> io::Result<Self> {
        let (mut session, mut key) = (0, [0_u16; CCH_RM_SESSION_KEY as usize + 1]);
        // SAFETY: both results are written to; the key has room for its units
        // and a NUL, as the page of this function asks for.
        let code = unsafe { RmStartSession(&raw mut session, 0, key.as_mut_ptr()) };
        done(code)?;
        Ok(Self(session))
    }

    /// Says which files the session is about.
    fn register(&self, files: &[PathBuf]) -> io::Result<()> {
        let names: Vec<Vec<u16>> = files
            .iter()
            .map(|file| terminated(file.as_os_str()))
            .collect();
        let names: Vec<*const u16> = names.iter().map(Vec::as_ptr).collect();
        let count = u32::try_from(names.len()).unwrap_or(u32::MAX);
        // SAFETY: `names` are as many pointers as `count` says, to texts that
        // end with a NUL and live as long as the call; of the other two kinds
        // of resources there are none.
        let code = unsafe {
            RmRegisterResources(
                self.0,
                count,
                names.as_ptr(),
                0,
                std::ptr::null(),
                0,
                std::ptr::null(),
            )
        };
        done(code)
    }

    fn list(&self) -> io::Result<Vec<RM_PROCESS_INFO>> {
        let mut list = vec![RM_PROCESS_INFO::default(); 16];
        for _ in 0..ATTEMPTS {
            let mut count = u32::try_from(list.len()).unwrap_or(u32::MAX);
            let (mut needed, mut reasons) = (0, 0);
            // SAFETY: `list` has room for as many structures as `count` says;
            // the other results are written to.
            let code = unsafe {
                RmGetList(
                    self.0,
                    &raw mut needed,
                    &raw mut count,
                    list.as_mut_ptr(),
                    &raw mut reasons,
                )
            };
            if code == ERROR_MORE_DATA {
                // Some more, since processes start meanwhile.
                let room = usize::try_from(needed).unwrap_or(0).saturating_add(16);
                list.resize(room.max(list.len()), RM_PROCESS_INFO::default());
                continue;
            }
            done(code)?;
            list.truncate(usize::try_from(count).unwrap_or(0));
            return Ok(list);
        }
        done(ERROR_MORE_DATA)?;
        Ok(Vec::new())
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // SAFETY: the session was started and is ended once.
        unsafe { RmEndSession(self.0) };
    }
}

pub(crate) fn holding_processes(paths: &[PathBuf]) -> io::Result<Vec<Process>> {
    let session = Session::start()?;
    let paths: Vec<PathBuf> = paths.iter().map(|path| shown(path)).collect();
    session.register(&paths)?;
    let process = |info: &RM_PROCESS_INFO| {
        let id = info.Process.dwProcessId;
        Process {
            name: program(id).unwrap_or_else(|| until_nul(&info.strAppName)),
            id,
        }
    };
    Ok(session.list()?.iter().map(process).collect())
}

/// The file name of the program that a process runs, where the caller may ask:
/// what the list itself has is a title.
fn program(id: u32) -> Option<String> {
    // SAFETY: no preconditions.
    let process = unsafe { OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, 0, id) };
    if process.is_null() {
        return None;
    }
    let mut units = vec![0_u16; LONGEST as usize];
    let mut length = LONGEST;
    // SAFETY: the handle is open, and `units` has room for as many as `length`
    // says. The handle is closed once.
    let found = unsafe {
        let found = QueryFullProcessImageNameW(
            process,
            PROCESS_NAME_WIN32,
            units.as_mut_ptr(),
            &raw mut length,
        );
        CloseHandle(process);
        found
    };
    if found == 0 {
        return None;
    }
    let path = OsString::from_wide(units.get(..usize::try_from(length).ok()?)?);
    let name = Path::new(&path).file_name()?;
    Some(name.to_string_lossy().into_owned())
}

fn until_nul(units: &[u16]) -> String {
    let end = units.iter().position(|&unit| unit == 0);
    String::from_utf16_lossy(&units[..end.unwrap_or(units.len())])
}

fn done(code: u32) -> io::Result<()> {
    if code == ERROR_SUCCESS {
        return Ok(());
    }
    Err(io::Error::from_raw_os_error(code.cast_signed()))
}
