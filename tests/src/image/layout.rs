//! What an image looks like, as a table.

use crate::image::fatbin::Fatbin;
use crate::image::header::{CheckSum, Machine, dll};
use crate::image::loader::{Import, Start, Table};
use crate::image::section::{DATA, Place, RDATA, Section, TEXT};
use crate::sparse::SparseBytes;

/// Where a [`HeaderEdit`] writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum At {
    /// A file offset.
    File(u64),
    /// Bytes from `e_lfanew`, as the format's tables count.
    Nt(u64),
    /// Bytes from the start of a section header.
    Section {
        /// Index of the section.
        index: usize,
        /// Bytes from the start of its header.
        offset: u64,
    },
}

/// Bytes to write over the finished file, to break a rule of the format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeaderEdit {
    /// Where.
    pub at: At,
    /// What.
    pub bytes: Vec<u8>,
}

/// An image as a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// The processor; PE32 for [`Machine::I386`], else PE32+.
    pub machine: Machine,
    /// Whether it is a program; else a DLL.
    pub program: bool,
    /// The preferred address.
    pub image_base: u64,
    /// `Subsystem`: 1 native, 2 windows, 3 console.
    pub subsystem: u16,
    /// `DllCharacteristics`, see [`dll`].
    pub dll_characteristics: u16,
    /// The `CheckSum` field.
    pub check_sum: CheckSum,
    /// Offset of the NT headers (`e_lfanew`), a multiple of 8 and at least 64.
    pub nt_offset: u32,
    /// `SectionAlignment`.
    pub section_alignment: u32,
    /// `FileAlignment`.
    pub file_alignment: u32,
    /// `NumberOfRvaAndSizes`; the tables that are used must have their entry.
    pub data_directories: usize,
    /// The sections; `.reloc` follows by itself where anything must be relocated.
    pub sections: Vec<Section>,
    /// Structures inside the sections.
    pub tables: Vec<Table>,
    /// `VirtualSize` and `SizeOfRawData` of `.reloc` in bytes, where they are more than needed.
    pub reloc_size: (u32, u32),
    /// Size of the certificate table in bytes, if signed.
    pub certificate: Option<u32>,
    /// What follows the image in the file.
    pub overlay: SparseBytes,
    /// Where the file ends, if a download broke off.
    pub cut_at: Option<u64>,
    /// Rules to break.
    pub edits: Vec<HeaderEdit>,
}

impl Layout {
    /// A DLL without sections or tables, as Microsoft's linker sets its header fields.
    #[must_use]
    pub fn empty(machine: Machine) -> Self {
        let wide = if machine.is_64() {
            dll::HIGH_ENTROPY_VA
        } else {
            0
        };
        Self {
            machine,
            program: false,
            image_base: if machine.is_64() {
                0x1_8000_0000
            } else {
                0x1000_0000
            },
            subsystem: 2,
            dll_characteristics: dll::DYNAMIC_BASE | dll::NX_COMPAT | wide,
            check_sum: CheckSum::Unset,
            nt_offset: 0x100,
            section_alignment: 0x1000,
            file_alignment: 0x200,
            data_directories: 16,
            sections: Vec::new(),
            tables: Vec::new(),
            reloc_size: (0, 0),
            certificate: None,
            overlay: SparseBytes::default(),
            cut_at: None,
            edits: Vec::new(),
        }
    }

    /// A DLL with code, exports and imports, and no fat binary.
    #[must_use]
    pub fn plain_dll(machine: Machine) -> Self {
        let mut layout = Self::empty(machine);
        layout.sections = vec![
            Section::new(".text", TEXT, SparseBytes::zeros(0x800)),
            Section::new(".rdata", RDATA, SparseBytes::zeros(0x800)),
            Section::new(".data", DATA, SparseBytes::zeros(0x400)).with_virtual_size(0x2000),
        ];
        let place = |section, offset| Place { section, offset };
        layout.tables = vec![
            Table::Start {
                at: place(0, 0),
                start: Start::Return,
            },
            Table::Imports {
                at: place(1, 0x200),
                imports: vec![Import::new("KERNEL32.dll", ["GetTickCount"])],
            },
            Table::LoadConfig {
                at: place(1, 0x400),
                cookie: place(2, 0x10),
            },
        ];
        layout
    }

    /// A DLL for x86-64 as CUDA's tools before 11.7 link it: [`Self::plain_dll`] with a writable
    /// `.nv_fatb` and its `.nvFatBi`.
    #[must_use]
    pub fn cuda_dll(fatbin: &Fatbin) -> Self {
        Self::plain_dll(Machine::Amd64).with_fatbin(".nv_fatb", DATA, fatbin)
    }

    /// Adds a section with fat binaries, its wrappers in `.nvFatBi`, and the exports that read it.
    #[must_use]
    pub fn with_fatbin(
        mut self,
        name: impl AsRef<[u8]>,
        characteristics: u32,
        fatbin: &Fatbin,
    ) -> Self {
        let section = self.sections.len();
        let (content, modules) = fatbin.content();
        self.sections
            .push(Section::new(name, characteristics, content));
        let wrappers = SparseBytes::zeros(24 * modules.len() as u64);
        self.sections.push(Section::new(".nvFatBi", DATA, wrappers));
        let place = |section, offset| Place { section, offset };
        self.tables.push(Table::Wrappers {
            at: place(section + 1, 0),
            section,
            modules,
        });
        if !self
            .tables
            .iter()
            .any(|table| matches!(table, Table::Exports { .. }))
        {
            self.tables.push(Table::Reader {
                at: place(0, 0x40),
                section,
            });
            self.tables.push(Table::Exports {
                at: place(1, 0),
                name: "fixture.dll".to_owned(),
            });
        }
        self
    }

    /// Index of the first section with this name.
    ///
    /// # Panics
    ///
    /// When there is none.
    #[must_use]
    pub fn index_of(&self, name: impl AsRef<[u8]>) -> usize {
        let name = name.as_ref();
        self.sections
            .iter()
            .position(|section| section.name == name)
            .unwrap_or_else(|| panic!("no section {}", String::from_utf8_lossy(name)))
    }

    /// The first section with this name, to change it.
    ///
    /// # Panics
    ///
    /// When there is none.
    pub fn section_mut(&mut self, name: impl AsRef<[u8]>) -> &mut Section {
        let index = self.index_of(name);
        &mut self.sections[index]
    }

    /// A place in the first section with this name.
    ///
    /// # Panics
    ///
    /// When there is none.
    #[must_use]
    pub fn place(&self, name: impl AsRef<[u8]>, offset: u32) -> Place {
        Place {
            section: self.index_of(name),
            offset,
        }
    }

    /// The same layout with one more edit of the finished file.
    #[must_use]
    pub fn edited(mut self, at: At, bytes: impl AsRef<[u8]>) -> Self {
        self.edits.push(HeaderEdit {
            at,
            bytes: bytes.as_ref().to_vec(),
        });
        self
    }
}
