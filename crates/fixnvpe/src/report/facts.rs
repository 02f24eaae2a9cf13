//! What the doctor went by, in a line for the machine and one for an
//! environment.

use std::path::Path;

use fixnvpe_doctor::facts::{EnvironmentFacts, Gpu, MachineFacts, PageFileSize, PageFiles};

use super::Page;
use crate::catalogue::Message;
use crate::message;
use crate::size::shown_size;

/// The most packages that are named beside torch.
const PACKAGES: usize = 6;

/// Writes what is known of a machine; nothing where nothing is.
pub(crate) fn machine(page: &mut Page<'_>, facts: &MachineFacts) {
    let mut parts = Vec::new();
    if let Some(memory) = facts.physical_memory {
        parts.push(message!("facts-memory", size = shown_size(memory)));
    }
    if let Some(commit) = &facts.commit {
        parts.push(message!(
            "facts-commit",
            used = shown_size(commit.used),
            limit = shown_size(commit.limit),
        ));
    }
    parts.extend(page_file(&facts.page_files));
    if let Some(cores) = facts.cores {
        parts.push(message!("facts-cores", count = u64::from(cores)));
    }
    parts.extend(facts.gpus.iter().flatten().map(gpu));
    if let Some(driver) = &facts.driver {
        parts.push(message!("facts-driver", version = driver.to_string()));
    }
    if !parts.is_empty() {
        let parts = joined(page, &parts);
        page.sentence(&message!("facts-machine", parts = parts));
    }
}

/// Writes what is known of an environment; nothing where nothing is.
pub(crate) fn environment(page: &mut Page<'_>, facts: &EnvironmentFacts) {
    let mut parts = Vec::new();
    if let Some(python) = &facts.python {
        parts.push(message!(
            "facts-package",
            name = "Python",
            version = python.to_string()
        ));
    }
    if let Some(torch) = &facts.torch {
        let version = torch.text.as_str();
        parts.push(match &torch.cuda {
            Some(cuda) => {
                message!(
                    "facts-torch-cuda",
                    version = version,
                    cuda = cuda.to_string()
                )
            }
            None => message!("facts-package", name = "torch", version = version),
        });
    }
    let others = facts.packages.iter().filter(|one| one.name != "torch");
    parts.extend(others.take(PACKAGES).map(|package| {
        message!(
            "facts-package",
            name = package.name.as_str(),
            version = package.version.as_str()
        )
    }));
    if !parts.is_empty() {
        let parts = joined(page, &parts);
        let name = page.path(Path::new(&facts.name));
        page.sentence(&message!("facts-environment", name = name, parts = parts));
    }
}

fn joined(page: &Page<'_>, parts: &[Message]) -> String {
    let parts: Vec<String> = parts.iter().map(|part| page.say(part)).collect();
    parts.join(&page.say(&message!("list-separator")))
}

fn page_file(files: &PageFiles) -> Option<Message> {
    match files {
        PageFiles::Off => Some(message!("facts-page-file-off")),
        PageFiles::Automatic => Some(message!("facts-page-file-automatic")),
        PageFiles::Listed(files) => {
            let grows = files
                .iter()
                .any(|file| file.size == PageFileSize::SystemManaged);
            if grows {
                return Some(message!("facts-page-file-automatic"));
            }
            let largest = files.iter().map(|file| match file.size {
                PageFileSize::Fixed { maximum, .. } => maximum,
                _ => 0,
            });
            let size = shown_size(largest.sum());
            Some(message!("facts-page-file-fixed", size = size))
        }
        _ => None,
    }
}

fn gpu(gpu: &Gpu) -> Message {
    let name = gpu.name.as_str();
    match gpu.capability {
        Some(capability) => {
            let capability = capability.to_string();
            message!("facts-gpu", name = name, capability = capability)
        }
        None => message!("facts-gpu-alone", name = name),
    }
}
