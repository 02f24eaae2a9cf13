//! The Windows half: the only place in this crate that calls its API.
#![allow(unsafe_code)]

mod known_folder;
mod protection;
mod restart_manager;

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::windows::ffi::{OsStrExt, OsStringExt};
use std::os::windows::io::AsRawHandle;
use std::path::{Path, PathBuf};

use fs_err::os::windows::fs::OpenOptionsExt;
use windows_sys::Win32::Foundation::{CloseHandle, GENERIC_WRITE, HANDLE};
use windows_sys::Win32::Security::{
    GetTokenInformation, TOKEN_ELEVATION, TOKEN_QUERY, TokenElevation,
};
use windows_sys::Win32::Storage::FileSystem::{
    BY_HANDLE_FILE_INFORMATION, FILE_ATTRIBUTE_READONLY, FILE_ATTRIBUTE_REPARSE_POINT,
    FILE_ATTRIBUTE_TAG_INFO, FILE_FLAG_BACKUP_SEMANTICS, FILE_FLAG_OPEN_REPARSE_POINT,
    FILE_ID_INFO, FILE_NAME_NORMALIZED, FILE_READ_ATTRIBUTES, FILE_SHARE_DELETE, FILE_SHARE_READ,
    FILE_SHARE_WRITE, FileAttributeTagInfo, FileIdInfo, GetDiskFreeSpaceExW,
    GetFileInformationByHandle, GetFileInformationByHandleEx, GetFinalPathNameByHandleW,
    VOLUME_NAME_NONE,
};
use windows_sys::Win32::System::Threading::{GetCurrentProcess, OpenProcessToken};

pub(crate) use known_folder::known_folder;
pub(crate) use protection::create_protected_folder;
pub(crate) use restart_manager::holding_processes;

use crate::identity::reparse;
use crate::shown::rules;
use crate::{FileId, Kind, Stat, is_placeholder};

pub(crate) fn stat(file: &File) -> io::Result<Stat> {
    // SAFETY: all fields are integers, for which zero is a value.
    let mut info: BY_HANDLE_FILE_INFORMATION = unsafe { std::mem::zeroed() };
    // SAFETY: the handle is open while `file` lives; `info` is written to.
    let done = unsafe { GetFileInformationByHandle(handle(file), &raw mut info) };
    if done == 0 {
        return Err(io::Error::last_os_error());
    }
    let wide = |high: u32, low: u32| u64::from(high) << 32 | u64::from(low);
    let id = id_info(file).unwrap_or_else(|| {
        FileId::new(
            u64::from(info.dwVolumeSerialNumber),
            u128::from(wide(info.nFileIndexHigh, info.nFileIndexLow)),
        )
    });
    let attributes = info.dwFileAttributes;
    Ok(Stat {
        id,
        links: u64::from(info.nNumberOfLinks),
        len: wide(info.nFileSizeHigh, info.nFileSizeLow),
        kind: reparse::kind(attributes, reparse_tag(file, attributes)),
        read_only: attributes & FILE_ATTRIBUTE_READONLY != 0,
        placeholder: is_placeholder(attributes),
    })
}

/// The 128-bit identity; `None` on a file system that has none.
fn id_info(file: &File) -> Option<FileId> {
    // SAFETY: all fields are integers, for which zero is a value.
    let mut info: FILE_ID_INFO = unsafe { std::mem::zeroed() };
    read_information(file, FileIdInfo, &mut info).then(|| {
        FileId::new(
            info.VolumeSerialNumber,
            u128::from_le_bytes(info.FileId.Identifier),
        )
    })
}

/// The tag that tells kinds of reparse points apart; 0 for any other file.
fn reparse_tag(file: &File, attributes: u32) -> u32 {
    if attributes & FILE_ATTRIBUTE_REPARSE_POINT == 0 {
        return 0;
    }
    // SAFETY: all fields are integers, for which zero is a value.
    let mut info: FILE_ATTRIBUTE_TAG_INFO = unsafe { std::mem::zeroed() };
    if read_information(file, FileAttributeTagInfo, &mut info) {
        info.ReparseTag
    } else {
        // Not told: taken for a link, which is never followed.
        reparse::NAME_SURROGATE
    }
}

