//! What a caller may choose.

use std::path::Path;

use fixnvpe_pe::Policy;

use crate::collect::Collection;
use crate::recorded::RecordedHashes;
use crate::retry::Retry;

/// What to do with a file that has names outside the selection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LinkPolicy {
    /// Edit the file itself where all its names are selected, else do as
    /// [`Break`](Self::Break).
    #[default]
    Auto,
    /// Edit the file itself, whoever else has it.
    Share,
    /// Give the selected names one changed copy; names outside keep the
    /// original.
    Break,
    /// Leave the file alone.
    Skip,
}

/// What to do with a file that a process has mapped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum InUse {
    /// Leave it alone.
    #[default]
    Skip,
    /// Rename it aside and put a changed copy under its name: running
    /// processes keep the old one, new processes get the changed one.
    Replace,
}

/// Whether to leave a copy of the original beside a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Backup {
    /// No: the journal alone can give back every byte.
    #[default]
    None,
    /// As `NAME_bak`.
    Copy,
}

/// How files are changed, by a patch or a restore.
#[derive(Clone, Copy, Default)]
#[non_exhaustive]
pub struct ChangeOptions<'a> {
    /// What to do with files that have names outside the selection.
    pub links: LinkPolicy,
    /// What to do with files in use.
    pub in_use: InUse,
    /// Whether to leave a copy beside each file.
    pub backup: Backup,
    /// Change files whose read-only attribute is set, and set it again.
    pub force: bool,
    /// Say what would happen, and change nothing.
    pub dry_run: bool,
    /// Files that are not selected but may share one with the selection
    /// (caches, other environments): their names appear in the report.
    pub neighbours: Option<&'a Collection>,
    /// Whether to try again where another program holds a file; without, one
    /// attempt is all. With [`InUse::Replace`] a file is replaced only once
    /// waiting for it has ended.
    pub retry: Option<&'a dyn Retry>,
}

impl std::fmt::Debug for ChangeOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ChangeOptions")
            .field("links", &self.links)
            .field("in_use", &self.in_use)
            .field("backup", &self.backup)
            .field("force", &self.force)
            .field("dry_run", &self.dry_run)
            .field("neighbours", &self.neighbours)
            .field("retry", &self.retry.is_some())
            .finish()
    }
}

/// What a patch may do.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct PatchOptions<'a> {
    /// Which images may be patched, and how.
    pub policy: Policy,
    /// How files are changed.
    pub change: ChangeOptions<'a>,
}

/// Where a restore may take the original from.
#[derive(Clone, Copy, Default)]
#[non_exhaustive]
pub struct RestoreOptions<'a> {
    /// How files are changed.
    pub change: ChangeOptions<'a>,
    /// What package managers recorded, to prove a reconstruction.
    pub recorded: Option<&'a dyn RecordedHashes>,
    /// Make the fat binaries of an image writable again though nothing tells
    /// what the original was.
    pub infer: bool,
    /// Remove `NAME_bak` beside a file that is the same as it.
    pub remove_backups: bool,
}

impl std::fmt::Debug for RestoreOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RestoreOptions")
            .field("change", &self.change)
            .field("recorded", &self.recorded.is_some())
            .field("infer", &self.infer)
            .field("remove_backups", &self.remove_backups)
            .finish()
    }
}

/// Which files are collected.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct CollectOptions<'a> {
    /// Says of a file or folder, by its absolute path as people write it,
    /// whether to leave it, and all below it, out.
    pub exclude: &'a (dyn Fn(&Path) -> bool + Sync),
}

impl Default for CollectOptions<'_> {
    fn default() -> Self {
        Self {
            exclude: &|_| false,
        }
    }
}

impl std::fmt::Debug for CollectOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CollectOptions").finish_non_exhaustive()
    }
}
