//! Header blocks that a patched image may have had before.
//!
//! A patch clears bits: `MEM_WRITE` of fat-binary sections and perhaps
//! `DYNAMIC_BASE`. The CheckSum was then left stale (the older script), updated
//! from the changed bytes (this program), set where it was unset, or computed
//! anew over a value that was wrong (other tools).

use fixnvpe_pe::{DYNAMIC_BASE, Image, MEM_WRITE, ReadAt};

/// Images with more read-only fat-binary sections are taken to have had all of
/// them writable.
const MOST_SUBSETS: usize = 3;

/// A header block being rebuilt.
#[derive(Clone)]
struct Rebuilt {
    header: Vec<u8>,
    check_sum_offset: usize,
    len: u64,
}

impl Rebuilt {
    fn set(&mut self, offset: u64, bits: &[u8]) -> Option<()> {
        let start = usize::try_from(offset).ok()?;
        let place = self.header.get_mut(start..start.checked_add(bits.len())?)?;
        for (byte, bit) in place.iter_mut().zip(bits) {
            *byte |= bit;
        }
        Some(())
    }

    fn with_check_sum(&self, value: u32) -> Vec<u8> {
        let mut header = self.header.clone();
        let range = self.check_sum_offset..self.check_sum_offset + 4;
        if let Some(place) = header.get_mut(range) {
            place.copy_from_slice(&value.to_le_bytes());
        }
        header
    }

    /// The values of the CheckSum from which an update for the bytes that differ from `now`
    /// leads to `stored`. The residue 0 has two encodings.
    fn updated_from(&self, now: &[u8], stored: u32) -> Vec<u32> {
        const MODULUS: i64 = 0xFFFF;
        let wrapped = u32::try_from(self.len & 0xFFFF_FFFF).unwrap_or_default();
        let residue = stored.wrapping_sub(wrapped);
        if stored == 0 || residue > 0xFFFF {
            return Vec::new();
        }
        let field = self.check_sum_offset..self.check_sum_offset + 4;
        let bytes = self.header.iter().zip(now).enumerate();
        let mut sum = i64::from(residue);
        for (at, (then, now)) in bytes.filter(|(at, _)| !field.contains(at)) {
            let weight = if at % 2 == 0 { 1 } else { 256 };
            sum += (i64::from(*then) - i64::from(*now)) * weight;
        }
        let sum = u32::try_from(sum.rem_euclid(MODULUS)).unwrap_or_default();
        let both = if sum == 0 { &[0xFFFF, 0][..] } else { &[sum] };
        both.iter().map(|sum| sum.wrapping_add(wrapped)).collect()
    }
}

fn rebuilt<R: ReadAt>(image: &Image<R>) -> Option<Rebuilt> {
    Some(Rebuilt {
        header: image.header().to_vec(),
        check_sum_offset: usize::try_from(image.check_sum_offset()).ok()?,
        len: image.len(),
    })
}

/// The offsets of the flags of read-only fat-binary sections.
fn read_only_sections<R: ReadAt>(image: &Image<R>) -> Vec<u64> {
    image
        .fatbin_sections()
        .filter(|section| !section.is_writable())
        .map(fixnvpe_pe::Section::characteristics_offset)
        .collect()
}

/// The sets of sections that may have been writable, the whole first.
fn subsets(sections: &[u64]) -> Vec<Vec<u64>> {
    if sections.len() > MOST_SUBSETS {
        return vec![sections.to_vec()];
    }
    let chosen = |set: u32| {
        let bits = sections.iter().enumerate();
        bits.filter(move |(index, _)| set >> index & 1 == 1)
            .map(|(_, offset)| *offset)
            .collect()
    };
    (1..1_u32 << sections.len()).rev().map(chosen).collect()
}

/// Every header block that the image may have had before a patch, the
/// likeliest first. `full` is the CheckSum of the file as it is, if known:
/// with it, values that were right come in as well.
pub(crate) fn candidates<R: ReadAt>(image: &Image<R>, full: Option<u32>) -> Vec<Vec<u8>> {
    let Some(now) = rebuilt(image) else {
        return Vec::new();
    };
    let stored = image.check_sum();
    let mut headers: Vec<Vec<u8>> = Vec::new();
    for sections in subsets(&read_only_sections(image)) {
        let mut writable = now.clone();
        for offset in sections {
            writable.set(offset, &MEM_WRITE.to_le_bytes());
        }
        let mut bases = vec![writable.clone()];
        if !image.has_aslr() {
            writable.set(
                image.dll_characteristics_offset(),
                &DYNAMIC_BASE.to_le_bytes(),
            );
            bases.push(writable);
        }
        for base in bases {
            let mut values = vec![stored];
            values.extend(base.updated_from(&now.header, stored));
            values.push(0);
            values.extend(
                full.iter()
                    .flat_map(|&full| base.updated_from(&now.header, full)),
            );
            for value in values {
                let header = base.with_check_sum(value);
                if header != now.header && !headers.contains(&header) {
                    headers.push(header);
                }
            }
        }
    }
    headers
}

/// The header block that the image most likely had before a patch, proven by
/// nothing: every fat-binary section writable, ASLR where relocations allow it,
/// the CheckSum updated.
pub(crate) fn inferred<R: ReadAt>(image: &Image<R>) -> Option<Vec<u8>> {
    let sections = read_only_sections(image);
    let now = rebuilt(image)?;
    let mut then = now.clone();
    for &offset in &sections {
        then.set(offset, &MEM_WRITE.to_le_bytes())?;
    }
    let relocatable = image
        .base_relocations()
        .is_ok_and(|sections| !sections.is_empty());
    if !image.has_aslr() && relocatable {
        let offset = image.dll_characteristics_offset();
        then.set(offset, &DYNAMIC_BASE.to_le_bytes())?;
    }
    let values = then.updated_from(&now.header, image.check_sum());
    let header = match values.first() {
        Some(&value) => then.with_check_sum(value),
        None => then.header,
    };
    (!sections.is_empty()).then_some(header)
}
