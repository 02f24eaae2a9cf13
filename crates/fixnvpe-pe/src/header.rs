//! The headers of an image: read by bounded reads, parsed by goblin's header
//! structures, and held against the raw bytes at every offset that may be
//! edited.
//!
//! Rules for odd layouts follow what the Windows loader accepts, and refuse
//! where in doubt. Field offsets are those of the Microsoft PE format
//! specification, counted from `e_lfanew`.

use goblin::pe::header::{CoffHeader, DosHeader};
use goblin::pe::optional_header::OptionalHeader;
use scroll::{LE, Pread};

use crate::error::{Error, NotPe, Unsupported};
use crate::little_endian::{u16_at, u32_at};
use crate::malformation::Malformation;
use crate::section::{self, Section};
use crate::source::ReadAt;

/// What is read at first. Nearly all headers of real DLLs end within it.
const PREFIX: u64 = 4096;
/// The most bytes that are read as headers. Real ones end within a few KiB;
/// the bound keeps a hostile `e_lfanew` from reading gigabytes.
const MAX_HEADER: u64 = 1 << 20;
/// The most sections that the Windows loader accepts.
const MAX_SECTIONS: u16 = 96;
const MAX_DIRECTORIES: u32 = 16;

const DOS_HEADER_SIZE: u64 = 0x40;
const SECTION_HEADER_SIZE: u64 = 40;
/// Distance from `e_lfanew` to the optional header: signature and COFF header.
const OPTIONAL_HEADER: u64 = 24;
const CHECK_SUM: u64 = 88;
const DLL_CHARACTERISTICS: u64 = 94;
const SECTION_CHARACTERISTICS: u64 = 36;

const MAGIC_PE32: u16 = 0x10b;
const MAGIC_PE32_PLUS: u16 = 0x20b;
const MAGIC_ROM: u16 = 0x107;

/// The parsed headers. `bytes` are the file's bytes from 0 to the end of the
/// section table.
#[derive(Debug)]
pub(crate) struct Header {
    pub(crate) bytes: Vec<u8>,
    pub(crate) e_lfanew: u64,
    pub(crate) coff: CoffHeader,
    pub(crate) optional: OptionalHeader,
    pub(crate) sections: Vec<Section>,
}

impl Header {
    /// Reads and checks the headers of a source of `len` bytes.
    pub(crate) fn read(source: &impl ReadAt, len: u64) -> Result<Self, Error> {
        let mut bytes = Vec::new();
        extend(source, &mut bytes, len.min(PREFIX))?;
        let e_lfanew = locate(source, &bytes, len)?;
        extend_within(source, &mut bytes, e_lfanew + OPTIONAL_HEADER + 2, len)?;
        let shape = Shape::of(&bytes, e_lfanew)?;
        extend_within(source, &mut bytes, shape.table_end(), len)?;
        // Both fit: `extend_within` bounded them by `MAX_HEADER`.
        bytes.truncate(usize_of(shape.table_end()));
        let (coff, optional) = parse(&bytes, &shape)?;
        let sections = section::parse_table(&bytes, shape.table, shape.count)?;
        let header = Self {
            bytes,
            e_lfanew,
            coff,
            optional,
            sections,
        };
        header.check_offsets()?;
        header.check_layout(&shape)?;
        Ok(header)
    }

    /// The file offset of the 4-byte CheckSum.
    pub(crate) fn check_sum_offset(&self) -> u64 {
        self.e_lfanew + CHECK_SUM
    }

    /// The file offset of the 2-byte DllCharacteristics.
    pub(crate) fn dll_characteristics_offset(&self) -> u64 {
        self.e_lfanew + DLL_CHARACTERISTICS
    }

    /// Holds the offset of every editable field against what goblin says it
    /// contains: an edit at an offset that fails this would hit another field.
    fn check_offsets(&self) -> Result<(), Error> {
        let windows = &self.optional.windows_fields;
        let check = |field, offset: u64, holds: bool| {
            if holds {
                Ok(())
            } else {
                Err(Error::malformed(Malformation::FieldMismatch {
                    field,
                    offset,
                }))
            }
        };
        let at = self.check_sum_offset();
        let found = u32_at(&self.bytes, usize_of(at));
        check("CheckSum", at, found == Some(windows.check_sum))?;
        let at = self.dll_characteristics_offset();
        let found = u16_at(&self.bytes, usize_of(at));
        check(
            "DllCharacteristics",
            at,
            found == Some(windows.dll_characteristics),
        )?;
        for section in &self.sections {
            let at = section.characteristics_offset();
            let found = u32_at(&self.bytes, usize_of(at));
            check(
                "Characteristics",
                at,
                found == Some(section.characteristics()),
            )?;
        }
        Ok(())
    }

