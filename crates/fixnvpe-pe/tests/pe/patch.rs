//! Patching: exactly the planned bytes, and back again.

use fixnvpe_pe::{
    Aslr, Condition, Edit, EditFault, Error, Field, Image, Note, Patch, Policy, ReadAt, State,
    WriteAt,
};
use proptest::prelude::*;
use std::io;

use crate::builder::{ImageSpec, SectionSpec, WRITABLE};
use crate::condition::cuda;
use crate::gpu_code::modules;

const CLEAR: u16 = 0x40;

fn plan(bytes: &[u8], policy: Policy) -> Patch {
    let image = Image::read(bytes).expect("a well-formed image");
    Patch::plan(&image, &policy)
        .expect("readable")
        .expect("a writable image")
}

/// A writable image: any flags, CheckSum, machine and number of fat binaries.
fn any_writable() -> impl Strategy<Value = (ImageSpec, Policy)> {
    let policy = (any::<bool>(), any::<bool>()).prop_map(|(clear, signed)| {
        Policy::new(if clear { Aslr::Clear } else { Aslr::Keep }, signed)
    });
    let gaps = prop::collection::vec(0..600_usize, 1..4);
    let sections = prop::collection::vec(gaps, 1..4);
    let flags = (any::<u16>(), any::<u32>(), any::<bool>());
    (sections, flags, policy).prop_map(|(sections, (flags, check_sum, arm), policy)| {
        let mut spec = ImageSpec::dll();
        spec.dll_characteristics = flags & !0x80;
        spec.machine = if arm { 0xaa64 } else { 0x8664 };
        for gaps in sections {
            let gaps: Vec<_> = gaps.iter().map(|gap| gap / 8 * 8).collect();
            spec = spec.with(SectionSpec::new(b".nv_fatb", WRITABLE, modules(&gaps)));
        }
        // A value that can be, for about half of the images.
        let len = u32::try_from(spec.build().len()).expect("a small file");
        spec.check_sum = if check_sum % 2 == 0 {
            len + (check_sum >> 16)
        } else {
            check_sum
        };
        (spec, policy)
    })
}

proptest! {
    #[test]
    fn a_patch_and_its_inverse_are_the_identity((spec, policy) in any_writable()) {
        let bytes = spec.build();
        let patch = plan(&bytes, policy);
        let mut copy = bytes.clone();
        patch.apply(&mut copy).expect("the old bytes are there");
        prop_assert_ne!(&copy, &bytes);
        patch.inverse().apply(&mut copy).expect("the new bytes are there");
        prop_assert_eq!(&copy, &bytes);
        let twice = patch.inverse().inverse();
        prop_assert_eq!(twice.edits(), patch.edits());
    }

    #[test]
    fn only_the_planned_bytes_differ_and_every_one_of_them((spec, policy) in any_writable()) {
        let bytes = spec.build();
        let patch = plan(&bytes, policy);
        let mut copy = bytes.clone();
        patch.apply(&mut copy).expect("the old bytes are there");
        let changed: Vec<_> = (0_u64..)
            .zip(bytes.iter().zip(&copy))
            .filter(|(_, (old, new))| old != new)
            .map(|(offset, (old, new))| (offset, *old, *new))
            .collect();
        let planned: Vec<_> = patch
            .edits()
            .iter()
            .flat_map(|edit| {
                (edit.offset..).zip(edit.old.iter().zip(&edit.new))
                    .map(|(offset, (old, new))| (offset, *old, *new))
            })
            .collect();
        prop_assert_eq!(changed, planned);
        let (start, len) = patch.span();
        prop_assert_eq!(start, patch.edits()[0].offset);
        prop_assert!(start + len <= Image::read(bytes.as_slice()).expect("an image").header().len() as u64);
    }

    #[test]
    fn a_patched_image_is_read_only_and_has_no_patch((spec, policy) in any_writable()) {
        let mut bytes = spec.build();
        plan(&bytes, policy).apply(&mut bytes).expect("the old bytes are there");
        let image = Image::read(bytes.as_slice()).expect("still an image");
        prop_assert_eq!(image.condition().expect("readable").condition, Condition::ReadOnly);
        prop_assert_eq!(Patch::plan(&image, &policy).expect("readable"), None);
    }

    #[test]
    fn edits_make_the_same_patch_again((spec, policy) in any_writable()) {
        let mut bytes = spec.build();
        let original = bytes.clone();
        let patch = plan(&bytes, policy);
        let mut edits = patch.edits().to_vec();
        edits.reverse();
        let again = Patch::from_edits(edits).expect("a plan's edits make a patch");
        prop_assert_eq!(again.edits(), patch.edits());
        prop_assert_eq!(again.state(&bytes).expect("readable"), State::Old);
        again.apply(&mut bytes).expect("the old bytes are there");
        prop_assert_eq!(again.state(&bytes).expect("readable"), State::New);
        again.inverse().apply(&mut bytes).expect("the new bytes are there");
        prop_assert_eq!(bytes, original);
    }
}

