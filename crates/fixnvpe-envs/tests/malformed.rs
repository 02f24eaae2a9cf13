//! Files that are not as they should be, and folders that mean harm.

mod tree;

use fixnvpe_envs::{DiscoverOptions, Machine, SkipReason};
use tree::{Make, Tree, Troubled, default_look};

#[test]
fn environments_txt_in_every_shape_names_each_environment_once() {
    let tree = Tree::of(&[("D/far/from/all/of/it/Yolo", Make::Conda("3.8.1"))]);
    let dead = "C:\\dead\r\n\r\n   \r\nnot a path\r\n\\\\nas\\envs\\x\r\nZ:\\away\r\n";
    let twice = "D:\\far\\from\\all\\of\\it\\Yolo\r\nd:/FAR/from/ALL/of/it/YOLO/\r\n\"D:\\far\\from\\all\\of\\it\\yolo\"\r\n";
    let text = format!("\u{FEFF}{dead}{twice}");
    let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for bytes in [text.as_bytes(), &utf16] {
        tree.file("C/Users/Ann/.conda/environments.txt", bytes);
        let found = default_look(&tree.windows("CD"));
        assert_eq!(
            tree.found(&found),
            ["D/far/from/all/of/it/Yolo: conda Yolo 3.8.1"]
        );
        assert_eq!(
            tree.skipped(&found),
            [
                "//nas/envs/x: Network",
                "Z:/away: DriveMissing",
                "not a path: Malformed"
            ]
        );
    }
}

#[test]
fn a_name_that_is_not_unicode_is_told_and_the_next_line_counts() {
    let tree = Tree::of(&[("C/far/from/all/of/it/Yolo", Make::Conda("3.8.1"))]);
    tree.file(
        "C/Users/Ann/.conda/environments.txt",
        b"C:\\\xd6\xd0\xce\xc4\r\nC:\\far\\from\\all\\of\\it\\Yolo\r\n",
    );
    let found = default_look(&tree.windows("C"));
    assert_eq!(tree.found(&found).len(), 1);
    assert_eq!(found.skipped.len(), 1);
    assert_eq!(found.skipped[0].reason, SkipReason::Malformed);
}

#[test]
fn condarc_in_every_shape_is_followed() {
    for (file, text) in [
        ("C/Users/Ann/.condarc", "envs_dirs: D:\\x\\y\\z\\w\\envs\n"),
        ("C/Users/Ann/.condarc", "envs_dirs:\n  - d:/X/y/z/w/envs/\n"),
        (
            "C/Users/Ann/.condarc",
            "\u{FEFF}envs_path: ['D:\\x\\y\\z\\w\\envs']\r\n",
        ),
        (
            "C/Users/Ann/.conda/condarc.d/a.yaml",
            "envs_dirs: [D:\\x\\y\\z\\w\\envs]\n",
        ),
        (
            "C/ProgramData/Conda/condarc.d/a.YML",
            "envs_dirs: [D:\\x\\y\\z\\w\\envs]\n",
        ),
        (
            "C/Users/Ann/.condarc",
            "pkgs_dirs: 7\nenvs_dirs:\n- 7\n- {a: b}\n- \n- D:\\x\\y\\z\\w\\envs\n",
        ),
        (
            "C/Users/Ann/miniconda3/.condarc",
            "envs_dirs: [D:\\x\\y\\z\\w\\envs]\n",
        ),
    ] {
        let tree = Tree::of(&[
            ("D/x/y/z/w/envs/Yolo", Make::Conda("3.8.1")),
            ("C/Users/Ann/miniconda3", Make::CondaRoot("3.9.1")),
        ]);
        tree.file(file, text);
        let found = default_look(&tree.windows("CD"));
        let lines = tree.found(&found);
        assert!(
            lines.contains(&"D/x/y/z/w/envs/Yolo: conda Yolo 3.8.1".to_owned()),
            "{text}: {lines:?}"
        );
    }
}

