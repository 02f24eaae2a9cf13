//! `cargo xtask samples`: real wheels from the Python Package Index, and every cell of the table of
//! what is right about them ([`table`]).
//!
//! The wheels are installed as pip does it on Windows into one environment, scanned, inspected,
//! patched and restored by the built program with a journal of its own. What the program says is
//! compared with the table, what it does with a copy of the files, with the `object` crate and with
//! each wheel's `RECORD`.

mod change;
mod download;
mod header;
mod install;
mod look;
mod table;
mod thrust;
mod wheel;

use std::path::{Path, PathBuf};

use fixnvpe_tests::tree::sha256;

pub(crate) use self::table::xgboost;
pub(crate) use self::wheel::{Wheel, installed};

use self::install::Recorded;
use self::wheel::Sample;
use crate::check::Checks;
use crate::error::Error;
use crate::files;
use crate::program::Program;
use crate::screen::say;
use crate::workspace::{self, Build};

/// Downloads real wheels and checks what fixnvpe does to their DLLs.
#[derive(Debug, clap::Args)]
pub(crate) struct Samples {
    /// nvjpeg, CuPy, xgboost and onnxruntime (430 MB): the default.
    #[arg(long, conflicts_with = "all")]
    small: bool,
    /// mxnet and torch too (1 GB).
    #[arg(long)]
    all: bool,
    /// Where wheels are kept; default: .cache/samples.
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
}

/// An environment with wheels, and what is right about it.
struct Environment {
    prefix: PathBuf,
    /// Copies of the images with fat binaries, by the same relative paths.
    originals: PathBuf,
    /// The images that the table names, by path relative to the prefix.
    samples: Vec<(PathBuf, Sample)>,
    recorded: Recorded,
    /// Every file there is before the program runs.
    files: Vec<PathBuf>,
}

impl Environment {
    fn path(&self, name: &Path) -> PathBuf {
        self.prefix.join(name)
    }

    /// The samples that a patch without further flags changes.
    fn writable(&self) -> impl Iterator<Item = &(PathBuf, Sample)> {
        self.samples
            .iter()
            .filter(|(_, sample)| sample.condition == "writable")
    }
}

/// Downloads, and checks everything.
pub(crate) fn run(task: &Samples) -> Result<(), Error> {
    let cache = cache_folder(task.cache.as_deref());
    let wanted = |wheel: &&Wheel| task.all || wheel.small;
    let wheels: Vec<&Wheel> = table::SHARED.iter().filter(wanted).collect();
    say("Building fixnvpe ...");
    let program = workspace::build_program(&Build::default())?;
    fs_err::create_dir_all(&cache)?;
    let work = tempfile::tempdir_in(&cache)?;
    let program = Program::new(program, work.path().join("state"));
    let mut checks = Checks::default();

    let environment = install_all(&wheels, &cache, work.path(), &mut checks)?;
    look::scan(&environment, &program, &mut checks)?;
    look::inspect(&environment, &program, &mut checks)?;
    change::patch_one(&environment, &program, &mut checks)?;
    change::patch_all(&environment, &program, &mut checks)?;
    change::patch_signed(&environment, &program, &mut checks)?;
    change::restore(&environment, &program, &mut checks)?;
    thrust::trap(&program, &cache, work.path(), &mut checks)?;
    work.close()?;
    checks.finish()
}

/// Where wheels are kept.
fn cache_folder(asked: Option<&Path>) -> PathBuf {
    asked.map_or_else(
        || workspace::root().join(".cache/samples"),
        Path::to_path_buf,
    )
}

/// Downloads a wheel unless the cache holds it, and unpacks it into a prefix.
pub(crate) fn install(
    wheel: &Wheel,
    cache: Option<&Path>,
    prefix: &Path,
) -> Result<Recorded, Error> {
    let file = download::obtain(wheel, &cache_folder(cache))?;
    install::unpack(&file, prefix)
}

fn install_all(
    wheels: &[&Wheel],
    cache: &Path,
    work: &Path,
    checks: &mut Checks,
) -> Result<Environment, Error> {
    let prefix = work.join("venv");
    let originals = work.join("originals");
    let mut samples = Vec::new();
    let mut recorded = Recorded::new();
    for wheel in wheels {
        say(format_args!("Installing {} ...", wheel.requirement));
        let mut files = install(wheel, Some(cache), &prefix)?;
        let changed = install::changed(&prefix, &files)?;
        let misrecorded: Vec<_> = wheel
            .misrecorded
            .iter()
            .map(|path| installed(path))
            .collect();
        let what = format!("{}: files that are not as RECORD says", wheel.requirement);
        checks.equal(&what, &changed, &misrecorded);
        for path in changed {
            let hash = sha256(&prefix.join(&path))?;
            files.insert(path, hash);
        }
        recorded.extend(files);
        samples.extend(
            wheel
                .files
                .iter()
                .map(|sample| (installed(sample.path), *sample)),
        );
    }
    for (name, _) in samples.iter().filter(|(_, sample)| sample.fatbin.is_some()) {
        let to = originals.join(name);
        if let Some(parent) = to.parent() {
            fs_err::create_dir_all(parent)?;
        }
        fs_err::copy(prefix.join(name), to)?;
    }
    Ok(Environment {
        files: files::below(&prefix)?,
        prefix,
        originals,
        samples,
        recorded,
    })
}
