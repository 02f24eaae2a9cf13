//! `cargo xtask links`: environments that share files by hard links, as uv makes them.
//!
//! uv installs the real wheels of xgboost and nvjpeg for Windows into environments whose files are
//! hard links of its cache. Then the whole cycle runs on them, and after each step every file is
//! held against the RECORD of its wheel.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::check::Checks;
use crate::error::Error;
use crate::files;
use crate::program::Program;
use crate::python::{python, run};
use crate::screen::say;
use crate::workspace::{self, Build};

const PACKAGES: [&str; 2] = ["xgboost==1.6.2", "nvidia-nvjpeg-cu12==12.4.0.76"];
const DLL: &str = "Lib/site-packages/xgboost/lib/xgboost.dll";

/// Proves on real hard links, made by uv, whose files a patch and a restore change.
#[derive(Debug, clap::Args)]
pub(crate) struct Links {}

/// A Windows disk with environments that uv fills, and its cache.
struct Disk {
    root: PathBuf,
    uv: PathBuf,
    cache: PathBuf,
}

/// Runs the proof; it fails where anything is not as it must be.
pub(crate) fn run_proof(_: &Links) -> Result<(), Error> {
    let path = workspace::build_program(&Build::default())?;
    let folder = tempfile::tempdir()?;
    let disk = Disk::new(folder.path())?;
    let program = Program::new(path, folder.path().join("state"));
    let mut checks = Checks::default();
    one_of_two(&disk, &program, &mut checks)?;
    both_of_two(&disk, &program, &mut checks)?;
    with_the_cache(&disk, &program, &mut checks)?;
    without_a_journal(&disk, &program, folder.path(), &mut checks)?;
    folder.close()?;
    checks.finish()
}

impl Disk {
    fn new(folder: &Path) -> Result<Self, Error> {
        let tool = folder.join("tool");
        say("Installing uv ...");
        python(&["-m".into(), "venv".into(), tool.clone().into()])?;
        let scripts = tool.join(if cfg!(windows) { "Scripts" } else { "bin" });
        let pip = ["-m", "pip", "install", "--quiet", "uv"].map(Into::into);
        run(&scripts.join("python"), &pip)?;
        let root = folder.join("C");
        let cache = root.join("Users/mei/AppData/Local/uv/cache");
        fs_err::create_dir_all(&cache)?;
        Ok(Self {
            root,
            uv: scripts.join("uv"),
            cache,
        })
    }

    /// Makes an environment, its files hard links of the cache.
    fn environment(&self, name: &str) -> Result<PathBuf, Error> {
        let prefix = self.root.join("work").join(name).join(".venv");
        fs_err::create_dir_all(&prefix)?;
        fs_err::write(prefix.join("pyvenv.cfg"), "version = 3.8.10\n")?;
        let mut arguments = vec!["pip".into(), "install".into(), "--quiet".into()];
        for option in [
            "--no-deps",
            "--no-config",
            "--python-platform=windows",
            "--python-version=3.8",
            "--only-binary=:all:",
            "--link-mode=hardlink",
            "--cache-dir",
        ] {
            arguments.push(option.into());
        }
        arguments.push(self.cache.clone().into());
        arguments.push("--target".into());
        arguments.push(prefix.join("Lib/site-packages").into());
        arguments.extend(PACKAGES.map(Into::into));
        run(&self.uv, &arguments)?;
        Ok(prefix)
    }

    /// The DLL in the cache.
    fn cached(&self) -> Result<PathBuf, Error> {
        let end = Path::new("xgboost/lib/xgboost.dll");
        files::below(&self.cache)?
            .into_iter()
            .map(|path| self.cache.join(path))
            .find(|path| path.ends_with(end))
            .ok_or_else(|| Error::wrong("uv's cache holds no xgboost.dll"))
    }

    /// The program's arguments for environments of this disk.
    fn arguments(&self, command: &str, names: &[&str]) -> Vec<String> {
        let mut arguments = vec![
            command.to_owned(),
            "--root".to_owned(),
            self.root.display().to_string(),
        ];
        for name in names {
            arguments.extend(["--env".to_owned(), (*name).to_owned()]);
        }
        arguments
    }
}

/// The states that `verify` gives of the DLLs with GPU code, by environment.
fn states(disk: &Disk, program: &Program, name: &str) -> Result<Vec<String>, Error> {
    let (_, document) = program.json(disk.arguments("verify", &[name]))?;
    let results = document["results"].as_array().cloned().unwrap_or_default();
    let is_image = |result: &&Value| {
        let path = result["path"].as_str().unwrap_or_default();
        path.ends_with("xgboost.dll") || path.ends_with("nvjpeg64_12.dll")
    };
    let mut states: Vec<String> = results
        .iter()
        .filter(is_image)
        .map(|result| result["state"].as_str().unwrap_or_default().to_owned())
        .collect();
    states.sort();
    Ok(states)
}

