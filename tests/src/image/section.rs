//! Sections, and places within them.

use crate::sparse::SparseBytes;

/// Characteristics of a section that only holds code (`IMAGE_SCN_CNT_CODE`, execute, read).
pub const TEXT: u32 = 0x6000_0020;
/// Characteristics of initialized data that may be read.
pub const RDATA: u32 = 0x4000_0040;
/// Characteristics of initialized data that may be read and written.
pub const DATA: u32 = 0xC000_0040;
/// `IMAGE_SCN_MEM_SHARED`.
pub const MEM_SHARED: u32 = 0x1000_0000;
/// `IMAGE_SCN_MEM_EXECUTE`.
pub const MEM_EXECUTE: u32 = 0x2000_0000;
/// `IMAGE_SCN_MEM_WRITE`.
pub const MEM_WRITE: u32 = 0x8000_0000;

/// One section of an image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The raw name; one longer than 8 bytes goes into a string table behind `/n`, as GNU ld does.
    pub name: Vec<u8>,
    /// `VirtualSize` in bytes; the length of the content where not given.
    pub virtual_size: Option<u32>,
    /// Bytes in the file before alignment; the length of the content where not given.
    pub raw_size: Option<u32>,
    /// `Characteristics`.
    pub characteristics: u32,
    /// The bytes from the start of the section; zeros follow.
    pub content: SparseBytes,
}

impl Section {
    /// A section with content.
    pub fn new(
        name: impl AsRef<[u8]>,
        characteristics: u32,
        content: impl Into<SparseBytes>,
    ) -> Self {
        Self {
            name: name.as_ref().to_vec(),
            virtual_size: None,
            raw_size: None,
            characteristics,
            content: content.into(),
        }
    }

    /// The same section with another `VirtualSize`.
    #[must_use]
    pub fn with_virtual_size(mut self, bytes: u32) -> Self {
        self.virtual_size = Some(bytes);
        self
    }

    /// The same section with another size in the file.
    #[must_use]
    pub fn with_raw_size(mut self, bytes: u32) -> Self {
        self.raw_size = Some(bytes);
        self
    }

    /// The name as the section header shows it, lossily.
    #[must_use]
    pub fn shown_name(&self) -> String {
        String::from_utf8_lossy(&self.name).into_owned()
    }
}

/// A place within a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Index of the section in `Layout::sections`.
    pub section: usize,
    /// Bytes from the start of the section.
    pub offset: u32,
}
