//! Rules about the stack: torch, CUDA, the GPU, and what a patch does.

use super::*;

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
