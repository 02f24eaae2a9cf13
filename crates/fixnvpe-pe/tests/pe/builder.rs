//! Writes images byte by byte from a table, field by field as the PE format
//! specification lists them, so that every field can also be wrong.

/// `CNT_INITIALIZED_DATA | MEM_READ`.
pub(crate) const READ_ONLY: u32 = 0x4000_0040;
/// The same with `MEM_WRITE`: what CUDA's compiler set before 11.7.
pub(crate) const WRITABLE: u32 = 0xc000_0040;
/// `CNT_CODE | MEM_READ | MEM_EXECUTE`.
pub(crate) const CODE: u32 = 0x6000_0020;

pub(crate) const FILE_ALIGNMENT: u32 = 0x200;
pub(crate) const PAGE: u32 = 0x1000;

/// One section. Sizes that are `None` follow from the data.
#[derive(Debug, Clone)]
pub(crate) struct SectionSpec {
    pub(crate) name: [u8; 8],
    pub(crate) data: Vec<u8>,
    pub(crate) flags: u32,
    pub(crate) virtual_size: Option<u32>,
    pub(crate) virtual_address: Option<u32>,
    pub(crate) raw_size: Option<u32>,
    pub(crate) raw_pointer: Option<u32>,
}

impl SectionSpec {
    pub(crate) fn new(name: &[u8], flags: u32, data: Vec<u8>) -> Self {
        let mut field = [0; 8];
        field[..name.len()].copy_from_slice(name);
        Self {
            name: field,
            data,
            flags,
            virtual_size: None,
            virtual_address: None,
            raw_size: None,
            raw_pointer: None,
        }
    }
}

/// An image, with every field that the crate reads.
#[derive(Debug, Clone)]
pub(crate) struct ImageSpec {
    pub(crate) is_64_bit: bool,
    pub(crate) machine: u16,
    pub(crate) e_lfanew: u32,
    pub(crate) file_characteristics: u16,
    pub(crate) magic: Option<u16>,
    pub(crate) extra_optional_header: u16,
    pub(crate) section_count: Option<u16>,
    pub(crate) entry_point: u32,
    pub(crate) image_base: u64,
    pub(crate) section_alignment: u32,
    pub(crate) size_of_image: Option<u32>,
    pub(crate) size_of_headers: Option<u32>,
    pub(crate) check_sum: u32,
    pub(crate) subsystem: u16,
    pub(crate) dll_characteristics: u16,
    pub(crate) directory_count: u32,
    pub(crate) directories: [(u32, u32); 16],
    pub(crate) sections: Vec<SectionSpec>,
    /// The COFF string table without its size; put behind the last section.
    pub(crate) strings: Option<Vec<u8>>,
    pub(crate) overlay: Vec<u8>,
}

impl ImageSpec {
    /// A DLL for x86-64 with ASLR, no sections.
    pub(crate) fn dll() -> Self {
        Self {
            is_64_bit: true,
            machine: 0x8664,
            e_lfanew: 0x80,
            file_characteristics: 0x2022,
            magic: None,
            extra_optional_header: 0,
            section_count: None,
            entry_point: 0,
            image_base: 0x1_8000_0000,
            section_alignment: PAGE,
            size_of_image: None,
            size_of_headers: None,
            check_sum: 0,
            subsystem: 2,
            dll_characteristics: 0x160,
            directory_count: 16,
            directories: [(0, 0); 16],
            sections: Vec::new(),
            strings: None,
            overlay: Vec::new(),
        }
    }

    /// The same for x86.
    pub(crate) fn dll_32() -> Self {
        Self {
            is_64_bit: false,
            machine: 0x14c,
            image_base: 0x1000_0000,
            ..Self::dll()
        }
    }

    /// A DLL with code, data and a writable section of CUDA modules.
    pub(crate) fn cuda(flags: u32, content: Vec<u8>) -> Self {
        Self::dll()
            .with(SectionSpec::new(b".text", CODE, vec![0xc3; 0x321]))
            .with(SectionSpec::new(b".data", WRITABLE, vec![1; 0x1234]))
            .with(SectionSpec::new(b".nv_fatb", flags, content))
    }

    pub(crate) fn with(mut self, section: SectionSpec) -> Self {
        self.sections.push(section);
        self
    }

    pub(crate) fn section(&mut self, name: &[u8]) -> &mut SectionSpec {
        self.sections
            .iter_mut()
            .find(|section| section.name.starts_with(name))
            .expect("the image has this section")
    }

    /// The file offset of the section table.
    pub(crate) fn table(&self) -> usize {
        let optional = if self.is_64_bit { 112 } else { 96 } + 8 * self.directory_count.min(16);
        self.e_lfanew as usize + 24 + optional as usize + usize::from(self.extra_optional_header)
    }

    /// The file offset of a section's flags.
    pub(crate) fn flags_offset(&self, name: &[u8]) -> u64 {
        let index = self
            .sections
            .iter()
            .position(|section| section.name.starts_with(name))
            .expect("the image has this section");
        (self.table() + 40 * index + 36) as u64
    }

