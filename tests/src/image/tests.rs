//! What `object` reads in an assembled image is what the table says.

use object::LittleEndian as LE;
use object::pe;
use object::read::pe::{ImageNtHeaders, ImageOptionalHeader, PeFile, PeFile32, PeFile64};
use object::read::{ExportTarget, NameOrOrdinal, Object, ObjectSection};

use super::*;

fn read64(bytes: &[u8]) -> PeFile64<'_> {
    PeFile64::parse(bytes).unwrap()
}

fn assert_headers<Pe: ImageNtHeaders>(layout: &Layout, file: &PeFile<'_, Pe>) {
    let header = file.nt_headers().file_header();
    assert_eq!(header.machine.get(LE).0, layout.machine.value());
    let optional = file.nt_headers().optional_header();
    assert_eq!(optional.image_base(), layout.image_base);
    assert_eq!(optional.subsystem().0, layout.subsystem);
    assert_eq!(optional.dll_characteristics().0, layout.dll_characteristics);
    assert_eq!(optional.number_of_rva_and_sizes(), 16);
    for (section, expected) in file.sections().zip(&layout.sections) {
        let header = section.pe_section();
        let size = u32::try_from(expected.content.len()).unwrap();
        assert_eq!(section.name_bytes().unwrap(), expected.name);
        assert_eq!(header.characteristics.get(LE).0, expected.characteristics);
        assert_eq!(
            header.virtual_size.get(LE),
            expected.virtual_size.unwrap_or(size)
        );
        let raw = expected.raw_size.unwrap_or(size).next_multiple_of(0x200);
        assert_eq!(header.size_of_raw_data.get(LE), raw);
    }
}

#[test]
fn the_headers_hold_what_the_table_says() {
    let fatbin = Fatbin::of(["sm_60", "compute_70"]);
    for machine in [Machine::I386, Machine::Amd64, Machine::Arm64] {
        let mut layout = Layout::plain_dll(machine).with_fatbin(".nv_fatb", DATA, &fatbin);
        layout.dll_characteristics |= dll::GUARD_CF;
        layout.section_mut(".text").virtual_size = Some(0x700);
        let bytes = layout.assemble().unwrap().to_vec();
        if machine == Machine::I386 {
            assert_headers(&layout, &PeFile32::parse(&*bytes).unwrap());
        } else {
            assert_headers(&layout, &read64(&bytes));
        }
    }
}

#[test]
fn the_exports_name_the_fat_binary_and_its_reader() {
    let layout = Layout::cuda_dll(&Fatbin::of(["sm_75"]));
    let bytes = layout.assemble().unwrap().to_vec();
    let file = read64(&bytes);
    let exports: Vec<_> = file.exports().unwrap().map(Result::unwrap).collect();
    let address = |name: &[u8]| {
        let export = exports
            .iter()
            .find(|export| export.name() == NameOrOrdinal::Name(name));
        match export.unwrap().target() {
            ExportTarget::Address { address, .. } => address,
            target => panic!("{target:?}"),
        }
    };
    let section = file.section_by_name(".nv_fatb").unwrap();
    assert_eq!(address(b"fatbin"), section.address());
    assert_eq!(address(b"fatbin_first_bytes"), layout.image_base + 0x1040);
    assert_eq!(
        section.data().unwrap()[..8],
        [0x50, 0xED, 0x55, 0xBA, 1, 0, 16, 0]
    );
    let import = file.imports().unwrap().next().unwrap().unwrap();
    assert_eq!(import.library(), b"KERNEL32.dll");
    assert_eq!(import.name(), NameOrOrdinal::Name(&b"GetTickCount"[..]));
}

