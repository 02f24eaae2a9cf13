//! The machine that the tables describe: its tree, registry and variables.

use std::io;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use fixnvpe_envs::{Hive, Machine, Registry};

use crate::tree::{Make, Tree, Troubled};
use crate::windows::{BESIDE, DENIED, WINDOWS};

/// A registry with a Python in each hive.
#[derive(Debug)]
struct ThreePythons;

impl Registry for ThreePythons {
    fn keys(&self, hive: Hive, key: &str) -> io::Result<Vec<String>> {
        let names: &[&str] = match (hive, key) {
            (Hive::CurrentUser, r"Software\Python") => &["PythonCore", "PyLauncher"],
            (Hive::LocalMachine64 | Hive::LocalMachine32, r"Software\Python") => {
                &["PythonCore", "Astral"]
            }
            (Hive::CurrentUser, r"Software\Python\PythonCore") => &["3.11", "3.6"],
            (Hive::LocalMachine32, r"Software\Python\PythonCore") => &["3.12-32"],
            (Hive::LocalMachine64, r"Software\Python\Astral") => &["CPython3.12.7"],
            (Hive::LocalMachine32, r"Software\Python\Astral") => {
                return Err(io::ErrorKind::PermissionDenied.into());
            }
            (_, r"Software\Python\PyLauncher") => panic!("the launcher is no Python"),
            _ => &[],
        };
        Ok(names.iter().map(ToString::to_string).collect())
    }

    fn value(&self, hive: Hive, key: &str, name: &str) -> io::Result<Option<String>> {
        let value = match (hive, key, name) {
            (Hive::CurrentUser, r"Software\Python\PythonCore\3.11\InstallPath", "") => {
                r"d:\Tools\py\three\eleven\deep\"
            }
            (Hive::CurrentUser, r"Software\Python\PythonCore\3.6\InstallPath", "") => {
                r"C:\gone\Python36\"
            }
            (
                Hive::LocalMachine32,
                r"Software\Python\PythonCore\3.12-32\InstallPath",
                "ExecutablePath",
            ) => r"D:\tools\py\three\two\bits\python.exe",
            (Hive::LocalMachine32, r"Software\Python\PythonCore\3.12-32", "Version") => "3.12.1",
            (Hive::LocalMachine64, r"Software\Python\Astral\CPython3.12.7\InstallPath", "") => {
                r"D:\tools\py\three\of\uv"
            }
            (Hive::LocalMachine64, r"Software\Python\Astral\CPython3.12.7", "SysVersion") => "3.12",
            (Hive::LocalMachine64, r"Software\Python\Astral\CPython3.12.7", "Version") => "3.12.7",
            _ => return Ok(None),
        };
        Ok(Some(value.to_owned()))
    }
}

/// The tree, built once for all tests that run at the same time and change
/// nothing in it.
pub(crate) fn shared_tree() -> Arc<Tree> {
    static SHARED: Mutex<Weak<Tree>> = Mutex::new(Weak::new());
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    shared.upgrade().unwrap_or_else(|| {
        let tree = Arc::new(windows_tree());
        *shared = Arc::downgrade(&tree);
        tree
    })
}

pub(crate) fn windows_tree() -> Tree {
    let tree = Tree::new();
    for (path, make, _) in WINDOWS {
        tree.make(path, *make);
    }
    for (path, make) in BESIDE {
        tree.make(path, *make);
    }
    for path in DENIED {
        tree.folder(path);
    }
    tree.make("D/AI/locked/venv", Make::Venv("3.9.0"));
    tree.make("C/Users/Bob/anaconda3", Make::CondaRoot("3.9.0"));
    tree.make(
        "C/Users/Ann/OneDrive - Firma/Documents/Archive",
        Make::Venv("3.9.0"),
    );
    tree.folder("C/Users/Ann/scoop/apps/python310/3.10.11");
    tree
}

pub(crate) fn windows_machine(tree: &Tree) -> (Machine, Troubled) {
    let disk = Troubled {
        denied: DENIED.iter().map(|path| tree.path(path)).collect(),
        in_cloud: vec![tree.path("C/Users/Ann/OneDrive - Firma/Documents/Archive")],
        ..Troubled::default()
    };
    let variables = [
        ("PYTHONUSERBASE", r"D:\userbase"),
        ("CONDA_ROOT", r"E:\croot\sub\sub\sub"),
        ("MAMBA_ROOT_PREFIX", r"E:\mroot\a\b\c"),
        ("CONDARC", r"E:\conf\my.condarc"),
        (
            "CONDA_ENVS_DIRS",
            r"C:\nowhere;D:\envs\by\variable\CONDA_ENVS_DIRS",
        ),
        ("CONDA_ENVS_PATH", r"D:\envs\by\variable\CONDA_ENVS_PATH"),
        ("PIXI_HOME", r"D:\pixi-home\a\b\c"),
        ("WORKON_HOME", r"E:\workon\a\b\c"),
        ("POETRY_VIRTUALENVS_PATH", r"E:\poetry\a\b\c"),
        ("HATCH_DATA_DIR", r"E:\hatch"),
        ("PIPX_HOME", r"E:\pipx"),
        ("UV_TOOL_DIR", r"E:\uvtools\a\b\c"),
        ("UV_CACHE_DIR", r"E:\uvcache"),
        ("PYENV_ROOT", r"E:\pyenv\a\b\c"),
        ("CONDA_PREFIX", r"E:\active\conda\env\in\use"),
        ("VIRTUAL_ENV", r"E:\active\virtual\env\in\venv-in-use"),
        (
            "Path",
            r"C:\Windows\System32;;E:\path\of\a\python\in\PATH;C:\nowhere;relative",
        ),
        ("UV_PYTHON_INSTALL_DIR", r"E:\uvpythons\a\b\c"),
        ("POETRY_CACHE_DIR", r"E:\poetrycache"),
        ("PYENV", r"E:\pyenv2\a\b\c"),
        ("MISE_DATA_DIR", r"E:\mise"),
        ("SCOOP", r"E:\scoop"),
        ("RATTLER_CACHE_DIR", r"E:\rattler"),
        ("PIXI_CACHE_DIR", r"E:\pixicache"),
        ("TORCH_EXTENSIONS_DIR", r"E:\torchext"),
        ("CONDA_PKGS_DIRS", r"E:\condapkgs,C:\nowhere"),
        ("CUDA_PATH", r"E:\cuda\v10.2"),
        ("CUDA_PATH_V11_3", r"E:\cuda\v11.3"),
    ];
    let machine = tree
        .windows("CDE")
        .with_registry(ThreePythons)
        .with_disk(disk.clone())
        .with_current_folder(tree.path("D/src/a/b/c/project"));
    let machine = variables.iter().fold(machine, |machine, (name, value)| {
        machine.with_variable(name, *value)
    });
    (machine, disk)
}
