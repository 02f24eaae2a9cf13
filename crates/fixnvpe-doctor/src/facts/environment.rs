//! What is known about one environment.

use std::path::PathBuf;

use fixnvpe_envs::{Kind, Manager};
use fixnvpe_pe::{CommitCharge, Condition, DeviceCode, Reason};
use serde::{Deserialize, Serialize};

use crate::Version;
use crate::version::cuda_of_build;

/// An installed package.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Package {
    /// Its name in lower case, with `-` for any run of `-`, `_` and `.` (PEP 503).
    pub name: String,
    /// Its version, as it is written.
    pub version: String,
}

impl Package {
    /// A package; the name is normalised.
    pub fn new(name: &str, version: impl Into<String>) -> Self {
        Self {
            name: normalised(name),
            version: version.into(),
        }
    }
}

/// A package's name as PEP 503 compares it.
#[must_use]
pub fn normalised(name: &str) -> String {
    let mut normal = String::with_capacity(name.len());
    for c in name.trim().chars() {
        match c {
            '-' | '_' | '.' if normal.ends_with('-') => {}
            '-' | '_' | '.' => normal.push('-'),
            _ => normal.extend(c.to_lowercase()),
        }
    }
    normal
}

/// The installed torch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Torch {
    /// Its version, as it is written: `1.12.1+cu113`.
    pub text: String,
    /// The numbers of it.
    pub version: Version,
    /// The CUDA that it was built with; `None` for a build without CUDA, or
    /// where that cannot be told.
    pub cuda: Option<Version>,
    /// Whether it is a build without CUDA, for sure.
    pub cpu_only: bool,
}

impl Torch {
    /// A torch of this version, and the CUDA version that its files name, if
    /// any; else the one in its version (`+cu113`) counts.
    #[must_use]
    pub fn new(text: &str, cuda: Option<Version>) -> Option<Self> {
        Some(Self {
            version: text.parse().ok()?,
            cpu_only: cuda.is_none() && text.ends_with("+cpu"),
            cuda: cuda.or_else(|| cuda_of_build(text)),
            text: text.to_owned(),
        })
    }

    /// Whether its CUDA compiler made fat binaries writable, as far as the
    /// versions tell: torch below 1.13, or CUDA below 11.7.
    #[must_use]
    pub fn is_from_before_the_fix(&self) -> bool {
        let old_cuda = self
            .cuda
            .as_ref()
            .is_some_and(|cuda| *cuda < Version::new(vec![11, 7]));
        !self.cpu_only && (old_cuda || self.version < Version::new(vec![1, 13]))
    }
}

/// The packages that belong to one version of torch and come with it.
const OF_TORCH: [&str; 3] = ["torch", "torchvision", "torchaudio"];

/// One image of an environment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ImageFacts {
    /// Where it lies.
    #[serde(with = "crate::path_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub path: PathBuf,
    /// The package that it belongs to.
    pub package: Option<String>,
    /// How a scan judged it.
    pub condition: Condition,
    /// Why it must stay as it is.
    pub reason: Option<Reason>,
    /// What each process that maps it pays, now and after a patch.
    pub commit: CommitCharge,
    /// Whether it has a certificate table.
    pub signed: bool,
    /// Whether Windows may load it anywhere.
    pub aslr: bool,
    /// The address that it is linked for, where that was read.
    pub image_base: Option<u64>,
    /// Whether this project made it read-only, by its journal.
    pub patched: bool,
    /// What its fat binaries hold for the GPU at hand; `None` where there are
    /// none, or no GPU to ask for.
    pub code_for_gpu: Option<DeviceCode>,
    /// The architectures in its fat binaries: `sm_86`, `compute_75`.
    pub architectures: Vec<String>,
}

impl ImageFacts {
    /// An image about which nothing more is known than how it was judged.
    pub fn new(path: impl Into<PathBuf>, condition: Condition, commit: CommitCharge) -> Self {
        Self {
            path: path.into(),
            package: None,
            condition,
            reason: None,
            commit,
            signed: false,
            aslr: true,
            image_base: None,
            patched: false,
            code_for_gpu: None,
            architectures: Vec::new(),
        }
    }

