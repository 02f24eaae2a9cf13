//! Imports and base relocations: read lazily, within bounds.

use fixnvpe_pe::{Error, Image, Malformation};
use object::LittleEndian as LE;
use object::read::pe::PeFile64;

use crate::builder::{ImageSpec, READ_ONLY, SectionSpec, WRITABLE};

/// An image whose only section holds `content`, and that section's address.
fn with_content(content: Vec<u8>) -> (ImageSpec, u32) {
    let spec = ImageSpec::dll().with(SectionSpec::new(b".idata", READ_ONLY, content));
    let address = spec.layout()[0].0;
    (spec, address)
}

/// Import descriptors of `names`, ended by zeros, with the names behind them.
fn import_table(address: u32, names: &[&[u8]]) -> Vec<u8> {
    let mut table = Vec::new();
    let mut strings = Vec::new();
    let start = address as usize + 20 * (names.len() + 1);
    for name in names {
        let rva = u32::try_from(start + strings.len()).expect("a small table");
        table.extend_from_slice(&[0; 12]);
        table.extend_from_slice(&rva.to_le_bytes());
        table.extend_from_slice(&rva.to_le_bytes());
        strings.extend_from_slice(name);
        strings.push(0);
    }
    table.extend_from_slice(&[0; 20]);
    table.extend_from_slice(&strings);
    table
}

fn imports(spec: &ImageSpec) -> Result<Vec<String>, Error> {
    let bytes = spec.build();
    Image::read(bytes.as_slice())
        .expect("a well-formed image")
        .imports()
}

fn malformation(result: Result<Vec<String>, Error>) -> Malformation {
    match result {
        Err(Error::Malformed { what }) => what,
        other => panic!("malformed was expected: {other:?}"),
    }
}

#[test]
fn imported_names_are_those_that_an_independent_reader_finds() {
    let (_, address) = with_content(Vec::new());
    let names: [&[u8]; 3] = [b"KERNEL32.dll", b"cudart64_110.dll", b"\xff.dll"];
    let (mut spec, _) = with_content(import_table(address, &names));
    spec.directories[1] = (address, 80);
    assert_eq!(
        imports(&spec).expect("a whole table"),
        ["KERNEL32.dll", "cudart64_110.dll", "\u{fffd}.dll"]
    );
    let bytes = spec.build();
    let theirs = PeFile64::parse(bytes.as_slice()).expect("object accepts the image");
    let table = theirs
        .import_table()
        .expect("object reads the table")
        .expect("there is a table");
    let mut descriptors = table.descriptors().expect("object reads descriptors");
    let mut found = Vec::new();
    while let Some(descriptor) = descriptors.next().expect("whole descriptors") {
        found.push(table.name(descriptor.name.get(LE)).expect("a name"));
    }
    assert_eq!(found, names);
}

#[test]
fn an_image_without_an_import_table_imports_nothing() {
    let (spec, _) = with_content(vec![0; 16]);
    assert!(imports(&spec).expect("no table").is_empty());
}

#[test]
fn import_tables_without_an_end_are_errors() {
    let (_, address) = with_content(Vec::new());
    // One descriptor after the other, all of one name.
    let mut content = Vec::new();
    while content.len() < 20 * 5000 {
        content.extend_from_slice(&[0; 12]);
        content.extend_from_slice(&address.to_le_bytes());
        content.extend_from_slice(&address.to_le_bytes());
    }
    let (mut spec, _) = with_content(content.clone());
    spec.directories[1] = (address, 40);
    assert_eq!(
        malformation(imports(&spec)),
        Malformation::Unending {
            what: "import descriptor",
            limit: 4096
        }
    );
    content.truncate(20 * 100);
    let (mut spec, _) = with_content(content);
    spec.directories[1] = (address, 40);
    assert!(matches!(
        malformation(imports(&spec)),
        Malformation::Unbacked { .. }
    ));
}

#[test]
fn names_that_lead_nowhere_or_have_no_end_are_errors() {
    let (_, address) = with_content(Vec::new());
    let descriptor = |name: u32| {
        let mut table = vec![0; 12];
        table.extend_from_slice(&name.to_le_bytes());
        table.extend_from_slice(&[0; 24]);
        table.resize(2000, 0x41);
        table
    };
    for name in [0xffff_fff0, 0x00ff_0000] {
        let (mut spec, _) = with_content(descriptor(name));
        spec.directories[1] = (address, 40);
        assert!(matches!(
            malformation(imports(&spec)),
            Malformation::Unbacked { .. }
        ));
    }
    let (mut spec, _) = with_content(descriptor(address + 100));
    spec.directories[1] = (address, 40);
    assert!(matches!(
        malformation(imports(&spec)),
        Malformation::ImportName { limit: 512, .. }
    ));
}

