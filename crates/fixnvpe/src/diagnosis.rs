//! What the doctor is told, from a selection, and what it says: what `doctor`,
//! `explain` and `measure` share.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use fixnvpe_batch::{Failure, ImageReport, ScanOptions, ScanReport, scan};
use fixnvpe_doctor::facts::{Facts, MachineFacts, Options};
use fixnvpe_doctor::{Action, DoctorReport, Finding, Purpose, Step, examine, gather, texts};
use fixnvpe_envs::{Drive, Environment, Kind, Packages};

use crate::arguments::{Place, Selection, Work};
use crate::attribution::attribute;
use crate::catalogue::{Catalogue, Message, Value};
use crate::document::LeftOut;
use crate::fatal::Fatal;
use crate::job::{self, Job};
use crate::language::Language;
use crate::report::next;
use crate::selection::Around;
use crate::session::Session;
use crate::size::shown_size;

/// A diagnosis.
#[derive(Debug)]
pub(crate) struct Diagnosis {
    /// What the doctor says.
    pub(crate) report: DoctorReport,
    /// How to look at the next environment that has something to patch.
    pub(crate) another: Option<Step>,
    /// What was left out.
    pub(crate) skipped: Vec<LeftOut>,
    /// What failed.
    pub(crate) failures: Vec<Failure>,
    /// Whether nothing interrupted it.
    pub(crate) complete: bool,
}

/// Finds, scans and examines what is selected; every environment where nothing
/// is.
///
/// # Errors
///
/// Usage errors only, before anything is scanned.
pub(crate) fn diagnose(
    session: &Session,
    job: &Job<'_>,
    selection: &Selection,
    work: &Work,
    options: &Options,
    imports: &[String],
) -> Result<Diagnosis, Fatal> {
    let mut selected = job::select(selection)?;
    let every = selected.roots.is_empty() && !selection.selects_environments();
    let around = job.look_around(selection, every, &mut selected)?;
    let (journal, _) = job::journal(session, &work.state)?;
    let watcher = job.watcher(None);
    let context = job.context(&watcher);
    let files = job::find(session, &selected, &context, &watcher);
    let mut found = scan(
        &files.collection,
        &ScanOptions::default(),
        Some(&journal),
        &context,
    );
    let _ = attribute(&around, &mut found.images);
    // Of a mounted disk only the files are seen.
    let machine = if selection.place.root.is_empty() {
        MachineFacts::this()
    } else {
        MachineFacts::elsewhere()
    };
    let subjects = subjects(&around, &found.images, &files.roots);
    let mut failures = std::mem::take(&mut found.failures);
    let mut facts = Vec::new();
    for subject in subjects.iter().take_while(|_| !job.is_interrupted()) {
        let packages = Packages::read(&around.machine, subject);
        let inner = around.discovery.inner_folders(subject);
        let images = &found.images;
        let gathered = gather(subject, &inner, &packages, images, &machine, imports);
        facts.push(gathered.facts);
        failures.extend(gathered.failures);
    }
    watcher.end();
    failures.sort_by(|a, b| a.path.cmp(&b.path));
    failures.dedup_by(|a, b| a.path == b.path && a.step == b.step);
    let mut report = examine(Facts::new(machine, facts), options);
    let known = |path: &Path| {
        let environments = &around.discovery.environments;
        environments.iter().any(|one| one.prefix == path)
    };
    let mut another = another(&report);
    let steps = report.findings.iter_mut().flat_map(|one| &mut one.steps);
    for step in steps.chain(&mut another) {
        make_typable(step, &selection.place, work, &known);
        if !selection.place.root.is_empty() {
            make_typable_there(step, around.machine.drives());
        }
    }
    let complete = found.complete && !job.is_interrupted();
    let skipped = left_out(&mut found, around);
    Ok(Diagnosis {
        report,
        another,
        skipped,
        failures,
        complete,
    })
}

/// The command for the first environment behind the one that is shown in full.
fn another(report: &DoctorReport) -> Option<Step> {
    let mut others = report.environments.iter().skip(1);
    let other = others.find(|one| one.facts.writable().next().is_some())?;
    let prefix = other.facts.prefix.to_string_lossy().into_owned();
    let words = ["fixnvpe", "doctor", "--env", &prefix];
    Some(Step::run(Purpose::Look, words))
}

/// The environments to examine: the selected ones, those that hold a selected
/// file, and for files that are in none the selected folder. A cache in an
/// installation is a folder of its own: no process loads what lies there.
fn subjects(around: &Around, images: &[ImageReport], roots: &[PathBuf]) -> Vec<Environment> {
    let mut all = around.environments.clone();
    let mut folders = BTreeSet::new();
    for image in images {
        let is_of = |one: &&Environment| !is_cached(around, one, &image.path);
        match around.environment_of(&image.path).filter(is_of) {
            Some(environment) => {
                if !all.iter().any(|one| one.prefix == environment.prefix) {
                    all.push(environment.clone());
                }
            }
            None => folders.extend(folder_of(&image.path, roots)),
        }
    }
    all.extend(folders.into_iter().map(|folder| {
        let name = folder.file_name().unwrap_or(folder.as_os_str());
        let sites = [&folder, &folder.join("Lib").join("site-packages")].map(PathBuf::clone);
        Environment::new(Kind::Portable, name.to_string_lossy(), folder.clone())
            .with_site_packages(sites)
    }));
    all
}

