//! Many images at once: find, scan, patch, restore and verify them, in
//! parallel, with a journal that can undo everything.
//!
//! The modules, in the order in which data meets them: `collect` finds files
//! and their names, `scan` judges them, `patch` and `restore` plan changes,
//! `change` makes them through `filesystem`, `journal` remembers them, `report`
//! tells. `context` holds what every job is given: threads, an observer, a
//! token to cancel.

mod cancel;
mod change;
mod collect;
mod context;
mod error;
mod filesystem;
mod journal;
mod observe;
mod options;
mod recorded;
mod report;

pub use cancel::CancelToken;
pub use collect::{Candidate, Collection, collect, is_candidate_name};
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
pub use recorded::{NoRecords, Recorded, RecordedHashes};
pub use report::{
    Code, Commit, Failure, FileResult, ImageReport, LeftReason, Links, Method, Outcome, Package,
    PatchReport, RestoreReport, ScanReport, SectionReport, SkipReason, Skipped, State as FileState,
    Step, Summary, VerifyReport, VerifyResult, Why, os_code,
};
