//! Every user's home, the caller's and the others'.

use std::path::{Path, PathBuf};

use fixnvpe_files::Kind;

use super::Look;
use crate::Os;
use crate::disk::reader::Listed;
use crate::machine::Home;

/// Where one user's programs put their data. A list has more than one folder
/// where a system has more than one such place.
#[derive(Clone, Debug)]
pub(crate) struct UserFolders {
    pub(crate) home: PathBuf,
    pub(crate) own: bool,
    /// `%LOCALAPPDATA%`, and where the Store's Python sees it.
    pub(crate) local: Vec<PathBuf>,
    /// `%APPDATA%`, and where the Store's Python sees it.
    pub(crate) roaming: Vec<PathBuf>,
    /// `XDG_DATA_HOME`.
    pub(crate) data: Vec<PathBuf>,
    /// `XDG_CACHE_HOME`.
    pub(crate) cache: Vec<PathBuf>,
    /// `XDG_CONFIG_HOME`.
    pub(crate) config: Vec<PathBuf>,
    /// Desktop, Documents and Downloads outside the home.
    pub(crate) moved: Vec<PathBuf>,
}

/// Finds the homes that can be read, the caller's own first. One that cannot
/// is noted by the reader, and left alone: each place in it would only be
/// noted once more.
pub(super) fn find(look: &Look<'_>) -> Vec<UserFolders> {
    let mut homes: Vec<Home> = Vec::new();
    let given = look.machine.homes.iter().map(|home| Home {
        folder: on_disk(look, &home.folder),
        ..home.clone()
    });
    let others = folders_of_homes(look)
        .into_iter()
        .map(|folder| Home::at(&folder));
    for home in given.chain(others) {
        if !homes.iter().any(|known| known.folder == home.folder) {
            homes.push(home);
        }
    }
    homes
        .iter()
        .filter(|home| matches!(look.reader.list(&home.folder), Listed::Folder(_)))
        .map(|home| user_folders(look, home))
        .collect()
}

/// A path that this machine names as the disk spells it.
fn on_disk(look: &Look<'_>, path: &Path) -> PathBuf {
    let shown = fixnvpe_files::shown(path);
    let found = || {
        let (root, parts) = look.machine.locate(shown.to_str()?).ok()?;
        look.reader.resolve(&root, parts.iter().map(String::as_str))
    };
    found().unwrap_or(shown)
}

fn folders_of_homes(look: &Look<'_>) -> Vec<PathBuf> {
    let parents = match look.machine.os() {
        Os::Linux => look.on_each_drive(&["home"]),
        Os::Windows | Os::MacOs => look.on_each_drive(&["Users"]),
    };
    let mut homes: Vec<PathBuf> = Vec::new();
    for parent in parents {
        let Some(listing) = look.reader.folder(&parent) else {
            continue;
        };
        let folders = listing.entries.iter();
        let folders = folders.filter(|entry| entry.kind == Kind::Folder && !entry.placeholder);
        homes.extend(folders.map(|entry| parent.join(&entry.name)));
    }
    if look.machine.os() == Os::Linux {
        homes.extend(look.on_each_drive(&["root"]));
        homes.extend(homes_of_accounts(look));
    }
    homes
}

/// The homes that `/etc/passwd` names, of people and of accounts that run
/// services; not those that are a part of the system.
fn homes_of_accounts(look: &Look<'_>) -> Vec<PathBuf> {
    /// The longest account file that is read, in bytes.
    const LIMIT: u64 = 1 << 20;
    let Some(root) = look.fixed_drives().next() else {
        return Vec::new();
    };
    let Some(text) = look.reader.text(&root.join("etc/passwd"), LIMIT) else {
        return Vec::new();
    };
    let home = |line: &str| {
        let home = line.split(':').nth(5)?.strip_prefix('/')?;
        let first = home.split('/').next()?;
        let of_people = ["home", "opt", "srv", "data"].contains(&first);
        (of_people && home.contains('/')).then(|| root.join(home))
    };
    text.lines().filter_map(home).collect()
}

fn user_folders(look: &Look<'_>, home: &Home) -> UserFolders {
    let mut folders = UserFolders {
        home: home.folder.clone(),
        own: home.own,
        local: Vec::new(),
        roaming: Vec::new(),
        data: Vec::new(),
        cache: Vec::new(),
        config: Vec::new(),
        moved: home.moved.iter().map(|path| on_disk(look, path)).collect(),
    };
    if look.is_windows() {
        windows_folders(look, home, &mut folders);
    } else {
        unix_folders(look, home, &mut folders);
    }
    folders
}

fn windows_folders(look: &Look<'_>, home: &Home, folders: &mut UserFolders) {
    let reader = &look.reader;
    let below = |parts: [&str; 2]| reader.resolve(&home.folder, parts);
    let local = home.local.as_ref().map(|path| on_disk(look, path));
    let roaming = home.roaming.as_ref().map(|path| on_disk(look, path));
    folders
        .local
        .extend(local.or_else(|| below(["AppData", "Local"])));
    folders
        .roaming
        .extend(roaming.or_else(|| below(["AppData", "Roaming"])));
    // A Python from the Store writes into copies of these folders that Windows
    // keeps for it (cpython#85368).
    let Some(local) = folders.local.first().cloned() else {
        return;
    };
    let cache = ["Packages", "PythonSoftwareFoundation*", "LocalCache"];
    for cache in reader.expand(&local, &cache) {
        folders.local.extend(reader.child(&cache, "Local"));
        folders.roaming.extend(reader.child(&cache, "Roaming"));
    }
}

fn unix_folders(look: &Look<'_>, home: &Home, folders: &mut UserFolders) {
    let below = |path: &str| home.folder.join(path);
    let or = |moved: &Option<PathBuf>, usual: &str| {
        let moved = moved.as_ref().map(|path| on_disk(look, path));
        moved.unwrap_or_else(|| below(usual))
    };
    folders.data.push(or(&home.data, ".local/share"));
    folders.cache.push(or(&home.cache, ".cache"));
    folders.config.push(or(&home.config, ".config"));
    if look.machine.os() == Os::MacOs {
        folders.data.push(below("Library/Application Support"));
        folders.cache.push(below("Library/Caches"));
    }
}
