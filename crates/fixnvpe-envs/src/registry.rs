//! The Windows registry, as far as Python writes into it.

use std::fmt;
use std::io;

/// The root of a tree of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Hive {
    /// `HKEY_CURRENT_USER`, which 32-bit and 64-bit programs share.
    CurrentUser,
    /// `HKEY_LOCAL_MACHINE` as 64-bit programs see it.
    LocalMachine64,
    /// `HKEY_LOCAL_MACHINE` as 32-bit programs see it.
    LocalMachine32,
}

impl Hive {
    /// Every tree that PEP 514 names.
    pub const ALL: [Self; 3] = [
        Self::CurrentUser,
        Self::LocalMachine64,
        Self::LocalMachine32,
    ];
}

impl fmt::Display for Hive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::CurrentUser => "HKCU",
            Self::LocalMachine64 => "HKLM",
            Self::LocalMachine32 => "HKLM (32-bit)",
        })
    }
}

/// A view of the registry. [`NoRegistry`] has nothing in it; the live one is
/// part of [`Machine::this`](crate::Machine::this).
pub trait Registry: fmt::Debug + Send + Sync {
    /// The names of the keys below `key` (`Software\Python`); none where there
    /// is no such key.
    ///
    /// # Errors
    ///
    /// The system's error, when the key may not be read.
    fn keys(&self, hive: Hive, key: &str) -> io::Result<Vec<String>>;

    /// The text of the value `name` of `key`; the empty name is the key's
    /// default value.
    ///
    /// # Errors
    ///
    /// The system's error, when the key may not be read.
    fn value(&self, hive: Hive, key: &str, name: &str) -> io::Result<Option<String>>;
}

/// The registry of a machine that has none, or whose registry cannot be read
/// (a mounted disk).
#[derive(Clone, Copy, Debug, Default)]
pub struct NoRegistry;

impl Registry for NoRegistry {
    fn keys(&self, _: Hive, _: &str) -> io::Result<Vec<String>> {
        Ok(Vec::new())
    }

    fn value(&self, _: Hive, _: &str, _: &str) -> io::Result<Option<String>> {
        Ok(None)
    }
}
