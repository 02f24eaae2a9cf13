//! From the table to the bytes, by the PE writer of the `object` crate.

use std::io;
use std::path::Path;

use object::pe;
use object::write::WritableBuffer;
use object::write::pe::{NtHeaders, SectionRange, Writer};

use crate::image::check_sum::{CHECK_SUM_OFFSET, check_sum};
use crate::image::header::{CheckSum, Machine};
use crate::image::layout::{At, Layout};
use crate::image::loader::Table;
use crate::image::place::{Directory, Placed};
use crate::image::string_table::StringTable;
use crate::image::tables::{self, unsupported};
use crate::sparse::SparseBytes;

impl WritableBuffer for SparseBytes {
    fn reserve(&mut self, _size: u64) -> Result<(), ()> {
        Ok(())
    }

    fn write_bytes(&mut self, bytes: &[u8]) {
        self.put(self.len(), bytes);
    }

    fn write_zeros(&mut self, additional: u64) {
        self.extend_to(self.len() + additional);
    }
}

impl Layout {
    /// The bytes of the image.
    ///
    /// # Errors
    ///
    /// When the layout asks for something that cannot be written, such as 4 GiB of sections.
    pub fn assemble(&self) -> io::Result<SparseBytes> {
        let mut file = SparseBytes::default();
        let headers = self.write(&mut file)?;
        file.put_sparse(file.len(), &self.overlay);
        let nt_offset = u64::from(self.nt_offset);
        for (at, bytes) in &headers {
            file.put(*at, bytes);
        }
        let table = nt_offset + 24 + self.optional_header_size();
        for edit in &self.edits {
            let offset = match edit.at {
                At::File(offset) => offset,
                At::Nt(offset) => nt_offset + offset,
                At::Section { index, offset } => table + 40 * index as u64 + offset,
            };
            file.put(offset, &edit.bytes);
        }
        if let Some(len) = self.cut_at {
            file.truncate(len);
        }
        let field = nt_offset + CHECK_SUM_OFFSET;
        let sum = match self.check_sum {
            CheckSum::Unset => return Ok(file),
            CheckSum::True => check_sum(&file, field),
            CheckSum::OffBy(difference) => check_sum(&file, field).wrapping_add(difference),
            CheckSum::Value(value) => value,
        };
        file.put(field, &sum.to_le_bytes());
        Ok(file)
    }

    /// Writes a new file that holds the image, with holes where it is zero.
    ///
    /// # Errors
    ///
    /// When the layout cannot be written, or the file exists or cannot be written.
    pub fn write_to(&self, path: &Path) -> io::Result<()> {
        self.assemble()?.write_to(path)
    }

    /// `SizeOfOptionalHeader` in bytes.
    #[must_use]
    pub fn optional_header_size(&self) -> u64 {
        let fixed = if self.machine.is_64() { 112 } else { 96 };
        fixed + 8 * self.data_directories as u64
    }

    /// Writes everything but the overlay and the edits; returns header bytes that `object` has no
    /// call for, with their file offsets.
    fn write(&self, file: &mut SparseBytes) -> io::Result<Vec<(u64, Vec<u8>)>> {
        let mut writer = Writer::new(
            self.machine.is_64(),
            self.section_alignment,
            self.file_alignment,
            file,
        );
        writer.reserve_dos_header();
        writer.reserve_until(self.nt_offset);
        writer.reserve_nt_headers(self.data_directories);
        let relocated = self.tables.iter().any(|table| self.is_relocated(table));
        let count = u16::try_from(self.sections.len() + usize::from(relocated))
            .map_err(|_| unsupported("more than 65,535 sections"))?;
        writer.reserve_section_headers(count);
        let mut strings = StringTable::default();
        let mut ranges = self.reserve_sections(&mut writer, &mut strings)?;
        let mut placed = self.place_tables(&ranges)?;
        ranges.extend(self.reserve_relocations(&mut writer, &mut placed));
        let string_table = strings.reserve(&mut writer);
        if let Some(size) = self.certificate {
            writer.reserve_certificate_table(size);
        }
        for directory in &placed.directories {
            if directory.index >= self.data_directories {
                return Err(unsupported("a table without its data directory"));
            }
            writer.set_data_directory(directory.index, directory.address, directory.size);
        }

        let failed = |error: object::write::Error| io::Error::other(error.to_string());
        writer.write_empty_dos_header().map_err(failed)?;
        writer.write_nt_headers(self.nt_headers(placed.entry_point));
        writer.write_section_headers();
        for (range, content) in ranges.iter().zip(&placed.contents) {
            write_content(&mut writer, range, content);
        }
        if let Some(offset) = string_table {
            writer.pad_until(offset);
            writer.write(&strings.bytes());
        }
        if let Some(size) = self.certificate {
            writer.write_certificate_table(&certificate(size));
        }
        Ok(self.header_overrides(string_table))
    }

