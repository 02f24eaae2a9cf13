//! The names of the DLLs that an image imports, and where its imports are
//! written to.

use crate::directory::DirectoryKind;
use crate::error::Error;
use crate::header::usize_of;
use crate::image::Image;
use crate::little_endian::u32_at;
use crate::malformation::Malformation;
use crate::source::ReadAt;

/// The most descriptors that are read; real images have below 100.
const MAX_DESCRIPTORS: u64 = 4096;
/// The most bytes of a DLL name.
const MAX_NAME: u64 = 512;

pub(crate) const IMPORT: Table = Table {
    directory: DirectoryKind::Import,
    what: "import descriptor",
    descriptor: 20,
    name: 12,
    // The import address table.
    written: &[16],
    attributes: None,
};
pub(crate) const DELAY_IMPORT: Table = Table {
    directory: DirectoryKind::DelayImport,
    what: "delay-import descriptor",
    descriptor: 32,
    name: 4,
    // The module handle and the import address table.
    written: &[8, 12],
    attributes: Some(0),
};

/// Attribute of a delay-import descriptor: its fields are RVAs, as in import
/// descriptors; without it (Visual C++ 6) they are virtual addresses.
const RVA_BASED: u32 = 1;

/// The layout of one of the two tables of descriptors (Microsoft PE format
/// specification, "The .idata Section" and "Delay-Load Import Tables").
pub(crate) struct Table {
    directory: DirectoryKind,
    what: &'static str,
    /// Bytes of a descriptor.
    descriptor: u64,
    /// Where in it the address of the name stands.
    name: usize,
    /// Where in it the addresses stand that are written to.
    written: &'static [usize],
    /// Where in it the attributes stand, if it has any.
    attributes: Option<usize>,
}

impl<R: ReadAt> Image<R> {
    /// The names of the DLLs that the loader loads with this image, in the
    /// order of the import table, as text; bytes that are not UTF-8 are
    /// replaced. Reads the descriptors and the names, nothing else.
    ///
    /// # Errors
    ///
    /// [`Error::Malformed`] where the table does not end within 4,096
    /// descriptors, or leads to addresses that the file does not back;
    /// [`Error::Read`] where the source fails.
    pub fn imports(&self) -> Result<Vec<String>, Error> {
        self.imported_names(&IMPORT)
    }

    /// The names of the DLLs that are loaded at the first call into them.
    ///
    /// # Errors
    ///
    /// As [`imports`](Self::imports).
    pub fn delay_imports(&self) -> Result<Vec<String>, Error> {
        self.imported_names(&DELAY_IMPORT)
    }

    fn imported_names(&self, table: &Table) -> Result<Vec<String>, Error> {
        let descriptors = self.descriptors(table)?;
        descriptors
            .iter()
            .map(|descriptor| {
                let rva = self.descriptor_rva(table, descriptor, table.name);
                self.import_name(rva.unwrap_or_default())
            })
            .collect()
    }

    /// The descriptors of a table up to the one whose name is 0, which ends it.
    pub(crate) fn descriptors(&self, table: &Table) -> Result<Vec<Vec<u8>>, Error> {
        let Some(directory) = self.data_directory(table.directory) else {
            return Ok(Vec::new());
        };
        let mut descriptors = Vec::new();
        let mut rva = u64::from(directory.address);
        loop {
            let mut descriptor = vec![0; usize_of(table.descriptor)];
            self.read_rva(table.what, rva, &mut descriptor)?;
            if u32_at(&descriptor, table.name) == Some(0) {
                return Ok(descriptors);
            }
            if descriptors.len() as u64 == MAX_DESCRIPTORS {
                return Err(Error::malformed(Malformation::Unending {
                    what: table.what,
                    limit: MAX_DESCRIPTORS,
                }));
            }
            descriptors.push(descriptor);
            rva += table.descriptor;
        }
    }

    /// The RVAs that are written to on behalf of a descriptor.
    pub(crate) fn written_by(&self, table: &Table, descriptor: &[u8]) -> Vec<u64> {
        table
            .written
            .iter()
            .filter_map(|field| self.descriptor_rva(table, descriptor, *field))
            .collect()
    }

    /// A field of a descriptor as an RVA; `None` if it is empty, or points
    /// below the image.
    fn descriptor_rva(&self, table: &Table, descriptor: &[u8], field: usize) -> Option<u64> {
        let address = u64::from(u32_at(descriptor, field)?);
        let attributes = table.attributes.and_then(|at| u32_at(descriptor, at));
        match attributes {
            _ if address == 0 => None,
            Some(attributes) if attributes & RVA_BASED == 0 => self.rva_of(address),
            _ => Some(address),
        }
    }

    fn import_name(&self, rva: u64) -> Result<String, Error> {
        let what = "imported DLL name";
        let (offset, left) = self
            .offset_of(rva)
            .ok_or_else(|| Error::malformed(Malformation::Unbacked { what, rva }))?;
        let mut name = vec![0; usize_of(left.min(MAX_NAME))];
        self.read_offset(offset, &mut name)?;
        let end = name.iter().position(|byte| *byte == 0).ok_or_else(|| {
            Error::malformed(Malformation::ImportName {
                rva,
                limit: MAX_NAME,
            })
        })?;
        Ok(String::from_utf8_lossy(&name[..end]).into_owned())
    }
}
