//! The text on the clipboard.

use crate::system;

/// The text on the clipboard; `None` where there is none, or nothing that tells.
pub(crate) fn text() -> Option<String> {
    let text = match system::clipboard_text() {
        Ok(text) => text?,
        Err(error) => {
            tracing::debug!(%error, "the clipboard");
            return None;
        }
    };
    (!text.trim().is_empty()).then_some(text)
}
