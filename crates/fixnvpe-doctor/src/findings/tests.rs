//! Each rule alone: a scene in which it is found, and one in which it is not.

use std::collections::BTreeMap;

use fixnvpe_pe::{CommitCharge, ComputeCapability, Condition, DeviceCode, Reason};

use super::{Value, rules};
use crate::budget::GB;
use crate::facts::*;
use crate::{Action, Finding, Purpose, examine};

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
fn a_machine_and_an_environment_in_order_find_that_the_dlls_are_fine() {
    assert_eq!(
        look(machine(), vec![environment()], None).ids(),
        ["dlls_fine"]
    );
}

#[test]
fn an_upgrade_is_the_best_answer_and_a_patch_the_next() {
    let found = look(machine(), vec![old()], None);
    assert_eq!(found.ids(), ["upgrade", "patch"]);
    assert_eq!(found.argument("upgrade", "smallest"), text("1.13.1+cu117"));
    assert_eq!(found.argument("upgrade", "current"), text("2.8.0+cu126"));
    assert_eq!(found.argument("patch", "situation"), text("upgrade"));
    assert_eq!(found.argument("patch", "now"), Value::Bytes(1400 * MB));
    assert_eq!(found.argument("patch", "saved"), Value::Bytes(1391 * MB));
    assert_eq!(
        found.commands("patch"),
        [
            r"fixnvpe patch --dry-run --env D:\envs\yolo",
            r"fixnvpe patch --env D:\envs\yolo",
            r"fixnvpe restore --env D:\envs\yolo",
        ]
    );
}

#[test]
fn a_new_torch_with_writable_dlls_of_another_package_is_patched_not_upgraded() {
    let mut environment = environment();
    environment.images = vec![image("xgboost.dll", Condition::Writable, 170 * MB, MB)];
    let found = look(machine(), vec![environment], None);
    assert_eq!(found.ids(), ["patch"]);
    assert_eq!(found.argument("patch", "situation"), text("other"));
}

#[test]
fn what_is_built_for_this_torch_makes_the_patch_the_answer() {
    let mut environment = old();
    environment
        .packages
        .push(Package::new("mmcv_full", "1.7.1"));
    let found = look(machine(), vec![environment], None);
    assert_eq!(found.ids(), ["patch", "upgrade_pinned"]);
    assert_eq!(found.argument("patch", "situation"), text("bound"));
    let bound = Value::List(vec!["mmcv-full".into()]);
    assert_eq!(found.argument("upgrade_pinned", "bound"), bound);
    let options = Options {
        pinned: true,
        ..Options::default()
    };
    let found = examine(Facts::new(machine(), vec![old()]), &options).findings;
    let ids: Vec<_> = found.iter().map(|finding| &finding.id).collect();
    assert_eq!(ids, ["patch", "upgrade_pinned"]);
}

#[test]
fn a_case_without_a_row_gets_a_link_and_no_command() {
    let mut environment = old();
    environment.python = "3.6.9".parse().ok();
    let found = look(machine(), vec![environment], None);
    assert_eq!(found.ids(), ["patch", "no_upgrade_known"]);
    assert_eq!(found.argument("patch", "situation"), text("no_upgrade"));
    let steps = &found.get("no_upgrade_known").unwrap().steps;
    assert!(
        steps.iter().all(|step| step.purpose == Purpose::Read),
        "{steps:?}"
    );
}

#[test]
fn an_old_driver_is_found_where_only_it_is_in_the_way() {
    let mut machine = machine();
    machine.driver = "441.22".parse().ok();
    let found = look(machine, vec![old()], None);
    assert_eq!(found.ids(), ["patch", "driver_too_old"]);
    assert_eq!(found.argument("driver_too_old", "needed"), text("452.39"));
}

