//! What was found so far: every folder once, whichever ways led to it.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use fixnvpe_files::FileId;

use super::DiscoverOptions;
use super::within::Above;
use crate::candidate::{Candidate, Form};
use crate::classify::{self, Classified, Content, name, version};
use crate::disk::reader::{find, lock};
use crate::look::Look;
use crate::places::Way;
use crate::{Cache, CacheKind, Environment, Evidence, Manager, Toolkit};

/// Whether the answer has a place for what a row of the table leads to.
pub(super) fn is_asked_for(way: Way, options: DiscoverOptions) -> bool {
    match way {
        Way::Cache(_) => options.caches,
        Way::Toolkit(_) => options.toolkits,
        _ => true,
    }
}

/// One candidate that turned out to be what it was taken for.
#[derive(Clone)]
struct Heard {
    candidate: Candidate,
    classified: Option<Arc<Classified>>,
}

/// What a folder turned out to be, by its path: it is read once as each.
type Readings = HashMap<(PathBuf, Group), Arc<OnceLock<Option<Arc<Classified>>>>>;

/// The folders found, by what they are and by identity: a folder may be an
/// environment's and the cache's of another tool.
pub(crate) struct Findings {
    options: DiscoverOptions,
    readings: Mutex<Readings>,
    heard: Mutex<HashMap<(Group, FileId), Vec<Heard>>>,
    news: Mutex<Vec<(PathBuf, Arc<Classified>)>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Group {
    Environment,
    Packages,
    Cache,
    Toolkit,
}

impl Findings {
    pub(super) fn new(options: DiscoverOptions) -> Self {
        Self {
            options,
            readings: Mutex::default(),
            heard: Mutex::default(),
            news: Mutex::default(),
        }
    }

    /// Takes a candidate in, if it is what it may be. Says whether it is.
    pub(crate) fn consider(&self, look: &Look<'_>, mut candidate: Candidate) -> bool {
        let (group, classified) = match candidate.form {
            Form::Prefix => (
                Group::Environment,
                self.read(look, &candidate.path, Group::Environment),
            ),
            Form::Site => {
                let classified = self.read(look, &candidate.path, Group::Packages);
                candidate.path = prefix_of_site(&candidate.path);
                (Group::Packages, classified)
            }
            Form::Cache(_) if self.options.caches => (Group::Cache, None),
            Form::Toolkit(_) if self.options.toolkits => (Group::Toolkit, None),
            Form::Cache(_) | Form::Toolkit(_) => return false,
        };
        let must_be_read = matches!(group, Group::Environment | Group::Packages);
        if must_be_read && classified.is_none() {
            return false;
        }
        if group == Group::Toolkit && !is_toolkit(look, &candidate.path) {
            return false;
        }
        let Some(id) = look.reader.identify(&candidate.path) else {
            return false;
        };
        let heard = Heard {
            candidate,
            classified,
        };
        lock(&self.heard)
            .entry((group, id))
            .or_default()
            .push(heard);
        true
    }

    /// What the folder is, read the first time that anyone asks.
    fn read(&self, look: &Look<'_>, path: &Path, group: Group) -> Option<Arc<Classified>> {
        let key = (path.to_path_buf(), group);
        let slot = Arc::clone(lock(&self.readings).entry(key).or_default());
        let read = || {
            let found = if group == Group::Packages {
                classify::packages(look, path)
            } else {
                classify::prefix(look, path)
            };
            let found = Arc::new(found?);
            lock(&self.news).push((path.to_path_buf(), Arc::clone(&found)));
            Some(found)
        };
        slot.get_or_init(read).clone()
    }

    /// The environments that were read since the last call.
    pub(super) fn take_news(&self) -> Vec<(PathBuf, Arc<Classified>)> {
        std::mem::take(&mut *lock(&self.news))
    }

