//! Rules about the stack: torch, CUDA, the GPU, and what a patch does.

use std::collections::{BTreeMap, BTreeSet};

use fixnvpe_pe::DeviceCode;

use super::rule::{Draft, Fact, Rule, Scope, Severity};
use super::{Scene, Value};
use crate::facts::{ImageFacts, sum};
use crate::step::{Purpose, Step};
use crate::upgrade::{AS_OF, ELSEWHERE, NoBuild, commands};

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "no_code_for_gpu",
        severity: Severity::High,
        scope: Scope::Environment,
        looks_at: &[Fact::Architectures, Fact::Gpu],
        when: "no image of an installed package with fat binaries has code that any GPU of the machine runs",
        arguments: &["package", "gpu", "capability", "architectures"],
        purposes: &[
            Purpose::UpgradeSmallest,
            Purpose::UpgradeCurrent,
            Purpose::TryFresh,
            Purpose::Check,
            Purpose::Read,
        ],
        sources: &[
            "https://docs.nvidia.com/cuda/cuda-c-programming-guide/#compute-capability",
            "https://github.com/easydiffusion/torchruntime/issues/22",
            "https://github.com/pytorch/pytorch/issues/172352",
        ],
        condition: no_code_for_gpu,
    },
    Rule {
        id: "upgrade",
        severity: Severity::High,
        scope: Scope::Environment,
        looks_at: &[
            Fact::Torch,
            Fact::Images,
            Fact::Python,
            Fact::Gpu,
            Fact::Driver,
            Fact::Packages,
        ],
        when: "torch is below 1.13 or built with CUDA below 11.7, fat binaries of it, torchvision or torchaudio are writable, the table has a build for this Python, GPU and driver, and nothing holds the version",
        arguments: &[
            "torch",
            "cuda",
            "cuda_known",
            "smallest",
            "current",
            "same",
            "gpu_known",
            "as_of",
            "saved",
            "stays",
            "stays_any",
        ],
        purposes: &[
            Purpose::UpgradeSmallest,
            Purpose::UpgradeCurrent,
            Purpose::TryFresh,
            Purpose::Check,
        ],
        sources: &[
            "https://pytorch.org/get-started/previous-versions/",
            "https://github.com/pytorch/pytorch/issues/69202",
        ],
        condition: upgrade,
    },
    Rule {
        id: "patch",
        severity: Severity::High,
        scope: Scope::Environment,
        looks_at: &[Fact::Images, Fact::Torch, Fact::Packages],
        when: "fat binaries are writable and safe to make read-only",
        arguments: &["images", "now", "after", "saved", "situation", "bound"],
        purposes: &[Purpose::PreviewPatch, Purpose::Patch, Purpose::Restore],
        sources: &[
            "https://github.com/pytorch/pytorch/issues/38645",
            "https://github.com/cupy/cupy/issues/5557",
        ],
        condition: patch,
    },
    Rule {
        id: "upgrade_pinned",
        severity: Severity::Medium,
        scope: Scope::Environment,
        looks_at: &[Fact::Torch, Fact::Images, Fact::Packages],
        when: "as `upgrade`, but packages are installed that were built for this version of torch, or the user said that versions stay",
        arguments: &[
            "torch",
            "smallest",
            "current",
            "same",
            "gpu_known",
            "as_of",
            "bound",
            "bound_any",
        ],
        purposes: &[
            Purpose::UpgradeSmallest,
            Purpose::UpgradeCurrent,
            Purpose::TryFresh,
            Purpose::Check,
        ],
        sources: &["https://pytorch.org/get-started/previous-versions/"],
        condition: upgrade_pinned,
    },
    Rule {
        id: "driver_too_old",
        severity: Severity::Medium,
        scope: Scope::Environment,
        looks_at: &[Fact::Torch, Fact::Images, Fact::Driver],
        when: "as `upgrade`, but every build that fits needs a newer NVIDIA driver",
        arguments: &["torch", "driver", "needed"],
        purposes: &[Purpose::Read],
        sources: &[
            "https://docs.nvidia.com/deploy/cuda-compatibility/minor-version-compatibility.html",
        ],
        condition: driver_too_old,
    },
    Rule {
        id: "no_upgrade_known",
        severity: Severity::Medium,
        scope: Scope::Environment,
        looks_at: &[Fact::Torch, Fact::Images, Fact::Python, Fact::Gpu],
        when: "as `upgrade`, but the table has no build that keeps this Python and this GPU",
        arguments: &[
            "torch",
            "python",
            "python_known",
            "gpus",
            "gpus_known",
            "conda",
            "as_of",
        ],
        purposes: &[Purpose::Read],
        sources: &[
            "https://pytorch.org/get-started/previous-versions/",
            "https://github.com/pytorch/pytorch/issues/138979",
        ],
        condition: no_upgrade_known,
    },
];

