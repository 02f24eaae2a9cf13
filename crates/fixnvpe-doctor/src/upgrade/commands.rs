//! The commands of an upgrade: builds pinned, the check at the end.

use std::path::Path;

use super::choose::Choice;
use super::table::Build;
use crate::facts::EnvironmentFacts;
use crate::path_text::shown;
use crate::step::{Purpose, Step};

/// Prints the version and whether the GPU is found.
const CHECK: &str = "import torch; print(torch.__version__, torch.cuda.is_available())";

/// The steps for a choice: the smallest upgrade and its check, the current one
/// and its check if it is another, and a fresh environment to try it in.
#[must_use]
pub fn commands(choice: Choice, environment: &EnvironmentFacts) -> Vec<Step> {
    let mut steps = in_place(Purpose::UpgradeSmallest, choice.smallest, environment);
    if choice.current.name() != choice.smallest.name() {
        steps.extend(in_place(
            Purpose::UpgradeCurrent,
            choice.current,
            environment,
        ));
    }
    steps.extend(fresh(choice.smallest, environment));
    steps
}

/// The upgrade of the environment itself, then the check.
fn in_place(purpose: Purpose, build: &Build, environment: &EnvironmentFacts) -> Vec<Step> {
    let python = program(environment);
    let install = if is_from_conda(environment) && build.conda {
        let mut words = vec!["conda".into(), "install".into(), "-p".into()];
        words.push(shown(&environment.prefix));
        words.extend(conda_packages(build, environment));
        Step::run(purpose, words)
    } else {
        pip(purpose, &python, build, environment)
    };
    vec![install, check(&python)]
}

/// A new environment beside the old one, the upgrade in it, then the check.
fn fresh(build: &Build, environment: &EnvironmentFacts) -> Vec<Step> {
    let prefix = beside(&environment.prefix, &build.tag());
    let python_version = environment
        .python
        .as_ref()
        .map(|python| python.minor().to_string())
        .unwrap_or_default();
    if environment.conda {
        let python = join(&prefix, "python.exe");
        let spec = format!("python={python_version}");
        let mut words: Vec<String> = ["conda", "create", "-p", &prefix, &spec]
            .map(str::to_owned)
            .to_vec();
        let mut steps = Vec::new();
        if is_from_conda(environment) && build.conda {
            words.extend(conda_packages(build, environment));
            steps.push(Step::run(Purpose::TryFresh, words));
        } else {
            words.push("pip".to_owned());
            steps.push(Step::run(Purpose::TryFresh, words));
            steps.push(pip(Purpose::TryFresh, &python, build, environment));
        }
        steps.push(check(&python));
        return steps;
    }
    let python = join(&join(&prefix, "Scripts"), "python.exe");
    vec![
        Step::run(
            Purpose::TryFresh,
            [program(environment).as_str(), "-m", "venv", &prefix],
        ),
        pip(Purpose::TryFresh, &python, build, environment),
        check(&python),
    ]
}

fn check(python: &str) -> Step {
    Step::run(Purpose::Check, [python, "-c", CHECK])
}

/// Whether conda installed torch: then pip would leave two of it.
fn is_from_conda(environment: &EnvironmentFacts) -> bool {
    environment.conda && environment.package("pytorch").is_some()
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
    packages.extend(["-c", "pytorch", "-c", "nvidia"].map(str::to_owned));
    packages
}

