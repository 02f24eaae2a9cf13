//! Putting the names of one file together.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ffi::OsStr;
use std::path::PathBuf;

use fixnvpe_files::{FileId, Name};

use super::Candidate;
use crate::report::Links;

/// One path that led to a file.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) path: PathBuf,
    pub(crate) name: Name,
    pub(crate) id: FileId,
    pub(crate) links: u64,
    pub(crate) named: bool,
    pub(crate) size: u64,
}

/// Puts names of one file together. Files of one link are never grouped by
/// their id: there are file systems on which ids mean little.
pub(crate) fn group(mut found: Vec<Found>) -> Vec<Candidate> {
    found.sort_by(|a, b| a.path.cmp(&b.path));
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut by_name: HashMap<Name, usize> = HashMap::new();
    let mut by_id: HashMap<FileId, Vec<(Name, usize)>> = HashMap::new();
    for found in found {
        let name = match by_name.entry(found.name.clone()) {
            Entry::Occupied(known) => {
                candidates[*known.get()].named |= found.named;
                continue;
            }
            Entry::Vacant(place) => place,
        };
        let others = by_id.entry(found.id).or_default();
        let same = others
            .iter()
            .find(|(other, _)| found.links > 1 || is_same_name(other, &found.name))
            .map(|(other, index)| (*index, is_same_name(other, &found.name)));
        if let Some((index, alias)) = same {
            let candidate = &mut candidates[index];
            candidate.named |= found.named;
            if !alias {
                candidate.names.push(found.path);
            }
            others.push((found.name, index));
            name.insert(index);
            continue;
        }
        let index = candidates.len();
        others.push((found.name, index));
        name.insert(index);
        candidates.push(Candidate {
            path: found.path.clone(),
            names: vec![found.path],
            id: found.id,
            links: Links {
                count: found.links,
                outside: 0,
            },
            named: found.named,
            size: found.size,
        });
    }
    for candidate in &mut candidates {
        let selected = candidate.names.len() as u64;
        candidate.links.outside = candidate.links.count.saturating_sub(selected);
    }
    candidates
}

/// Whether two names of one file in one folder are one: on a file system that
/// does not tell case apart, a path spelled by the user and one that was
/// listed may differ in nothing else.
fn is_same_name(one: &Name, other: &Name) -> bool {
    one.parent == other.parent && folded(&one.file_name) == folded(&other.file_name)
}

fn folded(name: &OsStr) -> String {
    fixnvpe_files::folded(&name.to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, folder: u128, id: u128, links: u64) -> Found {
        let path = PathBuf::from(path);
        Found {
            name: Name {
                parent: FileId::new(1, folder),
                file_name: path.file_name().unwrap().to_os_string(),
            },
            path,
            id: FileId::new(1, id),
            links,
            named: false,
            size: 0,
        }
    }

    #[test]
    fn two_links_of_one_file_are_one_candidate_with_two_names() {
        let candidates = group(vec![found("/b/x.dll", 2, 7, 3), found("/a/x.dll", 1, 7, 3)]);
        assert_eq!(candidates.len(), 1);
        assert_eq!(candidates[0].path, PathBuf::from("/a/x.dll"));
        assert_eq!(candidates[0].names.len(), 2);
        assert_eq!(
            candidates[0].links,
            Links {
                count: 3,
                outside: 1
            }
        );
    }

    #[test]
    fn an_alias_path_is_not_a_second_link() {
        // One folder, reached by two paths: the second link is elsewhere.
        let candidates = group(vec![
            found("/alias/x.dll", 1, 7, 2),
            found("/real/x.dll", 1, 7, 2),
        ]);
        assert_eq!(candidates.len(), 1);
        assert_eq!(candidates[0].names, [PathBuf::from("/alias/x.dll")]);
        assert_eq!(candidates[0].links.outside, 1);
    }

    #[test]
    fn another_case_of_a_name_is_not_a_second_link() {
        let candidates = group(vec![
            found("/a/Kernel.DLL", 1, 7, 1),
            found("/a/kernel.dll", 1, 7, 1),
        ]);
        assert_eq!(candidates.len(), 1);
        assert_eq!(candidates[0].names.len(), 1);
    }

    #[test]
    fn files_of_one_link_are_not_grouped_by_their_id() {
        // A network share that gives every file the id 0.
        let candidates = group(vec![found("/a/x.dll", 1, 0, 1), found("/a/y.dll", 1, 0, 1)]);
        assert_eq!(candidates.len(), 2);
    }

    #[test]
    fn a_file_that_was_named_and_found_is_named() {
        let mut named = found("/a/x.dll", 1, 7, 1);
        named.named = true;
        let candidates = group(vec![found("/a/x.dll", 1, 7, 1), named]);
        assert_eq!(candidates.len(), 1);
        assert!(candidates[0].named);
    }
}
