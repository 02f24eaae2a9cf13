//! What is seen of a run while it goes on: a progress bar on a terminal, and
//! the lines of `--jsonl`.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use fixnvpe_batch::{Event, Observer};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::catalogue::Catalogue;
use crate::document::Line;
use crate::message;
use crate::output::Output;
use crate::report::words::word_of;

/// Watches a run.
#[derive(Debug)]
pub(crate) struct Watcher<'a> {
    catalogue: &'a Catalogue,
    bar: ProgressBar,
    folders: AtomicU64,
    lines: Option<Mutex<&'a mut Output>>,
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
            lines: lines.map(Mutex::new),
        }
    }

    /// Says that environments are looked for.
    pub(crate) fn looking(&self) {
        let text = self.catalogue.text(&message!("progress-environments"));
        self.bar.set_message(text);
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

    fn stage(&self, files: u64) {
        self.bar.set_length(files);
        self.bar.set_position(0);
        self.bar.set_style(style("{msg} {bar:30} {pos}/{len}"));
        let text = self.catalogue.text(&message!("progress-files"));
        self.bar.set_message(text);
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
            Event::Stage { files, .. } => self.stage(*files),
            Event::Finished(_) => self.bar.inc(1),
            Event::Waiting => {
                let text = self.catalogue.text(&message!("progress-waiting"));
                self.bar.set_message(text);
            }
            Event::Started(path) => tracing::debug!(path = %path.display(), "begins"),
            Event::Scanned(image) => self.line(|| Line::Image(Box::new((*image).clone()))),
            Event::Patched(result) | Event::Restored(result) => {
                let outcome = word_of(&result.outcome);
                let edits = result.edits.len();
                tracing::debug!(path = %result.path.display(), outcome, edits, "done");
                self.line(|| Line::Result(Box::new((*result).clone())));
            }
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

fn style(template: &str) -> ProgressStyle {
    // The templates are those of this file; a broken one would show the
    // default bar.
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
