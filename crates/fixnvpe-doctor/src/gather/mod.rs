//! Facts about an environment, from what was found and scanned.
//!
//! Nothing is started and nothing written. `image` is a scanned image of one
//! environment, `closure` follows import tables, `leftovers` looks beside the
//! images; [`gather`] puts the facts together.

mod closure;
mod image;
mod leftovers;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::path::PathBuf;

use fixnvpe_batch::{Code, Failure, ImageReport, Step};
use fixnvpe_envs::{Environment, Packages};
use fixnvpe_pe::{ComputeCapability, DeviceCode, Error, FatbinKind, Image};

use crate::facts::{
    EnvironmentFacts, ImageFacts, ImportFacts, MachineFacts, Package, Torch, normalised, sum,
};
use crate::findings::BOUND_TO_TORCH;
use closure::{Closure, closure, roots};
use image::{Home, Scanned};

/// Frameworks with GPU code, by the names under which Python imports them: what
/// a process is taken to import where nobody says.
const FRAMEWORKS: &[&str] = &[
    "torch",
    "tensorflow",
    "paddle",
    "mxnet",
    "cupy",
    "onnxruntime",
    "xgboost",
    "lightgbm",
    "ctranslate2",
    "bitsandbytes",
    "llama_cpp",
];

/// Packages that rules look at, beside those that are about CUDA.
const LOOKED_AT: &[&str] = &[
    "comfyui-frontend-package",
    "mkl",
    "numpy",
    "pytorch",
    "safetensors",
    "scipy",
    "torch",
    "torchaudio",
    "torchvision",
];

/// Facts about an environment, and what could not be read for them.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Gathered {
    /// The facts.
    pub facts: EnvironmentFacts,
    /// What could not be read. The facts hold without it.
    pub failures: Vec<Failure>,
}

/// Gathers what the rules need about one environment.
///
/// `inner_folders` lie below its prefix and are not a part of it: other
/// environments and package caches
/// ([`Discovery::inner_folders`](fixnvpe_envs::Discovery::inner_folders)).
/// `images` is what a scan reported, of this environment or of more: images
/// without fat binaries included, since they count as well. `imports` names the
/// modules that a process imports; none: the CUDA frameworks that are installed.
/// Images are opened again for their import tables, and where a GPU is known for
/// the architectures in them; headers alone are read.
#[must_use]
pub fn gather(
    environment: &Environment,
    inner_folders: &[PathBuf],
    packages: &Packages,
    images: &[ImageReport],
    machine: &MachineFacts,
    imports: &[String],
) -> Gathered {
    let home = Home::new(environment, inner_folders, machine.windows);
    let scanned: Vec<_> = images
        .iter()
        .filter_map(|report| Scanned::of(report, &home))
        .collect();
    let mut failures = Failures::default();
    let mut facts = EnvironmentFacts::new(environment.name.clone(), environment.prefix.clone());
    facts.kind = environment.kind;
    facts.manager = environment.manager;
    facts.program = program(environment);
    facts.python = environment
        .python
        .as_deref()
        .and_then(|text| text.parse().ok());
    facts.packages = relevant(packages);
    facts.torch = packages.torch().and_then(|told| {
        let cuda = told.cuda.as_deref().and_then(|text| text.parse().ok());
        let mut torch = Torch::new(&told.version, cuda)?;
        torch.cpu_only = told.cuda.is_none() && torch.cuda.is_none();
        Some(torch)
    });
    let (named, unknown): (Vec<_>, Vec<_>) = imports
        .iter()
        .cloned()
        .partition(|module| is_installed(environment, &scanned, module));
    facts.imports = import_facts(&scanned, &named, unknown, &mut failures);
    let devices = machine.capabilities();
    facts.images = scanned
        .iter()
        .filter(|image| image.has_fatbin || image.commit.now > 0)
        .map(|image| image_facts(image, packages, &devices, &mut failures))
        .collect();
    facts.leftovers = leftovers::find(
        scanned.iter().filter_map(|image| image.path.parent()),
        packages.leftovers(),
    );
    Gathered {
        facts,
        failures: failures.into_list(),
    }
}

/// The Python program of an environment.
fn program(environment: &Environment) -> Option<PathBuf> {
    [
        "python.exe",
        "Scripts/python.exe",
        "bin/python",
        "bin/python3",
    ]
    .iter()
    .map(|below| environment.prefix.join(below))
    .find(|path| fixnvpe_files::stat_path(path).is_ok())
}

fn relevant(packages: &Packages) -> Vec<Package> {
    let is_relevant = |name: &str| LOOKED_AT.contains(&name) || BOUND_TO_TORCH.contains(&name);
    packages
        .distributions()
        .into_iter()
        .filter(|one| one.is_about_cuda() || is_relevant(&normalised(&one.name)))
        .map(|one| Package::new(&one.name, one.version.clone()))
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect()
}

