//! What an error is.

use serde::{Deserialize, Serialize};

/// The kinds of errors that are told apart, the surest first: where a log shows
/// several, the first one here is what to look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Kind {
    /// The script starts processes without a guard: the bootstrapping phase.
    MissingMainGuard,
    /// 1455 while a model file is mapped.
    ModelLoading,
    /// 1455, or an allocation of the CPU refused: the commit limit.
    CommitLimit,
    /// OpenBLAS could not get its buffers.
    ThreadBuffers,
    /// PyTorch or numpy asked for more memory than the system would promise.
    Allocation,
    /// 4551: a policy blocks the file.
    PolicyBlocked,
    /// 193: not an image of this machine, mostly a truncated file.
    NotAnImage,
    /// 1114: the DLL loaded, and its own start failed.
    InitFailed,
    /// 127: a function is missing: versions that do not belong together.
    MissingFunction,
    /// 126: the file, or one that it imports, is missing.
    MissingFile,
    /// The GPU's memory is used up: another thing altogether.
    CudaOutOfMemory,
    /// A DLL failed to load, and the text does not tell why.
    DllLoadFailed,
    /// Nothing that is known.
    Unknown,
}

impl Kind {
    /// Every kind, with its word.
    pub const ALL: &'static [(Self, &'static str)] = &[
        (Self::MissingMainGuard, "missing_main_guard"),
        (Self::ModelLoading, "model_loading"),
        (Self::CommitLimit, "commit_limit"),
        (Self::ThreadBuffers, "thread_buffers"),
        (Self::Allocation, "allocation"),
        (Self::PolicyBlocked, "policy_blocked"),
        (Self::NotAnImage, "not_an_image"),
        (Self::InitFailed, "init_failed"),
        (Self::MissingFunction, "missing_function"),
        (Self::MissingFile, "missing_file"),
        (Self::CudaOutOfMemory, "cuda_out_of_memory"),
        (Self::DllLoadFailed, "dll_load_failed"),
        (Self::Unknown, "unknown"),
    ];

    /// The word that names it.
    #[must_use]
    pub fn word(self) -> &'static str {
        Self::ALL
            .iter()
            .find(|(kind, _)| *kind == self)
            .map_or("", |(_, word)| word)
    }

    /// The error number that it comes with.
    #[must_use]
    pub fn os_error(self) -> Option<u32> {
        match self {
            Self::CommitLimit | Self::ModelLoading => Some(1455),
            Self::PolicyBlocked => Some(4551),
            Self::NotAnImage => Some(193),
            Self::InitFailed => Some(1114),
            Self::MissingFunction => Some(127),
            Self::MissingFile => Some(126),
            _ => None,
        }
    }

    /// The kind of an error number.
    pub(super) fn of_number(number: u32) -> Option<Self> {
        Some(match number {
            1455 => Self::CommitLimit,
            4551 => Self::PolicyBlocked,
            193 => Self::NotAnImage,
            1114 => Self::InitFailed,
            127 => Self::MissingFunction,
            126 => Self::MissingFile,
            _ => return None,
        })
    }

    /// Whether the state of the environment's DLLs, or of the machine, is what
    /// matters, so that its diagnosis belongs to the answer.
    #[must_use]
    pub fn asks_for_doctor(self) -> bool {
        self.findings().is_none_or(|ids| !ids.is_empty())
    }

    /// The findings that bear on it, by their ids; `None` where the whole
    /// diagnosis does.
    #[must_use]
    pub fn findings(self) -> Option<&'static [&'static str]> {
        match self {
            Self::CommitLimit | Self::Allocation | Self::ModelLoading | Self::DllLoadFailed => None,
            Self::PolicyBlocked => Some(&["signed_patched_blocked", "signed_patched"]),
            Self::InitFailed => Some(LIMIT),
            Self::ThreadBuffers => Some(&["blas_threads", "workers_many"]),
            _ => Some(&[]),
        }
    }
}

/// The findings about the commit limit.
const LIMIT: &[&str] = &[
    "budget_exceeded",
    "patch",
    "page_file_off",
    "page_file_small",
    "page_file_no_room",
    "commit_nearly_full",
];
