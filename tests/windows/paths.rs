//! Paths as Windows has them.

use std::ffi::OsString;
use std::os::windows::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

use fixnvpe_tests::fixtures;
use serde_json::Value;

use crate::program::{Ended, Program, not_run};
use crate::win32;

const FIXTURE: &str = "relocated.dll";

/// The fixture under this path, which is made with all its folders; taken as it is, since it
/// starts with `\\?\`.
fn place(path: &Path) -> std::io::Result<()> {
    fs_err::create_dir_all(path.parent().unwrap())?;
    fixtures::named(FIXTURE).assemble()?.write_to(path)
}

/// A folder whose path starts with `\\?\`.
fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = fixnvpe_files::extended(folder.path()).unwrap();
    (folder, path)
}

fn paths(document: &Value, list: &str) -> Vec<String> {
    let list = document[list].as_array().unwrap();
    list.iter()
        .map(|one| one["path"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn names_that_only_the_long_form_can_open_are_patched_and_restored() {
    let (_held, root) = folder();
    let deep: PathBuf = std::iter::repeat_n("a folder with a rather long name", 12).collect();
    let names = [
        deep.join("long.dll"),
        PathBuf::from("trailing dot.").join("x.dll"),
        PathBuf::from("trailing space ").join("x.dll"),
        PathBuf::from("nul.dll"),
        PathBuf::from("aux").join("con.pyd"),
        PathBuf::from("[brackets] & 'quotes' %TEMP% ^!").join("x.dll"),
        PathBuf::from("用户 Пользователь").join("内核.dll"),
    ];
    for name in &names {
        place(&root.join(name)).unwrap();
    }
    let shown = fixnvpe_files::shown(&root);
    let program = Program::new();
    let scan = program.run("scan", &shown, &[]);
    assert_eq!(scan.code, 0, "{}", scan.document);
    let mut found = paths(&scan.document, "images");
    found.sort();
    let mut expected: Vec<String> = names
        .iter()
        .map(|name| shown.join(name).to_str().unwrap().to_owned())
        .collect();
    expected.sort();
    assert_eq!(found, expected);

    for (command, outcome) in [("patch", "patched"), ("restore", "restored")] {
        let ended = program.run(command, &shown, &[]);
        assert_eq!(ended.code, 0, "{}", ended.document);
        for result in ended.document["results"].as_array().unwrap() {
            assert_eq!(result["outcome"], outcome, "{result}");
        }
    }
}

#[test]
fn a_path_that_is_there_as_it_is_written_is_meant_so() {
    let (_held, root) = folder();
    let names = [r"nul.dll", r"trailing dot.\x.dll", r"aux\con.pyd"];
    for name in names {
        place(&root.join(name)).unwrap();
    }
    let shown = fixnvpe_files::shown(&root);
    let program = Program::new();
    for name in names {
        let path = shown.join(name);
        for command in ["inspect", "scan", "patch", "restore"] {
            let ended = program.run(command, &path, &[]);
            assert_eq!(ended.code, 0, "{command} {name}: {}", ended.document);
            if command == "scan" {
                let found = paths(&ended.document, "images");
                assert_eq!(found, [path.to_str().unwrap()]);
            }
        }
    }
    // Below the current folder as well.
    let mut command = program.command();
    command
        .current_dir(&shown)
        .args(["patch", "nul.dll", "--json"]);
    let ended = Ended::of(&command.output().unwrap());
    assert_eq!(ended.result()["outcome"], "patched");
    let folder = program.run("scan", &shown.join("trailing dot."), &[]);
    assert_eq!(paths(&folder.document, "images").len(), 1);
}

#[test]
fn base_is_patched_alone_from_a_folder_that_was_typed_in_another_case() {
    let (_held, root) = folder();
    let base = root.join("Users").join("Mei").join("Miniconda3");
    let environment = base.join("envs").join("yolov5");
    for prefix in [&base, &environment] {
        place(&prefix.join("Library").join("bin").join("x.dll")).unwrap();
        let history = prefix.join("conda-meta").join("history");
        fs_err::create_dir_all(history.parent().unwrap()).unwrap();
        fs_err::write(history, "==> 2022-06-01 12:00:00 <==\n").unwrap();
        fs_err::write(prefix.join("python.exe"), "").unwrap();
    }
    fs_err::create_dir_all(base.join("condabin")).unwrap();
    fs_err::write(base.join("condabin").join("conda.bat"), "").unwrap();
    let work = root.join("Users").join("Mei").join("work");
    fs_err::create_dir_all(&work).unwrap();

    let typed = fixnvpe_files::shown(&work);
    let typed = typed.to_str().unwrap().to_lowercase();
    let program = Program::new();
    let mut command = program.command();
    command
        .current_dir(typed)
        .env(
            "USERPROFILE",
            fixnvpe_files::shown(&root.join("Users").join("Mei")),
        )
        .args(["patch", "--env"])
        .arg(fixnvpe_files::shown(&base))
        .arg("--json");
    let ended = Ended::of(&command.output().unwrap());
    assert_eq!(ended.code, 0, "{}", ended.document);
    let patched = ended.result();
    let expected = fixnvpe_files::shown(&base.join("Library").join("bin").join("x.dll"));
    assert_eq!(patched["path"], expected.to_str().unwrap());
    assert_eq!(patched["outcome"], "patched");
}

#[test]
fn a_file_is_known_by_every_spelling_of_its_path() {
    let (_held, root) = folder();
    place(&root.join("Lib").join("Kernels.dll")).unwrap();
    let shown = fixnvpe_files::shown(&root.join("Lib"));
    let shown = shown.to_str().unwrap();
    let mut spellings = vec![
        format!(r"{shown}\Kernels.dll"),
        format!(r"{shown}\KERNELS.DLL"),
        format!(r"{shown}\..\Lib\.\Kernels.dll"),
        shown.replace('\\', "/") + "/Kernels.dll",
        format!(r"\\?\{shown}\Kernels.dll"),
        format!(r"{shown}\*.DLL"),
        format!(r"{shown}\**\kernels.*"),
        shown.to_uppercase() + r"\k*.dll",
        shown.replace('\\', "/") + "/*.dll",
    ];
    let share = format!(r"\\localhost\{}", shown.replacen(':', "$", 1));
    if Path::new(&share).is_dir() {
        spellings.push(format!(r"{share}\Kernels.dll"));
        spellings.push(format!(r"\\?\UNC\{}\Kernels.dll", &share[2..]));
    } else {
        not_run("this machine does not share its drives");
    }
    let program = Program::new();
    for spelling in &spellings {
        let scan = program.run("scan", Path::new(spelling), &[]);
        assert_eq!(scan.code, 0, "{spelling}: {}", scan.document);
        let found = paths(&scan.document, "images");
        assert_eq!(found.len(), 1, "{spelling}: {}", scan.document);
        assert!(!found[0].starts_with(r"\\?\"), "{spelling}: {found:?}");
    }
    // All of them at once are one file with one name.
    let all: Vec<_> = spellings[1..5].iter().map(String::as_str).collect();
    let scan = program.run("scan", Path::new(&spellings[0]), &all);
    assert_eq!(paths(&scan.document, "images").len(), 1);
}

#[test]
fn a_name_that_is_not_unicode_is_reported_and_patched() {
    let (_held, root) = folder();
    // A lone surrogate: a name for Windows, and no Unicode.
    let units: Vec<u16> = "x".encode_utf16().chain([0xD800]).collect();
    let name = OsString::from_wide(&units);
    let mut file = name.clone();
    file.push(".dll");
    if place(&root.join(&file)).is_err() {
        assert!(win32::is_wine());
        return not_run("Wine has no such names");
    }
    let program = Program::new();
    let patched = program.run("patch", &fixnvpe_files::shown(&root), &[]);
    assert_eq!(patched.code, 0, "{}", patched.document);
    let result = patched.result();
    assert_eq!(result["outcome"], "patched");
    let raw = result["path_raw"].as_str().unwrap();
    let path = fixnvpe_files::from_raw(raw).unwrap();
    assert_eq!(path.file_name().unwrap(), file);
    assert!(fs_err::metadata(path).unwrap().is_file());
}

#[test]
fn a_junction_is_not_followed() {
    let (_held, root) = folder();
    place(&root.join("real").join("x.dll")).unwrap();
    let shown = fixnvpe_files::shown(&root);
    let made = std::process::Command::new("cmd")
        .args(["/d", "/c", "mklink", "/J", "junction", "real"])
        .current_dir(&shown)
        .output()
        .unwrap();
    if !shown.join("junction").join("x.dll").is_file() {
        assert!(win32::is_wine(), "{made:?}");
        return not_run("Wine makes no junctions");
    }
    let scan = Program::new().run("scan", &shown, &[]);
    let real = shown.join("real").join("x.dll");
    assert_eq!(paths(&scan.document, "images"), [real.to_str().unwrap()]);
    let skipped = paths(&scan.document, "skipped");
    assert!(skipped.is_empty() || skipped == [shown.join("junction").to_str().unwrap()]);
}

#[test]
fn chinese_paths_come_out_whole() {
    let (_held, root) = folder();
    place(&root.join("用户").join("内核.dll")).unwrap();
    let shown = fixnvpe_files::shown(&root);
    let program = Program::new();
    let json = program.output([std::ffi::OsStr::new("scan"), shown.as_os_str()]);
    assert!(json.stdout.is_ascii(), "no code page can break it");
    let text = program.text([std::ffi::OsStr::new("scan"), shown.as_os_str()]);
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(text.contains("内核.dll"), "{text}");
}