/// One environment is patched: the other one and the cache keep the original.
fn one_of_two(disk: &Disk, program: &Program, checks: &mut Checks) -> Result<(), Error> {
    say("\nOne of two environments that share a file with the cache");
    let (a, b) = (disk.environment("first")?, disk.environment("second")?);
    let cached = disk.cached()?;
    let shared = files::inode(&cached)?;
    checks.equal(
        "both share the cached file",
        &files::inode(&a.join(DLL))?,
        &shared,
    );
    checks.equal("so does the other", &files::inode(&b.join(DLL))?, &shared);
    let pristine = ["pristine", "pristine"];
    checks.equal("verified", &states(disk, program, "first")?, &pristine);
    let (code, document) = program.json(disk.arguments("patch", &["first"]))?;
    checks.exit_code("the patch", code, 0);
    checks.json("outcome", &document["results"][1]["outcome"], "patched");
    checks.holds(
        "the patched name has a file of its own",
        files::inode(&a.join(DLL))? != shared,
    );
    checks.equal(
        "the other keeps the shared one",
        &files::inode(&b.join(DLL))?,
        &shared,
    );
    let patched = ["patched", "pristine"];
    checks.equal("the first", &states(disk, program, "first")?, &patched);
    checks.equal("the second", &states(disk, program, "second")?, &pristine);
    let (code, _) = program.json(disk.arguments("restore", &["first"]))?;
    checks.exit_code("the restore", code, 0);
    checks.equal("the first", &states(disk, program, "first")?, &pristine);
    Ok(())
}

/// Both are patched: they share one new file, and the cache keeps the original.
fn both_of_two(disk: &Disk, program: &Program, checks: &mut Checks) -> Result<(), Error> {
    say("\nTwo environments at once");
    let (c, d) = (disk.environment("third")?, disk.environment("fourth")?);
    let shared = files::inode(&disk.cached()?)?;
    let (code, document) = program.json(disk.arguments("patch", &["third", "fourth"]))?;
    checks.exit_code("the patch", code, 0);
    let links: Vec<&Value> = document["results"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|result| result["outcome"] == "patched")
        .map(|result| &result["method"])
        .collect();
    checks.equal("one copy for both", &links, &["link"]);
    let new = files::inode(&c.join(DLL))?;
    checks.equal(
        "they share one new file",
        &files::inode(&d.join(DLL))?,
        &new,
    );
    checks.holds("it is not the cached one", new != shared);
    checks.equal(
        "the cache keeps its file",
        &files::inode(&disk.cached()?)?,
        &shared,
    );
    checks.equal(
        "the rest",
        &states(disk, program, "second")?,
        &["pristine", "pristine"],
    );
    let (code, _) = program.json(disk.arguments("restore", &["third"]))?;
    checks.exit_code("the restore of one of them", code, 0);
    checks.equal(
        "it",
        &states(disk, program, "third")?,
        &["pristine", "pristine"],
    );
    checks.equal(
        "not the other",
        &states(disk, program, "fourth")?,
        &["patched", "pristine"],
    );
    let (code, _) = program.json(disk.arguments("restore", &["fourth"]))?;
    checks.exit_code("the restore of the other", code, 0);
    checks.equal(
        "it",
        &states(disk, program, "fourth")?,
        &["pristine", "pristine"],
    );
    Ok(())
}

/// With the cache and every environment that shares it, one file is written in place.
fn with_the_cache(disk: &Disk, program: &Program, checks: &mut Checks) -> Result<(), Error> {
    say("\nEvery environment, and the cache");
    let e = disk.environment("fifth")?;
    let shared = files::inode(&disk.cached()?)?;
    let mut all = disk.arguments("patch", &[]);
    all.extend(["--all-envs".to_owned(), "--caches".to_owned()]);
    let (code, document) = program.json(&all)?;
    checks.exit_code("the patch", code, 0);
    let of_cache = document["results"]
        .as_array()
        .into_iter()
        .flatten()
        .find(|result| {
            let names = result["names"].as_array().into_iter().flatten();
            let fifth = e.join(DLL).display().to_string();
            names.into_iter().any(|name| name == fifth.as_str())
        });
    checks.json(
        "the shared file is changed",
        of_cache.map_or(&Value::Null, |result| &result["method"]),
        "in_place",
    );
    checks.equal("the inode", &files::inode(&disk.cached()?)?, &shared);
    "restore".clone_into(&mut all[0]);
    let (code, _) = program.json(&all)?;
    checks.exit_code("the restore", code, 0);
    for name in ["first", "second", "third", "fourth", "fifth"] {
        checks.equal(
            name,
            &states(disk, program, name)?,
            &["pristine", "pristine"],
        );
    }
    Ok(())
}

/// The journal is lost: what RECORD says proves the original.
fn without_a_journal(
    disk: &Disk,
    program: &Program,
    folder: &Path,
    checks: &mut Checks,
) -> Result<(), Error> {
    say("\nA restore without the journal");
    let (code, _) = program.json(disk.arguments("patch", &["fifth"]))?;
    checks.exit_code("the patch", code, 0);
    let other = Program::new(program.path().to_path_buf(), folder.join("another state"));
    let (code, document) = other.json(disk.arguments("restore", &["fifth"]))?;
    checks.exit_code("the restore", code, 0);
    checks.json("outcome", &document["results"][1]["outcome"], "restored");
    checks.equal(
        "verified",
        &states(disk, program, "fifth")?,
        &["pristine", "pristine"],
    );
    Ok(())
}
