//! What `scan`, `patch` and `restore` share: a selection becomes files, on
//! threads, watched, and can be interrupted.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use fixnvpe_batch::{
    CancelToken, Candidate, CollectOptions, Collection, Context, Disk, Event, Failure, FileResult,
    Holder, JournalView, Observer, Outcome, Places, Root, State, StateFolders, Step, System,
    collect, is_candidate_name,
};
use fixnvpe_envs::Machine;
use fixnvpe_files::{KnownFolder, folded};
use rayon::ThreadPool;

use crate::arguments::{self, Selection, Work};
use crate::caller::{self, variable};
use crate::document::Line;
use crate::exit_code::ExitCode;
use crate::fatal::{Fatal, Word};
use crate::interrupt::on_interrupt;
use crate::machine::machine;
use crate::message;
use crate::output::Output;
use crate::paths::{absolute, printable};
use crate::patience::Patience;
use crate::pattern::Rules;
use crate::progress::Watcher;
use crate::report::problems;
use crate::selection::{Around, Exclusions, Selected};
use crate::session::Session;
use crate::system::InFlight;

/// A job that is about to run.
#[derive(Debug)]
pub(crate) struct Job<'a> {
    session: &'a Session,
    pool: ThreadPool,
    cancel: CancelToken,
    progress: bool,
    _in_flight: InFlight,
}

impl<'a> Job<'a> {
    /// Makes the threads, and listens for Ctrl-C.
    pub(crate) fn new(session: &'a Session, work: &Work) -> Result<Self, Fatal> {
        let threads = work.threads.map_or(0, std::num::NonZero::get);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .map_err(|error| {
                Fatal::new(ExitCode::Failed, Word::System, message!("no-threads"))
                    .detail(error.to_string())
            })?;
        let interrupting = session.catalogue.text(&message!("interrupting"));
        let (cancel, in_flight) = on_interrupt(move || {
            use std::io::Write;
            // Nobody reads: the run ends all the same.
            let _ = writeln!(anstream::stderr(), "\n{interrupting}");
        });
        // Details are lines on standard error; a bar would tear them.
        let talks = session.general.quiet || session.general.verbose;
        let progress = !work.no_progress && !talks && caller::stderr_is_terminal();
        Ok(Self {
            session,
            pool,
            cancel,
            progress,
            _in_flight: in_flight,
        })
    }

    /// A watcher: a bar if it can be seen, and lines if they are wanted.
    pub(crate) fn watcher<'w>(&self, lines: Option<&'w mut Output>) -> Watcher<'w>
    where
        'a: 'w,
    {
        Watcher::new(&self.session.catalogue, self.progress, lines)
    }

    /// What the libraries run in.
    pub(crate) fn context<'c>(&'c self, watcher: &'c Watcher<'_>) -> Context<'c> {
        Context::new(&self.pool, &self.cancel).observed(watcher)
    }

    /// Looks around on the machine for what `selection` takes from it, and adds
    /// that to what is selected. With `every`, all environments are.
    ///
    /// # Errors
    ///
    /// Usage errors only: an environment that is not there.
    pub(crate) fn look(
        &self,
        selection: &Selection,
        every: bool,
        selected: &mut Selected,
    ) -> Result<Option<Around>, Fatal> {
        if !every && !selection.selects_around() {
            return Ok(None);
        }
        self.look_around(selection, every, selected).map(Some)
    }

    /// Looks around, whatever is selected.
    ///
    /// # Errors
    ///
    /// Those of [`look`](Self::look).
    pub(crate) fn look_around(
        &self,
        selection: &Selection,
        every: bool,
        selected: &mut Selected,
    ) -> Result<Around, Fatal> {
        let machine = machine(self.session, &selection.place)?
            .with_named(&selection.environments)
            .with_named(selected.folders());
        let watcher = self.watcher(None);
        watcher.looking();
        let around = self.around(machine, selection, every, &selected.exclusions);
        watcher.end();
        let around = around?;
        selected.add_around(&around, selection);
        Ok(around)
    }

    /// Looks around on the threads of the job, until it is interrupted.
    fn around(
        &self,
        machine: Machine,
        selection: &Selection,
        every: bool,
        exclusions: &Exclusions,
    ) -> Result<Around, Fatal> {
        let cancelled = || self.cancel.is_cancelled();
        Around::look(
            machine, selection, every, exclusions, &self.pool, &cancelled,
        )
    }

    /// The files of caches and of all environments, where a file of the
    /// selection has names outside of it: they may be there. Who is asked names
    /// them in the report; nothing is done to them.
    pub(crate) fn neighbours(
        &self,
        collection: &Collection,
        selection: &Selection,
        around: Option<&Around>,
    ) -> Result<Option<Collection>, Fatal> {
        let shared = |candidate: &Candidate| candidate.links.outside > 0;
        if !collection.candidates.iter().any(shared) {
            return Ok(None);
        }
        let watcher = self.watcher(None);
        watcher.looking();
        let looked;
        let around = if let Some(around) = around {
            around
        } else {
            let exclusions = Exclusions::none(Rules::native());
            let machine = machine(self.session, &selection.place)?;
            looked = self.around(machine, selection, false, &exclusions)?;
            &looked
        };
        let roots: Vec<Root> = around.folders().map(Root::matched).collect();
        let shared = collection.candidates.iter().filter(|one| shared(one));
        let names = FileNames::of(shared.flat_map(|one| &one.names));
        let mut options = CollectOptions::default();
        let other = |path: &Path| is_candidate_name(path) && !names.contains(path);
        options.exclude = &other;
        // Not observed: what happens there is no part of the result.
        let context = Context::new(&self.pool, &self.cancel);
        let neighbours = collect(&roots, &options, &context);
        watcher.end();
        Ok(Some(neighbours))
    }

    /// How long the job waits for files that are in use.
    pub(crate) fn patience<'p, 'w>(&'p self, watcher: &'p Watcher<'w>) -> Patience<'p, 'w> {
        Patience::new(watcher, &self.cancel)
    }

    /// The threads.
    pub(crate) fn pool(&self) -> &ThreadPool {
        &self.pool
    }

    /// Whether Ctrl-C was pressed.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.cancel.is_cancelled()
    }
}

