//! `fixnvpe doctor` for people: the findings, the worst first, each with what to
//! type; what processes cost; the answers compared.

mod budget;

use std::path::Path;

use fixnvpe_doctor::facts::MachineFacts;
use fixnvpe_doctor::findings::Severity;
use fixnvpe_doctor::{
    Action, Answer, AnswerKind, DoctorReport, EnvironmentReport, Finding, Purpose, Step, texts,
};

use super::{Page, facts, problems};
use crate::catalogue::Message;
use crate::diagnosis::{Diagnosis, is_own, sentence};
use crate::message;
use crate::prose::wrap;
use crate::shell::Shell;
use crate::size::shown_size;
use crate::table::{Column, Table};

/// How many of the other environments are listed.
const OTHERS: usize = 5;
/// The widest that a cell of the comparison gets, in columns.
const CELL: usize = 36;

/// Writes a diagnosis.
pub(crate) fn write(page: &mut Page<'_>, found: &Diagnosis) {
    write_report(page, &found.report, found.another.as_ref());
    write_end(page, found);
}

/// Writes what bears on an error: these findings, and the budget where they are
/// about it. Nothing where nothing is found.
pub(crate) fn write_bearing(page: &mut Page<'_>, found: &Diagnosis, ids: &[&str]) {
    let report = &found.report;
    let bears = |one: &&Finding| ids.contains(&one.id.as_str());
    let findings: Vec<&Finding> = report.findings.iter().filter(bears).collect();
    let costs = report
        .environments
        .first()
        .filter(|one| ids.contains(&"budget_exceeded") && !one.facts.images.is_empty());
    if !findings.is_empty() || costs.is_some() {
        page.block();
        page.sentence(&message!("explain-here"));
    }
    for finding in findings {
        write_finding(page, report, finding);
    }
    if let Some(environment) = costs {
        budget::write(page, report, environment);
    }
    write_end(page, found);
}

/// What failed, and whether all was looked at.
fn write_end(page: &mut Page<'_>, found: &Diagnosis) {
    problems::failures(page, &found.failures);
    if !found.complete {
        page.block();
        page.sentence(&message!("interrupted"));
    }
}

/// Five commands to try.
const FIRST_COMMANDS: [&[&str]; 5] = [
    &["doctor", "--workers", "8"],
    &["scan"],
    &["patch", "--all-envs", "--dry-run"],
    &["explain", "1455"],
    &["--help"],
];

/// Writes how to go on.
pub(crate) fn what_next(page: &mut Page<'_>) {
    page.sentence(&message!("first-commands"));
    for words in FIRST_COMMANDS {
        let words = std::iter::once(&"fixnvpe").chain(words);
        page.command(words.map(Into::into));
    }
}

/// Writes what the doctor says: all of it where details are wanted, else the
/// dearest environment in full and the others in a line each.
fn write_report(page: &mut Page<'_>, report: &DoctorReport, another: Option<&Step>) {
    let first = report.environments.first();
    let mut left_out = 0;
    if report.findings.is_empty() {
        page.block();
        page.sentence(&message!("doctor-nothing"));
        page.command(["fixnvpe", "explain", "1455"].map(Into::into));
    }
    for finding in &report.findings {
        let is_shown = page.is_verbose() || is_of(finding, first);
        if is_shown && (page.is_verbose() || finding.severity != Severity::Low) {
            write_finding(page, report, finding);
        } else if is_shown {
            left_out += 1;
        }
    }
    // Where nothing is wrong, what is good to know is the result.
    if left_out == report.findings.len() {
        for finding in report.findings.iter().filter(|one| is_of(one, first)) {
            write_finding(page, report, finding);
        }
        left_out = 0;
    }
    let environments = match (page.is_verbose(), first) {
        (true, _) => report.environments.as_slice(),
        (false, Some(first)) => std::slice::from_ref(first),
        (false, None) => &[],
    };
    for environment in environments {
        budget::write(page, report, environment);
        comparison(page, report, environment);
    }
    went_by(page, report, environments);
    if !page.is_verbose() {
        others(page, report, another);
        if left_out > 0 {
            page.block();
            page.sentence(&message!("doctor-more", count = left_out));
        }
    }
}

/// The facts behind the advice: who reads them sees whether they are right.
fn went_by(page: &mut Page<'_>, report: &DoctorReport, environments: &[EnvironmentReport]) {
    page.block();
    facts::machine(page, &report.machine);
    for environment in environments {
        facts::environment(page, &environment.facts);
    }
}

