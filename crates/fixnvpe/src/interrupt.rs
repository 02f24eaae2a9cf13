//! Ctrl-C: the files in flight are finished, then the run ends with code 130.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering};

use fixnvpe_batch::CancelToken;

use crate::exit_code::ExitCode;
use crate::system::{self, InFlight};

/// A token that Ctrl-C (and a request to end, where the system knows one)
/// cancels. A second one ends the program on the spot, whatever hangs: the
/// journal was written before the first byte changed, so nothing is lost. The
/// run is over when what comes with the token is dropped.
pub(crate) fn on_interrupt(say: impl Fn() + Send + 'static) -> (CancelToken, InFlight) {
    let token = CancelToken::new();
    let cancel = token.clone();
    let asked_before = AtomicBool::new(false);
    let handler = move || {
        if asked_before.swap(true, Ordering::Relaxed) {
            #[expect(clippy::exit, reason = "the user insists")]
            process::exit(i32::from(u8::from(ExitCode::Interrupted)));
        }
        cancel.cancel();
        say();
    };
    // Without a handler Ctrl-C ends the program at once, which is safe too.
    if let Err(error) = ctrlc::set_handler(handler) {
        tracing::debug!(%error, "no handler for Ctrl-C");
    }
    // The last handler is asked first: this one has to come before the one
    // above, which takes the closing of a window for Ctrl-C and lets go at once.
    let in_flight = system::on_closing(&token);
    (token, in_flight)
}