fn read_information<T>(file: &File, class: i32, info: &mut T) -> bool {
    let Ok(size) = u32::try_from(size_of::<T>()) else {
        return false;
    };
    // SAFETY: the handle is open while `file` lives; `info` is a structure of
    // the class asked for, as large as `size` says.
    unsafe { GetFileInformationByHandleEx(handle(file), class, (&raw mut *info).cast(), size) != 0 }
}

fn handle(file: &File) -> HANDLE {
    file.as_raw_handle().cast()
}

pub(crate) fn stat_path(path: &Path) -> io::Result<Stat> {
    let mut options = fs_err::OpenOptions::new();
    options
        .access_mode(FILE_READ_ATTRIBUTES)
        .share_mode(FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE)
        .custom_flags(FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT);
    stat(options.open(path)?.file())
}

pub(crate) fn entry_kind(entry: &fs_err::DirEntry) -> io::Result<(Kind, bool)> {
    use std::os::windows::fs::MetadataExt;
    // Neither call opens the file: both read what the listing brought along.
    let file_type = entry.file_type()?;
    let attributes = entry.metadata()?.file_attributes();
    let kind = if file_type.is_symlink() {
        Kind::Link
    } else if file_type.is_dir() {
        Kind::Folder
    } else if file_type.is_file() {
        Kind::File
    } else {
        Kind::Other
    };
    Ok((kind, is_placeholder(attributes)))
}

pub(crate) fn open_read(path: &Path) -> io::Result<File> {
    let mut options = fs_err::OpenOptions::new();
    options
        .read(true)
        .share_mode(FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE);
    Ok(options.open(path)?.into_file())
}

pub(crate) fn open_exclusive(path: &Path) -> io::Result<File> {
    let mut options = fs_err::OpenOptions::new();
    options.read(true).write(true).share_mode(FILE_SHARE_READ);
    Ok(options.open(path)?.into_file())
}

pub(crate) fn open_folder(path: &Path) -> io::Result<File> {
    let mut options = fs_err::OpenOptions::new();
    options
        .access_mode(FILE_READ_ATTRIBUTES)
        .share_mode(FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE)
        .custom_flags(FILE_FLAG_BACKUP_SEMANTICS);
    let file = options.open(path)?.into_file();
    if file.metadata()?.is_dir() {
        return Ok(file);
    }
    Err(io::Error::new(
        io::ErrorKind::NotADirectory,
        format!("`{}` is not a folder", path.display()),
    ))
}

/// The name of the opened file as the disk has it: with its own case, and the
/// long form of an 8.3 name.
pub(crate) fn final_name(path: &Path) -> Option<OsString> {
    let mut options = fs_err::OpenOptions::new();
    options
        .access_mode(FILE_READ_ATTRIBUTES)
        .share_mode(FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE)
        .custom_flags(FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT);
    let file = options.open(path).ok()?.into_file();
    let mut units = vec![0_u16; 1024];
    loop {
        let capacity = u32::try_from(units.len()).ok()?;
        // SAFETY: the handle is open while `file` lives, and `units` holds as
        // many units as `capacity` says.
        let length = unsafe {
            GetFinalPathNameByHandleW(
                handle(&file),
                units.as_mut_ptr(),
                capacity,
                FILE_NAME_NORMALIZED | VOLUME_NAME_NONE,
            )
        };
        let length = usize::try_from(length).ok()?;
        if length == 0 {
            return None;
        }
        if length <= units.len() {
            let part = rules::final_part(&units[..length]);
            return (!part.is_empty()).then(|| OsString::from_wide(part));
        }
        units.resize(length, 0);
    }
}

