//! The name of one run of a patch or restore.

use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The name of one run: when it began (UTC, to the millisecond) and a random
/// part, so that runs sort by time and no two have one name, on whatever machine
/// they ran.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(feature = "schema", schemars(with = "String"))]
pub struct RunId(String);

/// A text that names no run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is no run id (such as 20261130T172900123Z-5f0c2a91)")]
pub struct ParseRunIdError {
    text: String,
}

/// Longer than any id that was ever given out.
const LONGEST: usize = 64;

impl RunId {
    /// A new id for a run that begins now.
    #[must_use]
    pub(crate) fn new(now: jiff::Timestamp) -> Self {
        // The keys of a `RandomState` are random and differ from one to the
        // next; hashing the time and process id only spreads them further.
        let mut hasher = RandomState::new().build_hasher();
        hasher.write_i128(now.as_nanosecond());
        hasher.write_u32(std::process::id());
        let random = hasher.finish() & 0xFFFF_FFFF;
        Self(format!(
            "{}-{random:08x}",
            now.strftime("%Y%m%dT%H%M%S%3fZ")
        ))
    }

    /// The id as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for RunId {
    type Err = ParseRunIdError;

    fn from_str(text: &str) -> Result<Self, ParseRunIdError> {
        let fits = !text.is_empty()
            && text.len() <= LONGEST
            && text
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if fits {
            return Ok(Self(text.to_owned()));
        }
        Err(ParseRunIdError {
            text: text.chars().take(LONGEST).collect(),
        })
    }
}

impl TryFrom<String> for RunId {
    type Error = ParseRunIdError;

    fn try_from(text: String) -> Result<Self, ParseRunIdError> {
        text.parse()
    }
}

impl From<RunId> for String {
    fn from(id: RunId) -> Self {
        id.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_runs_of_one_moment_have_two_ids() {
        let now = jiff::Timestamp::UNIX_EPOCH;
        let (one, other) = (RunId::new(now), RunId::new(now));
        assert_ne!(one, other);
        assert!(one.as_str().starts_with("19700101T000000000Z-"));
        assert_eq!(one.as_str().parse(), Ok(one));
    }

    #[test]
    fn a_run_id_is_safe_in_a_file_name() {
        for text in ["", "../x", "a b", "a/b", "ä", &"x".repeat(65)] {
            assert!(text.parse::<RunId>().is_err(), "{text}");
        }
    }
}
