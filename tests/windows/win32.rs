//! Loading a library and asking what its pages may be used for.
#![allow(unsafe_code)] // this is the module for it

use std::ffi::{CStr, OsStr, c_void};
use std::fs::File;
use std::os::windows::ffi::OsStrExt as _;
use std::os::windows::io::{AsRawHandle as _, FromRawHandle as _, OwnedHandle};
use std::path::Path;
use std::ptr::null_mut;

use windows_sys::Win32::Foundation::{
    FreeLibrary, GetLastError, HMODULE, INVALID_HANDLE_VALUE, WAIT_OBJECT_0,
};
use windows_sys::Win32::Storage::FileSystem::{
    FILE_ATTRIBUTE_HIDDEN, GetFileVersionInfoSizeW, GetFileVersionInfoW, SetFileAttributesW,
    VerQueryValueW,
};
use windows_sys::Win32::System::Console::{
    AllocConsole, CONSOLE_SCREEN_BUFFER_INFO, COORD, CTRL_BREAK_EVENT, GenerateConsoleCtrlEvent,
    GetConsoleScreenBufferInfo, ReadConsoleOutputCharacterW, SetConsoleOutputCP,
};
use windows_sys::Win32::System::Diagnostics::ToolHelp::{
    CreateToolhelp32Snapshot, PROCESSENTRY32W, Process32FirstW, Process32NextW, TH32CS_SNAPPROCESS,
};
use windows_sys::Win32::System::LibraryLoader::{
    DONT_RESOLVE_DLL_REFERENCES, FindResourceW, GetModuleHandleW, GetProcAddress,
    LOAD_LIBRARY_AS_DATAFILE, LoadLibraryExW, LoadResource, LockResource, SizeofResource,
};
use windows_sys::Win32::System::Memory::{MEMORY_BASIC_INFORMATION, VirtualQuery};
use windows_sys::Win32::System::Threading::{
    OpenProcess, PROCESS_SYNCHRONIZE, WaitForSingleObject,
};

pub(crate) use windows_sys::Win32::System::Memory::{PAGE_READONLY, PAGE_WRITECOPY};

use crate::probe::Load;

/// A library that this process has loaded.
#[derive(Debug)]
pub(crate) struct Library(HMODULE);

impl Library {
    /// Loads it, or tells the code of the error.
    pub(crate) fn load(path: &Path, how: Load) -> Result<Self, u32> {
        let path = terminated(path.as_os_str());
        let flags = match how {
            Load::Started => 0,
            Load::Mapped => DONT_RESOLVE_DLL_REFERENCES,
        };
        // SAFETY: the path ends with a NUL. The start code that runs is that of a fixture, or
        // none at all.
        let module = unsafe { LoadLibraryExW(path.as_ptr(), null_mut(), flags) };
        if module.is_null() {
            // SAFETY: no preconditions.
            return Err(unsafe { GetLastError() });
        }
        Ok(Self(module))
    }

    /// The protection of the page at this address relative to the image.
    pub(crate) fn protection(&self, relative: usize) -> u32 {
        let address = self.0.cast::<c_void>().wrapping_byte_add(relative);
        // SAFETY: all fields are integers and pointers, for which zero is a value.
        let mut information: MEMORY_BASIC_INFORMATION = unsafe { std::mem::zeroed() };
        // SAFETY: any address may be asked about; the structure is as large as told.
        let size = unsafe {
            VirtualQuery(
                address,
                &raw mut information,
                size_of::<MEMORY_BASIC_INFORMATION>(),
            )
        };
        assert_ne!(size, 0, "VirtualQuery has no answer for {address:p}");
        information.Protect
    }

    /// Calls the exported function of a fixture, which returns eight bytes of its fat binary.
    pub(crate) fn fatbin_first_bytes(&self) -> Option<u64> {
        let function = procedure(self.0, c"fatbin_first_bytes")?;
        // SAFETY: the fixtures export this name for a function that takes nothing and returns
        // the 8 bytes in a register.
        Some(unsafe {
            std::mem::transmute::<*const c_void, extern "system" fn() -> u64>(function)()
        })
    }
}

impl Drop for Library {
    fn drop(&mut self) {
        // SAFETY: the handle came from LoadLibraryExW and is given back once.
        unsafe { FreeLibrary(self.0) };
    }
}

