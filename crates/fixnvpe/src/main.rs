//! `fixnvpe`, the command line: arguments, texts in two languages, tables,
//! JSON, progress and exit codes. What it does is in the libraries below it;
//! here is how one asks for it and how the answer looks.
//!
//! The modules, in the order in which data meets them:
//!
//! - `caller`: who started the program; the one place that asks the environment
//! - `language`, `catalogue`: which language, and every sentence in it
//! - `arguments`: the command line as typed values, its help, its errors
//! - `session`, `run`: one run, from the arguments to the exit code
//! - `machine`: what is looked around in for environments
//! - `selection`, `pattern`: from words to paths
//! - `job`, `progress`, `patience`, `interrupt`: what scan, patch and restore
//!   share
//! - `records`: what package managers recorded about a file
//! - `attribution`: which environment and package an image belongs to
//! - `clipboard`: an error text that was copied
//! - `diagnosis`: what the doctor is told, and what it says
//! - `commands`: one file a command
//! - `document`, `schema`, `inspection`, `output`, `redact`: results for scripts
//! - `report`, `table`, `prose`, `paths`, `size`, `shell`: results for people
//! - `exit_code`, `fatal`, `notes`, `window`: how it ends
//! - `win32`, `unix`: what the console of a system has of its own

mod arguments;
mod attribution;
mod caller;
mod catalogue;
mod clipboard;
mod commands;
mod diagnosis;
mod document;
mod exit_code;
mod fatal;
mod inspection;
mod interrupt;
mod job;
mod language;
mod machine;
mod notes;
mod output;
mod path_text;
mod paths;
mod patience;
mod pattern;
mod progress;
mod prose;
mod records;
mod redact;
mod report;
mod run;
mod schema;
mod selection;
mod session;
mod shell;
mod size;
mod table;
#[cfg(not(windows))]
mod unix;
#[cfg(windows)]
mod win32;
mod window;

#[cfg(not(windows))]
use unix as system;
#[cfg(windows)]
use win32 as system;

use std::env;
use std::ffi::OsString;
use std::process;

fn main() -> process::ExitCode {
    system::ask_nobody();
    let arguments: Vec<OsString> = env::args_os().collect();
    run::run(&arguments).into()
}
