//! The Windows half: the only place in this crate that calls its API.
#![allow(unsafe_code)]

mod memory;
mod nvml;
mod process;
mod registry;

pub(crate) use memory::{commit, cores, drive_space, physical_memory, windows_folder};
pub(crate) use nvml::gpus;
pub(crate) use process::{Job, OwnProcess, commit_of, commit_of_id, keep_from_ctrl_c};
pub(crate) use registry::{app_control, paging_files};

use std::ffi::OsStr;
use std::io;
use std::os::windows::ffi::OsStrExt;

/// The text as the API takes it, with its NUL.
fn terminated(text: &OsStr) -> Vec<u16> {
    text.encode_wide().chain([0]).collect()
}

/// The outcome of a call that says 0 for failure.
fn checked(done: i32) -> io::Result<()> {
    if done == 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

/// The size of a structure as the API takes it.
fn size<T>() -> u32 {
    u32::try_from(size_of::<T>()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