#[test]
fn fat_binaries_without_code_for_the_gpu_are_found_by_package() {
    let mut environment = environment();
    environment.images[0].code_for_gpu = Some(DeviceCode::None);
    environment.images[0].architectures = vec!["sm_75".into(), "sm_86".into()];
    let found = look(machine(), vec![environment.clone()], None);
    assert_eq!(found.ids()[0], "no_code_for_gpu");
    assert_eq!(found.argument("no_code_for_gpu", "package"), text("torch"));
    // One image with code is enough.
    let mut other = image("torch_cuda_cpp.dll", Condition::ReadOnly, MB, MB);
    other.code_for_gpu = Some(DeviceCode::Native);
    environment.images.push(other);
    let found = look(machine(), vec![environment], None);
    assert_eq!(found.get("no_code_for_gpu"), None);
}

#[test]
fn an_upgrade_that_the_gpu_needs_is_never_one_that_drops_it() {
    let mut environment = environment();
    environment.python = "3.9".parse().ok();
    environment.images[0].code_for_gpu = Some(DeviceCode::None);
    let mut machine = machine();
    machine.gpus = Some(vec![gpu(12, 0)]);
    machine.driver = "572.16".parse().ok();
    let found = look(machine.clone(), vec![environment.clone()], None);
    let commands = found.commands("no_code_for_gpu");
    assert!(commands[0].contains("torch==2.8.0+cu128"), "{commands:?}");
    environment.python = "3.8".parse().ok();
    let found = look(machine, vec![environment], None);
    let steps = &found.get("no_code_for_gpu").unwrap().steps;
    assert!(matches!(steps[0].action, Action::Page(_)), "{steps:?}");
}

#[test]
fn signed_and_refused_images_are_told_apart() {
    let refused = |reason| {
        let mut image = image("libmxnet.dll", Condition::Refused, 1200 * MB, 1200 * MB);
        image.reason = Some(reason);
        image
    };
    let mut environment = environment();
    environment.images = vec![refused(Reason::Packed)];
    let found = look(machine(), vec![environment.clone()], None);
    assert_eq!(found.ids(), ["refused"]);
    assert_eq!(
        found.argument("refused", "reasons"),
        Value::List(vec!["packed".into()])
    );
    environment.images = vec![refused(Reason::Signed)];
    let found = look(machine(), vec![environment], None);
    assert_eq!(found.ids(), ["signed_writable"]);
    let commands = found.commands("signed_writable");
    assert_eq!(
        commands,
        [r"fixnvpe patch --allow-signed --dry-run --env D:\envs\yolo"]
    );
}

#[test]
fn workers_that_do_not_fit_are_found_with_the_number_that_does() {
    let found = look(machine(), vec![old()], Some(8));
    assert!(!found.ids().contains(&"budget_exceeded"), "12.3 of 24 GB");
    let found = look(machine(), vec![old()], Some(20));
    assert_eq!(found.ids()[0], "budget_exceeded");
    assert_eq!(
        found.argument("budget_exceeded", "largest"),
        Value::Count(16)
    );
    assert_eq!(found.argument("budget_exceeded", "fits_after"), text("yes"));
    // Nobody asked for workers: nothing to say.
    assert_eq!(
        look(machine(), vec![old()], None).get("budget_exceeded"),
        None
    );
}

#[test]
fn a_page_file_that_is_off_is_found_on_windows_alone() {
    let mut machine = machine();
    machine.page_files = PageFiles::Off;
    machine.commit = Some(SystemCommit::new(32 * GB, 30 * GB));
    let found = look(machine.clone(), vec![old()], Some(8));
    assert!(found.ids().contains(&"page_file_off"));
    // 12.3 GB for nine processes, of which 2 are there: 10.3, in whole GB.
    assert_eq!(
        found.argument("page_file_off", "needed"),
        Value::Bytes(11 * GB)
    );
    machine.windows = false;
    assert_eq!(
        look(machine, vec![old()], Some(8)).get("page_file_off"),
        None
    );
}

#[test]
fn a_fixed_page_file_is_small_only_where_the_budget_needs_more() {
    let mut machine = machine();
    machine.page_files = PageFiles::parse(&[r"C:\pagefile.sys 4096 4096"]);
    machine.commit = Some(SystemCommit::new(36 * GB, 30 * GB));
    let found = look(machine.clone(), vec![old()], Some(8));
    assert_eq!(
        found.argument("page_file_small", "largest"),
        Value::Bytes(4 * GB)
    );
    assert_eq!(
        found.argument("page_file_small", "needed"),
        Value::Bytes(11 * GB)
    );
    assert_eq!(found.argument("page_file_small", "helped"), text("yes"));
    assert_eq!(
        look(machine, vec![environment()], Some(8)).get("page_file_small"),
        None
    );
}

