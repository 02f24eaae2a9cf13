//! Rules about the stack: torch, CUDA, the GPU, and what a patch does.

use fixnvpe_envs::Kind;

use super::*;
use crate::findings::Severity;

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
fn what_must_stay_matters_from_64_mb_on() {
    let found = |bytes| {
        let mut environment = environment();
        let mut image = image("libmxnet.dll", Condition::Refused, bytes, bytes);
        image.reason = Some(Reason::Packed);
        environment.images = vec![image];
        let found = look(machine(), vec![environment], None);
        let finding = &found.0[0];
        (finding.id.clone(), finding.severity)
    };
    assert_eq!(found(64 * MB), ("refused".into(), Severity::Medium));
    assert_eq!(found(64 * MB - 1), ("refused_small".into(), Severity::Low));
}

#[test]
fn a_gpu_that_could_not_be_asked_is_not_said_to_be_kept() {
    let known = |machine: MachineFacts, id: &str| {
        let mut environment = old();
        if id == "upgrade_pinned" {
            environment.packages.push(Package::new("mmcv", "1"));
        }
        look(machine, vec![environment], None).argument(id, "gpu_known")
    };
    let mut without = machine();
    without.gpus = None;
    for id in ["upgrade", "upgrade_pinned"] {
        assert_eq!(known(machine(), id), text("yes"), "{id}");
        assert_eq!(known(without.clone(), id), text("no"), "{id}");
        assert_eq!(known(MachineFacts::elsewhere(), id), text("no"), "{id}");
    }
}

/// The answer `upgrade` for an environment with these images.
fn upgrade_answer(torch: &str, images: Vec<ImageFacts>) -> crate::Answer {
    let mut environment = old();
    environment.torch = Torch::new(torch, None);
    environment.images = images;
    let facts = Facts::new(machine(), vec![environment]);
    let report = examine(facts, &Options::default());
    report.environments[0].answers[0].clone()
}

fn of_cupy(now: u64) -> ImageFacts {
    ImageFacts {
        package: Some("cupy-cuda111".into()),
        ..image("thrust.pyd", Condition::Writable, now, 0)
    }
}

#[test]
fn an_upgrade_is_compared_only_where_it_helps_and_by_what_it_helps() {
    // The torch is new: its upgrade does nothing for another package.
    let answer = upgrade_answer("2.4.1+cu121", vec![of_cupy(300 * MB)]);
    assert_eq!((answer.possible, answer.saves), (false, 0));
    // The torch is old, and its DLLs have been patched.
    let patched = image("torch_cuda.dll", Condition::ReadOnly, MB, MB);
    let answer = upgrade_answer("1.12.1+cu113", vec![patched, of_cupy(300 * MB)]);
    assert!(!answer.possible);
    let mut vision = image("_C.pyd", Condition::Writable, 20 * MB, 0);
    vision.package = Some("torchvision".into());
    let mut unowned = image("cudnn64_8.dll", Condition::Writable, 10 * MB, 0);
    unowned.package = None;
    let answer = upgrade_answer("1.12.1+cu113", vec![vision, unowned, of_cupy(300 * MB)]);
    assert!(answer.possible);
    assert_eq!((answer.saves, answer.leaves), (30 * MB, 300 * MB));
}

#[test]
fn an_upgrade_says_what_stays_of_other_packages() {
    let mut environment = old();
    environment.images.push(of_cupy(300 * MB));
    let found = look(machine(), vec![environment], None);
    assert_eq!(found.argument("upgrade", "saved"), Value::Bytes(1391 * MB));
    assert_eq!(found.argument("upgrade", "stays"), Value::Bytes(300 * MB));
    assert_eq!(found.argument("upgrade", "stays_any"), text("yes"));
}

#[test]
fn a_torch_of_conda_is_told_that_its_channel_has_no_newer_build() {
    let mut environment = old();
    environment.kind = Kind::Conda;
    environment.packages = vec![Package::new("pytorch", "1.12.1")];
    environment.python = "3.13".parse().ok();
    let found = look(machine(), vec![environment], None);
    assert_eq!(found.argument("no_upgrade_known", "conda"), text("yes"));
}
