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

/// The commands of the finding with this id, word by word.
fn commands(document: &Value, id: &str) -> Vec<Vec<String>> {
    let findings = document["findings"].as_array().expect("findings");
    let finding = findings.iter().find(|one| one["id"] == id);
    let steps = finding.expect(id)["steps"].as_array().expect("steps");
    let words = |step: &Value| -> Option<Vec<String>> {
        let words = step["action"]["run"].as_array()?.iter();
        Some(
            words
                .map(|word| word.as_str().expect("a word").to_owned())
                .collect(),
        )
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
fn a_base_installation_does_not_pay_for_the_environments_in_it() {
    let base = "Users/mei/miniconda3";
    let tree = old_torch()
        .text(format!("{base}/conda-meta/history"), "")
        .text(format!("{base}/python.exe"), "")
        .image(
            format!("{base}/pkgs/cudnn-8/Library/bin/cudnn64_8.dll"),
            &writable(),
        );
    let world = World::new(&tree);
    let document = world.json(["doctor", "--root", "."]);
    let environments = document["environments"].as_array().expect("a list");
    let costs: Vec<_> = environments
        .iter()
        .map(|one| {
            let facts = &one["facts"];
            let images = facts["images"].as_array().expect("a list").len();
            (facts["name"].as_str().expect("a name"), images)
        })
        .collect();
    assert_eq!(costs, [("yolo v5", 2), ("base", 0)]);
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
    let commands = commands(&document, "patch");
    assert!(!commands.is_empty());
    for words in commands {
        let run = world.run(&words[1..]);
        assert_eq!(run.code, 0, "{words:?}: {}", run.stderr);
    }
}

#[test]
fn a_folder_that_is_no_environment_is_patched_by_its_path() {
    let world = World::with_writable(["portable app/bin/x.dll"]);
    let document = world.json(["doctor", "portable app"]);
    assert_eq!(document["environments"][0]["facts"]["name"], "portable app");
    let folder = world.path("portable app").display().to_string();
    let commands = commands(&document, "patch");
    let words = ["fixnvpe", "patch", "--dry-run", folder.as_str()];
    assert_eq!(commands[0], words);
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

/// A venv where no look around gets to, with or without a writable DLL.
fn hidden_venv(writable_dll: bool) -> Tree {
    let venv = "a/b/c/d/e/venv";
    let tree = Tree::default()
        .text(
            format!("{venv}/pyvenv.cfg"),
            "home = C:\\gone\nversion = 3.9.13\n",
        )
        .text(format!("{venv}/Scripts/python.exe"), "")
        .folder(format!("{venv}/{SITE}"));
    if writable_dll {
        tree.image(format!("{venv}/{SITE}/x/x.dll"), &writable())
    } else {
        tree
    }
}

#[test]
fn an_environment_where_nobody_looks_is_examined_when_it_is_named() {
    let world = World::new(&hidden_venv(true));
    let prefix = world.path("a/b/c/d/e/venv").display().to_string();
    for words in [
        vec!["doctor", "--root", ".", "--env", r"C:\a\b\c\d\e\venv"],
        vec!["doctor", "--root", ".", "--env", &prefix],
        vec!["doctor", "--root", ".", "a/b/c/d/e/venv"],
    ] {
        let document = world.json(&words);
        let facts = &document["environments"][0]["facts"];
        assert_eq!(facts["python"], "3.9.13", "{words:?}");
        assert!(
            commands(&document, "patch")[0].contains(&"--env".to_owned()),
            "{words:?}"
        );
    }
    let run = world.run(["doctor", "--root", ".", "--env", "./a/b"]);
    assert_eq!(run.code, 2, "{}", run.stdout);
}

#[test]
fn where_nothing_is_wrong_it_says_so_and_what_it_went_by() {
    let world = World::new(&hidden_venv(false));
    let world_line = ["doctor", "--root", ".", "a", "--env", "a/b/c/d/e/venv"];
    let run = world.run(world_line);
    assert!(run.stdout.starts_with("Nothing to mend"), "{}", run.stdout);
    assert!(run.stdout.contains("fixnvpe explain"), "{}", run.stdout);
    assert!(run.stdout.contains(": Python 3.9.13."), "{}", run.stdout);
    assert_fits(&run.stdout);
}

#[test]
fn an_environment_is_upgraded_by_the_tool_that_looks_after_it() {
    let torch = |tree: Tree, site: &str| {
        tree.text(
            format!("{site}/torch-1.12.1+cu113.dist-info/METADATA"),
            "Metadata-Version: 2.1\nName: torch\nVersion: 1.12.1+cu113\n",
        )
        .text(
            format!("{site}/torch/version.py"),
            "__version__ = '1.12.1+cu113'\ncuda = '11.3'\n",
        )
        .image(format!("{site}/torch/lib/torch_cuda.dll"), &writable())
    };
    let local =
        "Users/mei/AppData/Local/Packages/PythonSoftwareFoundation.Python.3.10_q/LocalCache";
    let store = format!("{local}/local-packages/Python310/site-packages");
    let uv = Tree::default().text(
        "work/app/.venv/pyvenv.cfg",
        "home = C:\\gone\nuv = 0.5.1\nversion_info = 3.10.13\n",
    );
    for (tree, begins) in [
        (
            torch(uv, &format!("work/app/.venv/{SITE}")),
            "uv pip install --python",
        ),
        (
            torch(Tree::default(), &store),
            "py -3.10 -m pip install --user",
        ),
    ] {
        let document = World::new(&tree).json(["doctor", "--root", "."]);
        assert_eq!(ids(&document)[0], "upgrade", "{document:#}");
        let command = commands(&document, "upgrade")[0].join(" ");
        assert!(command.starts_with(begins), "{command}");
    }
    let run = World::new(&old_torch()).run(["doctor", "--root", ".", "--verbose", "--lang", "en"]);
    assert!(run.stdout.contains("In Anaconda Prompt"), "{}", run.stdout);
}

#[test]
fn a_command_of_another_program_is_for_the_windows_whose_disks_these_are() {
    let world = World::new(&old_torch());
    let run = world.run(["doctor", "--root", ".", "--verbose"]);
    let upgrade = run.stdout.lines().find(|line| line.contains("torch=="));
    let upgrade = upgrade.unwrap_or_else(|| panic!("{}", run.stdout));
    assert!(!upgrade.contains('\''), "{upgrade}");
    let here = world.disk().display().to_string();
    for line in run.stdout.lines().filter(|line| line.contains("conda ")) {
        assert!(!line.contains(&here), "{line}");
    }
    assert!(
        run.stdout.contains(r"C:\Users\mei\miniconda3"),
        "{}",
        run.stdout
    );
}

#[test]
fn freeing_a_backup_and_patching_again_are_shown_together() {
    let world = World::new(&old_torch());
    let patched = world.run(["patch", "--root", ".", "--all-envs", "--backup", "copy"]);
    assert_eq!(patched.code, 0, "{}", patched.stderr);
    for language in ["en", "zh"] {
        let run = world.run(["doctor", "--root", ".", "--lang", language]);
        let at = |words: &str| run.stdout.find(words);
        let restore = at("fixnvpe restore --root . --remove-backups");
        let patch = at("fixnvpe patch --root");
        assert!(
            restore.is_some() && restore < patch,
            "{language}: {}",
            run.stdout
        );
        assert!(at("1. ") < at("2. "), "{}", run.stdout);
    }
    let document = world.json(["doctor", "--root", "."]);
    for words in commands(&document, "script_leftovers") {
        let run = world.run(&words[1..]);
        assert_eq!(run.code, 0, "{words:?}: {}", run.stderr);
    }
    let document = world.json(["doctor", "--root", "."]);
    assert!(!ids(&document).contains(&"script_leftovers"));
    assert!(!ids(&document).contains(&"patch"), "patched again");
}

#[test]
fn a_module_that_nobody_installed_is_a_warning_and_none_at_all_an_error_of_use() {
    let world = World::new(&old_torch());
    let line = |modules| ["doctor", "--root", ".", "--import", modules];
    let run = world.run(line("torch,trch"));
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("trch"), "{}", run.stderr);
    assert!(run.stdout.contains("imports torch pays"), "{}", run.stdout);
    let document = world.json(line("trch,tensrflow"));
    assert_eq!(document["exit_code"], 2);
    assert_eq!(document["error"]["code"], "no_match");
    let hint = document["error"]["hints"][0].as_str().expect("a hint");
    assert!(hint.contains("--import"), "{hint}");
}
