//! Pages of the book that are printed from the tables, so that they cannot say
//! anything else. A test compares them with the files.

use std::fmt::Write;

use crate::findings::{Rule, Scope, Severity, rules};
use crate::step::Purpose;
use crate::texts::id;
use crate::upgrade::{AS_OF, BUILDS, Build, SOURCES};

/// The page of all findings, in Markdown. `say` gives the English sentence of an
/// id ([`sentences`](crate::texts::sentences)).
#[must_use]
pub fn findings_page(say: &dyn Fn(&str) -> String) -> String {
    let mut page = String::from(
        "# Every finding of `doctor`\n\n\
         <!-- Printed from the table of rules in crates/fixnvpe-doctor; a test keeps it current. -->\n\n\
         A finding has a stable id, which JSON documents carry, and a severity. Each is a\n\
         function of facts alone: of what the files, the registry and the driver say. What is\n\
         not known leads to no finding. A sentence is shown here with the names of its values;\n\
         `--verbose` shows the second one, and every step.\n\n\
         | finding | severity | about |\n|---|---|---|\n",
    );
    for rule in rules() {
        let about = about(rule.scope);
        let Rule { id, severity, .. } = rule;
        row(
            &mut page,
            &[&format!("[`{id}`](#{id})"), &severity.to_string(), about],
        );
    }
    for severity in [Severity::High, Severity::Medium, Severity::Low] {
        let _ = write!(page, "\n## Severity: {severity}\n");
        for rule in rules().into_iter().filter(|rule| rule.severity == severity) {
            section(&mut page, rule, say);
        }
    }
    page
}

fn about(scope: Scope) -> &'static str {
    match scope {
        Scope::Environment => "an environment",
        Scope::Machine => "the machine",
    }
}

fn section(page: &mut String, rule: &Rule, say: &dyn Fn(&str) -> String) {
    let sentence = id("doctor", rule.id);
    let looks_at: Vec<_> = rule.looks_at.iter().map(ToString::to_string).collect();
    let _ = write!(
        page,
        "\n### {}\n\n> {}\n>\n> {}\n\nFound when {}.\n\nLooks at: {}.\n",
        rule.id,
        say(&sentence),
        say(&format!("{sentence}-more")),
        rule.when,
        looks_at.join(", ")
    );
    if !rule.purposes.is_empty() {
        let steps: Vec<_> = Purpose::ALL
            .iter()
            .filter(|(purpose, _)| rule.purposes.contains(purpose))
            .map(|(_, word)| say(&id("doctor-step", word)))
            .collect();
        let _ = write!(page, "\nSteps: {}.\n", steps.join(", "));
    }
    if !rule.arguments.is_empty() {
        let values: Vec<_> = rule.arguments.iter().map(|it| format!("`{it}`")).collect();
        let _ = write!(page, "\nValues in JSON: {}.\n", values.join(", "));
    }
    if !rule.sources.is_empty() {
        page.push_str("\nSources:\n\n");
        for source in rule.sources {
            let _ = writeln!(page, "- <{source}>");
        }
    }
}

/// The page of the table of upgrades, in Markdown.
#[must_use]
pub fn upgrades_page() -> String {
    let mut page = format!(
        "# Upgrading torch\n\n\
         <!-- Printed from the table of builds in crates/fixnvpe-doctor; a test keeps it current. -->\n\n\
         As of {AS_OF}. An upgrade is proposed only if the build has wheels for the Python at\n\
         hand, machine code for every GPU of the machine, runs with its driver, and leaves no\n\
         installed torchaudio behind. A GPU or a driver that could not be asked excludes nothing:\n\
         the check after each command tells. A case that is not here gets no guess, but a link.\n\n\
         Not every build that exists is here: for each case the one with the widest support,\n\
         so that there is a smallest step and a current one. torch 2.15 has been released, but\n\
         at this date its CUDA builds were known from a proposal only\n\
         ([pytorch#190385](https://github.com/pytorch/pytorch/issues/190385)).\n\n\
         | torch | CUDA | Python | GPUs (compute capability) | driver | conda | torchvision | torchaudio | NumPy |\n\
         |---|---|---|---|---|---|---|---|---|\n"
    );
    for build in BUILDS {
        build_row(&mut page, build);
    }
    page.push_str(
        "\nMachine code runs on GPUs of the same major capability and an equal or higher minor\n\
         one: code for 8.6 runs on Ada (8.9). PTX does not count here: a proposal has to hold\n\
         without compiling at load.\n\n\
         `NumPy` is what a fresh environment has to ask for: torch below 2.4.1 was built for\n\
         NumPy 1, and pip would take a newer one.\n\n\
         A torch that conda installed is upgraded by conda alone; a project of pixi, Poetry, PDM,\n\
         Hatch or Pipenv names its packages in its own file; an environment of uv has no pip, and\n\
         packages of one user or of the Microsoft Store's Python no program beside them. The\n\
         commands follow that.\n\n\
         `conda` says whether the channel `pytorch` has the build; that channel ended with 2.5.\n\
         Every command pins the CUDA build by name, since a command that does not may install\n\
         the build without CUDA\n\
         ([pytorch#69202](https://github.com/pytorch/pytorch/issues/69202)), and is followed by\n\
         a check of `torch.cuda.is_available()`.\n\n## Sources\n\n",
    );
    for source in SOURCES {
        let _ = writeln!(page, "- <{source}>");
    }
    page
}

fn build_row(page: &mut String, build: &Build) {
    let [first, last] = build.pythons;
    let capabilities: Vec<_> = build
        .architectures
        .iter()
        .map(|number| format!("{}.{}", number / 10, number % 10))
        .collect();
    row(
        page,
        &[
            &build.version().to_string(),
            &build.cuda_version().to_string(),
            &format!("3.{first} to 3.{last}"),
            &capabilities.join(", "),
            &format!("{}.{:02}", build.driver[0], build.driver[1]),
            if build.conda { "yes" } else { "no" },
            build.torchvision,
            build.torchaudio.unwrap_or("none"),
            if build.numpy.is_some() {
                "below 2"
            } else {
                "any"
            },
        ],
    );
}

fn row(page: &mut String, cells: &[&str]) {
    let _ = writeln!(page, "| {} |", cells.join(" | "));
}
