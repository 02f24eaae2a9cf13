//! Putting a changed copy under the names of a file.
//!
//! The copy is made in the folder of the first name, changed, synced, and
//! renamed over that name; the other names are then linked to it and renamed
//! over in turn. Where the file is in use every name is renamed aside first,
//! and the aside file is removed as soon as nobody uses it.

use std::io;
use std::path::{Path, PathBuf};

use fixnvpe_files::FileId;

use super::{Beside, Job, Left, Side, Stop, backup, journal_paths, put};
use crate::filesystem::FileSystem;
use crate::journal::{Closed, ClosedAs, EntryId, OURS, Reading};
use crate::options::Backup;
use crate::report::{Code, Failure, Method, Step};

/// One name with those that it needs on the way.
struct Place {
    name: PathBuf,
    temporary: PathBuf,
    aside: Option<PathBuf>,
}

/// A replacement on its way.
struct Replacement<'a> {
    job: Job<'a>,
    id: EntryId,
    places: Vec<Place>,
    backups: Vec<(PathBuf, PathBuf)>,
    forced: bool,
}

/// Replaces the file under all its selected names.
pub(super) fn apply(job: Job<'_>, aside: bool, forced: bool) -> Result<Beside, Stop> {
    let backups = match job.options.backup {
        Backup::Copy => backup::missing(job.target, job.files())?,
        Backup::None => Vec::new(),
    };
    let id = job
        .journal
        .next_entry()
        .map_err(|error| job.journal_stop(&error))?;
    let replacement = Replacement {
        places: places(&job.target.names, &id, aside),
        job,
        id,
        backups,
        forced,
    };
    replacement.plan()?;
    let copied = backup::make(&replacement.backups, forced, job.files())
        .and_then(|()| replacement.copy())
        .map(|file| (file, replacement.switch()));
    match copied {
        Ok((file, (done, failures))) if done.iter().any(|&done| done) => {
            Ok(replacement.finish(file, &done, failures))
        }
        Ok((_, (_, failures))) => Err(replacement.undo(first_stop(job, failures))),
        Err(stop) => Err(replacement.undo(stop)),
    }
}

/// The first failure of several names, as what it means for the whole file.
fn first_stop(job: Job<'_>, failures: Vec<Failure>) -> Stop {
    match failures.into_iter().next() {
        Some(failure) => Stop::of_failure(failure),
        None => Stop::changed(job.target.path(), "no name could be replaced"),
    }
}

/// The names that a replacement needs, all of them in the folders of the names
/// themselves, so that a rename never crosses volumes.
fn places(names: &[PathBuf], id: &EntryId, aside: bool) -> Vec<Place> {
    let beside = |name: &Path, index: usize, end: &str| {
        let EntryId { run, entry } = id;
        name.with_file_name(format!("{OURS}{run}-{entry}-{index}.{end}"))
    };
    let place = |(index, name): (usize, &PathBuf)| Place {
        name: name.clone(),
        temporary: beside(name, index, "new"),
        aside: aside.then(|| beside(name, index, "old")),
    };
    names.iter().enumerate().map(place).collect()
}

