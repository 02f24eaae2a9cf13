//! `conda-meta`: a JSON file a package, some of them with tens of thousands of
//! files. They are streamed: a list is never held whole. A package that lies
//! unpacked in a cache has the same list in its `info/paths.json`.

use std::fmt;
use std::io::{BufReader, Read};
use std::path::Path;

use data_encoding::HEXLOWER_PERMISSIVE;
use serde::Deserialize;
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::record::{File, key_below};
use super::{Record, RecordKind};
use crate::disk::reader::{Reader, find};
use crate::{SkipReason, Skipped};

/// The longest record that is read, in bytes.
const LIMIT: u64 = 256 << 20;

/// The packages that conda recorded in a prefix.
pub(super) fn records(reader: &Reader<'_>, prefix: &Path) -> Vec<Record> {
    let listing = || {
        let folder = reader.folder(prefix)?;
        let meta = find(&folder, "conda-meta", reader.case())?;
        reader.folder(&prefix.join(&meta.name))
    };
    let Some(meta) = listing() else {
        return Vec::new();
    };
    let record = |entry: &fixnvpe_files::Entry| {
        let stem = entry.name.to_str()?.strip_suffix(".json")?;
        Some(Record {
            kind: RecordKind::CondaMeta,
            path: meta.path.join(&entry.name),
            base: prefix.to_path_buf(),
            named: name_and_version(stem)?,
        })
    };
    meta.entries.iter().filter_map(record).collect()
}

/// The package that a folder of a cache holds, if it is such a folder.
pub(super) fn unpacked(reader: &Reader<'_>, prefix: &Path) -> Option<Record> {
    let named = name_and_version(prefix.file_name()?.to_str()?)?;
    let folder = reader.folder(prefix)?;
    let info = find(&folder, "info", reader.case())?;
    let info = reader.folder(&prefix.join(&info.name))?;
    find(&info, "index.json", reader.case())?;
    let paths = find(&info, "paths.json", reader.case())?;
    Some(Record {
        kind: RecordKind::CondaPackage,
        path: info.path.join(&paths.name),
        base: prefix.to_path_buf(),
        named,
    })
}

/// What `NAME-VERSION-BUILD` tells: the name may have hyphens of its own.
fn name_and_version(stem: &str) -> Option<(String, String)> {
    let mut parts = stem.rsplitn(3, '-');
    let (_build, version) = (parts.next()?, parts.next()?);
    Some((parts.next()?.to_owned(), version.to_owned()))
}

/// Hands on every file that the record lists.
pub(super) fn files(reader: &Reader<'_>, record: &Record, take: &mut dyn FnMut(File)) {
    let Some(file) = reader.open(&record.path) else {
        return;
    };
    let mut json = serde_json::Deserializer::from_reader(BufReader::new(file.take(LIMIT)));
    let case = reader.case();
    let mut take = |entry: PathEntry| {
        take(File {
            key: key_below(case, &record.base, &entry.path),
            sha256: entry.hash(),
            size: entry.size(),
        });
    };
    let read = match record.kind {
        RecordKind::CondaPackage => PathsData { take: &mut take }.deserialize(&mut json),
        _ => Meta { take: &mut take }.deserialize(&mut json),
    };
    if let Err(error) = read {
        let detail = error.to_string();
        reader.skip(Skipped::new(&record.path, SkipReason::Malformed, detail));
    }
}

/// A file, as `paths_data.paths` describes it.
#[derive(Debug, Default, Deserialize)]
struct PathEntry {
    #[serde(rename = "_path")]
    path: String,
    #[serde(default)]
    sha256: Option<String>,
    #[serde(default)]
    sha256_in_prefix: Option<String>,
    #[serde(default)]
    size_in_bytes: Option<u64>,
}

impl PathEntry {
    /// The hash of the file as it was installed: conda writes its own prefix
    /// into some files, and notes what came of it.
    fn hash(&self) -> Option<[u8; 32]> {
        let text = self.sha256_in_prefix.as_ref().or(self.sha256.as_ref())?;
        HEXLOWER_PERMISSIVE
            .decode(text.as_bytes())
            .ok()?
            .try_into()
            .ok()
    }

