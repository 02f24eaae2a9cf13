//! What the registry says about page files and Smart App Control.

use std::io;

use winreg::RegKey;
use winreg::enums::{HKEY_LOCAL_MACHINE, KEY_READ, KEY_WOW64_64KEY};

use crate::facts::{AppControl, PageFiles};

const MEMORY: &str = r"SYSTEM\CurrentControlSet\Control\Session Manager\Memory Management";
const CODE_INTEGRITY: &str = r"SYSTEM\CurrentControlSet\Control\CI\Policy";

fn key(path: &str) -> io::Result<RegKey> {
    RegKey::predef(HKEY_LOCAL_MACHINE).open_subkey_with_flags(path, KEY_READ | KEY_WOW64_64KEY)
}

/// What Windows is told about page files.
pub(crate) fn paging_files() -> PageFiles {
    let lines: io::Result<Vec<String>> =
        key(MEMORY).and_then(|memory| memory.get_value("PagingFiles"));
    lines.map_or(PageFiles::Unknown, |lines| PageFiles::parse(&lines))
}

/// What Smart App Control does.
pub(crate) fn app_control() -> Option<AppControl> {
    let state: u32 = key(CODE_INTEGRITY)
        .ok()?
        .get_value("VerifiedAndReputablePolicyState")
        .ok()?;
    AppControl::from_number(state)
}
