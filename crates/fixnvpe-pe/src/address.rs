//! From addresses to file offsets: which bytes of the file back an address of
//! the mapped image.

use crate::error::Error;
use crate::image::Image;
use crate::malformation::Malformation;
use crate::source::ReadAt;

impl<R: ReadAt> Image<R> {
    /// The file offset of the byte at `rva` (relative to the image base), and
    /// how many bytes from there on the same section or the headers back in the
    /// file. `None` for addresses outside the image and for the zero-filled
    /// tail of a section.
    #[must_use]
    pub fn offset_of(&self, rva: u64) -> Option<(u64, u64)> {
        let headers = u64::from(self.size_of_headers()).min(self.len());
        if rva < headers {
            return Some((rva, headers - rva));
        }
        self.sections().iter().find_map(|section| {
            let raw = section.raw_range()?;
            let start = u64::from(section.virtual_address());
            let into = rva.checked_sub(start)?;
            // Raw data beyond VirtualSize is padding, which is mapped only up
            // to the end of its page. No table of a sane image lies there.
            let mapped = (raw.end - raw.start).min(u64::from(section.size_in_memory()));
            let offset = raw.start + into;
            let left = mapped
                .checked_sub(into)?
                .min(self.len().checked_sub(offset)?);
            (left > 0).then_some((offset, left))
        })
    }

    /// The address relative to the image base of a virtual address, as pointers
    /// in the file hold it.
    #[must_use]
    pub fn rva_of(&self, virtual_address: u64) -> Option<u64> {
        virtual_address.checked_sub(self.image_base())
    }

    /// Fills `buf` with the bytes at `rva`.
    pub(crate) fn read_rva(
        &self,
        what: &'static str,
        rva: u64,
        buf: &mut [u8],
    ) -> Result<(), Error> {
        let offset = self
            .offset_of(rva)
            .filter(|(_, left)| *left >= buf.len() as u64)
            .map(|(offset, _)| offset)
            .ok_or_else(|| Error::malformed(Malformation::Unbacked { what, rva }))?;
        self.read_offset(offset, buf)
    }

    /// Fills `buf` with the bytes at a file offset.
    pub(crate) fn read_offset(&self, offset: u64, buf: &mut [u8]) -> Result<(), Error> {
        self.source()
            .read_exact_at(offset, buf)
            .map_err(|error| Error::read(offset, buf.len(), error))
    }
}