#[test]
fn variables_in_condarc_are_those_of_the_user_whose_file_it_is() {
    let tree = Tree::of(&[
        (
            "C/Users/Ann/.condarc",
            Make::File(
                "envs_dirs:\n- ~\\a\\b\\c\\envs\n- \"%USERPROFILE%/d/e/f/envs\"\n- $HOME/g/h/i/envs\n- \"%UNKNOWN%\\\\x\"\n",
            ),
        ),
        ("C/Users/Ann/a/b/c/envs/one", Make::Conda("3.8.1")),
        ("C/Users/Ann/d/e/f/envs/two", Make::Conda("3.8.2")),
        ("C/Users/Ann/g/h/i/envs/three", Make::Conda("3.8.3")),
        ("C/Users/Bob/a/b/c/envs/not-bobs", Make::Conda("3.8.4")),
    ]);
    let found = default_look(&tree.windows("C"));
    let names: Vec<&str> = found
        .environments
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    assert_eq!(names, ["one", "two", "three"]);
    assert_eq!(tree.skipped(&found), ["%UNKNOWN%/x: Malformed"]);
}

#[test]
fn the_callers_variables_mean_nothing_in_the_file_of_another_user() {
    let tree = Tree::of(&[
        (
            "C/ProgramData/conda/.condarc",
            Make::File("envs_dirs: ['%MINE%\\shared']\n"),
        ),
        (
            "C/Users/Bob/.condarc",
            Make::File("envs_dirs: ['%MINE%\\bobs']\n"),
        ),
        ("D/a/b/c/d/shared/one", Make::Conda("3.8.1")),
        ("D/a/b/c/d/bobs/two", Make::Conda("3.8.2")),
    ]);
    let machine = tree.windows("CD").with_variable("mine", r"D:\a\b\c\d");
    let found = default_look(&machine);
    assert_eq!(
        tree.found(&found),
        ["D/a/b/c/d/shared/one: conda one 3.8.1"]
    );
    assert_eq!(tree.skipped(&found), ["%MINE%/bobs: Malformed"]);
}

#[test]
fn a_file_that_is_far_too_long_is_told_and_not_read() {
    let tree = Tree::of(&[("C/py/venv", Make::Venv("3.9.1"))]);
    for file in [
        "C/Users/Ann/.condarc",
        "C/Users/Ann/.conda/environments.txt",
        "C/py/venv/pyvenv.cfg",
    ] {
        tree.file(file, "");
        let opened = fs_err::OpenOptions::new()
            .write(true)
            .open(tree.path(file))
            .unwrap();
        opened.set_len(8 << 30).unwrap();
    }
    let found = default_look(&tree.windows("C"));
    assert_eq!(tree.found(&found), ["C/py/venv: venv py -"]);
    let reasons: Vec<SkipReason> = found.skipped.iter().map(|one| one.reason).collect();
    assert_eq!(reasons, [SkipReason::TooLarge; 3]);
}

#[test]
fn a_virtual_environment_whose_config_cannot_be_read_is_one_all_the_same() {
    let tree = Tree::of(&[("C/py/venv", Make::Venv("3.9.1"))]);
    let disk = Troubled {
        denied: vec![tree.path("C/py/venv/pyvenv.cfg")],
        ..Troubled::default()
    };
    let found = default_look(&tree.windows("C").with_disk(disk));
    assert_eq!(tree.found(&found), ["C/py/venv: venv py -"]);
    assert_eq!(tree.skipped(&found), ["C/py/venv/pyvenv.cfg: AccessDenied"]);
}

