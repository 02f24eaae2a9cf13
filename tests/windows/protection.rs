//! What the whole program is for: a process that maps a patched library gets the fat binary
//! read-only, which Windows does not charge, and the library works as before.

use std::path::Path;

use fixnvpe_tests::fixtures::{self, Expected};

use crate::probe::{Load, Probe};
use crate::program::{Program, not_run};
use crate::win32::{PAGE_READONLY, PAGE_WRITECOPY};

/// Patches and restores the library, asking before, between and after.
///
/// The answer of `ask` is the protection and whatever else must stay the same.
fn prove<T: PartialEq + std::fmt::Debug>(library: &Path, ask: impl Fn(&Path) -> (u32, T)) {
    let original = fs_err::read(library).unwrap();
    let program = Program::new();
    let (protection, works) = ask(library);
    assert_eq!(
        protection,
        PAGE_WRITECOPY,
        "{} as it was",
        library.display()
    );

    let patched = program.run("patch", library, &[]);
    assert_eq!(patched.code, 0, "{}", patched.document);
    assert_eq!(patched.result()["outcome"], "patched");
    assert_eq!(
        ask(library),
        (PAGE_READONLY, works),
        "{} after the patch",
        library.display()
    );

    let restored = program.run("restore", library, &[]);
    assert_eq!(restored.code, 0, "{}", restored.document);
    assert_eq!(restored.result()["outcome"], "restored");
    let (protection, _) = ask(library);
    assert_eq!(protection, PAGE_WRITECOPY, "{} restored", library.display());
    assert!(
        fs_err::read(library).unwrap() == original,
        "{} is not what it was",
        library.display()
    );
}

#[test]
fn a_patched_library_is_mapped_read_only_and_works_until_it_is_restored() {
    let folder = tempfile::tempdir().unwrap();
    let mut proven = 0;
    for fixture in fixtures::all() {
        let writable = matches!(
            fixture.expected,
            Expected::Image {
                condition: "writable",
                ..
            }
        );
        // The largest fixtures are as large as real libraries; one of those has its own test.
        if !writable || !fixture.loads || fixture.assemble().unwrap().len() > 1 << 24 {
            continue;
        }
        fixture.write_into(folder.path()).unwrap();
        let library = folder.path().join(fixture.name);
        prove(&library, |library| {
            let mut probe = Probe::start(library, Load::Started).unwrap();
            (probe.protection(), probe.first_bytes())
        });
        proven += 1;
    }
    assert!(proven > 3, "only {proven} fixtures");
}

#[test]
fn the_real_xgboost_library_is_mapped_read_only_until_it_is_restored() {
    let Some(library) = std::env::var_os("FIXNVPE_TEST_XGBOOST") else {
        return not_run("the wheel of xgboost is not here; `cargo xtask samples` downloads it");
    };
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("xgboost.dll");
    fs_err::copy(library, &copy).unwrap();
    prove(&copy, |library| {
        // It imports libraries of Microsoft that need not be on this machine.
        let mut probe = Probe::start(library, Load::Mapped).unwrap();
        (probe.protection(), ())
    });
}
