//! The registration wrappers that point at modules: the content of `.nvFatBi`.
//!
//! A wrapper is a u32 magic, a u32 version, and a pointer to the module (a
//! virtual address as linked, fixed up by base relocations), followed by one
//! more pointer. They tell where modules start, so that the zeros between two
//! of them need not be read.

use crate::error::Error;
use crate::image::Image;
use crate::little_endian::{u32_at, u64_at};
use crate::section::Section;
use crate::source::ReadAt;

const MAGIC: u32 = 0x4662_43b1;
/// The most bytes of wrappers that are read; real images have a few hundred
/// wrappers of 24 bytes. Wrappers beyond it are not seen, and the zeros before
/// their modules are read instead of crossed.
const MAX_BYTES: u64 = 1 << 20;
const CHUNK: u64 = 16 * 1024;
/// Distance from the magic to the pointer.
const POINTER: usize = 8;

/// The offsets into `section` that wrappers point at, in order.
pub(super) fn targets<R: ReadAt>(image: &Image<R>, section: &Section) -> Result<Vec<u64>, Error> {
    let mut targets = Vec::new();
    let mut budget = MAX_BYTES;
    for wrappers in image.sections().iter().filter(|it| it.holds_wrappers()) {
        let Some(raw) = wrappers.raw_range() else {
            continue;
        };
        let size = u64::from(wrappers.size_in_memory());
        let end = raw.end.min(raw.start + size).min(image.len());
        let end = end.min(raw.start.saturating_add(budget));
        budget -= end.saturating_sub(raw.start);
        collect(image, raw.start, end, section, &mut targets)?;
    }
    targets.sort_unstable();
    targets.dedup();
    Ok(targets)
}

/// Scans the file from `offset` to `end` for wrappers, at every 8 bytes: object
/// files of different alignment leave padding between them.
fn collect<R: ReadAt>(
    image: &Image<R>,
    mut offset: u64,
    end: u64,
    section: &Section,
    targets: &mut Vec<u64>,
) -> Result<(), Error> {
    let pointer_size = image.kind().pointer_size();
    let whole = POINTER as u64 + pointer_size;
    while offset + whole <= end {
        let count = (end - offset).min(CHUNK);
        let mut chunk = vec![0; crate::header::usize_of(count)];
        image.read_offset(offset, &mut chunk)?;
        // A wrapper that straddles the end of a chunk is met again: the next
        // chunk starts at the first place that was not looked at.
        let mut at = 0;
        while at as u64 + whole <= count {
            if u32_at(&chunk, at) == Some(MAGIC) {
                let pointer = if pointer_size == 8 {
                    u64_at(&chunk, at + POINTER)
                } else {
                    u32_at(&chunk, at + POINTER).map(u64::from)
                };
                targets.extend(pointer.and_then(|pointer| into(image, section, pointer)));
            }
            at += 8;
        }
        offset += at as u64;
    }
    Ok(())
}

/// Where in `section` a virtual address points, if it does, 8-aligned as every
/// module is.
fn into<R: ReadAt>(image: &Image<R>, section: &Section, pointer: u64) -> Option<u64> {
    let rva = image.rva_of(pointer)?;
    let into = rva.checked_sub(u64::from(section.virtual_address()))?;
    (into < u64::from(section.size_in_memory()) && into % 8 == 0).then_some(into)
}
