//! What can go wrong, told apart by the step that failed.

use std::io;

use crate::malformation::{EditFault, FatbinFault, Malformation};

/// A failure of this crate. None of them leaves a file changed, except
/// [`Write`](Error::Write) and [`ReadBack`](Error::ReadBack), which stand
/// after the first byte was written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The bytes are not a PE image and do not claim to be one.
    #[error("not a PE image: {what}")]
    NotPe {
        /// What they look like instead.
        what: NotPe,
    },
    /// The bytes start like a PE image and break its rules.
    #[error("malformed PE image: {what}")]
    Malformed {
        /// The rule that is broken.
        what: Malformation,
    },
    /// A valid relative of a PE image that Windows programs do not load.
    #[error("unsupported image: {what}")]
    Unsupported {
        /// Which relative.
        what: Unsupported,
    },
    /// The content of a fat-binary section is not a chain of fat binaries.
    #[error("section {section}, file offset {offset:#x}: {what}")]
    Fatbin {
        /// The section's name, as shown to people.
        section: String,
        /// Where, as a file offset in bytes.
        offset: u64,
        /// What is wrong there.
        what: FatbinFault,
    },
    /// The source could not be read.
    #[error("cannot read {len} bytes at offset {offset:#x}")]
    Read {
        /// The file offset in bytes.
        offset: u64,
        /// How many bytes were wanted.
        len: u64,
        /// What the source said.
        source: io::Error,
    },
    /// The length of the source could not be asked for.
    #[error("cannot tell the length of the image")]
    Size {
        /// What the source said.
        source: io::Error,
    },
    /// A list of edits that no patch consists of.
    #[error("not a patch: {what}")]
    Edits {
        /// What is wrong with the list.
        what: EditFault,
    },
    /// The bytes to replace are not the ones that were planned for.
    /// Nothing was written.
    #[error("offset {offset:#x} holds {found:02x?} where {expected:02x?} was expected")]
    OldBytes {
        /// The file offset of the edit in bytes.
        offset: u64,
        /// The bytes that the edit replaces.
        expected: Vec<u8>,
        /// The bytes found.
        found: Vec<u8>,
    },
    /// The target could not be written. Some bytes may have been.
    #[error("cannot write {len} bytes at offset {offset:#x}")]
    Write {
        /// The file offset in bytes.
        offset: u64,
        /// How many bytes were to be written.
        len: u64,
        /// What the target said.
        source: io::Error,
    },
    /// What was written does not read back.
    #[error("offset {offset:#x} reads {found:02x?} after {expected:02x?} was written")]
    ReadBack {
        /// The file offset of the edit in bytes.
        offset: u64,
        /// The bytes that were written.
        expected: Vec<u8>,
        /// The bytes found.
        found: Vec<u8>,
    },
}

/// What bytes are that are no PE image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum NotPe {
    /// No bytes at all.
    #[error("the file is empty")]
    Empty,
    /// The two letters `MZ` are missing.
    #[error("it does not start with MZ")]
    NoDosSignature,
    /// `MZ` and fewer than the 64 bytes of a DOS header.
    #[error("it ends inside the DOS header")]
    ShortDosHeader,
    /// A DOS header that leads to no further header.
    #[error("a DOS program without a PE header")]
    DosProgram,
    /// A 16-bit Windows program (`NE`) or a mixed one (`LE`, `LX`).
    #[error("a 16-bit or OS/2 program")]
    OldProgram,
}

/// A relative of the PE image that is told apart and left alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Unsupported {
    /// Optional header magic 0x107.
    #[error("a ROM image")]
    Rom,
    /// A terse executable of UEFI firmware (`VZ`).
    #[error("a terse executable (TE) image")]
    Te,
}

impl Error {
    /// A stable word for scripts.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotPe { .. } => "not_pe",
            Self::Malformed { .. } => "malformed",
            Self::Unsupported { .. } => "unsupported",
            Self::Fatbin { .. } => "not_fatbin",
            Self::Read { .. } | Self::Size { .. } => "read_failed",
            Self::Edits { .. } => "bad_edits",
            Self::OldBytes { .. } => "changed",
            Self::Write { .. } => "write_failed",
            Self::ReadBack { .. } => "read_back_failed",
        }
    }

    /// What the operating system said, where it was asked.
    #[must_use]
    pub fn io_error(&self) -> Option<&io::Error> {
        match self {
            Self::Read { source, .. } | Self::Size { source } | Self::Write { source, .. } => {
                Some(source)
            }
            _ => None,
        }
    }

    pub(crate) fn malformed(what: Malformation) -> Self {
        Self::Malformed { what }
    }

    pub(crate) fn read(offset: u64, len: usize, source: io::Error) -> Self {
        Self::Read {
            offset,
            len: len as u64,
            source,
        }
    }
}
