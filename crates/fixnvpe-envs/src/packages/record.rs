//! One file, as a package manager records it.

use std::path::Path;

use crate::disk::names::{Case, path_key};

/// What a record says about one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct File {
    /// The file's path in the form in which equal paths are equal texts.
    pub(super) key: String,
    pub(super) sha256: Option<[u8; 32]>,
    pub(super) size: Option<u64>,
}

/// The key of the file that a record below `base` calls `written`: relative,
/// with either slash.
pub(super) fn key_below(case: Case, base: &Path, written: &str) -> String {
    let separators: &[char] = match case {
        Case::Ignored => &['/', '\\'],
        Case::Exact => &['/'],
    };
    let mut path = base.to_path_buf();
    for part in written.split(separators) {
        match part {
            "" | "." => {}
            ".." => {
                path.pop();
            }
            part => path.push(part),
        }
    }
    path_key(case, &path)
}

/// Whether a file of this name can be an image that Windows loads.
pub(super) fn may_be_image(key: &str) -> bool {
    let name = key.rsplit('/').next().unwrap_or(key);
    name.rsplit_once('.').is_some_and(|(_, extension)| {
        ["dll", "pyd", "exe"]
            .iter()
            .any(|known| extension.eq_ignore_ascii_case(known))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_and_paths_meet_in_one_key() {
        let base = Path::new("/mnt/c/env/Lib/site-packages");
        let key = |written| key_below(Case::Ignored, base, written);
        let wanted = path_key(
            Case::Ignored,
            Path::new("/mnt/c/ENV/lib/Site-Packages/Torch/LIB/a.dll"),
        );
        assert_eq!(key("torch/lib/a.dll"), wanted);
        assert_eq!(key(r"torch\lib\a.dll"), wanted);
        assert_eq!(key("./x/../torch//lib/a.dll"), wanted);
        let script = path_key(Case::Ignored, Path::new("/mnt/c/env/Scripts/tool.exe"));
        assert_eq!(key("../../Scripts/tool.exe"), script);
    }

    #[test]
    fn only_what_windows_loads_may_be_an_image() {
        assert!(
            may_be_image("a/b/TORCH_CUDA.DLL") && may_be_image("x.pyd") && may_be_image("y.Exe")
        );
        assert!(
            !may_be_image("a.dll/readme") && !may_be_image("dll") && !may_be_image("a.dll_bak")
        );
    }
}
