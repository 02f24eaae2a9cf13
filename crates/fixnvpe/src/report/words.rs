//! The stable words of reports, as sentences for people.

use fixnvpe_batch::{Code, FileState, HistoryState, LeftReason, Outcome, SkipReason, Step};
use fixnvpe_pe::{Condition, Reason};

use crate::catalogue::Message;
use crate::message;
use crate::shell::WindowsShell;

/// What an image is, in a word.
pub(crate) fn condition(condition: Condition) -> Message {
    match condition {
        Condition::Writable => message!("condition-writable"),
        Condition::ReadOnly => message!("condition-read-only"),
        Condition::NoFatbin => message!("condition-no-fatbin"),
        Condition::Refused => message!("condition-refused"),
        other => unknown(other.as_str()),
    }
}

/// Why an image must stay as it is, in one sentence.
pub(crate) fn reason(reason: Reason) -> Message {
    match reason {
        Reason::Malformed => message!("reason-malformed"),
        Reason::Driver => message!("reason-driver"),
        Reason::IntegrityChecked => message!("reason-integrity-checked"),
        Reason::SharedOrCode => message!("reason-shared-or-code"),
        Reason::Packed => message!("reason-packed"),
        Reason::NotFatbin => message!("reason-not-fatbin"),
        Reason::WrittenAtLoad => message!("reason-written-at-load"),
        Reason::Signed => message!("reason-signed"),
        other => unknown(other.as_str()),
    }
}

/// How it ended for a file, in a word.
pub(crate) fn outcome(outcome: Outcome) -> Message {
    match outcome {
        Outcome::Patched => message!("outcome-patched"),
        Outcome::Restored => message!("outcome-restored"),
        Outcome::Already => message!("outcome-already"),
        Outcome::Refused => message!("outcome-refused"),
        Outcome::Skipped => message!("outcome-skipped"),
        Outcome::Failed => message!("outcome-failed"),
        Outcome::WouldPatch => message!("outcome-would-patch"),
        Outcome::WouldRestore => message!("outcome-would-restore"),
        other => unknown(&word_of(&other)),
    }
}

/// Why a file was left alone, and what to do. `windows`: whether this program
/// runs there, where another terminal gives more rights.
pub(crate) fn left(reason: LeftReason, windows: bool) -> Message {
    match reason {
        LeftReason::LinksOutside => message!("left-links-outside"),
        LeftReason::InUse => message!("left-in-use"),
        LeftReason::AccessDenied if windows => message!("left-access-denied-windows"),
        LeftReason::AccessDenied => message!("left-access-denied"),
        LeftReason::ReadOnlyAttribute => message!("left-read-only-attribute"),
        LeftReason::NoSpace => message!("left-no-space"),
        LeftReason::Unsettled => message!("left-unsettled"),
        LeftReason::Stale => message!("left-stale"),
        LeftReason::PatchedLater => message!("left-patched-later"),
        LeftReason::NothingToRestoreFrom => message!("left-nothing-to-restore-from"),
        LeftReason::NotFound => message!("left-not-found"),
        LeftReason::BackupExists => message!("left-backup-exists"),
        other => unknown(&word_of(&other)),
    }
}

/// Why something was not looked at.
pub(crate) fn skipped(reason: SkipReason) -> Message {
    match reason {
        SkipReason::Link => message!("skipped-link"),
        SkipReason::Placeholder => message!("skipped-placeholder"),
        SkipReason::Vanished => message!("skipped-vanished"),
        SkipReason::Special => message!("skipped-special"),
        SkipReason::Unsettled => message!("skipped-unsettled"),
        SkipReason::BadRecord => message!("skipped-bad-record"),
        other => unknown(&word_of(&other)),
    }
}

/// What kind of failure it was.
pub(crate) fn code(code: Code) -> Message {
    match code {
        Code::AccessDenied => message!("code-access-denied"),
        Code::InUse => message!("code-in-use"),
        Code::ReadOnly => message!("code-read-only"),
        Code::NoSpace => message!("code-no-space"),
        Code::NotFound => message!("code-not-found"),
        Code::Malformed => message!("code-malformed"),
        Code::NotPe => message!("code-not-pe"),
        Code::Unsupported => message!("code-unsupported"),
        Code::Changed => message!("code-changed"),
        Code::BadRecord => message!("code-bad-record"),
        Code::Io => message!("code-io"),
        other => unknown(&word_of(&other)),
    }
}

/// The step that failed.
pub(crate) fn step(step: Step) -> Message {
    match step {
        Step::Collect => message!("step-collect"),
        Step::Open => message!("step-open"),
        Step::Read => message!("step-read"),
        Step::Judge => message!("step-judge"),
        Step::Journal => message!("step-journal"),
        Step::Copy => message!("step-copy"),
        Step::Write => message!("step-write"),
        Step::Sync => message!("step-sync"),
        Step::ReadBack => message!("step-read-back"),
        Step::Rename => message!("step-rename"),
        Step::Link => message!("step-link"),
        Step::Remove => message!("step-remove"),
        Step::Attributes => message!("step-attributes"),
        Step::Settle => message!("step-settle"),
        Step::Hash => message!("step-hash"),
        Step::Map => message!("step-map"),
        other => unknown(&word_of(&other)),
    }
}

/// The shell that a line is for.
pub(crate) fn shell(shell: WindowsShell) -> Message {
    match shell {
        WindowsShell::Cmd => message!("shell-cmd"),
        WindowsShell::PowerShell => message!("shell-powershell"),
    }
}

/// What became of a file of a run.
pub(crate) fn state(state: HistoryState) -> Message {
    match state {
        HistoryState::Done => message!("state-done"),
        HistoryState::Restored => message!("state-restored"),
        HistoryState::Undone => message!("state-undone"),
        HistoryState::Unsettled => message!("state-unsettled"),
        HistoryState::Stale => message!("state-stale"),
        other => unknown(&word_of(&other)),
    }
}

/// What a file is, compared with what its package installed.
pub(crate) fn file_state(state: FileState) -> Message {
    match state {
        FileState::Pristine => message!("file-state-pristine"),
        FileState::Patched => message!("file-state-patched"),
        FileState::Modified => message!("file-state-modified"),
        FileState::Unknown => message!("file-state-unknown"),
        other => unknown(&word_of(&other)),
    }
}

/// A word of a library that is newer than this catalogue.
fn unknown(word: &str) -> Message {
    message!("word-unknown", word = word)
}

/// The stable word that a report writes for this value.
pub(crate) fn word_of(word: &impl serde::Serialize) -> String {
    match serde_json::to_value(word) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Catalogue;
    use crate::language::Language;

    #[test]
    fn who_may_not_change_a_file_is_told_how_each_system_gives_that_right() {
        let english = Catalogue::of(Language::En);
        let say = |windows| english.text(&left(LeftReason::AccessDenied, windows));
        assert!(say(true).contains("administrator"), "{}", say(true));
        assert!(say(false).contains("sudo"), "{}", say(false));
    }
}
