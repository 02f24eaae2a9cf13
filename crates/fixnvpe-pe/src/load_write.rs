//! What is written when an image is loaded: by the loader, and by the start-up
//! code of the C runtime.
//!
//! Base relocations are not among it: the loader applies them to read-only
//! sections too.

use crate::directory::DirectoryKind;
use crate::error::Error;
use crate::image::Image;
use crate::section::Section;
use crate::source::ReadAt;

/// What is written into `section` at load, in words; `None` if nothing is.
///
/// Errors of the kind malformed mean that a table could not be followed.
pub(crate) fn into_section<R: ReadAt>(
    image: &Image<R>,
    section: &Section,
) -> Result<Option<String>, Error> {
    let own = section.virtual_range();
    let entry = u64::from(image.entry_point());
    if entry != 0 && own.contains(&entry) {
        return Ok(Some(format!("the entry point {entry:#x} lies in it")));
    }
    for (kind, name) in [
        (DirectoryKind::Import, "import table"),
        (DirectoryKind::ImportAddress, "import address table"),
        (DirectoryKind::DelayImport, "delay-import table"),
    ] {
        let Some(directory) = image.data_directory(kind) else {
            continue;
        };
        let start = u64::from(directory.address);
        let end = start + u64::from(directory.size).max(1);
        if start < own.end && own.start < end {
            return Ok(Some(format!("the {name} at RVA {start:#x} lies in it")));
        }
    }
    Ok(None)
}