    /// Where each section goes: address, raw pointer, raw size.
    pub(crate) fn layout(&self) -> Vec<(u32, u32, u32)> {
        let end = u32::try_from(self.table() + 40 * self.sections.len()).expect("small headers");
        let mut pointer = end.next_multiple_of(FILE_ALIGNMENT);
        let mut address = end.next_multiple_of(PAGE);
        let mut places = Vec::new();
        for section in &self.sections {
            let len = u32::try_from(section.data.len()).expect("small sections");
            let raw = section
                .raw_size
                .unwrap_or(len.next_multiple_of(FILE_ALIGNMENT));
            let at = section.virtual_address.unwrap_or(address);
            places.push((at, section.raw_pointer.unwrap_or(pointer), raw));
            pointer += len.next_multiple_of(FILE_ALIGNMENT);
            let size = section.virtual_size.filter(|size| *size > 0);
            address = at + size.unwrap_or(len).max(1).next_multiple_of(PAGE);
        }
        places
    }

    /// The bytes of the file.
    pub(crate) fn build(&self) -> Vec<u8> {
        let places = self.layout();
        let mut file = self.headers(&places);
        file.resize(file.len().next_multiple_of(FILE_ALIGNMENT as usize), 0);
        for section in &self.sections {
            file.extend_from_slice(&section.data);
            file.resize(file.len().next_multiple_of(FILE_ALIGNMENT as usize), 0);
        }
        if let Some(strings) = &self.strings {
            let at = self.e_lfanew as usize + 12;
            let pointer = u32::try_from(file.len()).expect("a small file");
            file[at..at + 4].copy_from_slice(&pointer.to_le_bytes());
            let size = u32::try_from(strings.len() + 4).expect("a small table");
            file.extend_from_slice(&size.to_le_bytes());
            file.extend_from_slice(strings);
        }
        file.extend_from_slice(&self.overlay);
        file
    }

    fn headers(&self, places: &[(u32, u32, u32)]) -> Vec<u8> {
        let mut file = vec![0; self.e_lfanew.max(0x40) as usize];
        file[..2].copy_from_slice(b"MZ");
        file[0x3c..0x40].copy_from_slice(&self.e_lfanew.to_le_bytes());
        file.extend_from_slice(b"PE\0\0");
        let count = u16::try_from(self.sections.len()).expect("few sections");
        let table = self.table();
        let optional = u16::try_from(table - self.e_lfanew as usize - 24).expect("a small header");
        put(&mut file, self.machine);
        put(&mut file, self.section_count.unwrap_or(count));
        file.extend_from_slice(&[0; 12]);
        put(&mut file, optional);
        put(&mut file, self.file_characteristics);
        self.optional_header(&mut file, places);
        file.resize(table, 0);
        for (section, (address, pointer, raw)) in self.sections.iter().zip(places) {
            file.extend_from_slice(&section.name);
            let len = u32::try_from(section.data.len()).expect("small sections");
            put32(&mut file, section.virtual_size.unwrap_or(len));
            put32(&mut file, *address);
            put32(&mut file, *raw);
            put32(&mut file, *pointer);
            file.extend_from_slice(&[0; 12]);
            put32(&mut file, section.flags);
        }
        file
    }

    fn optional_header(&self, file: &mut Vec<u8>, places: &[(u32, u32, u32)]) {
        let magic = if self.is_64_bit { 0x20b } else { 0x10b };
        put(file, self.magic.unwrap_or(magic));
        file.extend_from_slice(&[14, 0]);
        file.extend_from_slice(&[0; 12]);
        put32(file, self.entry_point);
        put32(file, PAGE);
        if !self.is_64_bit {
            put32(file, 0);
        }
        self.pointer(file, self.image_base);
        put32(file, self.section_alignment);
        put32(file, FILE_ALIGNMENT);
        file.extend_from_slice(&[6, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0]);
        let end = u32::try_from(self.table() + 40 * self.sections.len()).expect("small headers");
        let last = self.sections.iter().zip(places).next_back();
        let image = last.map_or(PAGE, |(section, (address, ..))| {
            let len = u32::try_from(section.data.len()).expect("small sections");
            let size = section.virtual_size.filter(|size| *size > 0);
            address + size.unwrap_or(len).max(1).next_multiple_of(PAGE)
        });
        put32(file, self.size_of_image.unwrap_or(image));
        let headers = end.next_multiple_of(FILE_ALIGNMENT);
        put32(file, self.size_of_headers.unwrap_or(headers));
        put32(file, self.check_sum);
        put(file, self.subsystem);
        put(file, self.dll_characteristics);
        for size in [0x10_0000, 0x1000, 0x10_0000, 0x1000] {
            self.pointer(file, size);
        }
        put32(file, 0);
        put32(file, self.directory_count);
        for (address, size) in self.directories.iter().take(self.directory_count as usize) {
            put32(file, *address);
            put32(file, *size);
        }
    }

    fn pointer(&self, file: &mut Vec<u8>, value: u64) {
        let bytes = value.to_le_bytes();
        file.extend_from_slice(&bytes[..if self.is_64_bit { 8 } else { 4 }]);
    }
}

fn put(file: &mut Vec<u8>, value: u16) {
    file.extend_from_slice(&value.to_le_bytes());
}

fn put32(file: &mut Vec<u8>, value: u32) {
    file.extend_from_slice(&value.to_le_bytes());
}
