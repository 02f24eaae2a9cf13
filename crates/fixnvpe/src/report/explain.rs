//! `fixnvpe explain` for people.

use std::path::Path;

use fixnvpe_doctor::explain::{Explanation, Kind};
use fixnvpe_doctor::texts;

use super::{Page, doctor};
use crate::catalogue::Message;
use crate::diagnosis::Diagnosis;
use crate::message;
use crate::shell::Shell;

/// What an error is, and what to do.
pub(crate) fn sentences(kind: Kind) -> [Message; 2] {
    let id = texts::id("explain", kind.word());
    [Message::new(id.clone()), Message::new(format!("{id}-todo"))]
}

/// Writes an explanation, with what the doctor says of the environment.
pub(crate) fn write(
    page: &mut Page<'_>,
    explanation: &Explanation,
    found: Option<&Diagnosis>,
    is_missing: bool,
) {
    let [what, todo] = sentences(explanation.kind);
    page.sentence(&what);
    page.block();
    page.sentence(&todo);
    if explanation.dll.is_some() || explanation.prefix.is_some() {
        page.block();
    }
    // Lines as they are: a path that is broken in two is none.
    if let Some(dll) = &explanation.dll {
        let dll = page.path(Path::new(dll));
        let line = page.say(&message!("explain-dll", dll = dll));
        page.line(&format!("  {line}"));
    }
    if let Some(prefix) = &explanation.prefix {
        let prefix = page.path(Path::new(prefix));
        let line = page.say(&message!("explain-environment", prefix = prefix));
        page.line(&format!("  {line}"));
    }
    if !explanation.others.is_empty() {
        let kinds: Vec<String> = explanation
            .others
            .iter()
            .map(|kind| page.say(&brief(*kind)))
            .collect();
        let kinds = kinds.join(&page.say(&message!("list-separator")));
        page.block();
        page.sentence(&message!("explain-others", kinds = kinds));
    }
    let bearing = explanation.kind.findings();
    if let (Some(found), None) = (found, bearing) {
        if !found.report.findings.is_empty() {
            page.block();
            page.sentence(&message!("explain-here"));
        }
        doctor::write(page, found);
        return;
    }
    if is_missing {
        page.block();
        page.sentence(&message!("explain-not-here"));
    }
    page.block();
    for step in &explanation.steps {
        doctor::step(page, step, Shell::native(), 2);
    }
    if let (Some(found), Some(ids)) = (found, bearing) {
        doctor::write_bearing(page, found, ids);
    }
}

/// An error by its name, for a list.
pub(crate) fn brief(kind: Kind) -> Message {
    match kind {
        Kind::MissingMainGuard => message!("kind-missing-main-guard"),
        Kind::ModelLoading => message!("kind-model-loading"),
        Kind::CommitLimit => message!("kind-commit-limit"),
        Kind::ThreadBuffers => message!("kind-thread-buffers"),
        Kind::Allocation => message!("kind-allocation"),
        Kind::PolicyBlocked => message!("kind-policy-blocked"),
        Kind::NotAnImage => message!("kind-not-an-image"),
        Kind::InitFailed => message!("kind-init-failed"),
        Kind::MissingFunction => message!("kind-missing-function"),
        Kind::MissingFile => message!("kind-missing-file"),
        Kind::CudaOutOfMemory => message!("kind-cuda-out-of-memory"),
        Kind::DllLoadFailed => message!("kind-dll-load-failed"),
        other => message!("word-unknown", word = other.word()),
    }
}