    /// Everything that was found, each folder once, sorted by path.
    pub(super) fn into_found(
        self,
        look: &Look<'_>,
    ) -> (Vec<Environment>, Vec<Cache>, Vec<Toolkit>) {
        let heard = self
            .heard
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let (mut environments, mut caches, mut toolkits) = (Vec::new(), Vec::new(), Vec::new());
        let mut places: Vec<(FileId, PathBuf)> = Vec::new();
        let mut above = Above::new(look);
        for ((_, id), mut ways) in heard {
            ways.sort_by(|a, b| rank(&a.candidate).cmp(&rank(&b.candidate)));
            let Some(best) = ways.first() else {
                continue;
            };
            if !matches!(best.candidate.form, Form::Toolkit(_)) {
                let mut paths: Vec<PathBuf> =
                    ways.iter().map(|way| way.candidate.path.clone()).collect();
                paths.sort();
                paths.dedup();
                places.extend(paths.into_iter().map(|path| (id, path)));
            }
            match best.candidate.form {
                Form::Prefix | Form::Site => {
                    environments.extend(environment(look, &mut above, id, &ways));
                }
                Form::Cache(kind) => caches.push(cache(kind, &ways)),
                Form::Toolkit(name) => toolkits.push(toolkit(look, name, &ways)),
            }
        }
        places.sort();
        above.tell(&mut environments, &places);
        environments.sort_by(|a, b| a.prefix.cmp(&b.prefix));
        caches.sort_by(|a, b| a.path.cmp(&b.path));
        toolkits.sort_by(|a, b| a.path.cmp(&b.path));
        (environments, caches, toolkits)
    }
}

/// How surely a way's path is the one that the user knows: by its source, then
/// the shortest.
fn rank(candidate: &Candidate) -> (crate::Source, usize, &Path) {
    let length = candidate.path.components().count();
    (candidate.evidence.source, length, &candidate.path)
}

/// The folder that stands for a `site-packages` outside any environment: the
/// one that carries Python's version (`Python38`, `python3.11`).
fn prefix_of_site(site: &Path) -> PathBuf {
    let parent = site.parent().unwrap_or(site);
    // macOS: ~/Library/Python/3.9/lib/python/site-packages
    if parent.ends_with("lib/python") {
        let above = parent.ancestors().nth(2);
        return above.unwrap_or(parent).to_path_buf();
    }
    parent.to_path_buf()
}

fn evidence(ways: &[Heard]) -> Vec<Evidence> {
    let all: BTreeSet<&Evidence> = ways.iter().map(|way| &way.candidate.evidence).collect();
    all.into_iter().cloned().collect()
}

fn environment(
    look: &Look<'_>,
    above: &mut Above<'_, '_>,
    id: FileId,
    ways: &[Heard],
) -> Option<Environment> {
    let best = ways.first()?;
    let classified = best.classified.as_deref()?;
    let suggested = ways.iter().filter_map(|way| way.candidate.kind);
    let kind = classified
        .kind
        .unwrap_or_else(|| classified.content.kind(suggested));
    let managers = ways.iter().filter_map(|way| way.candidate.manager);
    let told = ways.iter().filter_map(|way| way.candidate.python.clone());
    let prefix = fixnvpe_files::shown(&best.candidate.path);
    let from_name =
        version::of_folder(&prefix).filter(|_| matches!(classified.content, Content::Packages));
    let python = std::iter::once(classified.python.clone())
        .chain(told.max().map(Some))
        .chain([from_name]);
    Some(Environment {
        python: version::best(python),
        site_packages: classified.site_packages.clone(),
        manager: manager(classified, managers.min()),
        evidence: evidence(ways),
        id: Some(id),
        own_folders: own_folders(look, above, (id, &best.candidate.path)),
        ..Environment::new(kind, name::of(look, &prefix, classified), prefix)
    })
}

/// What an environment owns of a prefix in which other things lie as well: a
/// drive's root, a home, or what holds one of those. Whoever made a venv of
/// their home did not mean all that is in it.
fn own_folders(
    look: &Look<'_>,
    above: &mut Above<'_, '_>,
    (id, prefix): (FileId, &Path),
) -> Option<Vec<PathBuf>> {
    let drives = look.machine.drives.iter().map(|drive| &drive.root);
    let mut others = drives.chain(look.homes.iter().map(|user| &user.home));
    if !others.any(|path| above.holds((id, prefix), path)) {
        return None;
    }
    let library = look.reader.child(prefix, "Library");
    let own = [
        look.reader.child(prefix, "DLLs"),
        library.and_then(|library| look.reader.child(&library, "bin")),
    ];
    let existing = own.into_iter().flatten().filter_map(|path| {
        let there = look.reader.folder(&path).is_some();
        there.then(|| fixnvpe_files::shown(&path))
    });
    Some(existing.collect())
}

/// The tool in charge: what the folder itself says, else the place; but what
/// pixi keeps in a conda environment's place is said by the place.
fn manager(classified: &Classified, by_place: Option<Manager>) -> Option<Manager> {
    match classified.manager {
        Some(Manager::Conda) => by_place
            .filter(|manager| *manager == Manager::Pixi)
            .or(Some(Manager::Conda)),
        Some(Manager::Uv) | None => by_place.or(classified.manager),
        told => told,
    }
}

fn cache(kind: CacheKind, ways: &[Heard]) -> Cache {
    Cache {
        kind,
        path: fixnvpe_files::shown(&ways[0].candidate.path),
        evidence: evidence(ways),
    }
}

/// Whether something is installed there: an empty folder stays behind when a
/// toolkit is removed.
fn is_toolkit(look: &Look<'_>, path: &Path) -> bool {
    let case = look.reader.case();
    look.reader.folder(path).is_some_and(|folder| {
        let has = |name| find(&folder, name, case).is_some();
        has("bin") || has("version.json") || has("version.txt")
    })
}

fn toolkit(look: &Look<'_>, name: &str, ways: &[Heard]) -> Toolkit {
    let path = &ways[0].candidate.path;
    Toolkit {
        name: name.to_owned(),
        version: toolkit_version(look, path),
        path: fixnvpe_files::shown(path),
        evidence: evidence(ways),
    }
}

/// The version that `version.json` tells (CUDA 11.1 and later), or
/// `version.txt` (before), or the folder's name.
fn toolkit_version(look: &Look<'_>, path: &Path) -> Option<String> {
    /// The longest such file that is read, in bytes.
    const LIMIT: u64 = 64 << 10;
    let folder = look.reader.folder(path)?;
    let text = |name: &str| {
        let entry = find(&folder, name, look.reader.case())?;
        look.reader.text(&path.join(&entry.name), LIMIT)
    };
    let from_json = |text: String| {
        let versions: serde_json::Value = serde_json::from_str(&text).ok()?;
        versions["cuda"]["version"].as_str().map(str::to_owned)
    };
    let from_text = |text: String| text.split_whitespace().last().map(str::to_owned);
    let from_name = || {
        let name = path.file_name()?.to_str()?;
        let version = name.trim_start_matches(|c: char| !c.is_ascii_digit());
        (!version.is_empty()).then(|| version.to_owned())
    };
    text("version.json")
        .and_then(from_json)
        .or_else(|| text("version.txt").and_then(from_text))
        .or_else(from_name)
}