#[test]
fn patching_changes_only_the_write_bit() {
    let spec = cuda();
    let bytes = spec.build();
    let patch = plan(&bytes, Policy::default());
    let at = spec.flags_offset(b".nv_fatb") + 3;
    let edit = Edit::new(at, vec![0xc0], vec![0x40], Field::SectionCharacteristics);
    assert_eq!(patch.edits(), [edit]);
    assert_eq!(patch.span(), (at, 1));
    assert!(!patch.clears_aslr());
}

#[test]
fn aslr_is_cleared_only_when_asked_for() {
    let bytes = cuda().build();
    let patch = plan(&bytes, Policy::new(Aslr::Clear, false));
    assert!(patch.clears_aslr());
    let edit = &patch.edits()[0];
    assert_eq!(edit.field, Field::DllCharacteristics);
    assert_eq!(
        (edit.old.as_slice(), edit.new.as_slice()),
        (&[0x60][..], &[0x20][..])
    );
    let mut spec = cuda();
    spec.dll_characteristics &= !CLEAR;
    let patch = plan(&spec.build(), Policy::new(Aslr::Clear, false));
    assert!(!patch.clears_aslr());
    assert!(patch.notes().is_empty());
}

#[test]
fn aslr_is_kept_with_a_note_where_windows_needs_it() {
    let mut guarded = cuda();
    guarded.dll_characteristics |= 0x4000;
    let mut arm = cuda();
    arm.machine = 0xaa64;
    for (spec, note) in [
        (guarded, Note::AslrKeptForGuardCf),
        (arm, Note::AslrKeptForArm64),
    ] {
        let bytes = spec.build();
        let patch = plan(&bytes, Policy::new(Aslr::Clear, false));
        assert!(!patch.clears_aslr());
        assert_eq!(patch.notes(), [note]);
        assert!(plan(&bytes, Policy::default()).notes().is_empty());
    }
}

#[test]
fn refused_images_have_no_patch_but_for_signed_ones_when_allowed() {
    let mut spec = cuda();
    spec.directories[4] = (0x8000, 0x100);
    let bytes = spec.build();
    let image = Image::read(bytes.as_slice()).expect("a well-formed image");
    let planned = |policy| Patch::plan(&image, &policy).expect("readable").is_some();
    assert!(!planned(Policy::default()));
    assert!(planned(Policy::new(Aslr::Keep, true)));
}

#[test]
fn nothing_is_written_where_the_old_bytes_are_not() {
    let mut bytes = cuda().build();
    let patch = plan(&bytes, Policy::new(Aslr::Clear, false));
    let at = usize::try_from(patch.edits()[1].offset).expect("a small file");
    bytes[at] = 0x42;
    let before = bytes.clone();
    match patch.apply(&mut bytes) {
        Err(Error::OldBytes {
            expected, found, ..
        }) => assert_eq!((expected, found), (vec![0xc0], vec![0x42])),
        other => panic!("{other:?}"),
    }
    assert_eq!(bytes, before);
    assert_eq!(patch.state(&bytes).expect("readable"), State::Foreign);
}

