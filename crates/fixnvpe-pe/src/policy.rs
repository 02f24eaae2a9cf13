//! What a caller allows a patch to do.

use std::fmt;

/// What happens to `DYNAMIC_BASE`, the bit that lets an image be loaded anywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum Aslr {
    /// It stays as it is: nothing is saved by clearing it, and images that are
    /// all linked for one address would collide.
    #[default]
    Keep,
    /// It is cleared, except where Windows needs it (control flow guard, ARM64).
    Clear,
}

impl Aslr {
    /// The stable word for scripts.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Clear => "clear",
        }
    }
}

impl fmt::Display for Aslr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What a patch may do. The default keeps ASLR and leaves signed images alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Policy {
    /// What happens to `DYNAMIC_BASE`.
    pub aslr: Aslr,
    /// Whether a signed image may be patched, which breaks its signature.
    pub allow_signed: bool,
}

impl Policy {
    /// A policy of these choices.
    #[must_use]
    pub fn new(aslr: Aslr, allow_signed: bool) -> Self {
        Self { aslr, allow_signed }
    }
}
