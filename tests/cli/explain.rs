//! `fixnvpe explain`: from a text, a file or standard input to what it means.

use fixnvpe_tests::tree::Tree;

use crate::world::{Run, World, assert_fits, writable};

const LOG: &str = "OSError: [WinError 1455] 页面文件太小，无法完成操作。 Error loading \
    \"C:\\envs\\yolo\\lib\\site-packages\\torch\\lib\\cublas64_11.dll\" or one of its dependencies.\n";

fn world() -> World {
    let tree = Tree::default()
        .text("envs/yolo/conda-meta/history", "")
        .image("envs/yolo/Lib/site-packages/torch/lib/x.dll", &writable())
        .text("train.log", LOG);
    World::new(&tree)
}

#[test]
fn a_file_a_text_and_standard_input_are_explained_alike() {
    let world = world();
    let of_file = world.json(["explain", "train.log"]);
    let of_text = world.json(["explain", LOG]);
    let mut of_input = Vec::new();
    for arguments in [&["explain", "--json"][..], &["explain", "-", "--json"]] {
        let mut command = world.command();
        command.args(arguments);
        of_input.push(Run::with_input(command, LOG).document());
    }
    for document in [&of_file, &of_text, &of_input[0], &of_input[1]] {
        assert_eq!(document["schema"], "fixnvpe/explain/1");
        assert_eq!(document["kind"], "commit_limit");
        assert_eq!(document["os_error"], 1455);
        assert_eq!(document["prefix"], "C:\\envs\\yolo");
        assert_eq!(document["doctor"], serde_json::Value::Null);
        let message = document["message"].as_str().expect("a text");
        assert!(message.contains("1455") && message.is_ascii(), "{message}");
    }
}

#[test]
fn a_log_in_utf_16_is_read() {
    let world = world();
    let bytes: Vec<u8> = std::iter::once(0xfeff)
        .chain(LOG.encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    fs_err::write(world.path("utf16.log"), bytes).expect("written");
    let document = world.json(["explain", "utf16.log"]);
    assert_eq!(document["kind"], "commit_limit");
}

#[test]
fn the_environment_of_the_text_is_examined_where_it_is_here() {
    let world = world();
    let document = world.json(["explain", "train.log", "--root", "."]);
    let findings = document["doctor"]["findings"].as_array().expect("findings");
    assert!(findings.iter().any(|finding| finding["id"] == "patch"));
    for (language, word) in [("en", "`doctor` finds"), ("zh", "`doctor` 的结论")] {
        let run = world.run(["explain", "train.log", "--root", ".", "--lang", language]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(run.stdout.contains(word), "{}", run.stdout);
        assert!(run.stdout.contains("fixnvpe patch"), "{}", run.stdout);
    }
}

#[test]
fn an_error_with_a_cause_of_its_own_keeps_its_steps_beside_what_bears_on_it() {
    let world = world();
    let log = LOG
        .replace("1455", "1114")
        .replace("页面文件太小，无法完成操作", "x");
    let document = world.json(["explain", &log, "--root", "."]);
    assert_eq!(document["kind"], "init_failed");
    assert!(document["doctor"].is_object());
    let run = world.run(["explain", &log, "--root", ".", "--lang", "en"]);
    for words in [
        "vc-redist",
        "`doctor` finds",
        "fixnvpe patch",
        "Commit for DLLs",
    ] {
        assert!(run.stdout.contains(words), "{words}: {}", run.stdout);
    }
    // Of the rest nothing is said: the DLLs were found.
    assert!(!run.stdout.contains("compared"), "{}", run.stdout);
    let log = LOG
        .replace("1455", "4551")
        .replace("页面文件太小，无法完成操作", "x");
    let run = world.run(["explain", &log, "--root", ".", "--lang", "en"]);
    assert!(run.stdout.contains("fixnvpe restore"), "{}", run.stdout);
    assert!(!run.stdout.contains("`doctor` finds"), "{}", run.stdout);
}

#[test]
fn an_environment_that_is_elsewhere_is_said_to_be() {
    let world = world();
    let run = world.run(["explain", LOG, "--lang", "en"]);
    assert!(run.stdout.contains("was not found"), "{}", run.stdout);
    assert_fits(&run.stdout);
    // What to type works here all the same.
    assert!(run.stdout.contains("\n  fixnvpe doctor"), "{}", run.stdout);
    assert!(!run.stdout.contains("--env"), "{}", run.stdout);
}

#[test]
fn a_number_alone_is_enough_and_words_need_no_quotes() {
    let world = world();
    for (arguments, kind) in [
        (&["explain", "1455"][..], "commit_limit"),
        (&["explain", "WinError", "126"], "missing_file"),
        (&["explain", "CUDA out of memory"], "cuda_out_of_memory"),
        (&["explain", "all is well"], "unknown"),
    ] {
        assert_eq!(world.json(arguments)["kind"], kind, "{arguments:?}");
    }
}

#[test]
fn nothing_to_explain_is_an_error_of_use() {
    let world = world();
    let document = world.json(["explain"]);
    assert_eq!(document["exit_code"], 2);
    assert_eq!(document["error"]["code"], "no_selection");
    let folder = world.json(["explain", "envs"]);
    assert_eq!(folder["error"]["code"], "file");
}

/// On a terminal, which `script` makes, with a program that tells the clipboard.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_is_asked_for_a_paste_unless_the_clipboard_shows_an_error() {
    use std::os::unix::fs::PermissionsExt;

    if std::process::Command::new("script")
        .arg("--version")
        .output()
        .is_err()
    {
        return;
    }
    let world = world();
    let program = assert_cmd::cargo::cargo_bin!("fixnvpe");
    let tell = world.path("bin/xclip");
    fs_err::create_dir(world.path("bin")).expect("a folder");
    let run = |copied: &str| {
        fs_err::write(&tell, format!("#!/bin/sh\necho '{copied}'\n")).expect("written");
        let mode = std::fs::Permissions::from_mode(0o755);
        fs_err::set_permissions(&tell, mode).expect("a program");
        let mut command = std::process::Command::new("script");
        command
            .arg("-qec")
            .arg(format!("'{}' explain --lang en", program.display()))
            .arg("/dev/null")
            .current_dir(world.disk())
            .env("FIXNVPE_STATE_DIR", world.state())
            .env(
                "PATH",
                format!("{}:/usr/bin:/bin", world.path("bin").display()),
            )
            .env("DISPLAY", ":0")
            .env_remove("WAYLAND_DISPLAY");
        Run::with_input(command, "\n")
    };
    let run_with_error = run("CUDA out of memory");
    let said = &run_with_error.stdout;
    assert!(
        said.contains("The clipboard was read: it shows GPU memory"),
        "{said}"
    );
    assert!(!said.contains("Paste"), "{said}");
    let run_without = run("a shopping list");
    let said = &run_without.stdout;
    assert!(
        said.contains("The clipboard was read: it shows no error"),
        "{said}"
    );
    assert!(said.contains("Paste the error text"), "{said}");
    assert!(!said.contains("shopping"), "{said}");
}
