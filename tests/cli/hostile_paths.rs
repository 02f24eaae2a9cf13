//! Names that break scripts must not break this program.

use fixnvpe_tests::tree::Tree;

use crate::world::{World, assert_fits, writable};

const NAMES: [&str; 10] = [
    "a b",
    "it's",
    "[x]",
    "{9f}",
    "#hash%PATH%",
    "价格 环境",
    "Окружение",
    "-rf",
    "100% & more",
    "e\u{301}",
];

#[test]
fn files_with_odd_names_are_patched_and_restored() {
    let layout = writable();
    let tree = NAMES.iter().fold(Tree::default(), |tree, name| {
        tree.image(format!("{name}/{name}.dll"), &layout)
    });
    let world = World::new(&tree);
    let before = world.contents();
    for name in NAMES {
        let path = format!("{name}/{name}.dll");
        let document = world.json(["patch", "--", &path]);
        assert_eq!(document["exit_code"], 0, "{name}");
        assert_eq!(document["results"][0]["outcome"], "patched", "{name}");
    }
    assert_eq!(world.run(["scan", ".", "--check"]).code, 0);
    assert_eq!(world.run(["restore", "--everything"]).code, 0);
    assert_eq!(world.contents(), before);
}

#[test]
fn a_very_long_path_is_shortened_on_the_screen_and_whole_in_json() {
    let deep = ["a folder with quite a long name"; 12].join("/");
    let path = format!("{deep}/x.dll");
    let world = World::with_writable([path.as_str()]);
    let run = world.run(["scan", "."]);
    assert_fits(&run.stdout);
    assert!(run.stdout.contains("..."), "{}", run.stdout);
    let document = world.json(["scan", "."]);
    let full = document["images"][0]["path"].as_str().expect("a path");
    assert!(full.replace('\\', "/").ends_with(&path), "{full}");
}

#[cfg(unix)]
mod unix {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;

    use super::*;
    use crate::world::Run;

    #[test]
    fn a_name_that_is_not_unicode_works_and_carries_its_bytes() {
        let world = World::with_writable(["plain.dll"]);
        let name = OsString::from_vec(b"\xff\xfe.dll".to_vec());
        fs_err::copy(world.path("plain.dll"), world.path(&name)).expect("copied");
        let before = world.contents();
        let mut command = world.command();
        command.arg("patch").arg(&name).arg("--json");
        let document = Run::of(command).document();
        assert_eq!(document["exit_code"], 0, "{document:#}");
        assert_eq!(document["results"][0]["outcome"], "patched");
        let raw = document["results"][0]["path_raw"]
            .as_str()
            .expect("a raw name");
        assert!(raw.ends_with("fffe2e646c6c"), "{raw}");
        assert_eq!(world.run(["scan", "."]).code, 0);
        assert_eq!(world.run(["restore", "--last"]).code, 0);
        assert_eq!(world.contents(), before);
    }

    #[test]
    fn a_name_cannot_send_commands_to_the_terminal() {
        let world = World::with_writable(["a\u{1b}[2J\nb.dll"]);
        for line in [&["scan", "."][..], &["patch", "."], &["history", "-v"]] {
            let run = world.run(line);
            assert!(!run.stdout.contains('\u{1b}'), "{:?}", run.stdout);
            assert!(run.stdout.contains(r"\u{1b}[2J\u{a}b.dll") || line[0] == "history");
        }
    }

    #[test]
    fn a_link_that_is_named_is_followed_and_one_in_a_folder_is_not() {
        let world = World::new(
            &Tree::default()
                .image("real/x.dll", &writable())
                .symlink("links/x.dll", "../real/x.dll")
                .symlink("links/loop", ".."),
        );
        let document = world.json(["scan", "links"]);
        assert_eq!(document["summary"]["files"], 0);
        assert_eq!(document["skipped"][0]["reason"], "link");
        let link = fs_err::read_link(world.path("links/x.dll")).expect("a link");
        let document = world.json(["patch", "links/x.dll", "real/x.dll"]);
        assert_eq!(document["results"].as_array().map(Vec::len), Some(1));
        assert_eq!(document["results"][0]["outcome"], "patched");
        assert_eq!(
            fs_err::read_link(world.path("links/x.dll")).expect("a link"),
            link
        );
    }

    #[test]
    fn a_dead_link_that_is_named_is_a_failure_and_the_rest_is_done() {
        let world = World::new(
            &Tree::default()
                .image("x.dll", &writable())
                .symlink("dead.dll", "nowhere"),
        );
        let document = world.json(["patch", "dead.dll", "x.dll"]);
        assert_eq!(document["exit_code"], 1);
        assert_eq!(document["failures"][0]["code"], "not_found");
        assert_eq!(document["results"][0]["outcome"], "patched");
    }
}
