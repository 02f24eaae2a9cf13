//! Looking through folders that nothing named.
//!
//! A walk reads each folder once. It stops at an environment, follows no link,
//! junction or mount, opens nothing that lies in cloud storage, and leaves
//! alone what belongs to the system.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use fixnvpe_files::{Entry, Folder, Kind as FileKind};
use rayon::Scope;

use crate::candidate::{Candidate, Form};
use crate::classify;
use crate::discovery::Findings;
use crate::disk::reader::{Listed, lock};
use crate::look::Look;
use crate::places::{Place, Way, expand};
use crate::{Evidence, Source};

/// How many levels below a starting point are looked through.
const SHALLOW: usize = 3;

/// Folders of the system, at the root of a drive.
const SYSTEM_WINDOWS: &[&str] = &[
    "Windows",
    "$Recycle.Bin",
    "System Volume Information",
    "$WinREAgent",
    "$WINDOWS.~BT",
    "$SysReset",
    "Config.Msi",
    "MSOCache",
    "PerfLogs",
    "Recovery",
];

/// Folders of the system, at the root.
const SYSTEM_UNIX: &[&str] = &[
    "bin",
    "boot",
    "cores",
    "dev",
    "etc",
    "lib",
    "lib32",
    "lib64",
    "libx32",
    "lost+found",
    "private",
    "proc",
    "run",
    "sbin",
    "snap",
    "sys",
    "tmp",
    "usr",
    "var",
    "Library",
    "System",
    "Volumes",
];

/// Folders that hold no environment, wherever they are.
const ANYWHERE: &[&str] = &["node_modules", ".git", "WindowsApps"];

/// How far a walk goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// This many levels further.
    Levels(usize),
    /// To the bottom of the drive.
    Bottom,
}

/// One walk, from one starting point.
struct Walk {
    source: Source,
    /// The volume that it keeps to; `None` where mounts are seen as links.
    volume: Option<u64>,
}

impl Walk {
    /// Evidence for what was seen in a folder. It names that folder, not where
    /// the walk began: several walks pass through one folder.
    fn evidence(&self, seen_in: &Path) -> Evidence {
        Evidence::new(self.source, seen_in.display().to_string())
    }
}

/// Everything that the walks of one look share.
pub(crate) struct Walker<'l, 'm> {
    look: &'l Look<'m>,
    findings: &'l Findings,
    below: Vec<(&'static Place, Vec<String>)>,
    /// The folders that were gone through, and how far below them.
    done: Mutex<HashMap<PathBuf, usize>>,
}

impl<'l, 'm> Walker<'l, 'm> {
    pub(crate) fn new(look: &'l Look<'m>, findings: &'l Findings) -> Self {
        let windows = look.is_windows();
        let is_below = |place: &&Place| matches!(place.way, Way::Below | Way::BelowSite);
        let below = crate::places().iter().filter(is_below).flat_map(|place| {
            let patterns = place.patterns(windows);
            patterns.into_iter().map(move |pattern| {
                let parts = expand::split(&pattern, windows);
                (place, parts.iter().map(ToString::to_string).collect())
            })
        });
        Self {
            look,
            findings,
            below: below.collect(),
            done: Mutex::default(),
        }
    }

    /// Looks three levels below every drive and home.
    pub(crate) fn shallow<'s>(&'s self, scope: &Scope<'s>) {
        let mut starts: Vec<PathBuf> = Vec::new();
        for place in crate::places()
            .iter()
            .filter(|place| place.way == Way::Shallow)
        {
            let folders = expand::folders(self.look, place);
            starts.extend(folders.into_iter().map(|(folder, _)| folder));
        }
        let moved = self.look.homes.iter().flat_map(|user| user.moved.iter());
        starts.extend(moved.cloned());
        for start in starts {
            self.start(scope, start, Source::ShallowLook, Reach::Levels(SHALLOW));
        }
    }

