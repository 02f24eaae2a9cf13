//! Base relocations, counted by the section that they fall into.

use crate::directory::DirectoryKind;
use crate::error::Error;
use crate::image::Image;
use crate::little_endian::{u16_at, u32_at};
use crate::malformation::Malformation;
use crate::source::ReadAt;

/// Bytes of a block's header: the RVA of a page, and the size of the block.
const BLOCK: usize = 8;
const CHUNK: usize = 64 * 1024;
/// The most bytes of relocations that are read; real tables stay below 10 MB.
const MAX_BYTES: u64 = 64 << 20;
/// A relocation of this type is padding.
const ABSOLUTE: u16 = 0;

/// How many base relocations fall into one section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct SectionRelocations {
    /// The section's position in the section table, from 0.
    pub section: usize,
    /// The relocations in it.
    pub count: u64,
}

impl<R: ReadAt> Image<R> {
    /// Counts the base relocations of every section, in the order of the
    /// section table. Relocations outside of all sections are not counted.
    ///
    /// # Errors
    ///
    /// [`Error::Malformed`] where the table is broken, larger than 64 MiB, or
    /// not in the file; [`Error::Read`] where the source fails.
    pub fn base_relocations(&self) -> Result<Vec<SectionRelocations>, Error> {
        let mut counts: Vec<_> = (0..self.sections().len())
            .map(|section| SectionRelocations { section, count: 0 })
            .collect();
        let Some(directory) = self.data_directory(DirectoryKind::BaseRelocation) else {
            return Ok(counts);
        };
        let mut rva = u64::from(directory.address);
        let mut left = u64::from(directory.size);
        if left > MAX_BYTES {
            return Err(Error::malformed(Malformation::Unending {
                what: "base relocation table",
                limit: MAX_BYTES,
            }));
        }
        let mut chunk = vec![0; CHUNK];
        while left >= BLOCK as u64 {
            let mut header = [0; BLOCK];
            self.read_rva("base relocation table", rva, &mut header)?;
            let page = u32_at(&header, 0).unwrap_or_default();
            let size = u32_at(&header, 4).unwrap_or_default();
            let whole = u64::from(size);
            if whole < BLOCK as u64 || whole % 2 != 0 || whole > left {
                return Err(Error::malformed(Malformation::RelocationBlock {
                    rva,
                    size,
                }));
            }
            self.count_block(
                rva + BLOCK as u64,
                whole - BLOCK as u64,
                page,
                &mut chunk,
                &mut counts,
            )?;
            rva += whole;
            left -= whole;
        }
        Ok(counts)
    }

    /// Counts the `len` bytes of two-byte entries at `rva`: four bits of type
    /// and twelve of offset into `page`.
    fn count_block(
        &self,
        rva: u64,
        len: u64,
        page: u32,
        chunk: &mut [u8],
        counts: &mut [SectionRelocations],
    ) -> Result<(), Error> {
        let mut done = 0;
        while done < len {
            let count = crate::header::usize_of(len - done).min(chunk.len());
            let entries = &mut chunk[..count];
            self.read_rva("base relocation table", rva + done, entries)?;
            for at in (0..count).step_by(2) {
                let entry = u16_at(entries, at).unwrap_or_default();
                if entry >> 12 == ABSOLUTE {
                    continue;
                }
                let target = u64::from(page) + u64::from(entry & 0xfff);
                let section = self
                    .sections()
                    .iter()
                    .position(|section| section.virtual_range().contains(&target));
                if let Some(count) = section.and_then(|section| counts.get_mut(section)) {
                    count.count += 1;
                }
            }
            done += count as u64;
        }
        Ok(())
    }
}
