//! The exit codes, which scripts rely on.

use std::process;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a run ended. The numbers never change their meaning.
///
/// The order is the weight: of several outcomes of one run the greatest wins.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(into = "u8", try_from = "u8")]
#[schemars(with = "u8")]
pub(crate) enum ExitCode {
    /// 0: all that was asked for is done, or there was nothing to do. Refusals
    /// that nobody can lift are listed and count as done.
    Done,
    /// 3: a check found something, such as `scan --check` a writable image.
    Found,
    /// 4: something was left undone, and the caller can change that: a file in
    /// use, access denied, links outside the selection, a signature.
    LeftUndone,
    /// 1: a file failed, or a named path does not exist. The rest was done.
    Failed,
    /// 130: interrupted by Ctrl-C. The files in flight were finished.
    Interrupted,
    /// 2: the command line cannot be followed. Only before work starts, so it
    /// never meets another outcome.
    Usage,
}

impl ExitCode {
    /// The outcome of two parts of one run: 130, 1, 4, 3, 0, whichever comes
    /// first in this order.
    pub(crate) fn merge(self, other: Self) -> Self {
        self.max(other)
    }

    /// This outcome if it `happened`, else "done": to build a code from parts.
    pub(crate) fn when(self, happened: bool) -> Self {
        if happened { self } else { Self::Done }
    }
}

impl From<ExitCode> for u8 {
    fn from(code: ExitCode) -> Self {
        match code {
            ExitCode::Done => 0,
            ExitCode::Failed => 1,
            ExitCode::Usage => 2,
            ExitCode::Found => 3,
            ExitCode::LeftUndone => 4,
            ExitCode::Interrupted => 130,
        }
    }
}

impl TryFrom<u8> for ExitCode {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, Self::Error> {
        match number {
            0 => Ok(Self::Done),
            1 => Ok(Self::Failed),
            2 => Ok(Self::Usage),
            3 => Ok(Self::Found),
            4 => Ok(Self::LeftUndone),
            130 => Ok(Self::Interrupted),
            other => Err(format!("{other} is no exit code of fixnvpe")),
        }
    }
}

impl From<ExitCode> for process::ExitCode {
    fn from(code: ExitCode) -> Self {
        Self::from(u8::from(code))
    }
}

#[cfg(test)]
mod tests {
    use super::ExitCode::{Done, Failed, Found, Interrupted, LeftUndone, Usage};
    use super::*;

    #[test]
    fn the_heavier_of_two_outcomes_wins_whatever_their_order() {
        let order = [Interrupted, Failed, LeftUndone, Found, Done];
        for (at, heavier) in order.iter().enumerate() {
            for lighter in &order[at..] {
                assert_eq!(heavier.merge(*lighter), *heavier);
                assert_eq!(lighter.merge(*heavier), *heavier);
            }
        }
    }

    #[test]
    fn the_numbers_are_those_that_scripts_rely_on() {
        let numbers = [Done, Failed, Usage, Found, LeftUndone, Interrupted].map(u8::from);
        assert_eq!(numbers, [0, 1, 2, 3, 4, 130]);
    }

    #[test]
    fn a_number_reads_back_as_the_code_that_wrote_it() {
        for code in [Done, Failed, Usage, Found, LeftUndone, Interrupted] {
            assert_eq!(ExitCode::try_from(u8::from(code)), Ok(code));
        }
        assert!(ExitCode::try_from(5).is_err());
    }

    #[test]
    fn what_did_not_happen_counts_as_done() {
        assert_eq!(Failed.when(false), Done);
        assert_eq!(Failed.when(true), Failed);
    }
}
