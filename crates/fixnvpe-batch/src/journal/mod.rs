//! The journal: what was done to which file, so that it can be undone.
//!
//! An append-only file of JSON lines in a state folder. A `planned` record is
//! durable before the first byte of a file changes, and a `closed` record
//! follows. *The journal says what may have happened; the bytes say what is*:
//! a record counts for a file only if the file's length and header block say
//! so (`identity`).

mod history;
mod identity;
mod lock;
mod read;
mod record;
mod run_id;
mod settle;
mod soundness;
mod state_folder;
mod view;
mod write;

pub use history::{HistoryEntry, HistoryState, Run, history};
pub(crate) use identity::{Identity, Reading};
pub use lock::{Holder, LockWait};
pub use read::BadLine;
pub use record::Action;
pub(crate) use record::{Closed, ClosedAs, EntryId, JournalPath, Planned};
pub use run_id::{ParseRunIdError, RunId};
pub(crate) use settle::{has_leftovers, settle};
pub(crate) use soundness::OURS;
pub use state_folder::{Places, StateFolders, System};
pub use view::JournalView;
pub(crate) use view::{Entry, EntryState};
pub(crate) use write::Journal;
pub use write::State;

/// Now, as RFC 3339, whole milliseconds.
pub(crate) fn now() -> String {
    format!("{:.3}", jiff::Timestamp::now())
}
