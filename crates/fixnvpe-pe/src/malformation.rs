//! The rules that images, GPU code and lists of edits can break, one variant
//! each.

/// A rule of the PE format that an image breaks. Offsets and sizes are in bytes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Malformation {
    /// `e_lfanew` leads beyond the end of the file.
    #[error("the PE header would lie at {offset:#x}, beyond the end of the file")]
    HeaderBeyondFile {
        /// The value of `e_lfanew`.
        offset: u32,
    },
    /// `e_lfanew` leads into the DOS header.
    #[error("the PE header at {offset:#x} lies inside the DOS header")]
    HeaderInDosHeader {
        /// The value of `e_lfanew`.
        offset: u32,
    },
    /// `e_lfanew` is not a multiple of 4.
    #[error("the PE header at {offset:#x} is not aligned to 4 bytes")]
    HeaderUnaligned {
        /// The value of `e_lfanew`.
        offset: u32,
    },
    /// The file ends inside the headers.
    #[error("the headers need {needed} bytes and the file has {len}")]
    HeadersTruncated {
        /// How many bytes the headers need.
        needed: u64,
        /// How many bytes the file has.
        len: u64,
    },
    /// The section table ends beyond what this crate reads as headers.
    #[error("the headers end at {end:#x}, beyond the {limit:#x} bytes that are read")]
    HeadersTooLarge {
        /// Where the section table ends.
        end: u64,
        /// The bound.
        limit: u64,
    },
    /// More sections than Windows loads.
    #[error("{count} sections, more than the {limit} that Windows loads")]
    TooManySections {
        /// How many the header claims.
        count: u16,
        /// The most that are accepted.
        limit: u16,
    },
    /// `SizeOfOptionalHeader` is odd.
    #[error("SizeOfOptionalHeader {size} is odd")]
    OptionalHeaderOdd {
        /// The value of the field.
        size: u16,
    },
    /// `SizeOfOptionalHeader` does not hold the fields that must be there.
    #[error("SizeOfOptionalHeader {size} is below the {needed} bytes of its fields")]
    OptionalHeaderTooSmall {
        /// The value of the field.
        size: u16,
        /// How many bytes are needed.
        needed: u64,
    },
    /// The optional header is neither PE32 nor PE32+.
    #[error("the optional header has the unknown magic {magic:#x}")]
    OptionalHeaderMagic {
        /// The value of the field.
        magic: u16,
    },
    /// `NumberOfRvaAndSizes` is above 16.
    #[error("{count} data directories, more than 16")]
    TooManyDirectories {
        /// The value of the field.
        count: u32,
    },
    /// The section table ends beyond `SizeOfHeaders`.
    #[error("the section table ends at {end:#x}, beyond SizeOfHeaders {size_of_headers:#x}")]
    SectionTableBeyondHeaders {
        /// Where the section table ends.
        end: u64,
        /// The value of the field.
        size_of_headers: u32,
    },
    /// The raw data of a section covers the headers.
    #[error("the raw data of section {section} lies on the headers")]
    SectionOnHeaders {
        /// The index of the section, from 0.
        section: usize,
    },
    /// The raw data of two sections share bytes.
    #[error("the raw data of sections {first} and {second} overlap")]
    SectionsOverlap {
        /// The index of one section, from 0.
        first: usize,
        /// The index of the other.
        second: usize,
    },
    /// The header structures cannot be parsed.
    #[error("the headers cannot be parsed: {message}")]
    Headers {
        /// What the parser said.
        message: String,
    },
    /// A field does not lie where this crate would edit it.
    #[error("the field {field} does not lie at offset {offset:#x}")]
    FieldMismatch {
        /// The name of the field.
        field: &'static str,
        /// The file offset that was computed.
        offset: u64,
    },
    /// A structure lies at an address that no bytes of the file back.
    #[error("the {what} at RVA {rva:#x} is not backed by the file")]
    Unbacked {
        /// What was looked for.
        what: &'static str,
        /// The relative virtual address.
        rva: u64,
    },
    /// A list has no end, or more entries than are read.
    #[error("the {what} does not end within {limit} entries")]
    Unending {
        /// Which list.
        what: &'static str,
        /// The most entries that are read.
        limit: u64,
    },
    /// A DLL name of an import descriptor has no end within the bound.
    #[error("the imported DLL name at RVA {rva:#x} does not end within {limit} bytes")]
    ImportName {
        /// The relative virtual address of the name.
        rva: u64,
        /// The most bytes that are read.
        limit: u64,
    },
    /// A block of base relocations is smaller than its header, odd, or larger
    /// than what is left of the table.
    #[error("the base relocation block at RVA {rva:#x} has the size {size}")]
    RelocationBlock {
        /// The relative virtual address of the block.
        rva: u64,
        /// Its size field.
        size: u32,
    },
}