/// Names of files, without their folders. Package managers give a file that
/// they share the same name everywhere: what has another one is not opened.
#[derive(Debug)]
struct FileNames(HashSet<String>);

impl FileNames {
    fn of<'p>(paths: impl Iterator<Item = &'p PathBuf>) -> Self {
        Self(paths.filter_map(|path| Self::key(path)).collect())
    }

    fn contains(&self, path: &Path) -> bool {
        Self::key(path).is_some_and(|key| self.0.contains(&key))
    }

    fn key(path: &Path) -> Option<String> {
        let name = path.file_name()?;
        Some(folded(&name.to_string_lossy()))
    }
}

/// The files of a selection.
#[derive(Debug)]
pub(crate) struct Files {
    /// What was found.
    pub(crate) collection: Collection,
    /// The selected paths.
    pub(crate) roots: Vec<PathBuf>,
}

/// Reads a selection. Usage errors only: nothing was started yet.
pub(crate) fn select(selection: &Selection) -> Result<Selected, Fatal> {
    Selected::read(selection, Rules::native())
}

/// Finds the files of a selection.
pub(crate) fn find(
    session: &Session,
    selected: &Selected,
    context: &Context<'_>,
    watcher: &Watcher<'_>,
) -> Files {
    let exclude = |path: &Path| selected.leaves_out(path);
    let mut options = CollectOptions::default();
    options.exclude = &exclude;
    let mut collection = collect(&selected.roots, &options, context);
    for (folder, error) in &selected.unreadable {
        let failure = Failure::of_io(folder, Step::Collect, error);
        watcher.event(&Event::Failed(&failure));
        collection.failures.push(failure);
    }
    for excluded in selected.exclusions.unmatched() {
        session.notes().warning(&message!(
            "exclusion-matches-nothing",
            exclusion = excluded.display().to_string(),
        ));
    }
    // Written as the paths of the files below them are.
    let written = |path: &Path| fixnvpe_files::extended(path).unwrap_or_else(|_| path.into());
    let roots = selected.roots.iter().map(|root| written(&root.path));
    Files {
        collection,
        roots: roots.collect(),
    }
}

