//! The text on the clipboard.

use std::io;
use std::ptr::null_mut;
use std::thread;
use std::time::Duration;

use windows_sys::Win32::System::DataExchange::{CloseClipboard, GetClipboardData, OpenClipboard};
use windows_sys::Win32::System::Memory::{GlobalLock, GlobalSize, GlobalUnlock};
use windows_sys::Win32::System::Ole::CF_UNICODETEXT;

/// Another program may hold the clipboard for a moment.
const TRIES: u32 = 10;
const MOMENT: Duration = Duration::from_millis(20);

/// The text on the clipboard; `None` where it holds no text.
pub(crate) fn clipboard_text() -> io::Result<Option<String>> {
    let opened = Opened::open()?;
    Ok(Opened::text(&opened))
}

/// The clipboard while this process holds it.
struct Opened;

impl Opened {
    fn open() -> io::Result<Self> {
        let mut tried = 1;
        // SAFETY: no window is named, so that the clipboard belongs to this task.
        while unsafe { OpenClipboard(null_mut()) } == 0 {
            let error = io::Error::last_os_error();
            if tried == TRIES {
                return Err(error);
            }
            tried += 1;
            thread::sleep(MOMENT);
        }
        Ok(Self)
    }

    /// What lies there as text; only who has opened the clipboard may look.
    fn text(_opened: &Self) -> Option<String> {
        // SAFETY: the clipboard is open; what it gives stays its own.
        let data = unsafe { GetClipboardData(u32::from(CF_UNICODETEXT)) };
        if data.is_null() {
            return None;
        }
        // SAFETY: data in this format is a handle of global memory.
        let start = unsafe { GlobalLock(data) }.cast::<u16>();
        if start.is_null() {
            return None;
        }
        // SAFETY: the same handle, locked above.
        let length = unsafe { GlobalSize(data) } / size_of::<u16>();
        // SAFETY: the memory is locked, and has that many whole units.
        let units = unsafe { std::slice::from_raw_parts(start, length) };
        let end = units.iter().position(|unit| *unit == 0);
        let text = String::from_utf16_lossy(&units[..end.unwrap_or(length)]);
        // SAFETY: locked once above, and not used any more.
        unsafe { GlobalUnlock(data) };
        Some(text)
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        // SAFETY: this process opened it.
        unsafe { CloseClipboard() };
    }
}

#[cfg(test)]
mod tests {
    use windows_sys::Win32::System::DataExchange::{EmptyClipboard, SetClipboardData};
    use windows_sys::Win32::System::Memory::{GMEM_MOVEABLE, GlobalAlloc};

    use super::*;

    fn copy(text: &str) {
        let units: Vec<u16> = text.encode_utf16().chain([0]).collect();
        let _opened = Opened::open().unwrap();
        // SAFETY: the clipboard is open. The memory is as large as what is copied
        // into it, and belongs to the clipboard once it was given away.
        unsafe {
            assert_ne!(EmptyClipboard(), 0);
            let memory = GlobalAlloc(GMEM_MOVEABLE, units.len() * size_of::<u16>());
            let start = GlobalLock(memory).cast::<u16>();
            start.copy_from_nonoverlapping(units.as_ptr(), units.len());
            GlobalUnlock(memory);
            let given = SetClipboardData(u32::from(CF_UNICODETEXT), memory);
            assert!(!given.is_null(), "{}", io::Error::last_os_error());
        }
    }

    /// One test, since all tests share one clipboard.
    #[test]
    fn what_was_copied_is_read_and_an_empty_clipboard_holds_no_text() {
        for text in ["[WinError 1455] 页面文件太小，无法完成操作。\r\n😀", ""] {
            copy(text);
            assert_eq!(clipboard_text().unwrap().as_deref(), Some(text));
        }
        let opened = Opened::open().unwrap();
        // SAFETY: the clipboard is open.
        assert_ne!(unsafe { EmptyClipboard() }, 0);
        drop(opened);
        assert_eq!(clipboard_text().unwrap(), None);
    }
}
