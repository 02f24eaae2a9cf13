//! Choosing environments by what people call them.

use std::path::{Component, Path};

use crate::disk::names::{Case, folded};
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
/// runs this program, or, on a machine whose disks are mounted, a path as that
/// machine writes it. Anything else is a name; where no environment has that
/// name, the name of its folder counts (`.venv`).
#[must_use]
pub fn find<'e>(machine: &Machine, environments: &'e [Environment], wanted: &str) -> Found<'e> {
    let wanted = wanted.trim();
    if wanted.contains(['/', '\\']) {
        return one_or_several(environments, |environment| {
            is_prefix(machine, environment, wanted)
        });
    }
    let case = machine.case();
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

fn is_prefix(machine: &Machine, environment: &Environment, wanted: &str) -> bool {
    let case = machine.case();
    if same_path(case, &environment.prefix, Path::new(wanted)) {
        return true;
    }
    if machine.os() != Os::Windows {
        return false;
    }
    match windows_path::parse(wanted) {
        WindowsPath::Absolute { .. } => machine.locate(wanted).is_ok_and(|(root, parts)| {
            let path = parts.iter().fold(root, |path, part| path.join(part));
            same_path(case, &environment.prefix, &path)
        }),
        _ => false,
    }
}

/// Whether two paths have the same parts. `a/./b/` has those of `a/b`.
fn same_path(case: Case, one: &Path, other: &Path) -> bool {
    let parts = |path: &Path| -> Vec<String> {
        path.components()
            .filter(|part| !matches!(part, Component::CurDir))
            .map(|part| {
                let text = part.as_os_str().to_string_lossy();
                if case == Case::Ignored {
                    folded(&text)
                } else {
                    text.into_owned()
                }
            })
            .collect()
    };
    parts(one) == parts(other)
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
