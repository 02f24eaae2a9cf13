//! The places where Python environments are known to lie, as one table.
//!
//! The table is data: the look around a machine reads it, `fixnvpe envs
//! --places` prints it, and the book's page is made from it.

pub(crate) mod expand;
mod page;
mod table;

use crate::{CacheKind, Kind, Manager};

pub use self::page::places_page;

/// One row of the table of places.
///
/// A place is written as its system writes paths. It begins with a variable,
/// `~` (every user's home), `<drive>` (every fixed drive), or, for what lies
/// in any folder that is looked at, with a name. `*` and `?` stand for any
/// text and any character, `{a,b}` for each of the two.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Place {
    /// The tool whose place it is.
    pub tool: &'static str,
    /// Where on Windows.
    pub windows: &'static [&'static str],
    /// Where on Linux and macOS.
    pub elsewhere: &'static [&'static str],
    /// What tells that it is one.
    pub marker: &'static str,
    /// How the place leads to an environment.
    pub(crate) way: Way,
    /// What a find here is, where its content allows that.
    pub(crate) kind: Option<Kind>,
    /// Who looks after a find here.
    pub(crate) manager: Option<Manager>,
}

/// How a place leads to what is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// Each folder may be an environment's prefix.
    Prefix,
    /// Each folder may be a `site-packages`.
    Site,
    /// Like `Prefix`, below any folder that is looked at.
    Below,
    /// Like `Site`, below any folder that is looked at.
    BelowSite,
    /// Each folder may be a package cache.
    Cache(CacheKind),
    /// Each folder may be an installation of this name.
    Toolkit(&'static str),
    /// Each folder holds conda's configuration.
    CondaConfig,
    /// Each folder holds an `environments.txt`.
    EnvironmentsTxt,
    /// Each folder holds a `kernel.json`.
    Kernel,
    /// Three levels below each folder, markers are looked for.
    Shallow,
    /// A source of its own reads it; the row is for people.
    Told,
}

impl Place {
    const fn new(tool: &'static str, way: Way, marker: &'static str) -> Self {
        Self {
            tool,
            windows: &[],
            elsewhere: &[],
            marker,
            way,
            kind: None,
            manager: None,
        }
    }

    const fn windows(mut self, places: &'static [&'static str]) -> Self {
        self.windows = places;
        self
    }

    const fn elsewhere(mut self, places: &'static [&'static str]) -> Self {
        self.elsewhere = places;
        self
    }

    const fn kind(mut self, kind: Kind) -> Self {
        self.kind = Some(kind);
        self
    }

    const fn manager(mut self, manager: Manager) -> Self {
        self.manager = Some(manager);
        self
    }
}

/// Every place, in the order of the table.
#[must_use]
pub fn places() -> &'static [Place] {
    table::PLACES
}
