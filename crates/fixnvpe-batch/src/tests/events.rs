//! Everything that stands in a report was told once while the job ran.

use std::sync::Mutex;

use super::bench::{image, state, threads};
use crate::cancel::CancelToken;
use crate::context::Context;
use crate::observe::{Event, Observer};
use crate::options::{CollectOptions, PatchOptions, RestoreOptions};
use crate::restore::RestoreTarget;
use crate::scan::ScanOptions;

/// What was told, one text for each event that stands in a report.
#[derive(Default)]
struct Told(Mutex<Vec<String>>);

impl Observer for Told {
    fn event(&self, event: &Event<'_>) {
        let text = match event {
            Event::Scanned(image) => format!("{image:?}"),
            Event::Patched(result) | Event::Restored(result) => format!("{result:?}"),
            Event::Failed(failure) => format!("{failure:?}"),
            Event::Skipped(skipped) => format!("{skipped:?}"),
            _ => return,
        };
        self.0.lock().unwrap().push(text);
    }
}

impl Told {
    fn take(&self) -> Vec<String> {
        let mut told = std::mem::take(&mut *self.0.lock().unwrap());
        told.sort();
        told
    }
}

fn sorted(texts: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut texts: Vec<String> = texts.into_iter().collect();
    texts.sort();
    texts
}

macro_rules! all {
    ($($list:expr),+) => {
        sorted(std::iter::empty()$(.chain($list.iter().map(|one| format!("{one:?}"))))+)
    };
}

#[test]
fn everything_in_a_report_was_told_once() {
    let root = tempfile::tempdir().unwrap();
    let path = |name: &str| root.path().join(name);
    fs_err::write(path("good.dll"), image()).unwrap();
    fs_err::write(path("torn.dll"), &image()[..400]).unwrap();
    fs_err::write(path("text.dll"), b"text").unwrap();
    let (pool, cancel, told) = (threads(2), CancelToken::new(), Told::default());
    let context = Context::new(&pool, &cancel).observed(&told);
    let roots = [
        root.path().to_path_buf(),
        path("gone.dll"),
        path("text.dll"),
    ];
    let files = crate::collect(&roots, &CollectOptions::default(), &context);
    let report = crate::scan(&files, &ScanOptions::default(), None, &context);
    assert_eq!(report.failures.len(), 3);
    let expected = all!(report.images, report.failures, report.skipped);
    assert_eq!(told.take(), expected);

    // A journal with a torn line, and a file that a run names and that is gone.
    let state = state(path("state"));
    fs_err::create_dir(&state.folder).unwrap();
    fs_err::write(state.folder.join("journal.jsonl"), b"torn").unwrap();
    let patched = crate::patch(&files, &PatchOptions::default(), &state, &context).unwrap();
    let collected = all!(files.failures, files.skipped);
    let told_of = told.take();
    assert_eq!(patched.skipped.len(), 1);
    let all = all!(patched.results, patched.failures, patched.skipped);
    assert_eq!(sorted(told_of.into_iter().chain(collected)), all);

    fs_err::remove_file(path("good.dll")).unwrap();
    let (last, options) = (RestoreTarget::LastRun, RestoreOptions::default());
    let report = crate::restore(&last, &options, &state, &context).unwrap();
    assert_eq!(report.results.len(), 1);
    let expected = all!(report.results, report.failures, report.skipped);
    assert_eq!(told.take(), expected);
}
