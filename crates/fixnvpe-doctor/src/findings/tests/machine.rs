//! Rules about the budget, workers, page files and other causes.

use fixnvpe_envs::Kind;

use super::*;

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
fn a_page_file_that_may_still_grow_is_told_with_what_does_not_fit() {
    let grows = |page_files| {
        let mut machine = machine();
        machine.page_files = page_files;
        let found = look(machine, vec![old()], Some(20));
        ["grows", "grows_to"].map(|name| found.argument("budget_exceeded", name))
    };
    // Three times the 32 GB of memory, and below an eighth of the drive.
    let all = [text("yes"), Value::Bytes(96 * GB)];
    assert_eq!(grows(PageFiles::Automatic), all);
    let fixed = PageFiles::parse(&[r"C:\pagefile.sys 4096 4096"]);
    assert_eq!(grows(fixed), [text("no"), Value::Bytes(0)]);
}

#[test]
fn the_environment_that_a_page_file_is_too_small_for_is_named() {
    let mut machine = machine();
    machine.page_files = PageFiles::parse(&[r"C:\pagefile.sys 4096 4096"]);
    machine.commit = Some(SystemCommit::new(36 * GB, 35 * GB));
    let mut small = environment();
    small.name = "small".into();
    let found = look(machine.clone(), vec![small.clone(), old()], None);
    assert_eq!(
        found.argument("page_file_small", "environment"),
        text("yolo")
    );
    machine.page_files = PageFiles::Automatic;
    machine.drives = vec![DriveSpace::new('C', 1024 * GB, 0)];
    let found = look(machine, vec![small, old()], None);
    assert_eq!(
        found.argument("page_file_no_room", "environment"),
        text("yolo")
    );
}

#[test]
fn a_page_file_that_suffices_costs_what_the_user_makes_of_it() {
    let disk = |used| {
        let mut machine = machine();
        machine.commit = Some(SystemCommit::new(36 * GB, used));
        let report = examine(Facts::new(machine, vec![old()]), &Options::default());
        let answers = &report.environments[0].answers;
        let answer = answers
            .iter()
            .find(|it| it.answer == crate::AnswerKind::PageFile);
        answer.unwrap().disk
    };
    assert_eq!(disk(12 * GB), None);
    assert_eq!(disk(36 * GB), Some(1400 * MB));
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
    let found = look(machine(), vec![environment.clone()], None);
    assert_eq!(
        found.commands("model_loading"),
        ["python main.py --disable-mmap"]
    );
    // Nobody types the command of the portable one.
    for kind in [Kind::Embedded, Kind::Portable] {
        environment.kind = kind;
        let found = look(machine(), vec![environment.clone()], None);
        assert_eq!(
            found.argument("model_loading", "application"),
            text("comfyui_portable")
        );
        assert!(found.commands("model_loading").is_empty());
        assert_eq!(found.ids(), ["dlls_fine", "model_loading"]);
    }
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
