//! The headers of well-formed images, field by field against an independent
//! reader.

use fixnvpe_pe::{DirectoryKind, FatbinKind, Image, ImageKind, Machine};
use object::LittleEndian as LE;
use object::pe::{ImageNtHeaders32, ImageNtHeaders64};
use object::read::pe::{ImageNtHeaders, ImageOptionalHeader, PeFile};
use proptest::prelude::*;

use crate::builder::{ImageSpec, SectionSpec, WRITABLE};
use crate::source::Trickling;

/// Compares every field with what `object` reads.
fn agrees_with_object<Pe: ImageNtHeaders>(bytes: &[u8]) {
    let image = Image::read(bytes).expect("our reader accepts the image");
    let theirs = PeFile::<Pe>::parse(bytes).expect("object accepts the image");
    let headers = theirs.nt_headers();
    let (file, optional) = (headers.file_header(), headers.optional_header());
    assert_eq!(image.machine(), Machine(file.machine.get(LE).0));
    assert_eq!(image.is_dll(), file.characteristics.get(LE).0 & 0x2000 != 0);
    assert_eq!(image.image_base(), optional.image_base());
    assert_eq!(image.entry_point(), optional.address_of_entry_point());
    assert_eq!(image.section_alignment(), optional.section_alignment());
    assert_eq!(image.file_alignment(), optional.file_alignment());
    assert_eq!(image.size_of_image(), optional.size_of_image());
    assert_eq!(image.size_of_headers(), optional.size_of_headers());
    assert_eq!(image.check_sum(), optional.check_sum());
    assert_eq!(image.subsystem(), optional.subsystem().0);
    assert_eq!(
        image.dll_characteristics(),
        optional.dll_characteristics().0
    );

    let directories: Vec<_> = theirs
        .data_directories()
        .iter()
        .map(|it| (it.virtual_address.get(LE), it.size.get(LE)))
        .collect();
    let ours: Vec<_> = image
        .data_directories()
        .iter()
        .map(|it| (it.address, it.size))
        .collect();
    assert_eq!(ours, directories);

    let sections: Vec<_> = theirs.section_table().iter().collect();
    assert_eq!(image.sections().len(), sections.len());
    for (ours, theirs) in image.sections().iter().zip(sections) {
        assert_eq!(ours.raw_name(), theirs.name);
        assert_eq!(ours.virtual_size(), theirs.virtual_size.get(LE));
        assert_eq!(ours.virtual_address(), theirs.virtual_address.get(LE));
        assert_eq!(ours.size_of_raw_data(), theirs.size_of_raw_data.get(LE));
        assert_eq!(
            ours.pointer_to_raw_data(),
            theirs.pointer_to_raw_data.get(LE)
        );
        assert_eq!(ours.characteristics(), theirs.characteristics.get(LE).0);
        let at = usize::try_from(ours.characteristics_offset()).expect("a small file");
        assert_eq!(
            bytes[at..at + 4],
            theirs.characteristics.get(LE).0.to_le_bytes(),
            "the flags lie where the section says"
        );
    }
    let at = usize::try_from(image.check_sum_offset()).expect("a small file");
    assert_eq!(bytes[at..at + 4], optional.check_sum().to_le_bytes());
    let at = usize::try_from(image.dll_characteristics_offset()).expect("a small file");
    assert_eq!(
        bytes[at..at + 2],
        optional.dll_characteristics().0.to_le_bytes()
    );
}

fn any_section() -> impl Strategy<Value = SectionSpec> {
    let name = prop_oneof![
        Just(*b".nv_fatb"),
        Just(*b".text\0\0\0"),
        // object, unlike Windows, follows `/n` names and fails without a table.
        any::<[u8; 8]>().prop_filter("not a long name", |name| name[0] != b'/'),
    ];
    let data = prop::collection::vec(any::<u8>(), 0..3000);
    let virtual_size = prop::option::of(0..0x2_0000_u32);
    (name, data, any::<u32>(), virtual_size).prop_map(|(name, data, flags, virtual_size)| {
        SectionSpec {
            virtual_size,
            ..SectionSpec::new(&name, flags, data)
        }
    })
}

/// Any well-formed image.
pub(crate) fn any_image() -> impl Strategy<Value = ImageSpec> {
    let fields = (
        any::<bool>(),
        any::<u16>(),
        (0x10..0x500_u32).prop_map(|quarter| quarter * 4),
        any::<u16>(),
        (0..20_u16).prop_map(|half| half * 2),
    );
    let more = (
        any::<u32>(),
        any::<u64>(),
        any::<u32>(),
        any::<u16>(),
        any::<u16>(),
        5..=16_u32,
    );
    let directories = any::<[(u32, u32); 16]>();
    let sections = prop::collection::vec(any_section(), 0..8);
    (fields, more, directories, sections).prop_map(|(fields, more, directories, sections)| {
        let (is_64_bit, machine, e_lfanew, file_characteristics, extra_optional_header) = fields;
        let (entry_point, base, check_sum, subsystem, dll_characteristics, directory_count) = more;
        ImageSpec {
            is_64_bit,
            machine,
            e_lfanew,
            file_characteristics,
            extra_optional_header,
            entry_point,
            image_base: if is_64_bit { base } else { base & 0xffff_ffff },
            check_sum,
            subsystem,
            dll_characteristics,
            directory_count,
            directories,
            sections,
            ..ImageSpec::dll()
        }
    })
}

