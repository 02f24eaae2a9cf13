//! The table. A new tool is a new row, and nothing else.

use super::{Place, Way};
use crate::{CacheKind, Kind, Manager};

const PYTHON: &str = "`python.exe` and `Lib`, or `bin` and `lib/python3.*`";
const PYVENV: &str = "`pyvenv.cfg`";
const CONDA: &str = "`conda-meta/history`";
const PACKAGES: &str = "`*.dist-info`";
const SAME: &str = "as above";

pub(super) const PLACES: &[Place] = &[
    Place::new("python.org, one user", Way::Prefix, PYTHON)
        .windows(&[r"%LOCALAPPDATA%\Programs\Python\*"])
        .elsewhere(&["/Library/Frameworks/Python.framework/Versions/*"])
        .kind(Kind::PythonOrg),
    Place::new("python.org, all users", Way::Prefix, SAME)
        .windows(&[r"%PROGRAMFILES%\Python*", r"<drive>\Python*"])
        .kind(Kind::PythonOrg),
    Place::new("system", Way::Prefix, SAME)
        .elsewhere(&["/usr", "/usr/local", "/opt/homebrew"])
        .kind(Kind::System),
    Place::new("registered (PEP 514)", Way::Told, "`InstallPath`").windows(&[
        r"HKCU\Software\Python",
        r"HKLM\Software\Python, 64-bit and 32-bit",
    ]),
    Place::new("Python install manager", Way::Prefix, PYTHON)
        .windows(&[r"%LOCALAPPDATA%\Python\pythoncore-*"])
        .kind(Kind::PythonOrg),
    Place::new("packages of one user", Way::Site, PACKAGES)
        .windows(&[
            r"%APPDATA%\Python\Python3*\site-packages",
            r"%PYTHONUSERBASE%\Python3*\site-packages",
        ])
        .elsewhere(&[
            "~/.local/lib/python3.*/site-packages",
            "~/Library/Python/3.*/lib/python/site-packages",
            "$PYTHONUSERBASE/lib/python3.*/site-packages",
        ])
        .kind(Kind::UserSite),
    Place::new("Microsoft Store", Way::Site, PACKAGES)
        .windows(&[
            r"%LOCALAPPDATA%\Packages\PythonSoftwareFoundation.Python.*\LocalCache\local-packages\Python3*\site-packages",
        ])
        .kind(Kind::Store),
    Place::new("Microsoft Store, redirected folders", Way::Told, "those of the other rows").windows(&[
        r"each place below `%LOCALAPPDATA%` and `%APPDATA%` again below `%LOCALAPPDATA%\Packages\PythonSoftwareFoundation*\LocalCache\{Local,Roaming}`",
    ]),
    Place::new("conda, installations", Way::Prefix, CONDA)
        .windows(&[
            r"~\{anaconda,miniconda,miniforge,mambaforge,micromamba}*",
            r"%PROGRAMDATA%\{anaconda,miniconda,miniforge,mambaforge,micromamba}*",
            r"%PROGRAMFILES%\{anaconda,miniconda,miniforge,mambaforge,micromamba}*",
            r"%LOCALAPPDATA%\{anaconda,miniconda,miniforge,mambaforge,micromamba}*",
            r"%LOCALAPPDATA%\Continuum\{anaconda,miniconda}*",
            r"<drive>\{anaconda,miniconda,miniforge,mambaforge,micromamba}*",
            r"<drive>\tools\{anaconda,miniconda,miniforge,mambaforge,micromamba}*",
            r"~\scoop\apps\{anaconda,miniconda,miniforge,mambaforge,micromamba}*\*",
            r"%PROGRAMDATA%\scoop\apps\{anaconda,miniconda,miniforge,mambaforge,micromamba}*\*",
            "%CONDA_ROOT%",
            "%MAMBA_ROOT_PREFIX%",
        ])
        .elsewhere(&[
            "~/{anaconda,miniconda,miniforge,mambaforge,micromamba}*",
            "/opt/{conda,anaconda,miniconda,miniforge,mambaforge,micromamba}*",
            "/opt/homebrew/Caskroom/{miniconda,miniforge,mambaforge}/base",
            "$CONDA_ROOT",
            "$MAMBA_ROOT_PREFIX",
        ]),
    Place::new("conda, environments", Way::Prefix, CONDA)
        .windows(&[
            r"envs\* of every installation",
            r"~\.conda\envs\*",
            r"%LOCALAPPDATA%\conda\conda\envs\*",
            r"~\micromamba*\envs\*",
            r"%APPDATA%\mamba\envs\*",
            r"%MAMBA_ROOT_PREFIX%\envs\*",
            r"~\scoop\persist\{anaconda,miniconda,miniforge,mambaforge,micromamba}*\envs\*",
        ])
        .elsewhere(&[
            "envs/* of every installation",
            "~/.conda/envs/*",
            "~/micromamba*/envs/*",
            "$XDG_DATA_HOME/mamba/envs/*",
            "$MAMBA_ROOT_PREFIX/envs/*",
        ]),
    Place::new("conda, configuration", Way::CondaConfig, "`envs_dirs`, `pkgs_dirs` in `.condarc`, `condarc`, `condarc.d/*.yml`")
        .windows(&[
            r"%PROGRAMDATA%\conda",
            "%CONDA_ROOT%",
            r"%XDG_CONFIG_HOME%\conda",
            r"~\.config\conda",
            r"~\.conda",
            "~",
            "%CONDA_PREFIX%",
            "%MAMBA_ROOT_PREFIX%",
        ])
        .elsewhere(&[
            "/etc/conda",
            "/var/lib/conda",
            "$CONDA_ROOT",
            "$XDG_CONFIG_HOME/conda",
            "~/.conda",
            "~",
            "$CONDA_PREFIX",
            "$MAMBA_ROOT_PREFIX",
        ]),
    Place::new("conda, configuration in variables", Way::Told, "a list of folders").windows(&[
        "%CONDARC%",
        "%CONDA_ENVS_DIRS%",
        "%CONDA_ENVS_PATH%",
        "%CONDA_PKGS_DIRS%",
    ])
        .elsewhere(&["$CONDARC", "$CONDA_ENVS_DIRS", "$CONDA_ENVS_PATH", "$CONDA_PKGS_DIRS"]),
    Place::new("conda, environments by name", Way::EnvironmentsTxt, "a line a prefix in `environments.txt`")
        .windows(&[r"~\.conda"])
        .elsewhere(&["~/.conda"]),
    Place::new("conda, package cache", Way::Cache(CacheKind::CondaPkgs), "`urls.txt`, folders with `info`")
        .windows(&[
            r"pkgs of every installation",
            r"~\.conda\pkgs",
            r"%LOCALAPPDATA%\conda\conda\pkgs",
            r"~\micromamba*\pkgs",
            r"%APPDATA%\mamba\pkgs",
            r"%MAMBA_ROOT_PREFIX%\pkgs",
        ])
        .elsewhere(&[
            "pkgs of every installation",
            "~/.conda/pkgs",
            "~/micromamba*/pkgs",
            "$XDG_DATA_HOME/mamba/pkgs",
            "$MAMBA_ROOT_PREFIX/pkgs",
        ]),
    Place::new("pixi, global", Way::Prefix, "`conda-meta/pixi`, `conda-meta/history`")
        .windows(&[r"~\.pixi\envs\*", r"%PIXI_HOME%\envs\*"])
        .elsewhere(&["~/.pixi/envs/*", "$PIXI_HOME/envs/*"])
        .manager(Manager::Pixi),
    Place::new("pixi, projects", Way::Below, SAME)
        .windows(&[r".pixi\envs\*"])
        .elsewhere(&[".pixi/envs/*"])
        .manager(Manager::Pixi),
    Place::new("pixi, package cache", Way::Cache(CacheKind::Rattler), "`pkgs`")
        .windows(&[r"%LOCALAPPDATA%\rattler\cache", "%RATTLER_CACHE_DIR%", "%PIXI_CACHE_DIR%"])
        .elsewhere(&["$XDG_CACHE_HOME/rattler/cache", "$RATTLER_CACHE_DIR", "$PIXI_CACHE_DIR"]),
    Place::new("venv, virtualenv", Way::Told, PYVENV)
        .windows(&["any folder that is looked at"])
        .elsewhere(&["any folder that is looked at"]),
    Place::new("virtualenv before 20", Way::Told, "`Scripts\\activate*` and `Lib\\orig-prefix.txt`")
        .windows(&["any folder that is looked at"])
        .elsewhere(&["any folder that is looked at"]),
    Place::new("virtualenvwrapper, pipenv", Way::Prefix, "`pyvenv.cfg`, `.project`")
        .windows(&[r"%WORKON_HOME%\*", r"~\{Envs,.virtualenvs,.venvs}\*"])
        .elsewhere(&["$WORKON_HOME/*", "~/{Envs,.virtualenvs,.venvs}/*", "$XDG_DATA_HOME/virtualenvs/*"]),
    Place::new("Poetry", Way::Prefix, PYVENV)
        .windows(&[
            r"%POETRY_VIRTUALENVS_PATH%\*",
            r"%POETRY_CACHE_DIR%\virtualenvs\*",
            r"%LOCALAPPDATA%\pypoetry\Cache\virtualenvs\*",
        ])
        .elsewhere(&[
            "$POETRY_VIRTUALENVS_PATH/*",
            "$POETRY_CACHE_DIR/virtualenvs/*",
            "$XDG_CACHE_HOME/pypoetry/virtualenvs/*",
        ])
        .kind(Kind::Poetry)
        .manager(Manager::Poetry),
    Place::new("Hatch", Way::Prefix, PYVENV)
        .windows(&[r"%HATCH_DATA_DIR%\env\virtual\*\*\*", r"%LOCALAPPDATA%\hatch\env\virtual\*\*\*"])
        .elsewhere(&["$HATCH_DATA_DIR/env/virtual/*/*/*", "$XDG_DATA_HOME/hatch/env/virtual/*/*/*"])
        .kind(Kind::Hatch)
        .manager(Manager::Hatch),
    Place::new("PDM", Way::Prefix, PYVENV)
        .windows(&[r"%LOCALAPPDATA%\pdm\pdm\venvs\*"])
        .elsewhere(&["$XDG_DATA_HOME/pdm/venvs/*"])
        .kind(Kind::Pdm)
        .manager(Manager::Pdm),
    Place::new("PDM, projects", Way::BelowSite, PACKAGES)
        .windows(&[r"__pypackages__\3.*\lib"])
        .elsewhere(&["__pypackages__/3.*/lib"])
        .kind(Kind::Pdm)
        .manager(Manager::Pdm),
    Place::new("pipx", Way::Prefix, "`pipx_metadata.json`")
        .windows(&[
            r"%PIPX_HOME%\venvs\*",
            r"%LOCALAPPDATA%\pipx\pipx\venvs\*",
            r"~\{.local\pipx,pipx}\venvs\*",
        ])
        .elsewhere(&[
            "$PIPX_HOME/venvs/*",
            "$XDG_DATA_HOME/pipx/venvs/*",
            "~/.local/pipx/venvs/*",
        ])
        .kind(Kind::Pipx)
        .manager(Manager::Pipx),
    Place::new("uv, tools", Way::Prefix, "`pyvenv.cfg`, `uv-receipt.toml`")
        .windows(&[r"%UV_TOOL_DIR%\*", r"%APPDATA%\uv\{tools,data\tools}\*"])
        .elsewhere(&["$UV_TOOL_DIR/*", "$XDG_DATA_HOME/uv/tools/*"])
        .kind(Kind::Uv)
        .manager(Manager::Uv),
    Place::new("uv, Pythons", Way::Prefix, PYTHON)
        .windows(&[r"%UV_PYTHON_INSTALL_DIR%\*", r"%APPDATA%\uv\{python,data\python}\*"])
        .elsewhere(&["$UV_PYTHON_INSTALL_DIR/*", "$XDG_DATA_HOME/uv/python/*"])
        .kind(Kind::Uv)
        .manager(Manager::Uv),
    Place::new("uv, scripts", Way::Prefix, PYVENV)
        .windows(&[r"%UV_CACHE_DIR%\environments-v*\*", r"%LOCALAPPDATA%\uv\cache\environments-v*\*"])
        .elsewhere(&["$UV_CACHE_DIR/environments-v*/*", "$XDG_CACHE_HOME/uv/environments-v*/*"])
        .manager(Manager::Uv),
    Place::new("uv, cache", Way::Cache(CacheKind::Uv), "`CACHEDIR.TAG` beside it")
        .windows(&[r"%UV_CACHE_DIR%\archive-v*", r"%LOCALAPPDATA%\uv\cache\archive-v*"])
        .elsewhere(&["$UV_CACHE_DIR/archive-v*", "$XDG_CACHE_HOME/uv/archive-v*"]),
    Place::new("pyenv-win, pyenv", Way::Prefix, PYTHON)
        .windows(&[
            r"%PYENV_ROOT%\versions\*",
            r"%PYENV%\versions\*",
            r"~\.pyenv\pyenv-win\versions\*",
        ])
        .elsewhere(&["$PYENV_ROOT/versions/*", "~/.pyenv/versions/*"])
        .kind(Kind::Pyenv)
        .manager(Manager::Pyenv),
    Place::new("pyenv-virtualenv", Way::Prefix, PYVENV)
        .elsewhere(&["$PYENV_ROOT/versions/*/envs/*", "~/.pyenv/versions/*/envs/*"])
        .manager(Manager::Pyenv),
    Place::new("rye", Way::Prefix, PYTHON)
        .windows(&[r"~\.rye\py\*", r"~\.rye\py\*\install", r"~\.rye\tools\*"])
        .elsewhere(&["~/.rye/py/*", "~/.rye/py/*/install", "~/.rye/tools/*"])
        .kind(Kind::PythonOrg)
        .manager(Manager::Rye),
    Place::new("mise", Way::Prefix, PYTHON)
        .windows(&[r"%MISE_DATA_DIR%\installs\python\*", r"%LOCALAPPDATA%\mise\installs\python\*"])
        .elsewhere(&["$MISE_DATA_DIR/installs/python/*", "$XDG_DATA_HOME/mise/installs/python/*"])
        .kind(Kind::PythonOrg)
        .manager(Manager::Mise),
    Place::new("Scoop", Way::Prefix, PYTHON)
        .windows(&[
            r"%SCOOP%\apps\python*\*",
            r"~\scoop\apps\python*\*",
            r"%PROGRAMDATA%\scoop\apps\python*\*",
        ])
        .kind(Kind::PythonOrg)
        .manager(Manager::Scoop),
    Place::new("NuGet", Way::Prefix, PYTHON)
        .windows(&[r"~\.nuget\packages\python*\*\tools"])
        .kind(Kind::PythonOrg)
        .manager(Manager::Nuget),
    Place::new("tox, projects", Way::Below, PYVENV)
        .windows(&[r".tox\*"])
        .elsewhere(&[".tox/*"])
        .manager(Manager::Tox),
    Place::new("nox, projects", Way::Below, PYVENV)
        .windows(&[r".nox\*"])
        .elsewhere(&[".nox/*"])
        .manager(Manager::Nox),
    Place::new("direnv, projects", Way::Below, PYVENV)
        .windows(&[r".direnv\*"])
        .elsewhere(&[".direnv/*"])
        .manager(Manager::Direnv),
    Place::new("embeddable package", Way::Below, "`python3*._pth`")
        .windows(&["{python_embeded,python_embedded}", "python-3.*-embed-*"]),
    Place::new("projects and applications", Way::Below, "`pyvenv.cfg`, `conda-meta`, `python.exe`")
        .windows(&[
            "{venv,.venv,env,.env}",
            r"installer_files\{env,conda}",
            r"Packages\*\venv",
            r"_internal\python-*",
        ])
        .elsewhere(&[
            "{venv,.venv,env,.env}",
            "installer_files/{env,conda}",
            "Packages/*/venv",
        ]),
    Place::new("WinPython", Way::Below, PYTHON)
        .windows(&[r"WPy*\python-*"]),
    Place::new("ArcGIS Pro", Way::Prefix, CONDA)
        .windows(&[
            r"%PROGRAMFILES%\ArcGIS\Pro\bin\Python\envs\*",
            r"%LOCALAPPDATA%\ESRI\conda\envs\*",
        ]),
    Place::new("Jupyter kernels", Way::Kernel, "`argv[0]` in `kernel.json`")
        .windows(&[r"%APPDATA%\jupyter\kernels\*", r"%PROGRAMDATA%\jupyter\kernels\*"])
        .elsewhere(&[
            "$XDG_DATA_HOME/jupyter/kernels/*",
            "~/Library/Jupyter/kernels/*",
            "/usr/{local/share,share}/jupyter/kernels/*",
        ]),
    Place::new("other environments", Way::Told, "`home =` in `pyvenv.cfg`")
        .windows(&["every virtual environment"])
        .elsewhere(&["every virtual environment"]),
    Place::new("variables", Way::Told, "the environment in use, and what can be started by name")
        .windows(&["%VIRTUAL_ENV%", "%CONDA_PREFIX%", "%PATH%"])
        .elsewhere(&["$VIRTUAL_ENV", "$CONDA_PREFIX", "$PATH"]),
    Place::new("current folder and its parents", Way::Told, "every marker")
        .windows(&["the folders in them, and the places below any folder"])
        .elsewhere(&["the folders in them, and the places below any folder"]),
    Place::new("shallow look", Way::Shallow, "every marker, three levels down")
        .windows(&[
            "<drive>",
            "~",
            r"~\{Desktop,Documents,Downloads}",
            r"~\OneDrive*\{Desktop,Documents}",
        ])
        .elsewhere(&["/", "~", "~/{Desktop,Documents,Downloads}"]),
    Place::new("CUDA toolkit", Way::Toolkit("cuda"), "`version.json`, `version.txt`, `bin`")
        .windows(&["%CUDA_PATH%", "%CUDA_PATH_V*%", r"%PROGRAMFILES%\NVIDIA GPU Computing Toolkit\CUDA\v*"])
        .elsewhere(&["$CUDA_HOME", "$CUDA_PATH", "/usr/local/cuda*"]),
    Place::new("cuDNN", Way::Toolkit("cudnn"), "`bin`")
        .windows(&[r"%PROGRAMFILES%\NVIDIA\CUDNN\v*"]),
    Place::new("PyTorch, extensions built on demand", Way::Cache(CacheKind::TorchExtensions), "`*.pyd`")
        .windows(&["%TORCH_EXTENSIONS_DIR%", r"%LOCALAPPDATA%\torch_extensions"])
        .elsewhere(&["$TORCH_EXTENSIONS_DIR", "$XDG_CACHE_HOME/torch_extensions"]),
];
