//! `fixnvpe patch`: what it changes, and what it leaves alone.

use fixnvpe_tests::tree::Tree;
use serde_json::Value;

use crate::world::{World, assert_fits, large, snapshot, writable};

fn outcomes(document: &Value) -> Vec<(String, String)> {
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    document["results"]
        .as_array()
        .expect("results")
        .iter()
        .map(|result| {
            let path = word(&result["path"]);
            let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
            (name.to_owned(), word(&result["outcome"]))
        })
        .collect()
}

fn mixed() -> Tree {
    let mut signed = writable();
    signed.certificate = Some(0x1a00);
    Tree::default()
        .image("lib/torch_cuda.dll", &large())
        .image("lib/signed.dll", &signed)
        .fixture("lib/packed.dll", "packed.dll")
        .fixture("lib/nvjpeg64_12.dll", "nvjpeg64_12.dll")
        .fixture("lib/plain.exe", "plain.exe")
        .text("lib/readme.txt", "not an image")
}

#[test]
fn a_patch_changes_one_bit_of_the_file_itself() {
    let world = World::with_writable(["lib/x.dll"]);
    let before = fs_err::read(world.path("lib/x.dll")).expect("read");
    let id = world.contents()["lib/x.dll"].id.clone();
    let document = world.json(["patch", "lib"]);
    let after = fs_err::read(world.path("lib/x.dll")).expect("read");
    let changed: Vec<(u8, u8)> = before
        .iter()
        .zip(&after)
        .filter(|(old, new)| old != new)
        .map(|(old, new)| (*old, *new))
        .collect();
    assert_eq!(changed, [(0xC0, 0x40)]);
    assert_eq!(world.contents()["lib/x.dll"].id, id);
    assert_eq!(outcomes(&document), [("x.dll".into(), "patched".into())]);
    assert_eq!(document["results"][0]["method"], "in_place");
}

#[test]
fn nothing_but_the_selection_and_the_state_folder_changes() {
    let world = World::new(&mixed().image("other/torch_cuda.dll", &writable()));
    let before = world.contents();
    assert_eq!(world.run(["patch", "lib"]).code, 4, "one is signed");
    let mut after = world.contents();
    let patched = "lib/torch_cuda.dll";
    assert_ne!(after[patched], before[patched]);
    after.insert(patched.into(), before[patched].clone());
    assert_eq!(after, before);
    let state: Vec<_> = world.state_contents().into_keys().collect();
    assert!(state.contains(&"journal.jsonl".to_owned()), "{state:?}");
}

#[test]
fn the_report_of_a_patch_reads_well_in_both_languages() {
    for (language, name) in [("en", "patch_mixed_en"), ("zh", "patch_mixed_zh")] {
        let world = World::new(&mixed());
        let run = world.run(["patch", "lib", "--lang", language]);
        assert_fits(&run.stdout);
        snapshot(name, &run);
    }
}

#[test]
fn a_dry_run_says_what_would_happen_and_changes_nothing() {
    let world = World::new(&mixed());
    let before = world.contents();
    let run = world.run(["patch", "lib", "--dry-run"]);
    snapshot("patch_dry_run", &run);
    assert_eq!(world.contents(), before);
    assert!(!world.state().exists());
    assert_eq!(
        run.code,
        world.run(["patch", "lib"]).code,
        "as the real one"
    );
}

#[test]
fn a_second_patch_is_done_already_and_writes_nothing() {
    let world = World::with_writable(["lib/x.dll", "lib/y.pyd"]);
    assert_eq!(world.run(["patch", "lib"]).code, 0);
    let (files, state) = (world.contents(), world.state_contents());
    let run = world.run(["patch", "lib"]);
    snapshot("patch_twice", &run);
    snapshot(
        "patch_twice_zh",
        &world.run(["patch", "lib", "--lang", "zh"]),
    );
    assert_eq!(run.code, 0);
    assert_eq!((world.contents(), world.state_contents()), (files, state));
    let document = world.json(["patch", "lib"]);
    assert_eq!(document["run"], Value::Null);
    assert!(
        outcomes(&document)
            .iter()
            .all(|(_, outcome)| outcome == "already")
    );
}

#[test]
fn a_bad_file_does_not_stop_the_others() {
    let bytes = b"MZ and then nothing that makes sense";
    let world = World::new(
        &Tree::default()
            .image("lib/a.dll", &writable())
            .fixture("lib/beyond.dll", "lfanew_beyond_file.dll")
            .bytes("lib/short.dll", *bytes)
            .image("lib/z.dll", &writable()),
    );
    let run = world.run(["patch", "lib"]);
    assert_eq!(run.code, 1);
    snapshot("patch_with_a_bad_file", &run);
    let document = world.json(["scan", "lib"]);
    assert_eq!(document["summary"]["writable"], 0);
    assert_eq!(document["failures"][0]["code"], "malformed");
    assert_eq!(document["failures"][0]["step"], "judge");
}