    /// Whether torch, torchvision or torchaudio brought it: what an upgrade of
    /// torch replaces. Where no package owns it, its folder tells.
    #[must_use]
    pub fn is_of_torch(&self) -> bool {
        match &self.package {
            Some(package) => package == "pytorch" || OF_TORCH.contains(&package.as_str()),
            None => self
                .path
                .to_string_lossy()
                .split(['\\', '/'])
                .any(|folder| OF_TORCH.contains(&folder.to_lowercase().as_str())),
        }
    }

    /// The name of the file. The path may be one of Windows read elsewhere.
    #[must_use]
    pub fn file_name(&self) -> String {
        let path = self.path.to_string_lossy();
        let start = path.rfind(['\\', '/']).map_or(0, |at| at + 1);
        path[start..].to_owned()
    }
}

/// A file or folder that something left behind.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Leftover {
    /// Where it lies.
    #[serde(with = "crate::path_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub path: PathBuf,
    /// Its size in bytes; of a folder, the sum of its files.
    pub size: u64,
}

impl Leftover {
    /// A leftover of this size in bytes.
    pub fn new(path: impl Into<PathBuf>, size: u64) -> Self {
        let path = path.into();
        Self { path, size }
    }
}

/// What was left behind in an environment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Leftovers {
    /// `NAME.dll_bak`: the originals that the older script, or `--backup copy`,
    /// kept.
    pub backups: Vec<Leftover>,
    /// `NAME.dll_mod`: what the older script wrote and could not move.
    pub unfinished: Vec<Leftover>,
    /// `~orch`: what pip moved aside and could not remove, with images in it.
    pub pip: Vec<Leftover>,
}

/// Which images a process maps that imports something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ImportFacts {
    /// What is imported: `torch`.
    pub modules: Vec<String>,
    /// What was asked for and is not installed here.
    pub unknown: Vec<String>,
    /// How many images the process maps from the environment.
    pub images: u64,
    /// What it is charged for them, in bytes.
    pub commit: CommitCharge,
    /// DLLs that were asked for and not found in the environment: Windows' own
    /// ones, mostly.
    pub not_found: Vec<String>,
}

impl ImportFacts {
    /// What a process maps that imports these modules.
    #[must_use]
    pub fn new(modules: Vec<String>, images: u64, commit: CommitCharge) -> Self {
        Self {
            modules,
            unknown: Vec::new(),
            images,
            commit,
            not_found: Vec::new(),
        }
    }
}

/// What is known about one environment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct EnvironmentFacts {
    /// What people call it.
    pub name: String,
    /// The folder that holds it.
    #[serde(with = "crate::path_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub prefix: PathBuf,
    /// What it is.
    pub kind: Kind,
    /// The tool that looks after it, where one can be told.
    pub manager: Option<Manager>,
    /// The Python program, for commands; `None` where it was not found.
    #[serde(with = "crate::path_text::optional")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub program: Option<PathBuf>,
    /// Python's version.
    pub python: Option<Version>,
    /// The installed packages that the rules look at.
    pub packages: Vec<Package>,
    /// The installed torch.
    pub torch: Option<Torch>,
    /// The images with writable memory or GPU code, in the order of paths.
    pub images: Vec<ImageFacts>,
    /// What a process maps that imports the CUDA frameworks installed here.
    pub imports: Option<ImportFacts>,
    /// What was left behind.
    pub leftovers: Leftovers,
}

impl EnvironmentFacts {
    /// An environment about which nothing is known but its place: it is taken to
    /// be a virtual one.
    pub fn new(name: impl Into<String>, prefix: impl Into<PathBuf>) -> Self {
        Self {
            name: name.into(),
            prefix: prefix.into(),
            kind: Kind::Venv,
            manager: None,
            program: None,
            python: None,
            packages: Vec::new(),
            torch: None,
            images: Vec::new(),
            imports: None,
            leftovers: Leftovers::default(),
        }
    }

    /// Whether it is a conda environment, whoever made it.
    #[must_use]
    pub fn is_conda(&self) -> bool {
        self.kind == Kind::Conda
    }