/// Sets the hidden attribute of a file, and no other.
pub(crate) fn hide(path: &Path) {
    let path = terminated(path.as_os_str());
    // SAFETY: the path ends with a NUL.
    let done = unsafe { SetFileAttributesW(path.as_ptr(), FILE_ATTRIBUTE_HIDDEN) };
    assert_ne!(done, 0, "cannot hide a file");
}

/// The application manifest inside a program.
pub(crate) fn manifest(program: &Path) -> Option<Vec<u8>> {
    /// `CREATEPROCESS_MANIFEST_RESOURCE_ID` and `RT_MANIFEST`: numbers in the place of a name.
    const MANIFEST: (usize, usize) = (1, 24);
    let path = terminated(program.as_os_str());
    // SAFETY: the path ends with a NUL; nothing of the file runs.
    let module = unsafe { LoadLibraryExW(path.as_ptr(), null_mut(), LOAD_LIBRARY_AS_DATAFILE) };
    if module.is_null() {
        return None;
    }
    let library = Library(module);
    let (name, kind) = MANIFEST;
    // SAFETY: the module is loaded while `library` lives; numbers below 65,536 stand for names.
    let resource = unsafe {
        FindResourceW(
            library.0,
            std::ptr::without_provenance(name),
            std::ptr::without_provenance(kind),
        )
    };
    if resource.is_null() {
        return None;
    }
    // SAFETY: the resource belongs to the module, and its memory lives as long.
    let bytes = unsafe {
        let size = SizeofResource(library.0, resource);
        let start = LockResource(LoadResource(library.0, resource));
        std::slice::from_raw_parts(start.cast::<u8>(), usize::try_from(size).ok()?)
    };
    Some(bytes.to_vec())
}

/// One text of the version information in a program.
pub(crate) fn version_text(program: &Path, name: &str) -> Option<String> {
    let path = terminated(program.as_os_str());
    let mut ignored = 0;
    // SAFETY: the path ends with a NUL.
    let size = unsafe { GetFileVersionInfoSizeW(path.as_ptr(), &raw mut ignored) };
    let mut block = vec![0_u8; usize::try_from(size).ok()?];
    // SAFETY: the path ends with a NUL, and the block is as large as told.
    if unsafe { GetFileVersionInfoW(path.as_ptr(), 0, size, block.as_mut_ptr().cast()) } == 0 {
        return None;
    }
    // Neutral language, Unicode: as the build script writes it.
    let query = format!(r"\StringFileInfo\000004b0\{name}");
    let query = terminated(OsStr::new(&query));
    let (mut text, mut units) = (null_mut::<c_void>(), 0);
    // SAFETY: the block was filled above, and the query ends with a NUL.
    let found = unsafe {
        VerQueryValueW(
            block.as_ptr().cast(),
            query.as_ptr(),
            &raw mut text,
            &raw mut units,
        )
    };
    if found == 0 || units == 0 {
        return None;
    }
    // SAFETY: the text lies in the block, and has that many units with its NUL.
    let text =
        unsafe { std::slice::from_raw_parts(text.cast::<u16>(), usize::try_from(units).ok()? - 1) };
    String::from_utf16(text).ok()
}

/// A running process of someone else.
#[derive(Debug)]
pub(crate) struct Running {
    process: OwnedHandle,
    /// The file name of its program.
    pub(crate) program: String,
}

impl Running {
    /// Whether it ends before this many milliseconds are over.
    pub(crate) fn ends_within(&self, milliseconds: u32) -> bool {
        // SAFETY: the handle is open while this lives.
        let waited =
            unsafe { WaitForSingleObject(self.process.as_raw_handle().cast(), milliseconds) };
        waited == WAIT_OBJECT_0
    }
}

