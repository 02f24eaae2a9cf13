//! What every process that maps an image pays, whether it uses it or not.
//!
//! Windows maps writable sections that are not shared copy-on-write and
//! charges every page of them to commit (RAM and page file) at load; read-only
//! and shared ones cost a process nothing (Windows Research Kernel,
//! `base/ntos/mm/creasect.c`).

use crate::condition::Condition;
use crate::error::Error;
use crate::image::Image;
use crate::policy::Policy;
use crate::section::Section;
use crate::source::ReadAt;

/// The size of a page in bytes, on every machine that Windows runs on today.
const PAGE: u64 = 4096;

/// The commit of one process that maps an image, in bytes, whole pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct CommitCharge {
    /// As the image is.
    pub now: u64,
    /// After a patch under the policy that was asked for; equal to `now` where
    /// there is nothing to patch, or where the image is refused.
    pub after: u64,
}

impl CommitCharge {
    /// A charge of these two figures, in bytes.
    #[must_use]
    pub fn new(now: u64, after: u64) -> Self {
        Self { now, after }
    }

    /// Bytes that a patch saves.
    #[must_use]
    pub fn saved(self) -> u64 {
        self.now.saturating_sub(self.after)
    }
}

impl Section {
    /// Bytes that each process is charged for this section as its flags stand:
    /// whole pages if it is writable and not shared, else 0.
    #[must_use]
    pub fn commit_charge(&self) -> u64 {
        if self.is_writable() && !self.is_shared() {
            u64::from(self.size_in_memory()).next_multiple_of(PAGE)
        } else {
            0
        }
    }
}

impl<R: ReadAt> Image<R> {
    /// What each process that maps this image is charged now, and after a patch
    /// under `policy`.
    ///
    /// # Errors
    ///
    /// As [`condition`](Image::condition): what can be saved depends on it.
    pub fn commit_charge(&self, policy: &Policy) -> Result<CommitCharge, Error> {
        let now = self.sections().iter().map(Section::commit_charge).sum();
        let saved = if self.judged()?.under(policy) == Condition::Writable {
            self.fatbin_sections().map(Section::commit_charge).sum()
        } else {
            0
        };
        Ok(CommitCharge {
            now,
            after: now - saved,
        })
    }
}
