//! What pip and conda write down about the files that they install.

use std::fmt::Write as _;
use std::io::{self, Read as _};
use std::path::Path;

use data_encoding::{BASE64URL_NOPAD, HEXLOWER};
use serde_json::json;
use sha2::{Digest as _, Sha256};

/// The SHA-256 of a file.
///
/// # Errors
///
/// When the file cannot be read.
pub fn sha256(path: &Path) -> io::Result<[u8; 32]> {
    let mut file = fs_err::File::open(path)?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            return Ok(hasher.finalize().into());
        }
        hasher.update(&buffer[..read]);
    }
}

/// A hash as pip's `RECORD` spells it: base64 for URLs, without padding.
#[must_use]
pub fn urlsafe_base64(hash: &[u8]) -> String {
    BASE64URL_NOPAD.encode(hash)
}

fn owned<P: AsRef<str>>(files: impl IntoIterator<Item = P>) -> Vec<String> {
    files
        .into_iter()
        .map(|file| file.as_ref().to_owned())
        .collect()
}

/// A field of a CSV file, quoted where it must be.
fn csv_field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// A distribution that pip or uv installed.
#[derive(Debug, Clone)]
pub(super) struct Distribution {
    name: String,
    version: String,
    /// Relative to the site-packages folder.
    files: Vec<String>,
}

impl Distribution {
    pub(super) fn new<P: AsRef<str>>(
        name: &str,
        version: &str,
        files: impl IntoIterator<Item = P>,
    ) -> Self {
        Self {
            name: name.to_owned(),
            version: version.to_owned(),
            files: owned(files),
        }
    }

    pub(super) fn write(&self, site_packages: &Path) -> io::Result<()> {
        let Self {
            name,
            version,
            files,
        } = self;
        let folder = format!("{}-{version}.dist-info", name.replace('-', "_"));
        let info = site_packages.join(&folder);
        fs_err::create_dir_all(&info)?;
        let metadata = format!("Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n");
        fs_err::write(info.join("METADATA"), metadata)?;
        fs_err::write(info.join("INSTALLER"), "pip\n")?;
        let metadata_file = format!("{folder}/METADATA");
        let mut record = String::new();
        for file in files.iter().chain([&metadata_file]) {
            let path = site_packages.join(file);
            let hash = urlsafe_base64(&sha256(&path)?);
            let size = fs_err::metadata(&path)?.len();
            let file = csv_field(file);
            // Writing to a string does not fail.
            let _ = writeln!(record, "{file},sha256={hash},{size}");
        }
        let _ = writeln!(record, "{folder}/INSTALLER,,\n{folder}/RECORD,,");
        fs_err::write(info.join("RECORD"), record)
    }
}

/// A package that conda or mamba installed.
#[derive(Debug, Clone)]
pub(super) struct CondaPackage {
    name: String,
    version: String,
    /// Relative to the prefix.
    files: Vec<String>,
}

impl CondaPackage {
    pub(super) fn new<P: AsRef<str>>(
        name: &str,
        version: &str,
        files: impl IntoIterator<Item = P>,
    ) -> Self {
        Self {
            name: name.to_owned(),
            version: version.to_owned(),
            files: owned(files),
        }
    }

    pub(super) fn write(&self, prefix: &Path) -> io::Result<()> {
        let Self {
            name,
            version,
            files,
        } = self;
        let meta = prefix.join("conda-meta");
        fs_err::create_dir_all(&meta)?;
        let mut paths = Vec::new();
        for file in files {
            let path = prefix.join(file);
            let hash = HEXLOWER.encode(&sha256(&path)?);
            paths.push(json!({
                "_path": file,
                "path_type": "hardlink",
                "sha256": hash,
                "sha256_in_prefix": hash,
                "size_in_bytes": fs_err::metadata(&path)?.len(),
            }));
        }
        let record = json!({
            "name": name,
            "version": version,
            "build": "0",
            "fn": format!("{name}-{version}-0.tar.bz2"),
            "files": files,
            "link": { "type": 1 },
            "paths_data": { "paths_version": 1, "paths": paths },
        });
        let record = format!("{record:#}\n");
        fs_err::write(meta.join(format!("{name}-{version}-0.json")), record)
    }
}
