//! The judgement: the four conditions, and each reason by itself.

use fixnvpe_pe::{
    Aslr, CommitCharge, Condition, Image, Judgement, MEM_EXECUTE, MEM_SHARED, Policy, Reason,
};

use crate::builder::{ImageSpec, READ_ONLY, SectionSpec, WRITABLE};
use crate::gpu_code::{module_header, modules, plain_module};
use crate::source::{Failing, Sparse};

pub(crate) fn judge(spec: &ImageSpec) -> Judgement {
    let bytes = spec.build();
    Image::read(bytes.as_slice())
        .expect("a well-formed image")
        .condition()
        .expect("memory can be read")
}

fn reasons(spec: &ImageSpec) -> Vec<Reason> {
    let judgement = judge(spec);
    assert_eq!(judgement.condition, Condition::Refused, "{judgement:?}");
    assert_eq!(judgement.reason(), judgement.reasons.first().copied());
    judgement.reasons
}

pub(crate) fn cuda() -> ImageSpec {
    ImageSpec::cuda(WRITABLE, modules(&[0, 0, 0]))
}

#[test]
fn writable_gpu_code_is_writable() {
    let judgement = judge(&cuda());
    assert_eq!(judgement.condition, Condition::Writable);
    assert_eq!(judgement.condition.to_string(), "writable");
    assert!(judgement.reasons.is_empty());
    assert!(judgement.findings.is_empty());
    let [section] = judgement.sections.as_slice() else {
        panic!("one section was expected: {judgement:?}");
    };
    assert_eq!((section.index, section.name.as_str()), (2, ".nv_fatb"));
    assert!(section.writable);
    assert_eq!(section.walk.expect("a walk").modules, 3);
}

#[test]
fn read_only_gpu_code_is_read_only_whatever_it_holds() {
    for content in [modules(&[0]), b"no modules at all".to_vec()] {
        let judgement = judge(&ImageSpec::cuda(READ_ONLY, content));
        assert_eq!(judgement.condition, Condition::ReadOnly);
        assert!(judgement.reasons.is_empty());
        assert_eq!(judgement.sections[0].walk, None);
    }
}

#[test]
fn an_image_without_gpu_code_is_no_fatbin_also_when_signed_or_a_driver() {
    let mut spec = ImageSpec::dll().with(SectionSpec::new(b".data", WRITABLE, vec![0; 64]));
    spec.directories[4] = (0x400, 0x20);
    spec.subsystem = 1;
    spec.dll_characteristics |= 0x80;
    assert_eq!(judge(&spec).condition, Condition::NoFatbin);
    assert_eq!(judge(&ImageSpec::dll()).condition, Condition::NoFatbin);
}

#[test]
fn drivers_are_refused() {
    let mut spec = cuda();
    spec.subsystem = 1;
    assert_eq!(reasons(&spec), [Reason::Driver]);
}

#[test]
fn integrity_checked_images_are_refused() {
    let mut spec = cuda();
    spec.dll_characteristics |= 0x80;
    assert_eq!(reasons(&spec), [Reason::IntegrityChecked]);
}

#[test]
fn shared_and_executable_sections_are_refused() {
    for flag in [MEM_SHARED, MEM_EXECUTE, MEM_SHARED | MEM_EXECUTE] {
        let spec = ImageSpec::cuda(WRITABLE | flag, plain_module());
        assert_eq!(reasons(&spec), [Reason::SharedOrCode]);
    }
}

#[test]
fn sections_with_fewer_bytes_in_the_file_than_in_memory_are_packed() {
    let mut spec = cuda();
    spec.section(b".nv_fatb").virtual_size = Some(0x9000);
    assert_eq!(reasons(&spec), [Reason::Packed]);
    // As in mxnet: LZMA behind a header of 16 bytes.
    let mut content = vec![0x76; 16];
    content.extend_from_slice(b"\x5d\x00\x00\x04\x00\x00");
    content.resize(0x400, 0x83);
    let mut spec = ImageSpec::cuda(WRITABLE, content);
    spec.section(b".nv_fatb").virtual_size = Some(0x9000);
    assert_eq!(reasons(&spec), [Reason::Packed, Reason::NotFatbin]);
    spec.section(b".nv_fatb").virtual_size = None;
    assert_eq!(reasons(&spec), [Reason::Packed, Reason::NotFatbin]);
}

