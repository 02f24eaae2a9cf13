//! One image: its headers, read once, and a source for everything else.

use std::fmt;
use std::sync::OnceLock;

use crate::checksum::CheckSumState;
use crate::condition::{self, Judgement};
use crate::directory::{CertificateTable, DataDirectory, DirectoryKind};
use crate::error::Error;
use crate::header::Header;
use crate::section::Section;
use crate::source::ReadAt;
use crate::string_table;

/// DllCharacteristics: the image may be loaded anywhere (ASLR).
pub const DYNAMIC_BASE: u16 = 0x0040;
/// DllCharacteristics: the signature is checked whenever the image is loaded.
pub const FORCE_INTEGRITY: u16 = 0x0080;
/// DllCharacteristics: control flow guard, which relies on `DYNAMIC_BASE`.
pub const GUARD_CF: u16 = 0x4000;

const SUBSYSTEM_NATIVE: u16 = 1;
const FILE_DLL: u16 = 0x2000;

/// The width of an image's addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum ImageKind {
    /// 32-bit, optional header magic 0x10b.
    Pe32,
    /// 64-bit, optional header magic 0x20b.
    Pe32Plus,
}

impl ImageKind {
    /// Bytes of an address in this kind of image.
    pub(crate) fn pointer_size(self) -> u64 {
        match self {
            Self::Pe32 => 4,
            Self::Pe32Plus => 8,
        }
    }
}

/// The processor that an image is for (`IMAGE_FILE_MACHINE_*`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Machine(pub u16);

impl Machine {
    /// x86, 32 bits.
    pub const X86: Self = Self(0x014c);
    /// x86-64.
    pub const X86_64: Self = Self(0x8664);
    /// 32-bit ARM (Thumb-2).
    pub const ARM: Self = Self(0x01c4);
    /// 64-bit ARM.
    pub const ARM64: Self = Self(0xaa64);
    /// 64-bit ARM code that follows the x86-64 calling convention.
    pub const ARM64_EC: Self = Self(0xa641);
    /// Both 64-bit ARM kinds in one image.
    pub const ARM64_X: Self = Self(0xa64e);

    /// Whether Windows insists on `DYNAMIC_BASE` for this machine.
    #[must_use]
    pub fn is_arm64(self) -> bool {
        matches!(self, Self::ARM64 | Self::ARM64_EC | Self::ARM64_X)
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::X86 => f.write_str("x86"),
            Self::X86_64 => f.write_str("x86_64"),
            Self::ARM => f.write_str("arm"),
            Self::ARM64 => f.write_str("arm64"),
            Self::ARM64_EC => f.write_str("arm64ec"),
            Self::ARM64_X => f.write_str("arm64x"),
            Self(other) => write!(f, "{other:#06x}"),
        }
    }
}

/// An image, as far as its headers tell.
///
/// Reading it takes the file's first 4 KiB, and what the section table needs
/// beyond that. All else is read when a method asks for it.
#[derive(Debug)]
pub struct Image<R> {
    source: R,
    len: u64,
    header: Header,
    judgement: OnceLock<Judgement>,
}

impl<R: ReadAt> Image<R> {
    /// Reads and checks the headers.
    ///
    /// # Errors
    ///
    /// [`Error::NotPe`] for anything that does not claim to be a PE image,
    /// [`Error::Malformed`] for one that breaks the format's rules,
    /// [`Error::Unsupported`] for ROM and TE images, [`Error::Size`] and
    /// [`Error::Read`] where the source fails.
    pub fn read(source: R) -> Result<Self, Error> {
        let len = source.size().map_err(|source| Error::Size { source })?;
        let mut header = Header::read(&source, len)?;
        string_table::resolve(&source, &mut header, len)?;
        Ok(Self {
            source,
            len,
            header,
            judgement: OnceLock::new(),
        })
    }

    /// Judges the image: whether its fat binaries are writable, and whether
    /// making them read-only is safe. The walk through a section's content runs
    /// only where the section is writable, and only once per image.
    ///
    /// # Errors
    ///
    /// [`Error::Read`] where the source fails. Content that is not as it should
    /// be is no error but a reason to refuse.
    pub fn condition(&self) -> Result<Judgement, Error> {
        self.judged().cloned()
    }

    pub(crate) fn judged(&self) -> Result<&Judgement, Error> {
        if let Some(judgement) = self.judgement.get() {
            return Ok(judgement);
        }
        let judgement = condition::judge(self)?;
        Ok(self.judgement.get_or_init(|| judgement))
    }
}

impl<R> Image<R> {
    /// What the image is read from.
    #[must_use]
    pub fn source(&self) -> &R {
        &self.source
    }

    /// Gives the source back.
    #[must_use]
    pub fn into_source(self) -> R {
        self.source
    }

    /// The length of the file in bytes.
    #[must_use]
    // An image without a header cannot be read: it is never empty.
    #[expect(clippy::len_without_is_empty, reason = "no image is empty")]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// The file's bytes from 0 to the end of the section table. Every edit that
    /// this crate plans lies within them.
    #[must_use]
    pub fn header(&self) -> &[u8] {
        &self.header.bytes
    }

    /// The processor that the image is for.
    #[must_use]
    pub fn machine(&self) -> Machine {
        Machine(self.header.coff.machine)
    }

