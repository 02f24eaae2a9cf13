//! `cargo xtask fixtures`: the fixture images as files.

use std::path::PathBuf;

use fixnvpe_tests::fixtures::{self, Expected};

use crate::error::Error;
use crate::files::megabytes;
use crate::screen::say;
use crate::workspace;

/// Writes the fixture images into a folder, or lists them.
#[derive(Debug, clap::Args)]
pub(crate) struct Fixtures {
    /// The folder, which is made; default: target/fixtures.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Lists them and writes nothing.
    #[arg(long)]
    list: bool,
}

/// Writes or lists the images, group by group.
pub(crate) fn run(task: &Fixtures) -> Result<(), Error> {
    let out = task.out.clone();
    let out = out.unwrap_or_else(|| workspace::root().join("target/fixtures"));
    for fixture in fixtures::all() {
        let folder = out.join(fixture.group.folder());
        let path = folder.join(fixture.name);
        let image = fixture.assemble()?;
        if !task.list {
            fs_err::create_dir_all(&folder)?;
            if path.exists() {
                fs_err::remove_file(&path)?;
            }
            image.write_to(&path)?;
        }
        say(format_args!(
            "{:<8}{:<36}{:>10}  {:<28}{}",
            fixture.group.folder(),
            fixture.name,
            megabytes(image.len()),
            expected(fixture.expected),
            fixture.about
        ));
    }
    if !task.list {
        say(format_args!("written to {}", out.display()));
    }
    Ok(())
}

fn expected(expected: Expected) -> String {
    match expected {
        Expected::NotPe => "not a PE image".to_owned(),
        Expected::Unsupported => "unsupported".to_owned(),
        other => [other.condition(), other.reason()]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(": "),
    }
}
