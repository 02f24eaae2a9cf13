//! What was found: environments, package caches, CUDA toolkits.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use fixnvpe_files::FileId;

use crate::Error;

/// What an environment is.
///
/// The order is that of how much a kind tells: where one folder could pass for
/// two kinds, the later one here names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Kind {
    /// A Python that an application brings along, or that lies in a folder of
    /// its own where no installer puts one.
    Portable,
    /// The operating system's own Python (not on Windows).
    System,
    /// An ordinary installation: python.org's installers and install manager,
    /// and builds laid out alike (`NuGet`, Scoop, rye, mise).
    PythonOrg,
    /// A Python that pyenv or pyenv-win installed.
    Pyenv,
    /// A Python or a tool that uv installed.
    Uv,
    /// python.org's embeddable package (`python3*._pth`).
    Embedded,
    /// Packages installed for one user, outside any environment.
    UserSite,
    /// Packages of a Python from the Microsoft Store.
    Store,
    /// A virtual environment of the standard library's `venv`, or of a tool
    /// that makes the same.
    Venv,
    /// A virtual environment of `virtualenv`.
    Virtualenv,
    /// A virtual environment of Poetry.
    Poetry,
    /// A virtual environment of Hatch.
    Hatch,
    /// A virtual environment or `__pypackages__` folder of PDM.
    Pdm,
    /// The environment of one application that pipx installed.
    Pipx,
    /// A conda environment, whoever made it: conda, mamba, pixi.
    Conda,
}

impl Kind {
    /// Every kind, with the word that names it.
    pub const ALL: &'static [(Self, &'static str)] = &[
        (Self::Conda, "conda"),
        (Self::Venv, "venv"),
        (Self::Virtualenv, "virtualenv"),
        (Self::PythonOrg, "python_org"),
        (Self::Store, "store"),
        (Self::Embedded, "embedded"),
        (Self::Pyenv, "pyenv"),
        (Self::Uv, "uv"),
        (Self::Pipx, "pipx"),
        (Self::Poetry, "poetry"),
        (Self::Hatch, "hatch"),
        (Self::Pdm, "pdm"),
        (Self::Portable, "portable"),
        (Self::UserSite, "user_site"),
        (Self::System, "system"),
    ];

    /// The word that names this kind, in commands and reports.
    #[must_use]
    pub fn word(self) -> &'static str {
        Self::ALL
            .iter()
            .find(|(kind, _)| *kind == self)
            .map_or("", |(_, word)| word)
    }

    pub(crate) fn words() -> String {
        let words: Vec<_> = Self::ALL.iter().map(|(_, word)| *word).collect();
        words.join(", ")
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// Reads a kind's word, without regard to case; `python.org` and `user-site`
/// are understood as well.
impl FromStr for Kind {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let word = text.trim().to_ascii_lowercase().replace(['.', '-'], "_");
        Self::ALL
            .iter()
            .find(|(_, known)| *known == word)
            .map(|(kind, _)| *kind)
            .ok_or_else(|| Error::UnknownKind { word: text.into() })
    }
}

/// The tool that made an environment and looks after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
#[expect(missing_docs, reason = "each is the name of a tool")]
pub enum Manager {
    Conda,
    Mamba,
    Pixi,
    Uv,
    Pipx,
    Poetry,
    Hatch,
    Pdm,
    Pipenv,
    Virtualenvwrapper,
    Pyenv,
    Rye,
    Mise,
    Scoop,
    Nuget,
    Tox,
    Nox,
    Direnv,
}

/// Which way led to an environment. The order is that of how surely the path
/// is the one that its user knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Source {
    /// `VIRTUAL_ENV` or `CONDA_PREFIX`: the environment in use.
    Active,
    /// The current folder or one of its parents.
    CurrentFolder,
    /// A user's `.conda/environments.txt`.
    EnvironmentsTxt,
    /// `envs_dirs` or `pkgs_dirs` of a conda configuration file or variable.
    Condarc,
    /// A known place of the table ([`places`](crate::places)).
    KnownPlace,
    /// The Windows registry (PEP 514).
    Registry,
    /// The look three levels below drives and homes.
    ShallowLook,
    /// The walk over a whole drive.
    DeepWalk,
    /// A folder of another environment: `envs` of a conda installation.
    Parent,
    /// An environment in its `envs`.
    Child,
    /// A Jupyter kernel that names this Python.
    JupyterKernel,
    /// `home =` of another environment's `pyvenv.cfg`.
    PyvenvHome,
    /// `PATH`.
    PathVariable,
    /// Somebody named the folder ([`Machine::with_named`](crate::Machine::with_named)).
    Named,
}

/// Why something was found.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Evidence {
    /// Which way led here.
    pub source: Source,
    /// The file, key, variable or row of the table that said so.
    pub detail: String,
}

impl Evidence {
    /// Evidence of one way.
    pub fn new(source: Source, detail: impl Into<String>) -> Self {
        let detail = detail.into();
        Self { source, detail }
    }
}

/// One Python environment.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Environment {
    /// What it is.
    pub kind: Kind,
    /// What people call it: the folder's name, the name of the project where
    /// the folder's says nothing (`.venv`), `base` for a conda installation.
    pub name: String,
    /// The folder that holds it, written as its user knows it.
    #[cfg_attr(feature = "serde", serde(with = "crate::environment::text"))]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub prefix: PathBuf,
    /// The exact prefix where it is not Unicode
    /// ([`fixnvpe_files::raw`]).
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub prefix_raw: Option<String>,
    /// Python's version, as exactly as the files tell: `3.8.13`, or `3.8`.
    pub python: Option<String>,
    /// The folders where packages lie.
    #[cfg_attr(feature = "serde", serde(with = "crate::environment::texts"))]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub site_packages: Vec<PathBuf>,
    /// The tool that looks after it, where one can be told.
    pub manager: Option<Manager>,
    /// Every way that led here.
    pub evidence: Vec<Evidence>,
    /// The identity of the prefix's folder; not part of the JSON.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) id: Option<FileId>,
    /// What the environment owns of a prefix that holds other things as well;
    /// `None` where the whole prefix is its own. Not part of the JSON.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) own_folders: Option<Vec<PathBuf>>,
    /// Folders below the prefix that belong to others. Not part of the JSON.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) inner_folders: Vec<PathBuf>,
}

