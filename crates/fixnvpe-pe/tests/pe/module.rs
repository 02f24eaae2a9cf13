//! The walk through GPU code: modules, gaps, elements, architectures.

use fixnvpe_pe::{
    Architecture, CodeKind, Compression, ComputeCapability, DeviceCode, Error, FatbinFault,
    FatbinSummary, Image, Target,
};

use crate::builder::{ImageSpec, READ_ONLY, SectionSpec, WRITABLE};
use crate::gpu_code::{
    CUBIN, FLAG_64_BIT, FLAG_A, FLAG_F, FLAG_LZ4, FLAG_ZSTD, PTX, element, module, module_header,
    modules, plain_module, wrappers,
};
use crate::source::Counted;

fn summary_of(spec: &ImageSpec) -> Result<FatbinSummary, Error> {
    let bytes = spec.build();
    let image = Image::read(bytes.as_slice()).expect("a well-formed image");
    let section = image.fatbin_sections().next().expect("a fat binary");
    image.fatbin(section)?.summary()
}

fn summary(content: Vec<u8>) -> FatbinSummary {
    summary_of(&ImageSpec::cuda(READ_ONLY, content)).expect("a whole chain")
}

fn fault(content: Vec<u8>) -> FatbinFault {
    match summary_of(&ImageSpec::cuda(READ_ONLY, content)) {
        Err(Error::Fatbin { what, section, .. }) => {
            assert_eq!(section, ".nv_fatb");
            what
        }
        other => panic!("a fault was expected: {other:?}"),
    }
}

/// An image whose wrappers point at these offsets into `.nv_fatb`.
fn wrapped(content: Vec<u8>, targets: &[u64]) -> ImageSpec {
    let spec = ImageSpec::cuda(WRITABLE, content);
    let base = spec.image_base + u64::from(spec.layout()[2].0);
    let targets: Vec<_> = targets.iter().map(|target| base + target).collect();
    spec.with(SectionSpec::new(b".nvFatBi", WRITABLE, wrappers(&targets)))
}

#[test]
fn modules_and_elements_are_counted() {
    let summary = summary(modules(&[0, 0, 0]));
    assert_eq!((summary.modules, summary.elements), (3, 6));
    assert_eq!(summary.bytes, 3 * plain_module().len() as u64);
    assert_eq!(summary.gaps.count, 0);
    assert_eq!(summary.compression, [Compression::None]);
}

#[test]
fn a_module_without_elements_is_a_module() {
    let summary = summary(module(&[]));
    assert_eq!((summary.modules, summary.elements), (1, 0));
}

#[test]
fn gaps_of_every_length_are_crossed_by_reading_where_no_wrapper_leads() {
    for gap in [8, 16, 24, 4088, 4096, 4104, 8192, 70_000, 200_000] {
        let content = modules(&[0, gap, 0, gap]);
        let summary = summary(content);
        assert_eq!(summary.modules, 4, "gap {gap}");
        let counted = if gap < 16 { 0 } else { 2 };
        assert_eq!(summary.gaps.count, counted, "gap {gap}");
        assert_eq!(summary.gaps.bytes, counted * gap as u64);
    }
}

#[test]
fn gaps_before_the_first_and_behind_the_last_module_are_fine() {
    let mut content = modules(&[64]);
    content.resize(content.len() + 100, 0);
    let summary = summary(content);
    assert_eq!(summary.modules, 1);
    assert_eq!((summary.gaps.count, summary.gaps.bytes), (2, 164));
    assert_eq!(summary.gaps.largest, 100);
}

#[test]
fn wrappers_lead_across_gaps_to_the_same_modules() {
    let size = plain_module().len();
    let gap = 50_000;
    let content = modules(&[0, gap, gap]);
    let targets = [0, (size + gap) as u64, (2 * size + 2 * gap) as u64];
    let summary = summary_of(&wrapped(content, &targets)).expect("a whole chain");
    assert_eq!((summary.modules, summary.gaps.count), (3, 2));
    assert_eq!(summary.gaps.largest, gap as u64);
}

#[test]
fn a_module_that_no_wrapper_points_at_is_found_all_the_same() {
    let size = plain_module().len();
    // Right behind the zeros' first 4 KiB, and right before the next target.
    for unknown in [5000, 100_000 - size] {
        let mut content = modules(&[0, 100_000]);
        let at = size + unknown / 8 * 8;
        content[at..at + size].copy_from_slice(&plain_module());
        let spec = wrapped(content, &[0, (size + 100_000) as u64]);
        let found = summary_of(&spec).expect("a whole chain").modules;
        // What lies in the middle of a gap is crossed unseen; the edges are checked.
        assert_eq!(found, if unknown == 5000 { 2 } else { 3 });
    }
}

#[test]
fn a_wrapper_that_points_at_zeros_breaks_the_chain() {
    let size = plain_module().len() as u64;
    let spec = wrapped(modules(&[0, 100_000]), &[0, size + 50_000]);
    match summary_of(&spec) {
        Err(Error::Fatbin { what, .. }) => assert_eq!(what, FatbinFault::NoMagic { found: 0 }),
        other => panic!("{other:?}"),
    }
}

