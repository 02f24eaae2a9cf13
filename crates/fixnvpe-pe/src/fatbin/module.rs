//! The walk from module to module, across the zeros between them.

use std::ops::Range;

use crate::error::Error;
use crate::fatbin::wrapper;
use crate::header::usize_of;
use crate::image::Image;
use crate::little_endian::{u16_at, u32_at, u64_at};
use crate::malformation::FatbinFault;
use crate::section::{FatbinKind, Section};
use crate::source::ReadAt;

const MAGIC: u32 = 0xba55_ed50;
const OBSOLETE_MAGIC: u32 = 0x1ee5_5a01;
const VERSION: u16 = 1;
/// Bytes of a module header: u32 magic, u16 version, u16 header size, u64 size
/// of what follows.
const HEADER: usize = 16;
const ALIGNMENT: u64 = 8;

/// The most modules that are walked; real sections hold up to 766.
const MAX_MODULES: u64 = 65_536;
/// What is checked at each end of a run of zeros that is crossed.
const EDGE: u64 = 4096;
/// Zeros are read in pieces of this size where nothing leads across them.
const CHUNK: u64 = 64 * 1024;
/// The most zeros that are read in one section. Real ones hold up to 60 MB.
const MAX_ZEROS: u64 = 256 << 20;

/// One fat binary inside a section. Offsets are file offsets in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Module {
    /// Where its header starts.
    pub offset: u64,
    /// Its bytes, header included.
    pub size: u64,
}

/// The runs of zeros that were met so far, between and after modules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Gaps {
    /// How many runs; padding of less than 16 bytes is none.
    pub count: u64,
    /// Bytes of all of them.
    pub bytes: u64,
    /// Bytes of the largest.
    pub largest: u64,
}

impl Gaps {
    fn add(&mut self, bytes: u64) {
        if bytes < HEADER as u64 {
            return;
        }
        self.count += 1;
        self.bytes += bytes;
        self.largest = self.largest.max(bytes);
    }
}

/// The walk through one section: an iterator over its modules.
///
/// It ends after the last module, or after the first error. It is bounded: no
/// content makes it loop, overflow, or hold more than about a megabyte.
#[derive(Debug)]
pub struct Fatbin<'a, R> {
    image: &'a Image<R>,
    section: &'a Section,
    /// File offsets of the content that is both mapped and in the file.
    data: Range<u64>,
    position: u64,
    /// Offsets into the section that wrappers point at; read at the first gap.
    targets: Option<Vec<u64>>,
    modules: u64,
    gaps: Gaps,
    zeros_read: u64,
    done: bool,
}

impl<R: ReadAt> Image<R> {
    /// Starts a walk through the modules of `section`, which reads nothing yet.
    ///
    /// # Errors
    ///
    /// [`Error::Fatbin`] for a section that is no CUDA section by its name, and
    /// for one whose raw data is not all in the file.
    pub fn fatbin<'a>(&'a self, section: &'a Section) -> Result<Fatbin<'a, R>, Error> {
        let fail = |offset, what| {
            Err(Error::Fatbin {
                section: section.name().into_owned(),
                offset,
                what,
            })
        };
        if section.fatbin_kind() != Some(FatbinKind::Cuda) {
            return fail(section.header_offset(), FatbinFault::NotCuda);
        }
        let Some(raw) = section.raw_range() else {
            return fail(section.header_offset(), FatbinFault::Empty);
        };
        if raw.end > self.len() {
            return fail(raw.start, FatbinFault::BeyondFile);
        }
        let end = raw.end.min(raw.start + u64::from(section.size_in_memory()));
        Ok(Fatbin {
            image: self,
            section,
            data: raw.start..end,
            position: raw.start,
            targets: None,
            modules: 0,
            gaps: Gaps::default(),
            zeros_read: 0,
            done: false,
        })
    }
}

