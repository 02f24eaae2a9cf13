//! Trees of files from a table: folders, text, images, hard links, symbolic links, and the records
//! that package managers keep.
//!
//! ```
//! use fixnvpe_tests::fixtures;
//! use fixnvpe_tests::tree::Tree;
//!
//! # fn main() -> std::io::Result<()> {
//! let folder = tempfile::tempdir()?;
//! Tree::default()
//!     .text("venv/pyvenv.cfg", "home = C:\\Python38\nversion = 3.8.10\n")
//!     .fixture("venv/Lib/site-packages/xgboost/lib/xgboost.dll", "xgboost.dll")
//!     .distribution("venv/Lib/site-packages", "xgboost", "1.6.2", ["xgboost/lib/xgboost.dll"])
//!     .hard_link("cache/xgboost.dll", "venv/Lib/site-packages/xgboost/lib/xgboost.dll")
//!     .build_in(folder.path())?;
//! assert!(folder.path().join("cache/xgboost.dll").is_file());
//! # Ok(())
//! # }
//! ```
//!
//! Paths are relative to the folder that the tree is built in, with `/` between names; folders
//! above an entry come by themselves. Entries are made in their order, so that a link or a record
//! may name what stands before it.

mod home;
mod record;

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use crate::fixtures;
use crate::image::Layout;

pub use self::home::windows_home;
pub use self::record::{sha256, urlsafe_base64};

/// One entry of a tree.
#[derive(Debug, Clone)]
enum Entry {
    Folder,
    Bytes(Vec<u8>),
    Image(Box<Layout>),
    Fixture(String),
    HardLink(PathBuf),
    Symlink(PathBuf),
    Distribution(record::Distribution),
    CondaPackage(record::CondaPackage),
}

/// A tree of files as a table.
#[derive(Debug, Clone, Default)]
pub struct Tree {
    entries: Vec<(PathBuf, Entry)>,
}

impl Tree {
    fn with(mut self, path: impl AsRef<Path>, entry: Entry) -> Self {
        self.entries.push((path.as_ref().to_path_buf(), entry));
        self
    }

    /// An empty folder.
    #[must_use]
    pub fn folder(self, path: impl AsRef<Path>) -> Self {
        self.with(path, Entry::Folder)
    }

    /// A text file.
    #[must_use]
    pub fn text(self, path: impl AsRef<Path>, text: &str) -> Self {
        self.with(path, Entry::Bytes(text.as_bytes().to_vec()))
    }

    /// A file with these bytes.
    #[must_use]
    pub fn bytes(self, path: impl AsRef<Path>, bytes: impl Into<Vec<u8>>) -> Self {
        self.with(path, Entry::Bytes(bytes.into()))
    }

    /// An image.
    #[must_use]
    pub fn image(self, path: impl AsRef<Path>, layout: &Layout) -> Self {
        self.with(path, Entry::Image(Box::new(layout.clone())))
    }

    /// The fixture with this name (see [`fixtures::named`]), under any file name.
    #[must_use]
    pub fn fixture(self, path: impl AsRef<Path>, name: &str) -> Self {
        self.with(path, Entry::Fixture(name.to_owned()))
    }

    /// A second name of a file that stands before it.
    #[must_use]
    pub fn hard_link(self, path: impl AsRef<Path>, to: impl AsRef<Path>) -> Self {
        self.with(path, Entry::HardLink(to.as_ref().to_path_buf()))
    }

    /// A symbolic link with exactly this target, which need not exist.
    #[must_use]
    pub fn symlink(self, path: impl AsRef<Path>, target: impl AsRef<Path>) -> Self {
        self.with(path, Entry::Symlink(target.as_ref().to_path_buf()))
    }

    /// A `dist-info` folder in a site-packages folder whose `RECORD` lists these files of it, with
    /// the hashes that they have at this point.
    #[must_use]
    pub fn distribution<P: AsRef<str>>(
        self,
        site_packages: impl AsRef<Path>,
        name: &str,
        version: &str,
        files: impl IntoIterator<Item = P>,
    ) -> Self {
        let distribution = record::Distribution::new(name, version, files);
        self.with(site_packages, Entry::Distribution(distribution))
    }

    /// A record in the `conda-meta` folder of a prefix that lists these files of it, with the
    /// hashes that they have at this point.
    #[must_use]
    pub fn conda_package<P: AsRef<str>>(
        self,
        prefix: impl AsRef<Path>,
        name: &str,
        version: &str,
        files: impl IntoIterator<Item = P>,
    ) -> Self {
        let package = record::CondaPackage::new(name, version, files);
        self.with(prefix, Entry::CondaPackage(package))
    }

    /// All entries of another tree behind these, below a folder.
    #[must_use]
    pub fn tree(mut self, below: impl AsRef<Path>, other: Self) -> Self {
        let below = below.as_ref();
        for (path, entry) in other.entries {
            let entry = match entry {
                Entry::HardLink(to) => Entry::HardLink(below.join(to)),
                entry => entry,
            };
            self.entries.push((below.join(path), entry));
        }
        self
    }

    /// The paths of all fixtures in the tree, their hard links included, with the fixtures' names.
    #[must_use]
    pub fn fixtures(&self) -> BTreeMap<PathBuf, String> {
        let mut names = BTreeMap::new();
        for (path, entry) in &self.entries {
            let name = match entry {
                Entry::Fixture(name) => Some(name.clone()),
                Entry::HardLink(to) => names.get(to).cloned(),
                _ => None,
            };
            names.extend(name.map(|name| (path.clone(), name)));
        }
        names
    }

    /// Makes the tree in a folder that exists.
    ///
    /// # Errors
    ///
    /// When an entry cannot be made; what stands before it stays.
    pub fn build_in(&self, root: &Path) -> io::Result<()> {
        for (path, entry) in &self.entries {
            let path = root.join(path);
            if let Some(parent) = path.parent() {
                fs_err::create_dir_all(parent)?;
            }
            match entry {
                Entry::Folder => fs_err::create_dir_all(&path)?,
                Entry::Bytes(bytes) => fs_err::write(&path, bytes)?,
                Entry::Image(layout) => layout.write_to(&path)?,
                Entry::Fixture(name) => fixtures::named(name).assemble()?.write_to(&path)?,
                Entry::HardLink(to) => fs_err::hard_link(root.join(to), &path)?,
                Entry::Symlink(target) => symlink(target, &path)?,
                Entry::Distribution(distribution) => distribution.write(&path)?,
                Entry::CondaPackage(package) => package.write(&path)?,
            }
        }
        Ok(())
    }
}

#[cfg(unix)]
fn symlink(target: &Path, path: &Path) -> io::Result<()> {
    fs_err::os::unix::fs::symlink(target, path)
}

/// Windows tells links to folders from links to files; one without a target is a link to a file.
#[cfg(windows)]
fn symlink(target: &Path, path: &Path) -> io::Result<()> {
    let parent = path.parent().unwrap_or(path);
    if parent.join(target).is_dir() {
        fs_err::os::windows::fs::symlink_dir(target, path)
    } else {
        fs_err::os::windows::fs::symlink_file(target, path)
    }
}

#[cfg(test)]
mod tests;
