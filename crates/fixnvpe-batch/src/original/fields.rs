//! The bits of a header block that a patch may change, and no others.

use std::ops::Range;

use fixnvpe_pe::{DYNAMIC_BASE, Edit, Field, Image, MEM_WRITE, ReadAt};

/// One field of a header block, with the bits of it that may change.
struct Bits {
    range: Range<usize>,
    mask: Vec<u8>,
    field: Field,
}

/// The bits of a header block that a patch may change: `MEM_WRITE` of the
/// fat-binary sections, `DYNAMIC_BASE`, and the CheckSum.
pub(crate) struct Fields(Vec<Bits>);

impl Fields {
    /// The fields of an image.
    pub(crate) fn of<R: ReadAt>(image: &Image<R>) -> Self {
        let mut fields: Vec<Bits> = image
            .fatbin_sections()
            .filter_map(|section| {
                let mask = MEM_WRITE.to_le_bytes();
                bits(
                    section.characteristics_offset(),
                    &mask,
                    Field::SectionCharacteristics,
                )
            })
            .collect();
        fields.extend(bits(
            image.dll_characteristics_offset(),
            &DYNAMIC_BASE.to_le_bytes(),
            Field::DllCharacteristics,
        ));
        fields.extend(bits(image.check_sum_offset(), &[0xFF; 4], Field::CheckSum));
        fields.sort_by_key(|bits| bits.range.start);
        Self(fields)
    }

    /// Whether two header blocks differ in these bits at most.
    pub(crate) fn cover(&self, one: &[u8], other: &[u8]) -> bool {
        let mut masked = other.to_vec();
        for bits in &self.0 {
            let (Some(from), Some(to)) = (
                one.get(bits.range.clone()),
                masked.get_mut(bits.range.clone()),
            ) else {
                return false;
            };
            for ((to, from), mask) in to.iter_mut().zip(from).zip(&bits.mask) {
                *to = (*to & !mask) | (from & mask);
            }
        }
        masked == one
    }

    /// The edits that turn one header block into another: one for each run of
    /// bytes that differ within a field.
    pub(crate) fn edits(&self, old: &[u8], new: &[u8]) -> Vec<Edit> {
        let mut edits: Vec<Edit> = Vec::new();
        for bits in &self.0 {
            let mut open = false;
            for at in bits.range.clone() {
                let (Some(&old), Some(&new)) = (old.get(at), new.get(at)) else {
                    continue;
                };
                match edits.last_mut() {
                    _ if old == new => {
                        open = false;
                        continue;
                    }
                    Some(edit) if open => {
                        edit.old.push(old);
                        edit.new.push(new);
                    }
                    _ => edits.push(Edit::new(at as u64, vec![old], vec![new], bits.field)),
                }
                open = true;
            }
        }
        edits
    }
}

fn bits(offset: u64, mask: &[u8], field: Field) -> Option<Bits> {
    let start = usize::try_from(offset).ok()?;
    Some(Bits {
        range: start..start.checked_add(mask.len())?,
        mask: mask.to_vec(),
        field,
    })
}