impl<'a, R: ReadAt> Fatbin<'a, R> {
    /// The image that is walked through.
    pub(super) fn image(&self) -> &'a Image<R> {
        self.image
    }

    /// The section that is walked through.
    #[must_use]
    pub fn section(&self) -> &'a Section {
        self.section
    }

    /// How many modules were met so far.
    #[must_use]
    pub fn modules(&self) -> u64 {
        self.modules
    }

    /// The runs of zeros that were met so far.
    #[must_use]
    pub fn gaps(&self) -> Gaps {
        self.gaps
    }

    /// Walks on to the end of the section.
    ///
    /// # Errors
    ///
    /// [`Error::Fatbin`] where the chain breaks, [`Error::Read`] where the
    /// source fails.
    pub fn walk_to_end(&mut self) -> Result<(), Error> {
        self.try_for_each(|module| module.map(drop))
    }

    pub(super) fn fault(&self, what: FatbinFault) -> Error {
        Error::Fatbin {
            section: self.section.name().into_owned(),
            offset: self.position,
            what,
        }
    }

    fn left(&self) -> u64 {
        self.data.end - self.position
    }

    /// The next module, or `None` at the end of the section.
    fn step(&mut self) -> Result<Option<Module>, Error> {
        let (mut header, mut count) = self.header()?;
        if is_zero(&header) {
            self.cross_zeros()?;
            (header, count) = self.header()?;
        } else if is_zero(&header[..HEADER / 2]) {
            // Linkers align modules to 16 where their sizes are multiples of 8.
            self.position += ALIGNMENT;
            (header, count) = self.header()?;
        }
        if count == 0 {
            return match self.modules {
                0 => Err(self.fault(FatbinFault::Empty)),
                _ => Ok(None),
            };
        }
        self.module(&header, count).map(Some)
    }

    /// The bytes of a header at the current position and how many of them there
    /// are before the end of the section; zeros stand for the rest.
    fn header(&self) -> Result<([u8; HEADER], usize), Error> {
        let mut header = [0; HEADER];
        let count = usize_of(self.left()).min(HEADER);
        self.image
            .read_offset(self.position, &mut header[..count])?;
        Ok((header, count))
    }

    /// Checks the module header at the current position and moves behind it.
    fn module(&mut self, header: &[u8], count: usize) -> Result<Module, Error> {
        let magic = u32_at(header, 0).unwrap_or_default();
        match magic {
            MAGIC if count == HEADER => {}
            OBSOLETE_MAGIC => return Err(self.fault(FatbinFault::ObsoleteLayout)),
            found => return Err(self.fault(FatbinFault::NoMagic { found })),
        }
        let version = u16_at(header, 4).unwrap_or_default();
        let size = u16_at(header, 6).unwrap_or_default();
        if version != VERSION || usize::from(size) != HEADER {
            return Err(self.fault(FatbinFault::UnknownHeader { version, size }));
        }
        let claimed = u64_at(header, 8).unwrap_or_default();
        let whole = claimed.saturating_add(HEADER as u64);
        let left = self.left();
        if whole > left {
            return Err(self.fault(FatbinFault::ModuleTooLarge {
                claimed: whole,
                left,
            }));
        }
        if self.modules == MAX_MODULES {
            return Err(self.fault(FatbinFault::TooManyModules { limit: MAX_MODULES }));
        }
        self.modules += 1;
        let module = Module {
            offset: self.position,
            size: whole,
        };
        self.position += whole.next_multiple_of(ALIGNMENT).min(left);
        Ok(module)
    }

    /// Moves over the zeros at the current position, to the next module header
    /// or to the end of the section.
    fn cross_zeros(&mut self) -> Result<(), Error> {
        let next = self.end_of_zeros()?;
        self.gaps.add(next - self.position);
        self.position = next;
        Ok(())
    }

    /// Where the run of zeros at the current position ends.
    fn end_of_zeros(&mut self) -> Result<u64, Error> {
        let edge = (self.position + EDGE).min(self.data.end);
        if let Some(nonzero) = self.first_nonzero(self.position, edge)? {
            return Ok(nonzero);
        }
        if let Some(target) = self.target_from(edge)? {
            // Everything up to there is taken for zeros if both ends are; else
            // there is a module that no wrapper points at, to be looked for.
            let last = target.saturating_sub(EDGE).max(edge);
            if self.first_nonzero(last, target)?.is_none() {
                return Ok(target);
            }
        }
        let mut at = edge;
        while at < self.data.end {
            let end = (at + CHUNK).min(self.data.end);
            self.zeros_read += end - at;
            if self.zeros_read > MAX_ZEROS {
                return Err(self.fault(FatbinFault::TooManyZeros { limit: MAX_ZEROS }));
            }
            if let Some(nonzero) = self.first_nonzero(at, end)? {
                return Ok(nonzero);
            }
            at = end;
        }
        Ok(at)
    }

    /// The file offset of the first byte in the range that is not zero, moved
    /// back to where a module header would start.
    fn first_nonzero(&self, start: u64, end: u64) -> Result<Option<u64>, Error> {
        let mut bytes = vec![0; usize_of(end - start)];
        self.image.read_offset(start, &mut bytes)?;
        Ok(bytes.iter().position(|byte| *byte != 0).map(|at| {
            let into = start + at as u64 - self.data.start;
            self.data.start + into - into % ALIGNMENT
        }))
    }

    /// The file offset at or after `from` that a wrapper points at, or the end
    /// of the section behind the last one. `None` if no wrapper points into the
    /// section at all: then nothing tells where modules start.
    fn target_from(&mut self, from: u64) -> Result<Option<u64>, Error> {
        let targets = match &mut self.targets {
            Some(targets) => targets,
            none => none.insert(wrapper::targets(self.image, self.section)?),
        };
        if targets.is_empty() {
            return Ok(None);
        }
        let into = from - self.data.start;
        let next = targets.partition_point(|target| *target < into);
        let target = targets
            .get(next)
            .map_or(self.data.end, |into| self.data.start + into);
        Ok(Some(target.min(self.data.end)))
    }
}

fn is_zero(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte == 0)
}

impl<R: ReadAt> Iterator for Fatbin<'_, R> {
    type Item = Result<Module, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let step = self.step().transpose();
        self.done = !matches!(step, Some(Ok(_)));
        step
    }
}
