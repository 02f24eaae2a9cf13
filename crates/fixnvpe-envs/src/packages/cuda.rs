//! Names of packages that bring GPU code or CUDA's libraries.

/// Names that begin so.
const BEGINNINGS: &[&str] = &[
    "bitsandbytes",
    "ctranslate2",
    "cudatoolkit",
    "cudnn",
    "cupy",
    "fairscale",
    "flash-attn",
    "jaxlib",
    "kaolin",
    "llama-cpp-python",
    "mmcv",
    "mxnet",
    "nvidia-",
    "onnxruntime-gpu",
    "paddlepaddle",
    "pytorch",
    "spconv",
    "tensorflow",
    "tensorrt",
    "torch",
    "xformers",
    "xgboost",
];

/// Whether a package of this normalized name is about CUDA.
pub(super) fn is_about(name: &str) -> bool {
    name.contains("cuda")
        || BEGINNINGS
            .iter()
            .any(|beginning| name.starts_with(beginning))
}