#[test]
fn names_outside_keep_the_original_and_the_report_says_what_that_took() {
    let tree = Tree::default()
        .image("pkgs/x.dll", &large())
        .hard_link("a/x.dll", "pkgs/x.dll")
        .hard_link("b/x.dll", "pkgs/x.dll");
    for (language, name) in [("en", "patch_break_en"), ("zh", "patch_break_zh")] {
        let world = World::new(&tree);
        let before = world.contents();
        let run = world.run(["patch", "a", "b", "--lang", language]);
        assert_eq!(run.code, 0);
        assert_fits(&run.stdout);
        snapshot(name, &run);
        let after = world.contents();
        assert_eq!(after["pkgs/x.dll"], before["pkgs/x.dll"]);
        assert_ne!(after["a/x.dll"], before["a/x.dll"]);
        assert_eq!(after["a/x.dll"], after["b/x.dll"], "one copy for both");
        assert_eq!(world.run(["restore", "--last"]).code, 0);
        let restored = world.contents();
        assert_eq!(restored["a/x.dll"].sha256, before["a/x.dll"].sha256);
        assert_eq!(restored["pkgs/x.dll"], before["pkgs/x.dll"]);
    }
}

#[test]
fn sharing_changes_names_outside_and_says_so() {
    let tree = Tree::default()
        .image("pkgs/x.dll", &large())
        .hard_link("a/x.dll", "pkgs/x.dll");
    let world = World::new(&tree);
    let run = world.run(["patch", "a", "--links", "share"]);
    snapshot("patch_share", &run);
    let after = world.contents();
    assert_eq!(after["a/x.dll"], after["pkgs/x.dll"]);
}

#[test]
fn a_read_only_attribute_is_lifted_only_on_request() {
    let world = World::with_writable(["lib/x.dll"]);
    let path = world.path("lib/x.dll");
    let read_only = || {
        fs_err::metadata(&path)
            .expect("there")
            .permissions()
            .readonly()
    };
    let mut permissions = fs_err::metadata(&path).expect("there").permissions();
    permissions.set_readonly(true);
    fs_err::set_permissions(&path, permissions).expect("set");
    let run = world.run(["patch", "lib"]);
    assert_eq!(run.code, 4);
    assert!(run.stdout.contains("--force"), "{}", run.stdout);
    assert_eq!(world.run(["patch", "lib", "--force"]).code, 0);
    assert!(read_only(), "the attribute is back");
    assert_eq!(world.run(["scan", "lib", "--check"]).code, 0);
}

#[test]
fn the_command_after_a_dry_run_repeats_every_choice() {
    let world = World::with_writable(["lib/x.dll"]);
    let line = [
        "patch",
        "lib",
        "--dry-run",
        "--links",
        "break",
        "--in-use",
        "replace",
        "--force",
        "--backup",
        "copy",
        "--aslr",
        "clear",
        "--allow-signed",
    ];
    let run = world.run(line);
    let command = run
        .stdout
        .lines()
        .find(|line| line.trim_start().starts_with("fixnvpe patch"))
        .expect("the command");
    for word in line.iter().filter(|word| **word != "--dry-run") {
        assert!(command.contains(word), "{word}: {command}");
    }
}

#[test]
fn a_file_with_a_link_outside_is_left_alone_on_request() {
    let tree = Tree::default()
        .image("pkgs/x.dll", &writable())
        .hard_link("env/x.dll", "pkgs/x.dll")
        .image("env/y.dll", &large());
    let world = World::new(&tree);
    let before = world.contents();
    let run = world.run(["patch", "env", "--links", "skip"]);
    assert_eq!(run.code, 4);
    snapshot("patch_with_a_link_outside", &run);
    let after = world.contents();
    assert_eq!(after["env/x.dll"], before["env/x.dll"]);
    assert_ne!(after["env/y.dll"], before["env/y.dll"]);
    let document = world.json(["patch", "env", "--links", "skip"]);
    let left = &document["results"][0];
    assert_eq!(left["outcome"], "skipped");
    assert_eq!(left["reason"], "links_outside");
    assert_eq!(left["retryable"], true);
    assert_eq!(left["links"], serde_json::json!({"count": 2, "outside": 1}));
}

#[test]
fn a_file_with_all_its_links_selected_is_patched_once() {
    let tree = Tree::default()
        .image("pkgs/x.dll", &writable())
        .hard_link("env/x.dll", "pkgs/x.dll");
    let world = World::new(&tree);
    let document = world.json(["patch", "env", "pkgs"]);
    assert_eq!(outcomes(&document), [("x.dll".into(), "patched".into())]);
    assert_eq!(
        document["results"][0]["names"].as_array().map(Vec::len),
        Some(2)
    );
}

