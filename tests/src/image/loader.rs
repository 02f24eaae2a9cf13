//! Structures that the loader or the program reads, and where they lie.

use crate::image::section::Place;

/// A DLL that is imported, with the names of its functions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// For example `KERNEL32.dll`.
    pub dll: String,
    /// For example `GetTickCount`.
    pub functions: Vec<String>,
}

impl Import {
    /// One DLL and the functions taken from it.
    pub fn new<'a>(dll: &str, functions: impl IntoIterator<Item = &'a str>) -> Self {
        Self {
            dll: dll.to_owned(),
            functions: functions.into_iter().map(str::to_owned).collect(),
        }
    }
}

/// What the code at the entry point does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Start {
    /// Returns success: 1 from a DLL, 0 from a program.
    Return,
    /// Writes a fat-binary header to the start of the section with this index, and a word to its
    /// last 4 bytes, then returns: what a packed image does (x86-64 only).
    Unpack(usize),
}

/// A structure that the loader or the program reads, and where it lies.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Table {
    /// Code of the entry point.
    Start {
        /// Where the code lies.
        at: Place,
        /// What it does.
        start: Start,
    },
    /// A function that returns the first 8 bytes of a section, exported as `fatbin_first_bytes`
    /// where there is an export table.
    Reader {
        /// Where the code lies.
        at: Place,
        /// Index of the section that it reads.
        section: usize,
    },
    /// The export table: the reader's function, and the section that it reads as `fatbin`.
    Exports {
        /// Where it lies.
        at: Place,
        /// The image's own name in it.
        name: String,
    },
    /// The import table with its address table.
    Imports {
        /// Where it lies.
        at: Place,
        /// What is imported.
        imports: Vec<Import>,
    },
    /// The delay-import table.
    DelayImports {
        /// Where it lies.
        at: Place,
        /// What is imported.
        imports: Vec<Import>,
    },
    /// The TLS directory.
    Tls {
        /// Where the directory lies.
        at: Place,
        /// Where the loader writes the index.
        index: Place,
    },
    /// The load configuration, for its security cookie.
    LoadConfig {
        /// Where the directory lies.
        at: Place,
        /// Where the start code writes the cookie.
        cookie: Place,
    },
    /// Registration wrappers, 24 bytes each, each with a pointer that is relocated at load.
    Wrappers {
        /// Where the first one lies.
        at: Place,
        /// Index of the section with the modules.
        section: usize,
        /// Offsets of the modules in that section.
        modules: Vec<u32>,
    },
    /// A pointer that is relocated at load.
    Pointer {
        /// Where it lies.
        at: Place,
        /// Where it points to.
        to: Place,
    },
}
