//! `fixnvpe verify`, and `fixnvpe restore` by what package managers recorded.

use std::collections::BTreeMap;
use std::path::Path;

use fixnvpe_pe::Image;
use fixnvpe_tests::image::{CheckSum, Layout};
use fixnvpe_tests::tree::Tree;
use serde_json::Value;

use crate::world::{Run, World, assert_fits, writable};

const SITE: &str = "env/Lib/site-packages";
const X: &str = "env/Lib/site-packages/demo/x.dll";
const BACKUP: &str = "env/Lib/site-packages/demo/x.dll_bak";

/// An image whose CheckSum is right, so that the older script leaves it stale.
fn image() -> Layout {
    let mut layout = writable();
    layout.check_sum = CheckSum::True;
    layout
}

/// The same with other code, as another release of the package has.
fn other_release() -> Layout {
    let mut layout = image();
    layout.overlay = vec![7; 32].into();
    layout
}

/// A package with images of these names, just installed.
fn installed(names: &[&str]) -> Tree {
    let files: Vec<String> = names.iter().map(|name| format!("demo/{name}")).collect();
    let tree = files.iter().fold(Tree::default(), |tree, file| {
        tree.image(format!("{SITE}/{file}"), &image())
    });
    tree.distribution(SITE, "demo", "1.0", files)
}

/// What the older script does to a file: the section's and the image's flag
/// are cleared, the CheckSum is not touched, and a new file takes the name.
fn by_the_older_script(path: &Path, backup: bool) {
    let mut bytes = fs_err::read(path).expect("read");
    let beside = |end: &str| {
        let mut name = path.file_name().expect("a name").to_owned();
        name.push(end);
        path.with_file_name(name)
    };
    if backup {
        fs_err::copy(path, beside("_bak")).expect("copied");
    }
    let image = Image::read(bytes.as_slice()).expect("an image");
    let mut edits: Vec<(u64, Vec<u8>)> = image
        .fatbin_sections()
        .map(|section| {
            let flags = section.characteristics() & !0x8000_0000;
            (section.characteristics_offset(), flags.to_le_bytes().into())
        })
        .collect();
    let flags = image.dll_characteristics();
    assert_ne!(flags & 0x40, 0, "there is a flag to clear");
    let flags = flags & !0x40;
    edits.push((
        image.dll_characteristics_offset(),
        flags.to_le_bytes().into(),
    ));
    for (offset, new) in edits {
        let start = usize::try_from(offset).expect("small");
        bytes[start..start + new.len()].copy_from_slice(&new);
    }
    fs_err::write(beside("_mod"), bytes).expect("written");
    fs_err::remove_file(path).expect("removed");
    fs_err::rename(beside("_mod"), path).expect("moved");
}

/// Changes a byte behind all headers.
fn damage(path: &Path) {
    let mut bytes = fs_err::read(path).expect("read");
    *bytes.last_mut().expect("a byte") ^= 0xFF;
    fs_err::write(path, bytes).expect("written");
}

/// State and source by the file's name.
fn states(results: &Value) -> BTreeMap<String, (String, Option<String>)> {
    let word = |value: &Value| value.as_str().map(ToOwned::to_owned);
    results
        .as_array()
        .expect("results")
        .iter()
        .map(|result| {
            let path = word(&result["path"]).expect("a path");
            let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
            let state = word(&result["state"]).expect("a state");
            (name.to_owned(), (state, word(&result["source"])))
        })
        .collect()
}

/// One file in every state.
fn every_state() -> World {
    let names = ["pristine.dll", "ours.dll", "script.dll", "modified.dll"];
    let world = World::new(&installed(&names).image("elsewhere/unknown.dll", &image()));
    let path = |name: &str| world.path(SITE).join("demo").join(name);
    assert_eq!(
        world
            .run([Path::new("patch"), path("ours.dll").as_path()])
            .code,
        0
    );
    by_the_older_script(&path("script.dll"), false);
    damage(&path("modified.dll"));
    world
}

#[test]
fn every_file_is_pristine_patched_modified_or_unknown() {
    let world = every_state();
    let (files, state) = (world.contents(), world.state_contents());
    let document = world.json(["verify", "env", "elsewhere"]);
    assert_eq!(document["schema"], "fixnvpe/verify/1");
    assert_eq!(document["exit_code"], 3, "a file is modified");
    let states = states(&document["results"]);
    for (name, expected) in [
        ("pristine.dll", "pristine"),
        ("ours.dll", "patched"),
        ("script.dll", "patched"),
        ("modified.dll", "modified"),
        ("unknown.dll", "unknown"),
    ] {
        let (state, source) = &states[name];
        assert_eq!(state, expected, "{name}");
        let recorded = (expected != "unknown").then_some("demo 1.0 (RECORD)");
        assert_eq!(source.as_deref(), recorded, "{name}");
    }
    assert_eq!(states.len(), 5);
    assert_eq!((world.contents(), world.state_contents()), (files, state));
}

