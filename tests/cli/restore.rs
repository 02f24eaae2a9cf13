//! `fixnvpe restore`: every byte comes back, and nothing else is touched.

use fixnvpe_tests::tree::Tree;

use crate::world::{World, assert_fits, large, snapshot, writable};

#[test]
fn a_restore_gives_back_every_byte_and_the_same_file() {
    let world = World::new(
        &Tree::default()
            .image("lib/x.dll", &large())
            .image("lib/y.pyd", &writable()),
    );
    let before = world.contents();
    assert_eq!(world.run(["patch", "lib"]).code, 0);
    assert_ne!(world.contents(), before);
    let run = world.run(["restore", "lib"]);
    snapshot("restore_en", &run);
    assert_fits(&run.stdout);
    assert_eq!(world.contents(), before);
}

#[test]
fn last_run_and_everything_find_the_files_by_themselves() {
    let world = World::with_writable(["a/x.dll", "b/x.dll"]);
    let before = world.contents();
    world.run(["patch", "a"]);
    let first = world.json(["history"])["runs"][0]["run"].clone();
    world.run(["patch", "b"]);
    assert_eq!(world.run(["restore", "--last"]).code, 0);
    let after = world.contents();
    assert_eq!(after["b/x.dll"], before["b/x.dll"]);
    assert_ne!(after["a/x.dll"], before["a/x.dll"]);
    let id = first.as_str().expect("an id");
    assert_eq!(world.run(["restore", "--run", id]).code, 0);
    assert_eq!(world.contents(), before);

    world.run(["patch", "a", "b"]);
    assert_eq!(world.run(["restore", "--everything"]).code, 0);
    assert_eq!(world.contents(), before);
}

#[test]
fn the_printed_command_undoes_the_patch() {
    let world = World::with_writable(["my envs/it's/x.dll"]);
    let before = world.contents();
    let state = world.outside("a state folder");
    let state = state.to_str().expect("Unicode");
    let run = world.run(["patch", "my envs", "--state-dir", state]);
    let command = run
        .stdout
        .lines()
        .find(|line| line.trim_start().starts_with("fixnvpe restore"))
        .expect("the command");
    assert!(command.contains("--state-dir"), "{command}");
    #[cfg(unix)]
    {
        let program = world.command();
        let program = program.get_program().to_str().expect("Unicode").to_owned();
        let mut shell = world.command();
        let line = command.trim().replacen("fixnvpe", &program, 1);
        shell = {
            let mut sh = std::process::Command::new("sh");
            sh.current_dir(shell.get_current_dir().expect("a folder"));
            sh.args(["-c", &line]);
            sh
        };
        assert!(shell.status().expect("sh runs").success());
        assert_eq!(world.contents(), before);
    }
    #[cfg(not(unix))]
    drop(before);
}

#[test]
fn a_dry_run_restores_nothing() {
    let world = World::with_writable(["lib/x.dll"]);
    world.run(["patch", "lib"]);
    let (files, state) = (world.contents(), world.state_contents());
    let run = world.run(["restore", "--last", "--dry-run"]);
    snapshot("restore_dry_run", &run);
    assert_eq!((world.contents(), world.state_contents()), (files, state));
}

#[test]
fn a_second_restore_is_done_already() {
    let world = World::with_writable(["lib/x.dll"]);
    world.run(["patch", "lib"]);
    world.run(["restore", "lib"]);
    let (files, state) = (world.contents(), world.state_contents());
    let run = world.run(["restore", "lib"]);
    assert_eq!(run.code, 0, "{}", run.stdout);
    assert_eq!((world.contents(), world.state_contents()), (files, state));
}

#[test]
fn a_file_that_was_replaced_since_is_stale_and_not_touched() {
    let world = World::with_writable(["lib/x.dll"]);
    world.run(["patch", "lib"]);
    // Another release under the same name, of another length.
    fs_err::remove_file(world.path("lib/x.dll")).expect("removed");
    let mut other = writable();
    other.overlay = vec![7; 32].into();
    Tree::default()
        .image("lib/x.dll", &other)
        .build_in(&world.disk())
        .expect("written");
    let before = world.contents();
    let run = world.run(["restore", "--last"]);
    snapshot("restore_stale", &run);
    assert_eq!(world.contents(), before);
}

#[test]
fn what_was_never_patched_has_nothing_to_be_restored_from() {
    let mut read_only = writable();
    let section = read_only.section_mut(".nv_fatb");
    section.characteristics &= !fixnvpe_tests::image::MEM_WRITE;
    let world = World::new(&Tree::default().image("lib/x.dll", &read_only));
    let before = world.contents();
    let run = world.run(["restore", "lib"]);
    assert_eq!(world.contents(), before);
    snapshot("restore_nothing", &run);
}

#[test]
fn what_nothing_tells_of_is_inferred_only_on_request() {
    let world = World::with_writable(["lib/x.dll"]);
    let before = world.contents();
    let elsewhere = world.outside("lost");
    let state = elsewhere.to_str().expect("Unicode");
    assert_eq!(world.run(["patch", "lib", "--state-dir", state]).code, 0);
    // The journal of this run is not the one that is asked.
    assert_eq!(world.run(["restore", "lib"]).code, 4);
    assert_eq!(world.run(["restore", "lib", "--infer"]).code, 0);
    assert_eq!(world.contents(), before);
}

#[test]
fn the_older_scripts_backup_restores_and_can_be_removed() {
    let world = World::with_writable(["lib/x.dll"]);
    let before = world.contents();
    let elsewhere = world.outside("lost");
    let state = elsewhere.to_str().expect("Unicode");
    let line = ["patch", "lib", "--backup", "copy", "--state-dir", state];
    assert_eq!(world.run(line).code, 0);
    assert!(world.path("lib/x.dll_bak").exists());
    let run = world.run(["restore", "lib", "--remove-backups"]);
    assert_eq!(run.code, 0, "{}", run.stdout);
    assert_eq!(world.contents(), before);
}

#[test]
fn a_run_that_the_journal_does_not_know_is_a_usage_error() {
    let world = World::with_writable(["lib/x.dll"]);
    for arguments in [
        &["restore", "--run", "20200101T000000Z-00000000"][..],
        &["restore", "--run", "../x"],
        &["restore", "--last"],
        &["restore"],
    ] {
        let run = world.run(arguments);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(run.stderr.contains("fixnvpe history"), "{}", run.stderr);
    }
}

#[test]
fn a_journal_with_a_torn_line_and_garbage_still_undoes() {
    let world = World::with_writable(["lib/x.dll"]);
    let before = world.contents();
    world.run(["patch", "lib"]);
    let journal = fs_err::read_to_string(world.journal()).expect("the journal");
    let (first, rest) = journal.split_once('\n').expect("lines");
    let damaged = format!("{first}\n\u{0}\u{fffd}garbage\n{rest}{{\"v\":1,\"record\":\"pla");
    fs_err::write(world.journal(), &damaged).expect("written");

    let scan = world.json(["scan", "lib"]);
    assert_eq!(scan["exit_code"], 0);
    assert_eq!(scan["skipped"][0]["reason"], "bad_record");
    let history = world.run(["history"]);
    assert_eq!(history.code, 0);
    assert!(
        history.stdout.contains("not understood"),
        "{}",
        history.stdout
    );

    assert_eq!(world.run(["restore", "--last"]).code, 0);
    assert_eq!(world.contents(), before);
    let kept = fs_err::read_to_string(world.journal()).expect("the journal");
    assert!(kept.starts_with(&damaged), "what is not understood is kept");
}
