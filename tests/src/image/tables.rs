//! Structures that the loader reads, as bytes for a known address.

use std::io;

use crate::image::loader::Import;

/// Bytes for one place in a section, the offsets of the pointers in them, and the data directory
/// that they belong to.
#[derive(Debug, Default)]
pub(super) struct Encoded {
    pub(super) bytes: Vec<u8>,
    /// Offsets in `bytes` of pointers that must be relocated.
    pub(super) pointers: Vec<u32>,
    /// Size of the structure that the data directory points at.
    pub(super) directory_size: u32,
}

/// An image that is described by a table that this writer cannot write.
pub(super) fn unsupported(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, format!("cannot write {what}"))
}

/// Addresses and pointer size of the image.
#[derive(Debug, Clone, Copy)]
pub(super) struct Addresses {
    pub(super) is_64: bool,
    pub(super) image_base: u64,
}

impl Addresses {
    fn pointer_size(self) -> u32 {
        if self.is_64 { 8 } else { 4 }
    }

    /// A pointer to a relative address, as the image holds it before relocation.
    pub(super) fn pointer(self, address: u32) -> Vec<u8> {
        self.number(self.image_base + u64::from(address))
    }

    /// A number of the size of a pointer.
    fn number(self, value: u64) -> Vec<u8> {
        let size = usize::try_from(self.pointer_size()).expect("4 or 8");
        value.to_le_bytes()[..size].to_vec()
    }
}

impl Encoded {
    fn len(&self) -> u32 {
        u32::try_from(self.bytes.len()).expect("tables of a few hundred bytes")
    }

    fn u32(&mut self, value: u32) {
        self.bytes.extend(value.to_le_bytes());
    }

    fn u16(&mut self, value: u16) {
        self.bytes.extend(value.to_le_bytes());
    }

    fn pointer(&mut self, addresses: Addresses, address: u32) {
        self.pointers.push(self.len());
        self.bytes.extend(addresses.pointer(address));
    }

    fn zero_terminated(&mut self, text: &str) {
        self.bytes.extend(text.as_bytes());
        self.bytes.push(0);
    }

    fn align(&mut self, to: usize) {
        self.bytes.resize(self.bytes.len().next_multiple_of(to), 0);
    }

    fn set_u32(&mut self, at: usize, value: u32) {
        self.bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }
}

/// The export table at a relative address, for functions or data by name.
pub(super) fn exports(at: u32, image: &str, symbols: &[(&str, u32)]) -> Encoded {
    let count = u32::try_from(symbols.len()).expect("a few names");
    let functions = at + 40;
    let names = functions + 4 * count;
    let ordinals = names + 4 * count;
    let mut table = Encoded::default();
    table.u32(0);
    table.u32(0);
    table.u32(0);
    table.u32(ordinals + 2 * count); // the image's name follows the ordinals
    table.u32(1);
    table.u32(count);
    table.u32(count);
    table.u32(functions);
    table.u32(names);
    table.u32(ordinals);
    for (_, address) in symbols {
        table.u32(*address);
    }
    let mut text = ordinals + 2 * count + u32::try_from(image.len()).expect("a short name") + 1;
    for (name, _) in symbols {
        table.u32(text);
        text += u32::try_from(name.len()).expect("a short name") + 1;
    }
    for ordinal in 0..symbols.len() {
        table.u16(u16::try_from(ordinal).expect("a few names"));
    }
    table.zero_terminated(image);
    for (name, _) in symbols {
        table.zero_terminated(name);
    }
    table.directory_size = table.len();
    table
}

/// Tables of names and of addresses for one imported DLL, and its name, behind the descriptors.
struct Thunks {
    lookup: u32,
    addresses: u32,
    name: u32,
}

fn thunks(table: &mut Encoded, at: u32, import: &Import, addresses: Addresses) -> Thunks {
    table.align(8);
    let hints: Vec<u32> = import
        .functions
        .iter()
        .map(|function| {
            table.align(2);
            let hint = at + table.len();
            table.u16(0);
            table.zero_terminated(function);
            hint
        })
        .collect();
    let list = |table: &mut Encoded| {
        table.align(8);
        let start = at + table.len();
        for &hint in &hints {
            table.bytes.extend(addresses.number(u64::from(hint)));
        }
        table.bytes.extend(addresses.number(0));
        start
    };
    let lookup = list(table);
    let address_list = list(table);
    let name = at + table.len();
    table.zero_terminated(&import.dll);
    Thunks {
        lookup,
        addresses: address_list,
        name,
    }
}