fn no_code_for_gpu(scene: &Scene<'_>) -> Option<Draft> {
    let environment = scene.environment?;
    let gpu = scene.machine.gpus.iter().flatten().next()?;
    let mut packages = BTreeMap::<&str, Vec<&ImageFacts>>::new();
    for image in &environment.images {
        if image.code_for_gpu.is_some() {
            let package = image.package.as_deref().unwrap_or_default();
            packages.entry(package).or_default().push(image);
        }
    }
    // torch first: without its code nothing works.
    let is_without = |images: &[&ImageFacts]| {
        images
            .iter()
            .all(|image| image.code_for_gpu == Some(DeviceCode::None))
    };
    let (package, images) = packages
        .iter()
        .filter(|(package, images)| !package.is_empty() && is_without(images))
        .max_by_key(|(package, images)| (matches!(**package, "torch" | "pytorch"), images.len()))?;
    let architectures: BTreeSet<_> = images
        .iter()
        .flat_map(|image| image.architectures.iter().cloned())
        .collect();
    let steps = match crate::upgrade::choose(environment, scene.machine) {
        Ok(choice) if matches!(*package, "torch" | "pytorch") => commands(choice, environment),
        _ => vec![Step::read(ELSEWHERE)],
    };
    let capability = scene.machine.capabilities();
    Some(
        Draft::new(vec![
            ("package", Value::text(package)),
            ("gpu", Value::text(&gpu.name)),
            ("capability", Value::List(strings(&capability))),
            (
                "architectures",
                Value::List(architectures.into_iter().collect()),
            ),
        ])
        .with_steps(steps),
    )
}

fn upgrade(scene: &Scene<'_>) -> Option<Draft> {
    let environment = scene.environment?;
    let torch = environment.torch.as_ref()?;
    let choice = scene.upgrade()?.ok().filter(|_| !scene.pinned())?;
    let cuda = torch.cuda.as_ref().map(ToString::to_string);
    let saved = environment.savable_by_upgrade();
    let stays = environment.savable().saturating_sub(saved);
    Some(
        Draft::new(vec![
            ("torch", Value::text(&torch.text)),
            ("cuda_known", Value::choice(cuda.is_some())),
            ("cuda", Value::Text(cuda.unwrap_or_default())),
            ("smallest", Value::text(&choice.smallest.name())),
            ("current", Value::text(&choice.current.name())),
            (
                "same",
                Value::choice(choice.smallest.name() == choice.current.name()),
            ),
            ("gpu_known", gpu_known(scene)),
            ("as_of", Value::text(AS_OF)),
            ("saved", Value::Bytes(saved)),
            ("stays", Value::Bytes(stays)),
            ("stays_any", Value::choice(stays > 0)),
        ])
        .with_steps(commands(choice, environment)),
    )
}

/// Whether a build was chosen for the GPU: elsewhere than on the machine, or
/// without NVIDIA's driver, nobody could be asked for it.
fn gpu_known(scene: &Scene<'_>) -> Value {
    Value::choice(!scene.machine.capabilities().is_empty())
}

