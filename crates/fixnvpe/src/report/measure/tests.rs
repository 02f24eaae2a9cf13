//! What people read, from figures that a test has chosen: a real measurement is
//! never the same twice.

use clap::{CommandFactory, FromArgMatches};
use fixnvpe_doctor::measure::compare;
use serde_json::json;

use super::*;
use crate::arguments::{Arguments, Command, help};
use crate::catalogue::Catalogue;
use crate::language::Language;
use crate::report::Look;

const MB: u64 = 1 << 20;

/// Nine processes that map two images, each of which costs this much.
fn measurement(each: u64) -> Measurement {
    let pays = 2 * each + 3;
    let image = |name: &str| {
        json!({"path": name, "measured": each * MB, "calculated": each * MB,
        "os_error": null})
    };
    let value = json!({
        "processes": 9, "program": null, "imports": [], "idle": 2 * MB,
        "commits": vec![(2 + pays) * MB; 9], "per_process": pays * MB,
        "calculated": 2 * each * MB, "stopped": null,
        "system": {"before": 10_240 * MB, "with_one": (10_245 + pays) * MB,
            "with_all": (10_245 + 9 * (pays + 2)) * MB, "after": 10_238 * MB},
        "images": [image("b.dll"), image("a.dll")],
    });
    serde_json::from_value(value).expect("a measurement")
}

fn asked(line: &str) -> Box<arguments::Measure> {
    let command = help::in_language(Arguments::command(), &Catalogue::empty());
    let words = ["fixnvpe", "measure"].into_iter().chain(line.split(' '));
    let matches = command.try_get_matches_from(words).expect(line);
    match Arguments::from_arg_matches(&matches).expect(line).command {
        Command::Measure(asked) => asked,
        other => panic!("{other:?}"),
    }
}

fn page(
    language: Language,
    line: &str,
    measurement: Measurement,
    earlier: Option<&Measurement>,
    has_writable: bool,
) -> String {
    let catalogue = Catalogue::of(language);
    let look = Look {
        columns: 80,
        verbose: false,
        folder: None,
        redactor: None,
    };
    let mut report = MeasureReport::new(measurement, None);
    report.against = earlier.map(|earlier| compare(earlier, &report.measurement));
    let mut page = Page::new(&catalogue, look);
    write(
        &mut page,
        &Measured {
            asked: &asked(line),
            report: &report,
            earlier,
            failures: &[],
            has_writable,
            is_complete: true,
        },
    );
    anstream::adapter::strip_str(&page.into_text()).to_string()
}

fn snapshot(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

fn english(line: &str, measurement: Measurement, earlier: Option<&Measurement>) -> String {
    page(Language::En, line, measurement, earlier, true)
}

#[test]
fn a_measurement_is_a_table_of_moments_and_says_how_to_keep_it() {
    snapshot(
        "measure_en",
        &english("--env yolo --workers 8", measurement(400), None),
    );
}

#[test]
fn the_same_stands_there_in_chinese() {
    let line = "--env yolo --workers 8 --each";
    let earlier = measurement(400);
    let text = page(Language::Zh, line, measurement(10), Some(&earlier), true);
    snapshot("measure_zh", &text);
}

#[test]
fn a_kept_measurement_leads_to_the_patch_and_to_the_comparison() {
    let line = "lib --workers 8 -o before.json --each";
    snapshot("measure_each", &english(line, measurement(400), None));
}

#[test]
fn before_and_after_stand_side_by_side() {
    let earlier = measurement(400);
    let line = "--env yolo --workers 8 --against before.json";
    snapshot(
        "measure_against",
        &english(line, measurement(10), Some(&earlier)),
    );
}

#[test]
fn measurements_of_different_things_are_not_added_up() {
    let mut earlier = measurement(400);
    earlier.images.truncate(1);
    let text = english("lib --against x.json", measurement(10), Some(&earlier));
    assert!(text.contains("the figures do not belong"), "{text}");
    assert!(!text.contains("The system, with"), "{text}");
}

#[test]
fn a_python_is_measured_again_with_the_same_words() {
    let mut python = measurement(400);
    python.program = Some("python.exe".into());
    python.imports = vec!["torch".into(), "cv2".into()];
    python.images.clear();
    let line = "--python yolo --import torch,cv2 --workers 8 -o before.json";
    let text = english(line, python, None).replace(['\'', '"'], "");
    for words in [
        "9 times the Python that imports torch, cv2",
        "The DLLs account for 800 MB",
        "fixnvpe patch --env yolo",
        "fixnvpe measure --workers 8 --python yolo --import torch,cv2 --against before.json",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn where_nothing_is_writable_the_doctor_is_next() {
    let line = "--env yolo --workers 8";
    let text = page(Language::En, line, measurement(10), None, false);
    assert!(text.contains("a patch would save nothing"), "{text}");
    let end = text.lines().last();
    assert_eq!(end, Some("  fixnvpe doctor --workers 8 --env yolo"));
}

#[test]
fn fewer_processes_than_asked_for_and_images_that_could_not_be_mapped_are_told() {
    let mut few = measurement(400);
    few.commits = vec![800 * MB, 805 * MB];
    few.images[0].measured = None;
    few.images[0].os_error = Some(1455);
    let mut value = serde_json::to_value(&few).expect("JSON");
    value["stopped"] = json!({"ready": 2, "message": "cannot map `a.dll` (error 1455)"});
    let few = serde_json::from_value(value).expect("a measurement");
    let text = english("lib --workers 8 --each", few, None);
    for words in [
        "Only 2 processes got ready",
        "(cannot map `a.dll` (error 1455))",
        "error 1455      400 MB  b.dll",
        "With 2 processes",
        "800 MB to 805 MB",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
}
