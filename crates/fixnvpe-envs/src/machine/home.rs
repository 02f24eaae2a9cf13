//! A user's home, and the folders of it that programs put their data in.

use std::path::{Path, PathBuf};

/// One user's folders. What is `None` stands where the system puts it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Home {
    /// The home itself.
    pub(crate) folder: PathBuf,
    /// Whether it is the home of whoever started the program: the process's
    /// variables speak of this one alone.
    pub(crate) own: bool,
    /// `%LOCALAPPDATA%`.
    pub(crate) local: Option<PathBuf>,
    /// `%APPDATA%`.
    pub(crate) roaming: Option<PathBuf>,
    /// `XDG_DATA_HOME`.
    pub(crate) data: Option<PathBuf>,
    /// `XDG_CACHE_HOME`.
    pub(crate) cache: Option<PathBuf>,
    /// `XDG_CONFIG_HOME`.
    pub(crate) config: Option<PathBuf>,
    /// Desktop, Documents and Downloads, where they were moved elsewhere.
    pub(crate) moved: Vec<PathBuf>,
}

impl Home {
    pub(crate) fn at(folder: &Path) -> Self {
        Self {
            folder: folder.to_path_buf(),
            ..Self::default()
        }
    }
}
