//! Which language the texts for people are in.

use std::ffi::{OsStr, OsString};

use clap::ValueEnum;

/// A language that the catalogue has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Language {
    /// English.
    #[default]
    En,
    /// Chinese, simplified.
    Zh,
}

impl Language {
    /// The language asked for, else the first of the user's locales that the
    /// catalogue has, else English.
    ///
    /// `locales` are tags such as `zh-CN` or `en_US.UTF-8`, preferred first.
    pub(crate) fn choose(
        asked: Option<Self>,
        locales: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Self {
        asked
            .or_else(|| {
                locales
                    .into_iter()
                    .find_map(|locale| Self::of_locale(locale.as_ref()))
            })
            .unwrap_or_default()
    }

    /// What `--lang` says, read before the arguments are parsed: the help and
    /// the errors of the parser are in that language already. A value that is
    /// no language is left to the parser to reject.
    pub(crate) fn asked_in(arguments: &[OsString]) -> Option<Self> {
        let mut arguments = arguments
            .iter()
            .map(OsString::as_os_str)
            .take_while(|argument| *argument != OsStr::new("--"));
        while let Some(argument) = arguments.next() {
            let Some(text) = argument.to_str() else {
                continue;
            };
            let value = match text.strip_prefix("--lang") {
                Some("") => arguments.next().and_then(OsStr::to_str),
                Some(rest) => rest.strip_prefix('='),
                None => None,
            };
            if let Some(value) = value {
                return Self::from_str(value, true).ok();
            }
        }
        None
    }

    fn of_locale(locale: &str) -> Option<Self> {
        match locale.split(['-', '_', '.', '@']).next()? {
            "en" | "C" | "POSIX" => Some(Self::En),
            "zh" => Some(Self::Zh),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Language::{En, Zh};
    use super::*;

    #[test]
    fn the_flag_wins_over_the_locale() {
        assert_eq!(Language::choose(Some(En), ["zh-CN"]), En);
        assert_eq!(Language::choose(Some(Zh), ["en-US"]), Zh);
    }

    #[test]
    fn the_first_locale_that_the_catalogue_has_is_taken() {
        assert_eq!(Language::choose(None, ["de-DE", "zh-Hant-TW", "en-GB"]), Zh);
        assert_eq!(Language::choose(None, ["zh_CN.UTF-8"]), Zh);
        assert_eq!(Language::choose(None, ["en_US.UTF-8", "zh_CN"]), En);
    }

    #[test]
    fn without_a_known_locale_it_is_english() {
        assert_eq!(Language::choose(None, [] as [&str; 0]), En);
        assert_eq!(Language::choose(None, ["de-DE", "C"]), En);
        assert_eq!(Language::choose(None, ["zhx"]), En);
    }

    #[test]
    fn the_flag_is_found_among_the_arguments_before_parsing() {
        let asked = |line: &str| {
            let arguments: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            Language::asked_in(&arguments)
        };
        assert_eq!(asked("fixnvpe scan --lang zh x"), Some(Zh));
        assert_eq!(asked("fixnvpe --lang=en scan"), Some(En));
        assert_eq!(asked("fixnvpe scan --language zh"), None);
        assert_eq!(asked("fixnvpe scan -- --lang zh"), None);
        assert_eq!(asked("fixnvpe scan --lang"), None);
        assert_eq!(asked("fixnvpe scan --lang tlh"), None);
    }
}
