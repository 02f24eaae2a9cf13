//! The command line of the older script, `--input GLOB [-r] [--backup B]`,
//! which stands in people's notes and in other projects' instructions.
//!
//! It is `patch GLOB` with the defaults of this program: the ASLR flag stays,
//! undo data goes to the state folder, and `--backup` leaves a copy beside each
//! file as it did there.

use std::ffi::{OsStr, OsString};

use clap::Parser;
use clap::builder::NonEmptyStringValueParser;

use super::{Backup, Change, Document, Events, General, Patch, Policy, Selection, Work};

/// What the older script understood, and this program's own options of `patch`.
#[derive(Debug, Parser)]
#[command(name = "fixnvpe", version, disable_help_flag = true)]
#[command(disable_version_flag = true)]
pub(crate) struct OlderScript {
    #[command(flatten)]
    pub(crate) general: General,
    #[arg(long, value_name = "GLOB")]
    input: OsString,
    #[arg(short, long)]
    recursive: bool,
    #[arg(long, value_name = "B", value_parser = NonEmptyStringValueParser::new())]
    backup: Option<String>,
    #[arg(short = 'n', long)]
    dry_run: bool,
    #[command(flatten)]
    policy: Policy,
    #[command(flatten)]
    change: Change,
    #[command(flatten)]
    work: Work,
    #[command(flatten)]
    document: Document,
    #[command(flatten)]
    events: Events,
}

impl OlderScript {
    /// Whether the arguments (the program's name first) are in the older form:
    /// they begin with an option, and `--input` is among them. No command of
    /// this program has an option of that name.
    pub(crate) fn is_meant_by(arguments: &[OsString]) -> bool {
        let begins_with_option = arguments
            .get(1)
            .is_some_and(|first| first.as_encoded_bytes().starts_with(b"-"));
        begins_with_option
            && arguments
                .iter()
                .skip(1)
                .take_while(|argument| *argument != OsStr::new("--"))
                .any(|argument| {
                    argument == "--input" || argument.as_encoded_bytes().starts_with(b"--input=")
                })
    }

    /// The same as a `patch` of today, with what the user should know about the
    /// difference.
    pub(crate) fn into_patch(self) -> (General, Patch, Differences) {
        let input = if self.recursive {
            self.input
        } else {
            without_recursion(&self.input)
        };
        let differences = Differences {
            aslr_is_kept: self.policy.aslr == super::Aslr::Keep,
        };
        let patch = Patch {
            selection: Selection {
                paths: vec![input],
                ..Selection::default()
            },
            dry_run: self.dry_run,
            policy: self.policy,
            change: self.change,
            backup: match self.backup {
                Some(_) => Backup::Copy,
                None => Backup::None,
            },
            work: self.work,
            document: self.document,
            events: self.events,
        };
        (self.general, patch, differences)
    }
}

/// Where this program does other than the older script did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Differences {
    /// The script cleared the ASLR flag always.
    pub(crate) aslr_is_kept: bool,
}

/// The pattern as the script understood it without `-r`: `**` is `*`, one
/// folder and no more.
fn without_recursion(pattern: &OsStr) -> OsString {
    match pattern.to_str() {
        Some(text) => text.replace("**", "*").into(),
        // No text, no pattern: a name that is not Unicode is taken literally.
        None => pattern.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    fn patch(line: &str) -> (Patch, Differences) {
        let arguments = arguments(line);
        assert!(OlderScript::is_meant_by(&arguments), "{line}");
        let older = OlderScript::try_parse_from(arguments).expect(line);
        let (_, patch, differences) = older.into_patch();
        (patch, differences)
    }

    #[test]
    fn the_older_form_is_told_from_the_commands() {
        assert!(OlderScript::is_meant_by(&arguments(
            "fixnvpe --input *.dll"
        )));
        assert!(OlderScript::is_meant_by(&arguments("fixnvpe -r --input=x")));
        assert!(!OlderScript::is_meant_by(&arguments(
            "fixnvpe scan --input"
        )));
        assert!(!OlderScript::is_meant_by(&arguments("fixnvpe --version")));
        assert!(!OlderScript::is_meant_by(&arguments("fixnvpe")));
    }

    #[test]
    fn two_stars_recurse_only_with_the_flag() {
        let (plain, _) = patch("fixnvpe --input C:/x/**/*.dll");
        assert_eq!(plain.selection.paths, ["C:/x/*/*.dll"]);
        for line in [
            "fixnvpe --input C:/x/**/*.dll -r",
            "fixnvpe --recursive --input C:/x/**/*.dll",
        ] {
            assert_eq!(patch(line).0.selection.paths, ["C:/x/**/*.dll"]);
        }
    }

    #[test]
    fn any_value_of_backup_is_taken_and_an_empty_one_is_not() {
        for value in ["True", "False", "yes", "0"] {
            let (patch, _) = patch(&format!("fixnvpe --input x --backup {value}"));
            assert_eq!(patch.backup, Backup::Copy);
        }
        assert_eq!(patch("fixnvpe --input x").0.backup, Backup::None);
        assert!(OlderScript::try_parse_from(["fixnvpe", "--input", "x", "--backup", ""]).is_err());
    }

    #[test]
    fn the_aslr_flag_is_kept_unless_asked_otherwise() {
        assert!(patch("fixnvpe --input x").1.aslr_is_kept);
        assert!(!patch("fixnvpe --input x --aslr clear").1.aslr_is_kept);
    }
}
