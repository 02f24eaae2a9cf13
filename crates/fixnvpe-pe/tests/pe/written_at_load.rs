//! What the loader writes, and where it must not be written.

use fixnvpe_pe::{Condition, Image, Reason};

use crate::builder::{ImageSpec, SectionSpec, WRITABLE};
use crate::condition::{cuda, judge};
use crate::gpu_code::modules;

/// A CUDA image with `content` in a section behind the others, and the
/// addresses of that section and of the GPU code.
fn with_tables(is_64_bit: bool, content: Vec<u8>) -> (ImageSpec, u32, u32) {
    let template = if is_64_bit {
        ImageSpec::dll()
    } else {
        ImageSpec::dll_32()
    };
    let spec = ImageSpec {
        sections: cuda().sections,
        ..template
    }
    .with(SectionSpec::new(b".idata", WRITABLE, content));
    let places = spec.layout();
    (spec, places[3].0, places[2].0)
}

fn is_refused(spec: &ImageSpec) -> bool {
    let judgement = judge(spec);
    match judgement.condition {
        Condition::Writable => false,
        Condition::Refused => {
            assert_eq!(judgement.reasons, [Reason::WrittenAtLoad]);
            assert_eq!(judgement.findings[0].section.as_deref(), Some(".nv_fatb"));
            true
        }
        other => panic!("{other}"),
    }
}

fn put(bytes: &mut [u8], at: usize, value: u64, size: usize) {
    bytes[at..at + size].copy_from_slice(&value.to_le_bytes()[..size]);
}

#[test]
fn an_entry_point_in_the_section_is_refused() {
    let (mut spec, _, code) = with_tables(true, vec![0; 64]);
    spec.entry_point = code;
    assert!(is_refused(&spec));
    spec.entry_point = code - 1;
    assert!(!is_refused(&spec));
    spec.entry_point = 0;
    assert!(!is_refused(&spec));
}

#[test]
fn an_import_address_table_that_touches_the_section_is_refused() {
    let (mut spec, tables, code) = with_tables(true, vec![0; 0x200]);
    for (start, size, refused) in [
        (code, 8, true),
        (code, 0, true),
        (code + 0x40, 0, true),
        (code - 8, 16, true),
        (code - 8, 8, false),
        (tables, 8, false),
    ] {
        spec.directories[12] = (start, size);
        assert_eq!(is_refused(&spec), refused, "{start:#x} {size}");
    }
}

#[test]
fn the_tls_index_must_lie_outside_of_the_section() {
    for (is_64_bit, at, size) in [(true, 16, 8), (false, 8, 4)] {
        let (mut spec, tables, code) = with_tables(is_64_bit, vec![0; 0x200]);
        spec.directories[9] = (tables, 0x28);
        for (index, refused) in [(code, true), (code + 8, true), (tables + 0x80, false)] {
            let address = spec.image_base + u64::from(index);
            put(&mut spec.section(b".idata").data, at, address, size);
            assert_eq!(is_refused(&spec), refused, "{index:#x}");
        }
    }
}

#[test]
fn the_security_cookie_must_lie_outside_of_the_section() {
    for (is_64_bit, at, size) in [(true, 88, 8), (false, 60, 4)] {
        let (mut spec, tables, code) = with_tables(is_64_bit, vec![0; 0x200]);
        spec.directories[10] = (tables, 0x40);
        put(&mut spec.section(b".idata").data, 0, 0x118, 4);
        for (cookie, refused) in [(code + 16, true), (tables + 0x180, false)] {
            let address = spec.image_base + u64::from(cookie);
            put(&mut spec.section(b".idata").data, at, address, size);
            assert_eq!(is_refused(&spec), refused, "{cookie:#x}");
        }
        // A load configuration too old to know a cookie.
        let address = spec.image_base + u64::from(code);
        put(&mut spec.section(b".idata").data, at, address, size);
        put(&mut spec.section(b".idata").data, 0, at as u64, 4);
        assert!(!is_refused(&spec));
    }
}

#[test]
fn each_import_descriptor_is_followed_to_what_it_fills() {
    let (mut spec, tables, code) = with_tables(true, vec![0; 0x400]);
    spec.directories[1] = (tables, 60);
    for (first, second, refused) in [
        (tables + 0x200, tables + 0x240, false),
        (tables + 0x200, code + 0x10, true),
    ] {
        let data = &mut spec.section(b".idata").data;
        for (index, thunk) in [first, second].into_iter().enumerate() {
            put(data, 20 * index + 12, u64::from(tables + 0x300), 4);
            put(data, 20 * index + 16, u64::from(thunk), 4);
        }
        assert_eq!(is_refused(&spec), refused);
    }
}

#[test]
fn each_delay_import_descriptor_is_followed_to_what_it_fills() {
    let (mut spec, tables, code) = with_tables(false, vec![0; 0x400]);
    spec.directories[13] = (tables, 64);
    let base = spec.image_base;
    for (rva_based, handle, thunks, refused) in [
        (true, tables + 0x200, tables + 0x240, false),
        (true, code, tables + 0x240, true),
        (true, tables + 0x200, code + 4, true),
        (false, tables + 0x200, tables + 0x240, false),
        (false, tables + 0x200, code + 4, true),
    ] {
        let data = &mut spec.section(b".idata").data;
        let base = if rva_based { 0 } else { base };
        put(data, 0, u64::from(rva_based), 4);
        for (at, rva) in [(4, tables + 0x300), (8, handle), (12, thunks)] {
            put(data, at, base + u64::from(rva), 4);
        }
        assert_eq!(is_refused(&spec), refused);
    }
}

#[test]
fn tables_that_cannot_be_followed_make_the_image_malformed() {
    for (directory, address) in [
        (1, 0x00ff_0000),
        (9, 0x00ff_0000),
        (10, 0x00ff_0000),
        (13, 0x00ff_0000),
        (9, u32::MAX),
    ] {
        let mut spec = cuda();
        spec.directories[directory] = (address, 0x40);
        let judgement = judge(&spec);
        assert_eq!(judgement.reasons, [Reason::Malformed], "{directory}");
    }
}

#[test]
fn base_relocations_in_the_section_are_no_reason_to_refuse() {
    let mut spec = ImageSpec::cuda(WRITABLE, modules(&[0]));
    let code = spec.layout()[2].0;
    let mut block = code.to_le_bytes().to_vec();
    block.extend_from_slice(&12_u32.to_le_bytes());
    block.extend_from_slice(&[0x10, 0xa0, 0x18, 0xa0]);
    spec = spec.with(SectionSpec::new(b".reloc", 0x4200_0040, block));
    spec.directories[5] = (spec.layout()[3].0, 12);
    assert!(!is_refused(&spec));
    let bytes = spec.build();
    let image = Image::read(bytes.as_slice()).expect("a well-formed image");
    let counts: Vec<_> = image
        .base_relocations()
        .expect("a whole table")
        .iter()
        .map(|it| it.count)
        .collect();
    assert_eq!(counts, [0, 0, 2, 0]);
}
