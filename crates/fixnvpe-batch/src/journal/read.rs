//! Reading a journal: line by line, whatever has become of it.

use std::io;
use std::path::{Path, PathBuf};

use super::record::{Line, Record, VERSION};
use super::soundness;
use crate::filesystem::FileSystem;
use crate::report::Code;

/// The journal's name within a state folder.
pub(crate) const JOURNAL: &str = "journal.jsonl";

/// No line is longer: a file may have a thousand names. A longer one is
/// garbage, and is skipped without being kept in memory.
const LONGEST_LINE: usize = 4 << 20;
const CHUNK: usize = 64 * 1024;

/// A line that is not understood. It stays where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BadLine {
    /// The journal.
    pub journal: PathBuf,
    /// The number of the line, from 1; 0 for a journal that cannot be read.
    pub line: u64,
    /// What is wrong with it, in English.
    pub what: String,
}

/// What a journal says.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    pub(crate) records: Vec<Record>,
    pub(crate) bad: Vec<BadLine>,
}

/// Reads the journal of a state folder; one that does not exist is empty.
pub(crate) fn read(folder: &Path, files: &dyn FileSystem) -> io::Result<Lines> {
    let path = folder.join(JOURNAL);
    let mut lines = Lines::default();
    let file = match files.open_read(&path) {
        Ok(file) => file,
        Err(error) if Code::of_io(&error) == Code::NotFound => return Ok(lines),
        Err(error) => return Err(error),
    };
    let mut splitter = Splitter::default();
    let mut chunk = vec![0; CHUNK];
    let mut offset = 0;
    loop {
        let count = match file.read_at(offset, &mut chunk) {
            Ok(count) => count.min(chunk.len()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if count == 0 {
            break;
        }
        offset += count as u64;
        splitter.feed(&chunk[..count], &mut |number, line| {
            lines.take(&path, number, line);
        });
    }
    splitter.end(&mut |number, line| lines.take(&path, number, line));
    Ok(lines)
}

impl Lines {
    fn take(&mut self, journal: &Path, number: u64, line: Option<&[u8]>) {
        let parsed = match line {
            None => Err(format!("longer than {LONGEST_LINE} bytes")),
            Some(line) if line.trim_ascii().is_empty() => return,
            Some(line) => parse(line),
        };
        match parsed {
            Ok(record) => self.records.push(record),
            Err(what) => self.bad.push(BadLine {
                journal: journal.to_path_buf(),
                line: number,
                what,
            }),
        }
    }
}

fn parse(line: &[u8]) -> Result<Record, String> {
    /// A line of any version.
    #[derive(serde::Deserialize)]
    struct Versioned {
        v: u32,
    }
    let Versioned { v } = serde_json::from_slice(line).map_err(|error| error.to_string())?;
    if v != VERSION {
        return Err(format!("version {v} is not known to this program"));
    }
    let Line { record, .. } = serde_json::from_slice(line).map_err(|error| error.to_string())?;
    soundness::check(&record)?;
    Ok(record)
}

/// Cuts a stream of chunks into lines.
#[derive(Default)]
struct Splitter {
    line: Vec<u8>,
    number: u64,
    too_long: bool,
}

impl Splitter {
    fn feed(&mut self, mut chunk: &[u8], take: &mut dyn FnMut(u64, Option<&[u8]>)) {
        while let Some(end) = chunk.iter().position(|&byte| byte == b'\n') {
            self.keep(&chunk[..end]);
            self.end(take);
            chunk = &chunk[end + 1..];
        }
        self.keep(chunk);
    }

    fn keep(&mut self, bytes: &[u8]) {
        if self.too_long || self.line.len() + bytes.len() > LONGEST_LINE {
            self.too_long = true;
            self.line.clear();
        } else {
            self.line.extend_from_slice(bytes);
        }
    }

    fn end(&mut self, take: &mut dyn FnMut(u64, Option<&[u8]>)) {
        self.number += 1;
        take(self.number, (!self.too_long).then_some(&self.line));
        self.line.clear();
        self.too_long = false;
    }
}
