//! The names of a file, looked up again just before it is changed.

use std::path::PathBuf;

use super::{Change, Stop};
use crate::collect::Candidate;
use crate::filesystem::{FileStat, FileSystem};
use crate::report::{Code, Failure, LeftReason, Links, Step};

/// The file to change, with the selected names that lead to it now.
#[derive(Debug)]
pub(super) struct Target {
    /// At least one.
    pub(super) names: Vec<PathBuf>,
    pub(super) stat: FileStat,
    /// Selected names that lead elsewhere by now.
    pub(super) lost: Vec<Failure>,
}

impl Target {
    pub(super) fn path(&self) -> &PathBuf {
        // `look_up` makes no target without names.
        &self.names[0]
    }

    pub(super) fn links(&self) -> Links {
        let selected = self.names.len() as u64;
        Links {
            count: self.stat.links,
            outside: self.stat.links.saturating_sub(selected),
        }
    }
}

/// Looks up the names of a candidate.
pub(super) fn look_up(
    change: &Change,
    candidate: &Candidate,
    files: &dyn FileSystem,
) -> Result<Target, Stop> {
    let (mut names, mut found) = (Vec::new(), None);
    let mut lost: Vec<Failure> = Vec::new();
    for name in &candidate.names {
        match files.stat(name) {
            Ok(stat) if stat.id == change.id => {
                names.push(name.clone());
                found = Some(stat);
            }
            Ok(_) => {
                let what = "another file has taken this name";
                lost.push(Failure::new(name, Step::Open, Code::Changed, what));
            }
            Err(error) if Code::of_io(&error) == Code::NotFound => {
                lost.push(Failure::of_io(name, Step::Open, &error));
            }
            // It may well be a name of the file. Without it the others could
            // not be told from names outside.
            Err(error) => return Err(Stop::of_io(name, Step::Open, &error)),
        }
    }
    if let Some(stat) = found {
        return Ok(Target { names, stat, lost });
    }
    Err(match lost.pop() {
        Some(failure) => Stop::of_failure(failure),
        None => Stop::left(LeftReason::NotFound, ""),
    })
}