#[test]
fn a_managed_page_file_is_found_where_the_disk_has_no_room_for_it() {
    let mut machine = machine();
    machine.commit = Some(SystemCommit::new(36 * GB, 30 * GB));
    assert_eq!(
        look(machine.clone(), vec![old()], Some(8)).get("page_file_no_room"),
        None
    );
    machine.drives = vec![DriveSpace::new('C', 1024 * GB, 2 * GB)];
    let found = look(machine, vec![old()], Some(8));
    assert_eq!(
        found.argument("page_file_no_room", "largest"),
        Value::Bytes(6 * GB)
    );
    assert_eq!(found.argument("page_file_no_room", "drive"), text("C:"));
}

#[test]
fn commit_that_is_nearly_used_up_is_found_where_it_cannot_grow() {
    let mut machine = machine();
    machine.commit = Some(SystemCommit::new(36 * GB, 34 * GB));
    assert_eq!(
        look(machine.clone(), vec![environment()], None).get("commit_nearly_full"),
        None
    );
    machine.page_files = PageFiles::parse(&[r"C:\pagefile.sys 4096 4096"]);
    let found = look(machine.clone(), vec![environment()], None);
    assert_eq!(
        found.argument("commit_nearly_full", "headroom"),
        Value::Bytes(2 * GB)
    );
    machine.commit = Some(SystemCommit::new(36 * GB, 30 * GB));
    assert_eq!(
        look(machine, vec![environment()], None).get("commit_nearly_full"),
        None
    );
}

#[test]
fn workers_beyond_half_of_the_cores_or_beyond_eight_are_many() {
    let many = |workers, cores| {
        let mut machine = machine();
        machine.cores = Some(cores);
        let found = look(machine, vec![environment()], Some(workers));
        found
            .get("workers_many")
            .map(|finding| finding.arguments["suggested"].clone())
    };
    assert_eq!(many(4, 8), None);
    assert_eq!(many(5, 8), Some(Value::Count(4)));
    assert_eq!(many(8, 32), None);
    assert_eq!(many(9, 32), Some(Value::Count(8)));
    assert_eq!(many(1, 1), None);
}

#[test]
fn advice_on_workers_comes_only_to_those_who_have_some() {
    let found = look(machine(), vec![old()], Some(2));
    assert_eq!(
        found.argument("persistent_workers", "held"),
        Value::Bytes(2 * 1400 * MB)
    );
    assert!(found.get("pin_memory").is_some());
    let found = look(machine(), vec![old()], Some(0));
    assert_eq!(
        (found.get("persistent_workers"), found.get("pin_memory")),
        (None, None)
    );
    let mut without = machine();
    without.gpus = Some(Vec::new());
    assert_eq!(look(without, vec![old()], Some(2)).get("pin_memory"), None);
}

#[test]
fn thread_buffers_are_named_on_machines_with_many_threads() {
    let mut machine = machine();
    machine.logical_processors = Some(12);
    let mut environment = environment();
    assert_eq!(
        look(machine.clone(), vec![environment.clone()], None).get("blas_threads"),
        None
    );
    environment.packages.push(Package::new("numpy", "1.25.2"));
    let found = look(machine.clone(), vec![environment.clone()], None);
    assert_eq!(found.argument("blas_threads", "library"), text("OpenBLAS"));
    environment.packages.push(Package::new("mkl", "2021.4.0"));
    let found = look(machine.clone(), vec![environment.clone()], None);
    let Action::Variable { name, value } = &found.get("blas_threads").unwrap().steps[0].action
    else {
        panic!("a variable is set");
    };
    assert_eq!((name.as_str(), value.as_str()), ("MKL_NUM_THREADS", "1"));
    machine.logical_processors = Some(8);
    assert_eq!(
        look(machine, vec![environment], None).get("blas_threads"),
        None
    );
}

