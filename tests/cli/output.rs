//! Where results go and what they look like.

use std::process::Stdio;

use fixnvpe_tests::tree::Tree;
use serde_json::Value;

use crate::world::{Run, World, check_schema, schema_path, writable};

#[test]
fn the_schemas_in_the_repository_are_those_of_the_program() {
    let world = World::new(&Tree::default());
    let names = [
        "scan", "patch", "restore", "verify", "inspect", "history", "envs", "doctor", "explain",
        "measure", "events", "error",
    ];
    for name in names {
        let current = world.run(["schema", name]).stdout;
        let kept = fs_err::read_to_string(schema_path(name)).expect("the schema");
        // `cargo xtask schemas` brings them up to date.
        assert_eq!(kept.replace("\r\n", "\n"), current, "{name}");
    }
}

#[test]
fn a_schema_rejects_a_document_of_another_kind() {
    let world = World::with_writable(["x.dll"]);
    let document = world.json(["scan", "x.dll"]);
    let wrong = std::panic::catch_unwind(|| check_schema("patch", &document));
    assert!(wrong.is_err());
}

#[test]
fn every_command_writes_a_document_that_its_schema_describes() {
    let world = World::with_writable(["lib/x.dll"]);
    for (arguments, schema) in [
        (&["scan", "lib"][..], "fixnvpe/scan/1"),
        (&["inspect", "lib/x.dll"], "fixnvpe/inspect/1"),
        (&["patch", "lib", "--dry-run"], "fixnvpe/patch/1"),
        (&["patch", "lib"], "fixnvpe/patch/1"),
        (&["history"], "fixnvpe/history/1"),
        (&["restore", "--last", "--dry-run"], "fixnvpe/restore/1"),
        (&["restore", "--last"], "fixnvpe/restore/1"),
        (&["envs", "--root", "."], "fixnvpe/envs/1"),
        (&["doctor", "lib"], "fixnvpe/doctor/1"),
        (&["explain", "1455"], "fixnvpe/explain/1"),
        (&["restore"], "fixnvpe/error/1"),
        (&["scan", "--no-such-option"], "fixnvpe/error/1"),
        (&["restore", "--run", "x y"], "fixnvpe/error/1"),
        (
            &["scan", "lib", "-o", "no such folder/x"],
            "fixnvpe/error/1",
        ),
    ] {
        let document = world.json(arguments);
        assert_eq!(document["schema"], schema, "{arguments:?}");
        assert_eq!(document["tool"]["name"], "fixnvpe");
        for field in ["host", "user", "started"] {
            assert!(
                document[field]
                    .as_str()
                    .is_some_and(|text| !text.is_empty())
            );
        }
        for field in ["failures", "skipped"] {
            assert!(document[field].is_array(), "{field}");
        }
    }
}

#[test]
fn an_error_document_is_english_whatever_the_language() {
    let world = World::new(&Tree::default());
    let run = world.run(["restore", "--lang", "zh", "--json"]);
    let document = run.document();
    assert_eq!(document["error"]["code"], "no_selection");
    let message = document["error"]["message"].as_str().expect("a text");
    assert!(message.is_ascii(), "{message}");
    assert!(
        run.stderr.contains("错误"),
        "people read their own language"
    );
}

#[test]
fn lines_tell_the_same_as_the_document() {
    let tree = Tree::default()
        .image("lib/a.dll", &writable())
        .fixture("lib/bad.dll", "lfanew_beyond_file.dll")
        .fixture("lib/plain.exe", "plain.exe");
    let world = World::new(&tree);
    let document = world.json(["scan", "lib"]);
    let run = world.run(["scan", "lib", "--jsonl"]);
    let lines = run.lines();
    let of = |event: &str| -> Vec<Value> {
        lines
            .iter()
            .filter(|line| line["event"] == event)
            .cloned()
            .collect()
    };
    assert_eq!(lines[0]["event"], "start");
    assert_eq!(lines[0]["command"], "scan");
    assert_eq!(lines[0]["schema"], "fixnvpe/events/1");
    let end = lines.last().expect("lines");
    assert_eq!(end["event"], "end");
    assert_eq!(end["exit_code"], run.code);
    assert_eq!(end["summary"], document["summary"]);
    let images = document["images"].as_array().expect("images");
    assert_eq!(of("image").len(), images.len());
    for mut line in of("image") {
        line.as_object_mut().expect("an object").remove("event");
        assert!(images.contains(&line), "{line}");
    }
    assert_eq!(
        of("failure").len(),
        document["failures"].as_array().expect("a list").len()
    );
}

