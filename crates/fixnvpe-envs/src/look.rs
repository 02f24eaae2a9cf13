//! A look around one machine: what every source shares.

mod homes;
mod paths;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

pub(crate) use self::homes::UserFolders;
use crate::disk::reader::{Listed, Reader};
use crate::{Machine, Os, SkipReason, Skipped};

/// The machine, a reader of its disks, and the folders that other places are
/// named after.
pub(crate) struct Look<'m> {
    pub(crate) machine: &'m Machine,
    pub(crate) reader: Reader<'m>,
    pub(crate) homes: Vec<UserFolders>,
    /// The current folder, as the disk spells it.
    pub(crate) current_folder: Option<PathBuf>,
    places: AtomicU64,
    cancelled: &'m (dyn Fn() -> bool + Sync),
}

impl<'m> Look<'m> {
    pub(crate) fn new(machine: &'m Machine, cancelled: &'m (dyn Fn() -> bool + Sync)) -> Self {
        let reader = Reader::new(machine.disk.as_ref(), machine.case());
        let mut look = Self {
            machine,
            reader,
            homes: Vec::new(),
            current_folder: None,
            places: AtomicU64::new(0),
            cancelled,
        };
        look.note_missing_drives();
        look.homes = homes::find(&look);
        let current = machine.current_folder.as_deref();
        look.current_folder = current.map(|folder| look.as_on_disk(folder));
        look
    }

    /// A drive that was given and is not there would otherwise look empty.
    fn note_missing_drives(&self) {
        for root in self.fixed_drives() {
            if matches!(self.reader.list(root), Listed::Missing) {
                let detail = "there is no such folder";
                let skipped = Skipped::new(root, SkipReason::DriveMissing, detail);
                self.reader.skip(skipped);
            }
        }
    }

    pub(crate) fn cancelled(&self) -> bool {
        (self.cancelled)()
    }

    /// Counts one more place that was looked in.
    pub(crate) fn count_place(&self) {
        self.places.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn places(&self) -> u64 {
        self.places.load(Ordering::Relaxed)
    }

    pub(crate) fn is_windows(&self) -> bool {
        self.machine.os() == Os::Windows
    }

    /// The roots of the built-in drives.
    pub(crate) fn fixed_drives(&self) -> impl Iterator<Item = &Path> {
        let drives = self.machine.drives.iter();
        drives
            .filter(|drive| drive.fixed)
            .map(|drive| drive.root.as_path())
    }

    /// `names` below each built-in drive, where they exist.
    fn on_each_drive(&self, names: &[&str]) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for root in self.fixed_drives() {
            found.extend(
                names
                    .iter()
                    .filter_map(|name| self.reader.child(root, name)),
            );
        }
        found
    }
}