#[test]
fn wrappers_that_point_elsewhere_are_ignored() {
    let spec = ImageSpec::cuda(WRITABLE, modules(&[0, 9000]));
    let targets = [0, 1, u64::MAX, spec.image_base, 0x1_8000_0003, 1 << 63];
    let spec = spec.with(SectionSpec::new(b".nvFatBi", WRITABLE, wrappers(&targets)));
    assert_eq!(summary_of(&spec).expect("a whole chain").modules, 2);
}

#[test]
fn wrappers_of_32_bit_images_have_short_pointers() {
    let size = plain_module().len();
    let mut spec = ImageSpec {
        sections: ImageSpec::cuda(WRITABLE, modules(&[0, 50_000])).sections,
        ..ImageSpec::dll_32()
    };
    let target = spec.image_base + u64::from(spec.layout()[2].0) + (size + 50_000) as u64;
    let mut content = 0x4662_43b1_u32.to_le_bytes().to_vec();
    content.extend_from_slice(&1_u32.to_le_bytes());
    content.extend_from_slice(&target.to_le_bytes()[..4]);
    // The next pointer: read as one of 64 bits, the first would lead nowhere.
    content.extend_from_slice(&[0x10; 4]);
    spec = spec.with(SectionSpec::new(b".nvFatBi", WRITABLE, content));
    let summary = summary_of(&spec).expect("a whole chain");
    assert_eq!((summary.modules, summary.gaps.largest), (2, 50_000));
    let bytes = spec.build();
    let source = Counted::new(bytes.as_slice());
    let image = Image::read(&source).expect("a well-formed image");
    image.condition().expect("readable");
    assert!(
        source.bytes.get() < 20_000,
        "the gap was crossed, not read: {} bytes",
        source.bytes.get()
    );
}

#[test]
fn headers_of_other_layouts_are_told_from_other_content() {
    let mut obsolete = plain_module();
    obsolete[..4].copy_from_slice(&0x1ee5_5a01_u32.to_le_bytes());
    assert_eq!(fault(obsolete), FatbinFault::ObsoleteLayout);
    for (version, size) in [(2, 16), (1, 24), (1, 15), (0, 16)] {
        let mut content = plain_module();
        content[4..6].copy_from_slice(&u16::to_le_bytes(version));
        content[6..8].copy_from_slice(&u16::to_le_bytes(size));
        assert_eq!(fault(content), FatbinFault::UnknownHeader { version, size });
    }
    assert_eq!(
        fault(b"what is this".to_vec()),
        FatbinFault::NoMagic { found: 0x7461_6877 }
    );
}

#[test]
fn chains_that_claim_more_than_there_is_are_faults() {
    for size in [0x201, 1 << 32, 1 << 63, u64::MAX - 15, u64::MAX] {
        assert!(matches!(
            fault(module_header(size)),
            FatbinFault::ModuleTooLarge { claimed, .. } if claimed >= size
        ));
    }
    for (at, value) in [(8_usize, u64::MAX), (8, 1 << 63), (8, 129)] {
        let mut content = module(&[element(CUBIN, 80)]);
        content[16 + at..16 + at + 8].copy_from_slice(&value.to_le_bytes());
        assert!(matches!(
            fault(content),
            FatbinFault::ElementTooLarge { .. }
        ));
    }
    let mut content = module(&[element(CUBIN, 80)]);
    content[20..24].copy_from_slice(&63_u32.to_le_bytes());
    assert_eq!(fault(content), FatbinFault::ElementHeader { size: 63 });
}

#[test]
fn tiny_modules_by_the_million_end_in_a_fault() {
    let mut content = Vec::new();
    for _ in 0..100_000 {
        content.extend_from_slice(&module_header(0));
    }
    assert!(matches!(fault(content), FatbinFault::TooManyModules { .. }));
}

#[test]
fn the_walk_ends_after_a_fault() {
    let bytes = ImageSpec::cuda(READ_ONLY, b"nothing here".to_vec()).build();
    let image = Image::read(bytes.as_slice()).expect("a well-formed image");
    let section = image.fatbin_sections().next().expect("a fat binary");
    let mut fatbin = image.fatbin(section).expect("a CUDA section");
    assert!(matches!(fatbin.next(), Some(Err(_))));
    assert!(fatbin.next().is_none());
}

#[test]
fn architectures_are_named_sorted_and_summed() {
    let summary = summary(module(&[
        element(PTX, 120).with_flags(FLAG_F),
        element(CUBIN, 90).with_flags(FLAG_A | FLAG_LZ4),
        element(CUBIN, 86).with_flags(FLAG_ZSTD),
        element(CUBIN, 86),
        element(8, 75),
    ]));
    let names: Vec<_> = summary
        .architectures
        .iter()
        .map(|it| (it.name.as_str(), it.elements, it.bytes))
        .collect();
    assert_eq!(
        names,
        [
            ("kind8_75", 1, 128),
            ("sm_86", 2, 256),
            ("sm_90a", 1, 128),
            ("compute_120f", 1, 128),
        ]
    );
    assert_eq!(
        summary.compression,
        [Compression::None, Compression::Lz4, Compression::Zstd]
    );
}

