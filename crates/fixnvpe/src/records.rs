//! What package managers recorded about files: the environment that a file
//! lies in is found from the file's path, and its records are read once.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use fixnvpe_batch::{ImageReport, Package, Recorded, RecordedHashes};
use fixnvpe_envs::{Distribution, Environment, Kind, Machine, Packages, RecordKind};
use fixnvpe_pe::Condition;

/// The records of every environment that a run meets.
#[derive(Debug)]
pub(crate) struct Records {
    machine: Machine,
    /// What each folder turned out to be.
    folders: Mutex<HashMap<PathBuf, Option<Arc<Place>>>>,
}

/// A folder that has packages.
#[derive(Debug)]
struct Place {
    packages: Packages,
    /// Whether it is a whole environment, not only a folder of packages.
    is_prefix: bool,
}

/// A package to install again, and how.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Reinstall {
    /// The environment.
    pub(crate) prefix: PathBuf,
    /// What to type in it.
    pub(crate) command: Vec<OsString>,
}

impl Records {
    /// The records on a machine's disks.
    pub(crate) fn new(machine: Machine) -> Self {
        Self {
            machine,
            folders: Mutex::default(),
        }
    }

    /// Says in a report which package an image with GPU code belongs to,
    /// unless it is known.
    pub(crate) fn name_package(&self, image: &mut ImageReport) {
        if image.package.is_some() || image.condition == Condition::NoFatbin {
            return;
        }
        let mut names = image.names.iter();
        image.package = names.find_map(|name| {
            self.first(name, |packages| {
                let owner = packages.owner(name)?;
                Some(Package::new(&owner.name, &owner.version))
            })
        });
    }

    /// How to get a file of a package again as it was.
    pub(crate) fn reinstall(&self, path: &Path) -> Option<Reinstall> {
        self.first(path, |packages| {
            let recorded = packages.recorded(path);
            let owner = recorded.first()?.distribution;
            let named = is_plain(&owner.name) && is_plain(&owner.version);
            // conda unpacks a package of its cache again by itself.
            let installed = owner.kind != RecordKind::CondaPackage;
            (named && installed).then(|| Reinstall {
                prefix: packages.prefix().to_path_buf(),
                command: reinstall(owner, packages.prefix()),
            })
        })
    }

    /// The first answer of the environments around a file: the nearest whole
    /// environment knows best, since conda describes what Python's records
    /// describe as well; a folder of packages that is in none comes after all.
    fn first<T>(&self, path: &Path, ask: impl Fn(&Packages) -> Option<T>) -> Option<T> {
        let places: Vec<Arc<Place>> = path
            .ancestors()
            .skip(1)
            .filter_map(|folder| self.place(folder))
            .collect();
        let (prefixes, others): (Vec<_>, Vec<_>) = places.iter().partition(|place| place.is_prefix);
        let mut all = prefixes.into_iter().chain(others);
        all.find_map(|place| ask(&place.packages))
    }

    fn place(&self, folder: &Path) -> Option<Arc<Place>> {
        // One thread looks at a folder, and the others wait for what it finds:
        // reading a folder twice would take them longer.
        let mut folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = folders.get(folder) {
            return known.clone();
        }
        let place = self.look(folder).map(Arc::new);
        folders.insert(folder.to_path_buf(), place.clone());
        place
    }

    fn look(&self, folder: &Path) -> Option<Place> {
        let seen = Seen::in_folder(folder);
        let is_prefix = seen.conda_meta || seen.conda_package || !seen.sites.is_empty();
        let mut sites = seen.sites;
        if seen.dist_info {
            sites.push(folder.to_path_buf());
        }
        if !is_prefix && sites.is_empty() {
            return None;
        }
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let environment = Environment::new(Kind::Portable, name, folder).with_site_packages(sites);
        Some(Place {
            packages: Packages::read(&self.machine, &environment),
            is_prefix,
        })
    }
}

impl RecordedHashes for Records {
    fn of(&self, path: &Path) -> Option<Recorded> {
        self.first(path, |packages| {
            let recorded = packages.recorded(path);
            recorded.first().map(|recorded| Recorded {
                size: recorded.size,
                sha256: recorded.sha256,
                source: source(recorded.distribution),
            })
        })
    }
}

/// What of an environment lies in one folder.
#[derive(Debug, Default)]
struct Seen {
    conda_meta: bool,
    conda_package: bool,
    dist_info: bool,
    sites: Vec<PathBuf>,
}

impl Seen {
    /// A folder that cannot be read has nothing to tell.
    fn in_folder(folder: &Path) -> Self {
        let mut seen = Self::default();
        for (name, path) in folders_in(folder) {
            let name = name.to_string_lossy().to_ascii_lowercase();
            match name.as_str() {
                "conda-meta" => seen.conda_meta = true,
                "info" => seen.conda_package = path.join("paths.json").is_file(),
                "lib" | "lib64" => seen.sites.extend(sites_in(&path)),
                name if name.ends_with(".dist-info") => seen.dist_info = true,
                _ => {}
            }
        }
        seen.sites.sort();
        seen
    }
}

