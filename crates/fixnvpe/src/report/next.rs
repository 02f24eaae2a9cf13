//! The commands that a text ends with, put together from what was typed.

use std::ffi::OsString;
use std::path::Path;

use fixnvpe_batch::RunId;

use crate::arguments::{Change, Policy, Selection};
use crate::catalogue::Message;
use crate::message;
use crate::shell::{Shell, WindowsShell};
use clap::ValueEnum;

/// `fixnvpe COMMAND` with these options, for the same selection and state
/// folder.
pub(crate) fn command(
    command: &str,
    options: Vec<OsString>,
    selection: &Selection,
    state_dir: Option<&Path>,
) -> Vec<OsString> {
    let mut words: Vec<OsString> = vec!["fixnvpe".into(), command.into()];
    words.extend(options);
    words.extend(environments(selection));
    for excluded in &selection.exclude {
        words.extend(["--exclude".into(), excluded.clone()]);
    }
    for list in &selection.files_from {
        words.extend(["--files-from".into(), list.into()]);
    }
    words.extend(state(state_dir));
    // A path that begins like an option has to stand behind the others.
    if selection.paths.iter().any(begins_like_an_option) {
        words.push("--".into());
    }
    words.extend(selection.paths.iter().cloned());
    words
}

/// The options that select environments and say where to look for them.
fn environments(selection: &Selection) -> Vec<OsString> {
    let mut words: Vec<OsString> = Vec::new();
    for root in &selection.place.root {
        words.extend(["--root".into(), root.clone()]);
    }
    for environment in &selection.environments {
        words.extend(["--env".into(), environment.into()]);
    }
    if !selection.kind.is_empty() {
        words.extend(["--kind".into(), selection.kind.join(",").into()]);
    }
    for (given, option) in [
        (selection.place.deep, "--deep"),
        (selection.this_env, "--this-env"),
        (selection.all_envs, "--all-envs"),
        (selection.beside.caches, "--caches"),
        (selection.beside.toolkits, "--toolkits"),
    ] {
        if given {
            words.push(option.into());
        }
    }
    words
}

/// The options that say what may be patched, where they are not the defaults.
pub(crate) fn policy(policy: Policy) -> Vec<OsString> {
    let mut words = Vec::new();
    words.extend(option("--aslr", policy.aslr));
    words.extend(flag("--allow-signed", policy.allow_signed));
    words
}

/// The options that say how files are changed, where they are not the defaults.
pub(crate) fn change(change: Change) -> Vec<OsString> {
    let mut words = Vec::new();
    words.extend(option("--links", change.links));
    words.extend(option("--in-use", change.in_use));
    words.extend(flag("--force", change.force));
    words
}

fn option<V: ValueEnum + Copy + Default + PartialEq>(name: &str, value: V) -> Vec<OsString> {
    match value.to_possible_value() {
        Some(word) if value != V::default() => vec![name.into(), word.get_name().into()],
        _ => Vec::new(),
    }
}

fn flag(name: &str, set: bool) -> Option<OsString> {
    set.then(|| name.into())
}

/// `fixnvpe restore --run ID`, which undoes a run.
pub(crate) fn undo(run: &RunId, state_dir: Option<&Path>) -> Vec<OsString> {
    let mut words: Vec<OsString> = ["fixnvpe", "restore", "--run", run.as_str()]
        .map(OsString::from)
        .into();
    words.extend(state(state_dir));
    words
}

/// A command as advice, in a line for each shell where that has to be.
pub(crate) fn likely(words: Vec<OsString>) -> Vec<Message> {
    let lines = Shell::native().command(words).into_iter();
    lines
        .map(|line| match line.shell {
            None => message!("likely-command", command = line.text),
            Some(WindowsShell::Cmd) => message!("likely-command-cmd", command = line.text),
            Some(WindowsShell::PowerShell) => {
                message!("likely-command-powershell", command = line.text)
            }
        })
        .collect()
}

fn state(state_dir: Option<&Path>) -> Vec<OsString> {
    match state_dir {
        Some(folder) => vec!["--state-dir".into(), folder.into()],
        None => Vec::new(),
    }
}

fn begins_like_an_option(word: &OsString) -> bool {
    word.as_encoded_bytes().starts_with(b"-")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::{Aslr, Links};

    #[test]
    fn the_next_command_repeats_what_was_typed() {
        let selection = Selection {
            paths: vec!["a b".into()],
            files_from: vec!["list".into()],
            exclude: vec!["old".into()],
            environments: vec!["yolo v5".into()],
            all_envs: true,
            ..Selection::default()
        };
        let mut options = policy(Policy {
            aslr: Aslr::Clear,
            allow_signed: true,
        });
        options.extend(change(Change {
            links: Links::Break,
            ..Change::default()
        }));
        let words = command("patch", options, &selection, Some(Path::new("state")));
        assert_eq!(
            words.join(&OsString::from("|")),
            "fixnvpe|patch|--aslr|clear|--allow-signed|--links|break|--env|yolo v5|--all-envs|--exclude|old|--files-from|list|--state-dir|state|a b"
        );
    }

    #[test]
    fn a_name_that_begins_with_a_dash_stays_a_name() {
        let selection = Selection {
            paths: vec!["-x.dll".into()],
            ..Selection::default()
        };
        let words = command("scan", Vec::new(), &selection, None);
        assert_eq!(words, ["fixnvpe", "scan", "--", "-x.dll"]);
    }
}
