//! The workspace that the tasks belong to, and what cargo builds of it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::error::Error;

/// The root of the workspace that this program was built from.
pub(crate) fn root() -> &'static Path {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own)
}

/// How to build the program.
#[derive(Debug, Default)]
pub(crate) struct Build<'a> {
    /// With optimizations.
    pub(crate) release: bool,
    /// With exactly the versions of the lock file.
    pub(crate) locked: bool,
    /// For another target.
    pub(crate) target: Option<&'a str>,
}

/// Builds the program; its path.
pub(crate) fn build_program(build: &Build<'_>) -> Result<PathBuf, Error> {
    // The cargo that runs this task, so that both use one toolchain.
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(&cargo);
    command
        .current_dir(root())
        .args([
            "build",
            "--quiet",
            "--package",
            "fixnvpe",
            "--bin",
            "fixnvpe",
        ])
        .arg("--message-format=json-render-diagnostics")
        .stderr(Stdio::inherit());
    if build.release {
        command.arg("--release");
    }
    if build.locked {
        command.arg("--locked");
    }
    if let Some(target) = build.target {
        command.args(["--target", target]);
    }
    let shown = "cargo build --package fixnvpe";
    let output = command.output().map_err(|source| Error::NotStarted {
        command: shown.to_owned(),
        source,
    })?;
    if !output.status.success() {
        return Err(Error::Failed {
            command: shown.to_owned(),
            status: output.status,
            stderr: String::new(),
        });
    }
    executable(&String::from_utf8_lossy(&output.stdout))
        .ok_or_else(|| Error::wrong("cargo built no program `fixnvpe`"))
}

/// The program's path in cargo's messages.
fn executable(messages: &str) -> Option<PathBuf> {
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| message["target"]["name"] == "fixnvpe")
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_is_found_among_the_messages_of_cargo() {
        let messages = r#"{"reason":"compiler-artifact","target":{"name":"serde"},"executable":null}
{"reason":"compiler-artifact","target":{"name":"fixnvpe"},"executable":"/x/debug/fixnvpe"}
{"reason":"build-finished","success":true}"#;
        assert_eq!(
            executable(messages),
            Some(PathBuf::from("/x/debug/fixnvpe"))
        );
        assert_eq!(executable("not json"), None);
    }
}
