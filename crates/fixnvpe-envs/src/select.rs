//! Choosing environments by what people call them.

use std::path::{Path, PathBuf};

use fixnvpe_files::FileId;

use crate::disk::names::{Case, path_key as key};
use crate::machine::windows_path::{self, WindowsPath};
use crate::{Environment, Machine, Os};

/// What a name or prefix stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Found<'e> {
    /// No environment is called so.
    None,
    /// Exactly one is.
    One(&'e Environment),
    /// Several share the name: their prefixes tell them apart.
    Several(Vec<&'e Environment>),
}

/// Finds the environment with this name or prefix.
///
/// A text with a slash or backslash is a prefix: a path of the system that
/// runs this program, absolute or below the current folder, or, on a machine
/// whose disks are mounted, a path as that machine writes it. Another path to
/// the same folder counts as well. Anything else is a name; where no environment has that
/// name, the name of its folder counts (`.venv`).
#[must_use]
pub fn find<'e>(machine: &Machine, environments: &'e [Environment], wanted: &str) -> Found<'e> {
    let wanted = wanted.trim();
    let case = machine.case();
    if wanted.contains(['/', '\\']) {
        let paths = paths(machine, wanted);
        let spelled = one_or_several(environments, |environment| {
            let prefix = &environment.prefix;
            paths.iter().any(|path| same_path(case, prefix, path))
        });
        if spelled != Found::None {
            return spelled;
        }
        // Another path to the same folder: through a junction, or a short name.
        let ids: Vec<FileId> = paths
            .iter()
            .filter(|path| path.is_absolute())
            .filter_map(|path| machine.disk.identify(path).ok())
            .collect();
        return one_or_several(environments, |environment| {
            environment.id.is_some_and(|id| ids.contains(&id))
        });
    }
    let named = one_or_several(environments, |environment| {
        case.same(environment.name.as_ref(), wanted)
    });
    match named {
        Found::None => one_or_several(environments, |environment| {
            let folder = environment.prefix.file_name();
            folder.is_some_and(|folder| case.same(folder, wanted))
        }),
        found => found,
    }
}

fn one_or_several(environments: &[Environment], fits: impl Fn(&Environment) -> bool) -> Found<'_> {
    let mut found: Vec<&Environment> = environments.iter().filter(|one| fits(one)).collect();
    match found.len() {
        0 => Found::None,
        1 => Found::One(found.remove(0)),
        _ => Found::Several(found),
    }
}

/// The paths that a text can mean: as it stands, below the current folder, and
/// as the machine writes it.
pub(crate) fn paths(machine: &Machine, wanted: &str) -> Vec<PathBuf> {
    let mut paths = vec![PathBuf::from(wanted)];
    if let Some(current) = &machine.current_folder {
        paths.push(current.join(wanted));
    }
    let is_windows_path = matches!(windows_path::parse(wanted), WindowsPath::Absolute { .. });
    if machine.os() == Os::Windows
        && is_windows_path
        && let Ok((root, parts)) = machine.locate(wanted)
    {
        paths.push(parts.iter().fold(root, |path, part| path.join(part)));
    }
    paths
}

/// Whether two paths have the same parts. `a/./x/../b/` has those of `a/b`.
fn same_path(case: Case, one: &Path, other: &Path) -> bool {
    key(case, one) == key(case, other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;

    fn environments() -> Vec<Environment> {
        [
            (Kind::Conda, "yolov5", "/mnt/c/conda/envs/yolov5"),
            (Kind::Conda, "YOLOv7", "/mnt/c/conda/envs/YOLOv7"),
            (Kind::Venv, "yolov5", "/mnt/d/work/yolov5/.venv"),
            (Kind::Venv, "kohya_ss", "/mnt/d/AI/kohya_ss/venv"),
        ]
        .map(|(kind, name, prefix)| Environment::new(kind, name, prefix))
        .to_vec()
    }

    fn prefixes(found: &Found<'_>) -> Vec<String> {
        let path = |one: &&Environment| one.prefix.display().to_string();
        match found {
            Found::None => vec![],
            Found::One(one) => vec![path(one)],
            Found::Several(several) => several.iter().map(path).collect(),
        }
    }

    #[test]
    fn names_are_compared_as_the_machine_does() {
        let windows = Machine::mounted([('C', "/mnt/c".into()), ('D', "/mnt/d".into())]).unwrap();
        let all = environments();
        assert_eq!(
            prefixes(&find(&windows, &all, "yolov7")),
            ["/mnt/c/conda/envs/YOLOv7"]
        );
        let linux = Machine::rooted(Os::Linux, "/");
        assert_eq!(find(&linux, &all, "yolov7"), Found::None);
    }

    #[test]
    fn a_name_that_two_share_gives_both() {
        let machine = Machine::mounted([('C', "/mnt/c".into())]).unwrap();
        let all = environments();
        let found = find(&machine, &all, "yolov5");
        assert!(matches!(found, Found::Several(_)));
        assert_eq!(
            prefixes(&found),
            ["/mnt/c/conda/envs/yolov5", "/mnt/d/work/yolov5/.venv"]
        );
    }

    #[test]
    fn a_prefix_is_found_as_either_system_writes_it() {
        let machine = Machine::mounted([('C', "/mnt/c".into()), ('D', "/mnt/d".into())]).unwrap();
        let all = environments();
        for wanted in [
            "/mnt/d/work/yolov5/.venv/",
            r"D:\work\YOLOv5\.venv",
            "d:/work/yolov5/.venv",
        ] {
            assert_eq!(
                prefixes(&find(&machine, &all, wanted)),
                ["/mnt/d/work/yolov5/.venv"]
            );
        }
        assert_eq!(find(&machine, &all, r"E:\work"), Found::None);
    }

    #[test]
    fn a_relative_prefix_lies_below_the_current_folder() {
        let machine = Machine::mounted([('D', "/mnt/d".into())]).unwrap();
        let machine = machine.with_current_folder("/mnt/d/work/yolov5/src");
        let all = environments();
        assert_eq!(
            prefixes(&find(&machine, &all, "../.venv")),
            ["/mnt/d/work/yolov5/.venv"]
        );
    }

    #[test]
    fn a_folder_counts_where_no_environment_has_the_name() {
        let machine = Machine::mounted([('C', "/mnt/c".into())]).unwrap();
        let all = environments();
        assert_eq!(
            prefixes(&find(&machine, &all, ".venv")),
            ["/mnt/d/work/yolov5/.venv"]
        );
        assert_eq!(find(&machine, &all, "nothing"), Found::None);
    }
}
