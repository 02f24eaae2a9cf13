//! The Windows half: its console, and its clipboard.
#![allow(unsafe_code)]

mod clipboard;

use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

use fixnvpe_batch::CancelToken;
use windows_sys::Win32::System::Console::{
    CTRL_CLOSE_EVENT, CTRL_LOGOFF_EVENT, CTRL_SHUTDOWN_EVENT, GetConsoleProcessList,
    SetConsoleCtrlHandler,
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

/// The run to be ended when the window closes.
static RUN: OnceLock<CancelToken> = OnceLock::new();

/// Cancels a run when the window is closed or the user logs off. The process
/// ends as soon as the handler returns, or after the seconds that Windows gives
/// it (five for a window): so the handler does not return, and the files in
/// flight have that long.
pub(crate) fn on_closing(cancel: &CancelToken) {
    if RUN.set(cancel.clone()).is_err() {
        return;
    }
    // SAFETY: the handler may be called on any thread, at any time.
    if unsafe { SetConsoleCtrlHandler(Some(closing), 1) } == 0 {
        // Then closing ends the run at once, which is as safe.
        tracing::debug!("no handler for the closing of the window");
    }
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
    if let Some(cancel) = RUN.get() {
        cancel.cancel();
    }
    loop {
        thread::sleep(Duration::from_secs(1));
    }
}

#[cfg(test)]
mod tests {
    use windows_sys::Win32::System::Console::{CTRL_BREAK_EVENT, CTRL_C_EVENT};

    use super::*;

    #[test]
    fn closing_the_window_cancels_the_run_and_ctrl_c_is_for_another_handler() {
        let cancel = CancelToken::new();
        on_closing(&cancel);
        for event in [CTRL_C_EVENT, CTRL_BREAK_EVENT] {
            // SAFETY: called as Windows does.
            assert_eq!(unsafe { closing(event) }, 0);
        }
        assert!(!cancel.is_cancelled());
        let closing = thread::spawn(|| {
            // SAFETY: called as Windows does.
            unsafe { closing(CTRL_CLOSE_EVENT) }
        });
        while !cancel.is_cancelled() {
            thread::yield_now();
        }
        assert!(!closing.is_finished());
    }
}
