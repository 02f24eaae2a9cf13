//! What a folder is: read once, told by what lies in it.
//!
//! Where a folder was heard of does not decide what it is; it only tells apart
//! what looks alike ([`Content::kind`]).

mod layout;
pub(crate) mod name;
mod pyvenv;
pub(crate) mod version;

use std::path::{Path, PathBuf};

use fixnvpe_files::{Folder, Kind as FileKind};

use self::layout::Libraries;
use crate::disk::reader::find;
use crate::look::Look;
use crate::{Kind, Manager};

/// How a folder looks from inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// `conda-meta` with a history.
    Conda,
    /// `pyvenv.cfg`.
    Venv,
    /// `pyvenv.cfg` of virtualenv, or what virtualenv made before version 20.
    Virtualenv,
    /// `python3*._pth`.
    Embedded,
    /// An interpreter with its library.
    Python,
    /// Nothing but packages.
    Packages,
}

/// What was read in a folder that is an environment.
#[derive(Clone, Debug)]
pub(crate) struct Classified {
    pub(crate) content: Content,
    /// The kind that a file in it names, whatever place it lies in.
    pub(crate) kind: Option<Kind>,
    pub(crate) manager: Option<Manager>,
    pub(crate) python: Option<String>,
    pub(crate) site_packages: Vec<PathBuf>,
    /// The name that its user gave it (`prompt`).
    pub(crate) prompt: Option<String>,
    /// Whether it holds a conda installation, with `envs` of its own.
    pub(crate) is_conda_root: bool,
    /// `home =`: the folder of the Python that it was made from.
    pub(crate) base: Option<String>,
}

impl Classified {
    fn new(content: Content, site_packages: Vec<PathBuf>) -> Self {
        Self {
            content,
            kind: None,
            manager: None,
            python: None,
            site_packages,
            prompt: None,
            is_conda_root: false,
            base: None,
        }
    }
}

impl Content {
    /// The kind, given what the ways that led here suggest. A suggestion that
    /// the content contradicts does not count.
    pub(crate) fn kind(self, suggested: impl Iterator<Item = Kind>) -> Kind {
        let (plain, possible): (Kind, &[Kind]) = match self {
            Self::Conda => (Kind::Conda, &[]),
            Self::Embedded => (Kind::Embedded, &[]),
            Self::Venv => (
                Kind::Venv,
                &[Kind::Uv, Kind::Poetry, Kind::Hatch, Kind::Pdm, Kind::Pipx],
            ),
            Self::Virtualenv => (
                Kind::Virtualenv,
                &[Kind::Uv, Kind::Poetry, Kind::Hatch, Kind::Pdm, Kind::Pipx],
            ),
            Self::Python => (
                Kind::Portable,
                &[Kind::System, Kind::PythonOrg, Kind::Pyenv, Kind::Uv],
            ),
            Self::Packages => (Kind::UserSite, &[Kind::Store, Kind::Pdm]),
        };
        suggested
            .filter(|kind| possible.contains(kind))
            .max()
            .unwrap_or(plain)
    }
}

/// Whether the names in a folder leave it open that it is an environment. Told
/// from the names alone, so that a walk can ask it of every folder.
pub(crate) fn may_be_environment(look: &Look<'_>, folder: &Folder) -> bool {
    let has = |name| entry_of_kind(look, folder, name, &[FileKind::File, FileKind::Link]);
    let has_folder = |name| entry_of_kind(look, folder, name, &[FileKind::Folder]);
    has("pyvenv.cfg")
        || has_folder("conda-meta")
        || (has("python.exe") && has_folder("Lib"))
        || (has_folder("Scripts") && has_folder("Lib"))
        || (has_folder("bin") && has_folder("lib"))
        || embedded_path_file(look, folder)
}

fn entry_of_kind(look: &Look<'_>, folder: &Folder, name: &str, kinds: &[FileKind]) -> bool {
    find(folder, name, look.reader.case()).is_some_and(|entry| kinds.contains(&entry.kind))
}

