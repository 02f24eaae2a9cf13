//! Wheels unpacked into an environment as pip does it on Windows, and the hashes in their `RECORD`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use data_encoding::BASE64URL_NOPAD;
use fixnvpe_tests::tree::sha256;

use super::wheel::installed;
use crate::error::Error;
use crate::files;
use crate::python::python;

/// The SHA-256 that a package's `RECORD` names for each file, by its path relative to the prefix.
pub(super) type Recorded = BTreeMap<PathBuf, [u8; 32]>;

/// Unpacks a wheel into a prefix with `Lib/site-packages`; returns what its `RECORD` names.
pub(super) fn unpack(wheel: &Path, prefix: &Path) -> Result<Recorded, Error> {
    fs_err::create_dir_all(prefix)?;
    let configuration = prefix.join("pyvenv.cfg");
    if !configuration.exists() {
        fs_err::write(configuration, "home = C:\\Python38\nversion = 3.8.10\n")?;
    }
    let unpacked = tempfile::tempdir_in(prefix)?;
    python(&[
        "-m".into(),
        "zipfile".into(),
        "-e".into(),
        wheel.into(),
        unpacked.path().into(),
    ])?;
    let mut recorded = Recorded::new();
    for path in files::below(unpacked.path())? {
        let name = wheel_path(path.strip_prefix(unpacked.path()).unwrap_or(&path));
        let to = prefix.join(installed(&name));
        if let Some(parent) = to.parent() {
            fs_err::create_dir_all(parent)?;
        }
        if name.ends_with(".dist-info/RECORD") {
            recorded = install_record(&path, &to)?;
        } else {
            fs_err::rename(&path, &to)?;
        }
    }
    Ok(recorded)
}

/// A path as wheels spell it.
fn wheel_path(path: &Path) -> String {
    let names: Vec<_> = path.iter().map(|name| name.to_string_lossy()).collect();
    names.join("/")
}

/// Writes a wheel's `RECORD` with the paths at which the files lie now.
fn install_record(from: &Path, to: &Path) -> Result<Recorded, Error> {
    let bad = |what: String| Error::wrong(format!("`{}`: {what}", from.display()));
    let text = fs_err::read(from)?;
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_reader(&*text);
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut recorded = Recorded::new();
    for row in reader.records() {
        let row = row.map_err(|error| bad(error.to_string()))?;
        let (path, hash) = (
            row.get(0).unwrap_or_default(),
            row.get(1).unwrap_or_default(),
        );
        let at = installed(path);
        let shown = wheel_path(&at);
        let relative = match shown.strip_prefix("Lib/site-packages/") {
            Some(within) => within.to_owned(),
            None => format!("../../{shown}"),
        };
        let size = row.get(2).unwrap_or_default();
        writer
            .write_record([&relative, hash, size])
            .map_err(|error| bad(error.to_string()))?;
        if let Some(hash) = hash.strip_prefix("sha256=") {
            let decoded = BASE64URL_NOPAD.decode(hash.as_bytes()).ok();
            let hash = decoded.and_then(|hash| <[u8; 32]>::try_from(hash).ok());
            let hash = hash.ok_or_else(|| bad(format!("no hash for {path}")))?;
            recorded.insert(at, hash);
        }
    }
    let text = writer
        .into_inner()
        .map_err(|error| bad(error.to_string()))?;
    fs_err::write(to, text)?;
    Ok(recorded)
}

/// The files whose hash is not the recorded one.
pub(super) fn changed(prefix: &Path, recorded: &Recorded) -> Result<Vec<PathBuf>, Error> {
    let mut changed = Vec::new();
    for (path, hash) in recorded {
        if sha256(&prefix.join(path))? != *hash {
            changed.push(path.clone());
        }
    }
    Ok(changed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_names_the_places_where_files_were_installed() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (
            folder.path().join("RECORD"),
            folder.path().join("installed"),
        );
        let hash = BASE64URL_NOPAD.encode(&[7; 32]);
        let text = format!(
            "x/lib/x.dll,sha256={hash},10\nx-1.data/data/x/y.dll,sha256={hash},2\nx-1.dist-info/RECORD,,\n"
        );
        fs_err::write(&from, text).unwrap();
        let recorded = install_record(&from, &to).unwrap();
        let paths: Vec<_> = recorded.keys().map(|path| path.to_str().unwrap()).collect();
        assert_eq!(paths, ["Lib/site-packages/x/lib/x.dll", "x/y.dll"]);
        assert_eq!(recorded[Path::new("x/y.dll")], [7; 32]);
        let written = fs_err::read_to_string(to).unwrap();
        let names: Vec<_> = written
            .lines()
            .filter_map(|line| line.split(',').next())
            .collect();
        assert_eq!(
            names,
            ["x/lib/x.dll", "../../x/y.dll", "x-1.dist-info/RECORD"]
        );
    }
}
