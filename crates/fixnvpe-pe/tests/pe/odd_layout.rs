//! Files that are no images, and images that break the rules: each is told
//! apart, by the first rule that it breaks.

use fixnvpe_pe::{Error, Image, Malformation, NotPe, Unsupported};

use crate::builder::{ImageSpec, READ_ONLY, SectionSpec, WRITABLE};
use crate::gpu_code::plain_module;
use crate::source::Sparse;

fn error_of(bytes: &[u8]) -> Error {
    Image::read(bytes).expect_err("the image is not accepted")
}

fn malformation(bytes: &[u8]) -> Malformation {
    match error_of(bytes) {
        Error::Malformed { what } => what,
        other => panic!("malformed was expected: {other:?}"),
    }
}

fn not_pe(bytes: &[u8]) -> NotPe {
    match error_of(bytes) {
        Error::NotPe { what } => what,
        other => panic!("not a PE was expected: {other:?}"),
    }
}

fn dos(e_lfanew: u32, len: usize) -> Vec<u8> {
    let mut bytes = vec![0; len.max(0x40)];
    bytes[..2].copy_from_slice(b"MZ");
    bytes[0x3c..0x40].copy_from_slice(&e_lfanew.to_le_bytes());
    bytes.truncate(len);
    bytes
}

#[test]
fn files_that_do_not_claim_to_be_images_are_not_pe() {
    assert_eq!(not_pe(b""), NotPe::Empty);
    assert_eq!(not_pe(b"M"), NotPe::NoDosSignature);
    assert_eq!(not_pe(b"\x7fELF\x02\x01\x01"), NotPe::NoDosSignature);
    assert_eq!(not_pe(b"VZ, some text"), NotPe::NoDosSignature);
    assert_eq!(not_pe(b"MZ"), NotPe::ShortDosHeader);
    assert_eq!(not_pe(&dos(0x80, 0x3f)), NotPe::ShortDosHeader);
    assert_eq!(not_pe(&dos(0, 0x200)), NotPe::DosProgram);
    assert_eq!(not_pe(&dos(0x80, 0x200)), NotPe::DosProgram);
    for signature in [b"NE", b"LE", b"LX"] {
        let mut bytes = dos(0x80, 0x200);
        bytes[0x80..0x82].copy_from_slice(signature);
        assert_eq!(not_pe(&bytes), NotPe::OldProgram);
    }
}

#[test]
fn rom_and_te_images_are_unsupported() {
    let mut spec = ImageSpec::dll();
    spec.magic = Some(0x107);
    assert!(matches!(
        error_of(&spec.build()),
        Error::Unsupported {
            what: Unsupported::Rom
        }
    ));
    let te = b"VZ\x64\x86\x03\x0b\x58\x00 and so on";
    assert!(matches!(
        error_of(te),
        Error::Unsupported {
            what: Unsupported::Te
        }
    ));
}

#[test]
fn e_lfanew_must_lie_in_the_file_behind_the_dos_header_and_aligned() {
    for offset in [0x200, 0x1fe, 0x8000_0000, u32::MAX - 3, u32::MAX] {
        assert_eq!(
            malformation(&dos(offset, 0x200)),
            Malformation::HeaderBeyondFile { offset }
        );
    }
    let signed = |offset: u32| {
        let mut bytes = dos(offset, 0x200);
        let at = offset as usize;
        bytes[at..at + 4].copy_from_slice(b"PE\0\0");
        bytes
    };
    assert_eq!(
        malformation(&signed(0x20)),
        Malformation::HeaderInDosHeader { offset: 0x20 }
    );
    assert_eq!(
        malformation(&signed(0x82)),
        Malformation::HeaderUnaligned { offset: 0x82 }
    );
}

#[test]
fn every_truncation_of_the_headers_is_refused() {
    for spec in [
        ImageSpec::cuda(WRITABLE, plain_module()),
        ImageSpec {
            is_64_bit: false,
            ..ImageSpec::cuda(WRITABLE, plain_module())
        },
    ] {
        let bytes = spec.build();
        let end = spec.table() + 40 * spec.sections.len();
        for len in 0..end {
            match error_of(&bytes[..len]) {
                Error::NotPe { .. } => assert!(len < 0x40, "{len} bytes start like a PE"),
                Error::Malformed { .. } => assert!(len >= 0x40),
                other => panic!("{len} bytes: {other:?}"),
            }
        }
        assert!(Image::read(&bytes[..end]).is_ok());
    }
}

