//! The help in the user's language: every text of the parser's commands comes
//! from the catalogue, by ids made of the names of commands and options.
//!
//! | id | text |
//! |---|---|
//! | `help-COMMAND` | what the command does |
//! | `help-after-COMMAND` | examples, where there are any |
//! | `help-arg-OPTION` | what the option does, the same in every command |
//! | `help-heading-GROUP` | the heading of a group of options |

use clap::{Arg, ArgAction, Command};

use crate::catalogue::Catalogue;

/// The command with its help in the language of the catalogue.
pub(crate) fn in_language(command: Command, catalogue: &Catalogue) -> Command {
    let id = command.get_name().to_owned();
    localise(command, &id, catalogue)
}

fn localise(command: Command, id: &str, catalogue: &Catalogue) -> Command {
    let heading = |name: &str| text(catalogue, &format!("help-heading-{name}"));
    let template = format!(
        "{{about-with-newline}}\n{}{{usage}}\n\n{{all-args}}{{after-help}}",
        heading("usage")
    );
    let subcommands: Vec<String> = command
        .get_subcommands()
        .map(|below| below.get_name().to_owned())
        .collect();
    let mut command = if id == "fixnvpe" {
        command.arg(flag("version", 'V', ArgAction::Version))
    } else {
        command
    };
    command = command
        .about(text(catalogue, &format!("help-{id}")))
        .help_template(template)
        .subcommand_help_heading(heading("commands"))
        .max_term_width(100)
        .disable_help_flag(true)
        .arg(flag("help", 'h', ArgAction::Help))
        .mut_args(|argument| localise_argument(argument, catalogue));
    if let Some(after) = catalogue.lookup(&format!("help-after-{id}")) {
        command = command.after_help(after);
    }
    for below in subcommands {
        command = command.mut_subcommand(&below, |command| localise(command, &below, catalogue));
    }
    command
}

fn flag(name: &'static str, short: char, action: ArgAction) -> Arg {
    Arg::new(name).long(name).short(short).action(action)
}

fn localise_argument(argument: Arg, catalogue: &Catalogue) -> Arg {
    let id = format!("help-arg-{}", argument.get_id().as_str().replace('_', "-"));
    let group = if argument.is_positional() {
        "arguments"
    } else {
        argument.get_help_heading().unwrap_or("options")
    };
    let heading = text(catalogue, &format!("help-heading-{group}"));
    // The catalogue tells values and defaults, in the user's language.
    let takes_value = argument.get_action().takes_values();
    argument
        .help(text(catalogue, &id))
        .help_heading(heading)
        .hide_possible_values(takes_value)
        .hide_default_value(takes_value)
}

fn text(catalogue: &Catalogue, id: &str) -> String {
    // The id shows what is missing; a test walks all of them.
    catalogue.lookup(id).unwrap_or_else(|| id.to_owned())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::CommandFactory;

    use super::*;
    use crate::arguments::Arguments;
    use crate::arguments::older_script::OlderScript;
    use crate::language::Language;

    /// Every help of every command, with the options that are hidden nowhere.
    fn helps(language: Language) -> Vec<(String, String)> {
        let catalogue = Catalogue::of(language);
        let mut helps = Vec::new();
        for root in [Arguments::command(), OlderScript::command()] {
            let mut pending = vec![in_language(root, &catalogue)];
            while let Some(mut command) = pending.pop() {
                pending.extend(command.get_subcommands().cloned());
                let help = command.render_long_help().to_string();
                helps.push((command.get_name().to_owned(), help));
            }
        }
        helps
    }

    #[test]
    fn every_command_and_option_has_its_help_in_both_languages() {
        for language in [Language::En, Language::Zh] {
            for (command, help) in helps(language) {
                assert!(!help.contains("help-"), "{command}: {help}");
                assert!(!help.contains("[possible values"), "{command}: {help}");
            }
        }
    }

    #[test]
    fn no_help_in_the_catalogue_is_left_over() {
        let mut asked: BTreeSet<String> = ["usage", "commands"]
            .map(|heading| format!("help-heading-{heading}"))
            .into();
        for root in [Arguments::command(), OlderScript::command()] {
            // With the texts missing, the ids themselves stand in the help.
            let mut pending = vec![in_language(root, &Catalogue::empty())];
            while let Some(command) = pending.pop() {
                asked.insert(format!("help-{}", command.get_name()));
                asked.insert(format!("help-after-{}", command.get_name()));
                for argument in command.get_arguments() {
                    asked.extend(argument.get_help().map(ToString::to_string));
                    asked.extend(argument.get_help_heading().map(ToOwned::to_owned));
                }
                pending.extend(command.get_subcommands().cloned());
            }
        }
        for id in Catalogue::ids() {
            assert!(!id.starts_with("help-") || asked.contains(&id), "{id}");
        }
    }

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
        OlderScript::command().debug_assert();
    }
}