/// `site-packages` in the `Lib` of an environment: at once on Windows, in a
/// folder named after the Python elsewhere.
fn sites_in(lib: &Path) -> Vec<PathBuf> {
    let mut sites = Vec::new();
    for (name, path) in folders_in(lib) {
        if is_site_packages(&name) {
            sites.push(path);
        } else if name.to_string_lossy().starts_with("python") {
            let below = folders_in(&path).into_iter();
            sites.extend(
                below
                    .filter(|(name, _)| is_site_packages(name))
                    .map(|(_, path)| path),
            );
        }
    }
    sites
}

fn is_site_packages(name: &OsStr) -> bool {
    name.eq_ignore_ascii_case("site-packages")
}

/// The folders in a folder; links are left alone, as everywhere.
fn folders_in(folder: &Path) -> Vec<(OsString, PathBuf)> {
    let Ok(entries) = fs_err::read_dir(folder) else {
        return Vec::new();
    };
    entries
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|entry| (entry.file_name(), entry.path()))
        .collect()
}

/// What recorded a hash, in a few words.
fn source(owner: &Distribution) -> String {
    let record = match owner.kind {
        RecordKind::CondaMeta => "conda-meta",
        RecordKind::CondaPackage => "info/paths.json",
        _ => "RECORD",
    };
    format!("{} {} ({record})", owner.name, owner.version)
}

/// Whether a name or version is one that an installer would have taken: what
/// people copy must be a package, whatever its own metadata says.
fn is_plain(text: &str) -> bool {
    let known = |c: char| c.is_ascii_alphanumeric() || "._-+!".contains(c);
    text.chars().all(known) && text.starts_with(|c: char| c.is_ascii_alphanumeric())
}

/// How the installer of a package is told to install it again.
fn reinstall(owner: &Distribution, prefix: &Path) -> Vec<OsString> {
    let Distribution { name, version, .. } = owner;
    if owner.kind == RecordKind::CondaMeta {
        let mut words = ["conda", "install", "--force-reinstall", "--prefix"]
            .map(OsString::from)
            .to_vec();
        words.extend([prefix.into(), format!("{name}={version}").into()]);
        return words;
    }
    let installer = installer(&owner.record);
    let package = format!("{name}=={version}");
    let words = match installer.trim() {
        "uv" => vec![
            "uv",
            "pip",
            "install",
            "--reinstall-package",
            name,
            &package,
        ],
        _ => vec![
            "python",
            "-m",
            "pip",
            "install",
            "--force-reinstall",
            "--no-deps",
            &package,
        ],
    };
    words.into_iter().map(OsString::from).collect()
}

