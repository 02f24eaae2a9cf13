//! Looking around a machine, from the sources to the answer.

mod findings;
mod within;

use std::path::PathBuf;

use fixnvpe_files::folded_path;
use rayon::ThreadPool;
use rayon::prelude::*;

pub(crate) use self::findings::Findings;
use crate::candidate::Candidate;
use crate::look::Look;
use crate::places::Place;
use crate::sources::{
    active, conda_config, environments_txt, jupyter, known_places, named, parents, path_variable,
    registered,
};
use crate::walk::Walker;
use crate::{Cache, Environment, Kind, Machine, Skipped, Source, places};

/// How far to look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DiscoverOptions {
    /// Walk every built-in drive to its bottom.
    pub deep: bool,
    /// Look for package caches as well.
    pub caches: bool,
    /// Look for CUDA toolkits as well.
    pub toolkits: bool,
}

impl DiscoverOptions {
    /// The known places and the shallow look, for environments alone.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether to walk every built-in drive to its bottom.
    #[must_use]
    pub fn deep(mut self, deep: bool) -> Self {
        self.deep = deep;
        self
    }

    /// Whether to look for package caches as well.
    #[must_use]
    pub fn caches(mut self, caches: bool) -> Self {
        self.caches = caches;
        self
    }

    /// Whether to look for CUDA toolkits as well.
    #[must_use]
    pub fn toolkits(mut self, toolkits: bool) -> Self {
        self.toolkits = toolkits;
        self
    }
}

/// How much was looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Looked {
    /// Places: the rows of the table, each for every user and drive that it
    /// stands for, registry views, and lists in files and variables.
    pub places: u64,
    /// Folders that were read.
    pub folders: u64,
    /// Files that were opened.
    pub files: u64,
}

/// What there is on a machine.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Discovery {
    /// Every environment, once, by prefix.
    pub environments: Vec<Environment>,
    /// Every package cache, if asked for.
    pub caches: Vec<Cache>,
    /// Every CUDA toolkit, if asked for.
    pub toolkits: Vec<crate::Toolkit>,
    /// What could not be looked at.
    pub skipped: Vec<Skipped>,
    /// The homes that were looked in, the caller's own first.
    #[cfg_attr(feature = "serde", serde(with = "crate::environment::texts"))]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub homes: Vec<PathBuf>,
    /// How much was looked at.
    pub looked: Looked,
    /// Whether the look came to its end; `false` after it was cancelled.
    pub complete: bool,
}

impl Discovery {
    /// The environment in use: the one that `VIRTUAL_ENV` names, else the one
    /// that `CONDA_PREFIX` names. Inside a virtual environment both may be set.
    #[must_use]
    pub fn active(&self) -> Option<&Environment> {
        let by_variable = |variable: &str| {
            self.environments.iter().find(|environment| {
                environment.evidence.iter().any(|evidence| {
                    evidence.source == Source::Active && evidence.detail.contains(variable)
                })
            })
        };
        by_variable("VIRTUAL_ENV").or_else(|| by_variable("CONDA_PREFIX"))
    }

    /// Folders that lie below an environment's prefix and are not a part of
    /// it: the environments in a conda installation's `envs` and its package
    /// cache, or a project's other environments. Whoever searches the prefix
    /// leaves them out, unless they were asked for themselves. Each is written
    /// with the environment's own prefix, however the way to it was spelled.
    #[must_use]
    pub fn inner_folders(&self, environment: &Environment) -> Vec<PathBuf> {
        let prefix = &environment.prefix;
        let key = folded_path(prefix);
        let others = self.environments.iter().map(|other| &other.prefix);
        let caches = self.caches.iter().map(|cache| &cache.path);
        // By name, what was read back from JSON; what was found knows them by
        // identity. A name too many leaves nothing out that is the prefix's own.
        let by_name = others.chain(caches).filter(|path| {
            let path = folded_path(path);
            path != key && path.starts_with(&key)
        });
        let mut inner: Vec<PathBuf> = by_name.cloned().collect();
        inner.extend(environment.inner_folders.iter().cloned());
        if environment.kind == Kind::Conda {
            inner.push(prefix.join("pkgs"));
        }
        inner.sort();
        inner.dedup();
        inner
    }
}

/// Looks around a machine. It never fails: what could not be read is part of
/// the answer. Work is spread over `pool`; when `cancelled` says so, what was
/// found until then is returned.
#[must_use]
pub fn discover(
    machine: &Machine,
    options: DiscoverOptions,
    pool: &ThreadPool,
    cancelled: &(dyn Fn() -> bool + Sync),
) -> Discovery {
    let look = pool.install(|| Look::new(machine, cancelled));
    let findings = Findings::new(options);
    pool.install(|| {
        let candidates = from_sources(&look, options);
        consider_all(&look, &findings, candidates);
        let walker = Walker::new(&look, &findings);
        rayon::scope(|scope| {
            walker.current_folder(scope);
            walker.shallow(scope);
        });
        if options.deep {
            // After the others, which keep what they read.
            rayon::scope(|scope| walker.deep(scope));
        }
        follow(&look, &findings);
    });
    answer(look, findings)
}

/// Every candidate that is named somewhere.
fn from_sources(look: &Look<'_>, options: DiscoverOptions) -> Vec<Candidate> {
    type Read = fn(&Look<'_>) -> Vec<Candidate>;
    const SOURCES: &[Read] = &[
        active::candidates,
        environments_txt::candidates,
        conda_config::candidates,
        registered::candidates,
        jupyter::candidates,
        path_variable::candidates,
        named::candidates,
    ];
    let rows: Vec<&'static Place> = places()
        .iter()
        .filter(|place| findings::is_asked_for(place.way, options))
        .collect();
    let named = SOURCES.par_iter().flat_map_iter(|read| read(look));
    let known = rows
        .into_par_iter()
        .flat_map_iter(|place| known_places::candidates(look, place));
    named.chain(known).collect()
}

fn consider_all(look: &Look<'_>, findings: &Findings, candidates: Vec<Candidate>) {
    candidates.into_par_iter().for_each(|candidate| {
        if !look.cancelled() {
            findings.consider(look, candidate);
        }
    });
    follow(look, findings);
}

/// Follows what the environments that were found tell about others, until
/// they tell nothing new.
fn follow(look: &Look<'_>, findings: &Findings) {
    loop {
        let news = findings.take_news();
        if news.is_empty() || look.cancelled() {
            return;
        }
        let candidates: Vec<Candidate> = news
            .par_iter()
            .flat_map_iter(|(prefix, found)| parents::candidates(look, prefix, found))
            .collect();
        candidates.into_par_iter().for_each(|candidate| {
            findings.consider(look, candidate);
        });
    }
}

fn answer(look: Look<'_>, findings: Findings) -> Discovery {
    let (environments, caches, toolkits) = findings.into_found(&look);
    let (folders, files) = look.reader.opened();
    Discovery {
        environments,
        caches,
        toolkits,
        homes: look.homes.iter().map(|user| user.home.clone()).collect(),
        looked: Looked {
            places: look.places(),
            folders,
            files,
        },
        complete: !look.cancelled(),
        skipped: look.reader.into_skipped(),
    }
}
