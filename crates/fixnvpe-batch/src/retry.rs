//! Whether to try again where another program held a file.

/// Says between two passes of a patch or a restore whether to go over the files
/// once more that another program held: a virus scanner, say, that lets go of
/// them within moments.
///
/// The job never waits by itself: it is here that the caller does, and decides
/// how long in all. A caller without patience gives none.
///
/// ```
/// use std::time::Duration;
///
/// use fixnvpe_batch::Retry;
///
/// /// Three more attempts, a tenth of a second apart.
/// struct Shortly;
///
/// impl Retry for Shortly {
///     fn again(&self, attempt: u32, _held: usize) -> bool {
///         std::thread::sleep(Duration::from_millis(100));
///         attempt < 3
///     }
/// }
/// ```
pub trait Retry: Sync {
    /// Whether to go over `held` files again, now. `attempt` counts from 0
    /// within a job. Not asked where nothing is held, or the job is cancelled.
    fn again(&self, attempt: u32, held: usize) -> bool;
}
