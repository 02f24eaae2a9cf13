//! What only Windows has, where there is none.

mod clipboard;

use fixnvpe_batch::CancelToken;

pub(crate) use clipboard::clipboard_text;

/// A window belongs to a shell: nobody counts.
pub(crate) fn console_processes() -> Option<u32> {
    None
}

/// A terminal that goes away sends a signal, which is handled as Ctrl-C is.
pub(crate) fn on_closing(_cancel: &CancelToken) {}
