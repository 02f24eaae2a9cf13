//! Pythons that registered themselves (PEP 514).

use std::io;

use crate::candidate::Candidate;
use crate::classify::version;
use crate::look::Look;
use crate::{Evidence, Hive, Kind, Manager, SkipReason, Skipped, Source};

/// The key below which every company has one of its own.
const PYTHON: &str = r"Software\Python";

/// Every Python in the registry.
pub(crate) fn candidates(look: &Look<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    for hive in Hive::ALL {
        look.count_place();
        for company in keys(look, hive, PYTHON) {
            // PEP 514 keeps this name for the launcher, which is no Python.
            if company.eq_ignore_ascii_case("PyLauncher") {
                continue;
            }
            let key = format!(r"{PYTHON}\{company}");
            for tag in keys(look, hive, &key) {
                found.extend(python(look, hive, &company, &format!(r"{key}\{tag}")));
            }
        }
    }
    found
}

fn python(look: &Look<'_>, hive: Hive, company: &str, key: &str) -> Option<Candidate> {
    let value = |key: &str, name: &str| {
        let value = look.machine.registry.value(hive, key, name);
        noted(look, hive, key, value).flatten()
    };
    let install = format!(r"{key}\InstallPath");
    let from = format!(r"{hive}\{key}");
    let folder = value(&install, "").filter(|path| !path.trim().is_empty());
    let path = if let Some(folder) = folder {
        look.locate(&folder, &from)?
    } else {
        // Only the interpreter is named: it lies in the prefix.
        let interpreter = look.locate(&value(&install, "ExecutablePath")?, &from)?;
        interpreter.parent()?.to_path_buf()
    };
    let (kind, manager) = kind_of(company);
    Some(Candidate {
        kind,
        manager,
        python: version::best([
            value(key, "SysVersion")
                .as_deref()
                .and_then(version::of_name),
            value(key, "Version").as_deref().and_then(version::of_name),
        ]),
        ..Candidate::prefix(path, Evidence::new(Source::Registry, from))
    })
}

/// What a company's Pythons are.
fn kind_of(company: &str) -> (Option<Kind>, Option<Manager>) {
    match company.to_ascii_lowercase().as_str() {
        "pythoncore" => (Some(Kind::PythonOrg), None),
        "astral" => (Some(Kind::Uv), Some(Manager::Uv)),
        _ => (None, None),
    }
}

fn keys(look: &Look<'_>, hive: Hive, key: &str) -> Vec<String> {
    let keys = look.machine.registry.keys(hive, key);
    noted(look, hive, key, keys).unwrap_or_default()
}

fn noted<T>(look: &Look<'_>, hive: Hive, key: &str, result: io::Result<T>) -> Option<T> {
    result
        .map_err(|error| {
            let reason = match error.kind() {
                io::ErrorKind::PermissionDenied => SkipReason::AccessDenied,
                _ => SkipReason::Unreadable,
            };
            let path = format!(r"{hive}\{key}");
            look.reader
                .skip(Skipped::new(path, reason, error.to_string()));
        })
        .ok()
}
