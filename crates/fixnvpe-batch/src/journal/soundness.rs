//! What a record may ask for at all.
//!
//! A journal is a file, and anybody who may write to it can ask an
//! administrator's run to settle or restore something. So a record that names
//! other paths than the ones a change of its names needs, or other bytes than
//! those of a patch, is treated as a line that is not understood.

use std::path::Path;

use fixnvpe_pe::{Image, Patch};

use super::record::{Closed, Planned, Record};
use crate::change::{Side, backup_of, lay};
use crate::filesystem::{Handle, Source};
use crate::original::Fields;

/// How the names of temporary and aside files begin.
pub(crate) const OURS: &str = ".fixnvpe-";

/// Whether a path can be that of a temporary or aside file of ours.
pub(crate) fn is_ours(path: &Path) -> bool {
    path.file_name()
        .is_some_and(|name| name.to_string_lossy().starts_with(OURS))
}

/// Checks what a record says of paths and bytes.
pub(super) fn check(record: &Record) -> Result<(), String> {
    match record {
        Record::Planned(planned) => check_planned(planned),
        Record::Closed(closed) => check_closed(closed),
        Record::Run(_) | Record::End(_) => Ok(()),
    }
}

fn check_planned(planned: &Planned) -> Result<(), String> {
    if planned.names.is_empty() || !planned.paths().all(Path::has_root) {
        return Err("a change of no file, or of one without an absolute path".to_owned());
    }
    for beside in [&planned.temporary, &planned.aside] {
        let fits = beside.len() <= planned.names.len()
            && beside
                .iter()
                .zip(&planned.names)
                .all(|(path, name)| is_ours(&path.0) && path.0.parent() == name.0.parent());
        if !fits {
            return Err("a temporary file that is not beside its name".to_owned());
        }
    }
    for backup in &planned.backup {
        if !planned.paths().any(|name| backup_of(name) == backup.0) {
            return Err("a backup that is not beside its file".to_owned());
        }
    }
    let patch = Patch::from_edits(planned.edits.clone());
    patch.map(drop).map_err(|error| error.to_string())
}

fn check_closed(closed: &Closed) -> Result<(), String> {
    if closed.leftover.iter().all(|path| is_ours(&path.0)) {
        return Ok(());
    }
    Err("a leftover that no run of this program leaves".to_owned())
}

/// Whether both sides of a record's edits, laid over the headers of an open
/// image, differ in nothing but the fields of a patch.
pub(super) fn is_patch_of(planned: &Planned, file: &dyn Handle) -> bool {
    let Ok(image) = Image::read(Source(file)) else {
        return false;
    };
    let side = |side| {
        let mut header = image.header().to_vec();
        lay(&mut header, 0, &planned.edits, side);
        header
    };
    Fields::of(&image).cover(&side(Side::Old), &side(Side::New))
}
