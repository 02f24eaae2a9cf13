//! What only Windows has, where there is none.

use fixnvpe_batch::CancelToken;

/// A window belongs to a shell: nobody counts.
pub(crate) fn console_processes() -> Option<u32> {
    None
}

/// A terminal that goes away sends a signal, which is handled as Ctrl-C is.
pub(crate) fn on_closing(_cancel: &CancelToken) {}