#[test]
fn a_patch_in_lines_tells_its_run() {
    let world = World::with_writable(["lib/a.dll", "lib/b.dll"]);
    let lines = world.run(["patch", "lib", "--jsonl"]).lines();
    let results = lines.iter().filter(|line| line["event"] == "result");
    assert_eq!(results.count(), 2);
    let run = lines.last().expect("lines")["run"].clone();
    assert_eq!(world.json(["history"])["runs"][0]["run"], run);
}

#[test]
fn a_file_takes_the_result_as_utf8_and_standard_output_stays_empty() {
    let world = World::with_writable(["环境/x.dll"]);
    for (arguments, needle) in [
        (&["scan", "环境", "--json", "-o", "out"][..], "环境"),
        (&["scan", "环境", "--lang", "zh", "-o", "out"], "可写"),
        (&["scan", "环境", "--jsonl", "-o", "out"], "环境"),
    ] {
        let run = world.run(arguments);
        assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{}", run.stderr);
        let bytes = fs_err::read(world.path("out")).expect("the file");
        assert!(!bytes.starts_with(b"\xef\xbb\xbf"), "no byte-order mark");
        let text = String::from_utf8(bytes).expect("UTF-8");
        assert!(text.contains(needle), "{text}");
        assert!(!text.contains('\u{1b}'), "{text}");
    }
}

#[test]
fn the_place_of_the_result_is_checked_before_any_work() {
    let world = World::with_writable(["x.dll", "y.dll"]);
    let before = world.contents();
    for output in ["y.dll", "no such folder/out.json"] {
        let run = world.run(["patch", "x.dll", "-o", output]);
        assert_eq!(run.code, 2, "{}", run.stderr);
        assert_eq!(world.contents(), before);
    }
}

#[test]
fn no_escape_sequence_gets_into_a_pipe_unless_asked_for() {
    let world = World::with_writable(["lib/x.dll"]);
    let run = world.run(["scan", "lib"]);
    assert!(!run.stdout.contains('\u{1b}'), "{:?}", run.stdout);
    let run = world.run(["restore"]);
    assert!(!run.stderr.contains('\u{1b}'), "{:?}", run.stderr);
    let run = world.run(["scan", "lib", "--color", "always"]);
    assert!(run.stdout.contains('\u{1b}'), "{:?}", run.stdout);
}

#[test]
fn redaction_leaves_no_name_anywhere() {
    let world = World::new(&Tree::default());
    Tree::default()
        .image("work/lib/x.dll", &writable())
        .fixture("work/lib/bad.dll", "lfanew_beyond_file.dll")
        .build_in(&world.outside("home"))
        .expect("a tree");
    let home = world.outside("home");
    let lib = home.join("work/lib");
    let lib = lib.to_str().expect("Unicode");
    for arguments in [
        &["scan", lib, "--json"][..],
        &["scan", lib, "--jsonl"],
        &["scan", lib],
        &["scan", lib, "--verbose"],
        &["patch", lib],
        &["patch", lib, "--json"],
        &["history", "--verbose"],
        &["history", "--json"],
        &["inspect", &format!("{lib}/bad.dll")],
        &["scan", &format!("{lib}/*.pyd")],
    ] {
        let run = world.run(arguments.iter().chain(&["--redact"]));
        for text in [&run.stdout, &run.stderr] {
            assert!(
                !text.contains(home.to_str().expect("Unicode")),
                "{arguments:?} {text}"
            );
            assert!(!text.contains("\"mei\""), "{arguments:?} {text}");
            assert!(!text.contains("mei@"), "{arguments:?} {text}");
        }
        let said = [run.stdout, run.stderr].concat();
        let tells_paths = arguments[0] != "history" || arguments[1] == "--verbose";
        assert!(!tells_paths || said.contains('~'), "{arguments:?} {said}");
    }
}