#[test]
fn the_worst_comes_first_and_each_ending_says_what_to_do() {
    let world = every_state();
    let run = world.run(["verify", "env", "elsewhere"]);
    assert_eq!(run.code, 3);
    assert_fits(&run.stdout);
    let rows = run.stdout.lines().skip(1).take(5);
    let order: Vec<&str> = rows
        .map(|row| row.rsplit(['/', '\\']).next().unwrap_or_default())
        .collect();
    assert_eq!(
        order,
        [
            "modified.dll",
            "unknown.dll",
            "ours.dll",
            "script.dll",
            "pristine.dll"
        ],
        "{}",
        run.stdout
    );
    for line in [
        "1 pristine, 2 patched, 1 modified, 1 unknown.",
        "  python -m pip install --force-reinstall --no-deps demo==1.0",
        "  fixnvpe restore env elsewhere",
    ] {
        assert!(
            run.stdout.lines().any(|one| one == line),
            "{line}\n{}",
            run.stdout
        );
    }
    let chinese = world.run(["verify", "env", "elsewhere", "--lang", "zh"]);
    assert_fits(&chinese.stdout);
    assert!(
        chinese
            .stdout
            .contains("1 个原样，2 个已修补，1 个被改动，1 个未知。")
    );
}

#[test]
fn an_untouched_package_is_pristine_and_the_code_is_0() {
    let world = World::new(&installed(&["x.dll", "y.dll"]));
    let run = world.run(["verify", "env"]);
    assert_eq!(run.code, 0);
    let ending = "All 2 files have exactly the bytes that their packages installed.";
    assert!(
        run.stdout.ends_with(&format!("{ending}\n")),
        "{}",
        run.stdout
    );
}

#[test]
fn what_nobody_recorded_is_unknown_and_no_reason_to_fail() {
    let world = World::with_writable(["lib/x.dll"]);
    let run = world.run(["verify", "lib"]);
    assert_eq!(run.code, 0);
    assert!(run.stdout.contains("Unknown: "), "{}", run.stdout);
}

#[test]
fn lines_come_as_files_are_verified() {
    let world = every_state();
    let mut command = world.command();
    command.args(["verify", "env", "--jsonl"]);
    let lines = Run::of(command).lines();
    let (first, last) = (&lines[0], &lines[lines.len() - 1]);
    assert_eq!(
        (&first["event"], &first["command"]),
        (&"start".into(), &"verify".into())
    );
    assert_eq!(
        (&last["event"], &last["exit_code"]),
        (&"end".into(), &3.into())
    );
    let verified = lines.iter().filter(|line| line["event"] == "verified");
    assert_eq!(verified.count(), 4);
}

#[test]
fn conda_and_pip_are_asked_alike() {
    let file = "env/Library/bin/x.dll";
    let tree = Tree::default().image(file, &image());
    let world = World::new(&tree.conda_package("env", "demo", "2.0", ["Library/bin/x.dll"]));
    let before = world.contents();
    by_the_older_script(&world.path(file), false);
    let document = world.json(["verify", "env"]);
    let source = Some("demo 2.0 (conda-meta)".to_owned());
    assert_eq!(
        states(&document["results"])["x.dll"],
        ("patched".to_owned(), source)
    );
    assert_eq!(world.run(["restore", "env"]).code, 0);
    assert_eq!(world.contents()[file].sha256, before[file].sha256);
    damage(&world.path(file));
    let run = world.run(["verify", "env"]);
    assert_eq!(run.code, 3);
    let command = "  conda install --force-reinstall --prefix ";
    assert!(run.stdout.contains(command), "{}", run.stdout);
}

#[test]
fn a_scan_names_the_package_of_each_image() {
    let world = World::new(&installed(&["x.dll"]).image("elsewhere/y.dll", &image()));
    let document = world.json(["scan", "env", "elsewhere"]);
    let package = |at: usize| document["images"][at]["package"].clone();
    assert_eq!(package(0), Value::Null);
    let demo = serde_json::json!({ "name": "demo", "version": "1.0" });
    assert_eq!(package(1), demo);

    let mut command = world.command();
    command.args(["scan", "env", "--jsonl"]);
    let lines = Run::of(command).lines();
    let image = lines.iter().find(|line| line["event"] == "image");
    assert_eq!(image.expect("the image")["package"], demo);
}

