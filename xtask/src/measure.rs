//! What a program read, wrote and took of memory. Only Linux tells it of an ended process.
//!
//! The program runs as the only child of a process of its own, `cargo xtask measure`: the peak
//! memory that Linux tells of children is that of the largest one, and a new program inherits the
//! peak of the process that starts it. The bytes come from `/proc/PID/io` while the program, having
//! ended, still waits to be collected; they are the bytes that it passed to read and write calls
//! on any file, its standard output included.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, ExitStatus};

use serde::{Deserialize, Serialize};

use crate::error::Error;

/// Runs a program and writes down what it used.
#[derive(Debug, clap::Args)]
pub(crate) struct Measure {
    /// Where to write the figures, as JSON.
    #[arg(long, value_name = "FILE")]
    report: PathBuf,
    /// The program and its arguments.
    #[arg(last = true, required = true)]
    command: Vec<OsString>,
}

/// What a program used, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Usage {
    /// Passed out of read calls.
    pub(crate) read: u64,
    /// Passed into write calls, standard output included.
    pub(crate) written: u64,
    /// The most memory that it held at a time.
    pub(crate) peak_memory: u64,
}

/// Runs the program; the exit code is the program's.
pub(crate) fn run(measure: &Measure) -> Result<ExitCode, Error> {
    let (program, arguments) = measure
        .command
        .split_first()
        .ok_or_else(|| Error::wrong("no program to measure"))?;
    let mut child = Command::new(program)
        .args(arguments)
        .spawn()
        .map_err(|source| Error::NotStarted {
            command: program.to_string_lossy().into_owned(),
            source,
        })?;
    let (status, usage) = used(&mut child)?;
    let text = serde_json::to_string(&usage).map_err(std::io::Error::from)?;
    fs_err::write(&measure.report, text)?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

/// Waits for the end of the only child of this process.
#[cfg(target_os = "linux")]
fn used(child: &mut Child) -> Result<(ExitStatus, Usage), Error> {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::wait::{Id, WaitPidFlag, waitid};
    use nix::unistd::Pid;

    let pid = i32::try_from(child.id()).map_err(|_| Error::wrong("a process id beyond i32"))?;
    let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT;
    waitid(Id::Pid(Pid::from_raw(pid)), flags).map_err(std::io::Error::from)?;
    let io = fs_err::read_to_string(format!("/proc/{pid}/io"))?;
    let status = child.wait()?;
    let children = getrusage(UsageWho::RUSAGE_CHILDREN).map_err(std::io::Error::from)?;
    let usage = Usage {
        read: field(&io, "rchar")?,
        written: field(&io, "wchar")?,
        peak_memory: u64::try_from(children.max_rss()).unwrap_or_default() * 1024,
    };
    Ok((status, usage))
}

#[cfg(not(target_os = "linux"))]
fn used(child: &mut Child) -> Result<(ExitStatus, Usage), Error> {
    child.wait()?;
    Err(Error::wrong("only Linux tells what an ended program used"))
}

/// A field of `/proc/PID/io`.
#[cfg(target_os = "linux")]
fn field(io: &str, name: &str) -> Result<u64, Error> {
    io.lines()
        .filter_map(|line| line.split_once(": "))
        .find(|(field, _)| *field == name)
        .and_then(|(_, value)| value.parse().ok())
        .ok_or_else(|| Error::wrong(format!("no field `{name}` in /proc/PID/io")))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_found_by_its_whole_name() {
        let io = "rchar: 3980\nwchar: 12\nsyscr: 9\n";
        assert_eq!(field(io, "wchar").unwrap(), 12);
        assert!(field(io, "char").is_err());
    }
}
