//! A disk in memory that stops where a test says: it counts every operation,
//! fails one of them, or crashes at one of them and loses, keeps or tears what
//! was never synced.
//!
//! It is as strict as Windows: a file that is open exclusively, or mapped by a
//! process, cannot be replaced, removed or opened for writing.

mod handle;
mod names;
mod reboot;
mod system;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use fixnvpe_files::{Exposure, Process};

use crate::collect::{Candidate, Collection};
use crate::report::Links;

/// What goes wrong, and when.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Fault {
    #[default]
    None,
    /// The machine stops at this operation.
    Crash(u64),
    /// This operation fails with an error of this kind; the others work.
    Error(u64, io::ErrorKind),
    /// So many operations from this one on fail so.
    Errors(u64, u64, io::ErrorKind),
    /// Right before this operation another program does something.
    Meanwhile(u64, Meddling),
}

/// What another program does to `/a/x.dll` while a job runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meddling {
    /// It changes the last byte, in place.
    Write,
    /// It puts a file of this content under the name.
    Replace(&'static [u8]),
    /// It gives the file the name `/late/x.dll`.
    Link,
}

/// What becomes of bytes and names that were never synced.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Unsynced {
    Lost,
    Kept,
    /// Each byte for itself, by a generator that starts from this.
    Torn(u64),
}

/// One file, whatever its names.
#[derive(Clone, Debug, Default)]
struct Inode {
    bytes: Vec<u8>,
    /// What is on the platters.
    durable: Vec<u8>,
    /// Where `bytes` was written since: ranges of offsets.
    pending: Vec<(usize, usize)>,
    read_only: bool,
    /// Whether it only looks like a file.
    alias: bool,
    modified: u64,
}

/// How names are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Spelling {
    #[default]
    Exact,
    InAnyCase,
}

type Names = BTreeMap<PathBuf, u64>;

#[derive(Debug, Default)]
struct Inner {
    inodes: BTreeMap<u64, Inode>,
    names: Names,
    /// Every state of the names since the last one that is durable.
    history: Vec<Names>,
    next: u64,
    clock: u64,
    fault: Fault,
    operations: u64,
    crashed: bool,
    mapped: BTreeSet<u64>,
    held: BTreeSet<u64>,
    holds_copies: bool,
    /// Who has mapped or opened files.
    holders: Vec<Process>,
    exclusive: BTreeSet<u64>,
    locked: BTreeSet<PathBuf>,
    free: Option<u64>,
    exposure: Option<Exposure>,
    no_links: bool,
    names_are: Spelling,
    meddled_with: Option<Vec<u8>>,
}

/// The disk. Clones are the same disk.
#[derive(Clone, Debug, Default)]
pub(crate) struct MemoryDisk(Arc<Mutex<Inner>>);

impl MemoryDisk {
    pub(crate) fn new() -> Self {
        let disk = Self::default();
        disk.inner().history.push(Names::new());
        disk
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap()
    }

    /// From now on names that differ in case alone are one.
    pub(crate) fn ignore_case(&self) {
        self.inner().names_are = Spelling::InAnyCase;
    }

    /// Puts a file there, durably.
    pub(crate) fn put(&self, path: &str, bytes: &[u8]) {
        let mut inner = self.inner();
        let inode = inner.create(bytes);
        inner.names.insert(path.into(), inode);
        inner.settle_names();
    }

    /// Gives a file another name, durably.
    pub(crate) fn link(&self, original: &str, link: &str) {
        let mut inner = self.inner();
        let inode = inner.names[Path::new(original)];
        inner.names.insert(link.into(), inode);
        inner.settle_names();
    }

    pub(crate) fn get(&self, path: &str) -> Option<Vec<u8>> {
        let inner = self.inner();
        let inode = inner.names.get(Path::new(path))?;
        Some(inner.inodes[inode].bytes.clone())
    }

    pub(crate) fn inode(&self, path: &str) -> Option<u64> {
        self.inner().names.get(Path::new(path)).copied()
    }