    /// The size is that of the file before: it holds where nothing changed.
    fn size(&self) -> Option<u64> {
        let unchanged = match (&self.sha256, &self.sha256_in_prefix) {
            (Some(before), Some(after)) => before == after,
            _ => true,
        };
        self.size_in_bytes.filter(|_| unchanged)
    }
}

/// Where the files go, one by one.
type Take<'t> = &'t mut dyn FnMut(PathEntry);

/// The record as a whole: `files` (names alone) and `paths_data`.
struct Meta<'t> {
    take: Take<'t>,
}

/// `paths_data`, or `info/paths.json`: an object with `paths`.
struct PathsData<'t> {
    take: Take<'t>,
}

/// `paths`: a list of entries.
struct Paths<'t> {
    take: Take<'t>,
}

/// `files`: a list of names.
struct Names<'t> {
    take: Take<'t>,
}

macro_rules! streamed {
    ($name:ident, $call:ident) => {
        impl<'de> DeserializeSeed<'de> for $name<'_> {
            type Value = ();

            fn deserialize<D: serde::Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
                from.$call(self)
            }
        }
    };
}

streamed!(Meta, deserialize_map);
streamed!(PathsData, deserialize_map);
streamed!(Paths, deserialize_seq);
streamed!(Names, deserialize_seq);

impl<'de> Visitor<'de> for Meta<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a package record of conda")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "files" => map.next_value_seed(Names { take: self.take })?,
                "paths_data" => map.next_value_seed(PathsData { take: self.take })?,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }
}

impl<'de> Visitor<'de> for PathsData<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with `paths`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            if key == "paths" {
                map.next_value_seed(Paths { take: self.take })?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

impl<'de> Visitor<'de> for Paths<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of files")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(entry) = list.next_element::<PathEntry>()? {
            (self.take)(entry);
        }
        Ok(())
    }
}

impl<'de> Visitor<'de> for Names<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of names")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(path) = list.next_element::<String>()? {
            (self.take)(PathEntry {
                path,
                ..PathEntry::default()
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(json: &str) -> Result<Vec<(String, bool, Option<u64>)>, serde_json::Error> {
        let mut found = Vec::new();
        let mut take = |entry: PathEntry| {
            found.push((entry.path.clone(), entry.hash().is_some(), entry.size()));
        };
        let mut from = serde_json::Deserializer::from_reader(json.as_bytes());
        (Meta { take: &mut take }).deserialize(&mut from)?;
        Ok(found)
    }

    #[test]
    fn files_are_handed_on_with_the_hash_they_have_in_the_prefix() {
        let (one, other) = ("0".repeat(64), "F".repeat(64));
        let json = format!(
            r#"{{"name": "x", "files": ["Library/bin/a.dll"], "paths_data": {{"paths_version": 1, "paths": [
                {{"_path": "Library/bin/a.dll", "sha256": "{one}", "sha256_in_prefix": "{one}", "size_in_bytes": 7, "path_type": "hardlink"}},
                {{"_path": "Scripts/b.exe", "sha256": "{one}", "sha256_in_prefix": "{other}", "size_in_bytes": 7}},
                {{"_path": "c.txt", "sha256": "zz"}}]}}, "requested_spec": null}}"#
        );
        let found = entries(&json).unwrap();
        assert_eq!(
            found,
            [
                ("Library/bin/a.dll".into(), false, None),
                ("Library/bin/a.dll".into(), true, Some(7)),
                ("Scripts/b.exe".into(), true, None),
                ("c.txt".into(), false, None),
            ]
        );
    }

    #[test]
    fn records_that_are_not_as_they_should_be_are_errors() {
        for json in [
            "",
            "[]",
            "{",
            r#"{"files": 3}"#,
            r#"{"paths_data": {"paths": [{}]}}"#,
        ] {
            assert!(entries(json).is_err(), "{json}");
        }
        let deep = format!("{{\"x\": {}", "[".repeat(100_000));
        assert!(entries(&deep).is_err());
    }
}
