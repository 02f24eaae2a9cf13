//! What is installed in an environment, who owns a file of it, and what the
//! package managers recorded about that file.
//!
//! Nothing is read before it is asked for, and nothing is kept but the names
//! of the distributions and the records of the files that can be images
//! (`.dll`, `.pyd`, `.exe`): some thousand at most, where an environment may
//! have hundreds of thousands of files.

mod conda_meta;
mod cuda;
mod dist_info;
mod index;
mod record;
mod torch;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use self::index::Index;
pub use self::torch::Torch;
use crate::disk::names::{Case, path_key};
use crate::disk::reader::{Reader, lock};
use crate::{Disk, Environment, Machine, SkipReason, Skipped};

/// Where a distribution is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum RecordKind {
    /// `conda-meta/NAME-VERSION-BUILD.json`.
    CondaMeta,
    /// `info/paths.json` of a package that lies unpacked in a cache of conda
    /// (`pkgs`) or rattler: `NAME-VERSION-BUILD/info`.
    CondaPackage,
    /// `NAME-VERSION.dist-info` (pip, uv, and most others).
    DistInfo,
    /// `NAME-VERSION.egg-info`, or an `.egg` (setuptools of old): it records
    /// no hashes.
    EggInfo,
}

/// A package that is installed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Distribution {
    /// Its name, as its own metadata writes it.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Where it is written down.
    pub kind: RecordKind,
    /// The file or folder where it is written down.
    #[cfg_attr(feature = "serde", serde(with = "crate::environment::text"))]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub record: PathBuf,
}

impl Distribution {
    /// The name as package indexes compare it: lower case, one `-` for any run
    /// of `-`, `_` and `.`.
    #[must_use]
    pub fn normalized_name(&self) -> String {
        normalized(&self.name)
    }

    /// Whether packages of this name bring GPU code or CUDA's libraries. Only a
    /// label for people: what is in a DLL, the DLL tells.
    #[must_use]
    pub fn is_about_cuda(&self) -> bool {
        cuda::is_about(&self.normalized_name())
    }
}

/// What a package manager recorded about a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Recorded<'p> {
    /// The SHA-256 of its content.
    pub sha256: [u8; 32],
    /// Its length in bytes.
    pub size: Option<u64>,
    /// Whose record it is.
    pub distribution: &'p Distribution,
}

/// The packages of one environment.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let site = folder.path().join("yolo/Lib/site-packages");
/// # std::fs::create_dir_all(site.join("demo-1.0.dist-info"))?;
/// # std::fs::write(site.join("demo-1.0.dist-info/METADATA"), "Name: demo\nVersion: 1.0\n")?;
/// # let row = "demo/a.dll,sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU,0\n";
/// # std::fs::write(site.join("demo-1.0.dist-info/RECORD"), row)?;
/// use fixnvpe_envs::{Environment, Kind, Machine, Packages};
///
/// let machine = Machine::mounted([('C', folder.path().into())])?;
/// let environment = Environment::new(Kind::Venv, "yolo", folder.path().join("yolo"))
///     .with_site_packages([site.clone()]);
///
/// let packages = Packages::read(&machine, &environment);
/// let owner = packages.owner(&site.join("demo/A.DLL")).expect("the file is in RECORD");
/// assert_eq!((owner.name.as_str(), owner.version.as_str()), ("demo", "1.0"));
/// assert_eq!(packages.recorded(&site.join("demo/a.dll"))[0].size, Some(0));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Packages {
    disk: Arc<dyn Disk>,
    machine: Machine,
    prefix: PathBuf,
    sites: Vec<PathBuf>,
    found: Vec<Record>,
    leftovers: Vec<PathBuf>,
    distributions: OnceLock<Vec<Distribution>>,
    index: OnceLock<Index>,
    skipped: Mutex<BTreeSet<Skipped>>,
}

/// A place where a distribution is written down, before it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Record {
    kind: RecordKind,
    path: PathBuf,
    /// The folder that the paths in it are relative to.
    base: PathBuf,
    /// Name and version, as the file's name tells them.
    named: (String, String),
}

impl Packages {
    /// Finds what is installed in an environment. Only two kinds of folders
    /// are read for that: `site-packages` and `conda-meta`.
    #[must_use]
    pub fn read(machine: &Machine, environment: &Environment) -> Self {
        let mut packages = Self {
            disk: Arc::clone(&machine.disk),
            machine: machine.clone(),
            prefix: environment.prefix.clone(),
            sites: environment.site_packages.clone(),
            found: Vec::new(),
            leftovers: Vec::new(),
            distributions: OnceLock::new(),
            index: OnceLock::new(),
            skipped: Mutex::default(),
        };
        let (mut found, mut leftovers) = (Vec::new(), Vec::new());
        packages.reading(|reader| {
            found.extend(conda_meta::records(reader, &environment.prefix));
            found.extend(conda_meta::unpacked(reader, &environment.prefix));
            for site in &environment.site_packages {
                found.extend(dist_info::records(reader, site));
                leftovers.extend(dist_info::leftovers(reader, site));
            }
        });
        packages.found = found;
        packages.leftovers = leftovers;
        packages
    }

    /// What is installed, by name. A package that conda installed is written
    /// down twice, by conda and as every Python package is: it is one.
    #[must_use]
    pub fn distributions(&self) -> Vec<&Distribution> {
        let mut seen = BTreeSet::new();
        let mut all: Vec<&Distribution> = self
            .all()
            .iter()
            .filter(|one| seen.insert((one.normalized_name(), one.version.clone())))
            .collect();
        all.sort_by_key(|one| one.normalized_name());
        all
    }

