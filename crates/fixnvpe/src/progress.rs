//! What is seen of a run while it goes on: a progress bar on a terminal, and
//! the lines of `--jsonl`.

use std::fmt::Write;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use fixnvpe_batch::{Event, ImageReport, Observer};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::catalogue::Catalogue;
use crate::document::Line;
use crate::message;
use crate::output::Output;
use crate::records::Records;
use crate::report::words::word_of;
use crate::size::shown_size;

/// Watches a run.
#[derive(Debug)]
pub(crate) struct Watcher<'a> {
    catalogue: &'a Catalogue,
    bar: ProgressBar,
    folders: AtomicU64,
    in_bytes: AtomicBool,
    tries_again: AtomicBool,
    lines: Option<Mutex<&'a mut Output>>,
    records: Option<&'a Records>,
}

impl<'a> Watcher<'a> {
    /// Shows a bar on standard error if `visible`, and writes each event to
    /// `lines` if given.
    pub(crate) fn new(
        catalogue: &'a Catalogue,
        visible: bool,
        lines: Option<&'a mut Output>,
    ) -> Self {
        let bar = if visible {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            bar.set_style(style("{spinner} {msg}"));
            bar.enable_steady_tick(Duration::from_millis(120));
            bar
        } else {
            ProgressBar::hidden()
        };
        Self {
            catalogue,
            bar,
            folders: AtomicU64::new(0),
            in_bytes: AtomicBool::new(false),
            tries_again: AtomicBool::new(false),
            lines: lines.map(Mutex::new),
            records: None,
        }
    }

    /// The same watcher, which tells of an image whose package it is.
    pub(crate) fn naming_packages(self, records: &'a Records) -> Self {
        Self {
            records: Some(records),
            ..self
        }
    }

    fn image(&self, image: &ImageReport) -> ImageReport {
        let mut image = image.clone();
        if let Some(records) = self.records {
            records.name_package(&mut image);
        }
        image
    }

    fn counts_bytes(&self) -> bool {
        self.in_bytes.load(Ordering::Relaxed)
    }

    /// Says that environments are looked for.
    pub(crate) fn looking(&self) {
        let text = self.catalogue.text(&message!("progress-environments"));
        self.bar.set_message(text);
    }

    /// Says that so many processes are going to be measured.
    pub(crate) fn measuring(&self, processes: u64) {
        self.bar.set_length(processes);
        self.bar.set_position(0);
        self.bar.set_style(style("{msg} {bar:30} {pos}/{len}"));
        let text = self.catalogue.text(&message!("progress-measuring"));
        self.bar.set_message(text);
    }

    /// One more of them is done.
    pub(crate) fn measured(&self) {
        self.bar.inc(1);
    }

    /// Says that the run waits for so many files that are in use, and goes on
    /// with them.
    pub(crate) fn trying_again(&self, files: usize) {
        self.tries_again.store(true, Ordering::Relaxed);
        if !self.bar.is_hidden() {
            let message = message!("progress-in-use", count = files);
            self.bar.set_message(self.catalogue.text(&message));
        }
    }

    /// Takes the bar from the screen.
    pub(crate) fn end(&self) {
        self.bar.finish_and_clear();
    }

    fn line(&self, line: impl FnOnce() -> Line) {
        if let Some(lines) = &self.lines {
            let mut output = lines.lock().unwrap_or_else(PoisonError::into_inner);
            output.json(&line());
        }
    }

    /// A stage that reads files whole is as long as their bytes.
    fn stage(&self, files: u64, bytes: u64) {
        let in_bytes = bytes > 0;
        self.in_bytes.store(in_bytes, Ordering::Relaxed);
        self.bar.set_length(if in_bytes { bytes } else { files });
        self.bar.set_position(0);
        self.bar.set_style(if in_bytes {
            in_sizes("{msg} {bar:30} {done}/{all}")
        } else {
            style("{msg} {bar:30} {pos}/{len}")
        });
        // Another attempt is short: what it is about stays to be read.
        if !self.tries_again.load(Ordering::Relaxed) {
            let text = self.catalogue.text(&message!("progress-files"));
            self.bar.set_message(text);
        }
    }
}

impl Observer for Watcher<'_> {
    fn event(&self, event: &Event<'_>) {
        match event {
            Event::Folder(_) => {
                let folders = self.folders.fetch_add(1, Ordering::Relaxed) + 1;
                if !self.bar.is_hidden() {
                    let message = message!("progress-folders", count = folders);
                    self.bar.set_message(self.catalogue.text(&message));
                }
            }
            Event::Collected { files } => tracing::debug!(files, "collected"),
            Event::Stage { files, bytes } => self.stage(*files, *bytes),
            Event::Finished(_) if !self.counts_bytes() => self.bar.inc(1),
            Event::Bytes(count) if self.counts_bytes() => self.bar.inc(*count),
            Event::Waiting => {
                let text = self.catalogue.text(&message!("progress-waiting"));
                self.bar.set_message(text);
            }
            Event::Started(path) => tracing::debug!(path = %path.display(), "begins"),
            Event::Scanned(image) => self.line(|| Line::Image(Box::new(self.image(image)))),
            Event::Patched(result) | Event::Restored(result) => {
                let outcome = word_of(&result.outcome);
                let edits = result.edits.len();
                tracing::debug!(path = %result.path.display(), outcome, edits, "done");
                self.line(|| Line::Result(Box::new((*result).clone())));
            }
            Event::Verified(result) => self.line(|| Line::Verified((*result).clone())),
            Event::Failed(failure) => {
                let step = word_of(&failure.step);
                tracing::debug!(path = %failure.path.display(), step, "{}", failure.message);
                self.line(|| Line::Failure((*failure).clone()));
            }
            Event::Skipped(skipped) => {
                let reason = word_of(&skipped.reason);
                tracing::debug!(path = %skipped.path.display(), reason, "left out");
                self.line(|| Line::Skipped((*skipped).clone()));
            }
            Event::Settled(path) => tracing::info!(path = %path.display(), "settled"),
            _ => {}
        }
    }
}

/// A style whose figures are sizes, written as everywhere.
fn in_sizes(template: &str) -> ProgressStyle {
    let write = |bytes: u64, to: &mut dyn Write| {
        // Nothing is to be done about a bar that cannot be drawn.
        let _ = to.write_str(&shown_size(bytes));
    };
    style(template)
        .with_key("done", move |state: &ProgressState, to: &mut dyn Write| {
            write(state.pos(), to);
        })
        .with_key("all", move |state: &ProgressState, to: &mut dyn Write| {
            write(state.len().unwrap_or_default(), to);
        })
}

fn style(template: &str) -> ProgressStyle {
    // The templates are those of this file; a broken one would show the
    // default bar.
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
