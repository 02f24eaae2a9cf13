//! Each rule alone: a scene in which it is found, and one in which it is not.

use std::collections::{BTreeMap, BTreeSet};

use fixnvpe_pe::{CommitCharge, ComputeCapability, Condition, DeviceCode, Reason};

use super::{Value, rules};
use crate::budget::GB;
use crate::facts::*;
use crate::{Action, Finding, Purpose, examine};

mod files;
mod machine;
mod stack;

const MB: u64 = 1 << 20;

/// A Windows machine on which nothing is wrong.
fn machine() -> MachineFacts {
    MachineFacts {
        windows: true,
        physical_memory: Some(32 * GB),
        commit: Some(SystemCommit::new(36 * GB, 12 * GB)),
        page_files: PageFiles::Automatic,
        system_drive: Some('C'),
        drives: vec![DriveSpace::new('C', 1024 * GB, 500 * GB)],
        cores: Some(8),
        logical_processors: Some(8),
        gpus: Some(vec![gpu(8, 6)]),
        driver: "546.33".parse().ok(),
        app_control: Some(AppControl::Off),
    }
}

fn gpu(major: u32, minor: u32) -> Gpu {
    Gpu::new(
        "NVIDIA GeForce RTX 3060",
        Some(ComputeCapability::new(major, minor)),
    )
}

fn image(name: &str, condition: Condition, now: u64, after: u64) -> ImageFacts {
    let path = format!(r"D:\envs\yolo\Lib\site-packages\torch\lib\{name}");
    let charge = CommitCharge::new(now, after);
    ImageFacts {
        package: Some("torch".into()),
        ..ImageFacts::new(path, condition, charge)
    }
}

/// An environment on which nothing is wrong.
fn environment() -> EnvironmentFacts {
    EnvironmentFacts {
        python: "3.9.13".parse().ok(),
        torch: Torch::new("2.0.1+cu118", None),
        packages: vec![Package::new("torch", "2.0.1+cu118")],
        images: vec![image("torch_cuda.dll", Condition::ReadOnly, MB, MB)],
        ..EnvironmentFacts::new("yolo", r"D:\envs\yolo")
    }
}

/// The environment of the article: an old torch whose DLLs are writable.
fn old() -> EnvironmentFacts {
    EnvironmentFacts {
        torch: Torch::new("1.12.1+cu113", None),
        packages: vec![Package::new("torch", "1.12.1+cu113")],
        images: vec![
            image("torch_cuda_cu.dll", Condition::Writable, 900 * MB, 8 * MB),
            image("cudnn_cnn_infer64_8.dll", Condition::Writable, 500 * MB, MB),
        ],
        ..environment()
    }
}

fn look(machine: MachineFacts, environments: Vec<EnvironmentFacts>, workers: Option<u32>) -> Found {
    let options = Options::with_workers(workers);
    Found(examine(Facts::new(machine, environments), &options).findings)
}

struct Found(Vec<Finding>);

impl Found {
    fn ids(&self) -> Vec<&str> {
        self.0.iter().map(|finding| finding.id.as_str()).collect()
    }

    fn get(&self, id: &str) -> Option<&Finding> {
        self.0.iter().find(|finding| finding.id == id)
    }

    fn argument(&self, id: &str, name: &str) -> Value {
        self.get(id)
            .unwrap_or_else(|| panic!("{id}: {:?}", self.ids()))
            .arguments[name]
            .clone()
    }