/// What is wrong with the content of a fat-binary section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FatbinFault {
    /// No fat binary starts here.
    #[error("no fat binary starts here (found {found:#010x})")]
    NoMagic {
        /// The four bytes found, little endian.
        found: u32,
    },
    /// The obsolete layout of the first CUDA releases.
    #[error("a fat binary of an obsolete layout")]
    ObsoleteLayout,
    /// A fat binary header of an unknown version or size.
    #[error("a fat binary header of version {version} and {size} bytes is unknown")]
    UnknownHeader {
        /// Its version.
        version: u16,
        /// Its size in bytes.
        size: u16,
    },
    /// A fat binary claims more bytes than the section has left.
    #[error("a fat binary claims {claimed} bytes and the section has {left} left")]
    ModuleTooLarge {
        /// The bytes claimed, header included where that does not overflow.
        claimed: u64,
        /// The bytes left.
        left: u64,
    },
    /// An element claims more bytes than its fat binary has left.
    #[error("an element claims {claimed} bytes and its fat binary has {left} left")]
    ElementTooLarge {
        /// The bytes claimed.
        claimed: u64,
        /// The bytes left.
        left: u64,
    },
    /// An element header below its smallest size.
    #[error("an element header of {size} bytes is too small")]
    ElementHeader {
        /// Its size field in bytes.
        size: u32,
    },
    /// More fat binaries than any real section holds.
    #[error("more than {limit} fat binaries")]
    TooManyModules {
        /// The bound.
        limit: u64,
    },
    /// More elements than any real section holds.
    #[error("more than {limit} elements")]
    TooManyElements {
        /// The bound.
        limit: u64,
    },
    /// More zeros than are read where nothing tells what follows them.
    #[error("more than {limit} bytes of zeros that nothing leads across")]
    TooManyZeros {
        /// The bound.
        limit: u64,
    },
    /// The section is empty, or holds zeros only.
    #[error("there is no fat binary in the section")]
    Empty,
    /// The raw data of the section is not in the file.
    #[error("the section's raw data lies beyond the end of the file")]
    BeyondFile,
    /// The section holds no CUDA fat binary, so that there is no walk.
    #[error("not a section of CUDA fat binaries")]
    NotCuda,
}

/// What is wrong with a list of edits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EditFault {
    /// No edits.
    #[error("there are no edits")]
    NoEdits,
    /// An edit without bytes, or with fewer bytes on one side.
    #[error("the edit at {offset:#x} does not replace bytes by as many")]
    Uneven {
        /// The file offset of the edit.
        offset: u64,
    },
    /// An edit that is larger than its field, or lies beyond all headers.
    #[error("the edit at {offset:#x} does not lie within one header field")]
    OutOfBounds {
        /// The file offset of the edit.
        offset: u64,
    },
    /// Two edits of one byte.
    #[error("two edits change the byte at {offset:#x}")]
    Overlap {
        /// The file offset of the second.
        offset: u64,
    },
}
