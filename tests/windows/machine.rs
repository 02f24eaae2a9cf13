//! The running Windows: its registry, as the test fills it.

use std::path::{Path, PathBuf};

use winreg::enums::{
    HKEY_CURRENT_USER, HKEY_LOCAL_MACHINE, KEY_ALL_ACCESS, KEY_WOW64_32KEY, KEY_WOW64_64KEY,
};
use winreg::{HKEY, RegKey};

use crate::program::{Program, not_run};

/// Where installers of Python say what they installed (PEP 514).
const PYTHONS: &str = r"Software\Python";
/// No installer has this name.
const COMPANY: &str = "fixnvpe tests";

/// An installation that the registry names; taken out of it when this is dropped.
struct Registered {
    pythons: RegKey,
    _folder: tempfile::TempDir,
    prefix: PathBuf,
}

impl Registered {
    /// Nothing where the caller may not write to the hive.
    fn new(hive: HKEY, view: u32) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let prefix = folder.path().join("no installer's place").join("Python38");
        fs_err::create_dir_all(prefix.join("Lib").join("site-packages")).unwrap();
        fs_err::write(prefix.join("python.exe"), "").unwrap();
        let (pythons, _) = RegKey::predef(hive)
            .create_subkey_with_flags(PYTHONS, KEY_ALL_ACCESS | view)
            .ok()?;
        let (install, _) = pythons
            .create_subkey_with_flags(format!(r"{COMPANY}\3.8\InstallPath"), KEY_ALL_ACCESS | view)
            .ok()?;
        install.set_value("", &prefix.as_os_str()).unwrap();
        Some(Self {
            pythons,
            _folder: folder,
            prefix,
        })
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        self.pythons.delete_subkey_all(COMPANY).unwrap();
    }
}

/// Whether the program finds the environment on this machine.
fn finds(prefix: &Path) -> bool {
    let ended = Program::new().ended(["envs".as_ref()]);
    assert_eq!(ended.code, 0, "{}", ended.document);
    let environments = ended.document["environments"].as_array().unwrap();
    environments
        .iter()
        .any(|one| one["prefix"].as_str() == prefix.to_str())
}

#[test]
fn a_python_that_the_registry_names_is_found_in_every_hive_and_view() {
    for (name, hive, view) in [
        ("HKCU", HKEY_CURRENT_USER, 0),
        ("HKLM, 64 bits", HKEY_LOCAL_MACHINE, KEY_WOW64_64KEY),
        ("HKLM, 32 bits", HKEY_LOCAL_MACHINE, KEY_WOW64_32KEY),
    ] {
        let Some(registered) = Registered::new(hive, view) else {
            assert_ne!(hive, HKEY_CURRENT_USER);
            not_run("only an administrator may write to HKLM");
            continue;
        };
        assert!(finds(&registered.prefix), "{name}");
        let prefix = registered.prefix.clone();
        drop(registered);
        assert!(!finds(&prefix), "{name}");
    }
}
