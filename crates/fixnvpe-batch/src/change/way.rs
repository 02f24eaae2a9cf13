//! Which way a file is changed, and whether it can be now.

use std::path::Path;

use super::names::Target;
use super::{Change, Stop, backup};
use crate::filesystem::{FileSystem, Handle};
use crate::journal::Reading;
use crate::options::{Backup, ChangeOptions, InUse, LinkPolicy};
use crate::report::{LeftReason, Method, Step};

/// The way to change a file.
pub(super) enum Way {
    /// A few bytes of the file itself.
    InPlace {
        /// The open file; none where its read-only attribute comes off first.
        open: Option<Box<dyn Handle>>,
        /// Whether the read-only attribute comes off for the while.
        forced: bool,
    },
    /// A changed copy takes over the names.
    Replace {
        /// Whether the file in use is renamed aside first.
        aside: bool,
        /// Whether the copy is read-only too in the end.
        forced: bool,
    },
}

impl Way {
    /// The word for it in reports.
    pub(super) fn method(&self, target: &Target) -> Method {
        match self {
            Self::InPlace { .. } => Method::InPlace,
            Self::Replace { .. } if target.names.len() > 1 => Method::Link,
            Self::Replace { .. } => Method::Replace,
        }
    }
}

/// What the links of a file and the policy come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ByLinks {
    InPlace,
    Replace,
    Leave,
}

/// Where every name is selected, the file itself is changed whatever the
/// policy says.
fn by_links(outside: u64, policy: LinkPolicy) -> ByLinks {
    match policy {
        _ if outside == 0 => ByLinks::InPlace,
        LinkPolicy::Share => ByLinks::InPlace,
        LinkPolicy::Skip => ByLinks::Leave,
        LinkPolicy::Auto | LinkPolicy::Break => ByLinks::Replace,
    }
}

/// Finds the way, and opens the file for it where it can. Nothing is written.
pub(super) fn find(
    change: &Change,
    target: &Target,
    options: &ChangeOptions<'_>,
    files: &dyn FileSystem,
) -> Result<Way, Stop> {
    let path = target.path();
    let by_links = by_links(target.links().outside, options.links);
    if by_links == ByLinks::Leave {
        return Err(Stop::left(LeftReason::LinksOutside, ""));
    }
    let forced = target.stat.read_only;
    if forced && !options.force {
        return Err(Stop::left(LeftReason::ReadOnlyAttribute, ""));
    }
    let way = match probe(path, forced, files) {
        Ok(open) if by_links == ByLinks::InPlace => Way::InPlace { open, forced },
        // Windows renames nothing over a file with the read-only attribute.
        Ok(_) => Way::Replace {
            aside: forced,
            forced,
        },
        Err(error) => {
            let stop = Stop::of_io(path, Step::Open, &error);
            let aside = match &stop {
                Stop::Left(left) => past(left.reason, by_links, options.in_use),
                Stop::Failed(_) => None,
            };
            let Some(aside) = aside else {
                return Err(stop);
            };
            Way::Replace { aside, forced }
        }
    };
    if let Way::InPlace {
        open: Some(open), ..
    } = &way
    {
        check(change, target, path, &**open)?;
    }
    if options.backup == Backup::Copy {
        backup::check(target, files)?;
    }
    space(target, &way, options, files)?;
    Ok(way)
}

/// Whether a file that cannot be opened for writing can be replaced all the
/// same, and then whether it is renamed aside first.
fn past(reason: LeftReason, by_links: ByLinks, in_use: InUse) -> Option<bool> {
    match reason {
        LeftReason::InUse => (in_use == InUse::Replace).then_some(true),
        // A file that the caller may not write gives way to one that they may,
        // where the folder is theirs.
        LeftReason::AccessDenied => (by_links == ByLinks::Replace).then_some(false),
        _ => None,
    }
}

/// Opens the file for writing, to see whether it is in use. One with the
/// read-only attribute cannot be asked.
fn probe(
    path: &Path,
    forced: bool,
    files: &dyn FileSystem,
) -> std::io::Result<Option<Box<dyn Handle>>> {
    if forced {
        return Ok(None);
    }
    files.open_exclusive(path).map(Some)
}

/// Compares the space that copies need with the space that is free. On file
/// systems that clone, a copy takes less: this errs on the safe side.
fn space(
    target: &Target,
    way: &Way,
    options: &ChangeOptions<'_>,
    files: &dyn FileSystem,
) -> Result<(), Stop> {
    let copies =
        u64::from(matches!(way, Way::Replace { .. })) + u64::from(options.backup == Backup::Copy);
    let Some(folder) = target.path().parent().filter(|_| copies > 0) else {
        return Ok(());
    };
    let needed = target.stat.len.saturating_mul(copies);
    match files.free_space(folder) {
        Ok(free) if free < needed => Err(Stop::left(
            LeftReason::NoSpace,
            format!("a copy needs {needed} bytes and {free} are free"),
        )),
        // A volume that does not say how much is free says so when it is full.
        _ => Ok(()),
    }
}

/// Checks that an open file is the one that was judged, byte for byte in its
/// header block.
pub(super) fn check(
    change: &Change,
    target: &Target,
    path: &Path,
    file: &dyn Handle,
) -> Result<(), Stop> {
    let stat = file
        .stat()
        .map_err(|error| Stop::of_io(path, Step::Open, &error))?;
    if stat.id != change.id || stat.len != change.identity.len || stat.modified != change.modified {
        return Err(Stop::changed(path, "the file changed since it was judged"));
    }
    if stat.links != target.stat.links {
        return Err(Stop::changed(path, "the file got or lost a link meanwhile"));
    }
    let reading = change
        .identity
        .read(file, &change.edits)
        .map_err(|error| Stop::of_io(path, Step::Read, &error))?;
    if reading == Some(Reading::Old) {
        return Ok(());
    }
    let what = "the bytes to change are not the ones that were judged";
    Err(Stop::changed(path, what))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_with_all_its_names_selected_is_changed_in_place_whatever_the_policy() {
        for policy in [
            LinkPolicy::Auto,
            LinkPolicy::Share,
            LinkPolicy::Break,
            LinkPolicy::Skip,
        ] {
            assert_eq!(by_links(0, policy), ByLinks::InPlace);
        }
    }

    #[test]
    fn names_outside_the_selection_decide_by_the_policy() {
        assert_eq!(by_links(1, LinkPolicy::Auto), ByLinks::Replace);
        assert_eq!(by_links(1, LinkPolicy::Break), ByLinks::Replace);
        assert_eq!(by_links(1, LinkPolicy::Share), ByLinks::InPlace);
        assert_eq!(by_links(1, LinkPolicy::Skip), ByLinks::Leave);
    }
}
