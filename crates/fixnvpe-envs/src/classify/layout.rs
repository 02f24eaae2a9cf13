//! Where a Python keeps its library and its packages, on Windows and elsewhere.

use std::path::{Path, PathBuf};

use fixnvpe_files::{Entry, Folder, Kind as FileKind};

use super::version;
use crate::disk::reader::find;
use crate::look::Look;

/// The library folders of a prefix.
#[derive(Debug, Default)]
pub(super) struct Libraries {
    /// Whether there is any.
    pub(super) any: bool,
    /// The folders of packages in them.
    pub(super) site_packages: Vec<PathBuf>,
    /// The version that a folder's name tells (`lib/python3.8`).
    pub(super) version: Option<String>,
    /// `orig-prefix.txt`, which virtualenv wrote before version 20.
    pub(super) original_prefix: Option<PathBuf>,
}

impl Libraries {
    /// Reads `Lib` (Windows) and `lib/python3.*` (elsewhere, and on Windows
    /// where a Unix-like Python made the environment).
    pub(super) fn read(look: &Look<'_>, prefix: &Folder) -> Self {
        let case = look.reader.case();
        let mut libraries = Self::default();
        let mut seen: Vec<&Entry> = Vec::new();
        for name in ["Lib", "lib", "lib64"] {
            let Some(entry) = find(prefix, name, case) else {
                continue;
            };
            // `lib64` is mostly a link to `lib`: the same folder once more.
            if seen.contains(&entry) || (name == "lib64" && entry.kind == FileKind::Link) {
                continue;
            }
            seen.push(entry);
            let path = prefix.path.join(&entry.name);
            if let Some(library) = look.reader.folder(&path) {
                libraries.any = true;
                libraries.read_library(look, &library);
            }
        }
        libraries
    }

    fn read_library(&mut self, look: &Look<'_>, library: &Folder) {
        let case = look.reader.case();
        self.read_packages(look, library);
        let mut versions: Vec<(String, &Entry)> = library
            .entries
            .iter()
            .filter(|entry| entry.kind == FileKind::Folder)
            .filter(|entry| case.fits(&entry.name, "python3*"))
            .filter_map(|entry| Some((version::of_name(entry.name.to_str()?)?, entry)))
            .collect();
        // The newest one names the version where there are several.
        versions.sort_by_key(|(version, _)| std::cmp::Reverse(version::numbers(version)));
        for (version, entry) in versions {
            if let Some(below) = look.reader.folder(&library.path.join(&entry.name)) {
                self.read_packages(look, &below);
                self.version.get_or_insert(version);
            }
        }
        // Debian keeps the packages of its own Python beside the versions.
        if let Some(shared) = find(library, "python3", case)
            && shared.kind == FileKind::Folder
            && let Some(below) = look.reader.folder(&library.path.join(&shared.name))
        {
            self.read_packages(look, &below);
        }
    }

    fn read_packages(&mut self, look: &Look<'_>, folder: &Folder) {
        let case = look.reader.case();
        for name in ["site-packages", "dist-packages"] {
            if let Some(entry) = find(folder, name, case)
                && entry.kind != FileKind::File
            {
                self.site_packages.push(folder.path.join(&entry.name));
            }
        }
        if let Some(entry) = find(folder, "orig-prefix.txt", case) {
            self.original_prefix = Some(folder.path.join(&entry.name));
        }
    }
}

/// Whether an interpreter lies in the prefix itself.
pub(super) fn interpreter_beside(look: &Look<'_>, prefix: &Folder) -> bool {
    let case = look.reader.case();
    prefix.entries.iter().any(|entry| {
        let names = ["python.exe", "python3*.dll", "pypy*.exe"];
        entry.kind != FileKind::Folder && names.iter().any(|name| case.fits(&entry.name, name))
    })
}

/// Whether an interpreter lies in the prefix, or in its `bin`.
pub(super) fn has_interpreter(look: &Look<'_>, prefix: &Folder) -> bool {
    if interpreter_beside(look, prefix) {
        return true;
    }
    let case = look.reader.case();
    let Some(bin) = find(prefix, "bin", case) else {
        return false;
    };
    let runs = |entry: &Entry| {
        let name = entry.name.to_string_lossy();
        entry.kind != FileKind::Folder
            && (name.starts_with("python") || name.starts_with("pypy"))
            && !name.ends_with("-config")
    };
    look.reader
        .folder(&prefix.path.join(&bin.name))
        .is_some_and(|bin| bin.entries.iter().any(runs))
}

/// Whether this is not a Python but conda's package of one, unpacked in a
/// cache: `info/index.json` describes it.
pub(super) fn is_conda_package(look: &Look<'_>, prefix: &Folder) -> bool {
    let case = look.reader.case();
    let Some(info) = find(prefix, "info", case).filter(|entry| entry.kind == FileKind::Folder)
    else {
        return false;
    };
    look.reader
        .folder(&prefix.path.join(&info.name))
        .is_some_and(|info| find(&info, "index.json", case).is_some())
}

/// The version that `python38.dll` or `python38._pth` tells.
pub(super) fn version_of_dll(look: &Look<'_>, prefix: &Folder) -> Option<String> {
    let case = look.reader.case();
    let tells = |entry: &&Entry| {
        case.fits(&entry.name, "python3?*.dll") || case.fits(&entry.name, "python3?*._pth")
    };
    let names = prefix.entries.iter().filter(tells);
    names
        .filter_map(|entry| version::of_name(entry.name.to_str()?))
        .max_by_key(|version| version::numbers(version))
}

/// The version that Python's own header tells, exactly.
pub(super) fn version_of_header(
    look: &Look<'_>,
    prefix: &Folder,
    version: Option<&str>,
) -> Option<String> {
    /// The longest header that is read, in bytes.
    const LIMIT: u64 = 64 << 10;
    let include = find(prefix, "include", look.reader.case())?;
    let include = prefix.path.join(&include.name);
    let header: PathBuf = match version {
        // Elsewhere than on Windows every version has headers of its own.
        Some(version) => include.join(format!("python{version}")),
        None => include,
    };
    let text = look
        .reader
        .text(&header.join(Path::new("patchlevel.h")), LIMIT)?;
    let line = text.lines().find(|line| line.contains("PY_VERSION "))?;
    version::of_name(line.split('"').nth(1)?)
}
