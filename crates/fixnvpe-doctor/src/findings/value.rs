//! Values in a sentence.

use serde::{Deserialize, Serialize};

/// A value that a sentence speaks of, with what it is: how it is written is the
/// caller's business.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Value {
    /// A size in bytes.
    Bytes(u64),
    /// How many.
    Count(u64),
    /// A name, a path, a version, a word.
    Text(String),
    /// Several of them.
    List(Vec<String>),
}

impl Value {
    /// A text.
    pub(crate) fn text(text: &(impl ToString + ?Sized)) -> Self {
        Self::Text(text.to_string())
    }

    /// How many; what does not fit is the largest number.
    pub(crate) fn count(count: impl TryInto<u64>) -> Self {
        Self::Count(count.try_into().unwrap_or(u64::MAX))
    }

    /// A word that a sentence chooses by.
    pub(crate) fn choice(yes: bool) -> Self {
        Self::text(if yes { "yes" } else { "no" })
    }
}
