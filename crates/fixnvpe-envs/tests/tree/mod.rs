//! Whole machines in a temporary folder, built from tables.
#![allow(dead_code, reason = "each test program uses a part of it")]

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use fixnvpe_envs::{
    DiscoverOptions, Discovery, Disk, LiveDisk, Machine, Os, PLACEHOLDER, discover,
};
use fixnvpe_files::{FileId, Folder};

/// What to put at a path.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Make {
    /// A conda environment with this Python.
    Conda(&'static str),
    /// The same with `condabin` and `pkgs`, as an installation has.
    CondaRoot(&'static str),
    /// A pixi environment.
    Pixi(&'static str),
    /// A virtual environment of the standard library.
    Venv(&'static str),
    /// One of uv.
    UvVenv(&'static str),
    /// One of virtualenv 20.
    Virtualenv(&'static str),
    /// One of virtualenv before 20.
    OldVirtualenv,
    /// An installed Python whose DLL carries this number (`38`).
    Python(&'static str),
    /// The embeddable package of this number.
    Embedded(&'static str),
    /// A folder of packages.
    Site,
    /// The same on a system without drive letters: `lib/python3.x`.
    UnixVenv(&'static str),
    UnixPython(&'static str),
    /// A file with this content.
    File(&'static str),
    /// An empty folder.
    Folder,
}

/// A tree below which the drives or the root of a machine lie.
pub(crate) struct Tree {
    folder: tempfile::TempDir,
}

impl Tree {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { folder }
    }

    /// Builds a tree from a table; paths have slashes, and begin with the
    /// drive's letter where there are drives.
    pub(crate) fn of(table: &[(&str, Make)]) -> Self {
        let tree = Self::new();
        for (path, make) in table {
            tree.make(path, *make);
        }
        tree
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        path.split('/')
            .fold(self.folder.path().to_path_buf(), |whole, part| {
                whole.join(part)
            })
    }

    pub(crate) fn file(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(path, content).unwrap();
    }

    pub(crate) fn folder(&self, path: &str) {
        fs_err::create_dir_all(self.path(path)).unwrap();
    }

    pub(crate) fn make(&self, path: &str, make: Make) {
        let file = |name: &str, content: &str| self.file(&format!("{path}/{name}"), content);
        let folder = |name: &str| self.folder(&format!("{path}/{name}"));
        match make {
            Make::Conda(version) => {
                file("conda-meta/history", "==> 2022-06-01 12:00:00 <==\n");
                file(
                    &format!("conda-meta/python-{version}-h6244533_0.json"),
                    "{}",
                );
                file("python.exe", "MZ");
                folder("Lib/site-packages");
                folder("Library/bin");
            }
            Make::CondaRoot(version) => {
                self.make(path, Make::Conda(version));
                file("condabin/conda.bat", "");
                file("pkgs/urls.txt", "");
            }
            Make::Pixi(version) => {
                self.make(path, Make::Conda(version));
                file("conda-meta/pixi", "{}");
            }
            Make::Venv(version) => self.venv(path, &format!("version = {version}\n")),
            Make::UvVenv(version) => {
                self.venv(path, &format!("uv = 0.5.1\nversion_info = {version}\n"));
                file("CACHEDIR.TAG", "");
            }
            Make::Virtualenv(version) => self.venv(
                path,
                &format!(
                    "virtualenv = 20.13.0\nversion_info = {version}.final.0\nversion = {version}\n"
                ),
            ),
            Make::OldVirtualenv => {
                file("Scripts/activate.bat", "");
                file("Scripts/python.exe", "MZ");
                file("Lib/orig-prefix.txt", "C:\\gone");
                folder("Lib/site-packages");
            }
            Make::Python(number) => {
                file("python.exe", "MZ");
                file(&format!("python{number}.dll"), "MZ");
                file("python3.dll", "MZ");
                folder("Lib/site-packages");
            }
            Make::Embedded(number) => {
                file("python.exe", "MZ");
                file(&format!("python{number}.dll"), "MZ");
                file(&format!("python{number}._pth"), "python.zip\n.\n");
            }
            Make::Site => file("demo-1.0.dist-info/METADATA", "Name: demo\nVersion: 1.0\n"),
            Make::UnixVenv(version) => {
                file(
                    "pyvenv.cfg",
                    &format!("home = /gone/bin\nversion = {version}\n"),
                );
                file("bin/python", "");
                folder(&format!("lib/python{}/site-packages", minor(version)));
            }
            Make::UnixPython(version) => {
                let minor = minor(version);
                file(&format!("bin/python{minor}"), "");
                file(
                    &format!("include/python{minor}/patchlevel.h"),
                    &format!("#define PY_MAJOR_VERSION 3\n#define PY_VERSION      \"{version}\"\n"),
                );
                folder(&format!("lib/python{minor}/site-packages"));
            }
            Make::File(content) => self.file(path, content),
            Make::Folder => self.folder(path),
        }
    }

    fn venv(&self, path: &str, config: &str) {
        let config = format!("home = C:\\gone\\Python\r\n{config}");
        self.file(&format!("{path}/pyvenv.cfg"), config);
        self.file(&format!("{path}/Scripts/python.exe"), "MZ");
        self.folder(&format!("{path}/Lib/site-packages"));
    }

    /// The Windows machine whose drives are the folders of these letters.
    pub(crate) fn windows(&self, letters: &str) -> Machine {
        let drives = letters
            .chars()
            .map(|letter| (letter, self.path(&letter.to_string())));
        Machine::mounted(drives).unwrap()
    }

    /// The machine whose root is the tree.
    pub(crate) fn rooted(&self, os: Os) -> Machine {
        Machine::rooted(os, self.folder.path())
    }

    /// A path as it was given to [`Tree::make`].
    pub(crate) fn name(&self, path: &Path) -> String {
        let below = path.strip_prefix(self.folder.path()).unwrap_or(path);
        below.to_string_lossy().replace('\\', "/")
    }

    /// Each environment as `path: kind name python`.
    pub(crate) fn found(&self, discovery: &Discovery) -> Vec<String> {
        let mut lines: Vec<String> = discovery
            .environments
            .iter()
            .map(|one| {
                let python = one.python.as_deref().unwrap_or("-");
                format!(
                    "{}: {} {} {python}",
                    self.name(&one.prefix),
                    one.kind,
                    one.name
                )
            })
            .collect();
        lines.sort();
        lines
    }

    /// Each skipped path as `path: reason`.
    pub(crate) fn skipped(&self, discovery: &Discovery) -> Vec<String> {
        let skipped = discovery.skipped.iter();
        let mut lines: Vec<String> = skipped
            .map(|one| format!("{}: {:?}", self.name(&one.path), one.reason))
            .collect();
        lines.sort();
        lines
    }

    /// Every file and folder of the tree, with length and time of change.
    pub(crate) fn state(&self) -> BTreeMap<PathBuf, (u64, std::time::SystemTime)> {
        let mut state = BTreeMap::new();
        let mut pending = vec![self.folder.path().to_path_buf()];
        while let Some(path) = pending.pop() {
            let metadata = fs_err::symlink_metadata(&path).unwrap();
            if metadata.is_dir() {
                for entry in fs_err::read_dir(&path).unwrap() {
                    pending.push(entry.unwrap().path());
                }
            }
            state.insert(path, (metadata.len(), metadata.modified().unwrap()));
        }
        state
    }
}

fn minor(version: &str) -> String {
    version.splitn(3, '.').take(2).collect::<Vec<_>>().join(".")
}

/// Looks around with one thread, and with four: the answer must not depend on
/// the order of work.
pub(crate) fn look(machine: &Machine, options: DiscoverOptions) -> Discovery {
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        discover(machine, options, &pool, &|| false)
    };
    let (one, four) = (with(1), with(4));
    assert_eq!(one.environments.len(), four.environments.len());
    for (one, four) in one.environments.iter().zip(&four.environments) {
        assert_eq!(one, four);
    }
    assert_eq!(one.skipped, four.skipped);
    assert_eq!(one.looked.folders, four.looked.folders);
    assert!(one.complete);
    one
}

/// The default look at a machine.
pub(crate) fn default_look(machine: &Machine) -> Discovery {
    look(machine, DiscoverOptions::new())
}

/// A disk on which some paths cannot be read: tests run as a user who may
/// read everything.
#[derive(Clone, Debug, Default)]
pub(crate) struct Troubled {
    /// Folders and files that may not be read.
    pub(crate) denied: Vec<PathBuf>,
    /// Folders and files that lie in cloud storage: reading one fails the test.
    pub(crate) in_cloud: Vec<PathBuf>,
    /// Paths that lie on another volume.
    pub(crate) mounted: Vec<PathBuf>,
    /// How many folders were read.
    pub(crate) folders: Arc<AtomicU64>,
}

impl Troubled {
    fn check(&self, path: &Path) -> io::Result<()> {
        let in_cloud = self.in_cloud.iter().any(|cloud| path.starts_with(cloud));
        assert!(!in_cloud, "{} would be downloaded", path.display());
        let denied = self.denied.iter().any(|denied| path.starts_with(denied));
        if denied {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        Ok(())
    }
}

impl Disk for Troubled {
    fn read_folder(&self, path: &Path) -> io::Result<Folder> {
        self.folders.fetch_add(1, Ordering::Relaxed);
        self.check(path)?;
        let mut folder = LiveDisk.read_folder(path)?;
        for entry in &mut folder.entries {
            entry.placeholder = self.in_cloud.contains(&path.join(&entry.name));
        }
        Ok(folder)
    }

    fn open_file(&self, path: &Path) -> io::Result<Box<dyn Read + Send>> {
        if self.in_cloud.iter().any(|cloud| cloud == path) {
            return Err(PLACEHOLDER.into());
        }
        self.check(path)?;
        LiveDisk.open_file(path)
    }

    fn identify(&self, folder: &Path) -> io::Result<FileId> {
        self.check(folder)?;
        let id = LiveDisk.identify(folder)?;
        let elsewhere = self
            .mounted
            .iter()
            .any(|mounted| folder.starts_with(mounted));
        let volume = id.volume() ^ u64::from(elsewhere);
        Ok(FileId::new(volume, id.index()))
    }
}

/// A disk that compares names without case, as Windows does, and knows short
/// names. It runs on a system that does neither.
#[derive(Clone, Debug, Default)]
pub(crate) struct CaseBlind {
    short: Vec<(&'static str, &'static str)>,
}

impl CaseBlind {
    pub(crate) fn with_short(mut self, short: &'static str, long: &'static str) -> Self {
        self.short.push((short, long));
        self
    }

    /// The path under which the system knows it; one that is not there stays.
    fn real(&self, path: &Path) -> PathBuf {
        path.components().fold(PathBuf::new(), |real, part| {
            let part = part.as_os_str();
            if real.join(part).exists() {
                return real.join(part);
            }
            let long = |(short, long): &(&'static str, &'static str)| {
                part.eq_ignore_ascii_case(short).then_some(*long)
            };
            let wanted = self.short.iter().find_map(long).map_or(part, AsRef::as_ref);
            let listed = fs_err::read_dir(&real).into_iter().flatten().flatten();
            let mut names = listed.map(|entry| entry.file_name());
            let name = names.find(|name| name.eq_ignore_ascii_case(wanted));
            real.join(name.as_deref().unwrap_or(wanted))
        })
    }
}

impl Disk for CaseBlind {
    fn read_folder(&self, path: &Path) -> io::Result<Folder> {
        let mut folder = LiveDisk.read_folder(&self.real(path))?;
        folder.path = path.to_path_buf();
        Ok(folder)
    }

    fn open_file(&self, path: &Path) -> io::Result<Box<dyn Read + Send>> {
        LiveDisk.open_file(&self.real(path))
    }

    fn identify(&self, folder: &Path) -> io::Result<FileId> {
        LiveDisk.identify(&self.real(folder))
    }
}