proptest! {
    #[test]
    fn every_header_field_agrees_with_an_independent_reader(spec in any_image()) {
        let bytes = spec.build();
        if spec.is_64_bit {
            agrees_with_object::<ImageNtHeaders64>(&bytes);
        } else {
            agrees_with_object::<ImageNtHeaders32>(&bytes);
        }
    }

    #[test]
    fn a_source_that_reads_byte_by_byte_gives_the_same_image(spec in any_image()) {
        let bytes = spec.build();
        let at_once = Image::read(bytes.as_slice()).expect("a well-formed image");
        let slowly = Image::read(Trickling(bytes.as_slice())).expect("the same image");
        prop_assert_eq!(at_once.header(), slowly.header());
        prop_assert_eq!(at_once.sections(), slowly.sections());
    }
}

#[test]
fn the_kept_header_ends_with_the_section_table() {
    let spec = ImageSpec::cuda(WRITABLE, vec![0; 0x400]);
    let bytes = spec.build();
    let image = Image::read(bytes.as_slice()).expect("a well-formed image");
    let end = spec.table() + 3 * 40;
    assert_eq!(image.header(), &bytes[..end]);
    assert_eq!(image.len(), bytes.len() as u64);
}

#[test]
fn both_kinds_and_their_machines_are_told() {
    let wide = ImageSpec::dll().build();
    let image = Image::read(wide.as_slice()).expect("a well-formed image");
    assert_eq!(image.kind(), ImageKind::Pe32Plus);
    assert_eq!(image.machine().to_string(), "x86_64");
    let narrow = ImageSpec::dll_32().build();
    let image = Image::read(narrow.as_slice()).expect("a well-formed image");
    assert_eq!(image.kind(), ImageKind::Pe32);
    assert_eq!(image.machine().to_string(), "x86");
    assert_eq!(Machine(0x1f0).to_string(), "0x01f0");
}

#[test]
fn headers_beyond_the_first_4_kib_are_read_too() {
    let mut spec = ImageSpec::cuda(WRITABLE, vec![0; 0x400]);
    spec.e_lfanew = 0x5000;
    let bytes = spec.build();
    agrees_with_object::<ImageNtHeaders64>(&bytes);
}

#[test]
fn a_name_of_eight_bytes_needs_no_nul() {
    let bytes = ImageSpec::cuda(WRITABLE, vec![0; 0x400]).build();
    let image = Image::read(bytes.as_slice()).expect("a well-formed image");
    let section = image.fatbin_sections().next().expect("a fat binary");
    assert_eq!(section.name(), ".nv_fatb");
    assert_eq!(section.fatbin_kind(), Some(FatbinKind::Cuda));
    assert_eq!(section.index(), 2);
}

#[test]
fn a_name_that_is_not_utf_8_is_shown_with_replacements() {
    let spec = ImageSpec::dll().with(SectionSpec::new(b".a\xff\xfe", WRITABLE, vec![0; 16]));
    let bytes = spec.build();
    let image = Image::read(bytes.as_slice()).expect("a well-formed image");
    let section = &image.sections()[0];
    assert_eq!(section.raw_name(), *b".a\xff\xfe\0\0\0\0");
    assert_eq!(section.name_bytes(), b".a\xff\xfe");
    assert_eq!(section.name(), ".a\u{fffd}\u{fffd}");
}

fn long_name(name: &[u8], strings: Option<&[u8]>) -> (String, Option<FatbinKind>, bool) {
    let mut spec = ImageSpec::dll().with(SectionSpec::new(name, WRITABLE, vec![0; 16]));
    spec.strings = strings.map(<[u8]>::to_vec);
    let bytes = spec.build();
    let image = Image::read(bytes.as_slice()).expect("a well-formed image");
    let section = &image.sections()[0];
    (
        section.name().into_owned(),
        section.fatbin_kind(),
        section.holds_wrappers(),
    )
}

#[test]
fn long_names_come_from_the_string_table() {
    let strings = b".nv_fatbin\0.nvFatBinSegment\0.hip_fatbin\0unended";
    let name = |name| long_name(name, Some(strings));
    assert_eq!(name(b"/4").0, ".nv_fatbin");
    assert_eq!(name(b"/4").1, Some(FatbinKind::Cuda));
    assert_eq!(name(b"/15").0, ".nvFatBinSegment");
    assert!(name(b"/15").2);
    assert_eq!(name(b"/32").1, Some(FatbinKind::Hip));
    // `//` and base 64: 4 is AAAAAE.
    assert_eq!(name(b"//AAAAAE").0, ".nv_fatbin");
}

#[test]
fn a_long_name_that_no_table_holds_stays_as_it_is() {
    assert_eq!(long_name(b"/4", None).0, "/4");
    let strings: Option<&[u8]> = Some(b".nv_fatbin\0unended");
    // Into the table's own size, without an end, beyond the table, no number.
    for name in [&b"/0"[..], b"/3", b"/15", b"/9999999", b"/foo"] {
        let (shown, kind, _) = long_name(name, strings);
        assert_eq!(shown.as_bytes(), name);
        assert_eq!(kind, None);
    }
}

#[test]
fn directories_that_the_header_does_not_count_are_absent() {
    let mut spec = ImageSpec::dll();
    spec.directories = [(0x1000, 0x20); 16];
    spec.directory_count = 4;
    let bytes = spec.build();
    let image = Image::read(bytes.as_slice()).expect("a well-formed image");
    assert_eq!(image.certificate_table(), None);
    assert_eq!(image.data_directories().len(), 4);
    assert!(image.data_directory(DirectoryKind::Import).is_some());
    spec.directory_count = 5;
    let bytes = spec.build();
    let image = Image::read(bytes.as_slice()).expect("a well-formed image");
    let table = image.certificate_table().expect("a certificate table");
    assert_eq!((table.offset, table.size), (0x1000, 0x20));
}
