//! Which wheels and what is right about each file in them.

use std::path::PathBuf;

/// A wheel for Windows on the Python Package Index.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wheel {
    /// What pip is asked for.
    pub(crate) requirement: &'static str,
    /// The file that pip downloads.
    pub(super) file: &'static str,
    /// Its size in bytes.
    pub(super) size: u64,
    /// Its SHA-256.
    pub(super) sha256: &'static str,
    /// Whether `--small` takes it.
    pub(super) small: bool,
    /// Files that are not as `RECORD` says in the published wheel.
    pub(super) misrecorded: &'static [&'static str],
    /// What is right about its images; all others must be `no_fatbin`.
    pub(crate) files: &'static [Sample],
}

/// What is right about one image of a wheel.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sample {
    /// Its path in the wheel.
    pub(crate) path: &'static str,
    /// What a scan says.
    pub(crate) condition: &'static str,
    /// The first reason to refuse, if any.
    pub(super) reason: Option<&'static str>,
    /// `CheckSum`.
    pub(super) check_sum: u32,
    /// Whether it has a certificate table.
    pub(super) signed: bool,
    /// Whether `GUARD_CF` is set.
    pub(super) guard_cf: bool,
    /// Its section `.nv_fatb`, if any.
    pub(super) fatbin: Option<FatbinSection>,
}

/// What is right about a section `.nv_fatb`.
#[derive(Debug, Clone, Copy)]
pub(super) struct FatbinSection {
    /// `VirtualSize`.
    pub(super) virtual_size: u32,
    /// `Characteristics`.
    pub(super) characteristics: u32,
    /// Modules and elements; none where the content is something else.
    pub(super) content: Option<Content>,
}

/// What is right about the content of a section `.nv_fatb`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Content {
    pub(super) modules: u64,
    pub(super) elements: u64,
    /// Runs of zeros between and behind modules, beyond those that align the next one: how many,
    /// bytes, the largest.
    pub(super) gaps: (u64, u64, u64),
    /// The architectures, sorted by name.
    pub(super) architectures: &'static [&'static str],
}

/// Where a file of a wheel lies below the prefix once installed, on Windows.
pub(crate) fn installed(path: &str) -> PathBuf {
    // `NAME-VERSION.data/data/` goes to the prefix, `purelib` and `platlib` to site-packages.
    let site_packages = PathBuf::from("Lib/site-packages");
    match path.split_once(".data/") {
        Some((name, rest)) if !name.contains('/') => match rest.split_once('/') {
            Some(("data", rest)) => PathBuf::from(rest),
            Some(("purelib" | "platlib", rest)) => site_packages.join(rest),
            Some(("scripts", rest)) => PathBuf::from("Scripts").join(rest),
            _ => site_packages.join(path),
        },
        _ => site_packages.join(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_go_where_pip_puts_them_on_windows() {
        for (in_wheel, at) in [
            ("torch/lib/c10.dll", "Lib/site-packages/torch/lib/c10.dll"),
            ("x-1.data/data/x/y.dll", "x/y.dll"),
            ("x-1.data/purelib/x/y.py", "Lib/site-packages/x/y.py"),
            ("x-1.data/scripts/y.exe", "Scripts/y.exe"),
            (
                "cupy/.data/lib/z.dll",
                "Lib/site-packages/cupy/.data/lib/z.dll",
            ),
        ] {
            assert_eq!(installed(in_wheel), PathBuf::from(at));
        }
    }
}
