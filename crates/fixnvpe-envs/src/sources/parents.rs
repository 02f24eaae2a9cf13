//! What one environment tells about others.

use std::path::Path;

use super::conda_config;
use super::jupyter::prefix_of_folder;
use crate::candidate::{Candidate, Form};
use crate::classify::{Classified, Content};
use crate::look::Look;
use crate::{CacheKind, Evidence, Source};

/// The environments and the cache of a conda installation, the installation
/// of an environment, and the Python that a virtual environment was made from.
pub(crate) fn candidates(look: &Look<'_>, prefix: &Path, found: &Classified) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    if found.is_conda_root {
        candidates.extend(of_conda_root(look, prefix));
    }
    if found.content == Content::Conda {
        candidates.extend(conda_root_above(look, prefix));
    }
    if let Some(home) = &found.base {
        let file = prefix.join("pyvenv.cfg").display().to_string();
        if let Some(base) = look
            .locate(home, &file)
            .and_then(|path| prefix_of_folder(&path))
        {
            let evidence = Evidence::new(Source::PyvenvHome, file);
            candidates.push(Candidate::prefix(base, evidence));
        }
    }
    candidates
}

/// The installation that an environment in its `envs` belongs to. It may lie
/// behind a junction, which no wildcard follows.
fn conda_root_above(look: &Look<'_>, prefix: &Path) -> Option<Candidate> {
    let envs = prefix.parent()?;
    if !look.reader.case().same(envs.file_name()?, "envs") {
        return None;
    }
    let evidence = Evidence::new(Source::Child, prefix.display().to_string());
    Some(Candidate::prefix(envs.parent()?.to_path_buf(), evidence))
}

fn of_conda_root(look: &Look<'_>, prefix: &Path) -> Vec<Candidate> {
    look.count_place();
    let evidence = || Evidence::new(Source::Parent, prefix.display().to_string());
    let mut candidates: Vec<Candidate> = look
        .reader
        .expand(prefix, &["envs", "*"])
        .into_iter()
        .map(|path| Candidate::prefix(path, evidence()))
        .collect();
    if let Some(pkgs) = look.reader.child(prefix, "pkgs") {
        let form = Form::Cache(CacheKind::CondaPkgs);
        candidates.push(Candidate::new(pkgs, form, evidence()));
    }
    candidates.extend(conda_config::of_folder(look, prefix));
    candidates
}
