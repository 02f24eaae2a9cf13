//! `fixnvpe measure`: what is said before any process is started. The
//! measurement itself is a matter of Windows: see `tests/windows/measure.rs`.

use crate::world::World;

#[cfg(not(windows))]
#[test]
fn where_no_commit_is_accounted_there_is_nothing_to_measure() {
    let world = World::with_writable(["lib/x.dll"]);
    fs_err::write(world.path("before.json"), "kept").expect("written");
    let before = world.contents();
    for (language, words) in [("en", "accounted on Windows only"), ("zh", "只有 Windows")] {
        let run = world.run(["measure", "lib", "--lang", language, "-o", "before.json"]);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{}", run.stderr);
        assert!(run.stderr.contains(words), "{}", run.stderr);
    }
    for arguments in [
        &["measure", "lib"][..],
        &["measure", "--python", "yolo", "--import", "torch"],
        &["measure", "lib", "--against", "no such file"],
        &["measure"],
    ] {
        let document = world.json(arguments);
        assert_eq!(document["schema"], "fixnvpe/error/1", "{arguments:?}");
        assert_eq!(document["error"]["code"], "unavailable", "{arguments:?}");
        assert_eq!(document["exit_code"], 2, "{arguments:?}");
    }
    assert_eq!(world.contents(), before, "nothing is changed");
}

#[test]
fn what_cannot_be_measured_together_is_an_error_of_use() {
    let world = World::with_writable(["lib/x.dll"]);
    for (arguments, words) in [
        (&["lib", "--import", "torch"][..], "--python"),
        (&["--python", "yolo", "--each"], "exclude each other"),
        (&["--python", "yolo", "lib"], "exclude each other"),
        (&["--python", "yolo", "--all-envs"], "exclude each other"),
        (&["lib", "--workers", "1025"], "`1025` is no value"),
        (
            &["--python", "yolo", "--import", "torch,os;evil()"],
            "`os;evil()` is no value",
        ),
    ] {
        let mut all = vec!["measure", "--json"];
        all.extend(arguments);
        let run = world.run(all);
        assert_eq!(run.code, 2, "{arguments:?} {}", run.stderr);
        assert!(run.stderr.contains(words), "{arguments:?} {}", run.stderr);
        assert_eq!(run.document()["error"]["code"], "usage", "{arguments:?}");
    }
}

#[test]
fn the_process_that_is_measured_is_no_command_for_people() {
    let world = World::with_writable([]);
    let help = world.run(["--help"]).stdout;
    assert!(help.contains("  measure "), "{help}");
    assert!(!help.contains("measured-process"), "{help}");
    // Nobody speaks to it, and nothing happens.
    let run = world.run(["measured-process"]);
    assert_eq!((run.code, run.stdout.as_str()), (1, ""), "{}", run.stderr);
}
