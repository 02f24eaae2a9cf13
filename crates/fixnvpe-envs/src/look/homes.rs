//! Every user's home, the caller's and the others'.

use std::path::{Path, PathBuf};

use fixnvpe_files::Kind;

use super::Look;
use crate::disk::reader::Listed;
use crate::machine::Home;
use crate::{Os, SkipReason, Skipped};

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
        moved: home
            .moved
            .iter()
            .filter(|path| lies_here(look, path))
            .map(|path| on_disk(look, path))
            .collect(),
    };
    if look.is_windows() {
        windows_folders(look, home, &mut folders);
    } else {
        unix_folders(look, home, &mut folders);
    }
    folders
}

/// Whether a folder that was moved lies on a built-in drive. One on a server
/// would be gone through over the network, which nobody asked for: it is noted.
fn lies_here(look: &Look<'_>, path: &Path) -> bool {
    let shown = fixnvpe_files::shown(path);
    let root = shown
        .to_str()
        .and_then(|text| look.machine.locate(text).ok())
        .map(|(root, _)| root);
    // Elsewhere than on Windows paths have no drive, and nothing is moved.
    let here = root.is_some_and(|root| look.fixed_drives().any(|drive| root.starts_with(drive)));
    if !here {
        let detail = "a folder of the user that lies on no built-in drive";
        let skipped = Skipped::new(shown, SkipReason::Network, detail);
        look.reader.skip(skipped);
    }
    here
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Drive, Machine};

    #[test]
    fn a_folder_that_was_moved_to_a_server_is_noted_and_not_walked() {
        let disk = tempfile::tempdir().unwrap();
        let drive = |letter: &str| disk.path().join(letter);
        let folders = ["C/Users/Mei", "C/Desktop", "D/Documents", "N/Documents"];
        for folder in folders {
            fs_err::create_dir_all(disk.path().join(folder)).unwrap();
        }
        let letters = ['C', 'D', 'N'].map(|letter| (letter, drive(&letter.to_string())));
        let mut machine = Machine::mounted(letters).unwrap();
        let is_share = |drive: &&mut Drive| drive.letter == Some('N');
        machine.drives.iter_mut().find(is_share).unwrap().fixed = false;
        machine.homes.push(Home {
            own: true,
            moved: [
                r"C:\Desktop",
                r"D:\Documents",
                r"N:\Documents",
                r"\\nas\mei\Downloads",
                r"X:\Documents",
            ]
            .map(PathBuf::from)
            .to_vec(),
            ..Home::at(Path::new(r"C:\Users\Mei"))
        });
        let look = Look::new(&machine, &|| false);
        let own = look.homes.iter().find(|home| home.own).unwrap();
        assert_eq!(
            own.moved,
            [drive("C").join("Desktop"), drive("D").join("Documents")]
        );
        let skipped = look.reader.into_skipped();
        let mut network: Vec<String> = skipped
            .iter()
            .filter(|one| one.reason == SkipReason::Network)
            .map(|one| one.path.display().to_string())
            .collect();
        network.sort();
        let expected = [r"N:\Documents", r"X:\Documents", r"\\nas\mei\Downloads"];
        assert_eq!(network, expected);
    }
}
