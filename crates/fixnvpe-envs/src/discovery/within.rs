//! Which of the folders that were found lie in another one.
//!
//! Paths alone do not tell: one folder is written in another case, with a short
//! name, or through a junction or a letter that stands for a folder. So the
//! folders above a path are known by identity, and by name where they have none.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use fixnvpe_files::FileId;

use crate::Environment;
use crate::look::Look;

/// The identities of the folders above paths, each asked for once.
pub(super) struct Above<'l, 'm> {
    look: &'l Look<'m>,
    ids: HashMap<PathBuf, Option<FileId>>,
}

impl<'l, 'm> Above<'l, 'm> {
    pub(super) fn new(look: &'l Look<'m>) -> Self {
        let ids = HashMap::new();
        Self { look, ids }
    }

    fn is(&mut self, path: &Path, folder: (FileId, &Path)) -> bool {
        let case = self.look.machine.case();
        if case.path(&fixnvpe_files::shown(path)) == case.path(folder.1) {
            return true;
        }
        let disk = &self.look.machine.disk;
        let identify = || disk.identify(path).ok();
        let id = match self.ids.get(path) {
            Some(known) => *known,
            None => *self.ids.entry(path.to_path_buf()).or_insert_with(identify),
        };
        id == Some(folder.0)
    }

    /// Whether `path` is the folder, or lies in it.
    pub(super) fn holds(&mut self, folder: (FileId, &Path), path: &Path) -> bool {
        path.ancestors().any(|above| self.is(above, folder))
    }

    /// Tells each environment which folders inside it are others' own, written
    /// with the environment's own prefix. `places` are all paths that led to an
    /// environment or a cache, with the identity of what lies there.
    pub(super) fn tell(&mut self, environments: &mut [Environment], places: &[(FileId, PathBuf)]) {
        for environment in environments {
            let Some(id) = environment.id else {
                continue;
            };
            let prefix = environment.prefix.clone();
            let mut inner: Vec<PathBuf> = Vec::new();
            for (_, path) in places.iter().filter(|(other, _)| *other != id) {
                let mut above = path.ancestors().skip(1);
                if let Some(above) = above.find(|above| self.is(above, (id, &prefix)))
                    && let Ok(rest) = path.strip_prefix(above)
                {
                    inner.push(prefix.join(rest));
                }
            }
            environment.inner_folders = inner;
        }
    }
}