    fn reserve_sections(
        &self,
        writer: &mut Writer<'_>,
        strings: &mut StringTable,
    ) -> io::Result<Vec<SectionRange>> {
        self.sections
            .iter()
            .map(|section| {
                let size = u32::try_from(section.content.len())
                    .map_err(|_| unsupported("a section of 4 GiB"))?;
                let raw = section.raw_size.unwrap_or(size);
                // A `VirtualSize` of 0 means the size in the file, and takes that many addresses.
                let virtual_size = match section.virtual_size {
                    Some(0) | None => raw,
                    Some(virtual_size) => virtual_size,
                };
                let end = u64::from(writer.virtual_len()) + u64::from(virtual_size);
                if end.max(writer.reserved_len() + u64::from(raw)) > 0xFFFF_0000 {
                    return Err(unsupported("4 GiB of sections"));
                }
                let flags = pe::SectionFlags(section.characteristics);
                let name = strings.name(&section.name);
                Ok(writer.reserve_section(name, flags, virtual_size, raw))
            })
            .collect()
    }

    fn reserve_relocations(
        &self,
        writer: &mut Writer<'_>,
        placed: &mut Placed,
    ) -> Option<SectionRange> {
        if placed.relocations.is_empty() {
            return None;
        }
        let table = tables::relocations(&placed.relocations, self.addresses());
        let (virtual_size, raw_size) = self.reloc_size;
        let range = writer.reserve_section(
            *b".reloc\0\0",
            pe::IMAGE_SCN_CNT_INITIALIZED_DATA
                | pe::IMAGE_SCN_MEM_READ
                | pe::IMAGE_SCN_MEM_DISCARDABLE,
            virtual_size.max(table.directory_size),
            raw_size.max(table.directory_size),
        );
        placed.directories.push(Directory {
            index: pe::IMAGE_DIRECTORY_ENTRY_BASERELOC,
            address: range.virtual_address,
            size: table.directory_size,
        });
        placed.contents.push(table.bytes.into());
        Some(range)
    }

    /// Whether a table holds pointers.
    fn is_relocated(&self, table: &Table) -> bool {
        match table {
            Table::Wrappers { modules, .. } => !modules.is_empty(),
            Table::Reader { .. } => self.machine == Machine::I386,
            Table::Tls { .. } | Table::LoadConfig { .. } | Table::Pointer { .. } => true,
            _ => false,
        }
    }

    fn nt_headers(&self, entry_point: u32) -> NtHeaders {
        let mut characteristics = pe::IMAGE_FILE_EXECUTABLE_IMAGE;
        if !self.program {
            characteristics |= pe::IMAGE_FILE_DLL;
        }
        characteristics |= if self.machine.is_64() {
            pe::IMAGE_FILE_LARGE_ADDRESS_AWARE
        } else {
            pe::IMAGE_FILE_32BIT_MACHINE
        };
        NtHeaders {
            machine: pe::Machine(self.machine.value()),
            time_date_stamp: 0x6283_2a00,
            characteristics,
            major_linker_version: 14,
            minor_linker_version: 29,
            address_of_entry_point: entry_point,
            image_base: self.image_base,
            major_operating_system_version: 6,
            minor_operating_system_version: 0,
            major_image_version: 0,
            minor_image_version: 0,
            major_subsystem_version: 6,
            minor_subsystem_version: 0,
            subsystem: pe::Subsystem(self.subsystem),
            dll_characteristics: pe::DllFlags(self.dll_characteristics),
            size_of_stack_reserve: 0x10_0000,
            size_of_stack_commit: 0x1000,
            size_of_heap_reserve: 0x10_0000,
            size_of_heap_commit: 0x1000,
        }
    }

    /// Header fields that `object` has no call for: the place of a string table, and a
    /// `VirtualSize` of 0.
    fn header_overrides(&self, string_table: Option<u32>) -> Vec<(u64, Vec<u8>)> {
        let nt_offset = u64::from(self.nt_offset);
        let mut overrides = Vec::new();
        if let Some(offset) = string_table {
            overrides.push((nt_offset + 12, offset.to_le_bytes().to_vec()));
        }
        let table = nt_offset + 24 + self.optional_header_size();
        for (index, section) in self.sections.iter().enumerate() {
            if section.virtual_size == Some(0) {
                overrides.push((table + 40 * index as u64 + 8, vec![0; 4]));
            }
        }
        overrides
    }
}

fn write_content(writer: &mut Writer<'_>, range: &SectionRange, content: &SparseBytes) {
    if range.file_size == 0 {
        return;
    }
    for (at, piece) in content.pieces() {
        let offset = u32::try_from(at).expect("checked against the raw size");
        writer.pad_until(range.file_offset + offset);
        writer.write(piece);
    }
    writer.pad_until(range.file_offset + range.file_size);
}

/// A certificate table of one PKCS#7 entry that signs nothing.
fn certificate(size: u32) -> Vec<u8> {
    let size = size.next_multiple_of(8).max(8);
    let mut bytes = Vec::new();
    bytes.extend(size.to_le_bytes());
    bytes.extend(0x0200_u16.to_le_bytes());
    bytes.extend(0x0002_u16.to_le_bytes());
    bytes.extend(*b"\x30\x82");
    bytes.resize(usize::try_from(size).unwrap_or_default(), 0xA5);
    bytes
}
