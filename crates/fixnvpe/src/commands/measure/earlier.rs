//! The earlier measurement that a later one is compared with.

use std::path::Path;

use fixnvpe_doctor::explain::decode;
use fixnvpe_doctor::measure::{MeasureReport, Measurement};
use serde_json::Value;

use crate::document::MeasureDocument;
use crate::fatal::{Fatal, Word};
use crate::message;
use crate::redact::Redactor;

/// Reads the document that an earlier run wrote.
///
/// # Errors
///
/// A usage error for a file that cannot be read, or is something else.
pub(super) fn read(file: &Path) -> Result<Measurement, Fatal> {
    let name = || file.display().to_string();
    let wrong = |message| Fatal::usage(message).code(Word::File);
    let bytes = fs_err::read(file).map_err(|error| {
        wrong(message!("against-unreadable", file = name())).detail(error.to_string())
    })?;
    measurement(&bytes).map_err(|other| match other {
        Other::Schema(schema) => wrong(message!(
            "against-is-another",
            file = name(),
            schema = schema
        )),
        Other::Broken(detail) => wrong(message!("against-is-broken", file = name())).detail(detail),
    })
}

/// What a file is instead.
#[derive(Debug, PartialEq)]
enum Other {
    /// Another document of this program.
    Schema(String),
    /// No document, or not a whole one; what the parser says.
    Broken(String),
}

/// A shell may have written what the program printed in an encoding of its own.
fn measurement(bytes: &[u8]) -> Result<Measurement, Other> {
    let broken = |error: serde_json::Error| Other::Broken(error.to_string());
    let document: Value = serde_json::from_str(decode(bytes).trim()).map_err(broken)?;
    match document["schema"].as_str() {
        Some(MeasureDocument::SCHEMA) => {}
        Some(schema) => return Err(Other::Schema(schema.to_owned())),
        None => return Err(Other::Broken("it has no schema".to_owned())),
    }
    let report: MeasureReport = serde_json::from_value(document).map_err(broken)?;
    Ok(report.measurement)
}

/// The measurement without names of people: one that was kept with `--redact`
/// is about the same images all the same.
pub(super) fn without_names(measurement: &Measurement, redactor: &Redactor) -> Measurement {
    let text = |path: &Path| redactor.text(&path.to_string_lossy()).into();
    let mut measurement = measurement.clone();
    for image in &mut measurement.images {
        image.path = text(&image.path);
    }
    measurement.program = measurement.program.as_deref().map(text);
    measurement
}

#[cfg(test)]
mod tests {
    use fixnvpe_doctor::measure::compare;

    use super::*;

    const DOCUMENT: &str = r#"{"schema": "fixnvpe/measure/1", "exit_code": 0, "measurement": {
        "processes": 2, "program": null, "imports": [], "idle": 5, "commits": [105, 105],
        "per_process": 100, "calculated": 90, "stopped": null,
        "system": {"before": 1, "with_one": 2, "with_all": 3, "after": 1},
        "images": [{"path": "C:\\Users\\李\\x.dll", "measured": 100, "calculated": 90,
            "os_error": null}]}, "against": null}"#;

    #[test]
    fn a_document_is_read_in_the_encodings_that_shells_write() {
        let utf_16: Vec<u8> = std::iter::once(0xfeff)
            .chain(DOCUMENT.encode_utf16())
            .flat_map(u16::to_le_bytes)
            .collect();
        let marked = [b"\xef\xbb\xbf", DOCUMENT.as_bytes()].concat();
        for bytes in [DOCUMENT.as_bytes(), &utf_16, &marked] {
            let read = measurement(bytes).unwrap();
            assert_eq!((read.processes, read.per_process), (2, 100));
        }
    }

    #[test]
    fn another_document_is_named_and_a_broken_one_is_told() {
        let scan = br#"{"schema": "fixnvpe/scan/1", "images": []}"#;
        assert_eq!(
            measurement(scan),
            Err(Other::Schema("fixnvpe/scan/1".into()))
        );
        let half = &DOCUMENT.as_bytes()[..DOCUMENT.len() / 2];
        let without = br#"{"schema": "fixnvpe/measure/1"}"#;
        for bytes in [&b""[..], b"no JSON", b"[]", b"{}", half, without] {
            assert!(
                matches!(measurement(bytes), Err(Other::Broken(_))),
                "{bytes:?}"
            );
        }
    }

    #[test]
    fn a_redacted_document_is_about_the_same_images() {
        let whole = measurement(DOCUMENT.as_bytes()).unwrap();
        let redactor = Redactor::new(Some(Path::new(r"C:\Users\李")), "李");
        let redacted = without_names(&whole, &redactor);
        assert_eq!(redacted.images[0].path, Path::new(r"~\x.dll"));
        assert!(!compare(&redacted, &whole).same);
        assert!(compare(&redacted, &without_names(&whole, &redactor)).same);
        assert!(compare(&without_names(&redacted, &redactor), &redacted).same);
    }
}