fn embedded_path_file(look: &Look<'_>, folder: &Folder) -> bool {
    let case = look.reader.case();
    let is_path_file = |entry: &fixnvpe_files::Entry| {
        entry.kind == FileKind::File && case.fits(&entry.name, "python3*._pth")
    };
    folder.entries.iter().any(is_path_file)
}

/// Reads a folder that may be an environment's prefix.
pub(crate) fn prefix(look: &Look<'_>, path: &Path) -> Option<Classified> {
    let folder = look.reader.folder(path)?;
    if !may_be_environment(look, &folder) {
        return None;
    }
    let found = conda(look, &folder)
        .or_else(|| venv(look, &folder))
        .or_else(|| embedded(look, &folder))
        .or_else(|| python(look, &folder))?;
    Some(with_receipts(look, &folder, found))
}

/// Reads a folder of packages that may stand outside any environment.
pub(crate) fn packages(look: &Look<'_>, site: &Path) -> Option<Classified> {
    let folder = look.reader.folder(site)?;
    let case = look.reader.case();
    let is_record = |name| case.fits(name, "*.dist-info") || case.fits(name, "*.egg-info");
    let installed = folder.entries.iter().any(|entry| is_record(&entry.name));
    installed.then(|| Classified::new(Content::Packages, vec![site.to_path_buf()]))
}

fn conda(look: &Look<'_>, folder: &Folder) -> Option<Classified> {
    let case = look.reader.case();
    let is_meta = |entry: &&fixnvpe_files::Entry| entry.kind == FileKind::Folder;
    let meta = find(folder, "conda-meta", case).filter(is_meta)?;
    let meta = look.reader.folder(&folder.path.join(&meta.name))?;
    let pixi = find(&meta, "pixi", case).is_some();
    let python = meta.entries.iter().find_map(|entry| {
        let name = entry.name.to_str()?;
        version::of_conda_record(name).map(str::to_owned)
    });
    if !pixi && find(&meta, "history", case).is_none() && python.is_none() {
        return None;
    }
    let libraries = Libraries::read(look, folder);
    let has = |name| find(folder, name, case).is_some();
    let is_below_envs = folder
        .path
        .parent()
        .and_then(Path::file_name)
        .is_some_and(|name| case.same(name, "envs"));
    Some(Classified {
        python: python.or_else(|| libraries.version.clone()),
        manager: Some(if pixi { Manager::Pixi } else { Manager::Conda }),
        is_conda_root: !is_below_envs && (has("condabin") || has("pkgs") || has("_conda.exe")),
        ..Classified::new(Content::Conda, libraries.site_packages)
    })
}

fn venv(look: &Look<'_>, folder: &Folder) -> Option<Classified> {
    let case = look.reader.case();
    let libraries = Libraries::read(look, folder);
    let scripts = ["Scripts", "bin"]
        .iter()
        .any(|name| find(folder, name, case).is_some());
    let Some(config) = find(folder, "pyvenv.cfg", case) else {
        return old_virtualenv(look, folder, libraries);
    };
    if !scripts && !libraries.any {
        return None;
    }
    let config = pyvenv::read(look, &folder.path.join(&config.name));
    let content = if config.virtualenv {
        Content::Virtualenv
    } else {
        Content::Venv
    };
    Some(Classified {
        python: config.version.or(libraries.version),
        manager: config.uv.then_some(Manager::Uv),
        prompt: config.prompt,
        base: config.home,
        ..Classified::new(content, libraries.site_packages)
    })
}

/// What virtualenv made before version 20: no `pyvenv.cfg`, but the folder of
/// the original Python written down beside the library.
fn old_virtualenv(look: &Look<'_>, folder: &Folder, libraries: Libraries) -> Option<Classified> {
    let case = look.reader.case();
    let original = libraries.original_prefix?;
    let scripts = find(folder, "Scripts", case).or_else(|| find(folder, "bin", case))?;
    let scripts = look.reader.folder(&folder.path.join(&scripts.name))?;
    let activates = |entry: &fixnvpe_files::Entry| case.fits(&entry.name, "activate*");
    scripts.entries.iter().any(activates).then(|| Classified {
        python: libraries.version,
        base: look
            .reader
            .text(&original, pyvenv::LIMIT)
            .map(|text| text.trim().to_owned()),
        ..Classified::new(Content::Virtualenv, libraries.site_packages)
    })
}

