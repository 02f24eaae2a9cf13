//! The DLL that a message names, and the environment that it lies in.
//!
//! Paths are Windows paths whatever system reads the log.

/// The path of a DLL in the text, and the prefix of an environment.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) dll: Option<String>,
    pub(super) prefix: Option<String>,
}

/// Folders in whose parent packages are installed.
const SITE_FOLDERS: [&str; 2] = ["site-packages", "dist-packages"];

/// Files and folders of the standard library that tracebacks go through. Any
/// project may have a folder `lib`; these tell Python's own.
const STANDARD_LIBRARY: &[&str] = &[
    "asyncio",
    "concurrent",
    "contextlib.py",
    "ctypes",
    "importlib",
    "json",
    "logging",
    "multiprocessing",
    "pickle.py",
    "pkgutil.py",
    "runpy.py",
    "site.py",
    "socket.py",
    "ssl.py",
    "subprocess.py",
    "tempfile.py",
    "threading.py",
    "traceback.py",
    "unittest",
    "warnings.py",
    "zipimport.py",
];

/// Where the message points to: the DLL in it, and its environment, or else the
/// one of the traceback's files. Packages tell the environment, the innermost
/// frame first; the standard library of a virtual environment is that of the
/// Python which it was made from.
pub(super) fn find(text: &str) -> Place {
    // Logs that quote logs double the backslashes.
    let text = text.replace(r"\\", r"\");
    let paths = paths(&text);
    let dll = paths
        .iter()
        .find(|path| {
            let extension = path.rsplit('.').next().unwrap_or_default();
            extension.eq_ignore_ascii_case("dll") || extension.eq_ignore_ascii_case("pyd")
        })
        .cloned();
    let ways: [fn(&str) -> Option<String>; 3] = [of_packages, of_native, of_standard_library];
    let of_dll = ways.iter().find_map(|way| dll.as_deref().and_then(way));
    let of_frames = || {
        let last = |way: &fn(&str) -> Option<String>| paths.iter().rev().find_map(|path| way(path));
        ways.iter().find_map(last)
    };
    Place {
        prefix: of_dll.or_else(of_frames),
        dll,
    }
}

/// The paths in the text: what stands in quotes, and what begins with a drive
/// and ends in a known extension.
fn paths(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(':') {
        let after = &rest[at + 1..];
        let drive = rest[..at].chars().next_back();
        let path = after.strip_prefix(['\\', '/']);
        // The two slashes of an address are no path.
        let path = path.filter(|path| !path.starts_with('/'));
        if let (Some(letter), Some(path)) = (drive.filter(char::is_ascii_alphabetic), path) {
            let before = rest[..at - 1].chars().next_back();
            let is_drive = !before.is_some_and(char::is_alphanumeric);
            if let Some(tail) = tail(path, before).filter(|_| is_drive) {
                found.push(format!("{letter}:\\{}", tail.replace('/', "\\")));
            }
        }
        rest = after;
    }
    found
}

/// The path from behind its drive: to the closing quote if there is an opening
/// one, else to the first extension that ends a word.
fn tail(after: &str, before: Option<char>) -> Option<&str> {
    let line = &after[..after.find(['\r', '\n']).unwrap_or(after.len())];
    let closing = match before {
        Some('"') => Some('"'),
        Some('\'') => Some('\''),
        Some('`') => Some('`'),
        Some('“') => Some('”'),
        Some('‘') => Some('’'),
        Some('«') => Some('»'),
        Some('「') => Some('」'),
        _ => None,
    };
    if let Some(end) = closing.and_then(|quote| line.find(quote)) {
        return Some(&line[..end]);
    }
    let lower = line.to_ascii_lowercase();
    [".dll", ".pyd", ".py"]
        .iter()
        .filter_map(|extension| {
            let ends = |at: &usize| {
                lower[at + extension.len()..]
                    .chars()
                    .next()
                    .is_none_or(|c| !c.is_alphanumeric())
            };
            let at = lower
                .match_indices(extension)
                .map(|(at, _)| at)
                .find(ends)?;
            Some(at + extension.len())
        })
        .min()
        .map(|end| &line[..end])
}

/// The folder of the environment that holds a package's file:
/// `PREFIX\Lib\site-packages`, or for one user `PREFIX\site-packages`.
fn of_packages(path: &str) -> Option<String> {
    let parts = Parts::of(path);
    let site = |at: &usize| SITE_FOLDERS.iter().any(|name| parts.is(*at, name));
    let at = parts.folders().find(site)?;
    parts.up_to(if parts.is(at - 1, "lib") { at - 1 } else { at })
}

/// The same for what is no package: `PREFIX\Library\bin`, `PREFIX\DLLs`.
fn of_native(path: &str) -> Option<String> {
    let parts = Parts::of(path);
    let native =
        |at: &usize| parts.is(*at, "library") && parts.is(at + 1, "bin") || parts.is(*at, "dlls");
    parts.up_to(parts.folders().find(native)?)
}

/// The same for a file of the standard library: `PREFIX\Lib`.
fn of_standard_library(path: &str) -> Option<String> {
    let parts = Parts::of(path);
    let library = |at: &usize| {
        parts.is(*at, "lib") && STANDARD_LIBRARY.iter().any(|name| parts.is(at + 1, name))
    };
    parts.up_to(parts.folders().find(library)?)
}

/// The parts of a path, the drive first.
struct Parts<'a>(Vec<&'a str>);

