//! Bytes from an enemy: no panic, no long way, no large buffer.

use fixnvpe_pe::{Aslr, Image, Patch, Policy, ReadAt};
use proptest::prelude::*;

use crate::builder::{ImageSpec, SectionSpec, WRITABLE};
use crate::gpu_code::{module_header, modules, wrappers};
use crate::header::any_image;
use crate::source::{Counted, Sparse};

/// No buffer is larger.
const LARGEST: u64 = 1 << 20;

/// Asks everything that can be asked of a source, and answers how often and how
/// much was read for it.
fn exhaust(source: impl ReadAt) -> (u64, u64) {
    let source = Counted::new(source);
    if let Ok(image) = Image::read(&source) {
        let _ = image.condition();
        for policy in [Policy::default(), Policy::new(Aslr::Clear, true)] {
            let _ = image.commit_charge(&policy);
            let _ = Patch::plan(&image, &policy);
        }
        for section in image.fatbin_sections() {
            let _ = image.fatbin(section).and_then(fixnvpe_pe::Fatbin::summary);
        }
        let _ = image.base_relocations();
        let _ = image.imports();
        let _ = image.delay_imports();
    }
    assert!(source.largest.get() <= LARGEST);
    (source.reads.get(), source.bytes.get())
}

/// A CUDA image with every table that is followed.
fn rich() -> ImageSpec {
    let spec = ImageSpec::cuda(WRITABLE, modules(&[0, 8, 5000, 0]));
    let base = spec.image_base + u64::from(spec.layout()[2].0);
    let mut tables = vec![0; 0x600];
    let address = u64::from(spec.layout()[2].0) + 0x3000;
    tables[12..16].copy_from_slice(&address.to_le_bytes()[..4]);
    let mut spec = spec
        .with(SectionSpec::new(
            b".nvFatBi",
            WRITABLE,
            wrappers(&[base, base + 5808]),
        ))
        .with(SectionSpec::new(b".idata", WRITABLE, tables));
    let address = spec.layout()[4].0;
    for (directory, offset) in [(1, 0), (5, 0x100), (9, 0x200), (10, 0x300), (13, 0x400)] {
        spec.directories[directory] = (address + offset, 0x40);
    }
    spec
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..2048)) {
        exhaust(bytes.as_slice());
    }

    #[test]
    fn arbitrary_bytes_behind_a_signature_never_panic(
        mut bytes in prop::collection::vec(any::<u8>(), 0x100..2048),
        wide in any::<bool>(),
    ) {
        bytes[..2].copy_from_slice(b"MZ");
        bytes[0x3c..0x40].copy_from_slice(&0x40_u32.to_le_bytes());
        bytes[0x40..0x44].copy_from_slice(b"PE\0\0");
        bytes[0x46..0x48].copy_from_slice(&[3, 0]);
        bytes[0x54..0x56].copy_from_slice(&[if wide { 240 } else { 224 }, 0]);
        bytes[0x58..0x5a].copy_from_slice(&[0x0b, if wide { 2 } else { 1 }]);
        let count = 0x58 + if wide { 108 } else { 92 };
        bytes[count..count + 4].copy_from_slice(&16_u32.to_le_bytes());
        exhaust(bytes.as_slice());
    }

    #[test]
    fn well_formed_images_of_any_content_never_panic(spec in any_image()) {
        exhaust(spec.build().as_slice());
    }

    #[test]
    fn mutated_images_never_panic_and_never_read_much(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
        words in prop::collection::vec((0..0x400_usize, any::<u32>()), 0..3),
    ) {
        let mut bytes = rich().build();
        for (index, value) in changes {
            let at = index.index(bytes.len());
            bytes[at] = value;
        }
        for (at, value) in words {
            bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        }
        let len = bytes.len() as u64;
        let (reads, read) = exhaust(bytes.as_slice());
        prop_assert!(reads < 20_000, "{} reads", reads);
        prop_assert!(read < 64 * len + (1 << 20), "{} bytes of {}", read, len);
    }

    #[test]
    fn mutated_gpu_code_never_panics(
        changes in prop::collection::vec((0..0x4000_usize, any::<u64>()), 1..8),
    ) {
        let mut spec = ImageSpec::cuda(WRITABLE, modules(&[0, 8, 5000, 0]));
        let content = &mut spec.section(b".nv_fatb").data;
        for (at, value) in changes {
            let at = at % (content.len() - 8);
            content[at..at + 8].copy_from_slice(&value.to_le_bytes());
        }
        exhaust(spec.build().as_slice());
    }
}

