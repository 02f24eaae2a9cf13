//! What Windows reads in the program before it starts, and shows of it in its properties.

use std::path::Path;

use crate::win32;

const PROGRAM: &str = env!("CARGO_BIN_EXE_fixnvpe");

#[test]
fn the_manifest_asks_for_long_paths_utf_8_and_no_more_rights_than_the_caller_has() {
    let manifest = win32::manifest(Path::new(PROGRAM)).unwrap();
    let manifest = String::from_utf8(manifest).unwrap();
    for setting in [
        ">true</longPathAware>",
        ">UTF-8</activeCodePage>",
        r#"level="asInvoker""#,
    ] {
        assert!(manifest.contains(setting), "no {setting} in:\n{manifest}");
    }
}

#[test]
fn the_properties_of_the_program_name_it_and_its_version() {
    let program = Path::new(PROGRAM);
    for (name, value) in [
        ("ProductName", "fixnvpe"),
        ("ProductVersion", env!("CARGO_PKG_VERSION")),
        ("FileDescription", env!("CARGO_PKG_DESCRIPTION")),
    ] {
        assert_eq!(win32::version_text(program, name).as_deref(), Some(value));
    }
}
