//! The machine that is looked around in: this one, or Windows disks that are
//! mounted somewhere (`--root`).

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use fixnvpe_envs::Machine;

use crate::arguments::Place;
use crate::caller;
use crate::fatal::Fatal;
use crate::message;
use crate::session::Session;

/// The machine of the command line.
///
/// # Errors
///
/// A usage error for a root that is no folder, and for two roots of one drive.
pub(crate) fn machine(session: &Session, place: &Place) -> Result<Machine, Fatal> {
    let folder = session.caller.folder.clone();
    if place.root.is_empty() {
        return Ok(Machine::this(caller::variables(), folder));
    }
    let drives: Vec<(char, PathBuf)> = place
        .root
        .iter()
        .map(|word| {
            let (letter, root) = drive(word);
            (letter, std::path::absolute(&root).unwrap_or(root))
        })
        .collect();
    if let Some((_, missing)) = drives.iter().find(|(_, root)| !root.is_dir()) {
        let root = missing.display().to_string();
        return Err(Fatal::usage(message!("root-is-no-folder", root = root)));
    }
    let machine = Machine::mounted(drives)
        .map_err(|error| Fatal::usage(message!("roots-are-wrong")).detail(error.to_string()))?;
    Ok(match folder {
        Some(folder) => machine.with_current_folder(folder),
        None => machine,
    })
}

/// `D=/mnt/d` as drive D in that folder; a folder alone is drive C.
fn drive(word: &OsStr) -> (char, PathBuf) {
    let text = word.to_string_lossy();
    let mut begin = text.chars();
    match (begin.next(), begin.next()) {
        (Some(letter), Some('=')) if letter.is_ascii_alphabetic() => {
            // What stands behind two ASCII characters is whole in any encoding.
            let rest = strip_two(word);
            (letter.to_ascii_uppercase(), rest.into())
        }
        _ => ('C', word.into()),
    }
}

#[cfg(unix)]
fn strip_two(word: &OsStr) -> OsString {
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    OsString::from_vec(word.as_bytes().get(2..).unwrap_or_default().to_vec())
}

#[cfg(not(unix))]
fn strip_two(word: &OsStr) -> OsString {
    word.to_string_lossy()
        .chars()
        .skip(2)
        .collect::<String>()
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_root_is_drive_c_unless_it_names_another() {
        for (word, letter, root) in [
            ("/mnt/c", 'C', "/mnt/c"),
            ("D=/mnt/d", 'D', "/mnt/d"),
            ("d=/mnt/a=b", 'D', "/mnt/a=b"),
            ("dd=/mnt", 'C', "dd=/mnt"),
            ("=x", 'C', "=x"),
            ("e=", 'E', ""),
        ] {
            assert_eq!(drive(OsStr::new(word)), (letter, PathBuf::from(root)));
        }
    }
}
