//! One test for each public report of an environment that was hard to find,
//! named after it.

mod tree;

use fixnvpe_envs::{Found, Packages, find};
use tree::{Make, Tree, Troubled, default_look};

/// Looks around drive C: alone and expects these lines.
fn expect(table: &[(&str, Make)], letters: &str, lines: &[&str]) {
    let tree = Tree::of(table);
    let found = default_look(&tree.windows(letters));
    assert_eq!(tree.found(&found), lines);
    assert_eq!(tree.skipped(&found), [""; 0]);
}

#[test]
fn yolov5_11418_environment_on_another_drive_named_in_environments_txt() {
    expect(
        &[
            (
                "C/Users/Ann/.conda/environments.txt",
                Make::File("D:\\a\\b\\c\\d\\e\\YOLO\r\n"),
            ),
            ("D/a/b/c/d/e/YOLO", Make::Conda("3.9.16")),
        ],
        "CD",
        &["D/a/b/c/d/e/YOLO: conda YOLO 3.9.16"],
    );
}

#[test]
fn yolov3_1643_installation_in_programdata_that_the_administrator_owns() {
    let tree = Tree::of(&[
        ("C/ProgramData/Anaconda3", Make::CondaRoot("3.8.5")),
        ("C/ProgramData/Anaconda3/envs/yolo", Make::Conda("3.8.5")),
        ("C/ProgramData/Anaconda3/pkgs", Make::Folder),
        ("C/Users/Ann", Make::Folder),
    ]);
    let found = default_look(&tree.windows("C"));
    let both = [
        "C/ProgramData/Anaconda3/envs/yolo: conda yolo 3.8.5",
        "C/ProgramData/Anaconda3: conda base 3.8.5",
    ];
    assert_eq!(tree.found(&found), both);

    // A part that this user may not read is named, and the rest is found.
    let disk = Troubled {
        denied: vec![tree.path("C/ProgramData/Anaconda3/envs")],
        ..Troubled::default()
    };
    let found = default_look(&tree.windows("C").with_disk(disk));
    assert_eq!(tree.found(&found), both[1..]);
    assert_eq!(
        tree.skipped(&found),
        ["C/ProgramData/Anaconda3/envs: AccessDenied"]
    );
}

#[test]
fn voxurf_2_environments_below_the_users_conda_folder() {
    expect(
        &[("C/Users/USER/.conda/envs/voxurf", Make::Conda("3.8.13"))],
        "C",
        &["C/Users/USER/.conda/envs/voxurf: conda voxurf 3.8.13"],
    );
}

#[test]
fn yolov5_7657_store_python_with_packages_in_its_local_cache() {
    let site = "C/Users/Ann/AppData/Local/Packages/PythonSoftwareFoundation.Python.3.9_qbz5n2kfra8p0/LocalCache/local-packages/Python39/site-packages";
    let prefix = site.rsplit_once('/').unwrap().0;
    let line = format!("{prefix}: store PythonSoftwareFoundation.Python.3.9 3.9");
    expect(&[(site, Make::Site)], "C", &[&line]);
}

#[test]
fn enunu_training_kit_8_embeddable_package_called_by_its_version() {
    expect(
        &[(
            "D/UTAU/enunu_training_kit/python-3.8.10-embed-amd64",
            Make::Embedded("38"),
        )],
        "D",
        &[
            "D/UTAU/enunu_training_kit/python-3.8.10-embed-amd64: embedded enunu_training_kit 3.8.10",
        ],
    );
}

#[test]
fn comfyui_15117_python_embeded_of_the_portable_download() {
    let tree = Tree::of(&[
        (
            "E/Downloads/AI/ComfyUI_windows_portable/python_embeded",
            Make::Embedded("313"),
        ),
        (
            "E/Downloads/AI/ComfyUI_windows_portable/python_embeded/Lib/site-packages/torch/lib/torch_cuda.dll",
            Make::File("MZ"),
        ),
        (
            "E/Downloads/AI/ComfyUI_windows_portable/ComfyUI/main.py",
            Make::File(""),
        ),
    ]);
    let found = default_look(&tree.windows("E"));
    assert_eq!(
        tree.found(&found),
        [
            "E/Downloads/AI/ComfyUI_windows_portable/python_embeded: embedded ComfyUI_windows_portable 3.13"
        ]
    );
    assert_eq!(found.environments[0].site_packages.len(), 1);
}

#[test]
fn yolov7_1036_virtual_environment_at_a_projects_root_with_a_lower_case_lib() {
    let tree = Tree::of(&[
        (
            "D/yolov7/pyvenv.cfg",
            Make::File("home = C:\\Python\r\nversion = 3.9.13\r\n"),
        ),
        ("D/yolov7/scripts/python.exe", Make::File("MZ")),
        (
            "D/yolov7/lib/SITE-PACKAGES/torch/version.py",
            Make::File("__version__ = '1.13.0+cu116'\ncuda = '11.6'\n"),
        ),
        ("D/yolov7/train.py", Make::File("")),
    ]);
    let machine = tree.windows("D");
    let found = default_look(&machine);
    assert_eq!(tree.found(&found), ["D/yolov7: venv yolov7 3.9.13"]);
    let environment = &found.environments[0];
    assert_eq!(
        environment.site_packages,
        [tree.path("D/yolov7/lib/SITE-PACKAGES")]
    );
    let torch = Packages::read(&machine, environment).torch().unwrap();
    assert_eq!(torch.cuda.as_deref(), Some("11.6"));
}

