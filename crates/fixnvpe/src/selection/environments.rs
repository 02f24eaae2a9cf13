//! Environments, caches and toolkits as a part of the selection.

use std::path::{Path, PathBuf};

use fixnvpe_envs::{DiscoverOptions, Discovery, Environment, Found, Kind, Machine, discover, find};

use fixnvpe_batch::Root;

use super::{Exclusions, Selected};
use crate::arguments::Selection;
use crate::fatal::{Fatal, Word};
use crate::message;
use crate::paths::printable;

/// What was found on the machine, and which environments of it are selected.
#[derive(Debug)]
pub(crate) struct Around {
    /// The machine that was looked around in.
    pub(crate) machine: Machine,
    /// Everything that was found.
    pub(crate) discovery: Discovery,
    /// The selected environments.
    pub(crate) environments: Vec<Environment>,
}

/// The kinds that words name.
pub(crate) fn kinds(words: &[String]) -> Result<Vec<Kind>, Fatal> {
    words
        .iter()
        .map(|word| {
            word.parse().map_err(|error: fixnvpe_envs::Error| {
                Fatal::usage(message!("no-such-kind", kind = word.as_str()))
                    .detail(error.to_string())
            })
        })
        .collect()
}

impl Around {
    /// Looks around, and finds what is selected.
    ///
    /// # Errors
    ///
    /// Usage errors: an environment or kind that is not there, a name that
    /// several environments share.
    pub(crate) fn look(
        machine: Machine,
        selection: &Selection,
        every: bool,
        exclusions: &Exclusions,
        pool: &rayon::ThreadPool,
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Self, Fatal> {
        let kinds = kinds(&selection.kind)?;
        // The caches say which folders in a conda installation are no part of
        // its base environment, so they are always looked for.
        let options = DiscoverOptions::new()
            .deep(selection.place.deep)
            .caches(true)
            .toolkits(selection.beside.toolkits);
        let discovery = discover(&machine, options, pool, cancelled);
        let mut around = Self {
            machine,
            discovery,
            environments: Vec::new(),
        };
        let mut chosen: Vec<&Environment> = Vec::new();
        for wanted in &selection.environments {
            chosen.push(around.one(wanted)?);
        }
        if selection.this_env {
            chosen.push(around.active()?);
        }
        let all = &around.discovery.environments;
        chosen.extend(all.iter().filter(|environment| {
            every || selection.all_envs || kinds.contains(&environment.kind)
        }));
        chosen.retain(|environment| !exclusions.excludes_name(&environment.name));
        let mut chosen: Vec<Environment> = chosen.into_iter().cloned().collect();
        chosen.sort_by(|a, b| a.prefix.cmp(&b.prefix));
        chosen.dedup_by(|a, b| a.prefix == b.prefix);
        if let [kind, ..] = &*kinds
            && chosen.is_empty()
            && !all.iter().any(|one| kinds.contains(&one.kind))
        {
            let message = message!("no-environment-of-kind", kind = kind.word());
            return Err(Fatal::usage(message)
                .code(Word::NoMatch)
                .hint(message!("see-envs")));
        }
        around.environments = chosen;
        Ok(around)
    }

    fn one(&self, wanted: &str) -> Result<&Environment, Fatal> {
        match find(&self.machine, &self.discovery.environments, wanted) {
            Found::One(environment) => Ok(environment),
            Found::Several(several) => {
                let mut fatal = Fatal::usage(message!("environment-name-is-shared", name = wanted));
                for one in several {
                    let prefix = printable(&one.prefix, None);
                    fatal = fatal.hint(message!("use-prefix", prefix = prefix));
                }
                Err(fatal)
            }
            _ => Err(Fatal::usage(message!("no-such-environment", name = wanted))
                .code(Word::NoMatch)
                .hint(message!("see-envs"))),
        }
    }

    fn active(&self) -> Result<&Environment, Fatal> {
        self.discovery.active().ok_or_else(|| {
            Fatal::usage(message!("no-active-environment"))
                .code(Word::NoMatch)
                .hint(message!("see-envs"))
        })
    }

    /// The environment that a file is part of: of those that hold it, the
    /// innermost.
    pub(crate) fn environment_of(&self, path: &Path) -> Option<&Environment> {
        // Prefixes are written as people write paths, without `\\?\`.
        let path = self.machine.comparable(&fixnvpe_files::shown(path));
        let holds = |environment: &&Environment| {
            let folders = environment.folders();
            let mut folders = folders.iter();
            folders.any(|folder| path.starts_with(self.machine.comparable(folder)))
        };
        self.discovery
            .environments
            .iter()
            .filter(holds)
            .max_by_key(|environment| environment.prefix.components().count())
    }

    /// Every folder of an environment or cache.
    pub(crate) fn folders(&self) -> impl Iterator<Item = PathBuf> {
        let environments = self.discovery.environments.iter().flat_map(folders);
        let caches = self.discovery.caches.iter().map(|cache| cache.path.clone());
        environments.chain(caches)
    }

    /// The folders to search, and which folders inside them are no part.
    fn marks(&self, selection: &Selection) -> Marks {
        let mut marks = Marks {
            list: Vec::new(),
            machine: Some(Box::new(self.machine.clone())),
        };
        for environment in &self.environments {
            for folder in folders(environment) {
                marks.add(&folder, true);
            }
        }
        if selection.beside.caches {
            for cache in &self.discovery.caches {
                marks.add(&cache.path, true);
            }
        }
        for toolkit in &self.discovery.toolkits {
            marks.add(&toolkit.path, true);
        }
        for environment in &self.environments {
            for inner in self.discovery.inner_folders(environment) {
                if !marks.has(&inner) {
                    marks.add(&inner, false);
                }
            }
        }
        marks
    }
}

/// Where an environment's files lie.
fn folders(environment: &Environment) -> Vec<PathBuf> {
    environment
        .folders()
        .into_iter()
        .map(Path::to_path_buf)
        .collect()
}

/// A folder that is selected, or that is left out of one that is.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Mark {
    path: PathBuf,
    /// The path in the form in which it is compared.
    key: PathBuf,
    selected: bool,
}

