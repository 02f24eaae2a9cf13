//! What N workers cost in commit, and what the machine can promise.
//!
//! The arithmetic is simple on purpose: each worker of a DataLoader is a
//! process of its own on Windows, it imports what the main process imports, and
//! pays for the same images. The images are counted exactly; everything else
//! that a process needs is named in [`NotCounted`] and not guessed.
//!
//! The worked example is the article's: a process that pays 8.9 GB costs nine
//! times as much with 8 workers.
//!
//! ```
//! use fixnvpe_doctor::budget::{Budget, GB};
//! use fixnvpe_doctor::facts::MachineFacts;
//! use fixnvpe_doctor::pe::CommitCharge;
//!
//! let per_process = CommitCharge::new(80 * GB / 9, 20 * GB / 9);
//! let budget = Budget::new(per_process, 8, &MachineFacts::default());
//! assert_eq!(budget.processes, 9);
//! assert_eq!(budget.total.now.div_ceil(GB), 80);
//! assert_eq!(budget.total.after.div_ceil(GB), 20);
//! ```

use fixnvpe_pe::CommitCharge;
use serde::{Deserialize, Serialize};

use crate::facts::{MachineFacts, SystemCommit};

/// Bytes of a GB as Windows counts it.
pub const GB: u64 = 1 << 30;

/// A part of a process's commit that no file tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum NotCounted {
    /// Python itself, and the modules that it reads.
    Python,
    /// The batches, the model and everything else that the script makes.
    Data,
    /// The CUDA driver, in each process that uses the GPU.
    CudaDriver,
    /// Buffers that OpenBLAS or MKL makes for each thread.
    ThreadBuffers,
}

impl NotCounted {
    /// Every part, with its word.
    pub const ALL: [(Self, &'static str); 4] = [
        (Self::Python, "python"),
        (Self::Data, "data"),
        (Self::CudaDriver, "cuda_driver"),
        (Self::ThreadBuffers, "thread_buffers"),
    ];
}

/// A figure as things are, and after a patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct BeforeAfter<T> {
    /// As things are.
    pub now: T,
    /// After a patch of everything that a patch changes.
    pub after: T,
}

impl<T> BeforeAfter<T> {
    fn of(charge: CommitCharge, figure: impl Fn(u64) -> T) -> Self {
        Self {
            now: figure(charge.now),
            after: figure(charge.after),
        }
    }
}

/// What a number of workers costs. Sizes are in bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Budget {
    /// Worker processes.
    pub workers: u32,
    /// All processes: the workers and the main one.
    pub processes: u32,
    /// What each pays for images.
    pub per_process: CommitCharge,
    /// What all pay for images.
    pub total: CommitCharge,
    /// What the system can still promise; `None` where that is not known, as
    /// are the figures that need it.
    pub headroom: Option<u64>,
    /// Whether the total fits into the headroom.
    pub fits: Option<BeforeAfter<bool>>,
    /// The largest number of workers that fits beside a main process; absent
    /// where not even the main process fits.
    pub largest_workers: Option<BeforeAfter<Option<u32>>>,
    /// The size of all page files that makes the total fit, given what is
    /// committed now; never below their present size.
    pub page_file: Option<BeforeAfter<u64>>,
    /// What is not in these figures.
    pub not_counted: Vec<NotCounted>,
}

impl Budget {
    /// What `workers` processes and a main one cost that pay `per_process` each
    /// (bytes), on this machine.
    #[must_use]
    pub fn new(per_process: CommitCharge, workers: u32, machine: &MachineFacts) -> Self {
        let processes = workers.saturating_add(1);
        let times = |bytes: u64| bytes.saturating_mul(u64::from(processes));
        let total = CommitCharge::new(times(per_process.now), times(per_process.after));
        let headroom = machine.commit.map(SystemCommit::headroom);
        let page_file = machine.page_file_now().zip(headroom);
        Self {
            workers,
            processes,
            per_process,
            total,
            headroom,
            fits: headroom.map(|room| BeforeAfter::of(total, |bytes| bytes <= room)),
            largest_workers: headroom
                .map(|room| BeforeAfter::of(per_process, |bytes| largest_workers(bytes, room))),
            page_file: page_file.map(|(size, room)| {
                BeforeAfter::of(total, |bytes| size + bytes.saturating_sub(room))
            }),
            not_counted: NotCounted::ALL.iter().map(|(part, _)| *part).collect(),
        }
    }
}