    /// Refuses tables that lie where they may not, and raw data that two
    /// sections, or a section and the headers, share.
    fn check_layout(&self, shape: &Shape) -> Result<(), Error> {
        let size_of_headers = self.optional.windows_fields.size_of_headers;
        if shape.table_end() > u64::from(size_of_headers) {
            return Err(Error::malformed(Malformation::SectionTableBeyondHeaders {
                end: shape.table_end(),
                size_of_headers,
            }));
        }
        let mut ranges: Vec<_> = self
            .sections
            .iter()
            .filter_map(|section| Some((section.raw_range()?, section.index())))
            .collect();
        ranges.sort_by_key(|(range, _)| range.start);
        if let Some((range, index)) = ranges.first()
            && range.start < shape.table_end()
        {
            return Err(Error::malformed(Malformation::SectionOnHeaders {
                section: *index,
            }));
        }
        for pair in ranges.windows(2) {
            if let [(before, first), (after, second)] = pair
                && after.start < before.end
            {
                return Err(Error::malformed(Malformation::SectionsOverlap {
                    first: *first,
                    second: *second,
                }));
            }
        }
        Ok(())
    }
}

/// The file offset of a section's characteristics field.
pub(crate) fn section_characteristics(header_offset: u64) -> u64 {
    header_offset + SECTION_CHARACTERISTICS
}

/// An offset inside the header block, which `MAX_HEADER` bounds to 1 MiB.
pub(crate) fn usize_of(offset: u64) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}

/// Where the parts of the headers lie, taken from the raw bytes.
struct Shape {
    e_lfanew: u64,
    /// File offset of the section table.
    table: u64,
    /// Number of sections.
    count: u16,
}

impl Shape {
    /// Reads the counts that everything else depends on. `bytes` reach to the
    /// optional header's magic.
    fn of(bytes: &[u8], e_lfanew: u64) -> Result<Self, Error> {
        let field = |offset| u16_at(bytes, usize_of(e_lfanew + offset)).unwrap_or_default();
        let (count, size, magic) = (field(6), field(20), field(OPTIONAL_HEADER));
        if magic == MAGIC_ROM {
            return Err(Error::Unsupported {
                what: Unsupported::Rom,
            });
        }
        // Where `NumberOfRvaAndSizes` ends: the last field before the directories.
        let needed = match magic {
            MAGIC_PE32 => 96,
            MAGIC_PE32_PLUS => 112,
            _ => {
                return Err(Error::malformed(Malformation::OptionalHeaderMagic {
                    magic,
                }));
            }
        };
        if size % 2 != 0 {
            return Err(Error::malformed(Malformation::OptionalHeaderOdd { size }));
        }
        if u64::from(size) < needed {
            return Err(Error::malformed(Malformation::OptionalHeaderTooSmall {
                size,
                needed,
            }));
        }
        if count > MAX_SECTIONS {
            return Err(Error::malformed(Malformation::TooManySections {
                count,
                limit: MAX_SECTIONS,
            }));
        }
        Ok(Self {
            e_lfanew,
            table: e_lfanew + OPTIONAL_HEADER + u64::from(size),
            count,
        })
    }

    fn table_end(&self) -> u64 {
        self.table + SECTION_HEADER_SIZE * u64::from(self.count)
    }
}