#[test]
fn content_that_starts_as_compressed_data_is_packed() {
    for magic in [
        &b"\x28\xb5\x2f\xfd"[..],
        b"\x1f\x8b\x08",
        b"\xfd7zXZ\0",
        b"PK\x03\x04",
        b"CCOB",
    ] {
        let mut content = magic.to_vec();
        content.resize(0x400, 0x83);
        assert_eq!(
            reasons(&ImageSpec::cuda(WRITABLE, content)),
            [Reason::Packed, Reason::NotFatbin]
        );
    }
}

#[test]
fn content_that_is_no_chain_of_modules_is_not_fatbin() {
    let mut broken = modules(&[0, 0]);
    let second = broken.len() / 2;
    broken[second] ^= 1;
    let mut obsolete = plain_module();
    obsolete[..4].copy_from_slice(&0x1ee5_5a01_u32.to_le_bytes());
    let mut version = plain_module();
    version[4] = 2;
    let mut too_large = plain_module();
    too_large.extend_from_slice(&module_header(0x1_0000));
    for content in [
        b"something else".to_vec(),
        vec![0; 0x400],
        Vec::new(),
        broken,
        obsolete,
        version,
        too_large,
    ] {
        assert_eq!(
            reasons(&ImageSpec::cuda(WRITABLE, content.clone())),
            [Reason::NotFatbin],
            "{:02x?}",
            &content[..content.len().min(16)]
        );
    }
}

#[test]
fn writable_hip_code_is_refused_and_read_only_hip_code_is_fine() {
    let mut content = b"__CLANG_OFFLOAD_BUNDLE__\x01\0\0\0\0\0\0\0".to_vec();
    content.resize(0x1000, 0);
    let with = |flags| ImageSpec::dll().with(SectionSpec::new(b".hip_fat", flags, content.clone()));
    assert_eq!(reasons(&with(WRITABLE)), [Reason::NotFatbin]);
    assert_eq!(judge(&with(READ_ONLY)).condition, Condition::ReadOnly);
}

#[test]
fn an_image_cut_off_behind_its_headers_is_malformed() {
    let spec = cuda();
    let bytes = spec.build();
    let image = Image::read(&bytes[..bytes.len() - 0x200]).expect("the headers are whole");
    let judgement = image.condition().expect("memory can be read");
    assert_eq!(judgement.condition, Condition::Refused);
    assert_eq!(judgement.reasons, [Reason::Malformed, Reason::NotFatbin]);
}

#[test]
fn layouts_that_windows_maps_otherwise_are_malformed() {
    let mut low = cuda();
    low.section_alignment = 0x200;
    assert_eq!(reasons(&low), [Reason::Malformed]);
    let mut small = cuda();
    small.size_of_image = Some(0x3000);
    assert_eq!(reasons(&small), [Reason::Malformed]);
    let mut shared_addresses = cuda();
    shared_addresses.section(b".nv_fatb").virtual_address = Some(0x2000);
    assert_eq!(reasons(&shared_addresses), [Reason::Malformed]);
    let mut unaligned = cuda();
    let (_, pointer, _) = unaligned.layout()[2];
    let section = unaligned.section(b".nv_fatb");
    section.raw_pointer = Some(pointer + 8);
    section.raw_size = Some(0x200);
    section.virtual_size = Some(0x200);
    assert_eq!(reasons(&unaligned)[0], Reason::Malformed);
}

#[test]
fn signed_images_are_refused_and_only_that_can_be_lifted() {
    let allow = Policy::new(Aslr::Keep, true);
    let mut spec = cuda();
    spec.directories[4] = (0x8000, 0x100);
    assert_eq!(reasons(&spec), [Reason::Signed]);
    assert_eq!(judge(&spec).under(&allow), Condition::Writable);
    assert_eq!(judge(&spec).under(&Policy::default()), Condition::Refused);
    spec.subsystem = 1;
    assert_eq!(reasons(&spec), [Reason::Driver, Reason::Signed]);
    assert_eq!(judge(&spec).under(&allow), Condition::Refused);
}

#[test]
fn every_reason_that_applies_is_listed_once_and_in_order() {
    let mut content = b"\x1f\x8b\x08".to_vec();
    content.resize(0x400, 1);
    let mut spec = ImageSpec::cuda(WRITABLE | MEM_SHARED | MEM_EXECUTE, content);
    spec.subsystem = 1;
    spec.dll_characteristics |= 0x80;
    spec.section_alignment = 0x200;
    spec.directories[4] = (0x8000, 0x100);
    spec.entry_point = spec.layout()[2].0;
    assert_eq!(
        reasons(&spec),
        [
            Reason::Malformed,
            Reason::Driver,
            Reason::IntegrityChecked,
            Reason::SharedOrCode,
            Reason::Packed,
            Reason::NotFatbin,
            Reason::WrittenAtLoad,
            Reason::Signed,
        ]
    );
}