#[test]
fn an_environment_below_a_folder_that_may_only_be_passed_through_is_found_by_name() {
    let tree = Tree::of(&[
        (
            "C/Users/Ann/.conda/environments.txt",
            Make::File("D:\\closed\\envs\\yolo\n"),
        ),
        ("D/closed/envs/yolo", Make::Conda("3.8.1")),
    ]);
    let machine = tree
        .windows("CD")
        .with_disk(ClosedFolder(tree.path("D/closed")));
    let found = default_look(&machine);
    assert_eq!(tree.found(&found), ["D/closed/envs/yolo: conda yolo 3.8.1"]);
    assert_eq!(tree.skipped(&found), ["D/closed: AccessDenied"]);
}

/// A disk with one folder that may not be listed, but passed through.
#[derive(Debug)]
struct ClosedFolder(std::path::PathBuf);

impl fixnvpe_envs::Disk for ClosedFolder {
    fn read_folder(&self, path: &std::path::Path) -> std::io::Result<fixnvpe_files::Folder> {
        if path == self.0 {
            return Err(std::io::ErrorKind::PermissionDenied.into());
        }
        fixnvpe_envs::LiveDisk.read_folder(path)
    }

    fn open_file(&self, path: &std::path::Path) -> std::io::Result<Box<dyn std::io::Read + Send>> {
        fixnvpe_envs::LiveDisk.open_file(path)
    }

    fn identify(&self, folder: &std::path::Path) -> std::io::Result<fixnvpe_files::FileId> {
        fixnvpe_envs::LiveDisk.identify(folder)
    }
}

#[test]
fn a_drive_that_is_not_there_is_told_and_stops_nothing() {
    let tree = Tree::of(&[("C/py/venv", Make::Venv("3.9.1"))]);
    let drives = [('C', tree.path("C")), ('Q', tree.path("Q"))];
    let found = default_look(&Machine::mounted(drives).unwrap());
    assert_eq!(tree.found(&found), ["C/py/venv: venv py 3.9.1"]);
    assert_eq!(tree.skipped(&found), ["Q: DriveMissing"]);
}

#[test]
fn a_home_that_is_an_environment_hides_none_of_those_in_it() {
    let tree = Tree::of(&[
        ("C/Users/Ann/pyvenv.cfg", Make::File("version = 3.9.0\n")),
        ("C/Users/Ann/Scripts/python.exe", Make::File("MZ")),
        ("C/Users/Ann/work/proj/venv", Make::Venv("3.9.1")),
    ]);
    let found = default_look(&tree.windows("C"));
    assert_eq!(
        tree.found(&found),
        [
            "C/Users/Ann/work/proj/venv: venv proj 3.9.1",
            "C/Users/Ann: venv Ann 3.9.0"
        ]
    );
}

#[test]
fn nothing_is_looked_for_after_it_was_cancelled() {
    let tree = Tree::of(&[("C/py/venv", Make::Venv("3.9.1"))]);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(2)
        .build()
        .unwrap();
    let machine = tree.windows("C");
    let found = fixnvpe_envs::discover(&machine, DiscoverOptions::new(), &pool, &|| true);
    assert!(!found.complete);
    assert!(found.environments.is_empty());
}

#[cfg(unix)]
mod links {
    use fixnvpe_envs::Os;
    use fs_err::os::unix::fs::symlink;

    use super::*;
    use crate::tree::look;

    #[test]
    fn junctions_that_form_a_loop_end_and_lead_to_nothing_twice() {
        let tree = Tree::of(&[
            ("C/Users/Ann/work/venv", Make::Venv("3.9.1")),
            (
                "C/Users/Ann/.conda/environments.txt",
                Make::File("C:\\Users\\Ann\\alias\\venv\nC:\\Users\\Ann\\work\\loop\\loop\\venv\n"),
            ),
        ]);
        symlink(
            tree.path("C/Users/Ann/work"),
            tree.path("C/Users/Ann/work/loop"),
        )
        .unwrap();
        symlink(
            tree.path("C/Users/Ann/work"),
            tree.path("C/Users/Ann/alias"),
        )
        .unwrap();
        symlink(tree.path("C/Users"), tree.path("C/Documents and Settings")).unwrap();
        for deep in [false, true] {
            let found = look(&tree.windows("C"), DiscoverOptions::new().deep(deep));
            // The path is the one that the user wrote down.
            assert_eq!(
                tree.found(&found),
                ["C/Users/Ann/alias/venv: venv alias 3.9.1"]
            );
        }
    }