/// Finds the PE header, or says what the file is instead.
fn locate(source: &impl ReadAt, bytes: &[u8], len: u64) -> Result<u64, Error> {
    let not_pe = |what| Err(Error::NotPe { what });
    match bytes.get(..2) {
        None if bytes.is_empty() => return not_pe(NotPe::Empty),
        Some(b"MZ") => {}
        Some(b"VZ") if is_terse(bytes) => {
            return Err(Error::Unsupported {
                what: Unsupported::Te,
            });
        }
        _ => return not_pe(NotPe::NoDosSignature),
    }
    let Some(e_lfanew) = u32_at(bytes, 0x3c) else {
        return not_pe(NotPe::ShortDosHeader);
    };
    let offset = u64::from(e_lfanew);
    if e_lfanew == 0 {
        return not_pe(NotPe::DosProgram);
    }
    if offset + 4 > len {
        return Err(Error::malformed(Malformation::HeaderBeyondFile {
            offset: e_lfanew,
        }));
    }
    let mut signature = [0; 4];
    source
        .read_exact_at(offset, &mut signature)
        .map_err(|error| Error::read(offset, 4, error))?;
    match signature {
        [b'P', b'E', 0, 0] => {}
        [b'N' | b'L', b'E', ..] | [b'L', b'X', ..] => return not_pe(NotPe::OldProgram),
        _ => return not_pe(NotPe::DosProgram),
    }
    if offset < DOS_HEADER_SIZE {
        return Err(Error::malformed(Malformation::HeaderInDosHeader {
            offset: e_lfanew,
        }));
    }
    if offset % 4 != 0 {
        return Err(Error::malformed(Malformation::HeaderUnaligned {
            offset: e_lfanew,
        }));
    }
    Ok(offset)
}

/// Whether bytes that start with `VZ` go on like a terse executable: a known
/// machine and a plausible number of sections (UEFI Platform Initialization
/// specification, "TE Header"). Two letters alone would say it of any text.
fn is_terse(bytes: &[u8]) -> bool {
    let known = matches!(
        u16_at(bytes, 2),
        Some(0x014c | 0x8664 | 0x0200 | 0x01c2 | 0x01c4 | 0xaa64 | 0x5064 | 0x0ebc)
    );
    known && matches!(bytes.get(4), Some(1..=96))
}

/// Lets goblin parse the structures, each from exactly the bytes that are its own.
fn parse(bytes: &[u8], shape: &Shape) -> Result<(CoffHeader, OptionalHeader), Error> {
    let headers = |error: goblin::error::Error| {
        Error::malformed(Malformation::Headers {
            message: error.to_string(),
        })
    };
    let dos = DosHeader::parse(bytes).map_err(headers)?;
    if u64::from(dos.pe_pointer) != shape.e_lfanew {
        return Err(Error::malformed(Malformation::FieldMismatch {
            field: "e_lfanew",
            offset: 0x3c,
        }));
    }
    let mut offset = usize_of(shape.e_lfanew + 4);
    let coff = CoffHeader::parse(bytes, &mut offset).map_err(headers)?;
    let own = bytes.get(offset..usize_of(shape.table)).unwrap_or_default();
    let directories = match u16_at(own, 0) {
        Some(MAGIC_PE32) => u32_at(own, 92),
        _ => u32_at(own, 108),
    };
    match directories {
        Some(count) if count > MAX_DIRECTORIES => {
            return Err(Error::malformed(Malformation::TooManyDirectories { count }));
        }
        _ => {}
    }
    // A directory beyond SizeOfOptionalHeader would be a section header too:
    // the slice ends there, and goblin fails.
    let optional: OptionalHeader = own.pread_with(0, LE).map_err(headers)?;
    Ok((coff, optional))
}

/// Reads on until `bytes` hold the first `end` bytes, which must be in the file
/// and within the bound for headers.
fn extend_within(
    source: &impl ReadAt,
    bytes: &mut Vec<u8>,
    end: u64,
    len: u64,
) -> Result<(), Error> {
    if end > len {
        return Err(Error::malformed(Malformation::HeadersTruncated {
            needed: end,
            len,
        }));
    }
    if end > MAX_HEADER {
        return Err(Error::malformed(Malformation::HeadersTooLarge {
            end,
            limit: MAX_HEADER,
        }));
    }
    extend(source, bytes, end)
}

fn extend(source: &impl ReadAt, bytes: &mut Vec<u8>, end: u64) -> Result<(), Error> {
    let have = bytes.len();
    let Some(more) = usize_of(end).checked_sub(have).filter(|more| *more > 0) else {
        return Ok(());
    };
    bytes.resize(have + more, 0);
    source
        .read_exact_at(have as u64, &mut bytes[have..])
        .map_err(|error| Error::read(have as u64, more, error))
}
