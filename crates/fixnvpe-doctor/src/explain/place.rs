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

/// Where the message points to: the DLL in it, and its environment, or else the
/// one of the traceback's files.
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
    let prefix = dll
        .iter()
        .chain(paths.iter())
        .find_map(|path| prefix_of(path));
    Place { dll, prefix }
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

/// The folder of the environment that a file belongs to, by the layout of
/// environments on Windows: `PREFIX\Lib\site-packages`, `PREFIX\Library\bin`,
/// `PREFIX\DLLs`, `PREFIX\Lib`.
pub(super) fn prefix_of(path: &str) -> Option<String> {
    let parts: Vec<_> = path.split('\\').collect();
    let is = |at: usize, name: &str| parts.get(at).is_some_and(|p| p.eq_ignore_ascii_case(name));
    let folders = parts.len().saturating_sub(1);
    for at in 1..folders {
        let end = if SITE_FOLDERS.iter().any(|site| is(at, site)) {
            if is(at - 1, "lib") { at - 1 } else { at }
        } else if is(at, "library") && is(at + 1, "bin") || is(at, "dlls") {
            at
        } else {
            continue;
        };
        return (end > 1).then(|| parts[..end].join("\\"));
    }
    // A file of the standard library, as tracebacks name them.
    let lib = (2..folders).find(|at| is(*at, "lib"))?;
    Some(parts[..lib].join("\\"))
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
