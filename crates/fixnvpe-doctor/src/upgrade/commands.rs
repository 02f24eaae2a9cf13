//! The commands of an upgrade: builds pinned, the check at the end.

use super::choose::Choice;
use super::table::Build;
use super::way::{Way, conda, python};
use crate::facts::EnvironmentFacts;
use crate::path_text::shown;
use crate::step::{Action, Purpose, Step};

/// Prints the version and whether the GPU is found.
const CHECK: &str = "import torch; print(torch.__version__, torch.cuda.is_available())";

/// The channels of a conda build.
const CHANNELS: [&str; 2] = ["pytorch", "nvidia"];

/// The steps for a choice: the smallest upgrade and its check, the current one
/// and its check if it is another, and where the environment's tool can make
/// one, a fresh environment to try it in.
#[must_use]
pub fn commands(choice: Choice, environment: &EnvironmentFacts) -> Vec<Step> {
    let way = Way::of(environment);
    let mut steps = in_place(Purpose::UpgradeSmallest, &way, choice.smallest, environment);
    if choice.current.name() != choice.smallest.name() {
        steps.extend(in_place(
            Purpose::UpgradeCurrent,
            &way,
            choice.current,
            environment,
        ));
    }
    steps.extend(fresh(&way, choice.smallest, environment));
    steps
}

/// The upgrade of the environment itself, then the check.
fn in_place(
    purpose: Purpose,
    way: &Way,
    build: &Build,
    environment: &EnvironmentFacts,
) -> Vec<Step> {
    let install = match way {
        Way::Conda(conda) => {
            let mut words = strings(&[conda, "install", "-p"]);
            words.push(shown(&environment.prefix));
            words.extend(conda_packages(build, environment));
            words.extend(channels());
            Step::run(purpose, words)
        }
        Way::Project(tool) => declare(purpose, tool, build, environment),
        Way::Pip(words) | Way::Uv(words) => pip(purpose, words, build, environment, &[]),
    };
    vec![install, check(&python(environment))]
}

/// What a project's own tool is to install: what is installed past it, its next
/// run undoes.
fn declare(purpose: Purpose, tool: &str, build: &Build, environment: &EnvironmentFacts) -> Step {
    let (packages, from) = if environment.torch_is_from_conda() {
        (conda_packages(build, environment), CHANNELS.join(", "))
    } else {
        (wheels(build, environment), index(build))
    };
    Step {
        purpose,
        action: Action::Declare {
            tool: tool.to_owned(),
            packages,
            from,
        },
    }
}

/// A new environment beside the old one, the upgrade in it, then the check.
/// torch from before 2.4.1 was built for `NumPy` 1, and nothing else says so.
fn fresh(way: &Way, build: &Build, environment: &EnvironmentFacts) -> Vec<Step> {
    if !way.can_make_another(environment) {
        return Vec::new();
    }
    let prefix = beside(environment, &build.tag());
    let version = environment.python.as_ref().map(crate::Version::minor);
    let version = version.map(|python| python.to_string()).unwrap_or_default();
    let numpy: Vec<&str> = build.numpy.into_iter().collect();
    let mut steps = Vec::new();
    let inside = |below: &[&str]| {
        below
            .iter()
            .fold(prefix.clone(), |path, name| join(&path, name))
    };
    let own = if environment.is_conda() {
        inside(&["python.exe"])
    } else {
        inside(&["Scripts", "python.exe"])
    };
    match way {
        Way::Conda(conda) => {
            let mut words = strings(&[conda, "create", "-p", &prefix]);
            words.push(format!("python={version}"));
            words.extend(conda_packages(build, environment));
            words.extend(strings(&numpy));
            words.extend(channels());
            steps.push(Step::run(Purpose::TryFresh, words));
        }
        Way::Uv(_) => {
            let words = ["uv", "venv", "--python", &version, &prefix];
            steps.push(Step::run(Purpose::TryFresh, words));
            let words = strings(&["uv", "pip", "install", "--python", &prefix]);
            steps.push(pip(Purpose::TryFresh, &words, build, environment, &numpy));
        }
        _ => {
            let words = if environment.is_conda() {
                let spec = format!("python={version}");
                strings(&[conda(environment), "create", "-p", &prefix, &spec, "pip"])
            } else {
                let mut words = python(environment);
                words.extend(strings(&["-m", "venv", &prefix]));
                words
            };
            steps.push(Step::run(Purpose::TryFresh, words));
            let words = strings(&[&own, "-m", "pip", "install"]);
            steps.push(pip(Purpose::TryFresh, &words, build, environment, &numpy));
        }
    }
    steps.push(check(&[own]));
    steps
}

