//! From the tables of a layout to bytes in its sections, once their addresses are known.

use std::io;

use object::pe;
use object::write::pe::SectionRange;

use crate::image::code;
use crate::image::layout::Layout;
use crate::image::loader::{Start, Table};
use crate::image::section::Place;
use crate::image::tables::{self, Addresses, Encoded, unsupported};
use crate::sparse::SparseBytes;

/// A value of the data directory.
pub(super) struct Directory {
    pub(super) index: usize,
    pub(super) address: u32,
    pub(super) size: u32,
}

/// What the tables of a layout come to, once the addresses of the sections are known.
#[derive(Default)]
pub(super) struct Placed {
    pub(super) contents: Vec<SparseBytes>,
    pub(super) directories: Vec<Directory>,
    /// Relative addresses of pointers.
    pub(super) relocations: Vec<u32>,
    pub(super) entry_point: u32,
}

impl Layout {
    pub(super) fn place_tables(&self, ranges: &[SectionRange]) -> io::Result<Placed> {
        let mut placed = Placed {
            contents: self
                .sections
                .iter()
                .map(|section| section.content.clone())
                .collect(),
            ..Placed::default()
        };
        for table in &self.tables {
            let (at, encoded, directory) = self.encode(table, ranges)?;
            let here = address(ranges, at);
            placed.contents[at.section].put(u64::from(at.offset), &encoded.bytes);
            placed
                .relocations
                .extend(encoded.pointers.iter().map(|offset| here + offset));
            if let Some(index) = directory {
                let size = encoded.directory_size;
                placed.directories.push(Directory {
                    index,
                    address: here,
                    size,
                });
            }
            if matches!(table, Table::Start { .. }) {
                placed.entry_point = here;
            }
        }
        for (range, content) in ranges.iter().zip(&placed.contents) {
            if content.len() > u64::from(range.file_size) {
                return Err(unsupported("content beyond the section's raw data"));
            }
        }
        Ok(placed)
    }

    fn encode(
        &self,
        table: &Table,
        ranges: &[SectionRange],
    ) -> io::Result<(Place, Encoded, Option<usize>)> {
        let to = |place: &Place| address(ranges, *place);
        let addresses = self.addresses();
        let (at, encoded, directory) = match table {
            Table::Start { at, start } => (at, self.start(*start, to(at), ranges)?, None),
            Table::Reader { at, section } => {
                let target = ranges[*section].virtual_address;
                let function = code::reader(self.machine, self.image_base, to(at), target)?;
                (at, encoded(function), None)
            }
            Table::Exports { at, name } => {
                let named = self.exported(ranges);
                (
                    at,
                    tables::exports(to(at), name, &named),
                    Some(pe::IMAGE_DIRECTORY_ENTRY_EXPORT),
                )
            }
            Table::Imports { at, imports } => (
                at,
                tables::imports(to(at), imports, addresses),
                Some(pe::IMAGE_DIRECTORY_ENTRY_IMPORT),
            ),
            Table::DelayImports { at, imports } => (
                at,
                tables::delay_imports(to(at), imports, addresses),
                Some(pe::IMAGE_DIRECTORY_ENTRY_DELAY_IMPORT),
            ),
            Table::Tls { at, index } => (
                at,
                tables::tls(to(index), addresses),
                Some(pe::IMAGE_DIRECTORY_ENTRY_TLS),
            ),
            Table::LoadConfig { at, cookie } => (
                at,
                tables::load_config(to(cookie), addresses),
                Some(pe::IMAGE_DIRECTORY_ENTRY_LOAD_CONFIG),
            ),
            Table::Wrappers {
                at,
                section,
                modules,
            } => {
                let start = ranges[*section].virtual_address;
                let modules: Vec<u32> = modules.iter().map(|offset| start + offset).collect();
                (at, tables::wrappers(&modules, addresses), None)
            }
            Table::Pointer { at, to: target } => (at, tables::pointer(to(target), addresses), None),
        };
        Ok((*at, encoded, directory))
    }

    fn start(&self, start: Start, here: u32, ranges: &[SectionRange]) -> io::Result<Encoded> {
        let function = match start {
            Start::Return => code::entry(self.machine, self.program),
            Start::Unpack(section) => {
                let range = ranges[section];
                let last = range.virtual_address + range.virtual_size - 4;
                code::unpack(self.machine, here, range.virtual_address, last)?
            }
        };
        Ok(encoded(function))
    }

    /// The names that the export table gives away, sorted, as the loader searches them.
    fn exported(&self, ranges: &[SectionRange]) -> Vec<(&'static str, u32)> {
        self.tables
            .iter()
            .find_map(|table| match table {
                Table::Reader { at, section } => Some(vec![
                    ("fatbin", ranges[*section].virtual_address),
                    ("fatbin_first_bytes", address(ranges, *at)),
                ]),
                _ => None,
            })
            .unwrap_or_default()
    }

    pub(super) fn addresses(&self) -> Addresses {
        Addresses {
            is_64: self.machine.is_64(),
            image_base: self.image_base,
        }
    }
}

fn address(ranges: &[SectionRange], place: Place) -> u32 {
    ranges[place.section].virtual_address + place.offset
}

fn encoded(function: code::Function) -> Encoded {
    Encoded {
        bytes: function.bytes,
        pointers: function.absolute,
        directory_size: 0,
    }
}
