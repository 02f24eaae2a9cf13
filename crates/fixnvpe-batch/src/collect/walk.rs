//! Walking the roots in parallel.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use fixnvpe_files::{Entry, Name};

use super::{
    CollectOptions, Context, Event, Failure, FileId, Found, Kind, Root, SkipReason, Skipped, Step,
    is_candidate_name,
};
use crate::report::Code;

/// What the walk has met so far.
#[derive(Debug, Default)]
pub(super) struct Met {
    pub(super) files: Vec<Found>,
    pub(super) skipped: Vec<Skipped>,
    pub(super) failures: Vec<Failure>,
}

struct Walk<'a> {
    options: &'a CollectOptions<'a>,
    context: &'a Context<'a>,
    met: Mutex<Met>,
}

/// Walks all roots. Runs on the pool that it is called on.
pub(super) fn walk(roots: &[Root], options: &CollectOptions<'_>, context: &Context<'_>) -> Met {
    let walk = Walk {
        options,
        context,
        met: Mutex::default(),
    };
    rayon::scope(|scope| {
        for root in roots {
            scope.spawn(|scope| walk.root(scope, root));
        }
    });
    walk.met
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner)
}

impl Walk<'_> {
    fn met(&self) -> std::sync::MutexGuard<'_, Met> {
        self.met.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fail(&self, path: &Path, error: &std::io::Error) {
        let failure = Failure::of_io(path, Step::Collect, error);
        self.met().failures.push(failure);
    }

    fn skip(&self, path: &Path, reason: SkipReason) {
        self.met().skipped.push(Skipped::new(path, reason));
    }

    fn is_excluded(&self, path: &Path) -> bool {
        (self.options.exclude)(&fixnvpe_files::shown(path))
    }

    fn root<'s>(&'s self, scope: &rayon::Scope<'s>, root: &Root) {
        match self.resolved(&root.path) {
            Ok((path, kind)) => match kind {
                _ if self.is_excluded(&path) => {}
                Kind::Folder => self.folder(scope, &path),
                Kind::File => self.root_file(&path, root.named),
                _ => self.skip(&path, SkipReason::Special),
            },
            Err(error) => self.missed(&root.path, root.named, &error),
        }
    }

    /// A root as an absolute path, and what stands there. A link is resolved;
    /// nothing else of the path is, since people know it as they spelled it.
    fn resolved(&self, root: &Path) -> std::io::Result<(PathBuf, Kind)> {
        let path = fixnvpe_files::extended(root)?;
        match self.context.files.stat(&path)?.kind {
            Kind::Link => {
                let target = fs_err::canonicalize(&path)?;
                let kind = self.context.files.stat(&target)?.kind;
                Ok((target, kind))
            }
            kind => Ok((path, kind)),
        }
    }

    /// A root that cannot be looked at. One that a pattern matched may have gone
    /// since.
    fn missed(&self, path: &Path, named: bool, error: &std::io::Error) {
        if !named && Code::of_io(error) == Code::NotFound {
            return self.skip(path, SkipReason::Vanished);
        }
        self.fail(path, error);
    }

    fn root_file(&self, path: &Path, named: bool) {
        let found = self
            .context
            .files
            .name_of(path)
            .and_then(|name| self.found(path.to_path_buf(), name, named));
        match found {
            Ok(found) => self.met().files.extend(found),
            Err(error) => self.missed(path, named, &error),
        }
    }

    /// Describes a file; nothing where it is none after all. A listing does
    /// not tell a file from what only looks like one, such as the aliases of
    /// the Store's applications.
    fn found(&self, path: PathBuf, name: Name, named: bool) -> std::io::Result<Option<Found>> {
        let stat = self.context.files.stat(&path)?;
        if stat.kind != Kind::File {
            self.skip(&path, SkipReason::Special);
            return Ok(None);
        }
        Ok(Some(Found {
            name,
            id: stat.id,
            links: stat.links,
            size: stat.len,
            named,
            path,
        }))
    }

    fn folder<'s>(&'s self, scope: &rayon::Scope<'s>, path: &Path) {
        if self.context.cancel.is_cancelled() {
            return;
        }
        let folder = match fixnvpe_files::read_folder(path) {
            Ok(folder) => folder,
            Err(error) if Code::of_io(&error) == Code::NotFound => {
                return self.skip(path, SkipReason::Vanished);
            }
            Err(error) => return self.fail(path, &error),
        };
        self.context.tell(&Event::Folder(path));
        for error in &folder.failures {
            self.fail(path, error);
        }
        let (mut files, mut below) = (Vec::new(), Vec::new());
        for entry in folder.entries {
            let path = path.join(&entry.name);
            if !self.is_wanted(&path, &entry) {
                continue;
            }
            match entry.kind {
                Kind::Folder => below.push(path),
                _ => files.push((path, entry.name)),
            }
        }
        for path in below {
            scope.spawn(move |scope| self.folder(scope, &path));
        }
        if !files.is_empty() {
            self.files_in(path, files);
        }
    }

    /// Whether an entry is to be looked at. What might have been wanted and is
    /// left out for what it is gets reported.
    fn is_wanted(&self, path: &Path, entry: &Entry) -> bool {
        let interesting = match entry.kind {
            Kind::Folder => true,
            _ => is_candidate_name(Path::new(&entry.name)),
        };
        let linked_folder = || entry.kind == Kind::Link && is_folder(path);
        if !(interesting || linked_folder()) || self.is_excluded(path) {
            return false;
        }
        let reason = match entry.kind {
            _ if entry.placeholder => SkipReason::Placeholder,
            Kind::File | Kind::Folder => return true,
            Kind::Link => SkipReason::Link,
            _ => SkipReason::Special,
        };
        self.skip(path, reason);
        false
    }

    fn files_in(&self, folder: &Path, files: Vec<(PathBuf, std::ffi::OsString)>) {
        let parent = match folder_id(folder) {
            Ok(parent) => parent,
            Err(error) => return self.fail(folder, &error),
        };
        for (path, file_name) in files {
            let name = Name { parent, file_name };
            match self.found(path.clone(), name, false) {
                Ok(found) => self.met().files.extend(found),
                Err(error) if Code::of_io(&error) == Code::NotFound => {
                    self.skip(&path, SkipReason::Vanished);
                }
                Err(error) => self.fail(&path, &error),
            }
        }
    }
}

fn folder_id(folder: &Path) -> std::io::Result<FileId> {
    Ok(fixnvpe_files::stat(&fixnvpe_files::open_folder(folder)?)?.id)
}

/// Whether a link leads to a folder.
fn is_folder(link: &Path) -> bool {
    fs_err::metadata(link).is_ok_and(|target| target.is_dir())
}