fn check(python: &[String]) -> Step {
    let words = python.iter().map(String::as_str).chain(["-c", CHECK]);
    Step::run(Purpose::Check, words)
}

/// Every package with its build, so that neither tool takes the one without
/// CUDA (pytorch/pytorch#69202).
fn conda_packages(build: &Build, environment: &EnvironmentFacts) -> Vec<String> {
    let cuda = build.cuda_version();
    let mut packages = vec![format!("pytorch={}=*cuda{cuda}*", build.version())];
    for (name, version) in companions(build, environment) {
        packages.push(format!("{name}={version}"));
    }
    packages.push(format!("pytorch-cuda={cuda}"));
    packages
}

fn channels() -> impl Iterator<Item = String> {
    CHANNELS
        .into_iter()
        .flat_map(|channel| ["-c", channel])
        .map(str::to_owned)
}

/// The same as wheels.
fn wheels(build: &Build, environment: &EnvironmentFacts) -> Vec<String> {
    let tag = build.tag();
    let mut wheels = vec![format!("torch=={}+{tag}", build.version())];
    for (name, version) in companions(build, environment) {
        wheels.push(format!("{name}=={version}+{tag}"));
    }
    wheels
}

/// Where the wheels are.
fn index(build: &Build) -> String {
    format!("https://download.pytorch.org/whl/{}", build.tag())
}

/// `install`: how packages are installed, up to their names.
fn pip(
    purpose: Purpose,
    install: &[String],
    build: &Build,
    environment: &EnvironmentFacts,
    more: &[&str],
) -> Step {
    let mut words = install.to_vec();
    words.extend(wheels(build, environment));
    words.extend(strings(more));
    // The wheels of 1.13 need packages that their own index does not have.
    let option = if build.torch[0] < 2 {
        "--extra-index-url"
    } else {
        "--index-url"
    };
    words.extend([option.to_owned(), index(build)]);
    Step::run(purpose, words)
}

/// torchvision and torchaudio, where they are installed: they belong to one
/// version of torch.
fn companions(build: &Build, environment: &EnvironmentFacts) -> Vec<(&'static str, &'static str)> {
    let mut found = vec![("torchvision", build.torchvision)];
    found.extend(build.torchaudio.map(|version| ("torchaudio", version)));
    found.retain(|(name, _)| environment.package(name).is_some());
    found
}

/// A folder for another environment, named after the build: beside this one, or
/// where the prefix is not a folder of the user's own, in the current one.
fn beside(environment: &EnvironmentFacts, tag: &str) -> String {
    if environment.is_for_one_user() {
        return format!("torch-{tag}");
    }
    let prefix = shown(&environment.prefix);
    format!("{}-{tag}", prefix.trim_end_matches(['\\', '/']))
}

/// A path in the spelling of the one that it continues.
pub(super) fn join(folder: &str, name: &str) -> String {
    let separator = if folder.contains('\\') || !folder.contains('/') {
        '\\'
    } else {
        '/'
    };
    format!("{folder}{separator}{name}")
}

pub(super) fn strings(words: &[&str]) -> Vec<String> {
    words.iter().map(ToString::to_string).collect()
}

#[cfg(test)]
mod tests;
