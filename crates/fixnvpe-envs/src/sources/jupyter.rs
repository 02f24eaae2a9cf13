//! Jupyter kernels: each names the Python that it starts.

use std::path::{Path, PathBuf};

use crate::candidate::Candidate;
use crate::look::Look;
use crate::places::{Way, expand};
use crate::{Evidence, SkipReason, Skipped, Source};

/// The longest kernel description that is read, in bytes.
const LIMIT: u64 = 256 << 10;

/// The Pythons that installed kernels start.
pub(crate) fn candidates(look: &Look<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    let rows = crate::places().iter();
    for place in rows.filter(|place| place.way == Way::Kernel) {
        for (folder, _) in expand::folders(look, place) {
            if let Some(file) = look.reader.child(&folder, "kernel.json") {
                found.extend(of_file(look, &file));
            }
        }
    }
    found
}

fn of_file(look: &Look<'_>, file: &Path) -> Option<Candidate> {
    let text = look.reader.text(file, LIMIT)?;
    let interpreter = match interpreter(&text) {
        Ok(interpreter) => interpreter?,
        Err(problem) => {
            look.reader
                .skip(Skipped::new(file, SkipReason::Malformed, problem));
            return None;
        }
    };
    let from = file.display().to_string();
    let path = look.locate(&interpreter, &from)?;
    let prefix = prefix_of(&path)?;
    let evidence = Evidence::new(Source::JupyterKernel, from);
    Some(Candidate::prefix(prefix, evidence))
}

/// The program that a kernel starts, where it is a path: `python` alone is
/// whichever is first in PATH.
fn interpreter(text: &str) -> Result<Option<String>, String> {
    let kernel: serde_json::Value =
        serde_json::from_str(text).map_err(|error| error.to_string())?;
    let program = kernel["argv"][0].as_str();
    Ok(program
        .filter(|program| program.contains(['\\', '/']) && !program.contains('{'))
        .map(str::to_owned))
}

/// The prefix that an interpreter belongs to: the folder that holds it, or the
/// one above where it lies in `Scripts` or `bin`.
pub(crate) fn prefix_of(interpreter: &Path) -> Option<PathBuf> {
    prefix_of_folder(interpreter.parent()?)
}

/// The prefix that a folder of programs belongs to.
pub(crate) fn prefix_of_folder(folder: &Path) -> Option<PathBuf> {
    let name = folder.file_name()?.to_string_lossy().to_ascii_lowercase();
    match name.as_str() {
        "scripts" | "bin" => folder.parent().map(Path::to_path_buf),
        _ => Some(folder.to_path_buf()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_names_its_interpreter() {
        let text = r#"{"argv": ["C:\\envs\\yolo\\python.exe", "-m"], "language": "python"}"#;
        assert_eq!(
            interpreter(text),
            Ok(Some(r"C:\envs\yolo\python.exe".into()))
        );
        for text in [
            r#"{"argv": ["python"]}"#,
            r#"{"argv": []}"#,
            "[]",
            "{}",
            r#"{"argv": [1]}"#,
        ] {
            assert_eq!(interpreter(text), Ok(None), "{text}");
        }
        assert!(interpreter("{").is_err());
    }

    #[test]
    fn interpreters_lie_in_the_prefix_or_in_its_scripts() {
        for (interpreter, prefix) in [
            ("/c/envs/yolo/python.exe", "/c/envs/yolo"),
            ("/c/p/venv/Scripts/python.exe", "/c/p/venv"),
            ("/home/ann/venv/bin/python3", "/home/ann/venv"),
        ] {
            let found = prefix_of(Path::new(interpreter));
            assert_eq!(found.as_deref(), Some(Path::new(prefix)));
        }
    }
}
