//! `cargo xtask bench`: an edit in place against rewriting the whole file, side by side.
//!
//! The rewriting is done as older tools do it: read the file, write a changed copy beside it, remove
//! the original, rename the copy. It is done by this program without any parsing, so that the
//! figure is the least that such a tool can take; nor does it wait for the disk, which the edit
//! does. Times depend on the machine; the ratio of two ways in one run is what to look at.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use fixnvpe_tests::fixtures::{self, Fixture};
use fs_err::File;

use crate::error::Error;
use crate::files::megabytes;
use crate::program::Program;
use crate::screen::say;
use crate::workspace::{self, Build};

/// Compares an edit in place with rewriting the whole file.
#[derive(Debug, clap::Args)]
pub(crate) struct Bench {
    /// How often each way runs.
    #[arg(long, default_value_t = 10)]
    runs: usize,
    /// The folder for the files; default: the system's temporary folder.
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// Runs both ways on a file with holes and on one without.
pub(crate) fn run(bench: &Bench) -> Result<(), Error> {
    say("Building fixnvpe with optimizations ...");
    let release = Build {
        release: true,
        ..Build::default()
    };
    let path = workspace::build_program(&release)?;
    let folder = match &bench.folder {
        Some(folder) => tempfile::tempdir_in(folder)?,
        None => tempfile::tempdir()?,
    };
    let program = Program::new(path, folder.path().join("state"));
    let image = fixtures::named("xgboost.dll");
    for (what, holes) in [("with holes", true), ("without holes", false)] {
        let path = folder.path().join(format!("{what}.dll"));
        write(&image, &path, holes)?;
        let size = megabytes(fs_err::metadata(&path)?.len());
        say(format_args!("\n{size} {what}, {} runs each", bench.runs));
        compare(&program, &path, bench.runs.max(1))?;
    }
    folder.close()?;
    Ok(())
}

/// Writes the image; without holes every zero is written too.
fn write(image: &Fixture, path: &Path, holes: bool) -> Result<(), Error> {
    let bytes = image.assemble()?;
    if holes {
        return Ok(bytes.write_to(path)?);
    }
    let mut file = File::create_new(path)?;
    let mut buffer = vec![0; 1 << 20];
    let mut offset = 0;
    loop {
        let read = bytes.read_at(offset, &mut buffer);
        if read == 0 {
            break;
        }
        std::io::Write::write_all(&mut file, &buffer[..read])?;
        offset += read as u64;
    }
    Ok(file.sync_all()?)
}

fn compare(program: &Program, path: &Path, runs: usize) -> Result<(), Error> {
    let (mut edits, mut rewrites) = (Vec::new(), Vec::new());
    for _ in 0..runs {
        let line = [std::ffi::OsStr::new("patch"), path.as_os_str()];
        let (time, outcome) = timed(|| program.run(line))?;
        ended_well(outcome.code, &outcome.command)?;
        edits.push(time);
        let line = [std::ffi::OsStr::new("restore"), path.as_os_str()];
        let outcome = program.run(line)?;
        ended_well(outcome.code, &outcome.command)?;
        let (time, ()) = timed(|| rewrite(path))?;
        rewrites.push(time);
        // Else the next edit, which is synced to disk, would pay for the copy, which is not.
        File::options().write(true).open(path)?.sync_all()?;
    }
    let edit = Times::of(edits);
    let rewrite = Times::of(rewrites);
    say(format_args!("  edit in place (fixnvpe patch)   {edit}"));
    say(format_args!("  read, write a copy, rename      {rewrite}"));
    let ratio = rewrite.median.as_secs_f64() / edit.median.as_secs_f64();
    say(format_args!(
        "  the copy takes {ratio:.1} times as long (median)"
    ));
    Ok(())
}

fn ended_well(code: Option<i32>, command: &str) -> Result<(), Error> {
    if code == Some(0) {
        return Ok(());
    }
    Err(Error::wrong(format!("`{command}` ended with {code:?}")))
}

fn timed<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<(Duration, T), Error> {
    let start = Instant::now();
    let result = work()?;
    Ok((start.elapsed(), result))
}

/// Reads the file, writes a copy beside it, and puts the copy in its place. Nothing in it changes,
/// so that the next run finds the same file.
fn rewrite(path: &Path) -> Result<(), Error> {
    let copy = path.with_extension("dll_mod");
    let bytes = fs_err::read(path)?;
    fs_err::write(&copy, bytes)?;
    fs_err::remove_file(path)?;
    Ok(fs_err::rename(copy, path)?)
}

/// The shortest, middle and longest of some times.
#[derive(Debug, PartialEq, Eq)]
struct Times {
    min: Duration,
    median: Duration,
    max: Duration,
}

impl Times {
    /// Of at least one time.
    fn of(mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        let at = |index: usize| times.get(index).copied().unwrap_or_default();
        Self {
            min: at(0),
            median: at(times.len() / 2),
            max: at(times.len().saturating_sub(1)),
        }
    }
}

impl std::fmt::Display for Times {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [min, median, max] =
            [self.min, self.median, self.max].map(|time| time.as_secs_f64() * 1e3);
        write!(
            f,
            "min {min:9.2} ms   median {median:9.2} ms   max {max:9.2} ms"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_one() {
        let times = [5, 1, 9].map(Duration::from_millis).to_vec();
        let must = [1, 5, 9].map(Duration::from_millis);
        let Times { min, median, max } = Times::of(times);
        assert_eq!([min, median, max], must);
    }

    #[test]
    fn a_file_without_holes_holds_the_same_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let image = fixtures::named("check_sum_true.dll");
        let (one, two) = (folder.path().join("one"), folder.path().join("two"));
        write(&image, &one, true).unwrap();
        write(&image, &two, false).unwrap();
        assert_eq!(fs_err::read(one).unwrap(), fs_err::read(&two).unwrap());
        let bytes = fs_err::read(&two).unwrap();
        rewrite(&two).unwrap();
        assert_eq!(fs_err::read(&two).unwrap(), bytes);
    }
}
