//! The Windows half: its console, and its clipboard.
#![allow(unsafe_code)]

mod clipboard;

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use fixnvpe_batch::CancelToken;
use windows_sys::Win32::System::Console::{
    CTRL_CLOSE_EVENT, CTRL_LOGOFF_EVENT, CTRL_SHUTDOWN_EVENT, GetConsoleProcessList,
    SetConsoleCtrlHandler,
};
use windows_sys::Win32::System::Diagnostics::Debug::{
    GetErrorMode, SEM_FAILCRITICALERRORS, SEM_NOOPENFILEERRORBOX, SetErrorMode,
};
use windows_sys::core::BOOL;

pub(crate) use clipboard::clipboard_text;

/// How many processes share the console, as far as that matters: one, or more.
pub(crate) fn console_processes() -> Option<u32> {
    let mut ids = [0; 2];
    // SAFETY: the list has room for as many ids as told.
    let count = unsafe { GetConsoleProcessList(ids.as_mut_ptr(), 2) };
    (count > 0).then_some(count)
}

/// Keeps Windows from asking, in a window of its own, about a library that
/// cannot be loaded or a drive that holds no disk: a script would wait for
/// somebody to press a button. The error is told instead. Processes that this
/// one starts are kept from it too.
pub(crate) fn ask_nobody() {
    // SAFETY: both take and give numbers alone.
    unsafe { SetErrorMode(GetErrorMode() | SEM_FAILCRITICALERRORS | SEM_NOOPENFILEERRORBOX) };
}

/// The run to be ended when the window closes, while there is one.
static RUN: Mutex<Option<CancelToken>> = Mutex::new(None);

fn run() -> MutexGuard<'static, Option<CancelToken>> {
    RUN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A run that is not over.
#[derive(Debug)]
pub(crate) struct InFlight(());

impl Drop for InFlight {
    fn drop(&mut self) {
        *run() = None;
    }
}

/// Cancels a run when the window is closed or the user logs off. The process
/// ends as soon as the handler returns, or after the seconds that Windows gives
/// it (five for a window): so the handler does not return before the run is
/// over, and the files in flight have that long.
pub(crate) fn on_closing(cancel: &CancelToken) -> InFlight {
    *run() = Some(cancel.clone());
    // SAFETY: the handler may be called on any thread, at any time.
    if unsafe { SetConsoleCtrlHandler(Some(closing), 1) } == 0 {
        // Then closing ends the run at once, which is as safe.
        tracing::debug!("no handler for the closing of the window");
    }
    InFlight(())
}

/// Called by Windows on a thread of its own. Other events are left to the
/// handlers that were there before.
unsafe extern "system" fn closing(event: u32) -> BOOL {
    if !matches!(
        event,
        CTRL_CLOSE_EVENT | CTRL_LOGOFF_EVENT | CTRL_SHUTDOWN_EVENT
    ) {
        return 0;
    }
    if let Some(cancel) = &*run() {
        cancel.cancel();
    }
    while run().is_some() {
        thread::sleep(Duration::from_millis(20));
    }
    0
}

#[cfg(test)]
mod tests {
    use windows_sys::Win32::System::Console::{CTRL_BREAK_EVENT, CTRL_C_EVENT};

    use super::*;

    #[test]
    fn closing_the_window_cancels_the_run_and_waits_for_its_end() {
        let cancel = CancelToken::new();
        let in_flight = on_closing(&cancel);
        for event in [CTRL_C_EVENT, CTRL_BREAK_EVENT] {
            // SAFETY: called as Windows does.
            assert_eq!(unsafe { closing(event) }, 0);
        }
        assert!(!cancel.is_cancelled());
        let closing = || {
            thread::spawn(|| {
                // SAFETY: called as Windows does.
                unsafe { closing(CTRL_CLOSE_EVENT) }
            })
        };
        let waiting = closing();
        while !cancel.is_cancelled() {
            thread::yield_now();
        }
        assert!(!waiting.is_finished());
        // Nothing keeps the window of a run that is over.
        drop(in_flight);
        assert_eq!(waiting.join().unwrap(), 0);
        assert_eq!(closing().join().unwrap(), 0);
    }

    #[test]
    fn windows_asks_nobody_about_a_library_that_cannot_be_loaded() {
        // SAFETY: takes and gives numbers alone.
        unsafe { SetErrorMode(0) };
        ask_nobody();
        // SAFETY: as above.
        let mode = unsafe { GetErrorMode() };
        assert_eq!(mode, SEM_FAILCRITICALERRORS | SEM_NOOPENFILEERRORBOX);
    }
}
