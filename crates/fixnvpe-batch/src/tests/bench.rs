//! What the tests of whole jobs share: images, a pool, and the jobs.

use std::sync::Arc;

use fixnvpe_pe::{Image, Patch, Policy};
use fixnvpe_tests::image::{CheckSum, Fatbin, Layout};

use crate::cancel::CancelToken;
use crate::collect::Collection;
use crate::context::Context;
use crate::double::MemoryDisk;
use crate::error::Error;
use crate::filesystem::FileSystem;
use crate::journal::{Holder, JournalView, LockWait, State};
use crate::options::{PatchOptions, RestoreOptions};
use crate::report::{FileResult, LeftReason, Outcome, PatchReport, RestoreReport, Why};
use crate::restore::RestoreTarget;

/// The state folder of the tests on the disk in memory.
pub(crate) const STATE: &str = "/state";

/// A small image with a writable fat binary and a right CheckSum: a patch
/// changes bytes in two fields.
pub(crate) fn image() -> Vec<u8> {
    let mut layout = Layout::cuda_dll(&Fatbin::of(["sm_70", "sm_86"]));
    layout.check_sum = CheckSum::True;
    layout.assemble().unwrap().to_vec()
}

/// Another release of it: the header block differs, the length does not.
pub(crate) fn other_release() -> Vec<u8> {
    let mut layout = Layout::cuda_dll(&Fatbin::of(["sm_70", "sm_86"]));
    layout.check_sum = CheckSum::True;
    layout.image_base += 0x1_0000_0000;
    layout.assemble().unwrap().to_vec()
}

/// The image as a patch under `policy` leaves it, by the crate that plans.
pub(crate) fn patched_under(original: &[u8], policy: Policy) -> Vec<u8> {
    let mut bytes = original.to_vec();
    let image = Image::read(original).unwrap();
    let patch = Patch::plan(&image, &policy).unwrap().unwrap();
    patch.apply(&mut bytes).unwrap();
    bytes
}

/// The image as a patch leaves it.
pub(crate) fn patched(original: &[u8]) -> Vec<u8> {
    patched_under(original, Policy::default())
}

/// A path as collecting gives it: on Windows with the prefix of long paths.
pub(crate) fn collected(path: impl AsRef<std::path::Path>) -> std::path::PathBuf {
    fixnvpe_files::extended(path.as_ref()).unwrap()
}

/// A pool of so many threads.
pub(crate) fn threads(count: usize) -> Arc<rayon::ThreadPool> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build();
    Arc::new(pool.unwrap())
}

thread_local! {
    /// One thread, so that the operations of a job come in one order. Every
    /// test has its own, for all its jobs: there are tens of thousands.
    static ONE_THREAD: Arc<rayon::ThreadPool> = threads(1);
}

/// A state folder whose lock nobody waits for.
pub(crate) fn state(folder: impl Into<std::path::PathBuf>) -> State {
    State::new(folder, Holder::this("li", "workstation")).waiting(LockWait {
        total: std::time::Duration::ZERO,
        step: std::time::Duration::from_millis(1),
    })
}

/// A machine for the jobs: a disk, threads, a journal.
pub(crate) struct Bench<F> {
    pub(crate) files: F,
    pub(crate) pool: Arc<rayon::ThreadPool>,
    pub(crate) state: State,
    pub(crate) cancel: CancelToken,
}

impl Bench<MemoryDisk> {
    /// A disk in memory and one thread.
    pub(crate) fn in_memory() -> Self {
        Self {
            files: MemoryDisk::new(),
            pool: ONE_THREAD.with(Arc::clone),
            state: state(STATE),
            cancel: CancelToken::new(),
        }
    }
}

impl<F: FileSystem> Bench<F> {
    pub(crate) fn context(&self) -> Context<'_> {
        Context::new(&self.pool, &self.cancel).on(&self.files)
    }

    pub(crate) fn try_patch(
        &self,
        files: &Collection,
        options: &PatchOptions<'_>,
    ) -> Result<PatchReport, Error> {
        crate::patch(files, options, &self.state, &self.context())
    }

    pub(crate) fn patch(&self, files: &Collection) -> PatchReport {
        self.patch_with(files, &PatchOptions::default())
    }

    pub(crate) fn patch_with(&self, files: &Collection, options: &PatchOptions<'_>) -> PatchReport {
        self.try_patch(files, options).unwrap()
    }

    pub(crate) fn try_restore(
        &self,
        target: &RestoreTarget<'_>,
        options: &RestoreOptions<'_>,
    ) -> Result<RestoreReport, Error> {
        crate::restore(target, options, &self.state, &self.context())
    }

    pub(crate) fn restore(&self, target: &RestoreTarget<'_>) -> RestoreReport {
        self.restore_with(target, &RestoreOptions::default())
    }

    pub(crate) fn restore_with(
        &self,
        target: &RestoreTarget<'_>,
        options: &RestoreOptions<'_>,
    ) -> RestoreReport {
        self.try_restore(target, options).unwrap()
    }

    pub(crate) fn view(&self) -> JournalView {
        JournalView::read(Some(&self.state.folder), &self.state.others, &self.files).unwrap()
    }
}

/// A file with one name.
pub(crate) const X: &str = "/a/x.dll";
/// Another name of it, in another environment.
pub(crate) const Y: &str = "/b/x.dll";

pub(crate) fn with_x() -> Bench<MemoryDisk> {
    let bench = Bench::in_memory();
    bench.files.put(X, &image());
    bench
}

/// One file with a name in each of two environments and one in the cache.
pub(crate) fn with_links() -> Bench<MemoryDisk> {
    let bench = with_x();
    bench.files.link(X, Y);
    bench.files.link(X, "/cache/x.dll");
    bench
}

/// The one result that there is.
pub(crate) fn only(results: &[FileResult]) -> &FileResult {
    assert_eq!(results.len(), 1, "{results:?}");
    &results[0]
}

/// Why a file was left alone.
pub(crate) fn left(result: &FileResult) -> LeftReason {
    assert_eq!(result.outcome, Outcome::Skipped, "{result:?}");
    match result.reason {
        Some(Why::Left(reason)) => reason,
        other => panic!("{other:?}"),
    }
}
