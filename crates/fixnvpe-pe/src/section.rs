//! A section header: its name, addresses, sizes and flags.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use goblin::pe::section_table::SectionTable;

use crate::error::Error;
use crate::header;
use crate::malformation::Malformation;

/// The section holds executable code (`IMAGE_SCN_MEM_EXECUTE`).
pub const MEM_EXECUTE: u32 = 0x2000_0000;
/// All processes share one copy of the section (`IMAGE_SCN_MEM_SHARED`).
pub const MEM_SHARED: u32 = 0x1000_0000;
/// The section may be written (`IMAGE_SCN_MEM_WRITE`): the bit that is charged
/// and the one that a patch clears.
pub const MEM_WRITE: u32 = 0x8000_0000;

const HEADER_SIZE: usize = 40;

/// Whose device code a section holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum FatbinKind {
    /// CUDA: `.nv_fatb`, or `.nv_fatbin` where a string table has room for it.
    Cuda,
    /// HIP: `.hip_fat`, `.hip_fatbin`.
    Hip,
}

impl FatbinKind {
    /// The stable word for scripts.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Cuda => "cuda",
            Self::Hip => "hip",
        }
    }
}

impl fmt::Display for FatbinKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One entry of the section table. Sizes are in bytes, addresses are relative
/// to the image base, `offset`s are file offsets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    index: usize,
    header_offset: u64,
    raw_name: [u8; 8],
    long_name: Option<Vec<u8>>,
    virtual_size: u32,
    virtual_address: u32,
    size_of_raw_data: u32,
    pointer_to_raw_data: u32,
    characteristics: u32,
}

impl Section {
    /// The position in the section table, from 0.
    #[must_use]
    pub fn index(&self) -> usize {
        self.index
    }

    /// The file offset of the 40-byte section header.
    #[must_use]
    pub fn header_offset(&self) -> u64 {
        self.header_offset
    }

    /// The file offset of the 4-byte Characteristics.
    #[must_use]
    pub fn characteristics_offset(&self) -> u64 {
        header::section_characteristics(self.header_offset)
    }

    /// The eight bytes of the name field as they are.
    #[must_use]
    pub fn raw_name(&self) -> [u8; 8] {
        self.raw_name
    }

    /// The name behind `/n`, if the name field holds one and the string table
    /// of the image has it.
    #[must_use]
    pub fn long_name(&self) -> Option<&[u8]> {
        self.long_name.as_deref()
    }

    /// The name's bytes: the long name, else the name field up to its first NUL.
    #[must_use]
    pub fn name_bytes(&self) -> &[u8] {
        if let Some(name) = &self.long_name {
            return name;
        }
        let end = self.raw_name.iter().position(|byte| *byte == 0);
        &self.raw_name[..end.unwrap_or(self.raw_name.len())]
    }

    /// The name for people; bytes that are not UTF-8 are replaced.
    #[must_use]
    pub fn name(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(self.name_bytes())
    }

    /// Address relative to the image base.
    #[must_use]
    pub fn virtual_address(&self) -> u32 {
        self.virtual_address
    }

    /// The `VirtualSize` field, which may be 0; see [`size_in_memory`](Self::size_in_memory).
    #[must_use]
    pub fn virtual_size(&self) -> u32 {
        self.virtual_size
    }

    /// The `SizeOfRawData` field: bytes in the file, padding included.
    #[must_use]
    pub fn size_of_raw_data(&self) -> u32 {
        self.size_of_raw_data
    }

    /// The `PointerToRawData` field: a file offset.
    #[must_use]
    pub fn pointer_to_raw_data(&self) -> u32 {
        self.pointer_to_raw_data
    }

    /// The flags.
    #[must_use]
    pub fn characteristics(&self) -> u32 {
        self.characteristics
    }

    /// Bytes that the loader maps: `VirtualSize`, or the raw size where that is 0.
    #[must_use]
    pub fn size_in_memory(&self) -> u32 {
        if self.virtual_size == 0 {
            self.size_of_raw_data
        } else {
            self.virtual_size
        }
    }

    /// The addresses that the section takes, relative to the image base.
    #[must_use]
    pub fn virtual_range(&self) -> Range<u64> {
        let start = u64::from(self.virtual_address);
        start..start + u64::from(self.size_in_memory())
    }

    /// The file offsets of the raw data; `None` where the section has none.
    #[must_use]
    pub fn raw_range(&self) -> Option<Range<u64>> {
        if self.pointer_to_raw_data == 0 || self.size_of_raw_data == 0 {
            return None;
        }
        let start = u64::from(self.pointer_to_raw_data);
        Some(start..start + u64::from(self.size_of_raw_data))
    }

    /// Whether `MEM_WRITE` is set.
    #[must_use]
    pub fn is_writable(&self) -> bool {
        self.characteristics & MEM_WRITE != 0
    }

    /// Whether `MEM_SHARED` is set.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.characteristics & MEM_SHARED != 0
    }

    /// Whether `MEM_EXECUTE` is set.
    #[must_use]
    pub fn is_executable(&self) -> bool {
        self.characteristics & MEM_EXECUTE != 0
    }

    /// Whether the section holds GPU code by its name, and whose. Names are
    /// compared as bytes: `.nv_fatb` fills its field, no NUL ends it.
    #[must_use]
    pub fn fatbin_kind(&self) -> Option<FatbinKind> {
        let name = self.name_bytes();
        if name.starts_with(b".nv_fatb") {
            Some(FatbinKind::Cuda)
        } else if name.starts_with(b".hip_fat") {
            Some(FatbinKind::Hip)
        } else {
            None
        }
    }

    /// Whether the section holds the registration wrappers that point at CUDA
    /// fat binaries (`.nvFatBi`, long `.nvFatBinSegment`).
    #[must_use]
    pub fn holds_wrappers(&self) -> bool {
        self.name_bytes().starts_with(b".nvFatBi")
    }

    pub(crate) fn set_long_name(&mut self, name: Vec<u8>) {
        self.long_name = Some(name);
    }
}

/// Parses `count` section headers at file offset `table`.
pub(crate) fn parse_table(bytes: &[u8], table: u64, count: u16) -> Result<Vec<Section>, Error> {
    (0..usize::from(count))
        .map(|index| {
            let start = header::usize_of(table) + index * HEADER_SIZE;
            parse(bytes, start, index)
        })
        .collect()
}

fn parse(bytes: &[u8], start: usize, index: usize) -> Result<Section, Error> {
    let headers = |message: String| Error::malformed(Malformation::Headers { message });
    let own = bytes
        .get(start..start + HEADER_SIZE)
        .and_then(|own| <[u8; HEADER_SIZE]>::try_from(own).ok())
        .ok_or_else(|| headers(format!("section header {index} is cut off")))?;
    // goblin chases `/n` names through a string table that a prefix does not
    // hold, and rejects names such as `/foo`: it gets the header without its name.
    let mut nameless = own;
    nameless[..8].fill(0);
    let parsed =
        SectionTable::parse(&nameless, &mut 0, 0).map_err(|error| headers(error.to_string()))?;
    let mut raw_name = [0; 8];
    raw_name.copy_from_slice(&own[..8]);
    Ok(Section {
        index,
        header_offset: start as u64,
        raw_name,
        long_name: None,
        virtual_size: parsed.virtual_size,
        virtual_address: parsed.virtual_address,
        size_of_raw_data: parsed.size_of_raw_data,
        pointer_to_raw_data: parsed.pointer_to_raw_data,
        characteristics: parsed.characteristics,
    })
}
