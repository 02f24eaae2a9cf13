//! The CheckSum: the full pass and the update from changed bytes.

use fixnvpe_pe::{Aslr, CheckSumState, Image, Patch, Policy, same_check_sum};
use proptest::prelude::*;

use crate::builder::ImageSpec;
use crate::condition::cuda;
use crate::source::Sparse;

/// The sum as Windows' own documentation describes it, word by word.
fn reference(bytes: &[u8], field: usize) -> u32 {
    let mut sum = 0_u32;
    for (index, pair) in bytes.chunks(2).enumerate() {
        let word = if (field..field + 4).contains(&(2 * index)) {
            0
        } else {
            u32::from(pair[0]) + 256 * u32::from(pair.get(1).copied().unwrap_or(0))
        };
        sum += word;
        sum = (sum & 0xffff) + (sum >> 16);
    }
    sum.wrapping_add(u32::try_from(bytes.len()).expect("a small file"))
}

/// The image with a CheckSum that is right.
fn summed(mut spec: ImageSpec) -> ImageSpec {
    let bytes = spec.build();
    spec.check_sum = full(&bytes);
    spec
}

fn full(bytes: &[u8]) -> u32 {
    Image::read(bytes)
        .expect("a well-formed image")
        .check_sum_full()
        .expect("memory can be read")
}

/// A writable image of any flags, length and content behind its sections.
fn any_cuda() -> impl Strategy<Value = ImageSpec> {
    (
        any::<u16>(),
        prop::collection::vec(any::<u8>(), 0..600),
        any::<u16>(),
    )
        .prop_map(|(flags, overlay, machine)| {
            let mut spec = cuda();
            spec.dll_characteristics = flags & !0x80;
            spec.overlay = overlay;
            spec.machine = machine;
            spec
        })
}

proptest! {
    #[test]
    fn the_full_pass_is_the_documented_sum(spec in any_cuda()) {
        let bytes = spec.build();
        prop_assert_eq!(full(&bytes), reference(&bytes, 0x80 + 88));
    }

    #[test]
    fn the_update_equals_a_full_pass(spec in any_cuda()) {
        let bytes = summed(spec).build();
        let image = Image::read(bytes.as_slice()).expect("a well-formed image");
        let patch = Patch::plan(&image, &Policy::new(Aslr::Clear, false))
            .expect("readable")
            .expect("a writable image");
        let mut patched = bytes.clone();
        patch.apply(&mut patched).expect("the old bytes are there");
        let after = Image::read(patched.as_slice()).expect("still an image");
        prop_assert!(after.check_sum() != image.check_sum());
        prop_assert_eq!(after.check_sum(), after.check_sum_full().expect("readable"));
    }

    #[test]
    fn a_wrong_value_stays_wrong_by_the_same_amount(spec in any_cuda(), wrong in 1..0xffff_u32) {
        let mut spec = spec;
        let bytes = spec.build();
        let len = u32::try_from(bytes.len()).expect("a small file");
        spec.check_sum = len + wrong;
        let right = full(&bytes);
        let bytes = spec.build();
        let image = Image::read(bytes.as_slice()).expect("a well-formed image");
        let patch = Patch::plan(&image, &Policy::default())
            .expect("readable")
            .expect("a writable image");
        let mut patched = bytes.clone();
        patch.apply(&mut patched).expect("the old bytes are there");
        let after = Image::read(patched.as_slice()).expect("still an image");
        let difference = |stored: u32, right: u32| {
            (i64::from(stored) - i64::from(right)).rem_euclid(0xffff)
        };
        prop_assert_eq!(
            difference(image.check_sum(), right),
            difference(after.check_sum(), after.check_sum_full().expect("readable"))
        );
    }
}

#[test]
fn a_field_of_0_stays_0() {
    let bytes = cuda().build();
    let image = Image::read(bytes.as_slice()).expect("a well-formed image");
    assert_eq!(image.check_sum_state(), CheckSumState::Unset);
    let patch = Patch::plan(&image, &Policy::default())
        .expect("readable")
        .expect("a writable image");
    assert_eq!(patch.edits().len(), 1);
    assert!(patch.notes().is_empty());
}

#[test]
fn an_impossible_value_is_left_with_a_note() {
    let mut spec = cuda();
    let len = u32::try_from(spec.build().len()).expect("a small file");
    for value in [1, len - 1, len + 0x1_0000, 0xdead_beef] {
        spec.check_sum = value;
        let bytes = spec.build();
        let image = Image::read(bytes.as_slice()).expect("a well-formed image");
        assert_eq!(image.check_sum_state(), CheckSumState::Impossible);
        let patch = Patch::plan(&image, &Policy::default())
            .expect("readable")
            .expect("a writable image");
        assert_eq!(patch.edits().len(), 1);
        assert_eq!(patch.notes(), [fixnvpe_pe::Note::CheckSumImpossible]);
    }
    spec.check_sum = len + 0xffff;
    let bytes = spec.build();
    let image = Image::read(bytes.as_slice()).expect("a well-formed image");
    assert_eq!(image.check_sum_state(), CheckSumState::Set);
}

#[test]
fn both_encodings_of_residue_0_are_one_sum() {
    let len = 0x1234;
    assert!(same_check_sum(0x1234, 0x1234 + 0xffff, len));
    assert!(same_check_sum(0x1234 + 0xffff, 0x1234, len));
    assert!(!same_check_sum(0x1234, 0x1235, len));
    assert!(!same_check_sum(0x1234 + 0xffff, 0x1234 + 0xfffe, len));
}

#[test]
fn an_update_that_ends_at_residue_0_writes_ffff_and_is_undone_exactly() {
    // Clearing MEM_WRITE takes 0x8000 from a word, so that a stored residue of
    // 0x8000 ends at 0.
    let mut spec = cuda();
    let len = u32::try_from(spec.build().len()).expect("a small file");
    spec.check_sum = len + 0x8000;
    let bytes = spec.build();
    let image = Image::read(bytes.as_slice()).expect("a well-formed image");
    let patch = Patch::plan(&image, &Policy::default())
        .expect("readable")
        .expect("a writable image");
    let mut patched = bytes.clone();
    patch.apply(&mut patched).expect("the old bytes are there");
    let after = Image::read(patched.as_slice()).expect("still an image");
    assert_eq!(after.check_sum(), len + 0xffff);
    patch
        .inverse()
        .apply(&mut patched)
        .expect("the new bytes are there");
    assert_eq!(patched, bytes);
}

#[test]
fn the_length_wraps_in_files_over_4_gib() {
    let mut spec = cuda();
    let len = (5_u64 << 30) + 3;
    // The zeros behind the image add nothing but their number.
    let small = spec.build();
    let residue = full(&small) - u32::try_from(small.len()).expect("a small file");
    spec.check_sum = (1 << 30) + 3 + residue;
    let mut file = Sparse::new(len);
    file.put(0, spec.build());
    let image = Image::read(&file).expect("a well-formed image");
    assert_eq!(image.check_sum_state(), CheckSumState::Set);
    assert!(same_check_sum(image.check_sum(), spec.check_sum, len));
    let patch = Patch::plan(&image, &Policy::default())
        .expect("readable")
        .expect("a writable image");
    assert_eq!(patch.edits().len(), 2);
}