impl<'a> Parts<'a> {
    fn of(path: &'a str) -> Self {
        Self(path.split('\\').collect())
    }

    /// Where folders stand: behind the drive, before the file.
    fn folders(&self) -> std::ops::Range<usize> {
        1..self.0.len().saturating_sub(1)
    }

    fn is(&self, at: usize, name: &str) -> bool {
        self.0
            .get(at)
            .is_some_and(|part| part.eq_ignore_ascii_case(name))
    }

    /// The folder above this part; a drive alone is no environment.
    fn up_to(&self, at: usize) -> Option<String> {
        (at > 1).then(|| self.0[..at].join("\\"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(text: &str) -> (Option<String>, Option<String>) {
        let place = find(text);
        (place.dll, place.prefix)
    }

    #[test]
    fn the_dll_and_its_environment_are_read_from_the_message() {
        let table = [
            (
                r#"Error loading "D:\Anaconda3\envs\wssam\lib\site-packages\torch\lib\cudnn_cnn_infer64_8.dll" or one of its dependencies."#,
                r"D:\Anaconda3\envs\wssam\lib\site-packages\torch\lib\cudnn_cnn_infer64_8.dll",
                r"D:\Anaconda3\envs\wssam",
            ),
            (
                r"Error loading “C:\Users\[user]\anaconda3\envs\[env name]\lib\site-packages\torch\lib\shm.dll” or one",
                r"C:\Users\[user]\anaconda3\envs\[env name]\lib\site-packages\torch\lib\shm.dll",
                r"C:\Users\[user]\anaconda3\envs\[env name]",
            ),
            (
                r"Could not load D:\AI\ComfyUI\python_embeded\Lib\site-packages\torch\lib\c10.dll: 1114",
                r"D:\AI\ComfyUI\python_embeded\Lib\site-packages\torch\lib\c10.dll",
                r"D:\AI\ComfyUI\python_embeded",
            ),
            (
                r"loading 'E:\\环境\\yolo v5\\Library\\bin\\cublas64_11.dll' failed",
                r"E:\环境\yolo v5\Library\bin\cublas64_11.dll",
                r"E:\环境\yolo v5",
            ),
            (
                r#""C:\Users\a\AppData\Roaming\Python\Python39\site-packages\torch\lib\c10.dll""#,
                r"C:\Users\a\AppData\Roaming\Python\Python39\site-packages\torch\lib\c10.dll",
                r"C:\Users\a\AppData\Roaming\Python\Python39",
            ),
            (
                "'d:/envs/x/Lib/site-packages/cupy/cuda/thrust.cp38-win_amd64.pyd'",
                r"d:\envs\x\Lib\site-packages\cupy\cuda\thrust.cp38-win_amd64.pyd",
                r"d:\envs\x",
            ),
        ];
        for (text, dll, prefix) in table {
            assert_eq!(
                place(text),
                (Some(dll.into()), Some(prefix.into())),
                "{text}"
            );
        }
    }

    #[test]
    fn a_traceback_tells_the_environment_where_no_dll_is_named() {
        let text = "  File \"D:\\anaconda3\\envs\\cp37\\lib\\multiprocessing\\spawn.py\", line 277\n\
                    ImportError: DLL load failed: The paging file is too small";
        assert_eq!(place(text), (None, Some(r"D:\anaconda3\envs\cp37".into())));
    }

    #[test]
    fn packages_tell_the_environment_before_the_python_it_was_made_from() {
        let spawn = r#"File "C:\Python39\lib\multiprocessing\spawn.py", line 116"#;
        let numpy = r#"File "C:\det\.venv\lib\site-packages\numpy\core\multiarray.py", line 10"#;
        let outer = r#"File "C:\tools\lib\site-packages\runner\main.py", line 1"#;
        let script = r#"File "C:\x\lib\train.py", line 3"#;
        let table = [
            (vec![spawn, numpy], Some(r"C:\det\.venv")),
            (vec![outer, spawn, numpy], Some(r"C:\det\.venv")),
            (vec![numpy, spawn], Some(r"C:\det\.venv")),
            (vec![script, spawn], Some(r"C:\Python39")),
            (vec![script], None),
        ];
        for (lines, prefix) in table {
            let text = lines.join("\n");
            assert_eq!(place(&text), (None, prefix.map(Into::into)), "{text}");
        }
    }

    #[test]
    fn a_dll_outside_of_any_environment_has_none() {
        let (dll, prefix) = place(r#"Error loading "C:\Windows\System32\nvcuda.dll""#);
        assert_eq!(dll.unwrap(), r"C:\Windows\System32\nvcuda.dll");
        assert_eq!(prefix, None);
        assert_eq!(
            place("no path at all: see https://example.org/x.dll"),
            (None, None)
        );
        assert_eq!(place(""), (None, None));
    }
}