#[test]
fn elements_tell_their_sizes_and_flags() {
    let content = module(&[
        element(CUBIN, 86).with_flags(FLAG_LZ4),
        element(PTX, 75).with_flags(0x2),
    ]);
    let bytes = ImageSpec::cuda(READ_ONLY, content).build();
    let image = Image::read(bytes.as_slice()).expect("a well-formed image");
    let section = image.fatbin_sections().next().expect("a fat binary");
    let module = image
        .fatbin(section)
        .expect("a CUDA section")
        .next()
        .expect("a module")
        .expect("readable");
    let elements: Vec<_> = module
        .elements(&image)
        .collect::<Result<_, _>>()
        .expect("whole elements");
    let [cubin, ptx] = elements.as_slice() else {
        panic!("two elements were expected: {elements:?}");
    };
    assert_eq!(cubin.offset, module.offset + 16);
    assert_eq!((cubin.header_size, cubin.payload_size), (64, 128));
    assert_eq!((cubin.stored_size, cubin.size), (125, 512));
    assert_eq!(cubin.compression, Compression::Lz4);
    assert!(cubin.is_64_bit && !cubin.has_debug);
    assert_eq!((ptx.stored_size, ptx.size), (128, 128));
    assert!(ptx.has_debug);
    assert_eq!(ptx.architecture.to_string(), "compute_75");
    assert_eq!(FLAG_64_BIT, 1);
}

fn runs(kind: CodeKind, number: u32, target: Target, device: (u32, u32)) -> DeviceCode {
    let capability = ComputeCapability::from_number(number);
    Architecture::new(kind, capability, target).runs_on(ComputeCapability::new(device.0, device.1))
}

#[test]
fn machine_code_runs_on_its_generation_from_its_own_step_on() {
    let cubin = |number, device| runs(CodeKind::Cubin, number, Target::Generic, device);
    for (number, device) in [(80, (8, 0)), (80, (8, 9)), (86, (8, 9)), (120, (12, 1))] {
        assert_eq!(cubin(number, device), DeviceCode::Native);
    }
    for (number, device) in [(86, (8, 0)), (89, (9, 0)), (90, (8, 9)), (75, (8, 0))] {
        assert_eq!(cubin(number, device), DeviceCode::None);
    }
}

#[test]
fn ptx_runs_on_its_own_and_every_later_capability() {
    let ptx = |number, device| runs(CodeKind::Ptx, number, Target::Generic, device);
    for (number, device) in [(52, (5, 2)), (52, (12, 0)), (75, (8, 6)), (89, (9, 0))] {
        assert_eq!(ptx(number, device), DeviceCode::Jit);
    }
    for (number, device) in [(86, (8, 0)), (90, (8, 9)), (120, (9, 0))] {
        assert_eq!(ptx(number, device), DeviceCode::None);
    }
}

#[test]
fn bound_code_and_code_of_other_kinds_do_not_move() {
    for target in [Target::Architecture, Target::Family] {
        let cubin = |device| runs(CodeKind::Cubin, 90, target, device);
        assert_eq!(cubin((9, 0)), DeviceCode::Native);
        assert_eq!(cubin((9, 3)), DeviceCode::None);
        assert_eq!(runs(CodeKind::Ptx, 90, target, (9, 0)), DeviceCode::Jit);
        assert_eq!(runs(CodeKind::Ptx, 90, target, (10, 0)), DeviceCode::None);
    }
    assert_eq!(
        runs(CodeKind::Other(8), 90, Target::Generic, (9, 0)),
        DeviceCode::None
    );
}

#[test]
fn a_dll_offers_the_best_of_its_code() {
    let summary = summary(module(&[element(CUBIN, 80), element(PTX, 80)]));
    let device = |major, minor| summary.has_code_for(ComputeCapability::new(major, minor));
    assert_eq!(device(8, 6), DeviceCode::Native);
    assert_eq!(device(12, 0), DeviceCode::Jit);
    assert_eq!(device(7, 5), DeviceCode::None);
}

#[test]
fn only_cuda_sections_are_walked() {
    let bytes = ImageSpec::dll()
        .with(SectionSpec::new(b".hip_fat", READ_ONLY, vec![0; 64]))
        .build();
    let image = Image::read(bytes.as_slice()).expect("a well-formed image");
    let section = image.fatbin_sections().next().expect("a fat binary");
    match image.fatbin(section) {
        Err(Error::Fatbin { what, .. }) => assert_eq!(what, FatbinFault::NotCuda),
        other => panic!("{other:?}"),
    }
}