    #[test]
    fn a_conda_installation_behind_a_junction_is_found_under_the_name_that_is_known() {
        let tree = Tree::of(&[
            ("D/apps/a/b/c/conda", Make::CondaRoot("3.9.1")),
            ("D/apps/a/b/c/conda/envs/yolo", Make::Conda("3.8.1")),
            (
                "C/Users/Ann/.conda/environments.txt",
                Make::File("C:\\Users\\Ann\\miniconda3\\envs\\yolo\n"),
            ),
        ]);
        symlink(
            tree.path("D/apps/a/b/c/conda"),
            tree.path("C/Users/Ann/miniconda3"),
        )
        .unwrap();
        let found = default_look(&tree.windows("CD"));
        assert_eq!(
            tree.found(&found),
            [
                "C/Users/Ann/miniconda3/envs/yolo: conda yolo 3.8.1",
                "C/Users/Ann/miniconda3: conda base 3.9.1",
            ]
        );
    }

    #[test]
    fn a_pipe_in_place_of_a_file_is_not_waited_for() {
        let tree = Tree::of(&[("C/py/venv", Make::Venv("3.9.1"))]);
        fs_err::remove_file(tree.path("C/py/venv/pyvenv.cfg")).unwrap();
        symlink("/dev/zero", tree.path("C/py/venv/pyvenv.cfg")).unwrap();
        tree.folder("C/Users/Ann");
        symlink("/dev/zero", tree.path("C/Users/Ann/.condarc")).unwrap();
        let found = default_look(&tree.windows("C"));
        assert_eq!(tree.found(&found), ["C/py/venv: venv py -"]);
        assert_eq!(found.skipped.len(), 2);
    }

    #[test]
    fn a_path_longer_than_any_limit_is_told_and_stops_nothing() {
        let tree = Tree::of(&[("C/zzz/venv", Make::Venv("3.9.1")), ("C/a", Make::Folder)]);
        // Each folder is made through a link that names its parent in short,
        // as no call takes the whole path.
        let name = "n".repeat(250);
        let mut parent = fs_err::File::open(tree.path("C/a")).unwrap();
        for _ in 0..20 {
            use std::os::fd::AsRawFd;
            let short = format!("/proc/self/fd/{}/{name}", parent.as_raw_fd());
            fs_err::create_dir(&short).unwrap();
            parent = fs_err::File::open(&short).unwrap();
        }
        let found = look(&tree.windows("C"), DiscoverOptions::new().deep(true));
        assert_eq!(tree.found(&found), ["C/zzz/venv: venv zzz 3.9.1"]);
        assert_eq!(found.skipped.len(), 1);
        assert_eq!(found.skipped[0].reason, SkipReason::PathTooLong);
    }

    #[test]
    fn names_that_are_not_unicode_are_kept_exactly() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;
        let tree = Tree::of(&[("home/ann/work/made/venv", Make::UnixVenv("3.9.1"))]);
        let odd = tree
            .path("home/ann/work")
            .join(OsStr::from_bytes(b"\xd6\xd0"));
        fs_err::rename(tree.path("home/ann/work/made"), &odd).unwrap();
        let found = default_look(&tree.rooted(Os::Linux));
        assert_eq!(found.environments.len(), 1);
        let environment = &found.environments[0];
        assert_eq!(environment.prefix, odd.join("venv"));
        let raw = environment.prefix_raw.as_deref().unwrap();
        assert_eq!(fixnvpe_files::from_raw(raw), Some(odd.join("venv")));
    }
}
