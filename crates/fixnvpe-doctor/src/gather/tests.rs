//! From a tree on the disk to facts, through a real scan.

use std::path::Path;

use fixnvpe_batch::{CancelToken, CollectOptions, Context, ScanOptions, collect, scan};
use fixnvpe_envs::{Kind, Machine};
use fixnvpe_pe::Condition;
use fixnvpe_tests::image::{self, Fatbin, Import, Layout, Table};
use fixnvpe_tests::tree::Tree;

use super::*;
use crate::facts::{Gpu, Options};

const SITE: &str = "envs/yolo/Lib/site-packages";

fn importing(names: &[&str]) -> Layout {
    let mut layout = Layout::plain_dll(image::Machine::Amd64);
    for table in &mut layout.tables {
        if let Table::Imports { imports, .. } = table {
            *imports = names.iter().map(|name| Import::new(name, ["f"])).collect();
        }
    }
    layout
}

/// An environment with an old torch, and a package that torch does not load.
fn tree(root: &Path) -> Environment {
    let fatbin = Fatbin::of(["sm_70", "sm_86"]);
    let at = |below: &str| format!("{SITE}/{below}");
    Tree::default()
        .image(
            at("torch/_C.cp39-win_amd64.pyd"),
            &importing(&["torch_python.dll"]),
        )
        .image(
            at("torch/lib/torch_python.dll"),
            &importing(&["torch_cuda.dll", "KERNEL32.dll"]),
        )
        .image(at("torch/lib/torch_cuda.dll"), &Layout::cuda_dll(&fatbin))
        .image(at("torch/lib/cudnn64_8.dll"), &Layout::cuda_dll(&fatbin))
        .image(at("other/other.dll"), &Layout::cuda_dll(&fatbin))
        .text(
            at("torch/version.py"),
            "__version__ = '1.12.1+cu113'\ndebug = False\ncuda = '11.3'\n",
        )
        .text(at("torch/lib/cudnn64_8.dll_bak"), "the original")
        .image(at("~orch/lib/c10.dll"), &importing(&[]))
        .distribution(SITE, "torch", "1.12.1+cu113", ["torch/lib/torch_cuda.dll"])
        .distribution(SITE, "numpy", "1.25.2", [] as [&str; 0])
        .distribution(SITE, "requests", "2.0", [] as [&str; 0])
        .text("envs/yolo/Scripts/python.exe", "MZ")
        .build_in(root)
        .unwrap();
    let mut environment = Environment::new(Kind::Venv, "yolo", root.join("envs/yolo"))
        .with_site_packages([root.join(SITE)]);
    environment.python = Some("3.9.13".to_owned());
    environment
}

fn scanned(root: &Path) -> Vec<ImageReport> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .unwrap();
    let cancel = CancelToken::new();
    let context = Context::new(&pool, &cancel);
    let collection = collect(&[root.to_path_buf()], &CollectOptions::default(), &context);
    scan(&collection, &ScanOptions::default(), None, &context).images
}

fn with_gpu(major: u32, minor: u32) -> MachineFacts {
    let mut machine = MachineFacts::elsewhere();
    let capability = ComputeCapability::new(major, minor);
    machine.gpus = Some(vec![Gpu::new("GPU", Some(capability))]);
    machine
}

fn gathered(root: &Path, machine: &MachineFacts, imports: &[&str]) -> Gathered {
    let environment = tree(root);
    let disks = Machine::mounted([('C', root.to_path_buf())]).unwrap();
    let packages = Packages::read(&disks, &environment);
    let imports: Vec<_> = imports.iter().map(ToString::to_string).collect();
    gather(
        &environment,
        &[],
        &packages,
        &scanned(root),
        machine,
        &imports,
    )
}

#[test]
fn an_environment_on_the_disk_becomes_facts() {
    let root = tempfile::tempdir().unwrap();
    let found = gathered(root.path(), &with_gpu(8, 9), &[]);
    assert!(found.failures.is_empty(), "{:?}", found.failures);
    let facts = found.facts;
    let torch = facts.torch.as_ref().unwrap();
    assert_eq!(
        (torch.text.as_str(), torch.cpu_only),
        ("1.12.1+cu113", false)
    );
    assert!(torch.is_from_before_the_fix());
    let names: Vec<_> = facts
        .packages
        .iter()
        .map(|package| package.name.as_str())
        .collect();
    assert_eq!(names, ["numpy", "torch"]);
    assert!(facts.program.as_ref().unwrap().ends_with("python.exe"));
    // torch_cuda, cudnn and `other`, and what each plain DLL has in `.data`.
    assert_eq!(facts.writable().count(), 3);
    let cuda = facts
        .images
        .iter()
        .find(|image| image.file_name() == "torch_cuda.dll")
        .unwrap();
    assert_eq!(cuda.condition, Condition::Writable);
    assert_eq!(cuda.package.as_deref(), Some("torch"));
    assert_eq!(cuda.code_for_gpu, Some(DeviceCode::Native));
    assert_eq!(cuda.architectures, ["sm_70", "sm_86"]);
    assert_eq!(facts.leftovers.backups.len(), 1);
    assert!(facts.leftovers.pip[0].path.ends_with("~orch"));
}