    pub(crate) fn erase(&self, path: &str) {
        let mut inner = self.inner();
        inner.names.remove(Path::new(path));
        inner.settle_names();
    }

    pub(crate) fn set_attribute(&self, path: &str, read_only: bool) {
        let mut inner = self.inner();
        let inode = inner.names[Path::new(path)];
        inner.inodes.get_mut(&inode).unwrap().read_only = read_only;
    }

    /// Makes a file something that a listing takes for one.
    pub(crate) fn make_alias(&self, path: &str) {
        let mut inner = self.inner();
        let inode = inner.find(Path::new(path)).unwrap();
        inner.inodes.get_mut(&inode).unwrap().alias = true;
    }

    pub(crate) fn attribute(&self, path: &str) -> bool {
        let inner = self.inner();
        inner.inodes[&inner.names[Path::new(path)]].read_only
    }

    pub(crate) fn modified(&self, path: &str) -> u64 {
        let inner = self.inner();
        inner.inodes[&inner.names[Path::new(path)]].modified
    }

    /// A process maps the file as an image, or ends.
    pub(crate) fn map(&self, path: &str, mapped: bool) {
        let mut inner = self.inner();
        let inode = inner.names[Path::new(path)];
        if mapped {
            inner.mapped.insert(inode);
        } else {
            inner.mapped.remove(&inode);
        }
    }

    /// Another program opens the file and lets nobody else open it, until
    /// everything is released.
    pub(crate) fn hold(&self, path: &str) {
        let mut inner = self.inner();
        let inode = inner.names[Path::new(path)];
        inner.held.insert(inode);
    }

    /// Says which programs use what is in use.
    pub(crate) fn set_holders(&self, holders: &[Process]) {
        self.inner().holders = holders.to_vec();
    }

    /// Another program opens every copy as soon as it is made.
    pub(crate) fn hold_copies(&self) {
        self.inner().holds_copies = true;
    }

    /// Every other program lets go of every file.
    pub(crate) fn release_all(&self) {
        let mut inner = self.inner();
        inner.mapped.clear();
        inner.held.clear();
        inner.holds_copies = false;
    }

    pub(crate) fn unmap_all(&self) {
        self.inner().mapped.clear();
    }

    /// Folders that should be administrators' own are not.
    pub(crate) fn expose_folders(&self, exposure: Exposure) {
        self.inner().exposure = Some(exposure);
    }

    pub(crate) fn limit_space(&self, free: u64) {
        self.inner().free = Some(free);
    }

    pub(crate) fn forbid_links(&self) {
        self.inner().no_links = true;
    }

    pub(crate) fn hold_lock(&self, path: &str) {
        self.inner().locked.insert(path.into());
    }

    /// What the file held when another program did something to it.
    pub(crate) fn meddled_with(&self) -> Option<Vec<u8>> {
        self.inner().meddled_with.clone()
    }

    pub(crate) fn names(&self) -> Vec<String> {
        let inner = self.inner();
        let names = inner.names.keys();
        names.map(|name| name.display().to_string()).collect()
    }

    pub(crate) fn break_at(&self, fault: Fault) {
        let mut inner = self.inner();
        inner.fault = fault;
        inner.operations = 0;
    }

    /// How many operations there were since [`break_at`](Self::break_at).
    pub(crate) fn operations(&self) -> u64 {
        self.inner().operations
    }

    pub(crate) fn has_crashed(&self) -> bool {
        self.inner().crashed
    }

    /// Everything that is on the disk: to be compared with another moment.
    pub(crate) fn snapshot(&self) -> BTreeMap<PathBuf, (u64, Vec<u8>)> {
        let inner = self.inner();
        let names = inner.names.iter();
        names
            .map(|(name, inode)| {
                let bytes = inner.inodes[inode].bytes.clone();
                (name.clone(), (*inode, bytes))
            })
            .collect()
    }