    fn commands(&self, id: &str) -> Vec<String> {
        let words = |step: &crate::Step| match &step.action {
            Action::Run(words) => words.join(" "),
            other => format!("{other:?}"),
        };
        self.get(id).unwrap().steps.iter().map(words).collect()
    }
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

#[test]
fn nothing_found_and_another_system_are_said() {
    assert_eq!(look(machine(), Vec::new(), None).ids(), ["no_environment"]);
    let found = look(MachineFacts::default(), vec![environment()], None);
    assert_eq!(found.ids(), ["not_windows", "dlls_fine"]);
}

#[test]
fn the_worst_comes_first_and_the_costliest_environment_before_others() {
    let mut cheap = old();
    cheap.name = "cheap".into();
    cheap.prefix = r"D:\envs\cheap".into();
    cheap.images.pop();
    let mut machine = machine();
    machine.page_files = PageFiles::Off;
    let found = look(machine, vec![cheap, old()], Some(9));
    let severities: Vec<_> = found.0.iter().map(|finding| finding.severity).collect();
    assert!(severities.is_sorted());
    let patches: Vec<_> = found
        .0
        .iter()
        .filter(|finding| finding.id == "patch")
        .map(|finding| finding.environment.clone().unwrap())
        .collect();
    assert_eq!(
        patches,
        [r"D:\envs\yolo", r"D:\envs\cheap"].map(std::path::PathBuf::from)
    );
}

/// Facts in which every rule is found at least once.
pub(crate) fn everything() -> Vec<Finding> {
    let mut all = Vec::new();
    let mut add = |machine: MachineFacts, environments: Vec<EnvironmentFacts>, workers| {
        all.extend(look(machine, environments, workers).0);
    };
    let mut bound = old();
    bound.packages.extend(
        ["xformers", "numpy", "safetensors", "torchaudio"].map(|name| Package::new(name, "1")),
    );
    let patched = r"D:\envs\yolo\Lib\site-packages\torch\lib\data.dll_bak";
    bound.leftovers.backups = vec![Leftover::new(patched, 1)];
    bound.leftovers.pip = vec![Leftover::new("~orch", 1)];
    bound.images[0].signed = true;
    bound.images[0].patched = true;
    bound.images[0].code_for_gpu = Some(DeviceCode::None);
    bound.images[0].architectures = vec!["sm_37".into(), "sm_50".into()];
    for image in &mut bound.images {
        image.aslr = false;
        image.image_base = Some(1);
    }
    for reason in [Reason::Signed, Reason::Packed] {
        let mut image = image("refused.dll", Condition::Refused, GB, GB);
        image.reason = Some(reason);
        bound.images.push(image);
    }
    bound
        .images
        .push(image("data.dll", Condition::ReadOnly, GB, GB));
    let mut full = machine();
    full.page_files = PageFiles::parse(&[r"C:\pagefile.sys 4096 4096"]);
    full.commit = Some(SystemCommit::new(36 * GB, 35 * GB));
    full.logical_processors = Some(32);
    full.app_control = Some(AppControl::Enforced);
    add(full.clone(), vec![bound.clone()], Some(16));
    full.page_files = PageFiles::Automatic;
    full.drives = vec![DriveSpace::new('C', 64 * GB, GB)];
    full.app_control = None;
    full.driver = "300.1".parse().ok();
    add(full.clone(), vec![bound], Some(16));
    full.page_files = PageFiles::Off;
    let mut unknown = old();
    unknown.python = None;
    let mut small = image("small.dll", Condition::Refused, MB, MB);
    small.reason = Some(Reason::Packed);
    unknown.images.push(small);
    let comfyui = ["comfyui-frontend-package", "safetensors"];
    unknown
        .packages
        .extend(comfyui.map(|name| Package::new(name, "1")));
    add(full, vec![unknown], None);
    add(machine(), vec![old(), environment()], None);
    add(MachineFacts::default(), Vec::new(), None);
    all
}

#[test]
fn every_rule_gives_exactly_the_values_that_it_declares() {
    let mut given = BTreeMap::<String, Vec<String>>::new();
    for finding in everything() {
        let names = finding.arguments.into_keys().collect();
        if let Some(before) = given.insert(finding.id.clone(), names) {
            assert_eq!(before, given[&finding.id], "{}", finding.id);
        }
    }
    for rule in rules() {
        let mut declared: Vec<_> = rule.arguments.to_vec();
        declared.sort_unstable();
        let found = given
            .get(rule.id)
            .unwrap_or_else(|| panic!("{} is never found", rule.id));
        assert_eq!(*found, declared, "{}", rule.id);
    }
}

#[test]
fn every_rule_gives_steps_for_the_purposes_that_it_declares() {
    let mut given = BTreeMap::<String, BTreeSet<Purpose>>::new();
    for finding in everything() {
        let purposes = finding.steps.iter().map(|step| step.purpose);
        given.entry(finding.id).or_default().extend(purposes);
    }
    for rule in rules() {
        let declared: BTreeSet<_> = rule.purposes.iter().copied().collect();
        assert_eq!(given[rule.id], declared, "{}", rule.id);
    }
}

#[test]
fn the_ids_of_rules_are_words_and_stand_once() {
    let mut ids: Vec<_> = rules().iter().map(|rule| rule.id).collect();
    assert!(
        ids.iter()
            .all(|id| id.chars().all(|c| c.is_ascii_lowercase() || c == '_'))
    );
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), all);
}

#[test]
fn every_rule_says_what_it_looks_at_and_where_it_comes_from() {
    for rule in rules() {
        assert!(
            !rule.looks_at.is_empty() && !rule.when.is_empty(),
            "{}",
            rule.id
        );
        assert!(
            !rule.sources.is_empty() || rule.id == "no_environment",
            "{}",
            rule.id
        );
    }
}

#[test]
fn facts_that_are_not_known_lead_to_no_finding_that_needs_them() {
    let found = look(MachineFacts::elsewhere(), vec![old()], Some(8));
    let mut ids = found.ids();
    ids.retain(|id| !matches!(*id, "upgrade" | "patch" | "persistent_workers"));
    assert!(ids.is_empty(), "{ids:?}");
}

#[test]
fn a_report_survives_json() {
    let facts = Facts::new(machine(), vec![old(), environment()]);
    let report = examine(facts, &Options::with_workers(Some(8)));
    let json = serde_json::to_string(&report).unwrap();
    assert_eq!(
        serde_json::from_str::<crate::DoctorReport>(&json).unwrap(),
        report
    );
}
