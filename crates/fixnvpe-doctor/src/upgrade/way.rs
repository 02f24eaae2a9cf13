//! How packages get into an environment: by the tool that looks after it.

use fixnvpe_envs::{Kind, Manager};

use super::commands::{join, strings};
use crate::facts::EnvironmentFacts;
use crate::path_text::shown;

/// How packages get into an environment.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// By conda, or one like it: this program.
    Conda(&'static str),
    /// By pip: these words, up to the names of packages.
    Pip(Vec<String>),
    /// By uv, whose environments have no pip: the same.
    Uv(Vec<String>),
    /// By a tool that installs what a project's file names: this one.
    Project(&'static str),
}

impl Way {
    pub(super) fn of(environment: &EnvironmentFacts) -> Self {
        if let Some(tool) = project_tool(environment) {
            return Self::Project(tool);
        }
        if environment.torch_is_from_conda() {
            return Self::Conda(conda(environment));
        }
        let prefix = shown(&environment.prefix);
        if environment.kind == Kind::Pipx {
            // The folder is named after the application.
            let name = prefix.rsplit(['\\', '/']).next().unwrap_or_default();
            return Self::Pip(strings(&["pipx", "runpip", name, "install"]));
        }
        if environment.manager == Some(Manager::Uv) || environment.kind == Kind::Uv {
            let mut words = strings(&["uv", "pip", "install", "--python", &prefix]);
            // A Python that uv installed is marked as not to be installed into; a
            // tool of uv has an environment of its own.
            if environment.kind == Kind::Uv && !has_scripts(environment) {
                words.push("--break-system-packages".to_owned());
            }
            return Self::Uv(words);
        }
        let mut words = python(environment);
        words.extend(strings(&["-m", "pip", "install"]));
        if environment.is_for_one_user() {
            words.push("--user".to_owned());
        }
        Self::Pip(words)
    }

    /// Whether another environment like this one can be made: what a project or
    /// an application owns, is made by them, and an embedded Python lacks `venv`.
    pub(super) fn can_make_another(&self, environment: &EnvironmentFacts) -> bool {
        !matches!(self, Self::Project(_))
            && !matches!(environment.kind, Kind::Embedded | Kind::Pipx)
    }
}

fn project_tool(environment: &EnvironmentFacts) -> Option<&'static str> {
    Some(match (environment.kind, environment.manager) {
        (_, Some(Manager::Pixi)) => "pixi",
        (Kind::Poetry, _) | (_, Some(Manager::Poetry)) => "Poetry",
        (Kind::Pdm, _) | (_, Some(Manager::Pdm)) => "PDM",
        (Kind::Hatch, _) | (_, Some(Manager::Hatch)) => "Hatch",
        (_, Some(Manager::Pipenv)) => "Pipenv",
        _ => return None,
    })
}

/// Whether its Python lies where virtual environments have it.
fn has_scripts(environment: &EnvironmentFacts) -> bool {
    let program = environment.program.as_deref().map(shown);
    program.is_some_and(|path| {
        path.rsplit(['\\', '/'])
            .nth(1)
            .is_some_and(|folder| folder.eq_ignore_ascii_case("scripts"))
    })
}

/// The program that looks after a conda environment.
pub(super) fn conda(environment: &EnvironmentFacts) -> &'static str {
    match environment.manager {
        Some(Manager::Mamba) => "mamba",
        _ => "conda",
    }
}

/// How the Python of an environment is started. Packages of one user have none
/// beside them: the launcher finds it by its version.
pub(super) fn python(environment: &EnvironmentFacts) -> Vec<String> {
    if environment.is_for_one_user() {
        let version = environment.python.as_ref().map(crate::Version::minor);
        let version = version.map_or_else(|| "-3".to_owned(), |python| format!("-{python}"));
        return vec!["py".to_owned(), version];
    }
    if let Some(program) = &environment.program {
        return vec![shown(program)];
    }
    let prefix = shown(&environment.prefix);
    let is_virtual = matches!(
        environment.kind,
        Kind::Venv | Kind::Virtualenv | Kind::Poetry | Kind::Pdm | Kind::Hatch | Kind::Pipx
    );
    vec![if is_virtual {
        join(&join(&prefix, "Scripts"), "python.exe")
    } else {
        join(&prefix, "python.exe")
    }]
}
