//! What older runs and package managers left behind.

use std::collections::BTreeSet;
use std::path::Path;

use fixnvpe_files::{Kind, Step, Walked, read_folder, stat_path, walk};

use crate::facts::{Leftover, Leftovers};

/// Folders with more entries below them than this are not measured to the end:
/// their size is then what was counted.
const MANY: usize = 100_000;

/// Looks beside images for what the older script left, and into the folders
/// that pip could not remove. What cannot be read is not there.
pub(super) fn find<'a>(
    folders_with_images: impl IntoIterator<Item = &'a Path>,
    of_pip: &[std::path::PathBuf],
) -> Leftovers {
    let mut leftovers = Leftovers::default();
    let folders: BTreeSet<_> = folders_with_images.into_iter().collect();
    for folder in folders {
        let Ok(read) = read_folder(folder) else {
            continue;
        };
        for entry in read.entries {
            if entry.kind != Kind::File {
                continue;
            }
            let name = entry.name.to_string_lossy().to_lowercase();
            let list = if is_image_with(&name, "_bak") {
                &mut leftovers.backups
            } else if is_image_with(&name, "_mod") {
                &mut leftovers.unfinished
            } else {
                continue;
            };
            let path = folder.join(&entry.name);
            let size = stat_path(&path).map_or(0, |stat| stat.len);
            list.push(Leftover::new(path, size));
        }
    }
    for folder in of_pip {
        let (size, has_image) = measure(folder);
        if has_image {
            leftovers.pip.push(Leftover::new(folder, size));
        }
    }
    leftovers
}

fn is_image_with(name: &str, ending: &str) -> bool {
    name.strip_suffix(ending).is_some_and(is_image)
}

fn is_image(name: &str) -> bool {
    let extension = name.rsplit('.').next().unwrap_or_default();
    matches!(extension, "dll" | "pyd" | "exe") && name.contains('.')
}

/// The size of all files below a folder, and whether there is an image.
fn measure(folder: &Path) -> (u64, bool) {
    let (mut size, mut has_image, mut seen) = (0_u64, false, 0_usize);
    walk(folder, &mut |_, _| true, &mut |met| {
        let Walked::Folder(read, _) = met else {
            return Step::Into;
        };
        for entry in &read.entries {
            seen += 1;
            if entry.kind == Kind::File {
                let len = stat_path(&read.path.join(&entry.name)).map_or(0, |stat| stat.len);
                size = size.saturating_add(len);
                has_image |= is_image(&entry.name.to_string_lossy().to_lowercase());
            }
        }
        if seen > MANY { Step::Stop } else { Step::Into }
    });
    (size, has_image)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_made_of_an_image_counts() {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name);
        for (name, bytes) in [
            ("x.dll", 9_usize),
            ("x.dll_bak", 10),
            ("Y.PYD_BAK", 11),
            ("z.dll_mod", 12),
            ("notes_bak", 13),
            ("dll_bak", 14),
        ] {
            fs_err::write(at(name), vec![0; bytes]).unwrap();
        }
        for (name, file) in [("~orch", "lib/c10.dll"), ("~umpy", "a.py")] {
            let file = at(name).join(file);
            fs_err::create_dir_all(file.parent().unwrap()).unwrap();
            fs_err::write(file, vec![0; 100]).unwrap();
        }
        let found = find(
            [root.path(), root.path()],
            &[at("~orch"), at("~umpy"), at("~gone")],
        );
        let sizes = |list: &[Leftover]| -> Vec<_> { list.iter().map(|it| it.size).collect() };
        assert_eq!(sizes(&found.backups), [11, 10]);
        assert_eq!(sizes(&found.unfinished), [12]);
        assert_eq!(found.pip, [Leftover::new(at("~orch"), 100)]);
    }
}
