//! What the program does to files, compared with copies of them.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::look::by_name;
use super::{Environment, header, install};
use crate::check::Checks;
use crate::error::Error;
use crate::files::{self, Difference};
use crate::program::{Outcome, Program};
use crate::screen::say;

/// The most that the whole program may read for one image, its own start included.
const MOST_READ: u64 = 1 << 20;
/// The most that it may write into one image.
const MOST_WRITTEN: u64 = 4 << 10;
/// The most memory that it may hold.
pub(super) const MOST_MEMORY: u64 = 20 << 20;

/// Patches the largest writable image alone: one byte, in place, at a fixed cost.
pub(super) fn patch_one(
    environment: &Environment,
    program: &Program,
    checks: &mut Checks,
) -> Result<(), Error> {
    let xgboost = Path::new("xgboost/lib/xgboost.dll");
    let Some((name, _)) = environment
        .writable()
        .find(|(name, _)| name.ends_with(xgboost))
    else {
        return Ok(());
    };
    say(format_args!("\nA patch of {}", name.display()));
    let path = environment.path(name);
    let inode = files::inode(&path)?;
    let outcome = patched_at_a_fixed_cost(program, &path, &[], checks)?;
    checks.exit_code("the patch", outcome.code, 0);
    let document = outcome.document()?;
    checks.json("outcome", &document["results"][0]["outcome"], "patched");
    checks.json("method", &document["results"][0]["method"], "in_place");
    checks.equal("inode", &files::inode(&path)?, &inode);
    one_byte(environment, name, checks)?;

    let outcome = patched_at_a_fixed_cost(program, &path, &[], checks)?;
    checks.exit_code("a second time", outcome.code, 0);
    let document = outcome.document()?;
    checks.json(
        "a second time: outcome",
        &document["results"][0]["outcome"],
        "already",
    );
    one_byte(environment, name, checks)
}

/// The file differs from its copy in the write bit's byte alone.
fn one_byte(environment: &Environment, name: &Path, checks: &mut Checks) -> Result<(), Error> {
    let (old, new) = (environment.originals.join(name), environment.path(name));
    let found = files::differences(&old, &new, 16)?;
    let one_bit = matches!(
        found[..],
        [Difference {
            old: 0xC0,
            new: 0x40,
            ..
        }]
    );
    checks.holds(
        &format!("{}: one byte, 0xC0 to 0x40", name.display()),
        one_bit,
    );
    Ok(())
}

/// Patches the whole environment: all writable images, no other.
pub(super) fn patch_all(
    environment: &Environment,
    program: &Program,
    checks: &mut Checks,
) -> Result<(), Error> {
    say("\nA patch of the environment");
    let prefix = environment.prefix.as_os_str();
    let signed = environment
        .samples
        .iter()
        .any(|(_, sample)| sample.reason == Some("signed"));
    let (code, dry) = program.json([OsStr::new("patch"), prefix, OsStr::new("--dry-run")])?;
    // A signed image is left undone, and the caller can change that.
    let must = if signed { 4 } else { 0 };
    checks.exit_code("a dry run", code, must);
    let (code, document) = program.json([OsStr::new("patch"), prefix])?;
    checks.exit_code("the patch", code, must);
    checks.json("failures", &document["failures"], Value::Array(Vec::new()));
    let results = by_name(&document["results"], &environment.prefix);
    let foretold = by_name(&dry["results"], &environment.prefix);
    for (name, sample) in environment
        .samples
        .iter()
        .filter(|(_, one)| one.fatbin.is_some())
    {
        let result = results.get(name).unwrap_or(&Value::Null);
        let shown = name.display().to_string();
        let done = name.ends_with("xgboost.dll");
        let must = match sample.condition {
            "writable" if !done => ("would_patch", "patched"),
            "refused" => ("refused", "refused"),
            _ => ("already", "already"),
        };
        let foretold = foretold.get(name).unwrap_or(&Value::Null);
        checks.json(&format!("{shown}: foretold"), &foretold["outcome"], must.0);
        checks.json(&format!("{shown}: outcome"), &result["outcome"], must.1);
        checks.equal(
            &format!("{shown}: reason"),
            &result["reason"].as_str(),
            &sample.reason,
        );
        if sample.condition == "writable" {
            one_byte(environment, name, checks)?;
        }
    }
    only_these_changed(
        environment,
        environment.writable().map(|(name, _)| name),
        checks,
    )?;
    let (code, _) = program.json([OsStr::new("scan"), prefix, OsStr::new("--check")])?;
    checks.exit_code("nothing is left to do: scan --check", code, 0);
    why_packed(environment, program, checks)
}

/// Compares all files with their recorded hashes.
fn only_these_changed<'a>(
    environment: &Environment,
    must: impl Iterator<Item = &'a PathBuf>,
    checks: &mut Checks,
) -> Result<(), Error> {
    let changed = install::changed(&environment.prefix, &environment.recorded)?;
    let changed: BTreeSet<_> = changed.iter().collect();
    let same = changed == must.collect();
    checks.holds("every other file has the SHA-256 of its RECORD", same);
    let files = files::below(&environment.prefix)?;
    checks.holds("nothing lies beside the files", files == environment.files);
    Ok(())
}

