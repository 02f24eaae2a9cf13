//! Who owns the files that can be images.

use std::collections::HashMap;

use super::record::File;

/// More images than any environment has: what is recorded beyond is not kept.
const MOST: usize = 1_000_000;

/// A claim of one record on one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Owned {
    /// The number of the record.
    pub(super) record: usize,
    pub(super) sha256: Option<[u8; 32]>,
    pub(super) size: Option<u64>,
}

/// Files, by key.
#[derive(Debug, Default)]
pub(super) struct Index {
    files: HashMap<String, Vec<Owned>>,
    full: bool,
}

impl Index {
    /// Takes in what a record says about a file. conda lists a file twice in
    /// one record, with and without its hash: that is one claim.
    pub(super) fn add(&mut self, record: usize, file: File) {
        if self.files.len() >= MOST {
            self.full = true;
            return;
        }
        let owners = self.files.entry(file.key).or_default();
        match owners.iter_mut().find(|owned| owned.record == record) {
            Some(owned) => {
                owned.sha256 = owned.sha256.or(file.sha256);
                owned.size = owned.size.or(file.size);
            }
            None => owners.push(Owned {
                record,
                sha256: file.sha256,
                size: file.size,
            }),
        }
    }

    /// Whether there were more files than are kept.
    pub(super) fn is_full(&self) -> bool {
        self.full
    }

    pub(super) fn owners(&self, key: &str) -> Vec<Owned> {
        self.files.get(key).cloned().unwrap_or_default()
    }
}
