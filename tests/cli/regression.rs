//! Ways in which the older script fails, and reports of its users: each must
//! work here.

use fixnvpe_tests::tree::Tree;

use crate::world::{World, writable};

/// The script stops at the first file that is no image, and says nothing of
/// the rest; its exit code is 0 all the same.
#[test]
fn the_script_stops_at_a_file_that_is_no_image() {
    let world = World::new(
        &Tree::default()
            .text("lib/a.dll", "no image at all")
            .image("lib/b.dll", &writable()),
    );
    assert_eq!(world.run(["--input", "lib/*.dll"]).code, 0);
    assert_eq!(world.run(["scan", "lib", "--check"]).code, 0);
}

/// The script reads section names as UTF-8 and stops at any other.
#[test]
fn the_script_stops_at_a_section_name_that_is_not_utf8() {
    let world = World::new(
        &Tree::default()
            .fixture("lib/a.dll", "odd_names.dll")
            .image("lib/b.dll", &writable()),
    );
    assert_eq!(world.run(["patch", "lib"]).code, 0);
    assert_eq!(world.run(["scan", "lib", "--check"]).code, 0);
}

/// An upgrade leaves the script's old `_bak`, after which the script refuses
/// to patch; here it is no obstacle and stays as it is.
#[test]
fn an_old_backup_of_the_script_blocks_nothing() {
    let world = World::new(
        &Tree::default()
            .image("lib/x.dll", &writable())
            .text("lib/x.dll_bak", "another version"),
    );
    let before = world.contents();
    assert_eq!(world.run(["patch", "lib"]).code, 0);
    assert_eq!(world.contents()["lib/x.dll_bak"], before["lib/x.dll_bak"]);
}

/// The script looks for `*.dll` only; CuPy's kernels are `.pyd` files.
#[test]
fn extension_modules_are_patched_too() {
    let world = World::new(&Tree::default().fixture(
        "cupy/cuda/thrust.cp38-win_amd64.pyd",
        "thrust.cp38-win_amd64.pyd",
    ));
    assert_eq!(world.run(["patch", "cupy"]).code, 0);
    assert_eq!(world.run(["scan", "cupy", "--check"]).code, 0);
}

/// apache/mxnet PR 16980: the section is unpacked in place at load, so that
/// the script's result crashes `import mxnet`.
#[test]
fn mxnet_is_refused_because_it_would_crash() {
    let world = World::new(&Tree::default().fixture("mxnet/libmxnet.dll", "libmxnet.dll"));
    let before = world.stamps();
    let document = world.json(["patch", "mxnet"]);
    assert_eq!(document["exit_code"], 0);
    assert_eq!(document["results"][0]["outcome"], "refused");
    assert_eq!(document["results"][0]["reason"], "packed");
    assert_eq!(world.stamps(), before);
}
