//! The exit code of each ending, for each command.

use fixnvpe_tests::tree::Tree;

use crate::world::{Run, World, writable};

fn code(world: &World, line: &str) -> i32 {
    world.run(line.split(' ')).code
}

#[test]
fn done_or_nothing_to_do_is_0() {
    let world = World::with_writable(["lib/x.dll"]);
    for line in [
        "scan lib",
        "inspect lib/x.dll",
        "history",
        "patch lib --dry-run",
        "patch lib",
        "patch lib",
        "restore --last",
        "restore lib",
        "--help",
        "--version",
        "scan --help",
        "completions bash",
        "man",
        "schema scan",
    ] {
        assert_eq!(code(&world, line), 0, "{line}");
    }
}

#[test]
fn refusals_that_nobody_can_lift_are_0() {
    let names = [
        "packed.dll",
        "text.dll",
        "tls.dll",
        "shared.dll",
        "integrity_checked.dll",
        "driver.dll",
    ];
    let tree = names.iter().fold(Tree::default(), |tree, name| {
        tree.fixture(format!("lib/{name}"), name)
    });
    let world = World::new(&tree);
    let document = world.json(["patch", "lib"]);
    assert_eq!(document["exit_code"], 0);
    let results = document["results"].as_array().expect("results");
    assert_eq!(results.len(), names.len());
    assert!(results.iter().all(|result| result["outcome"] == "refused"));
}

#[test]
fn a_failure_or_a_named_path_that_is_not_there_is_1() {
    let tree = Tree::default()
        .image("lib/x.dll", &writable())
        .fixture("lib/bad.dll", "lfanew_beyond_file.dll");
    let world = World::new(&tree);
    for line in [
        "scan lib",
        "scan gone.dll lib/x.dll",
        "patch gone lib/x.dll",
        "inspect gone.dll",
        "restore gone.dll",
    ] {
        assert_eq!(code(&world, line), 1, "{line}");
    }
    assert_eq!(
        code(&world, "scan lib/x.dll --check"),
        0,
        "the rest was done"
    );
}

#[test]
fn what_cannot_be_followed_is_2_and_starts_nothing() {
    let world = World::with_writable(["lib/x.dll"]);
    let before = world.contents();
    for line in [
        "patch --root .",
        "restore",
        "scan lib/*.pyd",
        "scan --env nowhere --root .",
        "patch lib lib/*.pyd",
        "patch lib [",
        "patch lib --files-from gone.txt",
        "patch lib --aslr off",
        "patch lib --exclude {a",
        "patch lib --threads 0",
        "patch lib --no-such-option",
        "patch lib --json --jsonl",
        "patch lib --quiet --verbose",
        "restore lib --last",
        "restore --last --everything",
        "inspect",
        "no-such-command",
        "--input",
        "--input lib/* --backup",
        "schema no-such-document",
        "completions no-such-shell",
    ] {
        assert_eq!(code(&world, line), 2, "{line}");
    }
    let mut bare = world.command();
    bare.env("LC_ALL", "C");
    let run = Run::of(bare);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("Commands:"), "{}", run.stderr);
    assert_eq!(world.contents(), before);
    assert!(!world.state().exists());
}

#[test]
fn what_the_caller_can_change_is_4() {
    let mut signed = writable();
    signed.certificate = Some(0x1a00);
    let tree = Tree::default()
        .image("signed/x.dll", &signed)
        .image("pkgs/x.dll", &writable())
        .hard_link("linked/x.dll", "pkgs/x.dll");
    let world = World::new(&tree);
    for line in [
        "patch signed",
        "patch signed --dry-run",
        "patch linked --links skip",
    ] {
        assert_eq!(code(&world, line), 4, "{line}");
    }
    assert_eq!(
        code(&world, "patch linked gone.dll --links skip"),
        1,
        "1 weighs more than 4"
    );
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_be_written_is_4_and_the_rest_is_done() {
    let world = World::with_writable(["lib/locked.dll", "lib/open.dll"]);
    let mut command = deprived(&world, "lib/locked.dll", 0o444, &["lib", "lib/open.dll"]);
    command.args(["patch", "lib", "--json"]);
    let document = Run::of(command).document();
    assert_eq!(
        document["results"].as_array().map(Vec::len),
        Some(2),
        "{document:#}"
    );
    assert_eq!(document["exit_code"], 4, "{document:#}");
    assert_eq!(world.run(["scan", "lib/open.dll", "--check"]).code, 0);
}

#[cfg(unix)]
#[test]
fn a_folder_that_may_not_be_listed_is_4_and_the_rest_is_done() {
    for line in ["scan lib", "scan lib --check", "verify lib", "patch lib"] {
        let world = World::with_writable(["lib/x.dll", "lib/closed/y.dll"]);
        let mut command = deprived(&world, "lib/closed", 0o000, &["lib", "lib/x.dll"]);
        command.args(line.split(' ')).arg("--json");
        let document = Run::of(command).document();
        assert_eq!(document["exit_code"], 4, "{line}: {document:#}");
        let failures = document["failures"].as_array().expect("failures");
        assert_eq!(failures.len(), 1, "{line}: {document:#}");
        assert_eq!(failures[0]["code"], "access_denied", "{line}");
        open_again(&world, "lib/closed");
    }
}

/// The program as someone who may not do with one path what its mode forbids,
/// and to whom the other paths belong.
#[cfg(unix)]
fn deprived(world: &World, closed: &str, mode: u32, own: &[&str]) -> std::process::Command {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;

    let permissions = PermissionsExt::from_mode(mode);
    fs_err::set_permissions(world.path(closed), permissions).expect("set");
    if !fixnvpe_files::is_elevated() {
        return world.command();
    }
    // Root may do anything: run as nobody, who owns all but one path.
    let nobody = 65534;
    let own = own.iter().map(|name| format!("disk/{name}"));
    for name in ["", "disk", "home"]
        .map(String::from)
        .into_iter()
        .chain(own)
    {
        std::os::unix::fs::chown(world.outside(&name), Some(nobody), Some(nobody)).expect("owned");
    }
    let program = world.outside("fixnvpe");
    fs_err::copy(world.command().get_program(), &program).expect("copied");
    let mut copy = std::process::Command::new(program);
    copy.current_dir(world.disk())
        .env("FIXNVPE_STATE_DIR", world.state())
        .env("LC_ALL", "C")
        .uid(nobody)
        .gid(nobody);
    copy
}

/// So that the folder can be removed with all that is in it.
#[cfg(unix)]
fn open_again(world: &World, folder: &str) {
    use std::os::unix::fs::PermissionsExt;
    fs_err::set_permissions(world.path(folder), PermissionsExt::from_mode(0o755)).expect("set");
}
