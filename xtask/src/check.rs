//! Many checks in a row, of which each is said and none stops the next.

use std::fmt::Debug;

use serde_json::Value;

use crate::error::Error;
use crate::screen::say;

/// How many checks were made, and how many do not hold.
#[derive(Debug, Default)]
pub(crate) struct Checks {
    all: usize,
    wrong: usize,
    not_made: usize,
}

impl Checks {
    /// Says whether something holds.
    pub(crate) fn holds(&mut self, what: &str, holds: bool) {
        self.all += 1;
        if holds {
            say(format_args!("  ok     {what}"));
        } else {
            self.wrong += 1;
            say(format_args!("  WRONG  {what}"));
        }
    }

    /// Says whether two values are equal, and both where they are not.
    pub(crate) fn equal<A: Debug + PartialEq<B>, B: Debug>(
        &mut self,
        what: &str,
        is: &A,
        must: &B,
    ) {
        if is == must {
            self.holds(&format!("{what}: {is:?}"), true);
        } else {
            self.holds(&format!("{what}: {is:?}, must be {must:?}"), false);
        }
    }

    /// Says whether a program ended with this exit code; a signal leaves none.
    pub(crate) fn exit_code(&mut self, what: &str, is: Option<i32>, must: i32) {
        match is {
            Some(code) if code == must => self.holds(&format!("{what}: exit code {code}"), true),
            Some(code) => self.holds(&format!("{what}: exit code {code}, must be {must}"), false),
            None => self.holds(&format!("{what}: ended by a signal, must be {must}"), false),
        }
    }

    /// Says whether a value of a JSON document is this one, and both where it is not.
    pub(crate) fn json(&mut self, what: &str, is: &Value, must: impl Into<Value>) {
        let must = must.into();
        if *is == must {
            self.holds(&format!("{what}: {is}"), true);
        } else {
            self.holds(&format!("{what}: {is}, must be {must}"), false);
        }
    }

    /// Says that a value stays below a bound.
    pub(crate) fn below(&mut self, what: &str, is: u64, bound: u64) {
        self.holds(&format!("{what}: {is} bytes, below {bound}"), is < bound);
    }

    /// Says that something cannot be checked here, and why.
    pub(crate) fn not_made(&mut self, what: &str, why: &str) {
        self.not_made += 1;
        say(format_args!("  -      {what}: not checked, {why}"));
    }

    /// Success if everything holds.
    pub(crate) fn finish(self) -> Result<(), Error> {
        let Self {
            all,
            wrong,
            not_made,
        } = self;
        if wrong > 0 {
            return Err(Error::Checks { wrong, all });
        }
        say(format_args!("{all} checks hold, {not_made} were not made"));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_wrong_check_among_many_fails_the_task_and_stops_none() {
        let mut checks = Checks::default();
        checks.holds("a", true);
        checks.equal("b", &1, &2);
        checks.below("c", 3, 4);
        checks.exit_code("d", Some(0), 0);
        checks.exit_code("e", None, 0);
        checks.json("f", &Value::Null, 1);
        let failed = matches!(checks.finish(), Err(Error::Checks { wrong: 3, all: 6 }));
        assert!(failed);
    }
}
