//! The report types as JSON: stable words, and parsed by the same types.

use fixnvpe_pe::{
    Aslr, CheckSumState, CommitCharge, Compression, Condition, DeviceCode, Edit, FatbinKind,
    FatbinSummary, Field, Image, Judgement, Patch, Policy, Reason,
};
use serde_json::{from_value, json, to_value};

use crate::builder::ImageSpec;
use crate::condition::{cuda, judge};

fn signed() -> ImageSpec {
    let mut spec = cuda();
    spec.directories[4] = (0x8000, 0x100);
    spec
}

#[test]
fn a_judgement_is_written_in_stable_words_and_parsed_back() {
    let judgement = judge(&signed());
    let value = to_value(&judgement).expect("it is written");
    assert_eq!(value["condition"], "refused");
    assert_eq!(value["reasons"], json!(["signed"]));
    assert_eq!(value["sections"][0]["kind"], "cuda");
    assert_eq!(value["sections"][0]["walk"]["modules"], 3);
    assert_eq!(
        from_value::<Judgement>(value).expect("it is parsed"),
        judgement
    );
}

#[test]
fn edits_are_written_as_hexadecimal_text_and_parsed_back() {
    let edit = Edit::new(0x2ef, vec![0xc0, 0x0f], vec![0x40, 0], Field::CheckSum);
    let value = to_value(&edit).expect("it is written");
    assert_eq!(
        value,
        json!({"offset": 0x2ef, "old": "c00f", "new": "4000", "field": "check_sum"})
    );
    assert_eq!(from_value::<Edit>(value).expect("it is parsed"), edit);
}

#[test]
fn text_that_is_not_hexadecimal_is_no_edit() {
    for old in ["c", "cx", "+1", "é0", " c0"] {
        let value = json!({"offset": 1, "old": old, "new": "00", "field": "check_sum"});
        assert!(from_value::<Edit>(value).is_err(), "{old}");
    }
}

#[test]
fn policies_and_charges_are_written_and_parsed_back() {
    let policy = Policy::new(Aslr::Clear, true);
    let value = to_value(policy).expect("it is written");
    assert_eq!(value, json!({"aslr": "clear", "allow_signed": true}));
    assert_eq!(from_value::<Policy>(value).expect("it is parsed"), policy);
    let value = to_value(CommitCharge::new(8192, 4096)).expect("it is written");
    assert_eq!(value, json!({"now": 8192, "after": 4096}));
}

#[test]
fn a_summary_names_its_architectures_and_is_parsed_back() {
    let bytes = cuda().build();
    let image = Image::read(bytes.as_slice()).expect("a well-formed image");
    let section = image.fatbin_sections().next().expect("a fat binary");
    let summary = image
        .fatbin(section)
        .and_then(fixnvpe_pe::Fatbin::summary)
        .expect("a whole chain");
    let value = to_value(&summary).expect("it is written");
    assert_eq!(value["architectures"][1]["name"], "sm_52");
    assert_eq!(value["compression"], json!(["none"]));
    assert_eq!(
        from_value::<FatbinSummary>(value).expect("it is parsed"),
        summary
    );
}

#[test]
fn a_journal_keeps_a_patch_through_json() {
    let mut bytes = cuda().build();
    let original = bytes.clone();
    let patch = {
        let image = Image::read(bytes.as_slice()).expect("a well-formed image");
        Patch::plan(&image, &Policy::default())
            .expect("readable")
            .expect("a writable image")
    };
    let line = serde_json::to_string(patch.edits()).expect("it is written");
    patch.apply(&mut bytes).expect("the old bytes are there");
    let edits = serde_json::from_str(&line).expect("it is parsed");
    Patch::from_edits(edits)
        .expect("a plan's edits make a patch")
        .inverse()
        .apply(&mut bytes)
        .expect("the new bytes are there");
    assert_eq!(bytes, original);
}

#[test]
fn the_words_on_screen_are_the_words_in_json() {
    macro_rules! agree {
        ($($value:expr),+ $(,)?) => {
            $(assert_eq!(to_value($value).expect("it is written"), $value.to_string());)+
        };
    }
    agree!(
        Condition::Writable,
        Condition::ReadOnly,
        Condition::NoFatbin,
        Condition::Refused,
        Reason::Malformed,
        Reason::Driver,
        Reason::IntegrityChecked,
        Reason::SharedOrCode,
        Reason::Packed,
        Reason::NotFatbin,
        Reason::WrittenAtLoad,
        Reason::Signed,
        FatbinKind::Cuda,
        FatbinKind::Hip,
        Field::SectionCharacteristics,
        Field::DllCharacteristics,
        Field::CheckSum,
        CheckSumState::Unset,
        CheckSumState::Set,
        CheckSumState::Impossible,
        Compression::None,
        Compression::Lz4,
        Compression::Zstd,
        DeviceCode::None,
        DeviceCode::Jit,
        DeviceCode::Native,
        Aslr::Keep,
        Aslr::Clear,
    );
}
