//! What people call an environment.

use std::path::Path;

use super::{Classified, Content};
use crate::look::Look;
use fixnvpe_files::folded;

/// Names of environments that say nothing: the project around them does.
const SAYS_NOTHING: &[&str] = &[
    ".ENV",
    ".VENV",
    "CONDA",
    "DEFAULT",
    "ENV",
    "PYTHON",
    "PYTHON_EMBEDDED",
    "PYTHON_EMBEDED",
    "RUNTIME",
    "TOOLS",
    "VENV",
];

/// Folders that tools keep environments in, within a project or application.
const WITHIN_PROJECTS: &[&str] = &[
    ".PIXI",
    "ENVS",
    "INSTALLER_FILES",
    "_INTERNAL",
    "__PYPACKAGES__",
];

/// The name of an environment at `prefix`.
pub(crate) fn of(look: &Look<'_>, prefix: &Path, classified: &Classified) -> String {
    let own = file_name(prefix);
    if classified.is_conda_root {
        return "base".to_owned();
    }
    if classified.content == Content::Packages {
        return of_packages(look, prefix).unwrap_or(own);
    }
    // conda and its like name an environment by its folder.
    let parent = prefix.parent().map(file_name).unwrap_or_default();
    if folded(&parent) == "ENVS" && folded(&own) != "DEFAULT" {
        return own;
    }
    if !says_nothing(&own, classified.content) {
        return own;
    }
    let prompt = classified.prompt.clone();
    prompt
        .filter(|prompt| !says_nothing(prompt, classified.content))
        .or_else(|| of_project(look, prefix, classified.content))
        .unwrap_or(own)
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

fn says_nothing(name: &str, content: Content) -> bool {
    let folded = folded(name);
    // An application's own Python is called by its version.
    let version = matches!(content, Content::Embedded | Content::Python)
        && (folded.starts_with("PYTHON-") || folded.starts_with("PYTHON_"));
    version || SAYS_NOTHING.contains(&folded.as_str())
}

/// The nearest folder above whose name says something, unless that is a drive
/// or a home.
fn of_project(look: &Look<'_>, prefix: &Path, content: Content) -> Option<String> {
    let is_home = |path: &Path| look.homes.iter().any(|user| user.home == path);
    let is_root = |path: &Path| look.machine.drives.iter().any(|drive| drive.root == path);
    prefix
        .ancestors()
        .skip(1)
        .take_while(|path| !is_home(path) && !is_root(path) && path.file_name().is_some())
        .map(file_name)
        .find(|name| {
            let within = WITHIN_PROJECTS.contains(&folded(name).as_str());
            !within && !says_nothing(name, content)
        })
}

/// A name for packages that belong to no environment.
fn of_packages(look: &Look<'_>, prefix: &Path) -> Option<String> {
    let names: Vec<String> = prefix
        .iter()
        .map(|part| part.to_string_lossy().into_owned())
        .collect();
    let store = names.iter().find(|name| {
        let folded = folded(name);
        folded.starts_with("PYTHONSOFTWAREFOUNDATION.")
    });
    if let Some(store) = store {
        let name = store
            .split_once('_')
            .map_or(store.as_str(), |(name, _)| name);
        return Some(name.to_owned());
    }
    let own = names.last()?;
    let around = names.get(names.len().checked_sub(2)?)?;
    if folded(around) == "__PYPACKAGES__" {
        return of_project(look, prefix.parent()?, Content::Packages);
    }
    Some(format!("user-{own}"))
}

/// Whether a folder is called as pipenv calls its environments: the project's
/// name and eight characters of a hash.
pub(crate) fn is_pipenv(prefix: &Path) -> bool {
    let name = file_name(prefix);
    let hash = |hash: &str| {
        hash.len() == 8
            && hash
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
    };
    name.len() > 9
        && name.is_char_boundary(name.len() - 9)
        && name[name.len() - 9..].strip_prefix('-').is_some_and(hash)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Machine;

    fn classified(content: Content) -> Classified {
        Classified::new(content, Vec::new())
    }

    fn name_of(prefix: &str, content: Content) -> String {
        let machine = Machine::mounted([('C', "/mnt/c".into())]).unwrap();
        let look = Look::new(&machine, &|| false);
        of(&look, Path::new(prefix), &classified(content))
    }

    #[test]
    fn a_folder_that_says_nothing_is_called_by_its_project() {
        for (prefix, content, name) in [
            ("/mnt/c/AI/kohya_ss/venv", Content::Venv, "kohya_ss"),
            (
                "/mnt/c/AI/webui/installer_files/env",
                Content::Conda,
                "webui",
            ),
            (
                "/mnt/c/x/Comfy portable/python_embeded",
                Content::Embedded,
                "Comfy portable",
            ),
            (
                "/mnt/c/x/DFL/_internal/python-3.6.8",
                Content::Python,
                "DFL",
            ),
            ("/mnt/c/x/proj/.pixi/envs/default", Content::Conda, "proj"),
            ("/mnt/c/x/proj/.pixi/envs/cuda", Content::Conda, "cuda"),
            ("/mnt/c/miniconda3/envs/env", Content::Conda, "env"),
            ("/mnt/c/miniconda3/envs/3d", Content::Conda, "3d"),
            ("/mnt/c/venv", Content::Venv, "venv"),
            (
                "/mnt/c/python-3.8.10-embed-amd64",
                Content::Embedded,
                "python-3.8.10-embed-amd64",
            ),
            (
                "/mnt/c/x/proj/__pypackages__/3.10",
                Content::Packages,
                "proj",
            ),
            (
                "/mnt/c/x/Roaming/Python/Python38",
                Content::Packages,
                "user-Python38",
            ),
        ] {
            assert_eq!(name_of(prefix, content), name, "{prefix}");
        }
    }

    #[test]
    fn the_name_that_a_user_gave_is_used_where_the_folder_says_nothing() {
        let machine = Machine::mounted([('C', "/mnt/c".into())]).unwrap();
        let look = Look::new(&machine, &|| false);
        let mut prompted = classified(Content::Venv);
        prompted.prompt = Some("training".into());
        assert_eq!(
            of(&look, Path::new("/mnt/c/p/.venv"), &prompted),
            "training"
        );
        assert_eq!(of(&look, Path::new("/mnt/c/p/yolo"), &prompted), "yolo");
        prompted.prompt = Some(".venv".into());
        assert_eq!(of(&look, Path::new("/mnt/c/p/.venv"), &prompted), "p");
    }

    #[test]
    fn pipenv_names_end_with_a_hash() {
        assert!(is_pipenv(Path::new("/v/yolo-Ab3_x-9Z")));
        assert!(!is_pipenv(Path::new("/v/yolo")));
        assert!(!is_pipenv(Path::new("/v/环境环境环境")));
    }
}
