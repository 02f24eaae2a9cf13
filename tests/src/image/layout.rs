//! What an image looks like, as a table.

use crate::image::fatbin::Fatbin;
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

/// Bits of `DllCharacteristics`.
pub mod dll {
    /// The image may be loaded above 4 GiB.
    pub const HIGH_ENTROPY_VA: u16 = 0x0020;
    /// The image may be moved when it is loaded.
    pub const DYNAMIC_BASE: u16 = 0x0040;
    /// The loader checks the signature.
    pub const FORCE_INTEGRITY: u16 = 0x0080;
    /// Data may not be executed.
    pub const NX_COMPAT: u16 = 0x0100;
    /// Calls are checked by Control Flow Guard.
    pub const GUARD_CF: u16 = 0x4000;
}

/// The processor of an image; also says whether it is PE32 or PE32+.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Machine {
    /// 32-bit x86: PE32.
    I386,
    /// x86-64: PE32+.
    Amd64,
    /// ARM64: PE32+.
    Arm64,
}

impl Machine {
    /// Whether the image is PE32+.
    #[must_use]
    pub fn is_64(self) -> bool {
        self != Self::I386
    }

    /// The value of the `Machine` field.
    #[must_use]
    pub fn value(self) -> u16 {
        match self {
            Self::I386 => 0x014c,
            Self::Amd64 => 0x8664,
            Self::Arm64 => 0xaa64,
        }
    }
}

/// What stands in the `CheckSum` field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CheckSum {
    /// 0, as most linkers leave it.
    Unset,
    /// The true sum of the finished file.
    True,
    /// The true sum plus this number.
    OffBy(u32),
    /// This value.
    Value(u32),
}

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
}

/// A place within a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Index of the section in [`Layout::sections`].
    pub section: usize,
    /// Bytes from the start of the section.
    pub offset: u32,
}

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
    /// Size of the certificate table in bytes, if signed.
    pub certificate: Option<u32>,
    /// What follows the image in the file.
    pub overlay: SparseBytes,
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
            certificate: None,
            overlay: SparseBytes::default(),
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
