//! One writer at a time.
//!
//! The lock is on a file of its own: on Windows a locked range of a file
//! cannot be read by others, and everybody may read the journal. Who holds the
//! lock stands in a third file, for the same reason.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::State;
use crate::context::Context;
use crate::error::Error;
use crate::filesystem::{FileSystem, Lock};
use crate::observe::Event;

const LOCK: &str = "lock";
const HOLDER: &str = "holder.json";

/// Who holds the lock, or would.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Holder {
    /// The process.
    pub pid: u32,
    /// Its user.
    pub user: String,
    /// Its host.
    pub host: String,
    /// Since when, RFC 3339.
    pub since: String,
}

impl Holder {
    /// This process, of a user on a host, from now on.
    #[must_use]
    pub fn this(user: impl Into<String>, host: impl Into<String>) -> Self {
        Self {
            pid: std::process::id(),
            user: user.into(),
            host: host.into(),
            since: super::now(),
        }
    }
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            pid,
            user,
            host,
            since,
        } = self;
        write!(f, "process {pid} of {user} on {host}, since {since}")
    }
}

/// How long to wait for the lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LockWait {
    /// How long in all.
    pub total: Duration,
    /// How long between two attempts.
    pub step: Duration,
}

impl Default for LockWait {
    /// Ten seconds, an attempt every tenth of one.
    fn default() -> Self {
        Self {
            total: Duration::from_secs(10),
            step: Duration::from_millis(100),
        }
    }
}

impl LockWait {
    fn attempts(self) -> u128 {
        self.total.as_nanos() / self.step.as_nanos().max(1)
    }
}

/// The lock, held. Dropping it gives it back.
pub(crate) struct Locked<'a> {
    holder: PathBuf,
    files: &'a dyn FileSystem,
    _lock: Lock,
}

impl Drop for Locked<'_> {
    fn drop(&mut self) {
        // A holder file that stays behind says something about nobody; the
        // next holder writes over it.
        let _ = self.files.remove(&self.holder);
    }
}

/// Takes the lock of a state folder, waiting for it as long as `wait` says.
pub(crate) fn take<'a>(state: &State, context: &Context<'a>) -> Result<Locked<'a>, Error> {
    let (folder, holder, wait) = (&*state.folder, &state.holder, state.wait);
    let files = context.files;
    let failed = |path: &Path| {
        let path = path.to_path_buf();
        |source| Error::StateFolder { path, source }
    };
    if state.protected {
        let exposure = files.create_protected_folder(folder);
        if let Some(exposure) = exposure.map_err(failed(folder))? {
            let path = folder.to_path_buf();
            return Err(Error::ExposedStateFolder { path, exposure });
        }
    } else {
        files.create_folder(folder).map_err(failed(folder))?;
    }
    let path = folder.join(LOCK);
    let mut left = wait.attempts();
    let lock = loop {
        if let Some(lock) = files.try_lock(&path).map_err(failed(&path))? {
            break lock;
        }
        if context.cancel.is_cancelled() {
            return Err(Error::Cancelled { path });
        }
        if left == 0 {
            return Err(Error::Locked {
                holder: read_holder(folder, files),
                path,
            });
        }
        left -= 1;
        context.tell(&Event::Waiting);
        std::thread::sleep(wait.step);
    };
    let holder_path = folder.join(HOLDER);
    let text = serde_json::to_vec(holder).unwrap_or_default();
    // The lock is held. This file is a courtesy to those who wait; who may not
    // write it (another administrator's, say) works all the same.
    let _ = files.write(&holder_path, &text);
    Ok(Locked {
        holder: holder_path,
        files,
        _lock: lock,
    })
}

fn read_holder(folder: &Path, files: &dyn FileSystem) -> Option<Holder> {
    let file = files.open_read(&folder.join(HOLDER)).ok()?;
    let mut text = vec![0; 4096];
    let count = file.read_at(0, &mut text).ok()?.min(text.len());
    serde_json::from_slice(&text[..count]).ok()
}
