//! `fixnvpe doctor`: advice for environments, folders and machines.

use fixnvpe_tests::tree::{Tree, windows_home};
use serde_json::Value;

use crate::world::{World, assert_fits, writable};

const ENV: &str = "Users/mei/miniconda3/envs/yolo v5";
const SITE: &str = "Lib/site-packages";

/// A conda environment with a torch from before the fix.
fn old_torch() -> Tree {
    Tree::default()
        .text(format!("{ENV}/conda-meta/history"), "")
        .text(
            format!("{ENV}/conda-meta/python-3.9.13-0.json"),
            r#"{"name": "python", "version": "3.9.13", "build": "0", "files": []}"#,
        )
        .text(format!("{ENV}/python.exe"), "")
        .text(
            format!("{ENV}/{SITE}/torch-1.12.1+cu113.dist-info/METADATA"),
            "Metadata-Version: 2.1\nName: torch\nVersion: 1.12.1+cu113\n",
        )
        .text(
            format!("{ENV}/{SITE}/torch/version.py"),
            "__version__ = '1.12.1+cu113'\ncuda = '11.3'\n",
        )
        .image(
            format!("{ENV}/{SITE}/torch/lib/torch_cuda_cu.dll"),
            &writable(),
        )
        .image(format!("{ENV}/{SITE}/torch/lib/cudnn64_8.dll"), &writable())
}

fn ids(document: &Value) -> Vec<&str> {
    let findings = document["findings"].as_array().expect("findings");
    findings
        .iter()
        .map(|finding| finding["id"].as_str().expect("an id"))
        .collect()
}

/// The steps of the finding with this id.
fn steps(document: &Value, id: &str) -> Vec<String> {
    let findings = document["findings"].as_array().expect("findings");
    let finding = findings.iter().find(|one| one["id"] == id);
    let steps = finding.expect(id)["steps"].as_array().expect("steps");
    let words = |step: &Value| -> Option<String> {
        let words = step["action"]["run"].as_array()?.iter();
        let words: Vec<_> = words.map(|word| word.as_str().expect("a word")).collect();
        Some(words.join(" "))
    };
    steps.iter().filter_map(words).collect()
}

#[test]
fn an_old_torch_is_told_to_upgrade_or_patch_in_both_languages() {
    let world = World::new(&old_torch());
    let before = world.contents();
    for (language, words) in [
        ("en", ["Upgrading", "Three answers compared", "8 workers"]),
        ("zh", ["升级", "修补", "8 个"]),
    ] {
        let run = world.run([
            "doctor",
            "--root",
            ".",
            "--workers",
            "8",
            "--lang",
            language,
        ]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        for word in words {
            assert!(run.stdout.contains(word), "{word}: {}", run.stdout);
        }
        for line in run.stdout.lines().filter(|line| !line.starts_with("  ")) {
            assert_fits(line);
        }
        assert!(run.stdout.lines().count() < 60, "{}", run.stdout);
    }
    assert_eq!(world.contents(), before, "nothing is changed");
}

#[test]
fn the_document_names_the_same_findings_in_english() {
    let world = World::new(&old_torch());
    let document = world.json(["doctor", "--root", ".", "--workers", "8", "--lang", "zh"]);
    assert_eq!(ids(&document)[..2], ["upgrade", "patch"]);
    for finding in document["findings"].as_array().expect("findings") {
        let message = finding["message"].as_str().expect("a text");
        assert!(
            !message.is_empty() && !message.contains("doctor-"),
            "{message}"
        );
        assert!(message.is_ascii(), "{message}");
    }
    let environment = &document["environments"][0];
    assert_eq!(environment["facts"]["name"], "yolo v5");
    assert_eq!(environment["budget"]["processes"], 9);
    assert_eq!(document["machine"]["physical_memory"], Value::Null);
    assert_eq!(document["complete"], true);
}

#[test]
fn versions_that_have_to_stay_make_the_patch_the_first_answer() {
    let world = World::new(&old_torch());
    let document = world.json(["doctor", "--root", ".", "--pinned"]);
    assert_eq!(ids(&document)[0], "patch");
    assert!(ids(&document).contains(&"upgrade_pinned"));
}

#[test]
fn what_the_doctor_says_to_type_works_as_it_is() {
    let world = World::new(&old_torch());
    let document = world.json(["doctor", "--root", "."]);
    let commands = steps(&document, "patch");
    assert!(!commands.is_empty());
    for (at, step) in document["findings"]
        .as_array()
        .expect("findings")
        .iter()
        .filter(|finding| finding["id"] == "patch")
        .flat_map(|finding| finding["steps"].as_array().expect("steps"))
        .enumerate()
    {
        let words = step["action"]["run"].as_array().expect("a command");
        let words = words.iter().map(|word| word.as_str().expect("a word"));
        let run = world.run(words.skip(1));
        assert_eq!(run.code, 0, "{at}: {} {}", commands[at], run.stderr);
    }
}

#[test]
fn a_folder_that_is_no_environment_is_patched_by_its_path() {
    let world = World::with_writable(["portable app/bin/x.dll"]);
    let document = world.json(["doctor", "portable app"]);
    assert_eq!(document["environments"][0]["facts"]["name"], "portable app");
    let folder = world.path("portable app").display().to_string();
    let commands = steps(&document, "patch");
    assert_eq!(commands[0], format!("fixnvpe patch --dry-run {folder}"));
}

#[test]
fn a_selected_file_that_fails_is_told_and_the_rest_is_examined() {
    let tree = Tree::default()
        .image("lib/a.dll", &writable())
        .fixture("lib/bad.dll", "lfanew_beyond_file.dll");
    let world = World::new(&tree);
    let document = world.json(["doctor", "lib"]);
    assert_eq!(document["exit_code"], 1);
    assert_eq!(document["failures"].as_array().expect("a list").len(), 1);
    assert!(ids(&document).contains(&"patch"));
}

#[test]
fn a_home_with_many_environments_fits_and_all_is_there_with_verbose() {
    let world = World::new(&windows_home());
    let brief = world.run(["doctor", "--root", "."]);
    let all = world.run(["doctor", "--root", ".", "--verbose"]);
    assert_eq!((brief.code, all.code), (0, 0), "{}", brief.stderr);
    assert!(brief.stdout.lines().count() < 80, "{}", brief.stdout);
    assert!(all.stdout.lines().count() > brief.stdout.lines().count());
}

#[test]
fn an_environment_that_is_not_there_ends_with_2() {
    let world = World::new(&old_torch());
    let document = world.json(["doctor", "--root", ".", "--env", "nobody"]);
    assert_eq!(document["exit_code"], 2);
    assert_eq!(document["error"]["code"], "no_match");
}
