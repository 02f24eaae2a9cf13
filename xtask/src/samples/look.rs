//! What the program says about files that it only reads.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::change::MOST_MEMORY;
use super::wheel::{Content, Sample};
use super::{Environment, header};
use crate::check::Checks;
use crate::error::Error;
use crate::program::Program;
use crate::screen::say;

/// A page of memory, which commit is counted in.
const PAGE: u64 = 4096;
/// The most that the whole program may read to walk through one image: the headers of a thousand
/// elements and the edges of 66 runs of zeros, and none of the 59 MB between these.
const MOST_INSPECTED: u64 = 2 << 20;
const MEM_WRITE: u32 = 0x8000_0000;

/// Scans the environment: each image of the table, and all others.
pub(super) fn scan(
    environment: &Environment,
    program: &Program,
    checks: &mut Checks,
) -> Result<(), Error> {
    say("\nA scan of the environment");
    let prefix = environment.prefix.as_os_str();
    let (code, document) = program.json([OsStr::new("scan"), prefix])?;
    checks.exit_code("the scan", code, 0);
    checks.json("complete", &document["complete"], true);
    checks.json("failures", &document["failures"], Value::Array(Vec::new()));
    let mut images = by_name(&document["images"], &environment.prefix);
    for (name, sample) in &environment.samples {
        let shown = name.display();
        let Some(image) = images.remove(name) else {
            checks.holds(&format!("{shown} is listed"), false);
            continue;
        };
        say(format_args!("{shown}"));
        headers(environment, name, sample, &image, checks)?;
    }
    // What the table does not name is a PE image without GPU code.
    let odd: Vec<_> = images
        .iter()
        .filter(|(_, image)| image["condition"] != "no_fatbin")
        .map(|(name, _)| name)
        .collect();
    checks.equal(
        &format!(
            "of {} other images, those that are not no_fatbin",
            images.len()
        ),
        &odd,
        &Vec::<&PathBuf>::new(),
    );
    let (code, _) = program.json([OsStr::new("scan"), prefix, OsStr::new("--check")])?;
    checks.exit_code("with --check", code, 3);
    Ok(())
}

/// The entries of a document by their path relative to the prefix.
pub(super) fn by_name(entries: &Value, prefix: &Path) -> BTreeMap<PathBuf, Value> {
    let mut by_name = BTreeMap::new();
    for entry in entries.as_array().into_iter().flatten() {
        let path = Path::new(entry["path"].as_str().unwrap_or_default());
        let name = path.strip_prefix(prefix).unwrap_or(path);
        by_name.insert(name.to_path_buf(), entry.clone());
    }
    by_name
}

/// The headers, as `object` reads them and as the scan says.
fn headers(
    environment: &Environment,
    name: &Path,
    sample: &Sample,
    image: &Value,
    checks: &mut Checks,
) -> Result<(), Error> {
    let path = environment.path(name);
    let header = header::read(&path)?;
    checks.json("condition", &image["condition"], sample.condition);
    checks.equal("reason", &image["reason"].as_str(), &sample.reason);
    checks.json("size", &image["size"], fs_err::metadata(&path)?.len());
    checks.json("machine", &image["machine"], "x86_64");
    checks.equal("CheckSum in the file", &header.check_sum, &sample.check_sum);
    let unset = image["checksum"] == "unset";
    checks.equal("CheckSum is unset", &unset, &(sample.check_sum == 0));
    checks.equal("signed in the file", &header.signed, &sample.signed);
    checks.json("signed", &image["signed"], sample.signed);
    checks.equal("GUARD_CF in the file", &header.guard_cf, &sample.guard_cf);
    checks.json("GUARD_CF", &image["guard_cf"], sample.guard_cf);
    let Some(section) = sample.fatbin else {
        checks.json(
            "fat-binary sections",
            &image["sections"],
            Value::Array(Vec::new()),
        );
        return Ok(());
    };
    let in_file = Some((section.virtual_size, section.characteristics));
    checks.equal(
        ".nv_fatb in the file: size, characteristics",
        &header.fatbin,
        &in_file,
    );
    let said = &image["sections"][0];
    let writable = section.characteristics & MEM_WRITE != 0;
    checks.json(".nv_fatb: name", &said["name"], ".nv_fatb");
    checks.json(
        ".nv_fatb: size",
        &said["virtual_size"],
        section.virtual_size,
    );
    checks.json(".nv_fatb: writable", &said["writable"], writable);
    let commit = |when: &str| image["commit"][when].as_u64().unwrap_or_default();
    let saved = commit("now").saturating_sub(commit("after"));
    let pages = match sample.condition {
        "writable" => u64::from(section.virtual_size).next_multiple_of(PAGE),
        _ => 0,
    };
    checks.equal("commit saved by a patch", &saved, &pages);
    Ok(())
}

/// Inspects each image with GPU code: modules, runs of zeros, architectures; nothing but headers
/// is read.
pub(super) fn inspect(
    environment: &Environment,
    program: &Program,
    checks: &mut Checks,
) -> Result<(), Error> {
    say("\nAn inspection of each fat binary");
    for (name, sample) in &environment.samples {
        let Some(section) = sample.fatbin else {
            continue;
        };
        say(format_args!("{}", name.display()));
        let path = environment.path(name);
        let document = inspected(program, &path, checks)?;
        let sections = document["image"]["sections"].as_array();
        let said = sections
            .into_iter()
            .flatten()
            .find(|section| section["name"] == ".nv_fatb")
            .unwrap_or(&Value::Null);
        checks.json(
            "characteristics",
            &said["characteristics"],
            section.characteristics,
        );
        match section.content {
            Some(content) => walked(&said["fatbin"], &content, checks),
            None => checks.json("GPU code", &said["fatbin"], Value::Null),
        }
    }
    Ok(())
}

fn walked(fatbin: &Value, content: &Content, checks: &mut Checks) {
    let (count, bytes, largest) = content.gaps;
    checks.json("modules", &fatbin["modules"], content.modules);
    checks.json("elements", &fatbin["elements"], content.elements);
    checks.json("runs of zeros", &fatbin["gaps"]["count"], count);
    checks.json("bytes of zeros", &fatbin["gaps"]["bytes"], bytes);
    checks.json("largest run", &fatbin["gaps"]["largest"], largest);
    let mut names: Vec<_> = fatbin["architectures"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|architecture| architecture["name"].as_str().unwrap_or_default())
        .collect();
    names.sort_unstable();
    checks.equal("architectures", &names, &content.architectures);
}

/// The document of an inspection, and what reading it took.
fn inspected(program: &Program, path: &Path, checks: &mut Checks) -> Result<Value, Error> {
    let (outcome, usage) = program.measured([OsStr::new("inspect"), path.as_os_str()])?;
    checks.exit_code("the inspection", outcome.code, 0);
    match usage {
        Some(usage) => {
            checks.below("read by the whole program", usage.read, MOST_INSPECTED);
            checks.below("peak memory", usage.peak_memory, MOST_MEMORY);
        }
        None => checks.not_made("bytes read, peak memory", "only Linux tells them"),
    }
    outcome.document()
}
