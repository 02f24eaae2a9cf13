//! What one process pays, place by place.
//!
//! A process is charged for the images that it loads, and it loads those of
//! one environment: figures of different places are never added up.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use fixnvpe_batch::Commit;

/// The images of one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The prefix of an environment as far as paths tell, else the selected
    /// folder.
    pub(crate) prefix: PathBuf,
    /// What a process that loads all of them is charged.
    pub(crate) commit: Commit,
}

/// The places of images, each image given by all its names; the dearest first.
pub(crate) fn by_place<'a>(
    images: impl IntoIterator<Item = (&'a [PathBuf], Commit)>,
    roots: &[PathBuf],
) -> Vec<Place> {
    let images: Vec<_> = images.into_iter().collect();
    let mut known: Vec<PathBuf> = images
        .iter()
        .flat_map(|(names, _)| names.iter())
        .filter_map(|name| prefix_of(name))
        .collect();
    known.sort_unstable();
    known.dedup();
    let mut places: BTreeMap<PathBuf, Commit> = BTreeMap::new();
    for (names, commit) in images {
        let mut prefixes: Vec<PathBuf> = names
            .iter()
            .map(|name| place_of(name, &known, roots))
            .collect();
        // Two names within one environment are one image to its processes.
        prefixes.sort_unstable();
        prefixes.dedup();
        for prefix in prefixes {
            *places.entry(prefix).or_default() += commit;
        }
    }
    let mut places: Vec<Place> = places
        .into_iter()
        .map(|(prefix, commit)| Place { prefix, commit })
        .collect();
    places.sort_by(|a, b| {
        let cost = (b.commit.now, b.commit.after).cmp(&(a.commit.now, a.commit.after));
        cost.then_with(|| a.prefix.cmp(&b.prefix))
    });
    places
}

fn place_of(path: &Path, known: &[PathBuf], roots: &[PathBuf]) -> PathBuf {
    prefix_of(path)
        .or_else(|| longest_above(path, known))
        .or_else(|| longest_above(path, roots))
        .unwrap_or_else(|| path.parent().unwrap_or(path).to_path_buf())
}

fn longest_above(path: &Path, folders: &[PathBuf]) -> Option<PathBuf> {
    folders
        .iter()
        .filter(|folder| path.starts_with(folder) && path != *folder)
        .max_by_key(|folder| folder.components().count())
        .cloned()
}

/// The prefix that a path names by itself: what stands above `site-packages`
/// (`Lib/` on Windows, `lib/python3.x/` elsewhere) or conda's `Library/bin`.
pub(crate) fn prefix_of(path: &Path) -> Option<PathBuf> {
    let named = |folder: &Path, names: &[&str]| {
        folder
            .file_name()
            .is_some_and(|own| names.iter().any(|name| own.eq_ignore_ascii_case(name)))
    };
    path.ancestors().skip(1).find_map(|folder| {
        let above = folder.parent()?;
        if named(folder, &["site-packages", "dist-packages"]) {
            let is_python = above.file_name().is_some_and(is_python_folder);
            let lib = if is_python { above.parent()? } else { above };
            let prefix = if named(lib, &["lib", "lib64"]) {
                lib.parent()?
            } else {
                above
            };
            return Some(prefix.to_path_buf());
        }
        (named(folder, &["bin"]) && named(above, &["Library"]))
            .then(|| above.parent().map(Path::to_path_buf))
            .flatten()
    })
}

fn is_python_folder(name: &OsStr) -> bool {
    name.to_string_lossy().to_lowercase().starts_with("python")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(images: &[(&[&str], u64)], roots: &[&str]) -> Vec<(String, u64)> {
        let images: Vec<(Vec<PathBuf>, Commit)> = images
            .iter()
            .map(|(names, now)| {
                let names = names.iter().map(PathBuf::from).collect();
                (names, Commit::new(*now, 0))
            })
            .collect();
        let roots: Vec<PathBuf> = roots.iter().map(PathBuf::from).collect();
        by_place(
            images
                .iter()
                .map(|(names, commit)| (names.as_slice(), *commit)),
            &roots,
        )
        .into_iter()
        .map(|place| {
            (
                place.prefix.to_string_lossy().into_owned(),
                place.commit.now,
            )
        })
        .collect()
    }

    #[test]
    fn each_environment_is_a_place_of_its_own() {
        let images: &[(&[&str], u64)] = &[
            (&["/e/a/Lib/site-packages/torch/lib/x.dll"], 5),
            (&["/e/a/Library/bin/y.dll"], 2),
            (&["/e/a/DLLs/z.pyd"], 1),
            (&["/e/b/lib/python3.8/site-packages/x.pyd"], 9),
            (&["/e/other/w.dll"], 3),
        ];
        assert_eq!(
            places(images, &["/e"]),
            [("/e/b".into(), 9), ("/e/a".into(), 8), ("/e".into(), 3)]
        );
    }

    #[test]
    fn a_file_that_two_environments_share_costs_in_both() {
        let images: &[(&[&str], u64)] = &[(
            &[
                "/e/a/Lib/site-packages/x.dll",
                "/e/a/Lib/site-packages/copy.dll",
                "/e/b/Lib/site-packages/x.dll",
            ],
            5,
        )];
        assert_eq!(
            places(images, &["/e"]),
            [("/e/a".into(), 5), ("/e/b".into(), 5)]
        );
    }

    #[test]
    fn a_file_named_alone_belongs_to_its_folder() {
        let images: &[(&[&str], u64)] = &[(&["/x/y/a.dll"], 1), (&["/x/y/b.dll"], 1)];
        assert_eq!(
            places(images, &["/x/y/a.dll", "/x/y/b.dll"]),
            [("/x/y".into(), 2)]
        );
    }
}
