//! The kinds of errors in a text.

use std::collections::BTreeSet;

use super::kind::Kind;
use super::{number, phrase};

/// Words that no other error has, in lower case.
const WORDS: &[(Kind, &[&str])] = &[
    (
        Kind::MissingMainGuard,
        &["bootstrapping phase", "freeze_support()"],
    ),
    (
        Kind::Allocation,
        &[
            "defaultcpuallocator",
            "not enough memory: you tried to allocate",
        ],
    ),
    (
        Kind::ThreadBuffers,
        &[
            "openblas error: memory allocation still failed",
            "openblas : memory allocation still failed",
            "blas : program is terminated",
            "openblas warning: precompiled num_threads exceeded",
            "mkl_malloc",
        ],
    ),
    (
        Kind::CudaOutOfMemory,
        &[
            "cuda out of memory",
            "cuda error: out of memory",
            "torch.outofmemoryerror",
            "torch.cuda.outofmemoryerror",
            "cuda_error_out_of_memory",
        ],
    ),
    (
        Kind::DllLoadFailed,
        &[
            "dll load failed",
            "or one of its dependencies",
            "error loading",
        ],
    ),
];

/// Words of a program that reads a model file, near 1455.
const MODEL_WORDS: &[&str] = &[
    "safetensors",
    "safe_open",
    ".gguf",
    "load_torch_file",
    "load_state_dict",
    "mmap",
];

/// Every kind that the text shows, the one to look at first. Never empty.
pub(super) fn kinds(text: &str) -> Vec<Kind> {
    let lower = text.to_lowercase();
    let mut kinds = BTreeSet::new();
    for (kind, words) in WORDS {
        if words.iter().any(|word| lower.contains(word)) {
            kinds.insert(*kind);
        }
    }
    let numbers = number::find(text);
    kinds.extend(numbers.iter().filter_map(|number| Kind::of_number(*number)));
    if numbers.is_empty() {
        kinds.extend(phrase::find(text).and_then(Kind::of_number));
    }
    // Rust's `(os error 1455)` and a model loader around it: no DLL is at fault.
    if kinds.contains(&Kind::CommitLimit)
        && MODEL_WORDS.iter().any(|word| lower.contains(word))
        && !lower.contains("or one of its dependencies")
    {
        kinds.remove(&Kind::CommitLimit);
        kinds.insert(Kind::ModelLoading);
    }
    // What failed to load is told by the number, where there is one.
    if kinds.len() > 1 {
        kinds.remove(&Kind::DllLoadFailed);
    }
    if kinds.is_empty() {
        kinds.insert(Kind::Unknown);
    }
    kinds.into_iter().collect()
}