    /// The files of a job, as collecting them would find them now: names of one
    /// file together, names that are missing left out.
    pub(crate) fn collection<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Collection {
        let inner = self.inner();
        let mut files: BTreeMap<u64, Vec<PathBuf>> = BTreeMap::new();
        for name in names {
            if let Ok(inode) = inner.find(Path::new(name)) {
                files.entry(inode).or_default().push(name.into());
            }
        }
        let candidate = |(inode, names): (u64, Vec<PathBuf>)| {
            let stat = inner.stat(inode);
            Candidate {
                path: names[0].clone(),
                links: Links::new(stat.links, stat.links - names.len() as u64),
                names,
                id: stat.id,
                size: stat.len,
                named: true,
            }
        };
        Collection {
            candidates: files.into_iter().map(candidate).collect(),
            complete: true,
            ..Collection::default()
        }
    }
}

impl Inner {
    fn create(&mut self, bytes: &[u8]) -> u64 {
        self.next += 1;
        self.clock += 1;
        let inode = Inode {
            bytes: bytes.to_vec(),
            durable: bytes.to_vec(),
            modified: self.clock,
            ..Inode::default()
        };
        self.inodes.insert(self.next, inode);
        self.next
    }

    fn settle_names(&mut self) {
        self.history = vec![self.names.clone()];
    }

    fn rename_log(&mut self) {
        self.history.push(self.names.clone());
    }

    /// Counts one operation; true when it is the last one before the crash,
    /// and may still be half done.
    fn begin(&mut self) -> io::Result<bool> {
        if self.crashed {
            return Err(io::Error::other("the machine has stopped"));
        }
        self.operations += 1;
        match self.fault {
            Fault::Crash(at) if at == self.operations => {
                self.crashed = true;
                Ok(true)
            }
            Fault::Error(at, kind) if at == self.operations => Err(kind.into()),
            Fault::Errors(from, count, kind) if (from..from + count).contains(&self.operations) => {
                Err(kind.into())
            }
            Fault::Meanwhile(at, meddling) if at == self.operations => {
                self.meddle(meddling);
                Ok(false)
            }
            _ => Ok(false),
        }
    }

    fn meddle(&mut self, meddling: Meddling) {
        let path = PathBuf::from("/a/x.dll");
        let inode = self.names.get(&path).copied();
        self.clock += 1;
        let clock = self.clock;
        self.meddled_with = inode.map(|inode| self.inodes[&inode].bytes.clone());
        match (
            meddling,
            inode.and_then(|inode| self.inodes.get_mut(&inode)),
        ) {
            (Meddling::Write, Some(file)) => {
                let last = file.bytes.len() - 1;
                let changed = [!file.bytes[last]];
                file.write(last, &changed, clock);
            }
            (Meddling::Replace(bytes), _) => {
                let inode = self.create(bytes);
                self.names.insert(path, inode);
            }
            (Meddling::Link, Some(_)) => {
                self.names
                    .extend(inode.map(|inode| ("/late/x.dll".into(), inode)));
            }
            (_, None) => {}
        }
    }

    /// Counts one operation that is either done or not.
    fn begin_whole(&mut self) -> io::Result<()> {
        if self.begin()? {
            return Err(io::Error::other("the machine has stopped"));
        }
        Ok(())
    }

    /// Whether a file may lose a name or be opened for writing.
    fn is_free(&self, inode: u64) -> io::Result<()> {
        if self.mapped.contains(&inode) {
            // As removing a mapped file gives 5 on Windows.
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        self.is_closed(inode)
    }

    fn is_closed(&self, inode: u64) -> io::Result<()> {
        self.is_released(inode)?;
        if self.exclusive.contains(&inode) {
            // As a sharing violation gives 32 on Windows.
            return Err(io::ErrorKind::ResourceBusy.into());
        }
        Ok(())
    }

    /// Whether another program keeps everybody from opening a file.
    fn is_released(&self, inode: u64) -> io::Result<()> {
        if self.held.contains(&inode) {
            return Err(io::ErrorKind::ResourceBusy.into());
        }
        Ok(())
    }
}
