//! The elements of a module: one cubin or PTX text each.

use std::fmt;

use crate::error::Error;
use crate::fatbin::architecture::{Architecture, CodeKind, ComputeCapability, Target};
use crate::fatbin::module::Module;
use crate::image::Image;
use crate::little_endian::{u16_at, u32_at, u64_at};
use crate::malformation::FatbinFault;
use crate::source::ReadAt;

/// The bytes of an element header that this crate knows; headers may be longer.
const HEADER: usize = 64;
/// The module header before the first element.
const MODULE_HEADER: u64 = 16;
/// The most elements of one module; real ones have up to a few dozen.
const MAX_ELEMENTS: u64 = 4096;

const FLAG_64_BIT: u64 = 0x1;
const FLAG_DEBUG: u64 = 0x2;
const FLAG_LZ4: u64 = 0x2000;
const FLAG_ZSTD: u64 = 0x8000;
/// Set on exactly the cubins whose ELF header says `EF_CUDA_ACCELERATORS`
/// (`sm_90a`), in DLLs of CUDA 12 and 13.
const FLAG_ARCHITECTURE: u64 = 0x10_0000;
/// Set on exactly the PTX texts whose `.target` line says `sm_100f` or
/// `sm_120f`, and on the cubins beside them, in DLLs of CUDA 13.
const FLAG_FAMILY: u64 = 0x20_0000;

/// How the payload of an element is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum Compression {
    /// As it is.
    None,
    /// One LZ4 block.
    Lz4,
    /// A zstd frame.
    Zstd,
}

impl Compression {
    /// The stable word for scripts.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Lz4 => "lz4",
            Self::Zstd => "zstd",
        }
    }
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One element of a module. Sizes and file offsets are in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Element {
    /// The file offset of its header.
    pub offset: u64,
    /// The size of its header.
    pub header_size: u64,
    /// The size of the payload in the file, padding included.
    pub payload_size: u64,
    /// The size of the payload's own bytes in the file.
    pub stored_size: u64,
    /// The size of the payload when decompressed.
    pub size: u64,
    /// How the payload is stored.
    pub compression: Compression,
    /// What the code is for.
    pub architecture: Architecture,
    /// Whether it is for 64-bit programs.
    pub is_64_bit: bool,
    /// Whether it carries debug information.
    pub has_debug: bool,
}

/// An iterator over the elements of one module. It reads their headers alone.
#[derive(Debug)]
pub struct Elements<'a, R> {
    image: &'a Image<R>,
    position: u64,
    end: u64,
    count: u64,
    done: bool,
}

impl Module {
    /// The elements of this module of `image`.
    #[must_use]
    pub fn elements<R: ReadAt>(self, image: &Image<R>) -> Elements<'_, R> {
        let end = self.offset.saturating_add(self.size);
        Elements {
            image,
            position: self.offset.saturating_add(MODULE_HEADER).min(end),
            end,
            count: 0,
            done: false,
        }
    }
}

impl<R: ReadAt> Elements<'_, R> {
    fn fault(&self, what: FatbinFault) -> Error {
        let section = self.image.sections().iter().find(|section| {
            section
                .raw_range()
                .is_some_and(|raw| raw.contains(&self.position))
        });
        Error::Fatbin {
            section: section.map(|it| it.name().into_owned()).unwrap_or_default(),
            offset: self.position,
            what,
        }
    }

    fn step(&mut self) -> Result<Option<Element>, Error> {
        let left = self.end - self.position;
        if left == 0 {
            return Ok(None);
        }
        if left < HEADER as u64 {
            return Err(self.fault(FatbinFault::ElementTooLarge {
                claimed: HEADER as u64,
                left,
            }));
        }
        if self.count == MAX_ELEMENTS {
            return Err(self.fault(FatbinFault::TooManyElements {
                limit: MAX_ELEMENTS,
            }));
        }
        self.count += 1;
        let mut header = [0; HEADER];
        self.image.read_offset(self.position, &mut header)?;
        let element = self.parse(&header, left)?;
        self.position += element.header_size + element.payload_size;
        Ok(Some(element))
    }

    fn parse(&self, header: &[u8; HEADER], left: u64) -> Result<Element, Error> {
        let word = |offset| u32_at(header, offset).unwrap_or_default();
        let long = |offset| u64_at(header, offset).unwrap_or_default();
        let size = word(4);
        if (size as usize) < HEADER {
            return Err(self.fault(FatbinFault::ElementHeader { size }));
        }
        let header_size = u64::from(size);
        let payload_size = long(8);
        let claimed = header_size.saturating_add(payload_size);
        if claimed > left {
            return Err(self.fault(FatbinFault::ElementTooLarge { claimed, left }));
        }
        let kind = match u16_at(header, 0).unwrap_or_default() {
            1 => CodeKind::Ptx,
            2 => CodeKind::Cubin,
            other => CodeKind::Other(other),
        };
        let flags = long(40);
        let compression = if flags & FLAG_ZSTD != 0 {
            Compression::Zstd
        } else if flags & FLAG_LZ4 != 0 {
            Compression::Lz4
        } else {
            Compression::None
        };
        let target = if flags & FLAG_ARCHITECTURE != 0 {
            Target::Architecture
        } else if flags & FLAG_FAMILY != 0 {
            Target::Family
        } else {
            Target::Generic
        };
        let (stored_size, whole) = match compression {
            Compression::None => (payload_size, payload_size),
            _ => (u64::from(word(16)).min(payload_size), long(56)),
        };
        Ok(Element {
            offset: self.position,
            header_size,
            payload_size,
            stored_size,
            size: whole,
            compression,
            architecture: Architecture::new(kind, ComputeCapability::from_number(word(28)), target),
            is_64_bit: flags & FLAG_64_BIT != 0,
            has_debug: flags & FLAG_DEBUG != 0,
        })
    }
}

impl<R: ReadAt> Iterator for Elements<'_, R> {
    type Item = Result<Element, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let step = self.step().transpose();
        self.done = !matches!(step, Some(Ok(_)));
        step
    }
}