#[test]
fn one_refused_section_refuses_the_image() {
    let spec = cuda().with(SectionSpec::new(b".nv_fatb", WRITABLE, vec![7; 64]));
    let judgement = judge(&spec);
    assert_eq!(judgement.condition, Condition::Refused);
    assert_eq!(judgement.reasons, [Reason::NotFatbin]);
    assert_eq!(judgement.sections.len(), 2);
    let mut spec = spec;
    spec.sections[3].flags = READ_ONLY;
    assert_eq!(judge(&spec).condition, Condition::Writable);
}

#[test]
fn a_source_that_fails_is_an_error_and_no_judgement() {
    let bytes = cuda().build();
    let mut failures = 0;
    for after in 0.. {
        let Ok(image) = Image::read(Failing::new(bytes.as_slice(), after)) else {
            failures += 1;
            continue;
        };
        match image.condition() {
            Ok(judgement) => {
                assert_eq!(judgement.condition, Condition::Writable);
                break;
            }
            Err(error) => {
                assert_eq!(error.code(), "read_failed");
                assert!(error.io_error().is_some());
                failures += 1;
            }
        }
    }
    assert!(failures > 4, "every read of the walk failed once");
}

#[test]
fn a_virtual_size_of_0_means_the_raw_size() {
    let mut spec = cuda();
    spec.section(b".nv_fatb").virtual_size = Some(0);
    let bytes = spec.build();
    let image = Image::read(bytes.as_slice()).expect("a well-formed image");
    let section = image.fatbin_sections().next().expect("a fat binary");
    assert_eq!(section.size_in_memory(), section.size_of_raw_data());
    assert_eq!(
        image.condition().expect("readable").condition,
        Condition::Writable
    );
    let charge = image.commit_charge(&Policy::default()).expect("readable");
    assert_eq!(charge, CommitCharge::new(0x3000, 0x2000));
}

#[test]
fn commit_is_charged_in_whole_pages_of_writable_sections_that_are_not_shared() {
    let charge = |spec: &ImageSpec, policy: &Policy| {
        let bytes = spec.build();
        let image = Image::read(bytes.as_slice()).expect("a well-formed image");
        image.commit_charge(policy).expect("readable")
    };
    let spec = cuda();
    // `.data` has 0x1234 bytes, `.nv_fatb` 3 modules of 400.
    let keep = Policy::default();
    assert_eq!(charge(&spec, &keep), CommitCharge::new(0x3000, 0x2000));
    assert_eq!(charge(&spec, &keep).saved(), 0x1000);
    let mut signed = spec.clone();
    signed.directories[4] = (0x8000, 0x100);
    assert_eq!(charge(&signed, &keep), CommitCharge::new(0x3000, 0x3000));
    let allow = Policy::new(Aslr::Keep, true);
    assert_eq!(charge(&signed, &allow), CommitCharge::new(0x3000, 0x2000));
    let mut shared = spec.clone();
    shared.section(b".data").flags |= MEM_SHARED;
    assert_eq!(charge(&shared, &keep), CommitCharge::new(0x1000, 0));
    let mut read_only = spec;
    read_only.section(b".nv_fatb").flags = READ_ONLY;
    assert_eq!(charge(&read_only, &keep), CommitCharge::new(0x2000, 0x2000));
}

#[test]
fn files_over_4_gib_are_judged_with_64_bit_offsets() {
    let spec = cuda();
    let bytes = spec.build();
    let mut file = Sparse::new(5 << 30);
    file.put(0, bytes);
    let image = Image::read(&file).expect("a well-formed image");
    assert_eq!(image.len(), 5 << 30);
    assert_eq!(
        image.condition().expect("readable").condition,
        Condition::Writable
    );
}

#[test]
fn words_for_scripts_are_stable() {
    let words: Vec<_> = [
        Reason::Malformed,
        Reason::Driver,
        Reason::IntegrityChecked,
        Reason::SharedOrCode,
        Reason::Packed,
        Reason::NotFatbin,
        Reason::WrittenAtLoad,
        Reason::Signed,
    ]
    .iter()
    .map(|reason| {
        assert!(reason.sentence().ends_with('.'));
        reason.to_string()
    })
    .collect();
    assert_eq!(
        words.join(" "),
        "malformed driver integrity_checked shared_or_code packed not_fatbin written_at_load signed"
    );
}