fn patch(scene: &Scene<'_>) -> Option<Draft> {
    let environment = scene.environment?;
    let images = environment.writable().count();
    if images == 0 {
        return None;
    }
    let commit = sum(environment.images.iter().map(|image| image.commit));
    let prefix = &environment.prefix;
    Some(
        Draft::new(vec![
            ("images", Value::count(images)),
            ("now", Value::Bytes(commit.now)),
            ("after", Value::Bytes(commit.after)),
            ("saved", Value::Bytes(environment.savable())),
            ("situation", Value::text(situation(scene))),
            ("bound", Value::List(scene.bound())),
        ])
        .with_steps(vec![
            Step::for_environment(Purpose::PreviewPatch, &["patch", "--dry-run"], prefix),
            Step::for_environment(Purpose::Patch, &["patch"], prefix),
            Step::for_environment(Purpose::Restore, &["restore"], prefix),
        ]),
    )
}

/// Why a patch is the answer, or one of two.
fn situation(scene: &Scene<'_>) -> &'static str {
    match scene.upgrade() {
        Some(Ok(_)) if !scene.bound().is_empty() => "bound",
        Some(Ok(_)) if scene.options.pinned => "pinned",
        Some(Ok(_)) => "upgrade",
        Some(Err(_)) => "no_upgrade",
        None => "other",
    }
}

fn upgrade_pinned(scene: &Scene<'_>) -> Option<Draft> {
    let environment = scene.environment?;
    let torch = environment.torch.as_ref()?;
    let choice = scene.upgrade()?.ok().filter(|_| scene.pinned())?;
    let bound = scene.bound();
    Some(
        Draft::new(vec![
            ("torch", Value::text(&torch.text)),
            ("smallest", Value::text(&choice.smallest.name())),
            ("current", Value::text(&choice.current.name())),
            (
                "same",
                Value::choice(choice.smallest.name() == choice.current.name()),
            ),
            ("gpu_known", gpu_known(scene)),
            ("as_of", Value::text(AS_OF)),
            ("bound_any", Value::choice(!bound.is_empty())),
            ("bound", Value::List(bound)),
        ])
        .with_steps(commands(choice, environment)),
    )
}

fn driver_too_old(scene: &Scene<'_>) -> Option<Draft> {
    let torch = scene.environment?.torch.as_ref()?;
    let Some(Err(NoBuild::DriverTooOld { needed })) = scene.upgrade() else {
        return None;
    };
    let driver = scene.machine.driver.as_ref().map(ToString::to_string);
    Some(
        Draft::new(vec![
            ("torch", Value::text(&torch.text)),
            ("driver", Value::Text(driver.unwrap_or_default())),
            ("needed", Value::text(&needed)),
        ])
        .with_steps(vec![Step::read("https://www.nvidia.com/drivers")]),
    )
}

fn no_upgrade_known(scene: &Scene<'_>) -> Option<Draft> {
    let environment = scene.environment?;
    let torch = environment.torch.as_ref()?;
    let Some(Err(NoBuild::NotInTable | NoBuild::PythonUnknown)) = scene.upgrade() else {
        return None;
    };
    let python = environment.python.as_ref().map(ToString::to_string);
    let gpus: Vec<_> = scene.machine.gpus.iter().flatten().collect();
    Some(
        Draft::new(vec![
            ("torch", Value::text(&torch.text)),
            ("python_known", Value::choice(python.is_some())),
            ("python", Value::Text(python.unwrap_or_default())),
            ("gpus_known", Value::choice(!gpus.is_empty())),
            (
                "gpus",
                Value::List(gpus.iter().map(|gpu| gpu.name.clone()).collect()),
            ),
            ("conda", Value::choice(environment.torch_is_from_conda())),
            ("as_of", Value::text(AS_OF)),
        ])
        .with_steps(vec![Step::read(ELSEWHERE)]),
    )
}

fn strings<T: ToString>(items: &[T]) -> Vec<String> {
    items.iter().map(ToString::to_string).collect()
}
