//! What is written when an image is loaded: by the loader, and by the start-up
//! code of the C runtime.
//!
//! Base relocations are not among it: the loader applies them to read-only
//! sections too. Layouts are those of the Microsoft PE format specification
//! ("The .tls Section", "The Load Configuration Structure").

use std::ops::Range;

use crate::directory::DirectoryKind;
use crate::error::Error;
use crate::image::{Image, ImageKind};
use crate::imports::{DELAY_IMPORT, IMPORT};
use crate::little_endian::{u32_at, u64_at};
use crate::section::Section;
use crate::source::ReadAt;

/// What is written into `section` at load, one line each; none if nothing is.
///
/// # Errors
///
/// [`Error::Malformed`] where a table cannot be followed: it could lead
/// anywhere. [`Error::Read`] where the source fails.
pub(crate) fn into_section<R: ReadAt>(
    image: &Image<R>,
    section: &Section,
) -> Result<Vec<String>, Error> {
    let own = section.virtual_range();
    let mut found = Vec::new();
    let entry = u64::from(image.entry_point());
    if entry != 0 && own.contains(&entry) {
        found.push(format!("the entry point {entry:#x} lies in it"));
    }
    tables(image, &own, &mut found);
    addresses(image, &own, &mut found)?;
    if let Some(index) = tls_index(image)?.filter(|index| own.contains(index)) {
        found.push(format!("the TLS index at RVA {index:#x} lies in it"));
    }
    if let Some(cookie) = security_cookie(image)?.filter(|cookie| own.contains(cookie)) {
        found.push(format!("the security cookie at RVA {cookie:#x} lies in it"));
    }
    Ok(found)
}

/// The import tables as the data directories give them.
fn tables<R: ReadAt>(image: &Image<R>, own: &Range<u64>, found: &mut Vec<String>) {
    for (kind, name) in [
        (DirectoryKind::Import, "import table"),
        (DirectoryKind::ImportAddress, "import address table"),
        (DirectoryKind::DelayImport, "delay-import table"),
    ] {
        let Some(directory) = image.data_directory(kind) else {
            continue;
        };
        let start = u64::from(directory.address);
        // Some linkers leave the size 0.
        let end = start + u64::from(directory.size).max(1);
        if start < own.end && own.start < end {
            found.push(format!("the {name} at RVA {start:#x} lies in it"));
        }
    }
}

/// The addresses that are filled in with those of imported functions: each
/// descriptor has its own, which need not lie within the import address table.
fn addresses<R: ReadAt>(
    image: &Image<R>,
    own: &Range<u64>,
    found: &mut Vec<String>,
) -> Result<(), Error> {
    for table in [&IMPORT, &DELAY_IMPORT] {
        for descriptor in image.descriptors(table)? {
            for rva in image.written_by(table, &descriptor) {
                if own.contains(&rva) {
                    found.push(format!(
                        "imported addresses at RVA {rva:#x} are written into it"
                    ));
                    // One is enough; a hostile table could fill memory.
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}

/// The RVA of the variable that receives the image's TLS index: the third
/// pointer of the TLS directory.
fn tls_index<R: ReadAt>(image: &Image<R>) -> Result<Option<u64>, Error> {
    let Some(directory) = image.data_directory(DirectoryKind::Tls) else {
        return Ok(None);
    };
    let at = u64::from(directory.address) + 2 * image.kind().pointer_size();
    pointer(image, "TLS directory", at)
}

/// The RVA of the security cookie, if the load configuration is new enough to
/// name one.
fn security_cookie<R: ReadAt>(image: &Image<R>) -> Result<Option<u64>, Error> {
    let what = "load configuration";
    let Some(directory) = image.data_directory(DirectoryKind::LoadConfig) else {
        return Ok(None);
    };
    let start = u64::from(directory.address);
    let mut size = [0; 4];
    image.read_rva(what, start, &mut size)?;
    let cookie = match image.kind() {
        ImageKind::Pe32 => 60,
        ImageKind::Pe32Plus => 88,
    };
    if u64::from(u32::from_le_bytes(size)) < cookie + image.kind().pointer_size() {
        return Ok(None);
    }
    pointer(image, what, start + cookie)
}

/// The RVA that the pointer at `rva` holds as a virtual address; `None` for a
/// null pointer and for one below the image.
fn pointer<R: ReadAt>(
    image: &Image<R>,
    what: &'static str,
    rva: u64,
) -> Result<Option<u64>, Error> {
    let mut bytes = [0; 8];
    let address = match image.kind() {
        ImageKind::Pe32 => {
            image.read_rva(what, rva, &mut bytes[..4])?;
            u32_at(&bytes, 0).map(u64::from)
        }
        ImageKind::Pe32Plus => {
            image.read_rva(what, rva, &mut bytes)?;
            u64_at(&bytes, 0)
        }
    };
    Ok(address
        .filter(|address| *address != 0)
        .and_then(|address| image.rva_of(address)))
}
