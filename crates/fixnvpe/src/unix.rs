//! What only Windows has, where there is none.

mod clipboard;

use fixnvpe_batch::CancelToken;

pub(crate) use clipboard::clipboard_text;

/// A window belongs to a shell: nobody counts.
pub(crate) fn console_processes() -> Option<u32> {
    None
}

/// Errors are told and nothing is asked: nothing to switch off.
pub(crate) fn ask_nobody() {}

/// A run that is not over.
#[derive(Debug)]
pub(crate) struct InFlight(());

/// A terminal that goes away sends a signal, which is handled as Ctrl-C is.
pub(crate) fn on_closing(_cancel: &CancelToken) -> InFlight {
    InFlight(())
}