/// The processes that this one started and that still run.
pub(crate) fn children_of(parent: u32) -> Vec<Running> {
    // SAFETY: no preconditions.
    let snapshot = unsafe { CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0) };
    assert_ne!(snapshot, INVALID_HANDLE_VALUE);
    // SAFETY: the handle was made above, and belongs to nobody else.
    let snapshot = unsafe { OwnedHandle::from_raw_handle(snapshot.cast()) };
    let mut entry = PROCESSENTRY32W {
        dwSize: u32::try_from(size_of::<PROCESSENTRY32W>()).unwrap(),
        ..PROCESSENTRY32W::default()
    };
    let mut children = Vec::new();
    // SAFETY: the snapshot is open; `entry` is the structure that is written to, and says its size.
    let mut found = unsafe { Process32FirstW(snapshot.as_raw_handle().cast(), &raw mut entry) };
    while found != 0 {
        if entry.th32ParentProcessID == parent {
            // SAFETY: a number that is no process any more is an error, not a fault.
            let process = unsafe { OpenProcess(PROCESS_SYNCHRONIZE, 0, entry.th32ProcessID) };
            if !process.is_null() {
                let end = entry.szExeFile.iter().position(|unit| *unit == 0);
                let program = &entry.szExeFile[..end.unwrap()];
                children.push(Running {
                    // SAFETY: the handle was opened above, and belongs to nobody else.
                    process: unsafe { OwnedHandle::from_raw_handle(process.cast()) },
                    program: String::from_utf16_lossy(program),
                });
            }
        }
        // SAFETY: as above.
        found = unsafe { Process32NextW(snapshot.as_raw_handle().cast(), &raw mut entry) };
    }
    children
}

/// Presses Ctrl-Break for a group of processes; false where there is no console.
pub(crate) fn press_break(group: u32) -> bool {
    // SAFETY: no preconditions.
    unsafe { GenerateConsoleCtrlEvent(CTRL_BREAK_EVENT, group) != 0 }
}

/// The console of this process.
#[derive(Debug)]
pub(crate) struct Console {
    input: File,
    output: File,
}

impl Console {
    /// The one that is there, else a new one; nothing where there can be none.
    pub(crate) fn with_code_page(code_page: u32) -> Option<Self> {
        // SAFETY: no preconditions. It fails where there is a console already.
        unsafe { AllocConsole() };
        // SAFETY: no preconditions.
        if unsafe { SetConsoleOutputCP(code_page) } == 0 {
            return None;
        }
        let open = |name| {
            let mut options = File::options();
            options.read(true).write(true).open(name).ok()
        };
        Some(Self {
            input: open("CONIN$")?,
            output: open("CONOUT$")?,
        })
    }

    pub(crate) fn input(&self) -> File {
        self.input.try_clone().unwrap()
    }

    pub(crate) fn output(&self) -> File {
        self.output.try_clone().unwrap()
    }

    /// What the screen shows, line after line.
    pub(crate) fn text(&self) -> String {
        // SAFETY: all fields are integers, for which zero is a value.
        let mut screen: CONSOLE_SCREEN_BUFFER_INFO = unsafe { std::mem::zeroed() };
        let handle = self.output.as_raw_handle().cast();
        // SAFETY: the handle is open while `self` lives; the structure is written to.
        let read = unsafe { GetConsoleScreenBufferInfo(handle, &raw mut screen) };
        assert_ne!(read, 0);
        let mut units = vec![0_u16; usize::try_from(screen.dwSize.X).unwrap()];
        let mut text = String::new();
        for y in 0..=screen.dwCursorPosition.Y {
            let mut count = 0;
            // SAFETY: the handle is open, and there is room for a line.
            let read = unsafe {
                ReadConsoleOutputCharacterW(
                    handle,
                    units.as_mut_ptr(),
                    u32::try_from(units.len()).unwrap(),
                    COORD { X: 0, Y: y },
                    &raw mut count,
                )
            };
            assert_ne!(read, 0);
            let line = String::from_utf16_lossy(&units[..usize::try_from(count).unwrap()]);
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

/// Whether this Windows is Wine.
pub(crate) fn is_wine() -> bool {
    let ntdll = terminated(OsStr::new("ntdll.dll"));
    // SAFETY: the name ends with a NUL.
    let ntdll = unsafe { GetModuleHandleW(ntdll.as_ptr()) };
    !ntdll.is_null() && procedure(ntdll, c"wine_get_version").is_some()
}

fn procedure(module: HMODULE, name: &CStr) -> Option<*const c_void> {
    // SAFETY: the module is loaded, and the name ends with a NUL.
    let procedure = unsafe { GetProcAddress(module, name.as_ptr().cast()) }?;
    Some(procedure as *const c_void)
}

fn terminated(text: &OsStr) -> Vec<u16> {
    text.encode_wide().chain([0]).collect()
}