#[test]
fn a_signed_image_is_patched_only_on_request_and_its_checksum_stays_right() {
    let mut signed = writable();
    signed.certificate = Some(0x1a00);
    signed.check_sum = fixnvpe_tests::image::CheckSum::True;
    let world = World::new(&Tree::default().image("signed.dll", &signed));
    assert_eq!(world.run(["patch", "signed.dll"]).code, 4);
    let document = world.json(["patch", "signed.dll", "--allow-signed"]);
    assert_eq!(document["exit_code"], 0);
    let inspected = world.json(["inspect", "signed.dll", "--checksum"]);
    assert_eq!(inspected["image"]["checksum"]["valid"], true);
}

#[test]
fn clearing_aslr_warns_of_images_that_share_an_address() {
    let world = World::with_writable(["lib/x.dll", "lib/y.dll"]);
    let run = world.run(["patch", "lib", "--aslr", "clear"]);
    assert_eq!(run.code, 0);
    assert!(run.stdout.contains("0x180000000"), "{}", run.stdout);
    let document = world.json(["scan", "lib"]);
    assert_eq!(document["images"][0]["aslr"], false);
    assert_eq!(world.run(["restore", "--last"]).code, 0);
    assert_eq!(world.json(["scan", "lib"])["images"][0]["aslr"], true);
}

#[test]
fn without_a_selection_a_patch_changes_nothing_and_says_what_to_type() {
    let world = World::with_writable(["x.dll"]);
    let before = world.contents();
    let run = world.run(["patch", "--root", "."]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("fixnvpe scan FOLDER"), "{}", run.stderr);
    assert_eq!(world.contents(), before);
}

#[test]
fn the_older_scripts_command_line_patches_and_keeps_aslr() {
    let world = World::with_writable(["lib/x.dll", "lib/deep/y.dll", "lib/z.pyd"]);
    let before = fs_err::read(world.path("lib/x.dll")).expect("read");
    let run = world.run(["--input", "lib/**/*.dll", "-r", "--backup", "True"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("ASLR is kept"), "{}", run.stderr);
    let document = world.json(["scan", "lib"]);
    let conditions: Vec<(&str, bool)> = document["images"]
        .as_array()
        .expect("images")
        .iter()
        .map(|image| {
            let condition = image["condition"].as_str().expect("a word");
            (condition, image["aslr"].as_bool().expect("a flag"))
        })
        .collect();
    assert_eq!(
        conditions,
        [("read_only", true), ("read_only", true), ("writable", true)]
    );
    let copy = fs_err::read(world.path("lib/x.dll_bak")).expect("the copy");
    assert_eq!(copy, before, "`--backup` leaves the original beside it");
    assert!(!world.path("lib/z.pyd_bak").exists());
    let again = world.run(["--input=lib/*.dll", "--json"]);
    assert_eq!(
        outcomes(&again.document()),
        [("x.dll".into(), "already".into())]
    );
}

#[cfg(unix)]
#[test]
fn an_interrupted_patch_ends_with_130_and_can_be_run_again() {
    use std::process::Stdio;

    let names: Vec<String> = (0..400).map(|n| format!("lib/{n}.dll")).collect();
    let world = World::with_writable(names.iter().map(String::as_str));
    let mut command = world.command();
    command
        .args(["patch", "lib", "--threads", "1", "--jsonl"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    // The first result proves that the run is in its work.
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(
        child.stdout.take().expect("its output"),
    ));
    let mut last = None;
    let results = lines.by_ref().map(|line| line.expect("a line"));
    let results = results.inspect(|line| last = Some(line.clone()));
    let mut results = results.filter(|line| line.contains("\"event\":\"result\""));
    assert!(results.next().is_some());
    let interrupt = ["-INT", &child.id().to_string()].map(ToOwned::to_owned);
    let sent = std::process::Command::new("kill").args(interrupt).status();
    assert!(sent.expect("kill runs").success());
    let rest: Vec<String> = results.collect();
    let code = child.wait().expect("it ends").code();
    assert_eq!(code, Some(130), "after {} more results", rest.len());
    let end = last.expect("a last line");
    assert!(end.contains("\"event\":\"end\""), "{end}");
    assert!(end.contains("\"complete\":false"), "{end}");
    // The files in flight were finished: nothing is left to be settled.
    let history = world.run(["history", "--json"]).document();
    let files = history["runs"][0]["files"].as_array().expect("files");
    assert_eq!(files.len(), rest.len() + 1);
    for file in files {
        assert_eq!(file["state"], "done", "{file}");
    }
    assert_eq!(world.run(["patch", "lib"]).code, 0);
    assert_eq!(world.run(["scan", "lib", "--check"]).code, 0);
}