/// Whether a module that someone named is there: as an image, or as Python's own
/// code among the packages or in the standard library.
fn is_installed(environment: &Environment, images: &[Scanned], module: &str) -> bool {
    let name = top_level(module);
    let library = environment.prefix.join("Lib");
    let mut folders = environment.site_packages.iter().chain([&library]);
    let is_there = |path: PathBuf| fixnvpe_files::stat_path(&path).is_ok();
    !roots(images, name).is_empty()
        || folders.any(|folder| {
            is_there(folder.join(name)) || is_there(folder.join(format!("{name}.py")))
        })
}

/// The package of a module: `torch` of `torch.nn`.
fn top_level(module: &str) -> &str {
    module.split('.').next().unwrap_or(module)
}

/// `imports`: what was named and is there; `unknown`: what is not. Where nothing
/// was named, it is the frameworks that are installed.
fn import_facts(
    images: &[Scanned],
    imports: &[String],
    unknown: Vec<String>,
    failures: &mut Failures,
) -> Option<ImportFacts> {
    let default = || {
        let installed = FRAMEWORKS.iter().map(ToString::to_string);
        // A framework built without GPU code is none of these.
        let has_fatbin = |module: &String| {
            let closure = follow(
                images,
                std::slice::from_ref(module),
                &mut Failures::default(),
            );
            closure.mapped.iter().any(|index| images[*index].has_fatbin)
        };
        installed.filter(has_fatbin).collect()
    };
    let modules: Vec<String> = if imports.is_empty() && unknown.is_empty() {
        default()
    } else {
        imports.to_vec()
    };
    if modules.is_empty() && unknown.is_empty() {
        return None;
    }
    let found = follow(images, &modules, failures);
    let commit = sum(found.mapped.iter().map(|index| images[*index].commit));
    let mut facts = ImportFacts::new(modules, found.mapped.len() as u64, commit);
    facts.unknown = unknown;
    facts.not_found = found.not_found.into_iter().collect();
    Some(facts)
}

fn follow(images: &[Scanned], modules: &[String], failures: &mut Failures) -> Closure {
    let roots = modules
        .iter()
        .flat_map(|module| roots(images, top_level(module)));
    closure(images, roots, &mut |image| {
        let read = open(image).and_then(|opened| {
            let mut names = opened.imports()?;
            names.extend(opened.delay_imports()?);
            Ok(names)
        });
        failures.take(image, read).unwrap_or_default()
    })
}

fn image_facts(
    image: &Scanned,
    packages: &Packages,
    devices: &[ComputeCapability],
    failures: &mut Failures,
) -> ImageFacts {
    let shown = fixnvpe_files::shown(&image.path);
    let mut facts = ImageFacts::new(&shown, image.condition, image.commit);
    facts.reason = image.reason;
    facts.signed = image.signed;
    facts.aslr = image.aslr;
    facts.patched = image.patched;
    facts.package = image
        .package
        .clone()
        .or_else(|| packages.owner(&shown).map(|owner| normalised(&owner.name)));
    if !image.has_fatbin || (image.aslr && devices.is_empty()) {
        return facts;
    }
    let Some(opened) = failures.take(image, open(image)) else {
        return facts;
    };
    facts.image_base = Some(opened.image_base());
    if !devices.is_empty()
        && let Some((code, names)) = failures.take(image, code_in(&opened, devices))
    {
        facts.code_for_gpu = code;
        facts.architectures = names;
    }
    facts
}

/// What the fat binaries hold for the devices, the best of all, and for which
/// architectures they are. A section that is not CUDA's, or that a scan would
/// not trust, says nothing.
fn code_in(
    image: &Image<std::fs::File>,
    devices: &[ComputeCapability],
) -> Result<(Option<DeviceCode>, Vec<String>), Error> {
    let mut best = None;
    let mut names = BTreeSet::new();
    for section in image.fatbin_sections() {
        if section.fatbin_kind() != Some(FatbinKind::Cuda) {
            continue;
        }
        let summary = match image.fatbin(section).and_then(fixnvpe_pe::Fatbin::summary) {
            Ok(summary) => summary,
            Err(Error::Fatbin { .. }) => continue,
            Err(error) => return Err(error),
        };
        let code = devices
            .iter()
            .map(|device| summary.has_code_for(*device))
            .max();
        best = best.max(code);
        names.extend(summary.architectures.into_iter().map(|it| it.name));
    }
    Ok((best, names.into_iter().collect()))
}

fn open(image: &Scanned) -> Result<Image<std::fs::File>, Error> {
    let file = fixnvpe_files::open_read(&image.path).map_err(|source| Error::Size { source })?;
    Image::read(file)
}

/// Failures, one for each image.
#[derive(Default)]
struct Failures {
    seen: BTreeSet<PathBuf>,
    list: Vec<Failure>,
}

impl Failures {
    fn take<T>(&mut self, image: &Scanned, result: Result<T, Error>) -> Option<T> {
        let error = match result {
            Ok(value) => return Some(value),
            Err(error) => error,
        };
        if self.seen.insert(image.path.clone()) {
            let code = match &error {
                Error::Read { .. } | Error::Size { .. } => Code::Io,
                _ => Code::Malformed,
            };
            let failure = Failure::new(&image.path, Step::Read, code, error.to_string());
            self.list.push(failure);
        }
        None
    }

    fn into_list(self) -> Vec<Failure> {
        self.list
    }
}