#[test]
fn sc2_datasets_15_pyenv_win() {
    expect(
        &[(
            "C/Users/Ann/.pyenv/pyenv-win/versions/3.10.6",
            Make::Python("310"),
        )],
        "C",
        &["C/Users/Ann/.pyenv/pyenv-win/versions/3.10.6: pyenv 3.10.6 3.10.6"],
    );
}

#[test]
fn kohya_ss_449_names_with_spaces() {
    let tree = Tree::of(&[("D/AI Art/kohya ss/my venv", Make::Venv("3.10.9"))]);
    let machine = tree.windows("D");
    let found = default_look(&machine);
    assert_eq!(
        tree.found(&found),
        ["D/AI Art/kohya ss/my venv: venv my venv 3.10.9"]
    );
    assert!(matches!(
        find(&machine, &found.environments, "My Venv"),
        Found::One(_)
    ));
    assert!(matches!(
        find(&machine, &found.environments, r"D:\AI Art\kohya ss\my venv"),
        Found::One(_)
    ));
}

#[test]
fn tf_pose_estimation_320_user_name_with_an_apostrophe() {
    expect(
        &[
            ("C/Users/O'Neill/Anaconda3/envs/tf's", Make::Conda("3.7.1")),
            ("C/Users/O'Neill/Anaconda3", Make::CondaRoot("3.7.1")),
        ],
        "C",
        &[
            "C/Users/O'Neill/Anaconda3/envs/tf's: conda tf's 3.7.1",
            "C/Users/O'Neill/Anaconda3: conda base 3.7.1",
        ],
    );
}

#[test]
fn invokeai_2182_a_dash_between_spaces_in_a_path() {
    expect(
        &[
            (
                "D/Stable Diffusion - Invoke/invokeai/.venv",
                Make::Venv("3.10.8"),
            ),
            (
                "C/Users/Ann/.conda/environments.txt",
                Make::File("D:\\x\\y\\z\\Env - 2 (copy) [old]\\a\n"),
            ),
            ("D/x/y/z/Env - 2 (copy) [old]/a", Make::Conda("3.8.1")),
        ],
        "CD",
        &[
            "D/Stable Diffusion - Invoke/invokeai/.venv: venv invokeai 3.10.8",
            "D/x/y/z/Env - 2 (copy) [old]/a: conda a 3.8.1",
        ],
    );
}

#[test]
fn easydiffusion_1136_environment_in_installer_files() {
    expect(
        &[("D/Easy/Diffusion/installer_files/env", Make::Conda("3.8.5"))],
        "D",
        &["D/Easy/Diffusion/installer_files/env: conda Diffusion 3.8.5"],
    );
}

#[test]
fn deepfacelab_5237_drive_a_and_a_python_in_internal() {
    let tree = Tree::of(&[(
        "A/DeepFaceLab_NVIDIA/_internal/python-3.6.8",
        Make::Python("36"),
    )]);
    let machine = tree.windows("A");
    let found = default_look(&machine);
    assert_eq!(
        tree.found(&found),
        ["A/DeepFaceLab_NVIDIA/_internal/python-3.6.8: portable DeepFaceLab_NVIDIA 3.6.8"]
    );
    let named = find(
        &machine,
        &found.environments,
        r"a:\deepfacelab_nvidia\_internal\python-3.6.8",
    );
    assert!(matches!(named, Found::One(_)));
}

#[test]
fn pytorch_59904_environment_whose_name_starts_with_a_digit() {
    expect(
        &[
            ("C/Users/Ann/miniconda3", Make::CondaRoot("3.8.8")),
            ("C/Users/Ann/miniconda3/envs/3dface", Make::Conda("3.7.10")),
            ("C/Users/Ann/miniconda3/envs/1", Make::Conda("3.7.11")),
        ],
        "C",
        &[
            "C/Users/Ann/miniconda3/envs/1: conda 1 3.7.11",
            "C/Users/Ann/miniconda3/envs/3dface: conda 3dface 3.7.10",
            "C/Users/Ann/miniconda3: conda base 3.8.8",
        ],
    );
}

#[test]
fn chinese_and_cyrillic_folder_names() {
    let tree = Tree::of(&[
        ("D/深度学习/目标检测/虚拟环境", Make::Venv("3.8.10")),
        (
            "C/Users/李雷/.conda/environments.txt",
            Make::File("d:\\ПРОЕКТЫ\\глубоко\\внутри\\ещё\\среда\r\n"),
        ),
        ("D/Проекты/глубоко/внутри/ещё/Среда", Make::Conda("3.8.1")),
    ]);
    let machine = tree.windows("CD");
    let found = default_look(&machine);
    assert_eq!(
        tree.found(&found),
        [
            "D/Проекты/глубоко/внутри/ещё/Среда: conda Среда 3.8.1",
            "D/深度学习/目标检测/虚拟环境: venv 虚拟环境 3.8.10",
        ]
    );
    assert!(matches!(
        find(&machine, &found.environments, "СРЕДА"),
        Found::One(_)
    ));
}
