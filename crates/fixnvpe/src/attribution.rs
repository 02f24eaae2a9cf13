//! Which environments and which package an image belongs to.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use fixnvpe_batch::{Commit, ImageReport, Package};
use fixnvpe_envs::{Environment, Packages};
use fixnvpe_pe::Condition;

use crate::document::EnvironmentCost;
use crate::selection::Around;

/// Says of each image which environments hold it, and of each with GPU code
/// which package owns it; and of each selected environment what its images
/// cost.
pub(crate) fn attribute(around: &Around, images: &mut [ImageReport]) -> Vec<EnvironmentCost> {
    let mut costs: BTreeMap<PathBuf, Commit> = BTreeMap::new();
    let mut packages: BTreeMap<PathBuf, Packages> = BTreeMap::new();
    for image in images {
        let mut holders: Vec<(&Environment, &Path)> = Vec::new();
        for name in &image.names {
            if let Some(environment) = around.environment_of(name)
                && !holders
                    .iter()
                    .any(|(held, _)| held.prefix == environment.prefix)
            {
                holders.push((environment, name));
            }
        }
        image.environments = holders
            .iter()
            .map(|(environment, _)| environment.prefix.clone())
            .collect();
        if image.condition == Condition::NoFatbin {
            continue;
        }
        for (environment, _) in &holders {
            *costs.entry(environment.prefix.clone()).or_default() += image.commit;
        }
        image.package = holders.iter().find_map(|(environment, name)| {
            let installed = packages
                .entry(environment.prefix.clone())
                .or_insert_with(|| Packages::read(&around.machine, environment));
            let owner = installed.owner(&fixnvpe_files::shown(name))?;
            Some(Package::new(&owner.name, &owner.version))
        });
    }
    let cost = |environment: &Environment| EnvironmentCost {
        kind: environment.kind,
        name: environment.name.clone(),
        prefix: fixnvpe_files::shown(&environment.prefix)
            .to_string_lossy()
            .into_owned(),
        prefix_raw: environment.prefix_raw.clone(),
        python: environment.python.clone(),
        commit_if_all_loaded: costs.get(&environment.prefix).copied().unwrap_or_default(),
    };
    around.environments.iter().map(cost).collect()
}