/// Whether a finding is about this environment, or about the machine.
fn is_of(finding: &Finding, environment: Option<&EnvironmentReport>) -> bool {
    match (&finding.environment, environment) {
        (Some(prefix), Some(environment)) => *prefix == environment.facts.prefix,
        (prefix, _) => prefix.is_none(),
    }
}

fn write_finding(page: &mut Page<'_>, report: &DoctorReport, finding: &Finding) {
    let shown = |text: &str| shown_text(page, text);
    let text = page.say(&sentence(finding, "", &shown));
    let severity = page.say(&severity(finding.severity));
    let place = finding
        .environment
        .as_ref()
        .filter(|_| report.environments.len() > 1)
        .and_then(|prefix| name_of(page, report, prefix));
    let label = match place {
        Some(name) => page.say(&message!(
            "doctor-label-of",
            severity = severity,
            name = name
        )),
        None => page.say(&message!("doctor-label", severity = severity)),
    };
    page.block();
    page.line(&wrap(&format!("{label}{text}"), page.columns(), 0));
    if page.is_verbose() {
        let more = sentence(finding, "-more", &|text| shown_text(page, text));
        page.indented(&more, 2);
    }
    steps(page, &finding.steps, shell_of(&report.machine));
    if page.is_verbose() {
        for source in &finding.sources {
            page.line(&format!("  <{source}>"));
        }
    }
}

fn severity(severity: Severity) -> Message {
    match severity {
        Severity::High => message!("doctor-severity-high"),
        Severity::Medium => message!("doctor-severity-medium"),
        _ => message!("doctor-severity-low"),
    }
}

fn name_of(page: &Page<'_>, report: &DoctorReport, prefix: &Path) -> Option<String> {
    let environments = &report.environments;
    let of = environments.iter().find(|one| one.facts.prefix == prefix)?;
    Some(shown_text(page, &of.facts.name))
}

fn shown_text(page: &Page<'_>, text: &str) -> String {
    page.path(Path::new(text))
}

/// What to do: the first thing to type, or every step with what it is for. Two
/// steps that are half done one without the other are always shown, numbered.
fn steps(page: &mut Page<'_>, steps: &[Step], shell: Shell) {
    let is_pair = |pair: &[Step]| pair[1].purpose == Purpose::PatchAgain;
    let is_numbered = steps.windows(2).any(is_pair);
    if page.is_verbose() || is_numbered {
        for (number, one) in (1..).zip(steps) {
            let label = page.say(&purpose(one.purpose));
            let mark = if is_numbered {
                format!("{number}.")
            } else {
                "-".to_owned()
            };
            page.line(&wrap(&format!("{mark} {label}"), page.columns(), 2));
            step(page, one, shell, 4);
        }
        return;
    }
    let Some(first) = steps.first() else {
        return;
    };
    step(page, first, shell, 2);
    // An upgrade is done when the GPU is still found.
    if let Some(second) = steps.get(1)
        && (second.purpose == Purpose::Check || second.purpose == first.purpose)
    {
        step(page, second, shell, 2);
    }
}

fn purpose(purpose: Purpose) -> Message {
    let word = Purpose::ALL.iter().find(|(one, _)| *one == purpose);
    Message::new(texts::id("doctor-step", word.map_or("", |(_, word)| word)))
}

/// The shell for commands of other programs: that of the machine they are for.
fn shell_of(machine: &MachineFacts) -> Shell {
    if machine.windows {
        Shell::Windows
    } else {
        Shell::native()
    }
}

/// Writes how a step is done; `shell` is the one that other programs than this
/// are started in.
pub(crate) fn step(page: &mut Page<'_>, step: &Step, shell: Shell, indent: usize) {
    let space = " ".repeat(indent);
    match &step.action {
        Action::Run(words) if is_own(words) => {
            page.typed(&Shell::native().command(words), indent);
        }
        Action::Run(words) => {
            // Its programs are on the PATH of its own prompt alone.
            if words
                .first()
                .is_some_and(|it| it == "conda" || it == "mamba")
            {
                page.indented(&message!("doctor-action-conda"), indent);
            }
            page.typed(&shell.command(words), indent);
        }
        Action::Declare {
            tool,
            packages,
            from,
        } => {
            let packages = packages.join(", ");
            let message = message!(
                "doctor-action-declare",
                tool = tool.as_str(),
                packages = packages,
                from = from.as_str()
            );
            page.indented(&message, indent);
        }
        Action::Variable { name, value } => {
            page.typed(&shell.variable(name, value), indent);
        }
        Action::Open(program) => {
            let message = message!("doctor-action-open", program = program.as_str());
            page.indented(&message, indent);
        }
        Action::Page(url) => {
            let text = page.say(&message!("doctor-action-page", url = url.as_str()));
            page.line(&format!("{space}{text}"));
        }
        Action::Remove(path) => {
            let path = shown_text(page, path);
            page.indented(&message!("doctor-action-remove", path = path), indent);
        }
        _ => {}
    }
}