    /// Whether it is packages that a Python has for one user, outside of any
    /// environment, with no program of their own.
    #[must_use]
    pub fn is_for_one_user(&self) -> bool {
        matches!(self.kind, Kind::Store | Kind::UserSite)
    }

    /// Whether conda installed torch: then pip would leave two of it.
    #[must_use]
    pub fn torch_is_from_conda(&self) -> bool {
        self.is_conda() && self.package("pytorch").is_some()
    }

    /// An installed package.
    #[must_use]
    pub fn package(&self, name: &str) -> Option<&Package> {
        self.packages.iter().find(|package| package.name == name)
    }

    /// The images that a patch would change.
    pub fn writable(&self) -> impl Iterator<Item = &ImageFacts> {
        self.images
            .iter()
            .filter(|image| image.condition == Condition::Writable)
    }

    /// What a process pays for images: for those that the installed frameworks
    /// bring along, where that could be told, else for all images of the
    /// environment, which is the most that a process can map.
    #[must_use]
    pub fn commit(&self) -> CommitCharge {
        match &self.imports {
            Some(imports) => imports.commit,
            None => sum(self.images.iter().map(|image| image.commit)),
        }
    }

    /// What a patch saves in each process that maps everything, in bytes.
    #[must_use]
    pub fn savable(&self) -> u64 {
        sum(self.writable().map(|image| image.commit)).saved()
    }

    /// What an upgrade of torch saves of that, where it helps.
    #[must_use]
    pub fn savable_by_upgrade(&self) -> u64 {
        let of_torch = self.writable().filter(|image| image.is_of_torch());
        sum(of_torch.map(|image| image.commit)).saved()
    }

    /// Whether an upgrade of torch would help: it is from before the fix, and
    /// fat binaries of it are writable.
    #[must_use]
    pub fn upgrade_helps(&self) -> bool {
        let is_old = |torch: &Torch| torch.is_from_before_the_fix();
        self.torch.as_ref().is_some_and(is_old) && self.writable().any(ImageFacts::is_of_torch)
    }
}

/// The sum of charges.
pub(crate) fn sum(charges: impl Iterator<Item = CommitCharge>) -> CommitCharge {
    charges.fold(CommitCharge::default(), |all, one| {
        CommitCharge::new(
            all.now.saturating_add(one.now),
            all.after.saturating_add(one.after),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_packages_compare_as_pep_503_says() {
        assert_eq!(normalised("Typing_Extensions"), "typing-extensions");
        assert_eq!(normalised("ruamel.yaml..C_-lib"), "ruamel-yaml-c-lib");
    }

    #[test]
    fn torch_is_old_by_its_version_or_by_its_cuda() {
        let torch = |text: &str| Torch::new(text, None).unwrap();
        for old in [
            "1.12.1+cu116",
            "1.12.1",
            "1.13.1+cu116",
            "1.9.0+cu111",
            "0.4.1",
        ] {
            assert!(torch(old).is_from_before_the_fix(), "{old}");
        }
        for new in [
            "1.13.1+cu117",
            "1.13.1",
            "2.0.1+cu118",
            "2.14.1+cu130",
            "1.12.1+cpu",
        ] {
            assert!(!torch(new).is_from_before_the_fix(), "{new}");
        }
        let conda = Torch::new("1.13.1", Some(Version::new(vec![11, 6]))).unwrap();
        assert!(conda.is_from_before_the_fix());
        assert_eq!(Torch::new("nightly", None), None);
    }

    #[test]
    fn what_is_imported_counts_before_everything_that_lies_there() {
        let mut facts = EnvironmentFacts::new("e", "/e");
        let charge = CommitCharge::new(100, 10);
        facts.images = vec![
            ImageFacts::new("/e/a.dll", Condition::Writable, charge),
            ImageFacts::new("/e/b.dll", Condition::Refused, CommitCharge::new(7, 7)),
        ];
        assert_eq!(facts.commit(), CommitCharge::new(107, 17));
        assert_eq!(facts.savable(), 90);
        facts.imports = Some(ImportFacts::new(vec!["torch".into()], 1, charge));
        assert_eq!(facts.commit(), charge);
    }
}
