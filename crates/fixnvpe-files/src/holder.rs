//! Who holds a file.

use std::io;
use std::path::PathBuf;

use crate::system;

/// A running process.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct Process {
    /// The file name of its program, as `python.exe`; a title where the caller
    /// may not ask for that.
    pub name: String,
    /// Its id.
    pub id: u32,
}

impl Process {
    /// A process of a program.
    #[must_use]
    pub fn new(name: impl Into<String>, id: u32) -> Self {
        Self {
            name: name.into(),
            id,
        }
    }
}

/// The processes that hold a file, open or mapped, under any of these names of
/// it, each once.
///
/// Windows knows: its Restart Manager is asked, which takes some hundredths of
/// a second. Elsewhere nothing keeps a file from being changed, and the list is
/// empty.
///
/// # Errors
///
/// The operating system's error when it will not tell.
pub fn holding_processes(names: &[PathBuf]) -> io::Result<Vec<Process>> {
    let mut processes = system::holding_processes(names)?;
    processes.sort();
    processes.dedup_by_key(|process| process.id);
    Ok(processes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_holds_a_file_that_nobody_has_open() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.dll");
        fs_err::write(&file, b"MZ").unwrap();
        assert_eq!(holding_processes(&[file]).unwrap(), []);
    }
}
