//! What an error text means, and what to do.
//!
//! [`decode`] reads the bytes of a log, [`explain`] finds the error in it, in
//! any language: its kind, its number, the DLL that it names and the environment
//! that the DLL lies in. The number counts before words: Windows says the words
//! in the user's language, and programs garble them.

mod decode;
mod kind;
mod number;
mod phrase;
mod place;
mod recognise;

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use crate::step::{Purpose, Step};

pub use decode::decode;
pub use kind::Kind;

/// Microsoft's page of the current Visual C++ runtime.
const RUNTIME: &str = "https://learn.microsoft.com/cpp/windows/latest-supported-vc-redist";

/// What an error text means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Explanation {
    /// What it is.
    pub kind: Kind,
    /// What else the text shows.
    pub others: Vec<Kind>,
    /// The error number of this kind.
    pub os_error: Option<u32>,
    /// The path of the DLL that the text names, as a Windows path.
    pub dll: Option<String>,
    /// The prefix of the environment that the text is about.
    pub prefix: Option<String>,
    /// What to do, in this order.
    pub steps: Vec<Step>,
    /// What it is and what to do, in English; the caller fills this in.
    #[serde(default)]
    pub message: String,
}

/// Explains the error in a text.
///
/// ```
/// use fixnvpe_doctor::explain::{Kind, explain};
///
/// let text = r#"OSError: [WinError 1455] 页面文件太小，无法完成操作。
///     Error loading "D:\envs\yolo\lib\site-packages\torch\lib\cublas64_11.dll""#;
/// let explanation = explain(text);
/// assert_eq!(explanation.kind, Kind::CommitLimit);
/// assert_eq!(explanation.prefix.as_deref(), Some(r"D:\envs\yolo"));
/// ```
#[must_use]
pub fn explain(text: &str) -> Explanation {
    let mut kinds = recognise::kinds(text);
    let kind = kinds.remove(0);
    let place = place::find(text);
    Explanation {
        kind,
        others: kinds,
        os_error: kind.os_error(),
        steps: steps(kind, &place),
        dll: place.dll,
        prefix: place.prefix,
        message: String::new(),
    }
}

fn steps(kind: Kind, place: &place::Place) -> Vec<Step> {
    let of_environment = |command: &str| {
        let mut words = vec![command];
        if let Some(prefix) = place.prefix.as_deref() {
            words.extend(["--env", prefix]);
        }
        Step::own(Purpose::Look, words)
    };
    let file_name = place
        .dll
        .as_deref()
        .and_then(|path| path.rsplit('\\').next())
        .unwrap_or_default();
    match kind {
        Kind::CommitLimit | Kind::Allocation => {
            vec![of_environment("doctor"), of_environment("scan")]
        }
        Kind::ModelLoading => vec![
            Step::own(Purpose::Look, ["doctor"]),
            Step::read("https://github.com/Comfy-Org/ComfyUI/issues/12611"),
        ],
        Kind::ThreadBuffers => vec![
            Step::variable("OPENBLAS_NUM_THREADS", "1"),
            Step::read("https://github.com/numpy/numpy/issues/24650"),
        ],
        Kind::MissingMainGuard => vec![Step::read(
            "https://docs.python.org/3/library/multiprocessing.html#the-spawn-and-forkserver-start-methods",
        )],
        // What this project changed can be given back.
        Kind::PolicyBlocked => vec![
            of_environment("verify"),
            match place.dll.as_deref() {
                Some(dll) => Step::own(Purpose::Restore, ["restore", dll]),
                None => Step::own(Purpose::Restore, ["restore", "--last"]),
            },
        ],
        Kind::NotAnImage => match place.dll.as_deref() {
            Some(dll) => vec![
                Step::own(Purpose::Look, ["inspect", dll]),
                of_environment("verify"),
            ],
            None => vec![of_environment("verify")],
        },
        Kind::InitFailed if is_of_torch_core(file_name) => {
            vec![Step::read(RUNTIME), of_environment("doctor")]
        }
        Kind::InitFailed => vec![of_environment("doctor"), Step::read(RUNTIME)],
        Kind::MissingFile => vec![Step::read(RUNTIME), of_environment("verify")],
        Kind::MissingFunction => vec![of_environment("verify")],
        Kind::DllLoadFailed => vec![of_environment("doctor")],
        Kind::CudaOutOfMemory => vec![Step::read(
            "https://pytorch.org/docs/stable/notes/cuda.html#memory-management",
        )],
        Kind::Unknown => vec![Step::own(Purpose::Look, ["doctor"])],
    }
}

/// The DLLs whose start fails where the Visual C++ runtime is too old
/// (nagadomi/nunif#701).
fn is_of_torch_core(file_name: &str) -> bool {
    let lower = file_name.to_lowercase();
    ["c10.dll", "torch_cpu.dll", "torch_python.dll", "shm.dll"].contains(&lower.as_str())
}
