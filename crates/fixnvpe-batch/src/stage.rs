//! One stage of a job: the same work on every file, in parallel.

use std::path::Path;

use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};

use crate::context::Context;
use crate::observe::Event;

/// Works on every item on the caller's pool, as [`each`] does. The results are
/// in the order of the items, without those that were not begun; the flag is
/// false when the job was cancelled before all of them were begun.
pub(crate) fn run<'a, T: Sync, R: Send>(
    items: &'a [T],
    path: impl Fn(&T) -> &Path + Sync,
    context: &Context<'_>,
    work: impl Fn(&'a T) -> R + Sync,
) -> (Vec<R>, bool) {
    let results = each(items, path, context, work);
    let complete = results.iter().all(Option::is_some);
    (results.into_iter().flatten().collect(), complete)
}

/// Works on every item on the caller's pool. The results are in the order of
/// the items, with none where the job was cancelled before the item was begun.
/// Items that were begun are always finished.
pub(crate) fn each<'a, T: Sync, R: Send>(
    items: &'a [T],
    path: impl Fn(&T) -> &Path + Sync,
    context: &Context<'_>,
    work: impl Fn(&'a T) -> R + Sync,
) -> Vec<Option<R>> {
    context.pool.install(|| {
        items
            .par_iter()
            // Files differ in size by orders of magnitude: no batches of them.
            .with_max_len(1)
            .map(|item| {
                if context.cancel.is_cancelled() {
                    return None;
                }
                context.tell(&Event::Started(path(item)));
                let result = work(item);
                context.tell(&Event::Finished(path(item)));
                Some(result)
            })
            .collect()
    })
}