    /// The package that a file belongs to. The path is compared as the
    /// environment's machine compares names.
    #[must_use]
    pub fn owner(&self, path: &Path) -> Option<&Distribution> {
        let key = path_key(self.case(), path);
        let owners = self.owners(&key);
        owners.first().map(|owner| &self.all()[owner.record])
    }

    /// What was recorded about a file: the most trustworthy record first, and
    /// none where no manager recorded a SHA-256.
    #[must_use]
    pub fn recorded(&self, path: &Path) -> Vec<Recorded<'_>> {
        let key = path_key(self.case(), path);
        self.owners(&key)
            .into_iter()
            .filter_map(|owner| {
                Some(Recorded {
                    sha256: owner.sha256?,
                    size: owner.size,
                    distribution: &self.all()[owner.record],
                })
            })
            .collect()
    }

    /// What `torch` says about itself, without starting Python.
    #[must_use]
    pub fn torch(&self) -> Option<Torch> {
        let mut told = None;
        self.reading(|reader| {
            let mut sites = self.sites.iter();
            told = sites.find_map(|site| torch::read(reader, site));
        });
        told
    }

    /// What pip left behind when it could not remove a package in use: folders
    /// whose name begins with `~`. DLLs in them belong to nobody.
    #[must_use]
    pub fn leftovers(&self) -> &[PathBuf] {
        &self.leftovers
    }

    /// What could not be read so far, and why.
    #[must_use]
    pub fn skipped(&self) -> Vec<Skipped> {
        lock(&self.skipped).iter().cloned().collect()
    }

    fn case(&self) -> Case {
        self.machine.case()
    }

    /// Reads something, and keeps the notes about what could not be read.
    fn reading(&self, read: impl FnOnce(&Reader<'_>)) {
        let reader = Reader::new(self.disk.as_ref(), self.case());
        read(&reader);
        lock(&self.skipped).extend(reader.into_skipped());
    }

    /// One distribution for each record, in the order of `found`.
    fn all(&self) -> &[Distribution] {
        self.distributions.get_or_init(|| {
            let mut all = Vec::new();
            self.reading(|reader| {
                all.extend(self.found.iter().map(|record| distribution(reader, record)));
            });
            all
        })
    }

    /// Who claims a file, the most trustworthy first.
    fn owners(&self, key: &str) -> Vec<index::Owned> {
        let mut owners = if record::may_be_image(key) {
            self.index().owners(key)
        } else {
            self.search(key)
        };
        if owners.len() > 1 {
            self.reading(|reader| {
                owners.sort_by_key(|owner| self.distrust(reader, owner.record));
            });
        }
        owners
    }

    /// How little a record is to be trusted where several claim one file. What
    /// pip installs over conda's package leaves conda's record behind; what
    /// conda installs brings a RECORD that names conda as its installer, and
    /// that describes the files before conda adapted them.
    fn distrust(&self, reader: &Reader<'_>, record: usize) -> u8 {
        let record = &self.found[record];
        match record.kind {
            RecordKind::DistInfo if dist_info::is_from_conda(reader, &record.path) => 2,
            RecordKind::DistInfo => 0,
            RecordKind::CondaMeta | RecordKind::CondaPackage => 1,
            RecordKind::EggInfo => 3,
        }
    }

    fn index(&self) -> &Index {
        self.index.get_or_init(|| {
            let mut index = Index::default();
            self.every_file(&mut |record, file| {
                if record::may_be_image(&file.key) {
                    index.add(record, file);
                }
            });
            if index.is_full() {
                let detail = "its records name more images than are kept in memory";
                let skipped = Skipped::new(&self.prefix, SkipReason::TooLarge, detail);
                lock(&self.skipped).insert(skipped);
            }
            index
        })
    }

    /// Searches the records for one file that the index does not hold.
    fn search(&self, key: &str) -> Vec<index::Owned> {
        let mut index = Index::default();
        self.every_file(&mut |record, file| {
            if file.key == key {
                index.add(record, file);
            }
        });
        index.owners(key)
    }

    fn every_file(&self, take: &mut dyn FnMut(usize, record::File)) {
        self.reading(|reader| {
            for (number, record) in self.found.iter().enumerate() {
                let mut take = |file| take(number, file);
                match record.kind {
                    RecordKind::CondaMeta | RecordKind::CondaPackage => {
                        conda_meta::files(reader, record, &mut take);
                    }
                    RecordKind::DistInfo => {
                        dist_info::files(reader, &self.machine, record, &mut take);
                    }
                    RecordKind::EggInfo => {}
                }
            }
        });
    }

    /// The folder of the environment that these are the packages of.
    #[must_use]
    pub fn prefix(&self) -> &Path {
        &self.prefix
    }
}

fn distribution(reader: &Reader<'_>, record: &Record) -> Distribution {
    let (name, version) = match record.kind {
        RecordKind::CondaMeta | RecordKind::CondaPackage => None,
        RecordKind::DistInfo | RecordKind::EggInfo => dist_info::named(reader, &record.path),
    }
    .unwrap_or_else(|| record.named.clone());
    Distribution {
        name,
        version,
        kind: record.kind,
        record: record.path.clone(),
    }
}

fn normalized(name: &str) -> String {
    let lower = name.to_ascii_lowercase();
    let words = lower.split(['-', '_', '.']).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_normalized_as_package_indexes_do() {
        for (name, expected) in [
            ("Torch", "torch"),
            ("nvidia_cublas.cu11", "nvidia-cublas-cu11"),
            ("a-_.b", "a-b"),
        ] {
            assert_eq!(normalized(name), expected);
        }
    }
}
