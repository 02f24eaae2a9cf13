//! `pyvenv.cfg`: no INI file, but lines of `name = value` (PEP 405).

use std::path::Path;

use super::version;
use crate::look::Look;

/// The longest `pyvenv.cfg` that is read, in bytes.
pub(super) const LIMIT: u64 = 64 << 10;

/// What a `pyvenv.cfg` says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Config {
    pub(super) home: Option<String>,
    pub(super) version: Option<String>,
    pub(super) prompt: Option<String>,
    pub(super) virtualenv: bool,
    pub(super) uv: bool,
}

/// Reads the file. One that cannot be read says nothing; the reader has noted
/// why.
pub(super) fn read(look: &Look<'_>, path: &Path) -> Config {
    look.reader
        .text(path, LIMIT)
        .map(|text| parse(&text))
        .unwrap_or_default()
}

fn parse(text: &str) -> Config {
    let mut config = Config::default();
    for line in text.lines() {
        let Some((key, value)) = line.split_once('=') else {
            continue;
        };
        let value = value.trim();
        let unquoted = value.trim_matches(['\'', '"']);
        if value.is_empty() {
            continue;
        }
        match key.trim().to_ascii_lowercase().as_str() {
            "home" => config.home = Some(value.to_owned()),
            // virtualenv writes `version_info`, with a tail (`3.8.13.final.0`).
            "version" | "version_info" => {
                config.version = version::of_name(value).or(config.version);
            }
            "prompt" if !unquoted.is_empty() => config.prompt = Some(unquoted.to_owned()),
            "virtualenv" => config.virtualenv = true,
            "uv" => config.uv = true,
            _ => {}
        }
    }
    config
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_may_hold_whatever_an_ini_file_would_not_take() {
        let config = parse(
            "home = C:\\Program Files\\Py=thon\\%x%\r\n\
             Version = 3.10.4\r\nno line of ours\r\nprompt = 'my env'\r\n= x\r\n",
        );
        assert_eq!(
            config.home.as_deref(),
            Some(r"C:\Program Files\Py=thon\%x%")
        );
        assert_eq!(config.version.as_deref(), Some("3.10.4"));
        assert_eq!(config.prompt.as_deref(), Some("my env"));
        assert!(!config.virtualenv && !config.uv);
    }

    #[test]
    fn the_tool_that_wrote_it_is_told() {
        let virtualenv = parse(
            "implementation = CPython\nversion_info = 3.8.13.final.0\nvirtualenv = 20.13.0\n",
        );
        assert!(virtualenv.virtualenv);
        assert_eq!(virtualenv.version.as_deref(), Some("3.8.13"));
        let uv = parse("uv = 0.5.1\nversion_info = 3.12.7\nprompt =\n");
        assert!(uv.uv);
        assert_eq!(uv.prompt, None);
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read_without_a_panic(text: String) {
            let _ = parse(&text);
        }
    }
}