impl Environment {
    /// Describes an environment that was not found by looking around: one that
    /// a test or another program names.
    pub fn new(kind: Kind, name: impl Into<String>, prefix: impl Into<PathBuf>) -> Self {
        let prefix = prefix.into();
        Self {
            kind,
            name: name.into(),
            prefix_raw: fixnvpe_files::raw(&prefix),
            prefix,
            python: None,
            site_packages: Vec::new(),
            manager: None,
            evidence: Vec::new(),
            id: None,
            own_folders: None,
            inner_folders: Vec::new(),
        }
    }

    /// The same environment with these folders of packages.
    #[must_use]
    pub fn with_site_packages(mut self, folders: impl IntoIterator<Item = PathBuf>) -> Self {
        self.site_packages = folders.into_iter().collect();
        self
    }

    /// The identity of the prefix's folder. `None` for one that was made by
    /// hand or read back from JSON.
    #[must_use]
    pub fn id(&self) -> Option<FileId> {
        self.id
    }

    /// The folders to search for DLLs: the prefix, and those folders of
    /// packages that lie outside it. Where the prefix holds other things as
    /// well (a drive, a home, the system's own Python), the environment's own
    /// folders alone.
    #[must_use]
    pub fn folders(&self) -> Vec<&Path> {
        let own: &[PathBuf] = match &self.own_folders {
            Some(own) => own,
            None if self.kind == Kind::System => &[],
            None => std::slice::from_ref(&self.prefix),
        };
        let mut folders: Vec<&Path> = own.iter().map(PathBuf::as_path).collect();
        for site in &self.site_packages {
            if !folders.iter().any(|folder| site.starts_with(folder)) {
                folders.push(site);
            }
        }
        folders
    }
}

/// Whose downloads a cache holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum CacheKind {
    /// conda's and mamba's extracted packages (`pkgs`).
    CondaPkgs,
    /// pixi's extracted packages (rattler's cache).
    Rattler,
    /// uv's unpacked wheels (`archive-v0`).
    Uv,
    /// Extensions that `PyTorch` built on demand (`torch_extensions`).
    TorchExtensions,
}

/// A cache of unpacked packages, whose files environments share by hard links.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Cache {
    /// Whose cache it is.
    pub kind: CacheKind,
    /// The folder that holds the unpacked packages.
    #[cfg_attr(feature = "serde", serde(with = "crate::environment::text"))]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub path: PathBuf,
    /// Every way that led here.
    pub evidence: Vec<Evidence>,
}

/// An installation of CUDA, or of cuDNN, outside any environment.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Toolkit {
    /// What is installed there: `cuda` or `cudnn`.
    pub name: String,
    /// Its version, as far as it can be told.
    pub version: Option<String>,
    /// The folder of the installation.
    #[cfg_attr(feature = "serde", serde(with = "crate::environment::text"))]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub path: PathBuf,
    /// Every way that led here.
    pub evidence: Vec<Evidence>,
}

/// Paths in JSON: as people write them, whatever is not Unicode replaced.
#[cfg(feature = "serde")]
pub(crate) mod text {
    use std::path::{Path, PathBuf};

    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&fixnvpe_files::shown(path).to_string_lossy())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<PathBuf, D::Error> {
        String::deserialize(from).map(PathBuf::from)
    }
}

/// A list of paths in JSON.
#[cfg(feature = "serde")]
pub(crate) mod texts {
    use std::path::PathBuf;

    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(paths: &[PathBuf], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(
            paths
                .iter()
                .map(|path| fixnvpe_files::shown(path).to_string_lossy().into_owned()),
        )
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Vec<PathBuf>, D::Error> {
        let paths = Vec::<String>::deserialize(from)?;
        Ok(paths.into_iter().map(PathBuf::from).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_read_back_from_its_word() {
        for (kind, word) in Kind::ALL {
            assert_eq!(word.parse(), Ok(*kind));
            assert_eq!(kind.to_string(), *word);
        }
        assert_eq!("Python.org".parse(), Ok(Kind::PythonOrg));
        assert_eq!("user-site".parse(), Ok(Kind::UserSite));
    }

    #[test]
    fn an_unknown_kind_is_an_error_that_lists_the_kinds() {
        let error = "docker".parse::<Kind>().unwrap_err().to_string();
        assert!(error.contains("`docker`") && error.contains("virtualenv"));
    }

    #[test]
    fn folders_outside_the_prefix_are_searched_as_well() {
        let sites = ["/opt/python/lib/site-packages", "/opt/site"].map(PathBuf::from);
        let environment =
            Environment::new(Kind::Portable, "python", "/opt/python").with_site_packages(sites);
        assert_eq!(
            environment.folders(),
            [Path::new("/opt/python"), Path::new("/opt/site")]
        );
    }

    #[test]
    fn of_the_systems_own_python_the_packages_alone_are_searched() {
        let sites = ["/usr/lib/python3/dist-packages", "/usr/local/site"].map(PathBuf::from);
        let environment =
            Environment::new(Kind::System, "usr", "/usr").with_site_packages(sites.clone());
        assert_eq!(environment.folders(), sites);
    }
}
