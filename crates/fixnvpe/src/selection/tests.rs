use super::*;

fn excludes(words: &[&str], rules: Rules, path: &str) -> bool {
    let words: Vec<OsString> = words.iter().map(OsString::from).collect();
    Exclusions::new(&words, rules)
        .expect("exclusions")
        .excludes(Path::new(path))
}

#[test]
fn a_bare_name_excludes_every_file_and_folder_of_that_name() {
    assert!(excludes(&["base"], Rules::UNIX, "/envs/base/Lib/x.dll"));
    assert!(excludes(&["x.dll"], Rules::UNIX, "/envs/base/Lib/x.dll"));
    assert!(!excludes(&["bas"], Rules::UNIX, "/envs/base/Lib/x.dll"));
    assert!(!excludes(&["X.dll"], Rules::UNIX, "/envs/base/Lib/x.dll"));
    assert!(excludes(&["X.dll"], Rules::WINDOWS, "/envs/base/Lib/x.dll"));
    assert!(excludes(&["[new]"], Rules::UNIX, "/envs/[new]/x.dll"));
    assert!(excludes(&["cud*64_?.dll"], Rules::UNIX, "/l/cudnn64_8.dll"));
}

// On Windows these paths are not absolute: they have no drive.
#[cfg(unix)]
#[test]
fn a_path_excludes_itself_and_what_is_below() {
    assert!(excludes(&["/envs/a"], Rules::UNIX, "/envs/a"));
    assert!(excludes(&["/envs/a/"], Rules::UNIX, "/envs/a/Lib/x.dll"));
    assert!(!excludes(&["/envs/a"], Rules::UNIX, "/envs/ab/x.dll"));
    assert!(excludes(&["/Envs/A"], Rules::WINDOWS, "/envs/a/x.dll"));
}

#[cfg(unix)]
#[test]
fn a_pattern_with_folders_matches_from_the_top() {
    assert!(excludes(&["/envs/*/old"], Rules::UNIX, "/envs/a/old/x.dll"));
    assert!(!excludes(
        &["/envs/*/old"],
        Rules::UNIX,
        "/envs/a/b/old/x.dll"
    ));
    assert!(excludes(
        &["/envs/**/old"],
        Rules::UNIX,
        "/envs/a/b/old/x.dll"
    ));
}

#[test]
fn an_exclusion_that_met_nothing_is_known() {
    let words: Vec<OsString> = ["a", "b"].map(OsString::from).into();
    let exclusions = Exclusions::new(&words, Rules::UNIX).expect("exclusions");
    assert!(exclusions.excludes(Path::new("/x/b")));
    assert_eq!(exclusions.unmatched().collect::<Vec<_>>(), ["a"]);
}

#[test]
fn a_list_is_read_as_shells_write_it() {
    let utf16: Vec<u8> = [0xfeff_u16]
        .into_iter()
        .chain("C:\\a b\r\n\r\n中文.dll\r\n".encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    for (bytes, names) in [
        (&b"a b\nc[1].dll\n"[..], &["a b", "c[1].dll"][..]),
        (b"\xef\xbb\xbfa\r\n\r\nb", &["a", "b"]),
        (b"a\nb\0c\0", &["a\nb", "c"]),
        (&utf16, &["C:\\a b", "中文.dll"]),
        (b"\n\n", &[]),
    ] {
        assert_eq!(names_in(bytes).expect("a list"), names);
    }
    assert!(names_in(b"\xff\xfe\x00\xd8").is_err());
}

#[cfg(unix)]
#[test]
fn a_name_in_a_list_may_be_any_bytes() {
    use std::os::unix::ffi::OsStringExt;
    let names = names_in(b"/a/\xff.dll\n").expect("a list");
    assert_eq!(names, [OsString::from_vec(b"/a/\xff.dll".to_vec())]);
}

fn read(words: &[&OsStr]) -> Result<Selected, Fatal> {
    let selection = arguments::Selection {
        paths: words.iter().map(|word| (*word).to_owned()).collect(),
        ..arguments::Selection::default()
    };
    Selected::read(&selection, Rules::native())
}

#[test]
fn a_path_that_exists_is_literal_and_else_it_is_a_pattern() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["x[1].dll", "x1.dll", "y1.dll"] {
        fs_err::write(folder.path().join(name), b"").expect("written");
    }
    let of = |name: &str| {
        let path = folder.path().join(name);
        let selected = read(&[path.as_os_str()]).expect("selected");
        selected
            .roots
            .into_iter()
            .map(|root| {
                (
                    root.path.file_name().expect("a name").to_owned(),
                    root.named,
                )
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(of("x[1].dll"), [("x[1].dll".into(), true)]);
    assert_eq!(of("y[1].dll"), [("y1.dll".into(), false)]);
    assert_eq!(of("gone.dll"), [("gone.dll".into(), true)]);
}

#[test]
fn a_pattern_that_matches_nothing_is_a_usage_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let fatal = read(&[folder.path().join("*.dll").as_os_str()]).expect_err("nothing there");
    assert_eq!(
        (fatal.exit, fatal.word),
        (crate::exit_code::ExitCode::Usage, Word::NoMatch)
    );
}
