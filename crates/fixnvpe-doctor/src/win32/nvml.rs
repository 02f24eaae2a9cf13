//! GPUs as NVIDIA's management library tells of them. It comes with the driver,
//! and is loaded here at run time: where there is none, nothing is missing.
//! (NVML API reference, "Device Queries" and "System Queries".)

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::path::Path;

use fixnvpe_files::KnownFolder;
use fixnvpe_pe::ComputeCapability;
use windows_sys::Win32::Foundation::{FreeLibrary, HMODULE};
use windows_sys::Win32::System::LibraryLoader::{
    GetProcAddress, LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR, LOAD_LIBRARY_SEARCH_SYSTEM32, LoadLibraryExW,
};

use super::terminated;
use crate::Version;
use crate::facts::Gpu;

type Status = c_int;
type Device = *mut c_void;
type Simple = unsafe extern "C" fn() -> Status;
type Text = unsafe extern "C" fn(*mut c_char, c_uint) -> Status;
type Count = unsafe extern "C" fn(*mut c_uint) -> Status;
type ByIndex = unsafe extern "C" fn(c_uint, *mut Device) -> Status;
type DeviceText = unsafe extern "C" fn(Device, *mut c_char, c_uint) -> Status;
type Capability = unsafe extern "C" fn(Device, *mut c_int, *mut c_int) -> Status;

/// More GPUs than this are not asked one by one.
const MANY: c_uint = 64;

/// The GPUs, and the version of the driver; `None` where there is no such
/// library, or it does not work.
pub(crate) fn gpus() -> Option<(Vec<Gpu>, Option<Version>)> {
    let library = Library::load()?;
    let init: Simple = library.function(c"nvmlInit_v2")?;
    let shutdown: Simple = library.function(c"nvmlShutdown")?;
    // SAFETY: the function takes nothing, and is called first as NVML asks.
    if unsafe { init() } != 0 {
        return None;
    }
    let found = library.devices();
    let driver = library
        .function(c"nvmlSystemGetDriverVersion")
        .and_then(|call: Text| {
            // SAFETY: `text` hands over a buffer and its length.
            text(|buffer, length| unsafe { call(buffer, length) })
        })
        .and_then(|text| text.parse().ok());
    // SAFETY: it was initialised above, and is used no more.
    unsafe { shutdown() };
    Some((found?, driver))
}

struct Library(HMODULE);

impl Library {
    /// From the system's folder, where the driver puts it; else from the folder
    /// of its own that drivers used before. Nowhere else is looked.
    fn load() -> Option<Self> {
        let system = || Self::from(Path::new("nvml.dll"), LOAD_LIBRARY_SEARCH_SYSTEM32);
        let older = || {
            let folder = KnownFolder::ProgramFiles.path()?;
            let path = folder.join(r"NVIDIA Corporation\NVSMI\nvml.dll");
            let search = LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR | LOAD_LIBRARY_SEARCH_SYSTEM32;
            Self::from(&path, search)
        };
        system().or_else(older)
    }

    fn from(path: &Path, search: u32) -> Option<Self> {
        let name = terminated(path.as_os_str());
        // SAFETY: `name` ends with a NUL; the second argument is reserved.
        let module = unsafe { LoadLibraryExW(name.as_ptr(), std::ptr::null_mut(), search) };
        (!module.is_null()).then_some(Self(module))
    }

    /// A function of the library. `F` has to be its type.
    fn function<F: Copy>(&self, name: &CStr) -> Option<F> {
        const { assert!(size_of::<F>() == size_of::<usize>()) };
        // SAFETY: the module is loaded while `self` lives; `name` ends with a NUL.
        let address = unsafe { GetProcAddress(self.0, name.as_ptr().cast()) }?;
        // SAFETY: both are pointers to functions; every caller here names the
        // type that NVML's header gives.
        Some(unsafe { std::mem::transmute_copy(&address) })
    }

    fn devices(&self) -> Option<Vec<Gpu>> {
        let count: Count = self.function(c"nvmlDeviceGetCount_v2")?;
        let by_index: ByIndex = self.function(c"nvmlDeviceGetHandleByIndex_v2")?;
        let name: DeviceText = self.function(c"nvmlDeviceGetName")?;
        let capability: Capability = self.function(c"nvmlDeviceGetCudaComputeCapability")?;
        let mut devices: c_uint = 0;
        // SAFETY: `devices` is written to.
        if unsafe { count(&raw mut devices) } != 0 {
            return None;
        }
        let mut found = Vec::new();
        for index in 0..devices.min(MANY) {
            let mut device: Device = std::ptr::null_mut();
            // SAFETY: `device` is written to.
            if unsafe { by_index(index, &raw mut device) } != 0 {
                continue;
            }
            // SAFETY: the device was given for this index; `text` hands over a
            // buffer and its length.
            let name = text(|buffer, length| unsafe { name(device, buffer, length) });
            let (mut major, mut minor) = (0, 0);
            // SAFETY: the device was given for this index; both are written to.
            let known = unsafe { capability(device, &raw mut major, &raw mut minor) } == 0;
            let capability = u32::try_from(major)
                .ok()
                .zip(u32::try_from(minor).ok())
                .filter(|_| known)
                .map(|(major, minor)| ComputeCapability::new(major, minor));
            found.push(Gpu::new(name.unwrap_or_default(), capability));
        }
        Some(found)
    }
}

impl Drop for Library {
    fn drop(&mut self) {
        // SAFETY: it was loaded once, and no function of it is called any more.
        unsafe { FreeLibrary(self.0) };
    }
}

/// A text that a function writes into a buffer of a length.
fn text(write: impl FnOnce(*mut c_char, c_uint) -> Status) -> Option<String> {
    let mut buffer = [0_u8; 128];
    if write(buffer.as_mut_ptr().cast(), 128) != 0 {
        return None;
    }
    let text = CStr::from_bytes_until_nul(&buffer).ok()?;
    Some(text.to_string_lossy().into_owned())
}
