//! What every job is given.

use crate::cancel::CancelToken;
use crate::filesystem::{Disk, FileSystem};
use crate::observe::{Event, Observer, Silent};
use crate::report::{Failure, Skipped};

/// What every job is given: the threads to run on, who watches, how to end
/// early, and the files.
///
/// ```
/// use fixnvpe_batch::{CancelToken, Context};
///
/// let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build()?;
/// let cancel = CancelToken::new();
/// let context = Context::new(&pool, &cancel);
/// # let _ = context;
/// # Ok::<(), rayon::ThreadPoolBuildError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Context<'a> {
    pub(crate) pool: &'a rayon::ThreadPool,
    pub(crate) cancel: &'a CancelToken,
    pub(crate) observer: &'a dyn Observer,
    pub(crate) files: &'a dyn FileSystem,
}

impl<'a> Context<'a> {
    /// A job on the real disk that nobody watches.
    #[must_use]
    pub fn new(pool: &'a rayon::ThreadPool, cancel: &'a CancelToken) -> Self {
        Self {
            pool,
            cancel,
            observer: &Silent,
            files: &Disk,
        }
    }

    /// The same job, watched.
    #[must_use]
    pub fn observed(self, observer: &'a dyn Observer) -> Self {
        Self { observer, ..self }
    }

    /// The same job on other files: a test double, say.
    #[must_use]
    pub fn on(self, files: &'a dyn FileSystem) -> Self {
        Self { files, ..self }
    }

    /// Tells of failures that nobody has told of yet.
    pub(crate) fn tell_failures(&self, failures: &[Failure]) {
        for failure in failures {
            self.tell(&Event::Failed(failure));
        }
    }

    /// Tells of things left out that nobody has told of yet.
    pub(crate) fn tell_skips(&self, skipped: &[Skipped]) {
        for skipped in skipped {
            self.tell(&Event::Skipped(skipped));
        }
    }

    pub(crate) fn tell(&self, event: &Event<'_>) {
        self.observer.event(event);
    }
}

impl std::fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context")
            .field("threads", &self.pool.current_num_threads())
            .field("cancel", &self.cancel)
            .finish_non_exhaustive()
    }
}
