//! The printed pages of the book are current. To write them anew:
//! `FIXNVPE_WRITE_PAGES=1 cargo test -p fixnvpe-doctor --test pages`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use fixnvpe_doctor::findings::rules;
use fixnvpe_doctor::page::{findings_page, upgrades_page};
use fixnvpe_doctor::texts::id;
use fluent_syntax::ast::{
    Entry, Expression, InlineExpression, Pattern, PatternElement, Variant, VariantKey,
};

fn book() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src")
}

fn assert_current(name: &str, page: &str) {
    let path = book().join(name);
    if std::env::var_os("FIXNVPE_WRITE_PAGES").is_some() {
        fs_err::write(&path, page).unwrap();
    }
    // A checkout on Windows may have other line ends.
    let written = fs_err::read_to_string(&path).unwrap().replace("\r\n", "\n");
    assert!(written == page, "{} is out of date", path.display());
}

/// The English sentences with the names of their values, in the ordinary case of
/// each; of yes and no, as what says more.
fn english() -> BTreeMap<String, String> {
    let path = book().join("../../crates/fixnvpe/texts/doctor.en.ftl");
    let source = fs_err::read_to_string(path).unwrap();
    let resource = fluent_syntax::parser::parse(source.as_str()).unwrap();
    let mut sentences = BTreeMap::new();
    for entry in &resource.body {
        if let Entry::Message(message) = entry {
            let text = one_case(message.value.as_ref().unwrap(), &mut BTreeMap::new());
            sentences.insert(message.id.name.to_owned(), text.replace('\n', " "));
        }
    }
    sentences
}

/// `chosen`: what was taken of yes and no, so that a sentence agrees with itself.
fn one_case(pattern: &Pattern<&str>, chosen: &mut BTreeMap<String, String>) -> String {
    let mut text = String::new();
    for element in &pattern.elements {
        match element {
            PatternElement::TextElement { value } => text.push_str(value),
            PatternElement::Placeable { expression } => match expression {
                Expression::Inline(InlineExpression::VariableReference { id }) => {
                    let _ = write!(text, "*{}*", id.name);
                }
                Expression::Inline(InlineExpression::StringLiteral { value }) => {
                    text.push_str(value);
                }
                Expression::Inline(other) => panic!("sentences do without {other:?}"),
                Expression::Select { selector, variants } => {
                    text.push_str(&one_variant(selector, variants, chosen));
                }
            },
        }
    }
    text
}

fn one_variant(
    selector: &InlineExpression<&str>,
    variants: &[Variant<&str>],
    chosen: &mut BTreeMap<String, String>,
) -> String {
    let InlineExpression::VariableReference { id } = selector else {
        panic!("a value is chosen by");
    };
    let key = |variant: &Variant<&str>| match &variant.key {
        VariantKey::Identifier { name } => (*name).to_owned(),
        VariantKey::NumberLiteral { value } => (*value).to_owned(),
    };
    let is_choice = variants
        .iter()
        .any(|it| ["yes", "no"].contains(&key(it).as_str()));
    let mut cases: Vec<_> = variants
        .iter()
        .filter(|variant| is_choice || variant.default)
        .map(|variant| {
            let mut within = chosen.clone();
            let text = one_case(&variant.value, &mut within);
            within.insert(id.name.to_owned(), key(variant));
            (text, within)
        })
        .collect();
    cases.sort_by_key(|(text, _)| text.len());
    let before = chosen.get(id.name);
    let agrees = |case: &&(String, BTreeMap<_, _>)| before.is_some_and(|it| case.1[id.name] == *it);
    let (text, within) = cases.iter().find(agrees).or(cases.last()).unwrap();
    *chosen = within.clone();
    text.clone()
}

#[test]
fn the_page_of_findings_is_what_the_rules_and_their_sentences_say() {
    let english = english();
    let page = findings_page(&|id| english[id].clone());
    for rule in rules() {
        assert!(!page.contains(&id("doctor", rule.id)), "{}", rule.id);
    }
    assert_current("advice/findings.md", &page);
}

#[test]
fn the_page_of_upgrades_is_what_the_table_says() {
    assert_current("advice/upgrades.md", &upgrades_page());
}

#[test]
fn every_page_of_advice_is_in_the_summary() {
    let summary = fs_err::read_to_string(book().join("SUMMARY.md")).unwrap();
    for entry in fs_err::read_dir(book().join("advice")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(summary.contains(&format!("(advice/{name})")), "{name}");
    }
    assert!(summary.contains("(article.md)"));
}

#[test]
fn links_between_pages_lead_somewhere() {
    let mut pages = vec![book().join("article.md")];
    for entry in fs_err::read_dir(book().join("advice")).unwrap() {
        pages.push(entry.unwrap().path());
    }
    for page in pages {
        let text = fs_err::read_to_string(&page).unwrap();
        for link in text.split("](").skip(1) {
            let target = link.split(')').next().unwrap();
            let (file, _) = target.split_once('#').unwrap_or((target, ""));
            if file.is_empty() || target.contains("://") {
                continue;
            }
            let found = page.parent().unwrap().join(file);
            assert!(found.exists(), "{}: {target}", page.display());
        }
    }
}

fn verification_script() -> PathBuf {
    book().join("../verify_workers.py")
}

#[test]
fn the_data_of_the_verification_script_stay_below_what_it_says() {
    let script = fs_err::read_to_string(verification_script()).unwrap();
    let constant = |name: &str| -> u64 {
        let line = format!("\n{name} = ");
        let at = script.find(&line).expect(name) + line.len();
        let digits = script[at..].split(char::is_whitespace).next();
        digits.unwrap().parse().expect(name)
    };
    assert!(script.contains("torch.zeros(CHANNELS, SIDE, SIDE)"));
    assert!(script.contains("below 100 MB"));
    // Numbers of 4 bytes, PyTorch's default.
    let bytes = constant("ITEMS") * constant("CHANNELS") * constant("SIDE").pow(2) * 4;
    assert!(bytes < 100_000_000, "{bytes}");
}

#[test]
fn the_verification_script_compiles() {
    let compile = "import ast, sys; ast.parse(open(sys.argv[1], encoding='utf-8').read())";
    let python = std::process::Command::new("python3")
        .args(["-c", compile])
        .arg(verification_script())
        .output();
    // Where there is no Python, or what stands for one on Windows, another
    // machine tells.
    let Ok(run) = python else { return };
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(!said.contains("SyntaxError"), "{said}");
}
