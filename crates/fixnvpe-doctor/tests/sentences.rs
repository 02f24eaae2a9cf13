//! Both languages say everything that this crate speaks of, and nothing else.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use fixnvpe_doctor::texts::sentences;
use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement};

/// Id to the names of the values that its sentence speaks of.
type Catalogue = BTreeMap<String, BTreeSet<String>>;

fn catalogue(language: &str) -> Catalogue {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../fixnvpe/texts")
        .join(format!("doctor.{language}.ftl"));
    let source = fs_err::read_to_string(path).unwrap();
    let resource = fluent_syntax::parser::parse(source.as_str())
        .unwrap_or_else(|(_, errors)| panic!("{language}: {errors:?}"));
    let mut found = Catalogue::new();
    for entry in &resource.body {
        if let Entry::Message(message) = entry {
            let mut names = BTreeSet::new();
            values(message.value.as_ref().expect("a text"), &mut names);
            let id = message.id.name.to_owned();
            assert!(
                found.insert(id.clone(), names).is_none(),
                "{id} stands twice"
            );
        }
    }
    found
}

fn values(pattern: &Pattern<&str>, names: &mut BTreeSet<String>) {
    let inline = |inline: &InlineExpression<&str>, names: &mut BTreeSet<String>| match inline {
        InlineExpression::VariableReference { id } => {
            names.insert(id.name.to_owned());
        }
        InlineExpression::StringLiteral { .. } => {}
        other => panic!("sentences do without {other:?}"),
    };
    for element in &pattern.elements {
        let PatternElement::Placeable { expression } = element else {
            continue;
        };
        match expression {
            Expression::Inline(expression) => inline(expression, names),
            Expression::Select { selector, variants } => {
                inline(selector, names);
                for variant in variants {
                    values(&variant.value, names);
                }
            }
        }
    }
}

#[test]
fn every_sentence_stands_in_both_languages_and_speaks_of_no_other_value() {
    for language in ["en", "zh-CN"] {
        let catalogue = catalogue(language);
        let mut expected = BTreeSet::new();
        for sentence in sentences() {
            let names = catalogue
                .get(&sentence.id)
                .unwrap_or_else(|| panic!("{language}: {} is missing", sentence.id));
            for name in names {
                assert!(
                    sentence.values.contains(&name.as_str()),
                    "{language}: {} speaks of `{name}`",
                    sentence.id
                );
            }
            expected.insert(sentence.id);
        }
        let unknown: Vec<_> = catalogue
            .keys()
            .filter(|id| !expected.contains(*id))
            .collect();
        assert!(unknown.is_empty(), "{language}: {unknown:?}");
    }
}

#[test]
fn chinese_has_one_word_for_a_patch_for_its_undoing_and_for_commit() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixnvpe/texts/doctor.zh-CN.ftl");
    let source = fs_err::read_to_string(path).unwrap();
    for other in ["补丁", "撤销", "付费", "付出", "计费"] {
        assert!(!source.contains(other), "{other}");
    }
}

#[test]
fn a_value_that_one_language_names_is_not_lost_in_the_other() {
    let (en, zh) = (catalogue("en"), catalogue("zh-CN"));
    for (id, names) in &en {
        assert_eq!(names, &zh[id], "{id}");
    }
}
