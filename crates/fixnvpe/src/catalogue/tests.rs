//! That both languages say everything that the code asks for, and no more.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use fluent_syntax::ast::{
    CallArguments, Entry, Expression, InlineExpression, Pattern, PatternElement,
};

use super::*;

/// Id to the names of the values that its sentence takes.
pub(super) type Sentences = BTreeMap<String, BTreeSet<String>>;

pub(super) fn sentences(source: &str) -> Sentences {
    let resource = FluentResource::try_new(source.to_owned()).expect("the file is valid");
    let mut sentences = Sentences::new();
    for entry in resource.entries() {
        let Entry::Message(message) = entry else {
            continue;
        };
        let mut names = BTreeSet::new();
        in_pattern(message.value.as_ref().expect("a text"), &mut names);
        let earlier = sentences.insert(message.id.name.to_owned(), names);
        assert_eq!(earlier, None, "{} stands twice", message.id.name);
    }
    sentences
}

fn in_pattern(pattern: &Pattern<&str>, names: &mut BTreeSet<String>) {
    for element in &pattern.elements {
        if let PatternElement::Placeable { expression } = element {
            match expression {
                Expression::Inline(inline) => in_inline(inline, names),
                Expression::Select { selector, variants } => {
                    in_inline(selector, names);
                    for variant in variants {
                        in_pattern(&variant.value, names);
                    }
                }
            }
        }
    }
}

fn in_inline(inline: &InlineExpression<&str>, names: &mut BTreeSet<String>) {
    match inline {
        InlineExpression::VariableReference { id } => {
            names.insert(id.name.to_owned());
        }
        InlineExpression::FunctionReference {
            arguments: CallArguments { positional, .. },
            ..
        } => positional.iter().for_each(|one| in_inline(one, names)),
        InlineExpression::StringLiteral { .. } | InlineExpression::NumberLiteral { .. } => {}
        other => panic!("the catalogue does without {other:?}"),
    }
}

/// Every `message!` of the crate's sources: id to the names that it gives.
fn asked_for() -> Vec<(String, BTreeSet<String>)> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs_err::read_dir(folder).expect("the sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if !path.ends_with("catalogue.rs") && !path.ends_with("catalogue/tests.rs") {
                in_source(&fs_err::read_to_string(path).expect("a source"), &mut found);
            }
        }
    }
    found
}

fn in_source(source: &str, found: &mut Vec<(String, BTreeSet<String>)>) {
    for call in source.split("message!(").skip(1) {
        let call = &call[..closing_parenthesis(call)];
        let mut parts = call.splitn(2, ',');
        let id = parts.next().expect("an id").trim().trim_matches('"');
        let names = parts.next().map(names_given).unwrap_or_default();
        found.push((id.to_owned(), names));
    }
}

/// The names before `=` outside of any bracket.
fn names_given(arguments: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut depth = 0_i32;
    let mut current = String::new();
    for c in arguments.chars() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => current.clear(),
            '=' if depth == 0 => {
                let name = current.trim();
                if !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '_') {
                    names.insert(name.to_owned());
                }
                current.clear();
            }
            _ => current.push(c),
        }
    }
    names
}

fn closing_parenthesis(call: &str) -> usize {
    let mut depth = 1;
    for (at, c) in call.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    panic!("no end of {call}");
}

/// Ids that the help asks for: see `arguments::help`.
fn is_help(id: &str) -> bool {
    id.starts_with("help-")
}

#[test]
fn both_languages_have_every_sentence_with_the_same_values() {
    let (en, zh) = (sentences(EN), sentences(ZH_CN));
    let ids = |s: &Sentences| s.keys().cloned().collect::<Vec<_>>();
    assert_eq!(ids(&en), ids(&zh));
    for (id, names) in &en {
        assert_eq!(names, &zh[id], "{id}");
    }
}

#[test]
fn every_sentence_that_the_code_asks_for_is_there() {
    let en = sentences(EN);
    let asked = asked_for();
    assert!(asked.len() > 20, "the sources are read");
    for (id, given) in asked {
        let taken = en.get(&id).unwrap_or_else(|| panic!("{id} is missing"));
        assert_eq!(&given, taken, "{id}");
    }
}

#[test]
fn no_sentence_is_left_over() {
    let mut asked: BTreeSet<String> = asked_for().into_iter().map(|(id, _)| id).collect();
    asked.extend(
        fixnvpe_doctor::texts::sentences()
            .into_iter()
            .map(|one| one.id),
    );
    for id in sentences(EN).keys().filter(|id| !is_help(id)) {
        assert!(asked.contains(id), "{id} is used nowhere");
    }
}

#[test]
fn every_sentence_that_the_doctor_speaks_of_is_there_with_no_other_values() {
    let en = sentences(EN);
    for one in fixnvpe_doctor::texts::sentences() {
        let taken = en
            .get(&one.id)
            .unwrap_or_else(|| panic!("{} is missing", one.id));
        let known: BTreeSet<String> = one.values.iter().map(ToString::to_string).collect();
        assert!(taken.is_subset(&known), "{}: {taken:?}", one.id);
    }
}

/// What a sentence says apart from the values in it.
fn words(source: &str) -> BTreeMap<String, String> {
    fn collect(pattern: &Pattern<&str>, words: &mut String) {
        for element in &pattern.elements {
            match element {
                PatternElement::TextElement { value } => words.push_str(value),
                PatternElement::Placeable {
                    expression: Expression::Select { variants, .. },
                } => variants.iter().for_each(|one| collect(&one.value, words)),
                PatternElement::Placeable { .. } => {}
            }
        }
    }
    let resource = FluentResource::try_new(source.to_owned()).expect("the file is valid");
    let mut all = BTreeMap::new();
    for entry in resource.entries() {
        if let Entry::Message(message) = entry {
            let mut words = String::new();
            collect(message.value.as_ref().expect("a text"), &mut words);
            all.insert(message.id.name.to_owned(), words);
        }
    }
    all
}

#[test]
fn chinese_is_written_in_chinese_and_english_in_ascii_but_for_the_times_sign() {
    let is_chinese = |c: char| ('\u{4e00}'..='\u{9fff}').contains(&c);
    let chinese = words(ZH_CN);
    for (id, english) in words(EN) {
        assert!(english.replace('\u{d7}', "x").is_ascii(), "{id}: {english}");
        let translated = &chinese[&id];
        let says_something = english.chars().any(|c| c.is_ascii_alphabetic());
        assert!(
            !says_something || translated.chars().any(is_chinese),
            "{id}: {translated}"
        );
        assert_ne!((says_something, &english), (true, translated), "{id}");
    }
}

#[test]
fn a_number_chooses_the_plural() {
    let catalogue = Catalogue::of(Language::En);
    let one = catalogue.text(&crate::message!("runs-files", count = 1_u64));
    let many = catalogue.text(&crate::message!("runs-files", count = 1234_u64));
    assert_eq!((one.as_str(), many.as_str()), ("1 file", "1234 files"));
}
