//! The journal during one run of a patch or restore: read first, opened for
//! writing only when there is something to write or to settle.

use crate::context::Context;
use crate::error::Error;
use crate::journal::{Action, Journal, JournalView, State, has_leftovers, settle};
use crate::report::{Failure, Step};

/// The journal during one run.
pub(crate) struct Session<'a> {
    state: &'a State,
    action: Action,
    context: &'a Context<'a>,
    /// What the journals say.
    pub(crate) view: JournalView,
    /// The caller's own, once it is open for writing.
    pub(crate) journal: Option<Journal<'a>>,
    /// What could not be settled.
    pub(crate) failures: Vec<Failure>,
}

impl<'a> Session<'a> {
    /// Reads the journals, and settles what an earlier run left. A dry run
    /// settles nothing.
    pub(crate) fn begin(
        state: &'a State,
        action: Action,
        dry_run: bool,
        context: &'a Context<'a>,
    ) -> Result<Self, Error> {
        let mut session = Self {
            state,
            action,
            context,
            view: read(state, context)?,
            journal: None,
            failures: Vec::new(),
        };
        let unsettled = session.view.unsettled_entries().any(|entry| entry.own);
        if !dry_run && (unsettled || has_leftovers(&session.view, context.files)) {
            session.open()?;
        }
        Ok(session)
    }

    /// Takes the lock, settles what is left to settle, and opens the journal
    /// for writing. Nothing happens if it is open.
    pub(crate) fn open(&mut self) -> Result<(), Error> {
        if self.journal.is_some() {
            return Ok(());
        }
        let journal = Journal::open(self.state, self.action, self.context)?;
        // Another process may have written between reading and locking.
        self.view = read(self.state, self.context)?;
        self.failures = settle(&self.view, &journal, self.context);
        self.view = read(self.state, self.context)?;
        self.journal = Some(journal);
        Ok(())
    }

    /// Ends the run, and gives the lock back.
    pub(crate) fn end(mut self, complete: bool) -> Vec<Failure> {
        if let Some(journal) = self.journal.take()
            && let Err(error) = journal.end(complete)
        {
            let path = journal.path();
            let failure = Failure::of_io(&path, Step::Journal, &error);
            self.failures.push(failure);
        }
        self.context.tell_failures(&self.failures);
        self.failures
    }
}

fn read(state: &State, context: &Context<'_>) -> Result<JournalView, Error> {
    JournalView::read(Some(&state.folder), &state.others, context.files)
}
