//! `cargo xtask demo`: the main job from beginning to end, on a throwaway tree.
//!
//! The tree is built twice: one copy is worked on, the other stays as it is, to compare with.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use fixnvpe_tests::fixtures;
use fixnvpe_tests::tree::windows_home;

use crate::check::Checks;
use crate::error::Error;
use crate::files::{self, Difference};
use crate::program::{Outcome, Program};
use crate::samples;
use crate::screen::say;
use crate::workspace::{self, Build};

/// Shows the main job on a throwaway tree: scan, patch, restore, nothing left behind.
#[derive(Debug, clap::Args)]
pub(crate) struct Demo {
    /// Takes the xgboost 1.6.2 wheel from the Python Package Index instead of fixtures (125 MB).
    #[arg(long)]
    real: bool,
    /// Where wheels are kept; default: .cache/samples.
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
}

/// A tree to work on, the same tree to compare with, and what is right about each image.
struct Stage {
    root: PathBuf,
    original: PathBuf,
    /// Conditions by path relative to the root.
    conditions: BTreeMap<PathBuf, &'static str>,
}

/// Runs the demo; it fails where anything is not as it must be.
pub(crate) fn run(demo: &Demo) -> Result<(), Error> {
    say("Building fixnvpe ...");
    let path = workspace::build_program(&Build::default())?;
    let folder = tempfile::tempdir()?;
    let stage = if demo.real {
        real(folder.path(), demo.cache.as_deref())?
    } else {
        throwaway(folder.path())?
    };
    let program = Program::new(path, folder.path().join("state"));
    let mut checks = Checks::default();
    act(&stage, &program, &mut checks)?;
    folder.close()?;
    say("");
    checks.finish()
}

/// A Windows home made of fixtures.
fn throwaway(folder: &Path) -> Result<Stage, Error> {
    let tree = windows_home();
    let (root, original) = (folder.join("C"), folder.join("original"));
    for folder in [&root, &original] {
        fs_err::create_dir(folder)?;
        tree.build_in(folder)?;
    }
    let conditions = tree
        .fixtures()
        .into_iter()
        .filter_map(|(path, name)| Some((path, fixtures::named(&name).expected.condition()?)))
        .collect();
    say(format_args!(
        "Made a Windows home of fixture DLLs in {}",
        root.display()
    ));
    Ok(Stage {
        root,
        original,
        conditions,
    })
}

/// An environment with the real xgboost.
fn real(folder: &Path, cache: Option<&Path>) -> Result<Stage, Error> {
    let wheel = samples::xgboost();
    let (root, original) = (folder.join("venv"), folder.join("original"));
    for folder in [&root, &original] {
        samples::install(&wheel, cache, folder)?;
    }
    let conditions = wheel
        .files
        .iter()
        .map(|file| (samples::installed(file.path), file.condition))
        .collect();
    say(format_args!(
        "Installed {} in {}",
        wheel.requirement,
        root.display()
    ));
    Ok(Stage {
        root,
        original,
        conditions,
    })
}

fn act(stage: &Stage, program: &Program, checks: &mut Checks) -> Result<(), Error> {
    let root = stage.root.as_os_str();
    let before = files::hashes(&stage.root)?;
    let show = |arguments: &[&str]| -> Result<Outcome, Error> {
        let mut line: Vec<_> = arguments.iter().map(std::ffi::OsStr::new).collect();
        line.insert(1, root);
        shown(program, &line)
    };

    let outcome = show(&["scan"])?;
    checks.exit_code("a scan", outcome.code, 0);
    conditions(stage, program, checks)?;

    let outcome = show(&["patch", "--dry-run"])?;
    checks.exit_code("a dry run", outcome.code, 0);
    checks.holds("it changed nothing", files::hashes(&stage.root)? == before);

    let outcome = show(&["patch"])?;
    checks.exit_code("a patch", outcome.code, 0);
    patched(stage, &before, checks)?;

    let outcome = show(&["scan", "--check"])?;
    checks.exit_code(
        "nothing is left to do: a scan with --check",
        outcome.code,
        0,
    );

    let after = files::hashes(&stage.root)?;
    let outcome = show(&["patch"])?;
    checks.exit_code("a second patch", outcome.code, 0);
    checks.holds("it changed nothing", files::hashes(&stage.root)? == after);

    let outcome = shown(program, &["restore", "--last"])?;
    checks.exit_code("a restore", outcome.code, 0);
    let restored = files::hashes(&stage.root)?;
    checks.holds(
        "every file has its first SHA-256 again, and none is new",
        restored == before,
    );
    Ok(())
}

/// Runs a command and shows it with what it says.
fn shown<A: AsRef<std::ffi::OsStr>>(program: &Program, line: &[A]) -> Result<Outcome, Error> {
    let line = line.iter().map(AsRef::as_ref);
    let plain = ["--color", "never", "--lang", "en"].map(std::ffi::OsStr::new);
    let outcome = program.run(line.chain(plain))?;
    let command = outcome.command.replace(" --color never --lang en", "");
    say(format_args!("\n$ {command}"));
    for line in outcome.stdout.lines().chain(outcome.stderr.lines()) {
        say(format_args!("  {line}"));
    }
    Ok(outcome)
}

/// Compares the JSON of a scan with what the table says.
fn conditions(stage: &Stage, program: &Program, checks: &mut Checks) -> Result<(), Error> {
    let (_, document) = program.json([std::ffi::OsStr::new("scan"), stage.root.as_os_str()])?;
    let mut found = BTreeMap::new();
    for image in document["images"].as_array().into_iter().flatten() {
        let condition = image["condition"].as_str().unwrap_or_default();
        for name in image["names"].as_array().into_iter().flatten() {
            let path = Path::new(name.as_str().unwrap_or_default());
            let name = path.strip_prefix(&stage.root).unwrap_or(path);
            found.insert(name.to_path_buf(), condition.to_owned());
        }
    }
    for (path, &must) in &stage.conditions {
        let is = found.get(path).map_or("not listed", String::as_str);
        checks.equal(&path.display().to_string(), &is, &must);
    }
    checks.equal(
        "images listed by all their names",
        &found.len(),
        &stage.conditions.len(),
    );
    Ok(())
}

/// Checks that each writable image differs from the original in the one bit, and nothing else does.
fn patched(stage: &Stage, before: &files::Hashes, checks: &mut Checks) -> Result<(), Error> {
    let after = files::hashes(&stage.root)?;
    let changed: Vec<_> = before
        .iter()
        .filter(|(path, hash)| after.get(*path) != Some(*hash))
        .map(|(path, _)| path.clone())
        .collect();
    let writable: Vec<_> = stage
        .conditions
        .iter()
        .filter(|(_, condition)| **condition == "writable")
        .map(|(path, _)| path.clone())
        .collect();
    checks.holds(
        "the writable images changed and nothing else",
        changed == writable,
    );
    checks.equal("files in the tree", &after.len(), &before.len());
    for path in &changed {
        let (old, new) = (stage.original.join(path), stage.root.join(path));
        let found = files::differences(&old, &new, 8)?;
        let one_bit = matches!(
            found[..],
            [Difference {
                old: 0xC0,
                new: 0x40,
                ..
            }]
        );
        checks.holds(
            &format!("{}: one byte, 0xC0 to 0x40", path.display()),
            one_bit,
        );
    }
    Ok(())
}
