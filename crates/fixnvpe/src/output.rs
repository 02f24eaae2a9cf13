//! Where results go: standard output, or the file of `-o`.
//!
//! On standard output JSON is pure ASCII, so that no code page of a console or
//! a pipe can break it; in a file it is UTF-8 without a byte-order mark. A
//! reader that goes away (`| head`) ends the output and nothing else: the work
//! goes on, and the exit code is that of the work.

use std::io::{self, Read, Write};
use std::path::Path;

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter};

use crate::exit_code::ExitCode;
use crate::fatal::{Fatal, Word};
use crate::message;
use crate::redact::Redactor;

/// The place for results.
pub(crate) struct Output {
    sink: Sink,
    redactor: Option<Redactor>,
    failed: Option<io::Error>,
}

enum Sink {
    Stdout(anstream::Stdout),
    File(io::BufWriter<fs_err::File>),
}

impl std::fmt::Debug for Output {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Output")
            .field("to_file", &self.is_file())
            .field("redacts", &self.redactor.is_some())
            .field("failed", &self.failed)
            .finish_non_exhaustive()
    }
}

impl Output {
    /// Opens the place, before any work starts.
    ///
    /// # Errors
    ///
    /// A usage error where the file cannot be written, or is an image: who asks
    /// for that has mistaken the report for the patched file.
    pub(crate) fn open(file: Option<&Path>, redactor: Option<Redactor>) -> Result<Self, Fatal> {
        let sink = match file {
            None => Sink::Stdout(anstream::stdout()),
            Some(path) => Sink::File(io::BufWriter::new(create(path)?)),
        };
        Ok(Self {
            sink,
            redactor,
            failed: None,
        })
    }

    /// Whether results go to a file.
    pub(crate) fn is_file(&self) -> bool {
        matches!(self.sink, Sink::File(_))
    }

    /// Text as this place may show it.
    pub(crate) fn redact(&self, text: &str) -> String {
        match &self.redactor {
            Some(redactor) => redactor.text(text),
            None => text.to_owned(),
        }
    }

    /// Writes text for people, with the end of a line.
    pub(crate) fn text(&mut self, text: &str) {
        let mut text = self.redact(text);
        text.push('\n');
        let written = match &mut self.sink {
            Sink::Stdout(stdout) => stdout.write_all(text.as_bytes()),
            Sink::File(file) => {
                let plain = anstream::adapter::strip_str(&text).to_string();
                file.write_all(plain.as_bytes())
            }
        };
        self.note(written);
    }

    /// Writes one JSON value and the end of a line.
    pub(crate) fn json(&mut self, value: &impl Serialize) {
        let written = self.write_json(value);
        self.note(written);
    }

    /// Makes sure that all is written.
    ///
    /// # Errors
    ///
    /// The first error of any write; a reader that went away is none.
    pub(crate) fn finish(mut self) -> Result<(), Fatal> {
        let flushed = match &mut self.sink {
            Sink::Stdout(stdout) => stdout.flush(),
            Sink::File(file) => file.flush(),
        };
        self.note(flushed);
        match self.failed {
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(
                    Fatal::new(ExitCode::Failed, Word::Output, message!("output-failed"))
                        .detail(error.to_string()),
                )
            }
            _ => Ok(()),
        }
    }

    fn write_json(&mut self, value: &impl Serialize) -> io::Result<()> {
        let mut bytes = Vec::new();
        let redacted;
        let ascii = !self.is_file();
        match &self.redactor {
            None => serialize(&mut bytes, value, ascii)?,
            Some(redactor) => {
                let mut value = serde_json::to_value(value)?;
                redactor.value(&mut value);
                redacted = value;
                serialize(&mut bytes, &redacted, ascii)?;
            }
        }
        bytes.push(b'\n');
        match &mut self.sink {
            Sink::Stdout(stdout) => {
                stdout.write_all(&bytes)?;
                stdout.flush()
            }
            Sink::File(file) => file.write_all(&bytes),
        }
    }

    /// Keeps the first failure: what follows it is of no use to anyone.
    fn note(&mut self, written: io::Result<()>) {
        if let Err(error) = written {
            self.failed.get_or_insert(error);
        }
    }
}

fn create(path: &Path) -> Result<fs_err::File, Fatal> {
    if is_image(path) {
        return Err(Fatal::usage(message!(
            "output-is-an-image",
            file = path.display().to_string()
        ))
        .code(Word::Output)
        .hint(message!("output-takes-the-report")));
    }
    fs_err::File::create(path).map_err(|error| {
        Fatal::usage(message!(
            "output-cannot-be-written",
            file = path.display().to_string()
        ))
        .code(Word::Output)
        .detail(error.to_string())
    })
}

fn is_image(path: &Path) -> bool {
    let mut start = [0; 2];
    fs_err::File::open(path)
        .and_then(|mut file| file.read_exact(&mut start))
        .is_ok_and(|()| start == *b"MZ")
}

fn serialize(to: &mut Vec<u8>, value: &impl Serialize, ascii: bool) -> io::Result<()> {
    let written = if ascii {
        value.serialize(&mut serde_json::Serializer::with_formatter(to, Ascii))
    } else {
        value.serialize(&mut serde_json::Serializer::with_formatter(
            to,
            CompactFormatter,
        ))
    };
    Ok(written?)
}

/// JSON in which every character outside of ASCII is `\uXXXX`.
struct Ascii;

impl Formatter for Ascii {
    fn write_string_fragment<W>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()>
    where
        W: ?Sized + Write,
    {
        let mut rest = fragment;
        while let Some(at) = rest.find(|c: char| !c.is_ascii() || c == '\u{7f}') {
            writer.write_all(&rest.as_bytes()[..at])?;
            let c = rest[at..].chars().next().unwrap_or_default();
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            rest = &rest[at + c.len_utf8()..];
        }
        writer.write_all(rest.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_on_standard_output_is_ascii_and_reads_back() {
        let value = serde_json::json!({"路径": "C:\\Users\\李\\😀\u{7f}\n.dll", "n": 1});
        let mut bytes = Vec::new();
        serialize(&mut bytes, &value, true).expect("written");
        assert!(bytes.iter().all(|byte| (b' '..=b'~').contains(byte)));
        let back: serde_json::Value = serde_json::from_slice(&bytes).expect("JSON");
        assert_eq!(back, value);
    }

    #[test]
    fn json_in_a_file_is_utf8_without_a_mark() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("out.json");
        let mut output = Output::open(Some(&path), None).expect("opened");
        output.json(&"中文");
        output.finish().expect("written");
        assert_eq!(fs_err::read(path).expect("there"), "\"中文\"\n".as_bytes());
    }

    #[test]
    fn a_report_never_overwrites_an_image() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.dll");
        fs_err::write(&path, b"MZ and more").expect("written");
        let fatal = Output::open(Some(&path), None).expect_err("refused");
        assert_eq!(fatal.exit, ExitCode::Usage);
        assert_eq!(fs_err::read(path).expect("there"), b"MZ and more");
    }
}