fn pip(purpose: Purpose, python: &str, build: &Build, environment: &EnvironmentFacts) -> Step {
    let tag = build.tag();
    let mut words: Vec<String> = [python, "-m", "pip", "install"].map(str::to_owned).to_vec();
    words.push(format!("torch=={}+{tag}", build.version()));
    for (name, version) in companions(build, environment) {
        words.push(format!("{name}=={version}+{tag}"));
    }
    // The wheels of 1.13 need packages that their own index does not have.
    let index = if build.torch[0] < 2 {
        "--extra-index-url"
    } else {
        "--index-url"
    };
    words.push(index.to_owned());
    words.push(format!("https://download.pytorch.org/whl/{tag}"));
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

/// The Python of an environment, for commands.
fn program(environment: &EnvironmentFacts) -> String {
    if let Some(program) = &environment.program {
        return shown(program);
    }
    let prefix = shown(&environment.prefix);
    if environment.conda {
        join(&prefix, "python.exe")
    } else {
        join(&join(&prefix, "Scripts"), "python.exe")
    }
}

/// A folder beside the environment, named after the build.
fn beside(prefix: &Path, tag: &str) -> String {
    format!("{}-{tag}", shown(prefix).trim_end_matches(['\\', '/']))
}

/// A path in the spelling of the one that it continues.
fn join(folder: &str, name: &str) -> String {
    let separator = if folder.contains('\\') || !folder.contains('/') {
        '\\'
    } else {
        '/'
    };
    format!("{folder}{separator}{name}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::{MachineFacts, Package, Torch};
    use crate::step::Action;
    use crate::upgrade::choose;

    fn environment(python: &str, packages: &[(&str, &str)], conda: bool) -> EnvironmentFacts {
        let packages: Vec<_> = packages
            .iter()
            .map(|(name, version)| Package::new(name, *version))
            .collect();
        EnvironmentFacts {
            conda,
            python: python.parse().ok(),
            torch: Torch::new(&packages[0].version, None),
            packages,
            ..EnvironmentFacts::new("yolo", r"D:\envs\yolo v5")
        }
    }

    fn lines(environment: &EnvironmentFacts) -> Vec<String> {
        let choice = choose(environment, &MachineFacts::default()).unwrap();
        commands(choice, environment)
            .into_iter()
            .map(|step| match step.action {
                Action::Run(words) => words.join(" "),
                other => panic!("{other:?}"),
            })
            .collect()
    }

    #[test]
    fn pip_gets_the_smallest_the_current_and_a_fresh_environment_each_with_its_check() {
        let environment = environment(
            "3.9.13",
            &[("torch", "1.12.1+cu113"), ("torchvision", "0.13.1+cu113")],
            false,
        );
        let python = r"D:\envs\yolo v5\Scripts\python.exe";
        let fresh = r"D:\envs\yolo v5-cu117";
        assert_eq!(
            lines(&environment),
            [
                format!(
                    "{python} -m pip install torch==1.13.1+cu117 torchvision==0.14.1+cu117 \
                     --extra-index-url https://download.pytorch.org/whl/cu117"
                ),
                format!("{python} -c {CHECK}"),
                format!(
                    "{python} -m pip install torch==2.8.0+cu126 torchvision==0.23.0+cu126 \
                     --index-url https://download.pytorch.org/whl/cu126"
                ),
                format!("{python} -c {CHECK}"),
                format!("{python} -m venv {fresh}"),
                format!(
                    r"{fresh}\Scripts\python.exe -m pip install torch==1.13.1+cu117 torchvision==0.14.1+cu117 --extra-index-url https://download.pytorch.org/whl/cu117"
                ),
                format!(r"{fresh}\Scripts\python.exe -c {CHECK}"),
            ]
        );
    }

    #[test]
    fn conda_gets_the_cuda_build_by_name_while_its_channel_has_one() {
        let environment = environment(
            "3.8",
            &[("pytorch", "1.11.0"), ("torchaudio", "0.11.0")],
            true,
        );
        let lines = lines(&environment);
        assert_eq!(
            lines[0],
            r"conda install -p D:\envs\yolo v5 pytorch=1.13.1=*cuda11.7* torchaudio=0.13.1 pytorch-cuda=11.7 -c pytorch -c nvidia"
        );
        assert_eq!(
            lines[2],
            r"conda install -p D:\envs\yolo v5 pytorch=2.4.1=*cuda11.8* torchaudio=2.4.1 pytorch-cuda=11.8 -c pytorch -c nvidia"
        );
        assert_eq!(
            lines[4],
            r"conda create -p D:\envs\yolo v5-cu117 python=3.8 pytorch=1.13.1=*cuda11.7* torchaudio=0.13.1 pytorch-cuda=11.7 -c pytorch -c nvidia"
        );
    }

    #[test]
    fn a_conda_environment_whose_torch_is_from_pip_is_upgraded_by_pip() {
        let environment = environment("3.10", &[("torch", "1.12.1+cu113")], true);
        let lines = lines(&environment);
        let python = r"D:\envs\yolo v5\python.exe";
        assert!(lines[0].starts_with(&format!("{python} -m pip install torch==1.13.1+cu117 ")));
        assert_eq!(
            lines[4],
            r"conda create -p D:\envs\yolo v5-cu117 python=3.10 pip"
        );
        assert_eq!(lines.len(), 7);
    }

    #[test]
    fn every_install_is_pinned_to_a_cuda_build_and_followed_by_the_check() {
        let cases = [
            environment(
                "3.10",
                &[("torch", "1.12.1+cu113"), ("torchaudio", "0.12")],
                false,
            ),
            environment("3.9", &[("pytorch", "1.12.1")], true),
            environment("3.12", &[("torch", "2.0.0+cu117")], true),
        ];
        for environment in cases {
            let lines = lines(&environment);
            for (at, line) in lines.iter().enumerate() {
                let installs = line.contains("torch=");
                assert!(
                    !installs || line.contains("+cu") || line.contains("=*cuda"),
                    "{line}"
                );
                if installs {
                    assert!(
                        lines[at + 1].contains("torch.cuda.is_available()"),
                        "{line}"
                    );
                }
            }
        }
    }
}