/// The folders of which something is said.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    list: Vec<Mark>,
    /// The machine that was looked around in: it knows which paths are one.
    machine: Option<Box<Machine>>,
}

impl Marks {
    fn key(&self, path: &Path) -> PathBuf {
        let compared = |machine: &Machine| machine.comparable(path);
        self.machine
            .as_deref()
            .map_or_else(|| path.into(), compared)
    }

    fn add(&mut self, path: &Path, selected: bool) {
        let mark = Mark {
            path: path.to_path_buf(),
            key: self.key(path),
            selected,
        };
        self.list.push(mark);
    }

    fn has(&self, path: &Path) -> bool {
        let key = self.key(path);
        self.list.iter().any(|mark| mark.key == key)
    }

    /// Whether the innermost folder that is spoken of says to leave a path out.
    pub(super) fn leave_out(&self, path: &Path) -> bool {
        if self.list.is_empty() {
            return false;
        }
        let key = self.key(path);
        self.list
            .iter()
            .filter(|mark| key.starts_with(&mark.key))
            .max_by_key(|mark| (mark.key.components().count(), mark.selected))
            .is_some_and(|mark| !mark.selected)
    }

    /// Whether a selected folder is searched as part of another one.
    fn cover(&self, path: &Path) -> bool {
        let key = self.key(path);
        let mut above = key.ancestors().skip(1);
        above.any(|above| {
            let is_selected = |mark: &Mark| mark.selected && mark.key == above;
            self.list.iter().any(is_selected)
        }) && key
            .ancestors()
            .skip(1)
            .take_while(|above| self.list.iter().any(|mark| above.starts_with(&mark.key)))
            .all(|above| !self.leave_out(above))
    }
}

impl Selected {
    /// Adds what was found on the machine.
    pub(crate) fn add_around(&mut self, around: &Around, selection: &Selection) {
        let mut marks = around.marks(selection);
        // What was named stays selected, wherever it lies.
        for root in &self.roots {
            marks.add(&root.path, true);
        }
        for mark in &marks.list {
            let is_root = |root: &Root| marks.key(&root.path) == mark.key;
            let is_root = self.roots.iter().any(is_root);
            if mark.selected && !is_root && !marks.cover(&mark.path) {
                self.roots.push(Root::matched(&mark.path));
            }
        }
        self.marks = marks;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(machine: Machine, list: &[(&str, bool)]) -> Marks {
        let mut marks = Marks {
            list: Vec::new(),
            machine: Some(Box::new(machine)),
        };
        for (path, selected) in list {
            marks.add(Path::new(path), *selected);
        }
        marks
    }

    fn linux() -> Machine {
        Machine::rooted(fixnvpe_envs::Os::Linux, "/")
    }

    fn windows() -> Machine {
        Machine::mounted([('C', PathBuf::from("/mnt/c"))]).expect("a machine")
    }

    #[test]
    fn the_innermost_folder_decides() {
        let list = [
            ("/conda", true),
            ("/conda/envs/x", false),
            ("/conda/envs/x/app/.venv", true),
            ("/conda/pkgs", false),
        ];
        for machine in [linux(), windows()] {
            let marks = marks(machine, &list);
            for (path, left_out) in [
                ("/conda/Lib/a.dll", false),
                ("/conda/envs/y/a.dll", false),
                ("/conda/envs/x", true),
                ("/conda/envs/x/a.dll", true),
                ("/conda/envs/x/app/.venv", false),
                ("/conda/envs/x/app/.venv/a.dll", false),
                ("/conda/pkgs/a/b.dll", true),
                ("/elsewhere", false),
            ] {
                assert_eq!(marks.leave_out(Path::new(path)), left_out, "{path}");
            }
        }
    }

    #[test]
    fn on_windows_a_folder_is_left_out_in_whatever_case_it_is_met() {
        let list = [
            ("/c/Users/Mei/Conda", true),
            ("/c/users/mei/conda/ENVS/x", false),
        ];
        let path = Path::new("/c/Users/Mei/Conda/envs/X/a.dll");
        assert!(marks(windows(), &list).leave_out(path));
        assert!(!marks(linux(), &list).leave_out(path));
        let twice = [("/c/Conda", true), ("/C/conda/envs/y", true)];
        assert!(marks(windows(), &twice).cover(Path::new("/C/conda/envs/y")));
    }

    #[test]
    fn a_folder_within_another_is_searched_once_unless_something_lies_between() {
        let marks = marks(
            linux(),
            &[
                ("/conda", true),
                ("/conda/envs/y", true),
                ("/conda/envs/x", false),
                ("/conda/envs/x/app/.venv", true),
            ],
        );
        assert!(!marks.cover(Path::new("/conda")));
        assert!(marks.cover(Path::new("/conda/envs/y")));
        assert!(!marks.cover(Path::new("/conda/envs/x/app/.venv")));
    }
}
