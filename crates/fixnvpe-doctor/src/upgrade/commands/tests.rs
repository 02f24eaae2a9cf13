//! The commands for each kind of environment.

use fixnvpe_envs::{Kind, Manager};

use super::*;
use crate::facts::{MachineFacts, Package, Torch};
use crate::upgrade::choose;

fn environment(python: &str, packages: &[(&str, &str)], conda: bool) -> EnvironmentFacts {
    let packages: Vec<_> = packages
        .iter()
        .map(|(name, version)| Package::new(name, *version))
        .collect();
    EnvironmentFacts {
        kind: if conda { Kind::Conda } else { Kind::Venv },
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
            other => format!("{other:?}"),
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
                r"{fresh}\Scripts\python.exe -m pip install torch==1.13.1+cu117 torchvision==0.14.1+cu117 numpy<2 --extra-index-url https://download.pytorch.org/whl/cu117"
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
        r"conda create -p D:\envs\yolo v5-cu117 python=3.8 pytorch=1.13.1=*cuda11.7* torchaudio=0.13.1 pytorch-cuda=11.7 numpy<2 -c pytorch -c nvidia"
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

/// The lines for an environment of this kind, at this place.
fn lines_of(kind: Kind, manager: Option<Manager>, prefix: &str) -> Vec<String> {
    let mut facts = environment("3.10.11", &[("torch", "1.12.1+cu113")], false);
    facts.kind = kind;
    facts.manager = manager;
    facts.prefix = prefix.into();
    lines(&facts)
}

#[test]
fn packages_of_one_user_are_reached_by_the_launcher() {
    let store = r"C:\Users\a\AppData\Local\Packages\PythonSoftwareFoundation.Python.3.10_q\LocalCache\local-packages\Python310";
    let user = r"C:\Users\a\AppData\Roaming\Python\Python310";
    for (kind, prefix) in [(Kind::Store, store), (Kind::UserSite, user)] {
        let lines = lines_of(kind, None, prefix);
        assert!(
            lines[0].starts_with("py -3.10 -m pip install --user torch==1.13.1+cu117 "),
            "{lines:?}"
        );
        assert_eq!(lines[1], format!("py -3.10 -c {CHECK}"));
        assert_eq!(lines[4], "py -3.10 -m venv torch-cu117");
        assert!(
            lines[5].starts_with(r"torch-cu117\Scripts\python.exe -m pip install torch=="),
            "{lines:?}"
        );
        assert!(lines.iter().all(|line| !line.contains(prefix)), "{lines:?}");
    }
}

#[test]
fn an_environment_of_uv_needs_no_pip() {
    let lines = lines_of(Kind::Venv, Some(Manager::Uv), r"D:\app\.venv");
    assert!(
        lines[0].starts_with(r"uv pip install --python D:\app\.venv torch==1.13.1+cu117 "),
        "{lines:?}"
    );
    assert_eq!(lines[4], r"uv venv --python 3.10 D:\app\.venv-cu117");
    assert!(
        lines[5].starts_with(r"uv pip install --python D:\app\.venv-cu117 torch=="),
        "{lines:?}"
    );
    assert!(
        lines.iter().all(|line| !line.contains("-m pip")),
        "{lines:?}"
    );
}

#[test]
fn a_python_of_uv_is_marked_and_a_tool_of_uv_is_not() {
    for (prefix, below, is_marked) in [
        (r"C:\u\uv\python\cpython-3.10", r"python.exe", true),
        (r"C:\u\uv\tools\app", r"Scripts\python.exe", false),
    ] {
        let mut facts = environment("3.10", &[("torch", "1.12.1+cu113")], false);
        facts.kind = Kind::Uv;
        facts.prefix = prefix.into();
        facts.program = Some(format!(r"{prefix}\{below}").into());
        let line = &lines(&facts)[0];
        assert!(
            line.starts_with(&format!("uv pip install --python {prefix} ")),
            "{line}"
        );
        assert_eq!(
            line.contains("--break-system-packages"),
            is_marked,
            "{line}"
        );
    }
}

#[test]
fn an_embedded_python_and_an_application_of_pipx_make_no_other_environment() {
    let lines = lines_of(Kind::Embedded, None, r"D:\ComfyUI\python_embeded");
    let python = r"D:\ComfyUI\python_embeded\python.exe";
    assert!(lines[0].starts_with(&format!("{python} -m pip install torch==")));
    assert_eq!(lines.len(), 4, "{lines:?}");
    let lines = lines_of(Kind::Pipx, Some(Manager::Pipx), r"C:\u\pipx\venvs\app");
    assert!(
        lines[0].starts_with("pipx runpip app install torch=="),
        "{lines:?}"
    );
    assert_eq!(lines.len(), 4, "{lines:?}");
}

#[test]
fn the_tool_of_a_project_is_told_what_to_install() {
    for (kind, manager, tool) in [
        (Kind::Poetry, None, "Poetry"),
        (Kind::Pdm, Some(Manager::Pdm), "PDM"),
        (Kind::Hatch, None, "Hatch"),
        (Kind::Virtualenv, Some(Manager::Pipenv), "Pipenv"),
        (Kind::Conda, Some(Manager::Pixi), "pixi"),
    ] {
        let mut facts = environment("3.10", &[("torch", "1.12.1+cu113")], false);
        facts.kind = kind;
        facts.manager = manager;
        let choice = choose(&facts, &MachineFacts::default()).unwrap();
        let steps = commands(choice, &facts);
        let Action::Declare {
            tool: named,
            packages,
            from,
        } = &steps[0].action
        else {
            panic!("{steps:?}");
        };
        assert_eq!(named, tool);
        assert_eq!(packages, &["torch==1.13.1+cu117"]);
        assert_eq!(from, "https://download.pytorch.org/whl/cu117");
        assert_eq!(steps.len(), 4, "{steps:?}");
    }
    let mut facts = environment("3.10", &[("pytorch", "1.12.1")], true);
    facts.manager = Some(Manager::Pixi);
    let lines = lines(&facts);
    assert!(lines[0].contains("pytorch=1.13.1=*cuda11.7*"), "{lines:?}");
    assert!(lines[0].contains("pytorch, nvidia"), "{lines:?}");
}

#[test]
fn a_torch_that_conda_installed_is_never_joined_by_one_of_pip() {
    let environment = environment("3.10", &[("pytorch", "1.12.1")], true);
    let lines = lines(&environment);
    assert!(lines[2].starts_with("conda install "), "{lines:?}");
    assert!(
        lines.iter().all(|line| !line.contains(" pip ")),
        "{lines:?}"
    );
}

#[test]
fn a_fresh_environment_asks_for_the_numpy_that_its_torch_was_built_for() {
    for conda in [false, true] {
        let name = if conda { "pytorch" } else { "torch" };
        let old = environment("3.9", &[(name, "1.12.1")], conda);
        let numpy = |lines: &[String]| lines.iter().filter(|it| it.contains("numpy<2")).count();
        assert_eq!(numpy(&lines(&old)), 1);
    }
    let new = environment("3.13", &[("torch", "2.0.0+cu117")], false);
    assert!(lines(&new).iter().all(|line| !line.contains("numpy")));
}