#[test]
fn a_torn_write_is_told_from_both_sides() {
    let bytes = cuda().build();
    let patch = plan(&bytes, Policy::new(Aslr::Clear, false));
    let mut torn = bytes.clone();
    let edit = &patch.edits()[0];
    torn[usize::try_from(edit.offset).expect("a small file")] = edit.new[0];
    assert_eq!(patch.state(&torn).expect("readable"), State::Mixed);
    assert!(patch.apply(&mut torn).is_err());
    assert_eq!(
        patch.state(&bytes[..0x100]).expect("readable"),
        State::Foreign,
        "a file that ends before the edits"
    );
}

#[test]
fn a_patch_applies_to_a_file_without_changing_its_length() {
    let bytes = cuda().build();
    let mut file = tempfile::tempfile().expect("a temporary file");
    file.write_all_at(0, &bytes).expect("writable");
    let patch = {
        let image = Image::read(&file).expect("a well-formed image");
        Patch::plan(&image, &Policy::default())
            .expect("readable")
            .expect("a writable image")
    };
    patch.apply(&mut file).expect("the old bytes are there");
    assert_eq!(file.size().expect("readable"), bytes.len() as u64);
    let mut back = vec![0; bytes.len()];
    file.read_exact_at(0, &mut back).expect("readable");
    let mut expected = bytes.clone();
    patch.apply(&mut expected).expect("the old bytes are there");
    assert_eq!(back, expected);
    patch
        .inverse()
        .apply(&mut &file)
        .expect("the new bytes are there");
    file.read_exact_at(0, &mut back).expect("readable");
    assert_eq!(back, bytes);
}

/// Takes every write and keeps none of it.
struct Forgetful(Vec<u8>);

impl ReadAt for Forgetful {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        self.0.read_at(offset, buf)
    }

    fn size(&self) -> io::Result<u64> {
        self.0.size()
    }
}

impl WriteAt for Forgetful {
    fn write_all_at(&mut self, _: u64, _: &[u8]) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn what_was_written_is_read_back() {
    let bytes = cuda().build();
    let patch = plan(&bytes, Policy::default());
    match patch.apply(&mut Forgetful(bytes)) {
        Err(Error::ReadBack {
            expected, found, ..
        }) => assert_eq!((expected, found), (vec![0x40], vec![0xc0])),
        other => panic!("{other:?}"),
    }
}

#[test]
fn lists_that_are_no_patch_are_told_from_patches() {
    let edit = |offset, old: &[u8], new: &[u8]| {
        Edit::new(
            offset,
            old.to_vec(),
            new.to_vec(),
            Field::DllCharacteristics,
        )
    };
    let fault = |edits| match Patch::from_edits(edits) {
        Err(Error::Edits { what }) => what,
        other => panic!("{other:?}"),
    };
    assert_eq!(fault(vec![]), EditFault::NoEdits);
    assert_eq!(
        fault(vec![edit(8, &[1], &[])]),
        EditFault::Uneven { offset: 8 }
    );
    assert_eq!(
        fault(vec![edit(8, &[], &[])]),
        EditFault::Uneven { offset: 8 }
    );
    assert_eq!(
        fault(vec![edit(8, &[1, 2, 3], &[4, 5, 6])]),
        EditFault::OutOfBounds { offset: 8 }
    );
    for offset in [1 << 20, u64::MAX] {
        assert_eq!(
            fault(vec![edit(offset, &[1], &[2])]),
            EditFault::OutOfBounds { offset }
        );
    }
    assert_eq!(
        fault(vec![edit(9, &[1], &[2]), edit(8, &[1, 2], &[2, 3])]),
        EditFault::Overlap { offset: 9 }
    );
}
