//! One look around: every folder read once, everything unreadable noted.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use fixnvpe_files::{Entry, FileId, Folder, Kind};

use super::names::{Case, is_pattern};
use super::{Disk, PLACEHOLDER, text};
use crate::{SkipReason, Skipped};

/// What came of reading a folder.
#[derive(Clone, Debug)]
pub(crate) enum Listed {
    /// It was read.
    Folder(Arc<Folder>),
    /// It is there and could not be read; that has been noted.
    Unreadable,
    /// There is no such folder.
    Missing,
}

/// Reads through a [`Disk`], counts, keeps what it read, and notes what it
/// could not read.
#[derive(Debug)]
pub(crate) struct Reader<'d> {
    disk: &'d dyn Disk,
    case: Case,
    listings: Mutex<HashMap<PathBuf, Arc<OnceLock<Listed>>>>,
    skipped: Mutex<BTreeMap<(PathBuf, SkipReason), Skipped>>,
    folders: AtomicU64,
    files: AtomicU64,
}

impl<'d> Reader<'d> {
    pub(crate) fn new(disk: &'d dyn Disk, case: Case) -> Self {
        Self {
            disk,
            case,
            listings: Mutex::default(),
            skipped: Mutex::default(),
            folders: AtomicU64::new(0),
            files: AtomicU64::new(0),
        }
    }

    pub(crate) fn case(&self) -> Case {
        self.case
    }

    /// How many folders and files have been opened so far.
    pub(crate) fn opened(&self) -> (u64, u64) {
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        (count(&self.folders), count(&self.files))
    }

    /// Notes what was not looked at. Several ways may lead to one path: it is
    /// noted once a reason, whoever came first.
    pub(crate) fn skip(&self, skipped: Skipped) {
        let key = (skipped.path.clone(), skipped.reason);
        lock(&self.skipped)
            .entry(key)
            .and_modify(|noted| {
                if skipped.detail < noted.detail {
                    noted.detail.clone_from(&skipped.detail);
                }
            })
            .or_insert(skipped);
    }

    pub(crate) fn into_skipped(self) -> Vec<Skipped> {
        let skipped = self.skipped.into_inner();
        let skipped = skipped.unwrap_or_else(PoisonError::into_inner);
        skipped.into_values().collect()
    }

    /// Reads a folder, or remembers what it held.
    pub(crate) fn list(&self, path: &Path) -> Listed {
        let slot = {
            let mut listings = lock(&self.listings);
            match listings.get(path) {
                Some(slot) => Arc::clone(slot),
                None => Arc::clone(listings.entry(path.to_path_buf()).or_default()),
            }
        };
        slot.get_or_init(|| self.read(path)).clone()
    }

    /// Like [`list`](Self::list), without keeping what was read: a walk over a
    /// whole disk reads more folders than memory should hold.
    pub(crate) fn list_in_passing(&self, path: &Path) -> Listed {
        let known = lock(&self.listings).get(path).map(Arc::clone);
        match known {
            Some(slot) => slot.get_or_init(|| self.read(path)).clone(),
            None => self.read(path),
        }
    }

    /// Keeps a folder that was read in passing.
    pub(crate) fn keep(&self, folder: &Arc<Folder>) {
        let mut listings = lock(&self.listings);
        let slot = listings.entry(folder.path.clone()).or_default();
        slot.get_or_init(|| Listed::Folder(Arc::clone(folder)));
    }

    fn read(&self, path: &Path) -> Listed {
        self.folders.fetch_add(1, Ordering::Relaxed);
        match self.disk.read_folder(path) {
            Ok(folder) => {
                for failure in &folder.failures {
                    if let Some(skipped) = Skipped::from_error(path, failure) {
                        self.skip(skipped);
                    }
                }
                Listed::Folder(Arc::new(folder))
            }
            Err(error) => self.note(path, &error),
        }
    }

    fn note(&self, path: &Path, error: &io::Error) -> Listed {
        match Skipped::from_error(path, error) {
            Some(skipped) => {
                self.skip(skipped);
                Listed::Unreadable
            }
            None => Listed::Missing,
        }
    }

    /// The folder's entries, where it could be read.
    pub(crate) fn folder(&self, path: &Path) -> Option<Arc<Folder>> {
        match self.list(path) {
            Listed::Folder(folder) => Some(folder),
            Listed::Unreadable | Listed::Missing => None,
        }
    }

    /// The identity of a folder, links followed; notes why there is none.
    pub(crate) fn identify(&self, path: &Path) -> Option<FileId> {
        match self.disk.identify(path) {
            Ok(id) => Some(id),
            Err(error) => {
                self.note(path, &error);
                None
            }
        }
    }

