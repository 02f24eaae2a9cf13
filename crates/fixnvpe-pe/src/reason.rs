//! The grounds on which an image is refused, one function each.

use crate::condition::{Finding, Reason, Walk};
use crate::error::Error;
use crate::image::Image;
use crate::load_write;
use crate::section::Section;
use crate::source::ReadAt;

/// Below this `SectionAlignment`, Windows maps an image as one range without
/// protections of its own per section.
const PAGE: u32 = 4096;
/// What the loader rounds `PointerToRawData` down to.
const SECTOR: u64 = 512;

/// Looks for grounds in the headers of the image as a whole.
pub(crate) fn of_image<R: ReadAt>(image: &Image<R>, findings: &mut Vec<Finding>) {
    if image.section_alignment() < PAGE {
        findings.push(Finding::of_image(
            Reason::Malformed,
            format!(
                "SectionAlignment {} is below the size of a page",
                image.section_alignment()
            ),
        ));
    }
    for section in image.sections() {
        if let Some(detail) = misplaced_data(image, section) {
            findings.push(Finding::of_section(Reason::Malformed, section, detail));
        }
    }
    if image.is_driver() {
        findings.push(Finding::of_image(
            Reason::Driver,
            "the image runs in the native subsystem",
        ));
    }
    if image.is_integrity_checked() {
        findings.push(Finding::of_image(
            Reason::IntegrityChecked,
            "FORCE_INTEGRITY is set",
        ));
    }
    if let Some(table) = image.certificate_table() {
        findings.push(Finding::of_image(
            Reason::Signed,
            format!(
                "a certificate table of {} bytes at offset {:#x}",
                table.size, table.offset
            ),
        ));
    }
}

/// Looks for grounds in one writable fat-binary section and its content.
/// Answers what the walk met if it came to the end.
pub(crate) fn of_section<R: ReadAt>(
    image: &Image<R>,
    section: &Section,
    findings: &mut Vec<Finding>,
) -> Result<Option<Walk>, Error> {
    let mut find = |reason, detail: String| {
        findings.push(Finding::of_section(reason, section, detail));
    };
    if let Some(detail) = misplaced_addresses(image, section) {
        find(Reason::Malformed, detail);
    }
    if section.is_shared() {
        find(Reason::SharedOrCode, "MEM_SHARED is set".to_owned());
    }
    if section.is_executable() {
        find(Reason::SharedOrCode, "MEM_EXECUTE is set".to_owned());
    }
    if let Some(detail) = packed(image, section)? {
        find(Reason::Packed, detail);
    }
    let walk = match walk(image, section) {
        Ok(walk) => Some(walk),
        Err(error @ Error::Fatbin { .. }) => {
            find(Reason::NotFatbin, error.to_string());
            None
        }
        Err(error) => return Err(error),
    };
    match load_write::into_section(image, section) {
        Ok(details) => {
            for detail in details {
                find(Reason::WrittenAtLoad, detail);
            }
        }
        // A table that cannot be followed could lead anywhere.
        Err(error @ Error::Malformed { .. }) => find(Reason::Malformed, error.to_string()),
        Err(error) => return Err(error),
    }
    Ok(walk)
}

/// Whether the raw data of a section is not what Windows would map: cut off, or
/// at an offset that the loader rounds down.
fn misplaced_data<R: ReadAt>(image: &Image<R>, section: &Section) -> Option<String> {
    let raw = section.raw_range()?;
    if raw.end > image.len() {
        Some(format!(
            "the raw data ends at {:#x}, beyond the file's {:#x} bytes",
            raw.end,
            image.len()
        ))
    } else if raw.start % SECTOR != 0 {
        Some(format!(
            "the raw data starts at {:#x}, unaligned",
            raw.start
        ))
    } else {
        None
    }
}

/// Whether a section's addresses lie outside the image, or are another's too.
fn misplaced_addresses<R: ReadAt>(image: &Image<R>, section: &Section) -> Option<String> {
    let own = section.virtual_range();
    if own.end > u64::from(image.size_of_image()) {
        return Some(format!(
            "the section ends at {:#x}, beyond SizeOfImage {:#x}",
            own.end,
            image.size_of_image()
        ));
    }
    let other = image.sections().iter().find(|other| {
        let range = other.virtual_range();
        other.index() != section.index() && range.start < own.end && own.start < range.end
    })?;
    Some(format!(
        "the section shares addresses with section {}",
        other.name()
    ))
}

/// Whether the content is unpacked in place at load.
fn packed<R: ReadAt>(image: &Image<R>, section: &Section) -> Result<Option<String>, Error> {
    let on_disk = section.raw_range().map_or(0, |raw| raw.end - raw.start);
    let in_memory = u64::from(section.size_in_memory());
    if on_disk < in_memory {
        return Ok(Some(format!(
            "{on_disk} bytes in the file, {in_memory} in memory"
        )));
    }
    let mut start = [0; 32];
    let offset = u64::from(section.pointer_to_raw_data());
    let whole = offset.saturating_add(start.len() as u64) <= image.len().min(offset + on_disk);
    if !whole {
        return Ok(None);
    }
    image.read_offset(offset, &mut start)?;
    Ok(compressed(&start).map(|name| format!("the content starts as {name} data")))
}

/// The compression format that these first bytes of a section belong to. A
/// packer may put a header of its own before it: 16 bytes in the one that is
/// known (mxnet).
fn compressed(start: &[u8]) -> Option<&'static str> {
    const FORMATS: [(&[u8], &str); 8] = [
        (b"\x5d\x00\x00", "LZMA"),
        (b"\xfd7zXZ\x00", "xz"),
        (b"\x28\xb5\x2f\xfd", "zstd"),
        (b"\x04\x22\x4d\x18", "LZ4"),
        (b"\x1f\x8b\x08", "gzip"),
        (b"PK\x03\x04", "ZIP"),
        (b"7z\xbc\xaf\x27\x1c", "7z"),
        (b"CCOB", "compressed offload bundle"),
    ];
    [0, 16].iter().find_map(|skip| {
        let start = start.get(*skip..)?;
        FORMATS
            .iter()
            .find(|(magic, _)| start.starts_with(magic))
            .map(|(_, name)| *name)
    })
}

/// Walks the modules of the section to its end. Of HIP's fat binaries nothing
/// is proven: no writable one was ever seen, and none is called safe.
fn walk<R: ReadAt>(image: &Image<R>, section: &Section) -> Result<Walk, Error> {
    let mut fatbin = image.fatbin(section)?;
    fatbin.walk_to_end()?;
    Ok(Walk::new(fatbin.modules(), fatbin.gaps()))
}