#[test]
fn what_the_older_script_patched_is_restored_to_the_recorded_bytes() {
    for backup in [false, true] {
        let world = World::new(&installed(&["x.dll"]));
        let before = world.contents();
        by_the_older_script(&world.path(X), backup);
        let mut expected = world.contents();
        assert_ne!(expected[X].sha256, before[X].sha256);

        let document = world.json(["restore", "env"]);
        assert_eq!(document["results"][0]["outcome"], "restored");
        // The bytes of the original, in the file that the script made; a backup
        // stays as long as nobody asks for its removal.
        expected.get_mut(X).expect("there").sha256 = before[X].sha256;
        assert_eq!(world.contents(), expected);
        assert_eq!(world.path(BACKUP).exists(), backup);
        assert_eq!(world.run(["verify", "env"]).code, 0);
    }
}

#[test]
fn a_backup_of_the_same_bytes_is_removed_on_request() {
    let world = World::new(&installed(&["x.dll"]));
    let before = world.contents();
    by_the_older_script(&world.path(X), true);
    let size = fs_err::metadata(world.path(BACKUP)).expect("there").len();

    let line = ["restore", "env", "--remove-backups"];
    let dry = world.json([&line[..], &["--dry-run"]].concat());
    assert_eq!(dry["freed"], size);
    assert!(world.path(BACKUP).exists(), "a dry run removes nothing");

    let run = world.run(line);
    assert_eq!(run.code, 0, "{}", run.stdout);
    assert!(
        run.stdout
            .contains("Backups (`_bak`) of the same bytes were removed")
    );
    assert!(!world.path(BACKUP).exists());
    assert_eq!(world.contents()[X].sha256, before[X].sha256);
}

#[test]
fn without_a_record_the_backup_tells_the_original() {
    let world = World::new(&Tree::default().image(X, &image()));
    let before = world.contents();
    by_the_older_script(&world.path(X), true);
    assert_eq!(world.run(["restore", "env"]).code, 0);
    assert_eq!(world.contents()[X].sha256, before[X].sha256);
}

#[test]
fn a_stale_backup_of_another_version_is_refused_and_kept() {
    // An upgrade left the backup of the release before.
    let stale = Tree::default().image(BACKUP, &other_release());
    let alone = World::new(&Tree::default().image(X, &image()).tree("", stale.clone()));
    by_the_older_script(&alone.path(X), false);
    let before = alone.contents();
    let line = ["restore", "env", "--remove-backups"];
    let document = alone.json(line);
    assert_eq!(document["exit_code"], 4);
    assert_eq!(document["results"][0]["reason"], "nothing_to_restore_from");
    assert_eq!(alone.contents(), before);

    // With a record the original is known, and the backup still is not it.
    let recorded = World::new(&installed(&["x.dll"]).tree("", stale));
    let original = recorded.contents();
    by_the_older_script(&recorded.path(X), false);
    assert_eq!(recorded.run(line).code, 0);
    let after = recorded.contents();
    assert_eq!(after[X].sha256, original[X].sha256);
    assert_eq!(after[BACKUP], original[BACKUP]);
}

#[test]
fn a_file_that_is_modified_is_not_restored_on_the_records_word() {
    let world = World::new(&installed(&["x.dll"]));
    by_the_older_script(&world.path(X), false);
    damage(&world.path(X));
    let before = world.contents();
    assert_eq!(world.run(["restore", "env"]).code, 4);
    assert_eq!(world.contents(), before);
}

#[test]
fn what_is_inferred_is_called_unproven() {
    let world = World::new(&Tree::default().image(X, &image()));
    by_the_older_script(&world.path(X), false);
    let document = world.json(["restore", "env", "--infer"]);
    assert_eq!(document["results"][0]["outcome"], "restored");
    let notes = document["results"][0]["notes"].to_string();
    assert!(notes.contains("nothing proves"), "{notes}");
}

#[test]
fn without_a_selection_every_environment_is_verified() {
    let prefix = "Users/Ann/anaconda3/envs/yolo";
    let file = format!("{prefix}/Library/bin/x.dll");
    let tree = Tree::default()
        .text(format!("{prefix}/conda-meta/history"), "")
        .text(format!("{prefix}/conda-meta/python-3.8.13-0.json"), "{}")
        .image(&file, &image())
        .image("elsewhere/y.dll", &image())
        .conda_package(prefix, "demo", "2.0", ["Library/bin/x.dll"]);
    let world = World::new(&tree);
    by_the_older_script(&world.path(&file), false);
    let disk = world.disk();
    let root = disk.to_str().expect("Unicode");
    let document = world.json(["verify", "--root", root]);
    let states = states(&document["results"]);
    assert_eq!(states.len(), 1, "{document:#}");
    assert_eq!(states["x.dll"].0, "patched");
    // The command that is printed selects the same.
    let run = world.run(["verify", "--root", root]);
    let command = "  fixnvpe restore --all-envs --root ";
    assert!(run.stdout.contains(command), "{}", run.stdout);
    assert_eq!(world.run(["restore", "--all-envs", "--root", root]).code, 0);
    assert_eq!(world.run(["verify", "--root", root]).code, 0);
}