/// How many workers fit into `room` bytes beside a main process, if each
/// process pays `bytes`; `None` if not even that one fits. Where images cost
/// nothing, any number fits.
fn largest_workers(bytes: u64, room: u64) -> Option<u32> {
    let processes = room.checked_div(bytes).unwrap_or(u64::from(u32::MAX));
    let workers = processes.checked_sub(1)?;
    Some(u32::try_from(workers).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn machine(physical: u64, limit: u64, used: u64) -> MachineFacts {
        MachineFacts {
            windows: true,
            physical_memory: Some(physical * GB),
            commit: Some(SystemCommit::new(limit * GB, used * GB)),
            ..MachineFacts::default()
        }
    }

    #[test]
    fn the_figures_of_the_article_are_nine_times_one_process() {
        // 80 GB before and 20 GB after, with 8 workers and the main process.
        let per_process = CommitCharge::new(80 * GB / 9, 20 * GB / 9);
        let budget = Budget::new(per_process, 8, &machine(64, 64, 4));
        assert_eq!(budget.total.now.div_ceil(GB), 80);
        assert_eq!(budget.total.after.div_ceil(GB), 20);
        let fits = budget.fits.unwrap();
        assert!(!fits.now && fits.after);
        // What users reported themselves, 1 to 3 GB a process, is 9 to 27 GB.
        for (reported, total) in [(1, 9), (3, 27)] {
            let charge = CommitCharge::new(reported * GB, 0);
            let budget = Budget::new(charge, 8, &MachineFacts::default());
            assert_eq!(budget.total.now, total * GB);
        }
    }

    #[test]
    fn what_is_missing_is_added_to_the_page_file_that_is_there() {
        // 32 GB of memory and 8 GB of page file, 10 GB in use: 30 GB are left.
        let machine = machine(32, 40, 10);
        let budget = Budget::new(CommitCharge::new(6 * GB, GB), 8, &machine);
        assert_eq!(budget.headroom, Some(30 * GB));
        // 54 GB now: 24 more than are left, beside the 8 that are there.
        let page_file = budget.page_file.unwrap();
        assert_eq!(page_file.now, 32 * GB);
        // 9 GB after a patch fit: the page file stays as it is.
        assert_eq!(page_file.after, 8 * GB);
        let largest = budget.largest_workers.unwrap();
        assert_eq!((largest.now, largest.after), (Some(4), Some(29)));
    }

    #[test]
    fn a_process_that_does_not_fit_alone_leaves_no_room_for_workers() {
        let budget = Budget::new(CommitCharge::new(31 * GB, 0), 0, &machine(32, 40, 10));
        assert_eq!(budget.processes, 1);
        assert!(!budget.fits.unwrap().now);
        assert_eq!(budget.largest_workers.unwrap().now, None);
        assert_eq!(budget.largest_workers.unwrap().after, Some(u32::MAX - 1));
    }

    #[test]
    fn what_the_machine_does_not_tell_stays_open() {
        let budget = Budget::new(CommitCharge::new(GB, 0), 8, &MachineFacts::default());
        assert_eq!(budget.total.now, 9 * GB);
        assert_eq!(budget.fits, None);
        assert_eq!(budget.page_file, None);
        assert_eq!(budget.not_counted.len(), NotCounted::ALL.len());
    }

    proptest! {
        #[test]
        fn the_largest_number_of_workers_fits_and_one_more_does_not(
            bytes in 1..u64::MAX / 2, room in any::<u64>(),
        ) {
            let cost = |workers: u32| u128::from(bytes) * (u128::from(workers) + 1);
            match largest_workers(bytes, room) {
                Some(workers) => {
                    prop_assert!(cost(workers) <= u128::from(room));
                    if workers < u32::MAX {
                        prop_assert!(cost(workers + 1) > u128::from(room));
                    }
                }
                None => prop_assert!(bytes > room),
            }
        }

        #[test]
        fn the_page_file_that_is_asked_for_makes_the_total_fit(
            per in 0..64 * GB, workers in 0..64_u32, physical in 1..256_u64,
            page in 0..256_u64, used in 0..512_u64,
        ) {
            let limit = physical + page;
            let used = used.min(limit);
            let machine = machine(physical, limit, used);
            let budget = Budget::new(CommitCharge::new(per, per / 2), workers, &machine);
            let size = budget.page_file.unwrap();
            for (size, total) in [(size.now, budget.total.now), (size.after, budget.total.after)] {
                prop_assert!(physical * GB + size >= used * GB + total);
                prop_assert!(size >= page * GB);
                if size > page * GB {
                    prop_assert_eq!(physical * GB + size, used * GB + total);
                }
            }
        }
    }
}