    /// The path of one entry, whatever the case in which it is written, as the
    /// disk spells it. A name that was *given* may be a link.
    pub(crate) fn child(&self, folder: &Path, name: &str) -> Option<PathBuf> {
        if self.case == Case::Exact {
            return Some(folder.join(name));
        }
        let listing = self.folder(folder)?;
        match find(&listing, name, self.case) {
            Some(entry) => self.usable(folder, entry),
            // A short name such as `RUNNER~1` stands in no listing.
            None if name.contains('~') => Some(self.long_name(&listing, folder.join(name))),
            None => None,
        }
    }

    /// The folder that a short name stands for, as the listing spells it.
    fn long_name(&self, listing: &Folder, short: PathBuf) -> PathBuf {
        let Ok(id) = self.disk.identify(&short) else {
            return short;
        };
        let folders = listing.entries.iter();
        let mut folders = folders
            .filter(|entry| entry.kind == Kind::Folder && !entry.placeholder)
            .map(|entry| listing.path.join(&entry.name));
        let long = folders.find(|path| self.disk.identify(path).is_ok_and(|other| other == id));
        long.unwrap_or(short)
    }

    fn usable(&self, folder: &Path, entry: &Entry) -> Option<PathBuf> {
        let path = folder.join(&entry.name);
        if entry.placeholder && entry.kind == Kind::Folder {
            self.skip_placeholder(path);
            return None;
        }
        Some(path)
    }

    pub(crate) fn skip_placeholder(&self, path: PathBuf) {
        let detail = "it lies in cloud storage and is not opened";
        self.skip(Skipped::new(path, SkipReason::CloudPlaceholder, detail));
    }

    /// The path that `parts` spell below `base`. What may not be listed can
    /// often be passed through, so there the names are taken as they are.
    pub(crate) fn resolve<'p>(
        &self,
        base: &Path,
        parts: impl IntoIterator<Item = &'p str>,
    ) -> Option<PathBuf> {
        parts
            .into_iter()
            .try_fold(base.to_path_buf(), |path, part| {
                match (self.case, self.list(&path)) {
                    (Case::Ignored, Listed::Unreadable) => Some(path.join(part)),
                    _ => self.child(&path, part),
                }
            })
    }

    /// Every folder below `base` that fits the pattern's parts. A part without
    /// wildcards is a name that was given; what a wildcard fits is a folder, no
    /// link.
    pub(crate) fn expand(&self, base: &Path, parts: &[&str]) -> Vec<PathBuf> {
        let mut found = vec![base.to_path_buf()];
        for part in parts {
            found = found
                .iter()
                .flat_map(|path| {
                    if is_pattern(part) {
                        self.folders_like(path, part)
                    } else {
                        self.child(path, part).into_iter().collect()
                    }
                })
                .collect();
        }
        found
    }

    fn folders_like(&self, path: &Path, pattern: &str) -> Vec<PathBuf> {
        let Some(listing) = self.folder(path) else {
            return Vec::new();
        };
        listing
            .entries
            .iter()
            .filter(|entry| entry.kind == Kind::Folder && self.case.fits(&entry.name, pattern))
            .filter_map(|entry| self.usable(path, entry))
            .collect()
    }

    /// Reads a text file of at most `limit` bytes. A longer one is no such
    /// file: it is noted, not read.
    pub(crate) fn text(&self, path: &Path, limit: u64) -> Option<String> {
        let bytes = self.start(path, limit + 1)?;
        if bytes.len() as u64 > limit {
            let detail = format!("it is longer than {limit} bytes");
            self.skip(Skipped::new(path, SkipReason::TooLarge, detail));
            return None;
        }
        Some(text::decode(&bytes))
    }

    /// Reads the start of a file: at most `limit` bytes.
    pub(crate) fn start(&self, path: &Path, limit: u64) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        let read = self
            .open(path)?
            .take(limit)
            .read_to_end(&mut bytes)
            .map_err(|error| self.note(path, &error));
        read.is_ok().then_some(bytes)
    }

    /// Opens a file, or notes why not.
    pub(crate) fn open(&self, path: &Path) -> Option<Box<dyn Read + Send>> {
        self.files.fetch_add(1, Ordering::Relaxed);
        match self.disk.open_file(path) {
            Ok(file) => Some(file),
            Err(error) if error.kind() == PLACEHOLDER => {
                self.skip_placeholder(path.to_path_buf());
                None
            }
            Err(error) => {
                self.note(path, &error);
                None
            }
        }
    }
}

/// The entry of this name: the one spelled so, else one that the machine takes
/// for the same.
pub(crate) fn find<'f>(folder: &'f Folder, name: &str, case: Case) -> Option<&'f Entry> {
    let exact = folder.entries.iter().find(|entry| entry.name == name);
    exact.or_else(|| {
        let same = |entry: &&Entry| case.same(&entry.name, name);
        folder.entries.iter().find(same)
    })
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // What a panicking thread left behind is whole: each lock guards one step.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
