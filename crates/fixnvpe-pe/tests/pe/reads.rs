//! What a judgement and a patch read: it depends on the number of modules and
//! gaps, never on the size of the file.

use fixnvpe_pe::{Condition, Image, Patch, Policy};

use crate::builder::{FILE_ALIGNMENT, ImageSpec, SectionSpec, WRITABLE};
use crate::gpu_code::{module_header, wrappers};
use crate::source::{Counted, Sparse};

/// Three modules of `payload` bytes in a sparse file, with `gap` zeros between
/// them and wrappers that lead across.
fn file(payload: u64, gap: u64) -> Sparse {
    let size = 16 + payload;
    let offsets = [0, size + gap, 2 * (size + gap)];
    let total = u32::try_from(offsets[2] + size).expect("a section has 32 bits");
    let mut spec = ImageSpec::dll().with(SectionSpec::new(b".nv_fatb", WRITABLE, Vec::new()));
    spec.sections[0].virtual_size = Some(total);
    spec.sections[0].raw_size = Some(total.next_multiple_of(FILE_ALIGNMENT));
    let (address, start, raw) = spec.layout()[0];
    let base = spec.image_base + u64::from(address);
    let targets = offsets.map(|offset| base + offset);
    let mut segment = SectionSpec::new(b".nvFatBi", WRITABLE, wrappers(&targets));
    segment.raw_pointer = Some(start + raw);
    spec = spec.with(segment);
    let mut built = spec.build();
    let behind = built.split_off(start as usize);
    let mut file = Sparse::new(u64::from(start + raw + FILE_ALIGNMENT));
    file.put(0, built);
    file.put(u64::from(start + raw), behind);
    for offset in offsets {
        file.put(u64::from(start) + offset, module_header(payload));
    }
    file
}

/// Reads and bytes that judging and planning took.
fn cost(payload: u64, gap: u64) -> (u64, u64) {
    let source = Counted::new(file(payload, gap));
    let image = Image::read(&source).expect("a well-formed image");
    let judgement = image.condition().expect("readable");
    assert_eq!(judgement.condition, Condition::Writable, "{judgement:?}");
    assert_eq!(judgement.sections[0].walk.expect("a walk").modules, 3);
    let judged = (source.reads.get(), source.bytes.get());
    let patch = Patch::plan(&image, &Policy::default()).expect("readable");
    assert_eq!(patch.expect("a writable image").edits().len(), 1);
    image.commit_charge(&Policy::default()).expect("readable");
    assert_eq!(
        judged,
        (source.reads.get(), source.bytes.get()),
        "planning reads nothing that judging has not read"
    );
    judged
}

#[test]
fn what_is_read_for_a_patch_does_not_grow_with_the_file() {
    let small = cost(1 << 12, 0);
    assert_eq!(small, cost(1 << 20, 0));
    assert_eq!(small, cost(1 << 30, 0));
    assert!(small.1 < 5000, "{} bytes", small.1);
}

#[test]
fn gaps_are_crossed_by_their_edges_alone() {
    let small = cost(1 << 12, 1 << 16);
    assert_eq!(small, cost(1 << 12, 18 << 20));
    assert_eq!(small, cost(1 << 12, 1 << 29));
    // Two edges of 4 KiB for each of the two gaps.
    assert!(small.1 < 4 * 4096 + 5000, "{} bytes", small.1);
}

#[test]
fn an_image_that_needs_no_patch_costs_its_headers_alone() {
    let mut spec = ImageSpec::cuda(0x4000_0040, vec![0; 1 << 16]);
    spec.overlay = vec![1; 1 << 20];
    let source = Counted::new(spec.build());
    let image = Image::read(&source).expect("a well-formed image");
    assert_eq!(
        image.condition().expect("readable").condition,
        Condition::ReadOnly
    );
    assert!(source.bytes.get() <= 4096 + 4);
}
