//! Conda's configuration files: YAML, of which two lists are of interest.
//!
//! They are read event by event, not into a tree: an alias that names itself
//! over and over costs nothing then, and an item of the wrong kind is passed
//! over where a typed reader would refuse the file.

use saphyr_parser::{Event, Parser, ScalarStyle};

/// What a configuration file says about folders.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Condarc {
    /// `envs_dirs`, also called `envs_path`.
    pub(super) envs_dirs: Vec<String>,
    /// `pkgs_dirs`.
    pub(super) pkgs_dirs: Vec<String>,
    /// What in it is not as it should be; the rest counts all the same.
    pub(super) problems: Vec<String>,
}

/// Which list a key of the file stands for.
#[derive(Clone, Copy)]
enum List {
    Envs,
    Pkgs,
}

/// Reads the text of a configuration file.
pub(super) fn parse(text: &str) -> Condarc {
    let mut condarc = Condarc::default();
    let mut parser = Parser::new_from_str(text);
    // How deep in mappings and sequences the event stands, and what the last
    // key at depth 1 was, while its value is being read.
    let mut depth = 0_usize;
    let mut key: Option<String> = None;
    while let Some(event) = parser.next_event() {
        let event = match event {
            Ok((event, _)) => event,
            Err(error) => {
                condarc.problems.push(error.to_string());
                break;
            }
        };
        let list = key.as_deref().and_then(list_of);
        match &event {
            Event::Scalar(value, style, ..) => match (depth, list) {
                (1, _) if key.is_none() => {
                    key = Some(value.to_string());
                    continue;
                }
                (1 | 2, Some(list)) => condarc.take(list, value, *style),
                _ => {}
            },
            Event::Alias(_) | Event::MappingStart(..) if list.is_some() && depth >= 1 => {
                condarc.problem(key.as_deref(), "an item that is no text");
            }
            Event::SequenceStart(..) if list.is_some() && depth >= 2 => {
                condarc.problem(key.as_deref(), "a list within the list");
            }
            _ => {}
        }
        match event {
            Event::MappingStart(..) | Event::SequenceStart(..) => depth += 1,
            Event::MappingEnd | Event::SequenceEnd => depth = depth.saturating_sub(1),
            _ => {}
        }
        // A value at depth 1 is over: what follows is the next key.
        if depth <= 1 && !matches!(event, Event::MappingStart(..)) {
            key = None;
        }
    }
    condarc
}

fn list_of(key: &str) -> Option<List> {
    match key {
        "envs_dirs" | "envs_path" => Some(List::Envs),
        "pkgs_dirs" => Some(List::Pkgs),
        _ => None,
    }
}

impl Condarc {
    fn take(&mut self, list: List, value: &str, style: ScalarStyle) {
        if style == ScalarStyle::Plain && is_no_text(value) {
            self.problems.push(format!("`{value}` is no folder"));
            return;
        }
        match list {
            List::Envs => self.envs_dirs.push(value.to_owned()),
            List::Pkgs => self.pkgs_dirs.push(value.to_owned()),
        }
    }

    fn problem(&mut self, key: Option<&str>, what: &str) {
        let key = key.unwrap_or_default();
        self.problems.push(format!("`{key}` holds {what}"));
    }
}

/// Whether YAML reads a plain word as nothing, a truth or a number.
fn is_no_text(value: &str) -> bool {
    let words = ["", "~", "null", "true", "false", "yes", "no", "on", "off"];
    words.contains(&value.to_ascii_lowercase().as_str()) || value.parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::*;

    fn lists(text: &str) -> (Vec<String>, Vec<String>) {
        let condarc = parse(text);
        (condarc.envs_dirs, condarc.pkgs_dirs)
    }

    #[test]
    fn folders_are_read_from_lists_and_from_one_string() {
        let text = "channels:\n  - defaults\nenvs_dirs:\n  - D:\\envs\n  - '~/my envs'\n\
                    ssl_verify: true\npkgs_dirs: [\"E:/pkgs\"]\n";
        let (envs, pkgs) = lists(text);
        assert_eq!(envs, [r"D:\envs", "~/my envs"]);
        assert_eq!(pkgs, ["E:/pkgs"]);
        assert_eq!(lists("envs_path: D:\\one\n").0, [r"D:\one"]);
    }

    #[test]
    fn items_that_are_not_strings_are_passed_over_and_told() {
        let text = "envs_dirs:\n  - 12\n  - null\n  - {a: b}\n  - [x, y]\n  - D:\\good\n  - true\n  - '12'\npkgs_dirs: 3\nchannels: x\n";
        let condarc = parse(text);
        assert_eq!(condarc.envs_dirs, [r"D:\good", "12"]);
        assert!(condarc.pkgs_dirs.is_empty());
        assert_eq!(condarc.problems.len(), 6, "{:?}", condarc.problems);
    }

    #[test]
    fn keys_within_other_values_do_not_count() {
        let text =
            "custom:\n  envs_dirs:\n    - D:\\not\nproxy_servers: {envs_dirs: D:\\not}\n- x\n";
        assert!(lists(text).0.is_empty());
    }

    #[test]
    fn what_stands_before_a_mistake_counts() {
        let condarc = parse("envs_dirs:\n  - D:\\envs\nbad: [unclosed\n");
        assert_eq!(condarc.envs_dirs, [r"D:\envs"]);
        assert_eq!(condarc.problems.len(), 1);
    }

    #[test]
    fn aliases_that_would_fill_memory_cost_nothing() {
        let mut text = "a: &a [x, x, x, x, x, x, x, x, x]\n".to_owned();
        for (one, before) in ('b'..='z').zip('a'..) {
            let aliases = vec![format!("*{before}"); 9].join(", ");
            writeln!(text, "{one}: &{one} [{aliases}]").unwrap();
        }
        text.push_str("envs_dirs: *z\n");
        let condarc = parse(&text);
        assert!(condarc.envs_dirs.is_empty());
        assert_eq!(condarc.problems.len(), 1);
    }

    #[test]
    fn a_file_that_says_nothing_says_nothing() {
        for text in [
            "",
            "# comment\n",
            "---\n...\n",
            "- a\n- b\n",
            "text",
            "envs_dirs:\n",
        ] {
            let condarc = parse(text);
            assert!(
                condarc.envs_dirs.is_empty() && condarc.pkgs_dirs.is_empty(),
                "{text}"
            );
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read_without_a_panic(text in r"[a-c:\[\]{}&*!|>'%@`\- \n#,?\t环]{0,60}") {
            let _ = parse(&text);
        }

        #[test]
        fn folders_written_as_a_list_are_read_back(
            folders in proptest::collection::vec(r"[A-Z]:\\[a-z]{1,8}( [a-z]{1,8})?", 0..6),
        ) {
            let mut text = "channels: [a]\nenvs_dirs:\n".to_owned();
            for folder in &folders {
                writeln!(text, "  - {folder}").unwrap();
            }
            text.push_str("auto_update_conda: false\n");
            assert_eq!(lists(&text).0, folders);
        }
    }
}