#[test]
fn a_header_beyond_a_megabyte_is_refused_without_reading_it() {
    let offset = 0xf000_0000_u32;
    let mut file = Sparse::new(u64::from(offset) + 0x1000);
    file.put(0, dos(offset, 0x40));
    let mut headers = b"PE\0\0\x64\x86\x01\0".to_vec();
    headers.resize(24, 0);
    headers[20] = 240;
    headers.extend_from_slice(&[0x0b, 0x02]);
    file.put(u64::from(offset), headers);
    match Image::read(&file) {
        Err(Error::Malformed {
            what: Malformation::HeadersTooLarge { .. },
        }) => {}
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_optional_header_must_hold_its_fields() {
    let mut bytes = ImageSpec::dll().build();
    let size_at = 0x80 + 20;
    let mut with_size = |size: u16| {
        bytes[size_at..size_at + 2].copy_from_slice(&size.to_le_bytes());
        malformation(&bytes)
    };
    assert_eq!(
        with_size(241),
        Malformation::OptionalHeaderOdd { size: 241 }
    );
    assert_eq!(
        with_size(110),
        Malformation::OptionalHeaderTooSmall {
            size: 110,
            needed: 112
        }
    );
    assert!(matches!(
        with_size(0),
        Malformation::OptionalHeaderTooSmall { .. }
    ));
    // Sixteen directories that would lie in the section table.
    assert!(matches!(with_size(120), Malformation::Headers { .. }));
    let mut spec = ImageSpec::dll();
    spec.magic = Some(0x20c);
    assert_eq!(
        malformation(&spec.build()),
        Malformation::OptionalHeaderMagic { magic: 0x20c }
    );
}

#[test]
fn more_than_16_directories_are_refused() {
    for is_64_bit in [true, false] {
        let mut spec = ImageSpec {
            is_64_bit,
            ..ImageSpec::dll()
        };
        spec.directory_count = 17;
        assert_eq!(
            malformation(&spec.build()),
            Malformation::TooManyDirectories { count: 17 }
        );
    }
}

#[test]
fn up_to_96_sections_are_accepted_and_65535_refused() {
    let sections = |count: usize| {
        let mut spec = ImageSpec::dll();
        for _ in 0..count {
            spec = spec.with(SectionSpec::new(b".s", READ_ONLY, Vec::new()));
        }
        spec
    };
    assert_eq!(
        Image::read(sections(0).build().as_slice())
            .expect("no sections")
            .sections()
            .len(),
        0
    );
    let bytes = sections(96).build();
    let image = Image::read(bytes.as_slice()).expect("96 sections");
    assert_eq!(image.sections().len(), 96);
    for count in [97, u16::MAX] {
        let mut spec = ImageSpec::dll();
        spec.section_count = Some(count);
        assert_eq!(
            malformation(&spec.build()),
            Malformation::TooManySections { count, limit: 96 }
        );
    }
}

#[test]
fn the_section_table_must_end_within_size_of_headers_and_the_file() {
    let mut spec = ImageSpec::cuda(WRITABLE, plain_module());
    let end = spec.table() as u64 + 3 * 40;
    spec.size_of_headers = Some(u32::try_from(end - 1).expect("small"));
    assert!(matches!(
        malformation(&spec.build()),
        Malformation::SectionTableBeyondHeaders { end: at, .. } if at == end
    ));
    let mut spec = ImageSpec::dll();
    spec.section_count = Some(90);
    assert!(matches!(
        malformation(&spec.build()),
        Malformation::HeadersTruncated { .. }
    ));
}

#[test]
fn raw_data_on_the_headers_or_on_other_raw_data_is_refused() {
    let mut spec = ImageSpec::cuda(WRITABLE, plain_module());
    spec.section(b".data").raw_pointer = Some(0x100);
    assert_eq!(
        malformation(&spec.build()),
        Malformation::SectionOnHeaders { section: 1 }
    );
    let mut spec = ImageSpec::cuda(WRITABLE, plain_module());
    let (_, pointer, _) = spec.layout()[1];
    spec.section(b".nv_fatb").raw_pointer = Some(pointer + 0x200);
    assert_eq!(
        malformation(&spec.build()),
        Malformation::SectionsOverlap {
            first: 1,
            second: 2
        }
    );
}

#[test]
fn raw_data_may_touch_but_not_share_a_byte() {
    let mut spec = ImageSpec::cuda(WRITABLE, plain_module());
    let (_, _, raw) = spec.layout()[1];
    assert!(Image::read(spec.build().as_slice()).is_ok());
    spec.section(b".data").raw_size = Some(raw + 1);
    assert_eq!(
        malformation(&spec.build()),
        Malformation::SectionsOverlap {
            first: 1,
            second: 2
        }
    );
}

#[test]
fn sections_without_raw_data_overlap_nothing() {
    let mut spec = ImageSpec::cuda(WRITABLE, plain_module());
    let mut bss = SectionSpec::new(b".bss", WRITABLE, Vec::new());
    bss.virtual_size = Some(0x1000);
    bss.raw_pointer = Some(0x80);
    spec = spec.with(bss);
    assert!(Image::read(spec.build().as_slice()).is_ok());
}

#[test]
fn errors_name_the_step_and_carry_a_stable_code() {
    let error = error_of(b"MZ");
    assert_eq!(error.code(), "not_pe");
    assert_eq!(
        error.to_string(),
        "not a PE image: it ends inside the DOS header"
    );
    let error = error_of(&dos(0x82, 0x20));
    assert_eq!(error.code(), "not_pe");
    assert_eq!(error_of(&dos(0x400, 0x80)).code(), "malformed");
}