pub(crate) fn free_space(folder: &Path) -> io::Result<u64> {
    let path = terminated(extended(folder)?.as_os_str());
    let mut free = 0;
    // SAFETY: `path` ends with a NUL; the two other results are not asked for.
    let done = unsafe {
        GetDiskFreeSpaceExW(
            path.as_ptr(),
            &raw mut free,
            std::ptr::null_mut(),
            std::ptr::null_mut(),
        )
    };
    if done == 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(free)
}

fn terminated(text: &OsStr) -> Vec<u16> {
    text.encode_wide().chain([0]).collect()
}

pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    let mut options = fs_err::OpenOptions::new();
    options
        .access_mode(GENERIC_WRITE)
        .share_mode(FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE)
        .custom_flags(FILE_FLAG_BACKUP_SEMANTICS);
    let flush = || options.open(folder)?.sync_all();
    match flush() {
        // Names are in the file system's own journal, which is written within
        // seconds: where the folder itself may not be flushed, that is all.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            open_folder(folder).map(drop)
        }
        done => done,
    }
}

pub(crate) fn is_elevated() -> bool {
    let mut token: HANDLE = std::ptr::null_mut();
    // SAFETY: the pseudo handle of this process is always valid; `token` is
    // written to.
    if unsafe { OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &raw mut token) } == 0 {
        return false;
    }
    let mut elevation = TOKEN_ELEVATION { TokenIsElevated: 0 };
    let mut length = 0;
    let size = u32::try_from(size_of::<TOKEN_ELEVATION>()).unwrap_or(0);
    // SAFETY: `token` was opened above; `elevation` is the structure of the
    // class asked for, as large as `size` says. The token is closed once.
    let done = unsafe {
        let done = GetTokenInformation(
            token,
            TokenElevation,
            (&raw mut elevation).cast(),
            size,
            &raw mut length,
        );
        CloseHandle(token);
        done
    };
    done != 0 && elevation.TokenIsElevated != 0
}

/// A path that stands for a file exactly as it is written means that file,
/// whatever Windows would make of `nul.dll` or `dot.\x.dll`; any other means
/// what Windows makes of it.
pub(crate) fn extended(path: &Path) -> io::Result<PathBuf> {
    let wide = |path: &Path| -> Vec<u16> { path.as_os_str().encode_wide().collect() };
    let absolute = std::path::absolute(path)?;
    let rewritten = match rules::with_prefix(&wide(&absolute)) {
        Some(units) => OsString::from_wide(&units).into(),
        None => absolute,
    };
    let current = std::path::absolute(".")?;
    let Some(units) = rules::as_it_stands(&wide(&current), &wide(path)) else {
        return Ok(rewritten);
    };
    let literal = PathBuf::from(OsString::from_wide(&units));
    let is_there = || fs_err::symlink_metadata(&literal).is_ok();
    if literal.as_os_str() != rewritten.as_os_str() && is_there() {
        return Ok(literal);
    }
    Ok(rewritten)
}

pub(crate) fn shown(path: &Path) -> PathBuf {
    let units: Vec<u16> = path.as_os_str().encode_wide().collect();
    OsString::from_wide(&rules::without_prefix(&units)).into()
}

pub(crate) fn units(path: &Path) -> Vec<u8> {
    path.as_os_str()
        .encode_wide()
        .flat_map(u16::to_le_bytes)
        .collect()
}

pub(crate) fn from_units(units: &[u8]) -> Option<PathBuf> {
    let (pairs, rest) = units.as_chunks::<2>();
    let units: Vec<u16> = pairs.iter().map(|pair| u16::from_le_bytes(*pair)).collect();
    // No file has a name with a NUL in it.
    (rest.is_empty() && !units.contains(&0)).then(|| OsString::from_wide(&units).into())
}

/// What the units of [`units`] are, as [`crate::raw`] writes it.
pub(crate) const UNITS: &str = "utf16";
