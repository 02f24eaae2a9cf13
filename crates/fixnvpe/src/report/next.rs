//! The commands that a text ends with, put together from what was typed.

use std::ffi::OsString;
use std::path::Path;

use fixnvpe_batch::RunId;

use crate::arguments::{Aslr, Policy, Selection};

/// `fixnvpe COMMAND` for the same selection, policy and state folder.
pub(crate) fn command(
    command: &str,
    selection: &Selection,
    policy: Policy,
    state_dir: Option<&Path>,
) -> Vec<OsString> {
    let mut words: Vec<OsString> = vec!["fixnvpe".into(), command.into()];
    if policy.aslr == Aslr::Clear {
        words.extend(["--aslr".into(), "clear".into()]);
    }
    if policy.allow_signed {
        words.push("--allow-signed".into());
    }
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

/// `fixnvpe restore --run ID`, which undoes a run.
pub(crate) fn undo(run: &RunId, state_dir: Option<&Path>) -> Vec<OsString> {
    let mut words: Vec<OsString> = ["fixnvpe", "restore", "--run", run.as_str()]
        .map(OsString::from)
        .into();
    words.extend(state(state_dir));
    words
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
        let policy = Policy {
            aslr: Aslr::Clear,
            allow_signed: true,
        };
        let words = command("patch", &selection, policy, Some(Path::new("state")));
        assert_eq!(
            words.join(&OsString::from("|")),
            "fixnvpe|patch|--aslr|clear|--allow-signed|--env|yolo v5|--all-envs|--exclude|old|--files-from|list|--state-dir|state|a b"
        );
    }

    #[test]
    fn a_name_that_begins_with_a_dash_stays_a_name() {
        let selection = Selection {
            paths: vec!["-x.dll".into()],
            ..Selection::default()
        };
        let words = command("scan", &selection, Policy::default(), None);
        assert_eq!(words, ["fixnvpe", "scan", "--", "-x.dll"]);
    }
}
