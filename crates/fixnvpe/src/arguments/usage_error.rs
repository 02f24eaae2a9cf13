//! What the parser of the command line complains about, as sentences of the
//! catalogue.

use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::catalogue::Message;
use crate::fatal::Fatal;
use crate::message;

/// The error as one of our own, or `None` where it is none: the help or the
/// version was asked for.
pub(crate) fn of_parser(error: &clap::Error) -> Option<Fatal> {
    if matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    ) {
        return None;
    }
    let mut fatal = Fatal::usage(sentence(error));
    if let Some(meant) = suggestion(error) {
        fatal = fatal.hint(message!("usage-did-you-mean", meant = meant));
    }
    Some(fatal.hint(message!("usage-see-help", command = help_of(error))))
}

fn sentence(error: &clap::Error) -> Message {
    let argument = context(error, ContextKind::InvalidArg);
    let value = context(error, ContextKind::InvalidValue);
    match (error.kind(), argument, value) {
        (ErrorKind::UnknownArgument, Some(argument), _) => {
            message!("usage-unknown-option", option = argument)
        }
        (ErrorKind::InvalidSubcommand, ..) => {
            match context(error, ContextKind::InvalidSubcommand) {
                Some(command) => message!("usage-unknown-command", command = command),
                None => other(error),
            }
        }
        (
            ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand,
            ..,
        ) => {
            message!("usage-no-command")
        }
        (ErrorKind::InvalidValue | ErrorKind::ValueValidation, Some(argument), value) => {
            invalid_value(error, argument, value.filter(|value| !value.is_empty()))
        }
        (ErrorKind::MissingRequiredArgument, Some(argument), _) => {
            message!("usage-missing", arguments = argument)
        }
        (ErrorKind::ArgumentConflict, Some(argument), _) => {
            match context(error, ContextKind::PriorArg) {
                Some(prior) if prior != argument => {
                    message!("usage-conflict", option = argument, other = prior)
                }
                _ => message!("usage-twice", option = argument),
            }
        }
        (ErrorKind::TooManyValues, Some(argument), Some(value)) => {
            message!("usage-takes-no-value", option = argument, value = value)
        }
        _ => other(error),
    }
}

fn invalid_value(error: &clap::Error, argument: String, value: Option<String>) -> Message {
    match (value, context(error, ContextKind::ValidValue)) {
        (None, _) => message!("usage-needs-value", option = argument),
        (Some(value), Some(known)) => {
            message!(
                "usage-not-one-of",
                option = argument,
                value = value,
                known = known
            )
        }
        (Some(value), None) => message!("usage-bad-value", option = argument, value = value),
    }
}

/// The parser's own words, where the catalogue has none.
fn other(error: &clap::Error) -> Message {
    let text = error.to_string();
    let line = text.lines().next().unwrap_or_default();
    let line = line.strip_prefix("error: ").unwrap_or(line);
    message!("usage-other", detail = line)
}

fn suggestion(error: &clap::Error) -> Option<String> {
    [
        ContextKind::SuggestedSubcommand,
        ContextKind::SuggestedArg,
        ContextKind::SuggestedValue,
    ]
    .into_iter()
    .find_map(|kind| match error.get(kind)? {
        ContextValue::String(text) => Some(text.clone()),
        // The most similar one comes last.
        ContextValue::Strings(all) => all.last().cloned(),
        _ => None,
    })
}

/// The command whose help tells more: the words of the usage line up to the
/// first option or argument.
fn help_of(error: &clap::Error) -> String {
    let usage = match error.get(ContextKind::Usage) {
        Some(ContextValue::StyledStr(usage)) => usage.to_string(),
        _ => String::new(),
    };
    let mut words = usage
        .split_whitespace()
        .skip_while(|word| *word != "fixnvpe")
        .take_while(|word| word.chars().all(|c| c.is_ascii_lowercase()));
    let command: Vec<&str> = words.by_ref().take(2).collect();
    if command.is_empty() {
        "fixnvpe --help".to_owned()
    } else {
        format!("{} --help", command.join(" "))
    }
}

fn context(error: &clap::Error, kind: ContextKind) -> Option<String> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text.clone()),
        ContextValue::Strings(all) if !all.is_empty() => Some(all.join(", ")),
        ContextValue::StyledStr(text) => Some(text.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::arguments::Arguments;
    use crate::catalogue::Catalogue;
    use crate::language::Language;

    fn texts(line: &str) -> Vec<String> {
        let words = std::iter::once("fixnvpe").chain(line.split_whitespace());
        let error = Arguments::try_parse_from(words).expect_err(line);
        let fatal = of_parser(&error).expect("an error");
        let catalogue = Catalogue::of(Language::En);
        std::iter::once(&fatal.message)
            .chain(&fatal.hints)
            .map(|message| catalogue.text(message))
            .collect()
    }

    #[test]
    fn each_error_is_a_sentence_and_says_where_the_help_is() {
        for (line, expected) in [
            ("scan --jsn x", "There is no option `--jsn`."),
            ("skan x", "There is no command `skan`."),
            (
                "scan --aslr off x",
                "`off` is no value for `--aslr <keep|clear>`; it takes keep, clear.",
            ),
            ("scan --threads 0 x", "`0` is no value for `--threads <N>`."),
            ("scan x -o", "`--output <FILE>` needs a value."),
            ("inspect", "`<FILE>` is missing."),
            (
                "scan --json --jsonl x",
                "`--json` and `--jsonl` exclude each other.",
            ),
            (
                "restore --last --run 7",
                "`--last` and `--run <ID>` exclude each other.",
            ),
            (
                "scan --lang en --lang zh x",
                "`--lang <en|zh>` may be given only once.",
            ),
            (
                "scan --json=yes x",
                "`--json` takes no value, and got `yes`.",
            ),
            ("", "No command is given."),
        ] {
            let texts = texts(line);
            assert_eq!(texts[0], expected, "{line}");
            assert!(
                texts.last().expect("a hint").contains("--help"),
                "{texts:?}"
            );
        }
    }

    #[test]
    fn a_typing_error_gets_a_suggestion() {
        assert_eq!(texts("scan --jsno x")[1], "Did you mean `--json`?");
        assert_eq!(texts("restor x")[1], "Did you mean `restore`?");
    }

    #[test]
    fn help_and_version_are_no_errors() {
        for line in [["fixnvpe", "--help"], ["fixnvpe", "--version"]] {
            let catalogue = Catalogue::of(Language::En);
            let command = <Arguments as clap::CommandFactory>::command();
            let command = crate::arguments::help::in_language(command, &catalogue);
            let error = command.try_get_matches_from(line).expect_err("shown");
            assert!(of_parser(&error).is_none());
        }
    }
}
