//! A home on Windows as users of CUDA have it.

use super::Tree;

/// One user's home below `Users/mei`, to stand for drive C: a conda environment whose files are
/// hard links into conda's package cache, a virtual environment with copies, one in a folder with
/// spaces, brackets and Chinese characters whose files are hard links into uv's cache, and plain
/// programs beside them.
///
/// | where | writable | others |
/// |---|---|---|
/// | conda `yolov5` | `torch_cuda_cu.dll`, `cudnn64_7.dll` | `c10.dll`: no fat binary |
/// | venv `detector` | `xgboost.dll` | `vcomp140.dll`: none; `nvjpeg64_12.dll`: read-only |
/// | uv `[2] 图像 网络` | `cub`, `thrust`, `_generator_api` | `libmxnet.dll`: packed |
#[must_use]
pub fn windows_home() -> Tree {
    let home = Tree::default()
        .tree("Users/mei/miniconda3", conda())
        .tree("Users/mei/projects/detector/.venv", venv())
        .tree("Users/mei", uv())
        .text(
            "Users/mei/Documents/notes.txt",
            "page file: 80 GB, still not enough\n",
        );
    home.fixture("Users/mei/Documents/old program.exe", "ne.dll")
}

/// A conda installation with one environment.
fn conda() -> Tree {
    let packages = "pkgs/pytorch-1.10.0-py3.8_cuda11.3_cudnn8_0";
    let torch = "Lib/site-packages/torch/lib";
    let dlls = [
        ("torch_cuda_cu.dll", "xgboost.dll"),
        ("cudnn64_7.dll", "cudnn64_7.dll"),
        ("c10.dll", "vcomp140.dll"),
    ];
    let history = "==> 2022-03-01 10:00:00 <==\n# cmd: conda create -n yolov5 python=3.8 pytorch\n";
    let mut tree = Tree::default()
        .text("conda-meta/history", "==> 2022-03-01 09:00:00 <==\n")
        .text("envs/yolov5/conda-meta/history", history)
        .fixture("envs/yolov5/python.exe", "plain.exe");
    for (name, fixture) in dlls {
        tree = tree
            .fixture(format!("{packages}/{torch}/{name}"), fixture)
            .hard_link(
                format!("envs/yolov5/{torch}/{name}"),
                format!("{packages}/{torch}/{name}"),
            );
    }
    let files = dlls.map(|(name, _)| format!("{torch}/{name}"));
    tree.conda_package("envs/yolov5", "pytorch", "1.10.0", files)
}

/// A virtual environment that pip filled.
fn venv() -> Tree {
    let site = "Lib/site-packages";
    Tree::default()
        .text("pyvenv.cfg", "home = C:\\Python38\nversion = 3.8.10\n")
        .fixture("Scripts/python.exe", "plain.exe")
        .fixture(format!("{site}/xgboost/lib/xgboost.dll"), "xgboost.dll")
        .fixture("xgboost/vcomp140.dll", "vcomp140.dll")
        .distribution(
            site,
            "xgboost",
            "1.6.2",
            ["xgboost/lib/xgboost.dll", "../../xgboost/vcomp140.dll"],
        )
        .fixture(
            format!("{site}/nvidia/nvjpeg/bin/nvjpeg64_12.dll"),
            "nvjpeg64_12.dll",
        )
        .distribution(
            site,
            "nvidia-nvjpeg-cu12",
            "12.4.0.76",
            ["nvidia/nvjpeg/bin/nvjpeg64_12.dll"],
        )
}

/// An environment that uv filled from its cache.
fn uv() -> Tree {
    let cache = "AppData/Local/uv/cache/archive-v0";
    let prefix = "Desktop/[2] 图像 网络/.venv";
    let site = format!("{prefix}/Lib/site-packages");
    let packages: [(&str, &str, &str, &[&str]); 2] = [
        (
            "cupy-cuda102",
            "9.6.0",
            "6eGqzdVLkYpS3rT0wXn1a",
            &[
                "cupy/cuda/cub.cp38-win_amd64.pyd",
                "cupy/cuda/thrust.cp38-win_amd64.pyd",
                "cupy/random/_generator_api.cp38-win_amd64.pyd",
            ],
        ),
        (
            "mxnet-cu100",
            "1.5.0",
            "Qf5UZkzJ0c8m2hWb7RtDs",
            &["mxnet/libmxnet.dll"],
        ),
    ];
    let mut tree = Tree::default()
        .text(
            "AppData/Local/uv/cache/CACHEDIR.TAG",
            "Signature: 8a477f597d28d172789f06886806bc55\n",
        )
        .text(
            format!("{prefix}/pyvenv.cfg"),
            "home = C:\\Python38\nimplementation = CPython\nuv = 0.5.1\nversion_info = 3.8.10\n",
        )
        .fixture(format!("{prefix}/Scripts/python.exe"), "plain.exe");
    for (name, version, id, files) in packages {
        for file in files {
            let fixture = file.rsplit('/').next().unwrap_or(file);
            tree = tree
                .fixture(format!("{cache}/{id}/{file}"), fixture)
                .hard_link(format!("{site}/{file}"), format!("{cache}/{id}/{file}"));
        }
        tree = tree.distribution(&site, name, version, files);
    }
    tree
}