#[test]
fn a_model_loader_is_named_with_its_own_switch_where_that_is_known() {
    let mut environment = environment();
    environment
        .packages
        .push(Package::new("safetensors", "0.5.3"));
    let found = look(machine(), vec![environment.clone()], None);
    assert_eq!(
        found.argument("model_loading", "application"),
        text("other")
    );
    environment
        .packages
        .push(Package::new("comfyui_frontend_package", "1.18"));
    let found = look(machine(), vec![environment], None);
    assert_eq!(
        found.commands("model_loading"),
        ["python main.py --disable-mmap"]
    );
}

#[test]
fn data_that_stays_writable_is_named_from_64_mb_on() {
    let with_data = |after| {
        let mut environment = environment();
        environment.images.push(image(
            "cublasLt64_11.dll",
            Condition::ReadOnly,
            after,
            after,
        ));
        look(machine(), vec![environment], None)
    };
    assert_eq!(with_data(40 * MB).get("writable_data"), None);
    let found = with_data(63 * MB);
    assert_eq!(
        found.argument("writable_data", "bytes"),
        Value::Bytes(64 * MB)
    );
    assert_eq!(
        found.argument("writable_data", "file"),
        text("cublasLt64_11.dll")
    );
}

#[test]
fn leftovers_are_found_with_their_size_and_how_to_free_it() {
    let mut environment = environment();
    environment.leftovers.backups = vec![Leftover::new(r"D:\e\x.dll_bak", 500)];
    environment.leftovers.unfinished = vec![Leftover::new(r"D:\e\y.dll_mod", 24)];
    environment.leftovers.pip = vec![Leftover::new(r"D:\e\~orch", 7)];
    let found = look(machine(), vec![environment], None);
    assert_eq!(
        found.argument("script_leftovers", "bytes"),
        Value::Bytes(524)
    );
    let commands = found.commands("script_leftovers");
    assert_eq!(
        commands[0],
        r"fixnvpe restore --remove-backups --env D:\envs\yolo"
    );
    assert!(commands[1].contains("y.dll_mod"));
    assert_eq!(
        found.argument("pip_leftovers", "first"),
        text(r"D:\e\~orch")
    );
}

#[test]
fn images_without_aslr_collide_only_if_they_share_a_base() {
    let at = |name: &str, base| {
        let mut image = image(name, Condition::ReadOnly, MB, MB);
        image.aslr = false;
        image.image_base = Some(base);
        image
    };
    let mut environment = environment();
    environment.images = vec![at("a.dll", 0x1_8000_0000), at("b.dll", 0x1_8000_0000)];
    let found = look(machine(), vec![environment.clone()], None);
    assert_eq!(
        found.argument("aslr_collisions", "base"),
        text("0x180000000")
    );
    environment.images[1].image_base = Some(0x2_8000_0000);
    assert_eq!(
        look(machine(), vec![environment.clone()], None).get("aslr_collisions"),
        None
    );
    environment.images[1] = at("b.dll", 0x1_8000_0000);
    environment.images[1].aslr = true;
    assert_eq!(
        look(machine(), vec![environment], None).get("aslr_collisions"),
        None
    );
}

#[test]
fn a_patched_signature_matters_as_much_as_smart_app_control_does() {
    let mut environment = environment();
    environment.images[0].signed = true;
    environment.images[0].patched = true;
    let found = |state| {
        let mut machine = machine();
        machine.app_control = state;
        let found = look(machine, vec![environment.clone()], None);
        let ids = ["signed_patched_blocked", "signed_patched"];
        ids.map(|id| found.get(id).is_some())
    };
    assert_eq!(found(Some(AppControl::Enforced)), [true, false]);
    assert_eq!(found(Some(AppControl::Evaluation)), [false, true]);
    assert_eq!(found(None), [false, true]);
    assert_eq!(found(Some(AppControl::Off)), [false, false]);
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
    bound.leftovers.backups = vec![Leftover::new("x.dll_bak", 1)];
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