    /// PE32 or PE32+.
    #[must_use]
    pub fn kind(&self) -> ImageKind {
        if self.header.optional.standard_fields.magic == goblin::pe::optional_header::MAGIC_32 {
            ImageKind::Pe32
        } else {
            ImageKind::Pe32Plus
        }
    }

    /// Whether the image is a DLL (`.pyd` files are).
    #[must_use]
    pub fn is_dll(&self) -> bool {
        self.header.coff.characteristics & FILE_DLL != 0
    }

    /// The virtual address that the image is linked for.
    #[must_use]
    pub fn image_base(&self) -> u64 {
        self.header.optional.windows_fields.image_base
    }

    /// Bytes of address space, headers included.
    #[must_use]
    pub fn size_of_image(&self) -> u32 {
        self.header.optional.windows_fields.size_of_image
    }

    /// Bytes of all headers in the file, padding included.
    #[must_use]
    pub fn size_of_headers(&self) -> u32 {
        self.header.optional.windows_fields.size_of_headers
    }

    /// Alignment of sections in memory, in bytes.
    #[must_use]
    pub fn section_alignment(&self) -> u32 {
        self.header.optional.windows_fields.section_alignment
    }

    /// Alignment of raw data in the file, in bytes.
    #[must_use]
    pub fn file_alignment(&self) -> u32 {
        self.header.optional.windows_fields.file_alignment
    }

    /// The entry point's address relative to the image base; 0 for none.
    #[must_use]
    pub fn entry_point(&self) -> u32 {
        self.header.optional.standard_fields.address_of_entry_point
    }

    /// The subsystem (`IMAGE_SUBSYSTEM_*`).
    #[must_use]
    pub fn subsystem(&self) -> u16 {
        self.header.optional.windows_fields.subsystem
    }

    /// Whether the image runs in the kernel or before Windows is up.
    #[must_use]
    pub fn is_driver(&self) -> bool {
        self.subsystem() == SUBSYSTEM_NATIVE
    }

    /// The DllCharacteristics flags.
    #[must_use]
    pub fn dll_characteristics(&self) -> u16 {
        self.header.optional.windows_fields.dll_characteristics
    }

    /// Whether the image may be loaded anywhere (`DYNAMIC_BASE`).
    #[must_use]
    pub fn has_aslr(&self) -> bool {
        self.dll_characteristics() & DYNAMIC_BASE != 0
    }

    /// Whether control flow guard is on (`GUARD_CF`).
    #[must_use]
    pub fn has_guard_cf(&self) -> bool {
        self.dll_characteristics() & GUARD_CF != 0
    }

    /// Whether Windows checks the signature whenever it loads the image
    /// (`FORCE_INTEGRITY`).
    #[must_use]
    pub fn is_integrity_checked(&self) -> bool {
        self.dll_characteristics() & FORCE_INTEGRITY != 0
    }

    /// The CheckSum field; 0 where the linker did not set it.
    #[must_use]
    pub fn check_sum(&self) -> u32 {
        self.header.optional.windows_fields.check_sum
    }

    /// What the CheckSum field can be, without a pass over the file.
    #[must_use]
    pub fn check_sum_state(&self) -> CheckSumState {
        CheckSumState::of(self.check_sum(), self.len)
    }

    /// The file offset of the 4-byte CheckSum.
    #[must_use]
    pub fn check_sum_offset(&self) -> u64 {
        self.header.check_sum_offset()
    }

    /// The file offset of the 2-byte DllCharacteristics.
    #[must_use]
    pub fn dll_characteristics_offset(&self) -> u64 {
        self.header.dll_characteristics_offset()
    }

    /// The sections in the order of the section table.
    #[must_use]
    pub fn sections(&self) -> &[Section] {
        &self.header.sections
    }

    /// The sections that hold GPU code by their name.
    pub fn fatbin_sections(&self) -> impl Iterator<Item = &Section> {
        self.sections()
            .iter()
            .filter(|section| section.fatbin_kind().is_some())
    }

    /// The data directories that the header counts, at most 16, empty ones
    /// included.
    #[must_use]
    pub fn data_directories(&self) -> Vec<DataDirectory> {
        let count = self.header.optional.windows_fields.number_of_rva_and_sizes as usize;
        self.header
            .optional
            .data_directories
            .data_directories
            .iter()
            .take(count)
            .map(|slot| {
                slot.map(|(_, directory)| DataDirectory {
                    address: directory.virtual_address,
                    size: directory.size,
                })
                .unwrap_or_default()
            })
            .collect()
    }

    /// One data directory; `None` if the header does not count that far, or if
    /// it is empty.
    #[must_use]
    pub fn data_directory(&self, kind: DirectoryKind) -> Option<DataDirectory> {
        let slots = &self.header.optional.data_directories.data_directories;
        let (_, directory) = (*slots.get(kind.index())?)?;
        Some(DataDirectory {
            address: directory.virtual_address,
            size: directory.size,
        })
    }

    /// The certificate table, which holds the Authenticode signatures.
    #[must_use]
    pub fn certificate_table(&self) -> Option<CertificateTable> {
        let directory = self.data_directory(DirectoryKind::Certificate)?;
        (directory.size != 0).then_some(CertificateTable {
            offset: u64::from(directory.address),
            size: u64::from(directory.size),
        })
    }
}