/// Whether a file lies in a cache that lies in the environment.
fn is_cached(around: &Around, environment: &Environment, path: &Path) -> bool {
    let path = fixnvpe_files::shown(path);
    around
        .discovery
        .caches
        .iter()
        .any(|cache| cache.path.starts_with(&environment.prefix) && path.starts_with(&cache.path))
}

/// The selected folder that a file lies in; of a file that was selected itself,
/// the folder that holds it.
fn folder_of(path: &Path, roots: &[PathBuf]) -> Option<PathBuf> {
    let root = roots.iter().find(|root| path.starts_with(root))?;
    if root == path {
        return path.parent().map(fixnvpe_files::shown);
    }
    Some(fixnvpe_files::shown(root))
}

fn left_out(found: &mut ScanReport, around: Around) -> Vec<LeftOut> {
    let files = std::mem::take(&mut found.skipped)
        .into_iter()
        .map(LeftOut::File);
    let places = around.discovery.skipped.into_iter().map(LeftOut::Place);
    files.chain(places).collect()
}

/// Lets a command of this program do what it says where it is typed: a folder
/// that is no environment is selected as a path, and the disks and the state
/// folder are those of this run.
pub(crate) fn make_typable(
    step: &mut Step,
    place: &Place,
    work: &Work,
    is_environment: &dyn Fn(&Path) -> bool,
) {
    let Action::Run(words) = &mut step.action else {
        return;
    };
    if !is_own(words) || words.len() < 2 {
        return;
    }
    if let Some(at) = words.iter().position(|word| word == "--env")
        && words
            .get(at + 1)
            .is_some_and(|prefix| !is_environment(Path::new(prefix)))
    {
        words.remove(at);
    }
    if words[1] == "explain" {
        return;
    }
    let place = Selection {
        place: place.clone(),
        ..Selection::default()
    };
    let state_dir = match words[1].as_str() {
        "envs" => None,
        _ => work.state.state_dir.as_deref(),
    };
    let more: Vec<String> = next::command("", Vec::new(), &place, state_dir)
        .into_iter()
        .skip(2)
        .map(|word: OsString| word.to_string_lossy().into_owned())
        .filter(|word| word != "--deep" || !words.contains(word))
        .collect();
    words.splice(2..2, more);
}

/// Lets a command of another program do what it says on the Windows whose disks
/// are mounted here: there the paths begin with the letters of the drives.
fn make_typable_there(step: &mut Step, drives: &[Drive]) {
    let Action::Run(words) = &mut step.action else {
        return;
    };
    if is_own(words) {
        return;
    }
    for word in words {
        let there = drives.iter().find_map(|drive| {
            let below = Path::new(word.as_str()).strip_prefix(&drive.root).ok()?;
            let below = below.to_string_lossy().replace('/', "\\");
            Some(format!("{}:\\{below}", drive.letter?))
        });
        if let Some(there) = there {
            *word = there;
        }
    }
}

/// Whether a command is one of this program.
pub(crate) fn is_own(words: &[String]) -> bool {
    words.first().map(String::as_str) == Some("fixnvpe")
}

/// The sentence of a finding; with `ending` `-more`, what there is to know
/// beyond.
pub(crate) fn sentence(finding: &Finding, ending: &str, shown: &dyn Fn(&str) -> String) -> Message {
    let id = format!("{}{ending}", texts::id("doctor", &finding.id));
    let message = Message::new(id);
    finding
        .arguments
        .iter()
        .fold(message, |message, (name, value)| {
            message.with(name.clone(), argument(value, shown))
        })
}

fn argument(value: &fixnvpe_doctor::findings::Value, shown: &dyn Fn(&str) -> String) -> Value {
    use fixnvpe_doctor::findings::Value as Argument;
    match value {
        Argument::Bytes(bytes) => shown_size(*bytes).into(),
        Argument::Count(count) => (*count).into(),
        Argument::Text(text) => shown(text).into(),
        Argument::List(items) => {
            let items: Vec<String> = items.iter().map(|item| shown(item)).collect();
            items.join(", ").into()
        }
        _ => String::new().into(),
    }
}

/// Fills in the sentences, in English: a document is the same in every language.
pub(crate) fn fill_in(report: &mut DoctorReport) {
    let english = Catalogue::of(Language::En);
    for finding in &mut report.findings {
        finding.message = english.text(&sentence(finding, "", &ToOwned::to_owned));
    }
}