/// A sparse file whose `.nv_fatb` has `size` bytes, all zeros but for `pieces`
/// at offsets into it.
fn huge(size: u32, targets: &[u64], pieces: Vec<(u64, Vec<u8>)>) -> Sparse {
    let mut spec = ImageSpec::dll()
        .with(SectionSpec::new(b".nvFatBi", WRITABLE, Vec::new()))
        .with(SectionSpec::new(b".nv_fatb", WRITABLE, Vec::new()));
    let at = spec.layout()[1].0;
    let base = spec.image_base + 0x10_0000;
    let targets: Vec<_> = targets.iter().map(|target| base + target).collect();
    spec.sections[0].data = wrappers(&targets);
    spec.sections[1].virtual_address = Some(at.max(0x10_0000));
    spec.sections[1].virtual_size = Some(size);
    spec.sections[1].raw_size = Some(size);
    spec.size_of_image = Some(u32::MAX);
    let start = u64::from(spec.layout()[1].1);
    let mut file = Sparse::new(start + u64::from(size));
    file.put(0, spec.build());
    for (offset, bytes) in pieces {
        file.put(start + offset, bytes);
    }
    file
}

#[test]
fn gigabytes_of_zeros_that_nothing_leads_across_are_given_up() {
    let module = module_header(0);
    let file = huge(0xe000_0000, &[], vec![(0, module)]);
    let (reads, bytes) = exhaust(&file);
    assert!(bytes < 3 * (257 << 20), "{bytes} bytes in {reads} reads");
}

#[test]
fn gigabytes_of_zeros_are_crossed_where_wrappers_lead() {
    let module = module_header(0);
    let far = 0xd000_0000;
    let file = huge(
        0xe000_0000,
        &[0, far],
        vec![(0, module.clone()), (far, module)],
    );
    let (reads, bytes) = exhaust(&file);
    assert!(
        reads < 100 && bytes < 100_000,
        "{bytes} bytes in {reads} reads"
    );
}

#[test]
fn wrappers_by_the_thousand_into_zeros_do_not_make_the_way_longer() {
    let targets: Vec<u64> = (0..20_000).map(|index| index * 0x2000).collect();
    let file = huge(0xe000_0000, &targets, vec![(0, module_header(0))]);
    let (reads, _) = exhaust(&file);
    assert!(reads < 1000, "{reads} reads");
}

#[test]
fn wrapper_sections_are_read_within_one_budget() {
    let size = 40 << 20;
    let mut spec = ImageSpec::cuda(WRITABLE, modules(&[0, 9000]));
    let start = spec.build().len().next_multiple_of(0x1000);
    for index in 0..50 {
        let mut section = SectionSpec::new(b".nvFatBi", WRITABLE, Vec::new());
        section.virtual_address = Some(0x10_0000 + index * size);
        section.virtual_size = Some(size);
        section.raw_size = Some(size);
        let start = u32::try_from(start).expect("a small file") + 0x10_0000;
        section.raw_pointer = Some(start + index * size);
        spec = spec.with(section);
    }
    let mut file = Sparse::new(4 << 30);
    file.put(0, spec.build());
    let (reads, bytes) = exhaust(&file);
    // Two walks, one megabyte of wrappers each.
    assert!(bytes < 3 << 20, "{bytes} bytes in {reads} reads");
}

#[test]
fn a_module_that_claims_2_to_the_63_bytes_is_refused_at_once() {
    let file = huge(0x4000_0000, &[], vec![(0, module_header(1 << 63))]);
    let (reads, bytes) = exhaust(&file);
    assert!(
        reads < 40 && bytes < 40_000,
        "{bytes} bytes in {reads} reads"
    );
}