/// The import table at a relative address.
pub(super) fn imports(at: u32, imports: &[Import], addresses: Addresses) -> Encoded {
    let mut table = Encoded {
        bytes: vec![0; 20 * (imports.len() + 1)],
        ..Encoded::default()
    };
    table.directory_size = table.len();
    for (index, import) in imports.iter().enumerate() {
        let parts = thunks(&mut table, at, import, addresses);
        table.set_u32(20 * index, parts.lookup);
        table.set_u32(20 * index + 12, parts.name);
        table.set_u32(20 * index + 16, parts.addresses);
    }
    table
}

/// The delay-import table at a relative address; its functions are never called.
pub(super) fn delay_imports(at: u32, imports: &[Import], addresses: Addresses) -> Encoded {
    let mut table = Encoded {
        bytes: vec![0; 32 * (imports.len() + 1)],
        ..Encoded::default()
    };
    table.directory_size = table.len();
    for (index, import) in imports.iter().enumerate() {
        let parts = thunks(&mut table, at, import, addresses);
        table.align(8);
        let module = at + table.len();
        table.bytes.extend(addresses.number(0));
        table.set_u32(32 * index, 1); // addresses relative to the image
        table.set_u32(32 * index + 4, parts.name);
        table.set_u32(32 * index + 8, module);
        table.set_u32(32 * index + 12, parts.addresses);
        table.set_u32(32 * index + 16, parts.lookup);
    }
    table
}

/// The TLS directory for an index at a relative address; there is no data and no callback.
pub(super) fn tls(index: u32, addresses: Addresses) -> Encoded {
    let mut table = Encoded::default();
    table.pointer(addresses, index);
    table.pointer(addresses, index);
    table.pointer(addresses, index);
    table.bytes.extend(addresses.number(0));
    table.u32(0);
    table.u32(0);
    table.directory_size = table.len();
    table
}

/// The load configuration up to its security cookie at a relative address.
pub(super) fn load_config(cookie: u32, addresses: Addresses) -> Encoded {
    // Sizes of the first published form of the structure, which ends behind the cookie and the
    // table of handlers.
    let (size, field): (u32, u32) = if addresses.is_64 {
        (0x70, 0x58)
    } else {
        (0x48, 0x3C)
    };
    let mut table = Encoded::default();
    table.u32(size);
    table
        .bytes
        .resize(usize::try_from(field).expect("a small offset"), 0);
    table.pointer(addresses, cookie);
    table
        .bytes
        .resize(usize::try_from(size).expect("a small size"), 0);
    table.directory_size = size;
    table
}

/// Registration wrappers that point at relative addresses.
pub(super) fn wrappers(modules: &[u32], addresses: Addresses) -> Encoded {
    let mut table = Encoded::default();
    for &module in modules {
        table.u32(0x4662_43B1);
        table.u32(1);
        table.pointer(addresses, module);
        table.align(8);
        table.bytes.extend([0; 8]);
    }
    table.directory_size = table.len();
    table
}

/// One pointer to a relative address.
pub(super) fn pointer(to: u32, addresses: Addresses) -> Encoded {
    let mut table = Encoded::default();
    table.pointer(addresses, to);
    table.directory_size = table.len();
    table
}

/// The base-relocation table for pointers at relative addresses.
pub(super) fn relocations(pointers: &[u32], addresses: Addresses) -> Encoded {
    let kind: u32 = if addresses.is_64 { 10 } else { 3 };
    let mut sorted = pointers.to_vec();
    sorted.sort_unstable();
    let mut table = Encoded::default();
    for page in sorted.chunk_by(|a, b| a >> 12 == b >> 12) {
        let entries = page.len().next_multiple_of(2);
        table.u32(page[0] & !0xFFF);
        table.u32(u32::try_from(8 + 2 * entries).expect("at most 4096 pointers in a page"));
        for pointer in page {
            let entry = kind << 12 | pointer & 0xFFF;
            table.u16(u16::try_from(entry).expect("4 and 12 bits"));
        }
        table.align(4);
    }
    table.directory_size = table.len();
    table
}
