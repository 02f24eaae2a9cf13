//! Sentences with the values of real findings in them.

use fluent_bundle::{FluentArgs, FluentBundle, FluentResource, FluentValue};

use super::*;
use crate::findings::Value;
use crate::findings::tests::everything;

fn bundle(language: &str) -> FluentBundle<FluentResource> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../fixnvpe/texts")
        .join(format!("doctor.{language}.ftl"));
    let source = fs_err::read_to_string(path).unwrap();
    let mut bundle = FluentBundle::new(vec![language.parse().unwrap()]);
    bundle.set_use_isolating(false);
    bundle
        .add_resource(FluentResource::try_new(source).unwrap())
        .unwrap();
    bundle
}

fn value(value: &Value) -> FluentValue<'static> {
    match value {
        Value::Bytes(bytes) => FluentValue::from(format!("{} MB", bytes >> 20)),
        Value::Count(count) => FluentValue::from(*count),
        Value::Text(text) => FluentValue::from(text.clone()),
        Value::List(items) => FluentValue::from(items.join(", ")),
    }
}

fn text(bundle: &FluentBundle<FluentResource>, id: &str, arguments: &FluentArgs<'_>) -> String {
    let pattern = bundle.get_message(id).and_then(|it| it.value()).unwrap();
    let mut errors = Vec::new();
    let text = bundle.format_pattern(pattern, Some(arguments), &mut errors);
    assert!(errors.is_empty(), "{id}: {errors:?}");
    text.into_owned()
}

#[test]
fn every_finding_reads_as_whole_sentences_in_both_languages() {
    for (language, ends) in [("en", &['.', ')'][..]), ("zh-CN", &['。', '）', '）'][..])] {
        let bundle = bundle(language);
        for finding in everything() {
            let mut arguments = FluentArgs::new();
            for (name, argument) in &finding.arguments {
                arguments.set(name.clone(), value(argument));
            }
            for ending in ["", "-more"] {
                let id = format!("{}{ending}", id("doctor", &finding.id));
                let text = text(&bundle, &id, &arguments);
                assert!(text.ends_with(ends), "{language} {id}: {text}");
                for fault in ["  ", " .", " ,", "..", "{", "。。", "\n"] {
                    assert!(!text.contains(fault), "{language} {id}: {text}");
                }
            }
        }
    }
}
