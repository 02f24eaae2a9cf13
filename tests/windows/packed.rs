//! A library that unpacks itself in place at load must stay writable.

use std::path::Path;

use fixnvpe_pe::{Image, MEM_WRITE};
use fixnvpe_tests::fixtures;

use crate::probe::{Load, Probe};
use crate::program::Program;
use crate::win32::PAGE_WRITECOPY;

/// Clears the bit that `patch` refused to clear.
fn force(library: &Path) {
    let mut bytes = fs_err::read(library).unwrap();
    let image = Image::read(bytes.as_slice()).unwrap();
    let section = image.fatbin_sections().next().unwrap();
    let characteristics = section.characteristics() & !MEM_WRITE;
    let offset = usize::try_from(section.characteristics_offset()).unwrap();
    bytes[offset..offset + 4].copy_from_slice(&characteristics.to_le_bytes());
    fs_err::write(library, bytes).unwrap();
}

#[test]
fn a_packed_library_is_refused_and_works_and_forcing_the_bit_would_crash_it() {
    for name in ["packed.dll", "compressed.dll"] {
        let folder = tempfile::tempdir().unwrap();
        fixtures::named(name).write_into(folder.path()).unwrap();
        let library = folder.path().join(name);
        let original = fs_err::read(&library).unwrap();
        let bytes_at_work = |library: &Path| {
            let mut probe = Probe::start(library, Load::Started)?;
            assert_eq!(probe.protection(), PAGE_WRITECOPY);
            Ok::<_, String>(probe.first_bytes())
        };
        let unpacked = bytes_at_work(&library).unwrap();

        let refused = Program::new().run("patch", &library, &[]);
        assert_eq!(refused.code, 0, "{}", refused.document);
        assert_eq!(refused.result()["outcome"], "refused");
        assert_eq!(refused.result()["reason"], "packed");
        assert!(fs_err::read(&library).unwrap() == original);
        assert_eq!(bytes_at_work(&library), Ok(unpacked));

        force(&library);
        let crashed = bytes_at_work(&library).unwrap_err();
        // The loader catches the access violation of the start code: ERROR_NOACCESS.
        assert_eq!(crashed, "error 998", "{name}");
    }
}