    /// Walks every built-in drive to its bottom.
    pub(crate) fn deep<'s>(&'s self, scope: &Scope<'s>) {
        for drive in self.look.fixed_drives() {
            self.look.count_place();
            self.start(scope, drive.to_path_buf(), Source::DeepWalk, Reach::Bottom);
        }
    }

    /// Looks at the folders in the current folder and in each of its parents.
    pub(crate) fn current_folder<'s>(&'s self, scope: &Scope<'s>) {
        let Some(current) = &self.look.current_folder else {
            return;
        };
        for folder in current.ancestors() {
            self.look.count_place();
            let start = folder.to_path_buf();
            self.start(scope, start, Source::CurrentFolder, Reach::Levels(1));
            if self.is_drive(folder) {
                break;
            }
        }
    }

    fn is_drive(&self, path: &Path) -> bool {
        let mut drives = self.look.machine.drives.iter();
        drives.any(|drive| drive.root == path)
    }

    fn start<'s>(&'s self, scope: &Scope<'s>, start: PathBuf, source: Source, reach: Reach) {
        let keeps_to_volume = self.look.machine.shows_mounts_as_folders();
        let volume = keeps_to_volume
            .then(|| self.look.reader.identify(&start))
            .flatten()
            .map(fixnvpe_files::FileId::volume);
        let walk = Arc::new(Walk { source, volume });
        scope.spawn(move |scope| self.visit(scope, &walk, &start, reach, true));
    }

    fn visit<'s>(
        &'s self,
        scope: &Scope<'s>,
        walk: &Arc<Walk>,
        path: &Path,
        reach: Reach,
        is_start: bool,
    ) {
        if self.look.cancelled() || (!is_start && self.leaves_volume(walk, path)) {
            return;
        }
        if matches!(reach, Reach::Levels(levels) if self.is_done(walk, path, levels)) {
            return;
        }
        let Some(folder) = self.read(path, reach) else {
            return;
        };
        // A drive or home is gone through even where someone made it an
        // environment: other people's folders lie in it.
        if self.consider(walk, &folder, reach) && !is_start {
            return;
        }
        self.look_below(walk, &folder);
        let reach = match reach {
            Reach::Levels(0) => return,
            Reach::Levels(levels) => Reach::Levels(levels - 1),
            Reach::Bottom => Reach::Bottom,
        };
        let is_drive = self.is_drive(path);
        for entry in &folder.entries {
            if entry.kind == FileKind::Folder && !self.belongs_to_system(entry, is_drive) {
                let child = path.join(&entry.name);
                if entry.placeholder {
                    self.look.reader.skip_placeholder(child);
                } else {
                    let walk = Arc::clone(walk);
                    scope.spawn(move |scope| self.visit(scope, &walk, &child, reach, false));
                }
            }
        }
    }

    fn leaves_volume(&self, walk: &Walk, path: &Path) -> bool {
        let Some(volume) = walk.volume else {
            return false;
        };
        // What cannot be identified cannot be read either: reading notes why.
        let id = self.look.machine.disk.identify(path);
        id.is_ok_and(|id| id.volume() != volume)
    }

    /// Whether a walk with the same reason has gone through this folder as far.
    fn is_done(&self, walk: &Walk, path: &Path, levels: usize) -> bool {
        if walk.source != Source::ShallowLook {
            return false;
        }
        let mut done = lock(&self.done);
        match done.get_mut(path) {
            Some(known) if *known >= levels => true,
            Some(known) => {
                *known = levels;
                false
            }
            None => {
                done.insert(path.to_path_buf(), levels);
                false
            }
        }
    }

    fn read(&self, path: &Path, reach: Reach) -> Option<Arc<Folder>> {
        let listed = match reach {
            Reach::Bottom => self.look.reader.list_in_passing(path),
            Reach::Levels(_) => self.look.reader.list(path),
        };
        match listed {
            Listed::Folder(folder) => Some(folder),
            Listed::Unreadable | Listed::Missing => None,
        }
    }

    /// Hands the folder on where it may be an environment, and says whether it
    /// is one.
    fn consider(&self, walk: &Walk, folder: &Arc<Folder>, reach: Reach) -> bool {
        if !classify::may_be_environment(self.look, folder) {
            return false;
        }
        if reach == Reach::Bottom {
            self.look.reader.keep(folder);
        }
        let evidence = walk.evidence(folder.path.parent().unwrap_or(&folder.path));
        let candidate = Candidate::prefix(folder.path.clone(), evidence);
        self.findings.consider(self.look, candidate)
    }

    /// Follows the places that lie below any folder: `.venv`, `.pixi\envs\*`.
    fn look_below(&self, walk: &Walk, folder: &Folder) {
        let case = self.look.reader.case();
        for (place, parts) in &self.below {
            let (first, rest) = (&parts[0], &parts[1..]);
            let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
            let form = match place.way {
                Way::BelowSite => Form::Site,
                _ => Form::Prefix,
            };
            let fits = folder.entries.iter().filter(|entry| {
                entry.kind == FileKind::Folder
                    && !entry.placeholder
                    && case.fits(&entry.name, first)
            });
            for entry in fits {
                let below = folder.path.join(&entry.name);
                for path in self.look.reader.expand(&below, &rest) {
                    let candidate = Candidate {
                        kind: place.kind,
                        manager: place.manager,
                        ..Candidate::new(path, form, walk.evidence(&folder.path))
                    };
                    self.findings.consider(self.look, candidate);
                }
            }
        }
    }

    fn belongs_to_system(&self, entry: &Entry, in_root: bool) -> bool {
        let case = self.look.reader.case();
        let is_one_of = |names: &[&str]| names.iter().any(|name| case.same(&entry.name, name));
        let of_system = if self.look.is_windows() {
            SYSTEM_WINDOWS
        } else {
            SYSTEM_UNIX
        };
        is_one_of(ANYWHERE) || (in_root && is_one_of(of_system))
    }
}