/// The answers that are possible, side by side.
fn comparison(page: &mut Page<'_>, report: &DoctorReport, environment: &EnvironmentReport) {
    let possible: Vec<&Answer> = environment
        .answers
        .iter()
        .filter(|answer| answer.possible)
        .collect();
    if possible.is_empty() {
        return;
    }
    let cells: Vec<[String; 4]> = possible
        .iter()
        .map(|answer| answer_cells(page, answer))
        .collect();
    let widest = |cell: &String| unicode_width::UnicodeWidthStr::width(cell.as_str());
    let label = cells.iter().map(|row| widest(&row[0])).max().unwrap_or(0);
    let label = label.max(widest(&page.say(&message!("doctor-compare-answer"))));
    let room = (page.columns().saturating_sub(label + 6) / 3).min(CELL);
    let mut table = Table::new([
        (Column::Words, page.say(&message!("doctor-compare-answer"))),
        (Column::Words, page.say(&message!("doctor-compare-gain"))),
        (Column::Words, page.say(&message!("doctor-compare-cost"))),
        (Column::Words, page.say(&message!("doctor-compare-when"))),
    ]);
    for [label, gain, cost, when] in cells {
        table.row([
            label,
            wrap(&gain, room, 0),
            wrap(&cost, room, 0),
            wrap(&when, room, 0),
        ]);
    }
    page.block();
    page.sentence(&message!("doctor-compare-title"));
    page.table(table);
    if possible.iter().any(|one| one.answer == AnswerKind::Upgrade) {
        let as_of = report.upgrades_as_of.as_str();
        page.sentence(&message!("doctor-upgrades-as-of", as_of = as_of));
    }
}

/// A word that a sentence chooses by.
fn choice(yes: bool) -> &'static str {
    if yes { "yes" } else { "no" }
}

fn answer_cells(page: &Page<'_>, answer: &Answer) -> [String; 4] {
    let word = AnswerKind::ALL
        .iter()
        .find(|(one, _)| *one == answer.answer);
    let id = texts::id("doctor-compare", word.map_or("", |(_, word)| word));
    let say = |ending: &str| {
        let message = Message::new(format!("{id}{ending}"))
            .with("saves", shown_size(answer.saves))
            .with("leaves", shown_size(answer.leaves))
            .with("leaves_any", choice(answer.leaves > 0))
            .with("disk", shown_size(answer.disk.unwrap_or(0)))
            .with("disk_known", choice(answer.disk.is_some()));
        page.say(&message)
    };
    [say(""), say("-gain"), say("-cost"), say("-when")]
}

/// The environments beside the first, in a line each, the dearest first.
fn others(page: &mut Page<'_>, report: &DoctorReport, another: Option<&Step>) {
    let others: Vec<&EnvironmentReport> = report
        .environments
        .iter()
        .skip(1)
        .filter(|one| one.facts.writable().next().is_some())
        .collect();
    if others.is_empty() {
        return;
    }
    page.block();
    page.sentence(&message!("doctor-others", count = others.len()));
    let mut table = Table::new([
        (Column::Figures, page.say(&message!("column-now"))),
        (Column::Figures, page.say(&message!("column-after"))),
        (Column::Path, page.say(&message!("column-place"))),
    ]);
    for one in others.iter().take(OTHERS) {
        let charge = one.budget.per_process;
        table.row([
            shown_size(charge.now),
            shown_size(charge.after),
            page.path(&one.facts.prefix),
        ]);
    }
    page.table(table);
    if let Some(more) = others.len().checked_sub(OTHERS).filter(|more| *more > 0) {
        page.sentence(&message!("and-more", count = more));
    }
    if let Some(another) = another {
        page.sentence(&message!("doctor-others-next"));
        step(page, another, Shell::native(), 2);
    }
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, error::ErrorKind};

    use super::*;
    use crate::arguments::{Arguments, help};
    use crate::catalogue::Catalogue;

    #[test]
    fn the_commands_to_try_are_commands_of_this_program() {
        for words in FIRST_COMMANDS {
            let command = help::in_language(Arguments::command(), &Catalogue::empty());
            let words = std::iter::once(&"fixnvpe").chain(words);
            let outcome = command.try_get_matches_from(words).map_err(|it| it.kind());
            let is_known = matches!(outcome, Ok(_) | Err(ErrorKind::DisplayHelp));
            assert!(is_known, "{outcome:?}");
        }
    }
}
