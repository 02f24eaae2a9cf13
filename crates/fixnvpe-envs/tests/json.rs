//! The reports as JSON.
#![cfg(feature = "serde")]

mod tree;

use fixnvpe_envs::{DiscoverOptions, Discovery, Kind, Looked};
use tree::{Make, Tree, look};

#[test]
fn what_was_found_is_written_and_read_back() {
    let tree = Tree::of(&[
        ("C/Users/Ann/miniconda3", Make::CondaRoot("3.9.1")),
        (
            "C/Users/Ann/.conda/environments.txt",
            Make::File("Q:\\gone\n"),
        ),
        (
            "C/Program Files/NVIDIA GPU Computing Toolkit/CUDA/v11.8/bin",
            Make::Folder,
        ),
    ]);
    let options = DiscoverOptions::new().caches(true).toolkits(true);
    let found = look(&tree.windows("C"), options);
    let json = serde_json::to_value(&found).unwrap();

    let environment = &json["environments"][0];
    assert_eq!(environment["kind"], "conda");
    assert_eq!(environment["name"], "base");
    assert_eq!(environment["python"], "3.9.1");
    assert_eq!(environment["manager"], "conda");
    assert_eq!(
        environment["prefix"],
        tree.path("C/Users/Ann/miniconda3").to_str().unwrap()
    );
    assert_eq!(environment["evidence"][0]["source"], "known_place");
    assert!(environment.get("prefix_raw").is_none() && environment.get("id").is_none());
    assert_eq!(json["skipped"][0]["reason"], "drive_missing");
    assert_eq!(json["caches"][0]["kind"], "conda_pkgs");
    assert_eq!(json["toolkits"][0]["version"], "11.8");
    assert_eq!(json["complete"], true);

    let back: Discovery = serde_json::from_value(json.clone()).unwrap();
    assert_eq!(serde_json::to_value(&back).unwrap(), json);
    assert_ne!(back.looked, Looked::default());
}

#[test]
fn a_kind_is_the_same_word_in_json_as_elsewhere() {
    for (kind, word) in Kind::ALL {
        assert_eq!(serde_json::to_value(kind).unwrap(), *word);
    }
}

#[cfg(feature = "schema")]
#[test]
fn the_schema_describes_what_is_written() {
    let schema = serde_json::to_value(schemars::schema_for!(Discovery)).unwrap();
    let environment = &schema["$defs"]["Environment"]["properties"];
    for field in [
        "kind",
        "name",
        "prefix",
        "python",
        "site_packages",
        "manager",
        "evidence",
    ] {
        assert!(environment.get(field).is_some(), "{field}");
    }
    assert_eq!(environment["prefix"]["type"], "string");
    assert!(environment.get("id").is_none());
}