/// A packed image is refused with a sentence for people.
fn why_packed(
    environment: &Environment,
    program: &Program,
    checks: &mut Checks,
) -> Result<(), Error> {
    for (name, sample) in &environment.samples {
        if sample.reason != Some("packed") {
            continue;
        }
        let path = environment.path(name);
        let outcome = program.run([
            OsStr::new("patch"),
            path.as_os_str(),
            OsStr::new("--lang"),
            OsStr::new("en"),
        ])?;
        checks.exit_code(&format!("{} alone", name.display()), outcome.code, 0);
        let said = format!("{}{}", outcome.stdout, outcome.stderr);
        for line in said.lines() {
            say(format_args!("         | {line}"));
        }
        checks.holds(
            "it says that the content is unpacked at load",
            said.contains("pack"),
        );
    }
    Ok(())
}

/// Patches the signed image with `--allow-signed`: CheckSum follows.
pub(super) fn patch_signed(
    environment: &Environment,
    program: &Program,
    checks: &mut Checks,
) -> Result<(), Error> {
    let signed = environment
        .samples
        .iter()
        .filter(|(_, sample)| sample.reason == Some("signed"));
    for (name, sample) in signed {
        say(format_args!(
            "\nA patch of {} with --allow-signed",
            name.display()
        ));
        let path = environment.path(name);
        let field = header::read(&path)?.check_sum_offset;
        checks.equal(
            "CheckSum before, by a full pass",
            &header::check_sum(&path, field)?,
            &sample.check_sum,
        );
        let inode = files::inode(&path)?;
        let outcome = patched_at_a_fixed_cost(program, &path, &["--allow-signed"], checks)?;
        checks.exit_code("the patch", outcome.code, 0);
        checks.json(
            "outcome",
            &outcome.document()?["results"][0]["outcome"],
            "patched",
        );
        checks.equal("inode", &files::inode(&path)?, &inode);
        let after = header::read(&path)?;
        checks.equal(
            "CheckSum, by a full pass",
            &after.check_sum,
            &header::check_sum(&path, field)?,
        );
        checks.holds(
            "CheckSum is another one",
            after.check_sum != sample.check_sum,
        );
        let found = files::differences(&environment.originals.join(name), &path, 16)?;
        let beyond: Vec<_> = found
            .iter()
            .filter(|one| !(field..field + 4).contains(&one.offset))
            .collect();
        let one_bit = matches!(
            beyond[..],
            [Difference {
                old: 0xC0,
                new: 0x40,
                ..
            }]
        );
        checks.holds("beyond the CheckSum one byte, 0xC0 to 0x40", one_bit);
    }
    Ok(())
}

/// Restores everything: each file has the hash of its `RECORD` again.
pub(super) fn restore(
    environment: &Environment,
    program: &Program,
    checks: &mut Checks,
) -> Result<(), Error> {
    say("\nA restore of everything");
    let (code, document) = program.json(["restore", "--everything"])?;
    checks.exit_code("the restore", code, 0);
    let results = by_name(&document["results"], &environment.prefix);
    let restored: BTreeSet<_> = results
        .iter()
        .filter(|(_, result)| result["outcome"] == "restored")
        .map(|(name, _)| name)
        .collect();
    let must: BTreeSet<_> = environment
        .samples
        .iter()
        .filter(|(_, sample)| sample.condition == "writable" || sample.reason == Some("signed"))
        .map(|(name, _)| name)
        .collect();
    checks.equal("files restored", &restored.len(), &must.len());
    checks.holds("they are those that were patched", restored == must);
    only_these_changed(environment, std::iter::empty(), checks)
}

/// Patches one file: what the program read, wrote into the file, and held, whatever its size.
fn patched_at_a_fixed_cost(
    program: &Program,
    path: &Path,
    flags: &[&str],
    checks: &mut Checks,
) -> Result<Outcome, Error> {
    let before = size_of(program.state())?;
    let line = [OsStr::new("patch"), path.as_os_str()];
    let (outcome, usage) =
        program.measured(line.into_iter().chain(flags.iter().map(OsStr::new)))?;
    let Some(usage) = usage else {
        checks.not_made(
            "bytes read and written, peak memory",
            "only Linux tells them",
        );
        return Ok(outcome);
    };
    // What went elsewhere: the document, messages, the journal.
    let elsewhere = outcome.stdout.len() as u64 + outcome.stderr.len() as u64;
    let journal = size_of(program.state())?.saturating_sub(before);
    let written = usage.written.saturating_sub(elsewhere + journal);
    checks.below("read by the whole program", usage.read, MOST_READ);
    checks.below(
        "written beside its output and journal",
        written,
        MOST_WRITTEN,
    );
    checks.below("peak memory", usage.peak_memory, MOST_MEMORY);
    Ok(outcome)
}

/// The size of all files in a folder.
fn size_of(folder: &Path) -> Result<u64, Error> {
    let mut size = 0;
    if folder.is_dir() {
        for file in files::below(folder)? {
            size += fs_err::metadata(file)?.len();
        }
    }
    Ok(size)
}