#[test]
fn quiet_says_only_what_went_wrong() {
    let tree = Tree::default()
        .image("lib/a.dll", &writable())
        .fixture("lib/bad.dll", "lfanew_beyond_file.dll");
    let world = World::new(&tree);
    let run = world.run(["patch", "lib/a.dll", "--quiet"]);
    assert_eq!(
        (run.code, run.stdout.as_str(), run.stderr.as_str()),
        (0, "", "")
    );
    let run = world.run(["patch", "lib", "--quiet"]);
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.contains("bad.dll"), "{}", run.stderr);
    let document = world.json(["scan", "lib", "--quiet"]);
    assert_eq!(document["summary"]["images"], 2);
}

#[test]
fn verbose_tells_what_is_done_on_standard_error_and_full_paths() {
    let world = World::with_writable(["lib/x.dll"]);
    let run = world.run(["patch", "lib", "--verbose"]);
    let full = world.path("lib").join("x.dll").display().to_string();
    assert!(run.stdout.contains(&full), "{}", run.stdout);
    assert!(!run.stdout.contains("DEBUG"), "{}", run.stdout);
    assert!(run.stderr.contains("patched"), "{}", run.stderr);
    assert!(run.stderr.contains("state folders"), "{}", run.stderr);
}

#[test]
fn a_reader_that_goes_away_is_no_panic_and_stops_no_work() {
    let names: Vec<String> = (0..50).map(|n| format!("lib/{n}.dll")).collect();
    let world = World::with_writable(names.iter().map(String::as_str));
    let mut command = world.command();
    command
        .args(["patch", "lib", "--jsonl"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(!stderr.contains("panicked"), "{stderr}");
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert_eq!(world.run(["scan", "lib", "--check"]).code, 0);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_below_the_result_is_an_error() {
    let world = World::with_writable(["x.dll"]);
    let mut command = world.command();
    let full = fs_err::OpenOptions::new().write(true).open("/dev/full");
    command
        .args(["scan", "x.dll"])
        .stdout(full.expect("the device").into_file())
        .stderr(Stdio::piped());
    let output = command
        .spawn()
        .and_then(std::process::Child::wait_with_output);
    let output = output.expect("it ends");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("could not be written"));
}

#[test]
fn the_language_is_that_of_the_flag_or_the_user() {
    let world = World::new(&Tree::default());
    let chinese = |run: &Run| run.stderr.contains("没有选择");
    assert!(chinese(&world.run(["restore", "--lang", "zh"])));
    assert!(!chinese(&world.run(["restore"])));
    #[cfg(unix)]
    {
        let mut command = world.command();
        command.env("LC_ALL", "zh_CN.UTF-8").arg("restore");
        assert!(chinese(&Run::of(command)));
    }
    let run = world.run(["scan", "--lang=zh", "--aslr", "off", "x"]);
    assert!(run.stderr.contains("可选的值有"), "{}", run.stderr);
}

#[test]
fn help_tells_of_every_option_in_both_languages() {
    let world = World::new(&Tree::default());
    for command in [
        "scan",
        "patch",
        "restore",
        "inspect",
        "history",
        "measure",
        "completions",
    ] {
        let english = world.run([command, "--help"]);
        let chinese = world.run([command, "--help", "--lang", "zh"]);
        for run in [&english, &chinese] {
            assert_eq!((run.code, run.stderr.as_str()), (0, ""));
            assert!(run.stdout.contains(&format!("fixnvpe {command}")));
        }
        let options = |text: &str| text.matches("--").count();
        assert!(options(&chinese.stdout) + 4 >= options(&english.stdout));
    }
}

#[test]
fn completions_and_the_manual_page_are_printed() {
    let world = World::new(&Tree::default());
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let run = world.run(["completions", shell]);
        assert_eq!(run.code, 0);
        assert!(run.stdout.contains("fixnvpe"), "{shell}");
    }
    let manual = world.run(["man"]).stdout;
    assert!(
        manual.starts_with(".ie") || manual.contains(".TH"),
        "{manual}"
    );
}