fn embedded(look: &Look<'_>, folder: &Folder) -> Option<Classified> {
    if !embedded_path_file(look, folder) || !layout::has_interpreter(look, folder) {
        return None;
    }
    let libraries = Libraries::read(look, folder);
    Some(Classified {
        python: version::best([
            layout::version_of_dll(look, folder),
            version::of_folder(&folder.path),
        ]),
        ..Classified::new(Content::Embedded, libraries.site_packages)
    })
}

fn python(look: &Look<'_>, folder: &Folder) -> Option<Classified> {
    if layout::is_conda_package(look, folder) || is_user_base(look, &folder.path) {
        return None;
    }
    let libraries = Libraries::read(look, folder);
    let packages = !libraries.site_packages.is_empty();
    let beside = libraries.any && layout::interpreter_beside(look, folder);
    let in_bin = || layout::has_interpreter(look, folder);
    let complete = match (&libraries.version, packages) {
        // Debian's /usr/local has packages and uses the interpreter of /usr.
        (Some(_), true) => true,
        (Some(_), false) | (None, true) => beside || in_bin(),
        (None, false) => beside,
    };
    complete.then(|| Classified {
        python: version::best([
            layout::version_of_header(look, folder, libraries.version.as_deref()),
            layout::version_of_dll(look, folder),
            libraries.version,
            version::of_folder(&folder.path),
        ]),
        ..Classified::new(Content::Python, libraries.site_packages)
    })
}

/// Whether this is `~/.local`, where a user's own packages lie without being
/// an environment; they are found as such.
fn is_user_base(look: &Look<'_>, path: &Path) -> bool {
    let mut homes = look.homes.iter();
    !look.is_windows() && homes.any(|user| user.home.join(".local") == path)
}

/// What the tools' own files in the prefix add.
fn with_receipts(look: &Look<'_>, folder: &Folder, found: Classified) -> Classified {
    let has = |name| entry_of_kind(look, folder, name, &[FileKind::File]);
    if has("pipx_metadata.json") {
        return Classified {
            kind: Some(Kind::Pipx),
            manager: Some(Manager::Pipx),
            ..found
        };
    }
    if has("uv-receipt.toml") {
        return Classified {
            kind: Some(Kind::Uv),
            manager: Some(Manager::Uv),
            ..found
        };
    }
    if has(".project") {
        let manager = if name::is_pipenv(&folder.path) {
            Manager::Pipenv
        } else {
            Manager::Virtualenvwrapper
        };
        return Classified {
            manager: found.manager.or(Some(manager)),
            ..found
        };
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_that_the_content_contradicts_does_not_count() {
        let kind = |content: Content, kinds: &[Kind]| content.kind(kinds.iter().copied());
        assert_eq!(kind(Content::Conda, &[Kind::Poetry]), Kind::Conda);
        assert_eq!(kind(Content::Venv, &[Kind::PythonOrg]), Kind::Venv);
        assert_eq!(kind(Content::Venv, &[Kind::Poetry]), Kind::Poetry);
        assert_eq!(kind(Content::Python, &[]), Kind::Portable);
        assert_eq!(
            kind(Content::Python, &[Kind::Pipx, Kind::Pyenv]),
            Kind::Pyenv
        );
        assert_eq!(kind(Content::Packages, &[Kind::Store]), Kind::Store);
        assert_eq!(kind(Content::Embedded, &[Kind::PythonOrg]), Kind::Embedded);
    }

    #[test]
    fn the_kind_does_not_depend_on_the_order_of_the_ways() {
        let kinds = [Kind::PythonOrg, Kind::Pyenv, Kind::System, Kind::Uv];
        let forwards = Content::Python.kind(kinds.into_iter());
        let backwards = Content::Python.kind(kinds.into_iter().rev());
        assert_eq!(forwards, backwards);
    }
}
