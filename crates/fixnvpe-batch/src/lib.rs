//! Many images at once: find, scan, patch, restore and verify them, in
//! parallel, with a journal that can undo everything.
//!
//! ```
//! use fixnvpe_batch::{
//!     CancelToken, CollectOptions, Context, Holder, JournalView, Outcome,
//!     PatchOptions, RestoreOptions, RestoreTarget, ScanOptions, State, collect, history, patch,
//!     restore, scan,
//! };
//! # use fixnvpe_tests::image::{Fatbin, Layout};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let (site_packages, state) = (folder.path().join("lib"), folder.path().join("state"));
//! # fs_err::create_dir(&site_packages)?;
//! # let dll = site_packages.join("kernels.dll");
//! # Layout::cuda_dll(&Fatbin::of(["sm_70", "sm_86"])).write_to(&dll)?;
//! # let before = fs_err::read(&dll)?;
//! // Threads, and a token by which a handler of Ctrl-C can end the job.
//! let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build()?;
//! let cancel = CancelToken::new();
//! let context = Context::new(&pool, &cancel);
//!
//! // What is there, and what it costs each process that maps it.
//! let files = collect(&[site_packages], &CollectOptions::default(), &context);
//! let found = scan(&files, &ScanOptions::default(), None, &context);
//! assert_eq!(found.summary.writable, 1);
//! assert!(found.images[0].commit.after < found.images[0].commit.now);
//!
//! // Clear one bit, with the journal in a folder of its own.
//! let state = State::new(&state, Holder::this("li", "workstation"));
//! let patched = patch(&files, &PatchOptions::default(), &state, &context)?;
//! assert_eq!(patched.results[0].outcome, Outcome::Patched);
//!
//! // And give every byte back.
//! let target = RestoreTarget::LastRun;
//! let restored = restore(&target, &RestoreOptions::default(), &state, &context)?;
//! assert_eq!(restored.results[0].outcome, Outcome::Restored);
//! # assert_eq!(before, fs_err::read(&dll)?);
//!
//! let journal = JournalView::read(Some(&state.folder), &[], &fixnvpe_batch::Disk)?;
//! assert_eq!(history(&journal).len(), 2);
//! # Ok(())
//! # }
//! ```
//!
//! The modules, in the order in which data meets them: `collect` finds files
//! and their names; `scan` judges them; `patch`, `restore` and `verify` say
//! what is to be done, with `original` for what a file was before; `job` runs
//! the changes and `change` makes them, through `filesystem` and with `journal`
//! writing ahead; `report` tells. `context` is what every job is given.
//!
//! Nothing here prints, reads the environment or starts threads of its own.
//! What befalls one file is in the report and never stops the others; an
//! [`Error`] ends a job before it changed anything.

mod cancel;
mod change;
mod collect;
mod context;
#[cfg(test)]
mod double;
mod error;
mod filesystem;
mod job;
mod journal;
mod judge;
mod observe;
mod options;
mod original;
mod outcome;
mod patch;
mod recorded;
mod report;
mod restore;
mod retry;
mod scan;
mod session;
mod stage;
#[cfg(test)]
mod tests;
mod verify;

pub use cancel::CancelToken;
pub use collect::{Candidate, Collection, Root, collect, is_candidate_name};
pub use context::Context;
pub use error::Error;
pub use filesystem::{Disk, FileStat, FileSystem, Handle, Lock};
pub use journal::{
    Action, BadLine, HistoryEntry, HistoryState, Holder, JournalView, LockWait, ParseRunIdError,
    Places, Run, RunId, State, StateFolders, System, history,
};
pub use observe::{Event, Observer, Silent};
pub use options::{
    Backup, ChangeOptions, CollectOptions, InUse, LinkPolicy, PatchOptions, RestoreOptions,
};
pub use patch::patch;
pub use recorded::{NoRecords, Recorded, RecordedHashes};
pub use report::{
    Code, Commit, Failure, FileResult, FileState, HoldingProcess, ImageReport, LeftReason, Links,
    Method, Outcome, Package, PatchReport, RestoreReport, SameBase, ScanReport, SectionReport,
    SkipReason, Skipped, Step, Summary, VerifyReport, VerifyResult, Why, os_code,
};
pub use restore::{RestoreTarget, restore};
pub use retry::Retry;
pub use scan::{ScanOptions, scan};
pub use verify::{VerifyOptions, verify};