impl Replacement<'_> {
    fn files(&self) -> &dyn FileSystem {
        self.job.files()
    }

    fn plan(&self) -> Result<(), Stop> {
        let method = if self.places.len() > 1 {
            Method::Link
        } else {
            Method::Replace
        };
        let mut planned = self.job.planned(self.id.clone(), method, self.forced);
        let each = |path: fn(&Place) -> Option<&PathBuf>| {
            let paths: Vec<_> = self.places.iter().filter_map(path).cloned().collect();
            journal_paths(&paths)
        };
        planned.temporary = each(|place| Some(&place.temporary));
        planned.aside = each(|place| place.aside.as_ref());
        let backups: Vec<_> = self.backups.iter().map(|(_, to)| to.clone()).collect();
        planned.backup = journal_paths(&backups);
        self.job.plan(planned)
    }

    /// Makes the changed copy, durable, under the first temporary name.
    fn copy(&self) -> Result<FileId, Stop> {
        let (files, change) = (self.files(), self.job.change);
        let (path, copy) = (self.job.target.path(), &self.places[0].temporary);
        let stop = |step| move |error: io::Error| Stop::of_io(copy, step, &error);
        files.copy_new(path, copy).map_err(stop(Step::Copy))?;
        if self.forced {
            files
                .set_read_only(copy, false)
                .map_err(stop(Step::Attributes))?;
        }
        let file = files.open_exclusive(copy).map_err(stop(Step::Open))?;
        let reading = change
            .identity
            .read(&*file, &change.edits)
            .map_err(stop(Step::Read))?;
        if reading != Some(Reading::Old) {
            return Err(Stop::changed(path, "the file changed while it was copied"));
        }
        put(&*file, &change.edits, Side::New)
            .map_err(|fault| Stop::of_io(copy, fault.step, &fault.error))?;
        if let Some(then) = change.modified_then {
            // As in place: no failure if the time cannot be set.
            let _ = file.set_modified(then);
        }
        let id = file.stat().map_err(stop(Step::Open))?.id;
        drop(file);
        if self.forced {
            files
                .set_read_only(copy, true)
                .map_err(stop(Step::Attributes))?;
        }
        let original = files
            .open_read(path)
            .map_err(|error| Stop::of_io(path, Step::Open, &error))?;
        self.job.check(path, &*original)?;
        Ok(id)
    }

    /// Puts the copy under one name after the other. A name that fails keeps
    /// the original, and the others go on.
    fn switch(&self) -> (Vec<bool>, Vec<Failure>) {
        let (mut done, mut failures) = (Vec::new(), Vec::new());
        let mut source = &self.places[0].temporary;
        for place in &self.places {
            let switched = self.switch_one(place, source);
            done.push(switched.is_ok());
            match switched {
                Ok(()) => source = &place.name,
                Err(failure) => failures.push(failure),
            }
        }
        (done, failures)
    }

    fn switch_one(&self, place: &Place, source: &Path) -> Result<(), Failure> {
        let files = self.files();
        let Place {
            name,
            temporary,
            aside,
        } = place;
        let failed = |step| move |error: io::Error| Failure::of_io(name, step, &error);
        self.check_still(name, name)?;
        if source != temporary {
            self.link(source, temporary).map_err(failed(Step::Link))?;
            // Linking took a while, at least where it is a copy.
            self.check_still(name, name)?;
        }
        let Some(aside) = aside else {
            return files.rename(temporary, name).map_err(failed(Step::Rename));
        };
        files.rename(name, aside).map_err(failed(Step::Rename))?;
        let switched = self
            .check_still(aside, name)
            .and_then(|()| self.check_free(name))
            .and_then(|()| files.rename(temporary, name).map_err(failed(Step::Rename)));
        if switched.is_err() && self.check_free(name).is_ok() {
            // If this fails too, the name is missing: `clean` looks, and leaves
            // the record to be settled.
            let _ = files.rename(aside, name);
        }
        switched
    }

    /// Checks that the file of a name, which is at `path` now, is still the one
    /// that was judged.
    fn check_still(&self, path: &Path, name: &Path) -> Result<(), Failure> {
        let stat = self.files().stat(path);
        let stat = stat.map_err(|error| Failure::of_io(name, Step::Open, &error))?;
        let change = self.job.change;
        if stat.id == change.id && stat.modified == change.modified {
            return Ok(());
        }
        let what = "the file changed, or another one has taken its name";
        Err(Failure::new(name, Step::Rename, Code::Changed, what))
    }

    /// Checks that nobody has taken the name of a file that is aside.
    fn check_free(&self, name: &Path) -> Result<(), Failure> {
        match self.files().stat(name) {
            Ok(_) => {
                let what = "another file has taken this name";
                Err(Failure::new(name, Step::Rename, Code::Changed, what))
            }
            Err(error) if Code::of_io(&error) == Code::NotFound => Ok(()),
            Err(error) => Err(Failure::of_io(name, Step::Open, &error)),
        }
    }

    /// Gives the new file another name; where the file system has no links, a
    /// copy of its own.
    fn link(&self, source: &Path, temporary: &Path) -> io::Result<()> {
        let files = self.files();
        if files.hard_link(source, temporary).is_ok() {
            return Ok(());
        }
        files.copy_new(source, temporary)?;
        files.open_exclusive(temporary)?.sync()
    }

    /// Ends a replacement that reached at least one name.
    fn finish(&self, file: FileId, done: &[bool], failures: Vec<Failure>) -> Beside {
        let names: Vec<PathBuf> = self
            .places
            .iter()
            .zip(done)
            .filter(|&(_, &done)| done)
            .map(|(place, _)| place.name.clone())
            .collect();
        let mut beside = Beside {
            names,
            failures,
            notes: Vec::new(),
        };
        beside.failures.extend(self.sync_folders());
        let Some(leftover) = self.clean() else {
            return beside;
        };
        for path in &leftover {
            beside.notes.push(format!(
                "`{}` is still in use and will be removed by a later run",
                fixnvpe_files::shown(path).display()
            ));
        }
        let mut closed = Closed::new(self.id.clone(), ClosedAs::New);
        closed.file = Some(file);
        closed.names =
            (beside.names.len() < self.places.len()).then(|| journal_paths(&beside.names));
        closed.leftover = journal_paths(&leftover);
        if let Err(error) = self.job.journal.close(closed) {
            let journal = self.job.journal.path();
            let failure = Failure::of_io(&journal, Step::Journal, &error);
            beside.failures.push(failure);
        }
        beside
    }

    /// Takes back a replacement that reached no name, and hands the reason on.
    fn undo(&self, stop: Stop) -> Stop {
        backup::unmake(&self.backups, self.files());
        let Some(leftover) = self.clean() else {
            return stop.unsettled();
        };
        let mut closed = Closed::new(self.id.clone(), ClosedAs::Old);
        closed.leftover = journal_paths(&leftover);
        if self.job.journal.close(closed).is_err() {
            // A later run settles the record.
            return stop.unsettled();
        }
        match stop {
            Stop::Left(left) => Stop::Left(Left { leftover, ..left }),
            failed @ Stop::Failed(_) => failed,
        }
    }

    /// Removes temporary and aside files that nothing needs, durably, and says
    /// which ones stay because they are in use. `None` where a name is missing,
    /// or may be: its file is still aside, the record stays open, and settling
    /// puts it back.
    fn clean(&self) -> Option<Vec<PathBuf>> {
        let files = self.files();
        let (mut leftover, mut removed, mut whole) = (Vec::new(), false, true);
        for place in &self.places {
            let mut useless = vec![&place.temporary];
            if let Some(aside) = &place.aside {
                if files.stat(&place.name).is_ok() {
                    useless.push(aside);
                } else {
                    whole = false;
                }
            }
            for path in useless {
                match files.remove(path) {
                    Ok(()) => removed = true,
                    Err(error) if Code::of_io(&error) == Code::NotFound => {}
                    Err(_) => leftover.push(path.clone()),
                }
            }
        }
        if removed {
            // One that a crash brings back would belong to nobody.
            let _ = self.sync_folders();
        }
        whole.then_some(leftover)
    }

    /// Makes the new names durable before the record says that they are there.
    fn sync_folders(&self) -> Vec<Failure> {
        let mut folders: Vec<&Path> = self
            .places
            .iter()
            .filter_map(|place| place.name.parent())
            .collect();
        folders.sort_unstable();
        folders.dedup();
        let failed = |folder: &Path| {
            let error = self.files().sync_folder(folder).err()?;
            Some(Failure::of_io(folder, Step::Sync, &error))
        };
        folders.into_iter().filter_map(failed).collect()
    }
}
