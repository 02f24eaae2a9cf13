//! `dist-info` and `egg-info` folders (the packaging guide's "Recording
//! installed projects").

use std::io::Read;
use std::path::{Path, PathBuf};

use data_encoding::BASE64URL_NOPAD;
use fixnvpe_files::{Entry, Kind as FileKind};

use super::record::{File, key_below};
use super::{Record, RecordKind};
use crate::disk::names::path_key;
use crate::disk::reader::{Reader, find};
use crate::disk::text;
use crate::{Machine, SkipReason, Skipped};

/// How much of a metadata file is read, in bytes: its head names the package,
/// a description of any length follows.
const HEAD: u64 = 64 << 10;

/// The longest RECORD that is read, in bytes.
const LIMIT: u64 = 64 << 20;

/// The distributions that lie in a `site-packages`.
pub(super) fn records(reader: &Reader<'_>, site: &Path) -> Vec<Record> {
    let Some(folder) = reader.folder(site) else {
        return Vec::new();
    };
    let record = |entry: &Entry| {
        let name = entry.name.to_str().filter(|name| !name.starts_with('~'))?;
        let (stem, extension) = name.rsplit_once('.')?;
        let kind = match extension.to_ascii_lowercase().as_str() {
            "dist-info" if entry.kind != FileKind::File => RecordKind::DistInfo,
            "egg-info" | "egg" => RecordKind::EggInfo,
            _ => return None,
        };
        let named = match stem.split_once('-') {
            // `NAME-VERSION-py3.8` is how setuptools called them.
            Some((name, rest)) => (name, rest.split("-py").next().unwrap_or(rest)),
            None => (stem, ""),
        };
        Some(Record {
            kind,
            path: site.join(&entry.name),
            base: site.to_path_buf(),
            named: (named.0.to_owned(), named.1.to_owned()),
        })
    };
    folder.entries.iter().filter_map(record).collect()
}

/// Folders that pip renamed and could not remove.
pub(super) fn leftovers(reader: &Reader<'_>, site: &Path) -> Vec<PathBuf> {
    let Some(folder) = reader.folder(site) else {
        return Vec::new();
    };
    let is_leftover = |entry: &&Entry| {
        entry.kind == FileKind::Folder && entry.name.as_encoded_bytes().starts_with(b"~")
    };
    let entries = folder.entries.iter().filter(is_leftover);
    entries.map(|entry| site.join(&entry.name)).collect()
}

/// The name and version that the metadata tell.
pub(super) fn named(reader: &Reader<'_>, record: &Path) -> Option<(String, String)> {
    let file = match reader.folder(record) {
        Some(folder) => {
            let entry = |name| find(&folder, name, reader.case());
            let inside = entry("METADATA").or_else(|| entry("PKG-INFO"));
            match inside {
                Some(inside) => record.join(&inside.name),
                None => record.join("EGG-INFO").join("PKG-INFO"),
            }
        }
        // An egg-info may be a file: the metadata themselves.
        None => record.to_path_buf(),
    };
    let head = reader.start(&file, HEAD)?;
    parse_head(&text::decode(&head))
}

/// `Name` and `Version` of a metadata file's head.
fn parse_head(text: &str) -> Option<(String, String)> {
    let (mut name, mut version) = (None, None);
    for line in text.lines().take_while(|line| !line.trim().is_empty()) {
        let Some((field, value)) = line.split_once(':') else {
            continue;
        };
        match field.to_ascii_lowercase().as_str() {
            "name" => name = name.or(Some(value.trim().to_owned())),
            "version" => version = version.or(Some(value.trim().to_owned())),
            _ => {}
        }
    }
    Some((
        name.filter(|name| !name.is_empty())?,
        version.unwrap_or_default(),
    ))
}

/// Whether conda installed it: conda says so in `INSTALLER`.
pub(super) fn is_from_conda(reader: &Reader<'_>, record: &Path) -> bool {
    let installer = record.join("INSTALLER");
    let text = reader.text(&installer, HEAD);
    text.is_some_and(|text| text.trim().eq_ignore_ascii_case("conda"))
}

/// Hands on every file that RECORD lists.
pub(super) fn files(
    reader: &Reader<'_>,
    machine: &Machine,
    record: &Record,
    take: &mut dyn FnMut(File),
) {
    let path = record.path.join("RECORD");
    let Some(file) = reader.open(&path) else {
        return;
    };
    let mut rows = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_reader(file.take(LIMIT));
    let mut row = csv::ByteRecord::new();
    loop {
        match rows.read_byte_record(&mut row) {
            Ok(true) => {
                if let Some(file) = parse_row(reader, machine, &record.base, &row) {
                    take(file);
                }
            }
            Ok(false) => break,
            Err(error) => {
                let detail = error.to_string();
                reader.skip(Skipped::new(path, SkipReason::Malformed, detail));
                return;
            }
        }
    }
    if rows.position().byte() >= LIMIT {
        let detail = format!("only its first {LIMIT} bytes are read");
        reader.skip(Skipped::new(path, SkipReason::TooLarge, detail));
    }
}

fn parse_row(
    reader: &Reader<'_>,
    machine: &Machine,
    base: &Path,
    row: &csv::ByteRecord,
) -> Option<File> {
    let written = std::str::from_utf8(row.get(0)?).ok()?;
    let case = reader.case();
    // Paths are relative to the folder of the `dist-info`, save for what an
    // installer put elsewhere.
    let key = match machine.locate(written) {
        Ok((root, parts)) => {
            let path = parts.iter().fold(root, |path, part| path.join(part));
            path_key(case, &path)
        }
        Err(_) => key_below(case, base, written),
    };
    Some(File {
        key,
        sha256: row.get(1).and_then(parse_hash),
        size: row
            .get(2)
            .and_then(|size| std::str::from_utf8(size).ok()?.trim().parse().ok()),
    })
}

/// `sha256=` and the digest in URL-safe base64 without padding.
fn parse_hash(field: &[u8]) -> Option<[u8; 32]> {
    let digest = field.strip_prefix(b"sha256=")?;
    let end = digest.iter().rposition(|&byte| byte != b'=')? + 1;
    BASE64URL_NOPAD.decode(&digest[..end]).ok()?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_of_the_metadata_names_the_package() {
        let text = "Metadata-Version: 2.1\r\nName: Torch\r\nVersion: 1.12.1+cu113\r\nSummary: a: b\r\n\r\nName: not\r\n";
        assert_eq!(
            parse_head(text),
            Some(("Torch".into(), "1.12.1+cu113".into()))
        );
        assert_eq!(parse_head("Version: 1\n"), None);
        assert_eq!(parse_head(""), None);
    }

    #[test]
    fn hashes_are_read_with_and_without_padding() {
        let empty = [
            0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4, 0xc8, 0x99, 0x6f,
            0xb9, 0x24, 0x27, 0xae, 0x41, 0xe4, 0x64, 0x9b, 0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b,
            0x78, 0x52, 0xb8, 0x55,
        ];
        let bare = b"sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU";
        assert_eq!(parse_hash(bare), Some(empty));
        assert_eq!(parse_hash(&[&bare[..], b"="].concat()), Some(empty));
        for odd in [
            &b"sha256="[..],
            b"md5=47DE",
            b"",
            b"sha256=47DE",
            b"sha256=!!!!",
        ] {
            assert_eq!(parse_hash(odd), None);
        }
    }
}
