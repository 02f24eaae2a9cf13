//! `fixnvpe inspect`: one image in full.

use fixnvpe_tests::tree::Tree;

use crate::world::{World, assert_fits, large, snapshot};

#[test]
fn a_writable_image_is_told_in_full() {
    let world = World::new(&Tree::default().image("torch_cuda.dll", &large()));
    for (language, name) in [("en", "inspect_en"), ("zh", "inspect_zh")] {
        let run = world.run(["inspect", "torch_cuda.dll", "--lang", language]);
        assert_fits(&run.stdout);
        snapshot(name, &run);
    }
    let document = world.json(["inspect", "torch_cuda.dll"]);
    let image = &document["image"];
    assert_eq!(image["condition"], "writable");
    assert_eq!(image["bytes_to_change"], 1);
    let section = image["sections"]
        .as_array()
        .expect("sections")
        .iter()
        .find(|section| section["name"] == ".nv_fatb")
        .expect("the section");
    let names: Vec<&str> = section["fatbin"]["architectures"]
        .as_array()
        .expect("architectures")
        .iter()
        .filter_map(|one| one["name"].as_str())
        .collect();
    assert_eq!(names.len(), 3, "{names:?}");
    for name in ["sm_70", "sm_86", "compute_86"] {
        assert!(names.contains(&name), "{names:?}");
    }
}

#[test]
fn a_refused_image_says_why() {
    let world = World::new(&Tree::default().fixture("libmxnet.dll", "libmxnet.dll"));
    let run = world.run(["inspect", "libmxnet.dll"]);
    assert_fits(&run.stdout);
    snapshot("inspect_packed", &run);
    assert_eq!(run.code, 0);
}

#[test]
fn a_file_that_is_no_image_or_not_there_is_an_error() {
    let world = World::new(&Tree::default().text("readme.txt", "hello"));
    for (name, code) in [("readme.txt", "not_pe"), ("gone.dll", "not_found")] {
        let run = world.run(["inspect", name]);
        assert_eq!((run.code, run.stdout.as_str()), (1, ""));
        assert!(run.stderr.contains(name), "{}", run.stderr);
        let document = world.json(["inspect", name]);
        assert_eq!(document["failures"][0]["code"], code);
        assert_eq!(document["image"], serde_json::Value::Null);
    }
}