/// Where the journal lies for this caller.
pub(crate) fn state_folders(session: &Session, asked: &arguments::State) -> StateFolders {
    let path = |name: &str| {
        variable(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let mut places = Places::default();
    places.asked = asked.state_dir.as_deref().map(absolute);
    places.variable = variable("FIXNVPE_STATE_DIR");
    places.program_data = KnownFolder::ProgramData.path();
    places.local_app_data = path("LOCALAPPDATA")
        .or_else(|| Some(session.caller.home.as_ref()?.join("AppData").join("Local")));
    places.xdg_state_home = path("XDG_STATE_HOME");
    places.home.clone_from(&session.caller.home);
    let folders = places.state_folders(System::this(), session.caller.elevated);
    tracing::debug!(own = ?folders.own, others = ?folders.others, "state folders");
    folders
}

/// The journal to write to.
pub(crate) fn state(session: &Session, asked: &arguments::State) -> Result<State, Fatal> {
    let folders = state_folders(session, asked);
    let own = folders.own.ok_or_else(|| {
        Fatal::new(ExitCode::Failed, Word::State, message!("no-state-folder"))
            .hint(message!("no-state-folder-hint"))
    })?;
    let holder = Holder::this(session.caller.user.clone(), session.caller.host.clone());
    Ok(State::new(own, holder)
        .with_others(folders.others)
        .protected(folders.own_is_machines))
}

/// What the journals say.
pub(crate) fn journal(
    session: &Session,
    asked: &arguments::State,
) -> Result<(JournalView, Vec<PathBuf>), Fatal> {
    let folders = state_folders(session, asked);
    let view = JournalView::read(folders.own.as_deref(), &folders.others, &Disk)
        .map_err(|error| of_batch(&error))?;
    let read = folders.own.into_iter().chain(folders.others).collect();
    Ok((view, read))
}

/// What ends a whole job, as what ends this run.
pub(crate) fn of_batch(error: &fixnvpe_batch::Error) -> Fatal {
    use fixnvpe_batch::Error;
    let (exit, message) = match error {
        Error::Locked { .. } => (ExitCode::LeftUndone, message!("state-is-locked")),
        Error::Cancelled { .. } => (ExitCode::Interrupted, message!("interrupted")),
        Error::StateFolder { .. } => (ExitCode::Failed, message!("state-cannot-be-used")),
        Error::ExposedStateFolder { path, .. } => {
            let folder = printable(path, None);
            return Fatal::new(
                ExitCode::Failed,
                Word::State,
                message!("state-is-exposed", folder = folder.as_str()),
            )
            .detail(chain(error))
            .hint(message!("state-is-exposed-hint", folder = folder));
        }
        Error::ReadJournal { .. } => (ExitCode::Failed, message!("journal-is-unreadable")),
        Error::NoSuchRun { run } => {
            let message = message!("no-such-run", run = run.to_string());
            return Fatal::usage(message)
                .code(Word::NoMatch)
                .hint(message!("see-history"));
        }
        Error::NoRun => {
            return Fatal::usage(message!("no-run"))
                .code(Word::NoMatch)
                .hint(message!("see-history"));
        }
        _ => (ExitCode::Failed, message!("job-failed")),
    };
    let fatal = Fatal::new(exit, Word::State, message).detail(chain(error));
    if matches!(error, Error::StateFolder { .. }) {
        return fatal.hint(message!("no-state-folder-hint"));
    }
    fatal
}

/// An error with all its causes.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    text
}

/// Writes the first line of `--jsonl`.
pub(crate) fn begin_lines(session: &Session, command: &str, output: &mut Output) {
    output.json(&Line::Start {
        head: session.head(Line::SCHEMA),
        command: command.to_owned(),
    });
}

/// Says on standard error what failed, where the result does not tell people.
pub(crate) fn say_failures(session: &Session, failures: &[Failure], output: &Output) {
    let page = session.page(output);
    for failure in failures {
        session.notes().warning(&problems::one_line(&page, failure));
    }
}

/// The exit code of a patch or a restore. A dry run has the outcomes of the
/// real one, so it has its code.
pub(crate) fn exit_code(
    results: &[FileResult],
    failures: &[Failure],
    interrupted: bool,
) -> ExitCode {
    let failed = results.iter().any(|one| one.outcome == Outcome::Failed);
    // What nobody can lift is listed, and counts as done.
    let left = results
        .iter()
        .any(|one| one.retryable && matches!(one.outcome, Outcome::Refused | Outcome::Skipped));
    ExitCode::Interrupted
        .when(interrupted)
        .merge(of_failures(failures))
        .merge(ExitCode::Failed.when(failed))
        .merge(ExitCode::LeftUndone.when(left))
}

/// What failures make of a run: what the caller can change was left undone, a
/// folder that may not be listed for one; the rest failed.
pub(crate) fn of_failures(failures: &[Failure]) -> ExitCode {
    let outcome = |failure: &Failure| {
        if failure.code.is_retryable() {
            ExitCode::LeftUndone
        } else {
            ExitCode::Failed
        }
    };
    let outcomes = failures.iter().map(outcome);
    outcomes.fold(ExitCode::Done, ExitCode::merge)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ctrl_c_while_another_run_has_the_lock_ends_as_any_interruption() {
        let path = PathBuf::from("lock");
        let cancelled = fixnvpe_batch::Error::Cancelled { path: path.clone() };
        assert_eq!(of_batch(&cancelled).exit, ExitCode::Interrupted);
        let holder = None;
        let locked = fixnvpe_batch::Error::Locked { path, holder };
        assert_eq!(of_batch(&locked).exit, ExitCode::LeftUndone);
    }
}
