//! Rules about the workers of a DataLoader.

use super::rule::{Draft, Fact, Rule, Scope, Severity};
use super::{Scene, Value};
use crate::step::{Purpose, Step};

/// More workers than this rarely load faster on one machine, and each is a
/// process that pays for every image.
const MANY: u32 = 8;

/// From this many threads on, their buffers have been seen to cost gigabytes.
const MANY_THREADS: u32 = 12;

/// The diagnosis, which stands before the answers.
pub(super) const BUDGET: &[Rule] = &[Rule {
    id: "budget_exceeded",
    severity: Severity::High,
    scope: Scope::Environment,
    looks_at: &[Fact::Budget, Fact::Commit, Fact::Workers, Fact::PageFile],
    when: "the images of the main process and the workers asked for need more commit than is left",
    arguments: &[
        "workers",
        "per_process",
        "total",
        "total_after",
        "headroom",
        "largest",
        "any_fits",
        "largest_after",
        "fits_after",
        "page_file",
        "page_file_known",
        "grows",
        "grows_to",
    ],
    purposes: &[Purpose::PreviewPatch],
    sources: &[
        "https://github.com/pytorch/pytorch/issues/53695",
        "https://github.com/DLR-RM/stable-baselines3/issues/834",
    ],
    condition: budget_exceeded,
}];

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "workers_many",
        severity: Severity::Medium,
        scope: Scope::Machine,
        looks_at: &[Fact::Workers, Fact::Cores],
        when: "more workers are asked for than half of the cores, or more than 8",
        arguments: &["workers", "cores", "suggested"],
        purposes: &[],
        sources: &["https://pytorch.org/docs/stable/data.html#multi-process-data-loading"],
        condition: workers_many,
    },
    Rule {
        id: "blas_threads",
        severity: Severity::Low,
        scope: Scope::Environment,
        looks_at: &[Fact::Packages, Fact::Cores],
        when: "numpy or scipy is installed, and 12 or more threads run at once",
        arguments: &["processors", "library"],
        purposes: &[Purpose::Set],
        sources: &[
            "https://github.com/numpy/numpy/issues/24650",
            "https://github.com/numpy/numpy/issues/13432",
        ],
        condition: blas_threads,
    },
    Rule {
        id: "persistent_workers",
        severity: Severity::Low,
        scope: Scope::Machine,
        looks_at: &[Fact::Workers, Fact::Budget],
        when: "workers are asked for",
        arguments: &["workers", "held", "held_any"],
        purposes: &[],
        sources: &["https://pytorch.org/docs/stable/data.html"],
        condition: persistent_workers,
    },
    Rule {
        id: "pin_memory",
        severity: Severity::Low,
        scope: Scope::Machine,
        looks_at: &[Fact::Workers, Fact::Gpu, Fact::Torch],
        when: "workers are asked for, there is a GPU, and a torch with CUDA is installed",
        arguments: &["gpu"],
        purposes: &[],
        sources: &["https://pytorch.org/docs/stable/data.html#memory-pinning"],
        condition: pin_memory,
    },
];

fn budget_exceeded(scene: &Scene<'_>) -> Option<Draft> {
    let environment = scene.environment?;
    let budget = scene.budget?;
    scene.options.workers?;
    let fits = budget
        .fits
        .filter(|fits| !fits.now && scene.machine.windows)?;
    let largest = budget.largest_workers?;
    let page_file = budget.page_file.map(|size| size.now);
    let grows_to = scene.machine.page_file_can_grow_to();
    Some(
        Draft::new(vec![
            ("workers", Value::count(budget.workers)),
            ("per_process", Value::Bytes(budget.per_process.now)),
            ("total", Value::Bytes(budget.total.now)),
            ("total_after", Value::Bytes(budget.total.after)),
            ("headroom", Value::Bytes(budget.headroom.unwrap_or(0))),
            ("largest", Value::count(largest.now.unwrap_or(0))),
            ("any_fits", Value::choice(largest.now.is_some())),
            ("largest_after", Value::count(largest.after.unwrap_or(0))),
            ("fits_after", Value::choice(fits.after)),
            ("page_file", Value::Bytes(page_file.unwrap_or(0))),
            ("page_file_known", Value::choice(page_file.is_some())),
            ("grows", Value::choice(grows_to.is_some())),
            ("grows_to", Value::Bytes(grows_to.unwrap_or(0))),
        ])
        .with_steps(if environment.writable().next().is_some() {
            vec![Step::for_environment(
                Purpose::PreviewPatch,
                &["patch", "--dry-run"],
                &environment.prefix,
            )]
        } else {
            Vec::new()
        }),
    )
}

fn workers_many(scene: &Scene<'_>) -> Option<Draft> {
    let workers = scene.options.workers?;
    let cores = scene.machine.cores.or(scene.machine.logical_processors)?;
    let suggested = (cores / 2).clamp(1, MANY);
    (workers > suggested).then(|| {
        Draft::new(vec![
            ("workers", Value::count(workers)),
            ("cores", Value::count(cores)),
            ("suggested", Value::count(suggested)),
        ])
    })
}

fn blas_threads(scene: &Scene<'_>) -> Option<Draft> {
    let environment = scene.environment?;
    let installed = |name: &str| environment.package(name).is_some();
    let processors = scene
        .machine
        .logical_processors
        .filter(|count| *count >= MANY_THREADS)?;
    if !installed("numpy") && !installed("scipy") {
        return None;
    }
    // conda's numpy brings MKL as a package of its own; the wheels hold OpenBLAS.
    let (library, variable) = if installed("mkl") {
        ("MKL", "MKL_NUM_THREADS")
    } else {
        ("OpenBLAS", "OPENBLAS_NUM_THREADS")
    };
    Some(
        Draft::new(vec![
            ("processors", Value::count(processors)),
            ("library", Value::text(library)),
        ])
        .with_steps(vec![Step::variable(variable, "1")]),
    )
}

fn persistent_workers(scene: &Scene<'_>) -> Option<Draft> {
    let workers = scene.options.workers.filter(|workers| *workers > 0)?;
    let per_process = scene.budget.map_or(0, |budget| budget.per_process.now);
    let held = per_process.saturating_mul(u64::from(workers));
    Some(Draft::new(vec![
        ("workers", Value::count(workers)),
        ("held", Value::Bytes(held)),
        ("held_any", Value::choice(held > 0)),
    ]))
}

fn pin_memory(scene: &Scene<'_>) -> Option<Draft> {
    scene.options.workers.filter(|workers| *workers > 0)?;
    let gpu = scene.machine.gpus.iter().flatten().next()?;
    let has_cuda = scene
        .environments
        .iter()
        .filter_map(|environment| environment.torch.as_ref())
        .any(|torch| torch.cuda.is_some());
    has_cuda.then(|| Draft::new(vec![("gpu", Value::text(&gpu.name))]))
}