/// The tool that a `dist-info` folder names as its installer.
fn installer(dist_info: &Path) -> String {
    let path = dist_info.join("INSTALLER");
    // Whatever else has this name could be endless.
    let is_short = |of: std::fs::Metadata| of.is_file() && of.len() < 256;
    let is_short = fs_err::symlink_metadata(&path).is_ok_and(is_short);
    is_short
        .then(|| fs_err::read_to_string(&path).ok())
        .flatten()
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use fixnvpe_tests::image::{Fatbin, Layout};
    use fixnvpe_tests::tree::{Tree, sha256};

    use super::*;

    fn records() -> Records {
        Records::new(Machine::this([], None))
    }

    fn dll() -> Layout {
        Layout::cuda_dll(&Fatbin::of(["sm_70"]))
    }

    fn built(tree: &Tree) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        tree.build_in(folder.path()).expect("the tree");
        folder
    }

    fn source_of(root: &Path, path: &str) -> Option<String> {
        let path = root.join(path);
        let recorded = records().of(&path)?;
        assert_eq!(recorded.sha256, sha256(&path).expect("its hash"));
        assert_eq!(recorded.size, Some(fs_err::metadata(&path).ok()?.len()));
        Some(recorded.source)
    }

    #[test]
    fn the_record_is_found_from_the_files_path_alone() {
        let mut tree = Tree::default();
        for site in [
            "venv/Lib/site-packages",
            "linux/lib/python3.11/site-packages",
            "target",
        ] {
            tree = tree
                .image(format!("{site}/demo/a.dll"), &dll())
                .distribution(site, "demo", "1.0", ["demo/a.dll"]);
        }
        let root = built(&tree);
        for site in [
            "venv/Lib/site-packages",
            "linux/lib/python3.11/site-packages",
            "target",
        ] {
            let source = source_of(root.path(), &format!("{site}/demo/a.dll"));
            assert_eq!(source.as_deref(), Some("demo 1.0 (RECORD)"), "{site}");
        }
    }

    #[test]
    fn a_file_that_a_wheel_put_outside_of_site_packages_has_its_record_too() {
        let root = built(
            &Tree::default()
                .image("venv/Library/bin/a.dll", &dll())
                .folder("venv/Lib/site-packages")
                .distribution(
                    "venv/Lib/site-packages",
                    "demo",
                    "1.0",
                    ["../../Library/bin/a.dll"],
                ),
        );
        let source = source_of(root.path(), "venv/Library/bin/a.dll");
        assert_eq!(source.as_deref(), Some("demo 1.0 (RECORD)"));
    }

    #[test]
    fn an_environment_within_another_one_speaks_for_its_own_files() {
        let root = built(
            &Tree::default()
                .image("conda/Library/bin/a.dll", &dll())
                .conda_package("conda", "base", "1.0", ["Library/bin/a.dll"])
                .image("conda/envs/yolo/Library/bin/a.dll", &dll())
                .conda_package("conda/envs/yolo", "inner", "2.0", ["Library/bin/a.dll"]),
        );
        let source = |path| source_of(root.path(), path);
        assert_eq!(
            source("conda/envs/yolo/Library/bin/a.dll").as_deref(),
            Some("inner 2.0 (conda-meta)")
        );
        assert_eq!(
            source("conda/Library/bin/a.dll").as_deref(),
            Some("base 1.0 (conda-meta)")
        );
    }

    #[test]
    fn a_package_in_a_cache_of_conda_speaks_for_its_own_files() {
        let file = "conda/pkgs/cudnn-8.2.1-cuda11.3_0/Library/bin/a.dll";
        let root = built(
            &Tree::default()
                .image(file, &dll())
                .text("conda/pkgs/cudnn-8.2.1-cuda11.3_0/info/index.json", "{}"),
        );
        let path = root.path().join(file);
        let hash = sha256(&path)
            .expect("its hash")
            .map(|byte| format!("{byte:02x}"));
        let size = fs_err::metadata(&path).expect("its length").len();
        let paths = format!(
            r#"{{"paths": [{{"_path": "Library/bin/a.dll", "sha256": "{}", "size_in_bytes": {size}}}], "paths_version": 1}}"#,
            hash.concat(),
        );
        let info = root.path().join("conda/pkgs/cudnn-8.2.1-cuda11.3_0/info");
        fs_err::write(info.join("paths.json"), paths).expect("written");
        let source = source_of(root.path(), file);
        assert_eq!(source.as_deref(), Some("cudnn 8.2.1 (info/paths.json)"));
        assert_eq!(records().reinstall(&path), None);
    }

    #[test]
    fn a_file_outside_of_every_environment_has_no_record() {
        let root = built(&Tree::default().image("a.dll", &dll()).folder("b"));
        assert_eq!(source_of(root.path(), "a.dll"), None);
        assert_eq!(source_of(root.path(), "b/no such folder/a.dll"), None);
    }

    #[test]
    fn what_is_no_name_of_a_package_is_in_no_command() {
        for plain in ["torch", "nvidia_cublas-cu12", "2.1.0+cu118", "1!2.0"] {
            assert!(is_plain(plain), "{plain}");
        }
        for odd in ["", "-r", "a b", "a;b", "a$(b)", "\u{202e}a", "../a"] {
            assert!(!is_plain(odd), "{odd}");
        }
    }

    #[test]
    fn a_package_is_installed_again_by_what_installed_it() {
        let site = "env/Lib/site-packages";
        let root = built(
            &Tree::default()
                .image(format!("{site}/demo/a.dll"), &dll())
                .distribution(site, "demo", "1.0", ["demo/a.dll"])
                .image("env/Library/bin/b.dll", &dll())
                .conda_package("env", "other", "2.0", ["Library/bin/b.dll"]),
        );
        let command = |path: &str| {
            let reinstall = records().reinstall(&root.path().join(path));
            let reinstall = reinstall.expect("a command");
            assert_eq!(reinstall.prefix, root.path().join("env"));
            reinstall.command.join(OsStr::new(" "))
        };
        let file = format!("{site}/demo/a.dll");
        assert_eq!(
            command(&file),
            "python -m pip install --force-reinstall --no-deps demo==1.0"
        );
        let installer = root.path().join(site).join("demo-1.0.dist-info/INSTALLER");
        fs_err::write(installer, "uv").expect("written");
        assert_eq!(
            command(&file),
            "uv pip install --reinstall-package demo demo==1.0"
        );
        let conda = command("env/Library/bin/b.dll")
            .to_string_lossy()
            .into_owned();
        assert!(
            conda.starts_with("conda install --force-reinstall --prefix "),
            "{conda}"
        );
        assert!(conda.ends_with(" other=2.0"), "{conda}");
    }
}
