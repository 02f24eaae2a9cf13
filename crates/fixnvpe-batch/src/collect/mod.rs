//! Finding the files of a job, each once, whatever its names.

mod group;
mod walk;

use std::path::{Path, PathBuf};

use fixnvpe_files::{FileId, Kind};

use crate::context::Context;
use crate::observe::Event;
use crate::options::CollectOptions;
use crate::report::{Failure, Links, SkipReason, Skipped, Step};

pub(crate) use group::{Found, group};

/// The extensions of files that hold images, in lower case.
const EXTENSIONS: [&str; 3] = ["dll", "exe", "pyd"];

/// One file of the selection.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Candidate {
    /// The first of its selected names.
    pub path: PathBuf,
    /// Every selected name, `path` first.
    pub names: Vec<PathBuf>,
    /// Its identity.
    pub id: FileId,
    /// How many names there are when the file was found; counted again before
    /// it is changed.
    pub links: Links,
    /// Its length in bytes when it was found.
    pub size: u64,
    /// Whether the user named the file itself, not a folder that holds it.
    pub named: bool,
}

/// The files of a job.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Collection {
    /// The files, in the order of their paths.
    pub candidates: Vec<Candidate>,
    /// What was left out.
    pub skipped: Vec<Skipped>,
    /// What could not be read.
    pub failures: Vec<Failure>,
    /// False when collecting was cancelled.
    pub complete: bool,
}

/// Whether a file in a folder is looked at, by its name.
#[must_use]
pub fn is_candidate_name(name: &Path) -> bool {
    name.extension().is_some_and(|extension| {
        EXTENSIONS
            .iter()
            .any(|known| extension.eq_ignore_ascii_case(known))
    })
}

/// Where to look: a file, or a folder with all below it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Root {
    /// The path.
    pub path: PathBuf,
    /// Whether the user named it. One that a pattern matched may be anything:
    /// if it is no image, or gone, nobody expected otherwise.
    pub named: bool,
}

impl Root {
    /// A path that the user named.
    #[must_use]
    pub fn named(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            named: true,
        }
    }

    /// A path that a pattern matched.
    #[must_use]
    pub fn matched(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            named: false,
        }
    }
}

/// A path alone is one that the user named.
impl From<PathBuf> for Root {
    fn from(path: PathBuf) -> Self {
        Self::named(path)
    }
}

/// Finds the files of a job: `.dll`, `.pyd` and `.exe` below each folder among
/// `roots`, and each file among them whatever its name.
///
/// A root that is a link stands for what it points to. Below a folder no link
/// is followed. Names of one file are put together: different ones where it
/// has several links, and paths that lead to one name through different
/// spellings or linked parents always. What cannot be read is reported and
/// stops nothing.
#[must_use]
pub fn collect<R: Clone + Into<Root>>(
    roots: &[R],
    options: &CollectOptions<'_>,
    context: &Context<'_>,
) -> Collection {
    let roots: Vec<Root> = roots.iter().cloned().map(Into::into).collect();
    let found = context
        .pool
        .install(|| walk::walk(&roots, options, context));
    let mut collection = Collection {
        candidates: group(found.files),
        skipped: found.skipped,
        failures: found.failures,
        complete: !context.cancel.is_cancelled(),
    };
    collection.skipped.sort_by(|a, b| a.path.cmp(&b.path));
    collection.failures.sort_by(|a, b| a.path.cmp(&b.path));
    context.tell_skips(&collection.skipped);
    context.tell_failures(&collection.failures);
    context.tell(&Event::Collected {
        files: collection.candidates.len() as u64,
    });
    collection
}