#[test]
fn delay_imports_are_named_apart() {
    let (_, address) = with_content(Vec::new());
    let mut content = vec![1, 0, 0, 0];
    content.extend_from_slice(&(address + 64).to_le_bytes());
    content.resize(64, 0);
    content.extend_from_slice(b"nvcuda.dll\0");
    let (mut spec, _) = with_content(content);
    spec.directories[13] = (address, 64);
    let bytes = spec.build();
    let image = Image::read(bytes.as_slice()).expect("a well-formed image");
    assert_eq!(
        image.delay_imports().expect("a whole table"),
        ["nvcuda.dll"]
    );
    assert!(image.imports().expect("no table").is_empty());
}

fn block(page: u32, entries: &[u16]) -> Vec<u8> {
    let mut out = page.to_le_bytes().to_vec();
    let size = u32::try_from(8 + 2 * entries.len()).expect("a small block");
    out.extend_from_slice(&size.to_le_bytes());
    for entry in entries {
        out.extend_from_slice(&entry.to_le_bytes());
    }
    out
}

fn relocations(content: Vec<u8>, size: u32) -> Result<Vec<u64>, Error> {
    let spec = ImageSpec::dll()
        .with(SectionSpec::new(b".data", WRITABLE, vec![0; 0x2100]))
        .with(SectionSpec::new(b".nvFatBi", WRITABLE, vec![0; 0x30]))
        .with(SectionSpec::new(b".reloc", 0x4200_0040, content));
    let mut spec = spec;
    spec.directories[5] = (spec.layout()[2].0, size);
    let bytes = spec.build();
    let image = Image::read(bytes.as_slice()).expect("a well-formed image");
    let counts = image.base_relocations()?;
    assert!(counts.iter().enumerate().all(|(at, it)| at == it.section));
    Ok(counts.iter().map(|it| it.count).collect())
}

#[test]
fn base_relocations_are_counted_by_section() {
    let mut content = block(0x1000, &[0xa000, 0xa008, 0xaff8, 0x0000]);
    // `.data` ends at 0x3100; what follows up to the next section is nobody's.
    content.extend(block(0x3000, &[0xa0f8, 0xa100, 0x3000, 0]));
    content.extend(block(0x4000, &[0xa008, 0x0000]));
    let size = u32::try_from(content.len()).expect("small");
    assert_eq!(
        relocations(content, size).expect("a whole table"),
        [5, 1, 0]
    );
}

#[test]
fn broken_relocation_blocks_are_errors() {
    for size in [0, 7, 9, 13, 0x400, u32::MAX] {
        let mut content = block(0x1000, &[0xa000, 0xa008]);
        content[4..8].copy_from_slice(&size.to_le_bytes());
        match relocations(content, 12) {
            Err(Error::Malformed {
                what: Malformation::RelocationBlock { size: found, .. },
            }) => assert_eq!(found, size),
            other => panic!("{size}: {other:?}"),
        }
    }
    assert!(relocations(block(0x1000, &[0; 4]), u32::MAX).is_err());
    assert!(relocations(block(0x1000, &[0; 4]), 0x8000).is_err());
}

#[test]
fn addresses_lead_to_the_bytes_that_back_them_and_to_nothing_else() {
    let mut spec = ImageSpec::dll()
        .with(SectionSpec::new(b".data", WRITABLE, vec![7; 0x300]))
        .with(SectionSpec::new(b".rdata", READ_ONLY, vec![8; 0x100]));
    spec.sections[0].virtual_size = Some(0x1800);
    let places = spec.layout();
    let bytes = spec.build();
    let image = Image::read(bytes.as_slice()).expect("a well-formed image");
    let offset_of = |rva: u32| image.offset_of(u64::from(rva));
    assert_eq!(offset_of(0x40), Some((0x40, 0x200 - 0x40)));
    let (address, pointer, raw) = places[0];
    let place = |into: u32| Some((u64::from(pointer + into), u64::from(raw - into)));
    assert_eq!(offset_of(address), place(0));
    assert_eq!(offset_of(address + raw - 1), place(raw - 1));
    // The tail that is zero in memory, the hole behind it, padding, the end.
    assert_eq!(offset_of(address + raw), None);
    assert_eq!(offset_of(address + 0x1900), None);
    assert_eq!(offset_of(places[1].0 + 0x100), None);
    assert_eq!(image.offset_of(u64::MAX), None);
    assert_eq!(image.rva_of(spec.image_base + 0x1234), Some(0x1234));
    assert_eq!(image.rva_of(spec.image_base - 1), None);
}
