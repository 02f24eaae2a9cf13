//! `~/.conda/environments.txt`: where conda notes every environment that it
//! makes. It is only read: conda's own listing rewrites it.

use std::path::Path;

use crate::candidate::Candidate;
use crate::look::Look;
use crate::places::{Way, expand};
use crate::{Evidence, SkipReason, Skipped, Source};

/// The longest list that is read, in bytes.
const LIMIT: u64 = 4 << 20;

/// The prefixes that every user's list names.
pub(crate) fn candidates(look: &Look<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    let rows = crate::places().iter();
    for place in rows.filter(|place| place.way == Way::EnvironmentsTxt) {
        for (folder, _) in expand::folders(look, place) {
            if let Some(file) = look.reader.child(&folder, "environments.txt") {
                found.extend(of_file(look, &file));
            }
        }
    }
    found
}

fn of_file(look: &Look<'_>, file: &Path) -> Vec<Candidate> {
    let Some(text) = look.reader.text(file, LIMIT) else {
        return Vec::new();
    };
    let from = file.display().to_string();
    let mut found = Vec::new();
    for prefix in prefixes(&text) {
        if prefix.contains('\u{FFFD}') {
            let detail = format!("it is not written in UTF-8; named in {from}");
            look.reader
                .skip(Skipped::new(prefix, SkipReason::Malformed, detail));
        } else if let Some(path) = look.locate(prefix, &from) {
            let evidence = Evidence::new(Source::EnvironmentsTxt, from.clone());
            found.push(Candidate::prefix(path, evidence));
        }
    }
    found
}

/// The prefixes in the text of such a file, one a line.
fn prefixes(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .map(|line| line.trim().trim_start_matches('\u{FEFF}'))
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_that_says_something_is_a_prefix() {
        let text = "\u{FEFF}D:\\envs\\yolo\r\n\r\n  C:\\a b \n# comment\n\u{FEFF}E:\\x";
        let found: Vec<&str> = prefixes(text).collect();
        assert_eq!(found, [r"D:\envs\yolo", r"C:\a b", r"E:\x"]);
    }
}
