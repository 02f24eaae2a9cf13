//! `fixnvpe measure` with real processes. Wine does not account commit as
//! Windows does: under Wine only what there is to read is judged, no figure.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use fixnvpe_tests::fixtures;
use fixnvpe_tests::image::{Fatbin, Layout};
use serde_json::Value;

use crate::program::{Program, not_run};
use crate::win32::{children_of, is_wine};

/// Large enough to stand out from what else a process does.
const LARGE: u64 = 24 << 20;
/// However slow the machine is.
const SOON: u32 = 60_000;

/// A folder with two writable libraries, one of them large.
fn libraries() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fixtures::named("relocated.dll")
        .write_into(folder.path())
        .unwrap();
    Layout::cuda_dll(&Fatbin::of(["sm_86"]).grown_to(LARGE))
        .write_to(&folder.path().join("large 大.dll"))
        .unwrap();
    folder
}

/// Runs a command, with `--json` and these arguments.
fn run(program: &Program, arguments: &[&OsStr]) -> (i32, Value) {
    let ended = program.ended(arguments.iter().copied());
    let name = ended.document["schema"].as_str().unwrap();
    let name = name.split('/').nth(1).unwrap();
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../docs/schemas/{name}.json"));
    let schema = serde_json::from_str(&fs_err::read_to_string(path).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(&ended.document)
        .map(|error| error.to_string())
        .collect();
    assert!(errors.is_empty(), "{errors:?}\n{:#}", ended.document);
    assert_eq!(ended.document["exit_code"], ended.code);
    (ended.code, ended.document)
}

fn words<'a>(words: &'a [&'a str], path: &'a Path) -> Vec<&'a OsStr> {
    let words = words.iter().map(OsStr::new);
    words.chain([path.as_os_str()]).collect()
}

#[test]
fn every_process_maps_every_image_and_each_is_told() {
    let folder = libraries();
    let program = Program::new();
    let (code, scan) = run(&program, &words(&["scan"], folder.path()));
    assert_eq!(code, 0);
    let (code, document) = run(
        &program,
        &words(&["measure", "--workers", "2"], folder.path()),
    );
    assert_eq!(code, 0, "{document:#}");
    assert_eq!(document["schema"], "fixnvpe/measure/1");
    assert_eq!(document["complete"], true);
    assert_eq!(document["against"], Value::Null);
    let measured = &document["measurement"];
    assert_eq!(measured["processes"], 3);
    assert_eq!(measured["commits"].as_array().unwrap().len(), 3);
    assert_eq!(measured["stopped"], Value::Null);
    let images = measured["images"].as_array().unwrap();
    let scanned = scan["images"].as_array().unwrap();
    assert_eq!(images.len(), 2, "{images:?}");
    for (image, scanned) in images.iter().zip(scanned) {
        assert_eq!(image["path"], scanned["path"]);
        assert_eq!(image["calculated"], scanned["commit"]["now"]);
        assert!(image["measured"].is_i64(), "{image}");
    }
    if is_wine() {
        return not_run("Wine does not account commit as Windows does");
    }
    let per_process = measured["per_process"].as_u64().unwrap();
    assert!(per_process > LARGE, "{measured:#}");
}

/// Measures each image, and keeps it in a file or compares it with one.
fn measure<'a>(folder: &'a Path, option: &'a str, file: &'a Path) -> Vec<&'a OsStr> {
    let (measure, each) = (OsStr::new("measure"), OsStr::new("--each"));
    let (folder, file) = (folder.as_os_str(), file.as_os_str());
    vec![measure, each, folder, OsStr::new(option), file]
}