#[test]
fn every_pointer_is_relocated_and_points_at_a_module() {
    let fatbin = Fatbin::of(["sm_60"])
        .zeros(0x4000)
        .module(Module::new([Element::of("sm_70")]));
    let layout = Layout::cuda_dll(&fatbin);
    let bytes = layout.assemble().unwrap().to_vec();
    let file = read64(&bytes);
    let mut blocks = file
        .data_directories()
        .relocation_blocks(&*bytes, &file.section_table())
        .unwrap()
        .unwrap();
    let mut relocated = Vec::new();
    while let Some(block) = blocks.next().unwrap() {
        for relocation in block.filter(|relocation| relocation.typ == pe::IMAGE_REL_BASED_DIR64) {
            relocated.push(u64::from(relocation.virtual_address) + layout.image_base);
        }
    }
    let wrappers = file.section_by_name(".nvFatBi").unwrap();
    let first = wrappers.address() + 8;
    assert!(relocated.contains(&first) && relocated.contains(&(first + 24)));
    assert_eq!(relocated.len(), 3, "two wrappers and the security cookie");
    let section = file.section_by_name(".nv_fatb").unwrap();
    let (_, modules) = fatbin.content();
    for (wrapper, module) in wrappers.data().unwrap().chunks(24).zip(modules) {
        assert_eq!(wrapper[..4], 0x4662_43B1_u32.to_le_bytes());
        let target = u64::from_le_bytes(wrapper[8..16].try_into().unwrap());
        assert_eq!(target, section.address() + u64::from(module));
        let at = usize::try_from(module).unwrap();
        assert_eq!(
            section.data().unwrap()[at..at + 4],
            Module::MAGIC.to_le_bytes()
        );
    }
}

#[test]
fn a_long_section_name_stands_in_the_string_table() {
    let layout =
        Layout::plain_dll(Machine::Amd64).with_fatbin(".nv_fatbin", DATA, &Fatbin::of(["sm_75"]));
    let bytes = layout.assemble().unwrap().to_vec();
    let file = read64(&bytes);
    let section = file.sections().nth(3).unwrap();
    assert_eq!(section.pe_section().name, *b"/4\0\0\0\0\0\0");
    assert_eq!(section.name().unwrap(), ".nv_fatbin");
}

#[test]
fn a_virtual_size_of_zero_takes_the_addresses_of_its_raw_data() {
    let mut layout = Layout::cuda_dll(&Fatbin::of(["sm_75"]).grown_to(0x5000));
    layout.section_mut(".nv_fatb").virtual_size = Some(0);
    let bytes = layout.assemble().unwrap().to_vec();
    let file = read64(&bytes);
    let section = file.sections().nth(3).unwrap();
    assert_eq!(section.pe_section().virtual_size.get(LE), 0);
    assert_eq!(
        file.sections().nth(4).unwrap().address(),
        section.address() + 0x5000
    );
}

#[test]
fn the_certificate_is_the_last_thing_in_the_file_and_the_sum_is_true() {
    let mut layout = Layout::cuda_dll(&Fatbin::of(["sm_75"]));
    layout.certificate = Some(0x1a08);
    layout.check_sum = CheckSum::True;
    let file = layout.assemble().unwrap();
    let bytes = file.to_vec();
    let read = read64(&bytes);
    let directory = read
        .data_directory(pe::IMAGE_DIRECTORY_ENTRY_SECURITY)
        .unwrap();
    let (offset, size) = directory.address_range();
    assert_eq!(u64::from(offset) + u64::from(size), file.len());

    let field = usize::try_from(u64::from(layout.nt_offset) + CHECK_SUM_OFFSET).unwrap();
    let stored = u32::from_le_bytes(bytes[field..field + 4].try_into().unwrap());
    assert_eq!(read.nt_headers().optional_header.check_sum.get(LE), stored);
    let mut sum = 0_u64;
    for (index, word) in bytes.chunks(2).enumerate() {
        if !(field..field + 4).contains(&(2 * index)) {
            sum += u64::from(word[0]) | u64::from(*word.get(1).unwrap_or(&0)) << 8;
        }
    }
    while sum > 0xFFFF {
        sum = (sum & 0xFFFF) + (sum >> 16);
    }
    assert_eq!(u64::from(stored), sum + file.len());
}

#[test]
fn the_elements_of_a_module_fill_it() {
    let elements = [
        Element::of("sm_86").compressed(Compression::Lz4),
        Element::of("compute_86").with_payload(0x2008),
    ];
    let (content, modules) = Fatbin::default()
        .zeros(64)
        .module(Module::new(elements))
        .content();
    assert_eq!(modules, [64]);
    let bytes = content.to_vec();
    let u64_at = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
    assert_eq!(u64_at(64 + 8), 64 + 0x100 + 64 + 0x2008);
    let first = 64 + 16;
    assert_eq!(bytes[first..first + 4], [2, 0, 1, 1]);
    assert_eq!(u64_at(first + 8), 0x100);
    assert_eq!(u64_at(first + 40), 0x2041);
    let second = first + 64 + 0x100;
    assert_eq!(bytes[second..second + 4], [1, 0, 1, 1]);
    assert_eq!(bytes[second + 28..second + 32], 86_u32.to_le_bytes());
    assert_eq!(second + 64 + 0x2008, bytes.len());
}
