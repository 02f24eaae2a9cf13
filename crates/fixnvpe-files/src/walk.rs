//! Walking a tree without following anything.

use std::io;
use std::path::{Path, PathBuf};

use crate::{Entry, Folder, Kind, read_folder};

/// What a visitor of [`walk`] wants next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// Go into the folders below this one.
    Into,
    /// Leave out what lies below this folder.
    Over,
    /// End the walk.
    Stop,
}

/// What [`walk`] meets.
#[derive(Debug)]
#[non_exhaustive]
pub enum Walked {
    /// A folder that was read, with how deep it lies below the root (0 for the
    /// root itself).
    Folder(Folder, usize),
    /// A folder that could not be read.
    Unreadable(PathBuf, io::Error),
}

/// Walks the tree below `root`, folder by folder, parents first, in the order
/// of names. The root may be a link; below it no link, junction, mount point
/// or other reparse point is followed, so a walk always ends. Placeholders of
/// cloud storage are listed and not entered.
///
/// `enter` is asked before a folder below the root is opened; `visit` gets what
/// was read, and its answer for [`Walked::Unreadable`] may only end the walk.
pub fn walk(
    root: &Path,
    enter: &mut dyn FnMut(&Path, &Entry) -> bool,
    visit: &mut dyn FnMut(Walked) -> Step,
) {
    let mut pending = vec![(root.to_path_buf(), 0)];
    while let Some((path, depth)) = pending.pop() {
        let folder = match read_folder(&path) {
            Ok(folder) => folder,
            Err(error) => {
                if visit(Walked::Unreadable(path, error)) == Step::Stop {
                    return;
                }
                continue;
            }
        };
        let below = folders_below(&folder);
        match visit(Walked::Folder(folder, depth)) {
            Step::Into => {
                for entry in below.into_iter().rev() {
                    if enter(&path, &entry) {
                        pending.push((path.join(&entry.name), depth + 1));
                    }
                }
            }
            Step::Over => {}
            Step::Stop => return,
        }
    }
}

fn folders_below(folder: &Folder) -> Vec<Entry> {
    folder
        .entries
        .iter()
        .filter(|entry| entry.kind == Kind::Folder && !entry.placeholder)
        .cloned()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(unix)]
    use crate::open_folder;

    fn tree() -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for folder in ["a/b/c", "a/d", "e"] {
            fs_err::create_dir_all(root.path().join(folder)).unwrap();
        }
        fs_err::write(root.path().join("a/b/x.dll"), b"").unwrap();
        root
    }

    fn walked(
        root: &Path,
        mut enter: impl FnMut(&Path, &Entry) -> bool,
        mut step: impl FnMut(&Path) -> Step,
    ) -> Vec<String> {
        let mut seen = Vec::new();
        walk(root, &mut enter, &mut |met| match met {
            Walked::Folder(folder, depth) => {
                let below = folder.path.strip_prefix(root).unwrap();
                assert_eq!(below.components().count(), depth);
                seen.push(below.to_string_lossy().replace('\\', "/"));
                step(&folder.path)
            }
            Walked::Unreadable(path, _) => {
                seen.push(format!("! {}", path.file_name().unwrap().display()));
                Step::Into
            }
        });
        seen
    }

    #[test]
    fn every_folder_is_read_once_parents_first() {
        let root = tree();
        let seen = walked(root.path(), |_, _| true, |_| Step::Into);
        assert_eq!(seen, ["", "a", "a/b", "a/b/c", "a/d", "e"]);
    }

    #[test]
    fn a_visitor_steps_over_and_stops() {
        let root = tree();
        let seen = walked(
            root.path(),
            |_, entry| entry.name != "d",
            |path| match path.file_name().unwrap().to_str() {
                Some("b") => Step::Over,
                Some("e") => Step::Stop,
                _ => Step::Into,
            },
        );
        assert_eq!(seen, ["", "a", "a/b", "e"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_loop_of_links_ends_and_a_link_out_of_the_tree_is_not_followed() {
        let root = tree();
        let outside = tree();
        fs_err::os::unix::fs::symlink("..", root.path().join("a/loop")).unwrap();
        fs_err::os::unix::fs::symlink(outside.path(), root.path().join("out")).unwrap();
        let seen = walked(root.path(), |_, _| true, |_| Step::Into);
        assert_eq!(seen, ["", "a", "a/b", "a/b/c", "a/d", "e"]);
    }

    #[test]
    fn a_folder_that_vanishes_is_reported_and_the_rest_goes_on() {
        let root = tree();
        let gone = root.path().join("a");
        let seen = walked(
            root.path(),
            |_, _| true,
            |path| {
                if path == root.path() {
                    fs_err::remove_dir_all(&gone).unwrap();
                }
                Step::Into
            },
        );
        assert_eq!(seen, ["", "! a", "e"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_path_longer_than_any_limit_of_the_system_does_not_stop_the_rest() {
        use rustix::fs::{Mode, OFlags, mkdirat, openat};
        let root = tree();
        let name = "n".repeat(250);
        let mut folder = open_folder(&root.path().join("a/b/c")).unwrap();
        // Relative to its parent each folder can be made; from 4,096 bytes on,
        // no call takes the whole path any more.
        for _ in 0..20 {
            mkdirat(&folder, name.as_str(), Mode::RWXU).unwrap();
            let flags = OFlags::RDONLY | OFlags::DIRECTORY;
            let below = openat(&folder, name.as_str(), flags, Mode::empty()).unwrap();
            folder = below.into();
        }
        let seen = walked(root.path(), |_, _| true, |_| Step::Into);
        assert_eq!(seen.last().unwrap(), "e");
        assert_eq!(seen.iter().filter(|line| line.starts_with('!')).count(), 1);
    }
}