#[test]
fn a_measurement_that_is_kept_is_compared_with_one_after_the_patch() {
    let folder = libraries();
    let program = Program::new();
    let kept = program.folder().join("before.json");
    let (folder, kept) = (folder.path(), kept.as_path());
    // The file takes the document, and people still see the table.
    let shown = program.text(measure(folder, "-o", kept));
    let text = String::from_utf8(shown.stdout).unwrap();
    assert_eq!(shown.status.code(), Some(0), "{text}");
    for part in [
        "large 大.dll",
        "relocated.dll",
        "fixnvpe patch",
        "--against",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let before: Value = serde_json::from_slice(&fs_err::read(kept).unwrap()).unwrap();
    assert_eq!(before["schema"], "fixnvpe/measure/1");

    assert_eq!(program.run("patch", folder, &[]).code, 0);
    let (code, after) = run(&program, &measure(folder, "--against", kept));
    assert_eq!(code, 0, "{after:#}");
    assert_eq!(after["against"]["same"], true, "{after:#}");
    let calculated = |document: &Value| document["measurement"]["calculated"].as_u64().unwrap();
    assert!(calculated(&before) > calculated(&after) + LARGE);
    assert_eq!(
        after["against"]["before"],
        before["measurement"]["per_process"]
    );
    if is_wine() {
        return not_run("Wine does not account commit as Windows does");
    }
    let saved = after["against"]["saved"].as_i64().unwrap();
    assert!(saved > i64::try_from(LARGE / 2).unwrap(), "{after:#}");
}

#[test]
fn what_is_no_earlier_measurement_is_said_before_anything_is_started() {
    let folder = libraries();
    let program = Program::new();
    let file = program.folder().join("kept.json");
    let (_, scan) = run(&program, &words(&["scan"], folder.path()));
    for content in [
        &scan.to_string(),
        "no JSON",
        "",
        r#"{"schema": "fixnvpe/measure/1"}"#,
    ] {
        fs_err::write(&file, content).unwrap();
        let arguments = ["measure", "--against"].map(OsStr::new);
        let arguments = [
            arguments[0],
            folder.path().as_os_str(),
            arguments[1],
            file.as_os_str(),
        ];
        let (code, document) = run(&program, &arguments);
        assert_eq!(
            (code, &document["error"]["code"]),
            (2, &"file".into()),
            "{document:#}"
        );
        assert_eq!(fs_err::read_to_string(&file).unwrap(), content);
    }
    let missing = program.folder().join("no such file");
    let (code, _) = run(
        &program,
        &[
            "measure".as_ref(),
            folder.path().as_ref(),
            "--against".as_ref(),
            missing.as_ref(),
        ],
    );
    assert_eq!(code, 2);
}

#[test]
fn the_images_of_two_environments_are_no_one_process() {
    let folder = tempfile::tempdir().unwrap();
    let fixture = fixtures::named("relocated.dll");
    for name in ["a", "b"] {
        let site_packages = folder.path().join(name).join("Lib").join("site-packages");
        fs_err::create_dir_all(&site_packages).unwrap();
        fixture.write_into(&site_packages).unwrap();
    }
    let program = Program::new();
    let (code, document) = run(&program, &words(&["measure"], folder.path()));
    assert_eq!(code, 2, "{document:#}");
    let hints = document["error"]["hints"].as_array().unwrap();
    assert_eq!(hints.len(), 2, "{document:#}");
    assert!(hints[0].as_str().unwrap().contains("fixnvpe measure"));
    let (code, document) = run(&program, &words(&["measure"], &folder.path().join("a")));
    assert_eq!(code, 0, "{document:#}");
    let (code, document) = run(&program, &[OsStr::new("measure")]);
    assert_eq!(
        (code, &document["error"]["code"]),
        (2, &"no_selection".into())
    );
}

#[test]
fn an_image_that_cannot_be_mapped_is_a_failure_beside_the_others() {
    let folder = libraries();
    // A file whose import table leads nowhere loads nowhere; one for another processor neither.
    fixtures::named("arm64.dll")
        .write_into(folder.path())
        .unwrap();
    let program = Program::new();
    let (code, document) = run(&program, &words(&["measure"], folder.path()));
    assert_eq!(code, 1, "{document:#}");
    let failures = document["failures"].as_array().unwrap();
    assert_eq!(failures.len(), 1, "{document:#}");
    assert_eq!(failures[0]["step"], "map");
    let images = document["measurement"]["images"].as_array().unwrap();
    let mapped = images.iter().filter(|image| image["measured"].is_i64());
    assert_eq!((images.len(), mapped.count()), (3, 2), "{document:#}");
}

#[test]
fn the_processes_end_when_the_one_that_measures_is_killed() {
    // Wine 8's server aborts now and then when a process is killed that is just starting another
    // one in its job, and every program of the prefix ends with it.
    if is_wine() {
        return not_run("Wine's server does not survive it");
    }
    let folder = libraries();
    let program = Program::new();
    // Whenever that is: the last one may just be starting.
    for alive in 1..=4 {
        let mut parent = program
            .command()
            .arg("measure")
            .arg(folder.path())
            .args(["--workers", "1000"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let children = loop {
            let children = children_of(parent.id());
            if children.len() >= alive {
                break children;
            }
            let ended = parent.try_wait().unwrap();
            assert!(ended.is_none(), "it ended before: {ended:?}");
            std::thread::yield_now();
        };
        parent.kill().unwrap();
        parent.wait().unwrap();
        let late = children_of(parent.id());
        for child in children.iter().chain(&late) {
            let name = &child.program;
            assert!(child.ends_within(SOON), "{name} outlived its parent");
        }
    }
}

#[test]
fn a_python_that_does_not_import_says_why() {
    let folder = tempfile::tempdir().unwrap();
    // This program in the place of Python ends with an error, as a broken import does.
    let python = folder.path().join("python.exe");
    fs_err::copy(env!("CARGO_BIN_EXE_fixnvpe"), &python).unwrap();
    let program = Program::new();
    let prefix = folder.path().as_os_str();
    let (code, document) = run(
        &program,
        &["measure", "--import", "torch", "--python"]
            .iter()
            .map(OsStr::new)
            .chain([prefix])
            .collect::<Vec<_>>(),
    );
    assert_eq!(code, 1, "{document:#}");
    let detail = document["error"]["detail"].as_str().unwrap();
    assert!(detail.contains("ended before it was ready"), "{detail}");
    assert!(detail.contains("python.exe"), "{detail}");
}

#[test]
fn the_python_of_this_machine_is_measured_with_what_it_imports() {
    let Some(prefix) = python() else {
        return not_run("there is no Python on the path");
    };
    let program = Program::new();
    let arguments = [
        "measure",
        "--workers",
        "1",
        "--import",
        "json,decimal",
        "--python",
    ];
    let arguments = arguments.iter().map(OsStr::new).chain([prefix.as_os_str()]);
    let (code, document) = run(&program, &arguments.collect::<Vec<_>>());
    assert!(matches!(code, 0 | 1), "{document:#}");
    let measured = &document["measurement"];
    assert_eq!(measured["imports"], serde_json::json!(["json", "decimal"]));
    assert_eq!(measured["commits"].as_array().unwrap().len(), 2);
    assert!(
        measured["program"]
            .as_str()
            .unwrap()
            .ends_with("python.exe")
    );
}

/// The prefix of the Python on the path.
fn python() -> Option<PathBuf> {
    let output = Command::new("python.exe")
        .args(["-c", "import sys; print(sys.prefix)"])
        .output()
        .ok()?;
    let prefix = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| prefix.trim().into())
}
