//! Whether every test program told its result.
//!
//! Where Wine's server goes away, all its programs end without an error, and
//! cargo takes that for success.

/// What test programs have told so far, by the lines of their harness.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Told {
    began: usize,
    ended: usize,
}

impl Told {
    /// Takes in a line of the output.
    pub(super) fn take(&mut self, line: &str) {
        let line = line.trim_end();
        let count = line
            .strip_prefix("running ")
            .and_then(|rest| rest.strip_suffix(" tests").or(rest.strip_suffix(" test")));
        if count.is_some_and(|count| count.parse::<usize>().is_ok()) {
            self.began += 1;
        } else if line.starts_with("test result: ") {
            self.ended += 1;
        }
    }

    /// How many programs began, and how many of them did not come to an end;
    /// nothing where all is told. With `all` none at all is too few.
    pub(super) fn unfinished(self, all: bool) -> Option<(usize, usize)> {
        let left = self.began.saturating_sub(self.ended);
        (left > 0 || (all && self.began == 0)).then_some((self.began, left))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(output: &str) -> Told {
        let mut told = Told::default();
        output.lines().for_each(|line| told.take(line));
        told
    }

    const WHOLE: &str = "\r
running 2 tests\r
test running::a ... ok\r
test b ... ok\r
\r
test result: ok. 2 passed; 0 failed; 0 ignored\r
";

    #[test]
    fn programs_that_told_their_result_are_finished() {
        assert_eq!(told(WHOLE).unfinished(true), None);
        let one = WHOLE.replace("2 tests", "1 test");
        assert_eq!(told(&format!("{WHOLE}{one}")).unfinished(true), None);
        let failed = WHOLE.replace("result: ok", "result: FAILED");
        assert_eq!(told(&failed).unfinished(true), None);
    }

    #[test]
    fn a_program_that_ended_in_its_midst_is_not_and_neither_is_nothing_at_all() {
        let cut = WHOLE.split("test b").next().unwrap();
        assert_eq!(
            told(&format!("{cut}{WHOLE}")).unfinished(false),
            Some((2, 1))
        );
        assert_eq!(told("").unfinished(true), Some((0, 0)));
        // Arguments may ask for something else: `--list`.
        assert_eq!(told("").unfinished(false), None);
    }
}
