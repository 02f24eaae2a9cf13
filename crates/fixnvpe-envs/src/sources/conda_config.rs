//! Where conda was told to put environments and packages.

use std::path::{Path, PathBuf};

use super::condarc;
use crate::candidate::{Candidate, Form};
use crate::look::{Look, UserFolders};
use crate::places::{Way, expand};
use crate::{CacheKind, Evidence, SkipReason, Skipped, Source};

/// The longest configuration file that is read, in bytes.
const LIMIT: u64 = 256 << 10;

/// The environments and caches that configuration files and variables name.
pub(crate) fn candidates(look: &Look<'_>) -> Vec<Candidate> {
    let mut found = of_variables(look);
    let rows = crate::places().iter();
    for place in rows.filter(|place| place.way == Way::CondaConfig) {
        for (folder, _) in expand::folders(look, place) {
            found.extend(of_folder(look, &folder));
        }
    }
    found
}

/// The configuration files in one folder: a condarc under one of its names,
/// and the pieces in `condarc.d`.
pub(crate) fn of_folder(look: &Look<'_>, folder: &Path) -> Vec<Candidate> {
    let reader = &look.reader;
    let path = |path: &Path| reader.case().path(path);
    let key = path(folder);
    let mut users = look.homes.iter();
    let user = users.find(|user| key.starts_with(path(&user.home)));
    let names = [".condarc", "condarc", ".mambarc", "mambarc"];
    let mut files: Vec<PathBuf> = names
        .iter()
        .filter_map(|name| reader.child(folder, name))
        .collect();
    if let Some(pieces) = reader.child(folder, "condarc.d")
        && let Some(listing) = reader.folder(&pieces)
    {
        let is_piece = |name: &std::ffi::OsStr| {
            let case = reader.case();
            case.fits(name, "*.yml") || case.fits(name, "*.yaml")
        };
        let listed = listing.entries.iter().filter(|entry| is_piece(&entry.name));
        files.extend(listed.map(|entry| pieces.join(&entry.name)));
    }
    files
        .iter()
        .flat_map(|file| of_file(look, file, user))
        .collect()
}

fn of_file(look: &Look<'_>, file: &Path, user: Option<&UserFolders>) -> Vec<Candidate> {
    let Some(text) = look.reader.text(file, LIMIT) else {
        return Vec::new();
    };
    let condarc = condarc::parse(&text);
    for problem in &condarc.problems {
        look.reader
            .skip(Skipped::new(file, SkipReason::Malformed, problem));
    }
    let from = file.display().to_string();
    let locate = |folder: &String| look.locate_expanded(folder, user, &from);
    let envs: Vec<PathBuf> = condarc.envs_dirs.iter().filter_map(locate).collect();
    let pkgs: Vec<PathBuf> = condarc.pkgs_dirs.iter().filter_map(locate).collect();
    in_folders(look, &envs, &pkgs, &from)
}

fn of_variables(look: &Look<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    for name in ["CONDARC", "MAMBARC"] {
        if let Some(file) = look.folder_in_variable(name) {
            let own = look.homes.iter().find(|user| user.own);
            found.extend(of_file(look, &file, own));
        }
    }
    let separator = look.machine.list_separator();
    for name in ["CONDA_ENVS_DIRS", "CONDA_ENVS_PATH"] {
        let envs = look.folders_in_list(name, &[separator]);
        found.extend(in_folders(look, &envs, &[], &look.variable_text(name)));
    }
    let name = "CONDA_PKGS_DIRS";
    let pkgs = look.folders_in_list(name, &[',', separator]);
    found.extend(in_folders(look, &[], &pkgs, &look.variable_text(name)));
    found
}

fn in_folders(look: &Look<'_>, envs: &[PathBuf], pkgs: &[PathBuf], from: &str) -> Vec<Candidate> {
    let evidence = || Evidence::new(Source::Condarc, from);
    let mut found = Vec::new();
    for folder in envs {
        look.count_place();
        let below = look.reader.expand(folder, &["*"]);
        found.extend(
            below
                .into_iter()
                .map(|path| Candidate::prefix(path, evidence())),
        );
    }
    for folder in pkgs {
        look.count_place();
        let form = Form::Cache(CacheKind::CondaPkgs);
        found.push(Candidate::new(folder.clone(), form, evidence()));
    }
    found
}
