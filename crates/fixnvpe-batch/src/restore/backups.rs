//! Copies beside a file (`NAME_bak`), as the older script left them.

use std::io;
use std::path::{Path, PathBuf};

use fixnvpe_pe::Image;

use crate::change::{backup_of, same_content, same_from};
use crate::collect::Candidate;
use crate::context::Context;
use crate::filesystem::{Source, read_exact};
use crate::judge::Opened;
use crate::original::Fields;
use crate::report::{Code, Failure, Outcome, RestoreReport, Step};

/// The header block of a backup that differs from the file in the fields of a
/// patch and in nothing else, and where it was found.
pub(super) fn header(
    candidate: &Candidate,
    opened: &Opened,
    image: &Image<Source<'_>>,
    context: &Context<'_>,
) -> io::Result<Option<(Vec<u8>, String)>> {
    for backup in existing(candidate, context) {
        let file = context.files.open_read(&backup)?;
        if file.stat()?.len != image.len() {
            continue;
        }
        let mut header = vec![0; image.header().len()];
        read_exact(&*file, 0, &mut header)?;
        let differs = header != image.header();
        if differs
            && Fields::of(image).cover(image.header(), &header)
            && same_from(&*opened.file, &*file, header.len() as u64)?
        {
            return Ok(Some((header, shown(&backup))));
        }
    }
    Ok(None)
}

/// What to say of backups that were no use.
pub(super) fn notes(candidate: &Candidate, context: &Context<'_>) -> Vec<String> {
    existing(candidate, context)
        .map(|backup| format!("`{}` is of another version of the file", shown(&backup)))
        .collect()
}

fn existing<'a>(
    candidate: &'a Candidate,
    context: &'a Context<'_>,
) -> impl Iterator<Item = PathBuf> + 'a {
    let backups = candidate.names.iter().map(|name| backup_of(name));
    backups.filter(|backup| context.files.stat(backup).is_ok())
}

fn shown(path: &Path) -> String {
    fixnvpe_files::shown(path).display().to_string()
}

/// Removes the backup beside every file that is the original again, if the two
/// are the same from the first byte to the last.
pub(super) fn remove(report: &mut RestoreReport, dry_run: bool, context: &Context<'_>) {
    for result in &mut report.results {
        let original = matches!(
            result.outcome,
            Outcome::Restored | Outcome::Already | Outcome::WouldRestore
        );
        if !original {
            continue;
        }
        for name in &result.names {
            let backup = backup_of(name);
            let removed = remove_one(name, &backup, result.outcome, dry_run, context);
            match removed {
                Ok(Some(len)) => report.freed += len,
                Ok(None) => {}
                Err(error) if Code::of_io(&error) == Code::NotFound => {}
                Err(error) => {
                    let failure = Failure::of_io(&backup, Step::Remove, &error);
                    context.tell_failures(std::slice::from_ref(&failure));
                    report.failures.push(failure);
                }
            }
        }
    }
}

/// Removes one backup, and says how many bytes that frees.
fn remove_one(
    name: &Path,
    backup: &Path,
    outcome: Outcome,
    dry_run: bool,
    context: &Context<'_>,
) -> io::Result<Option<u64>> {
    let files = context.files;
    let stat = files.stat(backup)?;
    // A file that is yet to be restored cannot be the same as its backup.
    let same = outcome == Outcome::WouldRestore || same_content(name, backup, files)?;
    if !same {
        return Ok(None);
    }
    if !dry_run {
        files.remove(backup)?;
    }
    // Other names of the backup keep its bytes.
    Ok(Some(if stat.links > 1 { 0 } else { stat.len }))
}
