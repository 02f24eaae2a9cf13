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
            "memoryerror: unable to allocate",
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
    (Kind::DllLoadFailed, DLL_WORDS),
];

/// Words of what reads a model file, where 1455 is: Rust's way to write the
/// number, which is that of the library `safetensors`, and its error and
/// function. Names of models stand in any log.
const MODEL_WORDS: &[&str] = &["os error 1455", "safetensorerror", "safe_open"];

/// Words of a DLL that failed to load.
const DLL_WORDS: &[&str] = &[
    "dll load failed",
    "error loading",
    "or one of its dependencies",
];

/// So many lines above an error are the innermost frames of its traceback, two
/// lines each.
const FRAMES: usize = 4;

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
    if kinds.contains(&Kind::CommitLimit) && is_of_a_model(&lower) {
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

/// Whether each 1455 of the text was met by what reads a model, and none by a
/// DLL. The text is in lower case.
fn is_of_a_model(text: &str) -> bool {
    let lines: Vec<&str> = text.lines().collect();
    let has_limit =
        |line: &str| number::find(line).contains(&1455) || phrase::find(line) == Some(1455);
    let mut errors = (0..lines.len())
        .filter(|at| has_limit(lines[*at]))
        .peekable();
    errors.peek().is_some()
        && errors.all(|at| {
            // Consoles break long lines.
            let around = &lines[at.saturating_sub(1)..lines.len().min(at + 2)];
            !has_any(around, DLL_WORDS) && has_any(with_frames(&lines, at), MODEL_WORDS)
        })
}

/// The line of an error, and the innermost frames above it.
fn with_frames<'a, 'b>(lines: &'a [&'b str], at: usize) -> &'a [&'b str] {
    let is_frame = |line: &&&str| line.starts_with([' ', '\t']);
    let above = lines[..at].iter().rev().take(FRAMES);
    let frames = above.take_while(is_frame).count();
    &lines[at - frames..=at]
}

fn has_any(lines: &[&str], words: &[&str]) -> bool {
    lines
        .iter()
        .any(|line| words.iter().any(|word| line.contains(word)))
}