#[test]
fn importing_torch_maps_what_it_links_to_and_its_lib_folder_but_no_other_package() {
    let root = tempfile::tempdir().unwrap();
    let facts = gathered(root.path(), &MachineFacts::elsewhere(), &[]).facts;
    let imports = facts.imports.as_ref().unwrap();
    assert_eq!(imports.modules, ["torch"]);
    assert_eq!(imports.images, 4);
    assert_eq!(imports.not_found, ["kernel32.dll"]);
    let all = sum(facts.images.iter().map(|image| image.commit));
    assert!(imports.commit.now < all.now);
    assert!(imports.commit.after < imports.commit.now);
    // Without a GPU to ask for, nobody reads the fat binaries.
    assert!(
        facts
            .images
            .iter()
            .all(|image| image.code_for_gpu.is_none())
    );
}

#[test]
fn the_modules_that_are_named_are_the_ones_that_count() {
    let root = tempfile::tempdir().unwrap();
    let facts = gathered(root.path(), &MachineFacts::elsewhere(), &["other"]).facts;
    let imports = facts.imports.unwrap();
    assert_eq!(
        (imports.images, imports.modules),
        (1, vec!["other".to_owned()])
    );
}

#[test]
fn a_module_that_is_not_installed_is_told_and_not_counted() {
    let root = tempfile::tempdir().unwrap();
    let text = Tree::default().text(format!("{SITE}/plain.py"), "");
    text.build_in(root.path()).unwrap();
    let environment = tree(root.path());
    let images = scanned(root.path());
    let disks = Machine::mounted([('C', root.path().to_path_buf())]).unwrap();
    let packages = Packages::read(&disks, &environment);
    let found = |imports: &[&str]| {
        let imports: Vec<_> = imports.iter().map(ToString::to_string).collect();
        let machine = MachineFacts::elsewhere();
        let facts = gather(&environment, &[], &packages, &images, &machine, &imports).facts;
        let imports = facts.imports.unwrap();
        (
            imports.modules.join(" "),
            imports.unknown.join(" "),
            imports.images,
        )
    };
    let of = |modules: &str, unknown: &str, images| (modules.into(), unknown.into(), images);
    assert_eq!(found(&["other", "trch"]), of("other", "trch", 1));
    assert_eq!(
        found(&["trch", "nobody.knows"]),
        of("", "trch nobody.knows", 0)
    );
    // Python's own code maps no image, and is there.
    assert_eq!(found(&["plain"]), of("plain", "", 0));
    assert_eq!(found(&["torch.nn"]), of("torch.nn", "", 4));
}

#[test]
fn a_gpu_without_code_is_found_from_the_files() {
    let root = tempfile::tempdir().unwrap();
    let machine = with_gpu(12, 0);
    let facts = gathered(root.path(), &machine, &[]).facts;
    let report = crate::examine(
        crate::facts::Facts::new(machine, vec![facts]),
        &Options::default(),
    );
    let finding = report
        .findings
        .iter()
        .find(|finding| finding.id == "no_code_for_gpu");
    let commands = &finding.unwrap().steps;
    assert!(
        format!("{commands:?}").contains("2.8.0+cu128"),
        "{commands:?}"
    );
}

#[test]
fn an_image_that_vanishes_after_the_scan_is_a_failure_and_the_rest_stands() {
    let root = tempfile::tempdir().unwrap();
    let environment = tree(root.path());
    let images = scanned(root.path());
    fs_err::remove_file(root.path().join(SITE).join("torch/lib/torch_python.dll")).unwrap();
    let disks = Machine::mounted([('C', root.path().to_path_buf())]).unwrap();
    let packages = Packages::read(&disks, &environment);
    let found = gather(&environment, &[], &packages, &images, &with_gpu(8, 6), &[]);
    assert_eq!(found.failures.len(), 1);
    assert!(found.failures[0].path.ends_with("torch_python.dll"));
    assert_eq!(found.facts.writable().count(), 3);
}

#[test]
fn what_lies_in_an_environment_inside_or_in_a_cache_is_no_part_of_the_outer_one() {
    let root = tempfile::tempdir().unwrap();
    let own = Layout::cuda_dll(&Fatbin::of(["sm_86"]));
    Tree::default()
        .image("conda/Lib/site-packages/own/own.dll", &own)
        .image("conda/pkgs/own-1/Lib/site-packages/own/unpacked.dll", &own)
        .hard_link(
            "conda/envs/x/Lib/site-packages/own/linked.dll",
            "conda/pkgs/own-1/Lib/site-packages/own/unpacked.dll",
        )
        .image("conda/envs/x/app/venv/Lib/site-packages/a/inner.dll", &own)
        .build_in(root.path())
        .unwrap();
    let at = |below: &str| root.path().join(below);
    let images = scanned(root.path());
    let disks = Machine::mounted([('C', root.path().to_path_buf())]).unwrap();
    let names = |prefix: &str, inner: &[&str]| -> Vec<String> {
        let environment = Environment::new(Kind::Conda, "e", at(prefix));
        let packages = Packages::read(&disks, &environment);
        let inner: Vec<_> = inner.iter().map(|below| at(below)).collect();
        let machine = MachineFacts::elsewhere();
        let facts = gather(&environment, &inner, &packages, &images, &machine, &[]).facts;
        facts.images.iter().map(ImageFacts::file_name).collect()
    };
    let base = ["conda/pkgs", "conda/envs/x", "conda/envs/x/app/venv"];
    assert_eq!(names("conda", &base), ["own.dll"]);
    assert_eq!(names("conda/envs/x", &base[2..]), ["linked.dll"]);
    assert_eq!(names("conda/envs/x/app/venv", &[]), ["inner.dll"]);
}
