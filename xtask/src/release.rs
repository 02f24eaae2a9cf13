//! `cargo xtask release`: archives of the program, one for each target, and their hashes.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use data_encoding::HEXLOWER;
use fixnvpe_tests::tree::sha256;

use crate::error::Error;
use crate::program::Program;
use crate::python::python_in;
use crate::screen::say;
use crate::workspace::{self, Build};

/// Builds an archive of the program for each target.
#[derive(Debug, clap::Args)]
pub(crate) struct Release {
    /// Targets of rustc; default: the one of this machine.
    #[arg(value_name = "TARGET")]
    targets: Vec<String>,
    /// The folder for the archives; default: target/release-archives.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// What goes into every archive beside the program.
const DOCUMENTS: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];

/// A shell, and the name of the file with its completions.
const SHELLS: [(&str, &str); 5] = [
    ("bash", "fixnvpe.bash"),
    ("zsh", "_fixnvpe"),
    ("fish", "fixnvpe.fish"),
    ("powershell", "_fixnvpe.ps1"),
    ("elvish", "fixnvpe.elv"),
];

/// Builds, packs, and writes `SHA256SUMS`.
pub(crate) fn run(task: &Release) -> Result<(), Error> {
    let out = task.out.clone();
    let out = out.unwrap_or_else(|| workspace::root().join("target/release-archives"));
    fs_err::create_dir_all(&out)?;
    let host = host()?;
    let targets = if task.targets.is_empty() {
        std::slice::from_ref(&host)
    } else {
        &task.targets
    };
    // The program of this machine writes the texts, whatever the target.
    let own = built(&host)?;
    let mut sums = String::new();
    for target in targets {
        let program = if *target == host {
            own.clone()
        } else {
            built(target)?
        };
        let archive = pack(&program, &own, target, &out)?;
        let hash = HEXLOWER.encode(&sha256(&archive)?);
        let name = archive.file_name().unwrap_or_default().to_string_lossy();
        sums.extend([&hash, "  ", &name, "\n"]);
        say(archive.display());
    }
    let file = out.join("SHA256SUMS");
    fs_err::write(&file, sums)?;
    say(file.display());
    Ok(())
}

fn built(target: &str) -> Result<PathBuf, Error> {
    say(format_args!("Building fixnvpe for {target} ..."));
    workspace::build_program(&Build {
        release: true,
        locked: true,
        target: Some(target),
    })
}

/// The target of this machine.
fn host() -> Result<String, Error> {
    let command = "rustc -vV".to_owned();
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| OsString::from("rustc"));
    let output = Command::new(rustc).arg("-vV").output();
    let output = output.map_err(|source| Error::NotStarted { command, source })?;
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .find_map(|line| line.strip_prefix("host: ").map(str::to_owned))
        .ok_or_else(|| Error::wrong("rustc does not name its host"))
}

/// Fills a folder and makes an archive of it: `.zip` for Windows, else `.tar.gz`.
fn pack(program: &Path, own: &Path, target: &str, out: &Path) -> Result<PathBuf, Error> {
    let name = format!("fixnvpe-{}-{target}", env!("CARGO_PKG_VERSION"));
    let work = tempfile::tempdir_in(out)?;
    let folder = work.path().join(&name);
    fs_err::create_dir_all(folder.join("completions"))?;
    let file_name = program.file_name().unwrap_or_default();
    fs_err::copy(program, folder.join(file_name))?;
    for document in DOCUMENTS {
        fs_err::copy(workspace::root().join(document), folder.join(document))?;
    }
    let own = Program::new(own.to_path_buf(), work.path().join("state"));
    for (shell, file) in SHELLS {
        let text = printed(&own, &["completions", shell])?;
        fs_err::write(folder.join("completions").join(file), text)?;
    }
    fs_err::write(folder.join("fixnvpe.1"), printed(&own, &["man"])?)?;

    let (module, ending) = archive_of(target);
    let archive = out.join(format!("{name}.{ending}"));
    if archive.exists() {
        fs_err::remove_file(&archive)?;
    }
    // Run beside the folder, so that the archive holds its name and no more of this machine.
    let archive = std::path::absolute(archive)?;
    let arguments = ["-m", module, "-c"].map(OsString::from);
    let named = [archive.clone().into(), OsString::from(&name)];
    python_in(work.path(), &[&arguments[..], &named].concat())?;
    Ok(archive)
}

/// Python's module for an archive that the target's users can open, and its ending.
fn archive_of(target: &str) -> (&'static str, &'static str) {
    if target.contains("windows") {
        ("zipfile", "zip")
    } else {
        ("tarfile", "tar.gz")
    }
}

fn printed(program: &Program, line: &[&str]) -> Result<String, Error> {
    let outcome = program.run(line)?;
    if outcome.code == Some(0) && !outcome.stdout.is_empty() {
        return Ok(outcome.stdout);
    }
    let what = format!("`{}` printed nothing: {}", outcome.command, outcome.stderr);
    Err(Error::wrong(what))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_gets_a_zip() {
        assert_eq!(archive_of("x86_64-pc-windows-msvc").1, "zip");
        assert_eq!(archive_of("aarch64-apple-darwin").1, "tar.gz");
    }

    #[test]
    fn what_goes_into_an_archive_exists() {
        for document in DOCUMENTS {
            assert!(workspace::root().join(document).is_file(), "{document}");
        }
    }
}
