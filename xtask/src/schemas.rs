//! `cargo xtask schemas`: the JSON Schemas of the program's documents, as the program prints them.

use crate::error::Error;
use crate::program::Program;
use crate::screen::say;
use crate::workspace::{self, Build};

/// The documents that `fixnvpe schema` knows.
const DOCUMENTS: [&str; 12] = [
    "scan", "patch", "restore", "verify", "inspect", "history", "envs", "doctor", "explain",
    "measure", "events", "error",
];

/// Writes the JSON Schemas of the program's documents into docs/schemas, or checks them.
#[derive(Debug, clap::Args)]
pub(crate) struct Schemas {
    /// Fails where a file is not what the program prints, and writes nothing.
    #[arg(long)]
    check: bool,
}

/// Writes or checks the files.
pub(crate) fn run(task: &Schemas) -> Result<(), Error> {
    let state = tempfile::tempdir()?;
    let path = workspace::build_program(&Build::default())?;
    let program = Program::new(path, state.path().to_path_buf());
    let folder = workspace::root().join("docs/schemas");
    fs_err::create_dir_all(&folder)?;
    for document in DOCUMENTS {
        let outcome = program.run(["schema", document])?;
        if outcome.code != Some(0) {
            let what = format!("`{}` failed: {}", outcome.command, outcome.stderr);
            return Err(Error::wrong(what));
        }
        let file = folder.join(format!("{document}.json"));
        if task.check {
            if fs_err::read_to_string(&file)? != outcome.stdout {
                let what = format!("`{}` is old: run `cargo xtask schemas`", file.display());
                return Err(Error::wrong(what));
            }
        } else {
            fs_err::write(&file, &outcome.stdout)?;
            say(file.display());
        }
    }
    Ok(())
}
