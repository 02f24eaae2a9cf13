//! The headers of an image as the `object` crate reads them, and the sum of all its words: what the
//! program says and does is compared with a reader that shares no code with it.

use std::io::Read as _;
use std::path::Path;

use fs_err::File;
use object::LittleEndian as LE;
use object::pe;
use object::read::pe::PeFile64;
use object::read::{Object as _, ReadCache};

use crate::error::Error;

/// What the table of samples says about headers.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) check_sum: u32,
    pub(super) guard_cf: bool,
    pub(super) signed: bool,
    /// File offset of the CheckSum field.
    pub(super) check_sum_offset: u64,
    /// `VirtualSize` and characteristics of `.nv_fatb`.
    pub(super) fatbin: Option<(u32, u32)>,
}

/// Reads the headers of a PE32+ image.
pub(super) fn read(path: &Path) -> Result<Header, Error> {
    let bad = |what: object::read::Error| Error::wrong(format!("`{}`: {what}", path.display()));
    let cache = ReadCache::new(File::open(path)?);
    let file = PeFile64::parse(&cache).map_err(bad)?;
    let optional = &file.nt_headers().optional_header;
    let fatbin = file
        .sections()
        .find(|section| section.pe_section().name == *b".nv_fatb")
        .map(|section| {
            let header = section.pe_section();
            (
                header.virtual_size.get(LE),
                header.characteristics.get(LE).0,
            )
        });
    let signed = file
        .data_directory(pe::IMAGE_DIRECTORY_ENTRY_SECURITY)
        .is_some_and(|directory| directory.size.get(LE) > 0);
    Ok(Header {
        check_sum: optional.check_sum.get(LE),
        guard_cf: optional
            .dll_characteristics
            .get(LE)
            .contains(pe::IMAGE_DLLCHARACTERISTICS_GUARD_CF),
        signed,
        check_sum_offset: u64::from(file.dos_header().nt_headers_offset()) + 88,
        fatbin,
    })
}

/// The CheckSum that a file must have, by a pass over all its bytes: the ones' complement sum of
/// its 16-bit words without the field itself, plus its length.
pub(super) fn check_sum(path: &Path, field: u64) -> Result<u32, Error> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut buffer = vec![0; 1 << 20];
    let mut offset = 0;
    let mut sum = 0_u64;
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            break;
        }
        let bytes = &mut buffer[..read];
        for at in field..field + 4 {
            if let Some(byte) = at
                .checked_sub(offset)
                .and_then(|at| usize::try_from(at).ok())
                && let Some(byte) = bytes.get_mut(byte)
            {
                *byte = 0;
            }
        }
        // A read may end at an odd offset: each byte counts by the parity of its place.
        let odd = offset % 2;
        for pair in bytes.chunks(2) {
            let low = u64::from(pair[0]) << (8 * odd);
            let high = u64::from(*pair.get(1).unwrap_or(&0)) << (8 * (1 - odd));
            sum += low + high;
        }
        offset += read as u64;
    }
    while sum > 0xFFFF {
        sum = (sum & 0xFFFF) + (sum >> 16);
    }
    let [a, b, c, d, ..] = (sum + length).to_le_bytes();
    Ok(u32::from_le_bytes([a, b, c, d]))
}

#[cfg(test)]
mod tests {
    use fixnvpe_tests::fixtures;

    use super::*;

    #[test]
    fn a_fixture_with_a_true_check_sum_has_it_here_too() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["signed.dll", "odd_length.dll"] {
            fixtures::named(name).write_into(folder.path()).unwrap();
            let path = folder.path().join(name);
            let header = read(&path).unwrap();
            assert_eq!(
                header.check_sum,
                check_sum(&path, header.check_sum_offset).unwrap()
            );
            assert_ne!(header.check_sum, 0);
        }
    }

    #[test]
    fn headers_say_what_the_table_of_fixtures_says() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["signed.dll", "guard_cf.dll", "bss.dll"] {
            fixtures::named(name).write_into(folder.path()).unwrap();
        }
        let signed = read(&folder.path().join("signed.dll")).unwrap();
        assert!(signed.signed && !signed.guard_cf);
        assert_eq!(signed.fatbin, Some((0x4000, 0xC000_0040)));
        let guarded = read(&folder.path().join("guard_cf.dll")).unwrap();
        assert!(guarded.guard_cf && !guarded.signed);
        assert_eq!(guarded.check_sum, 0);
        assert_eq!(read(&folder.path().join("bss.dll")).unwrap().fatbin, None);
    }
}
