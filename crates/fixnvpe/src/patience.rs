//! How long a run waits, in all, for files that another program holds.

use std::thread;
use std::time::Duration;

use fixnvpe_batch::{CancelToken, Retry};

use crate::progress::Watcher;

/// The first wait; each one after it is twice as long.
const FIRST: Duration = Duration::from_millis(10);
/// How often to try again: 2.55 s of waiting in all, which is what a virus
/// scanner takes for a file and more, and bearable where a file stays in use.
const ATTEMPTS: u32 = 8;
/// How long Ctrl-C may go unnoticed.
const SLICE: Duration = Duration::from_millis(10);

/// Waits between two passes of a job, and shows that in the progress line.
pub(crate) struct Patience<'a, 'w> {
    watcher: &'a Watcher<'w>,
    cancel: &'a CancelToken,
    sleep: fn(Duration),
}

impl<'a, 'w> Patience<'a, 'w> {
    pub(crate) fn new(watcher: &'a Watcher<'w>, cancel: &'a CancelToken) -> Self {
        Self {
            watcher,
            cancel,
            sleep: thread::sleep,
        }
    }
}

impl Retry for Patience<'_, '_> {
    fn again(&self, attempt: u32, held: usize) -> bool {
        let Some(wait) = wait(attempt) else {
            return false;
        };
        tracing::debug!(attempt, held, ?wait, "in use, trying again");
        self.watcher.trying_again(held);
        sleep(wait, self.cancel, self.sleep)
    }
}

/// How long to wait before this attempt, if it is to be made at all.
fn wait(attempt: u32) -> Option<Duration> {
    (attempt < ATTEMPTS).then(|| FIRST * (1 << attempt))
}

/// Sleeps in slices; false where the run was cancelled meanwhile.
fn sleep(mut left: Duration, cancel: &CancelToken, mut slice: impl FnMut(Duration)) -> bool {
    while !left.is_zero() && !cancel.is_cancelled() {
        let now = left.min(SLICE);
        slice(now);
        left -= now;
    }
    !cancel.is_cancelled()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Catalogue;
    use crate::language::Language;

    #[test]
    fn the_waits_double_and_end_after_two_and_a_half_seconds_in_all() {
        let waits: Vec<u128> = (0..20).map_while(wait).map(|w| w.as_millis()).collect();
        assert_eq!(waits, [10, 20, 40, 80, 160, 320, 640, 1280]);
        assert_eq!((ATTEMPTS..99).find_map(wait), None);
    }

    #[test]
    fn a_wait_is_slept_to_its_end_in_slices() {
        let cancel = CancelToken::new();
        let mut slept = Vec::new();
        assert!(sleep(Duration::from_millis(25), &cancel, |one| {
            slept.push(one.as_millis());
        }));
        assert_eq!(slept, [10, 10, 5]);
    }

    #[test]
    fn ctrl_c_ends_the_wait_at_once() {
        let cancel = CancelToken::new();
        let mut slices = 0;
        let goes_on = sleep(Duration::from_secs(99), &cancel, |_| {
            slices += 1;
            if slices == 3 {
                cancel.cancel();
            }
        });
        assert!(!goes_on);
        assert_eq!(slices, 3);
        assert!(!sleep(FIRST, &cancel, |_| panic!("it slept")));
    }

    #[test]
    fn a_run_goes_on_for_so_many_attempts_and_no_more() {
        let catalogue = Catalogue::of(Language::En);
        let watcher = Watcher::new(&catalogue, false, None);
        let cancel = CancelToken::new();
        let patience = Patience {
            sleep: |_| (),
            ..Patience::new(&watcher, &cancel)
        };
        let goes_on = |attempt: &u32| patience.again(*attempt, 3);
        assert_eq!((0..99).take_while(goes_on).count(), 8);
        cancel.cancel();
        assert!(!patience.again(0, 3));
    }
}
