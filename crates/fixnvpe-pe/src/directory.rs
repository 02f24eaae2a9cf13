//! The data directories: where the tables of an image lie.

/// Address and size of one table, in bytes. The address is relative to the
/// image base, but for the certificate table, where it is a file offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct DataDirectory {
    /// Relative virtual address.
    pub address: u32,
    /// Size in bytes.
    pub size: u32,
}

/// The signatures of an image, outside of everything that is mapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CertificateTable {
    /// File offset in bytes.
    pub offset: u64,
    /// Size in bytes.
    pub size: u64,
}

/// The tables that this crate looks at, by their place in the list of data
/// directories (Microsoft PE format specification, "Optional Header Data
/// Directories").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DirectoryKind {
    /// Imported DLLs and functions.
    Import,
    /// The signatures. Its address is a file offset.
    Certificate,
    /// Base relocations.
    BaseRelocation,
    /// Thread-local storage.
    Tls,
    /// Load configuration: the security cookie among others.
    LoadConfig,
    /// The import address table, which the loader fills in.
    ImportAddress,
    /// Imports that are resolved at the first call.
    DelayImport,
}

impl DirectoryKind {
    /// The position in the list of data directories.
    #[must_use]
    pub fn index(self) -> usize {
        match self {
            Self::Import => 1,
            Self::Certificate => 4,
            Self::BaseRelocation => 5,
            Self::Tls => 9,
            Self::LoadConfig => 10,
            Self::ImportAddress => 12,
            Self::DelayImport => 13,
        }
    }
}
