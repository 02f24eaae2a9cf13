//! Advice for whoever meets `OSError: [WinError 1455]`: what is wrong, which
//! answer is best, and whether it worked.
//!
//! Everything is a function of facts. Nothing here starts Python, changes a
//! file, prints, or reads the process environment; sentences for people are the
//! caller's, named by id ([`texts`]).
//!
//! - **doctor**: [`gather`] makes facts of an environment and its scan,
//!   [`MachineFacts::this`](facts::MachineFacts::this) tells of the machine,
//!   [`examine`] asks every rule of [`findings`]. It knows what N workers cost
//!   ([`budget`]) and which torch to upgrade to ([`upgrade`]).
//! - **explain**: [`explain::decode`] reads a log in any encoding,
//!   [`explain::explain`] says what its error is.
//! - **measure**: [`measure::measure`] reads the commit of real processes.
//!
//! ```
//! use fixnvpe_doctor::facts::{EnvironmentFacts, Facts, ImageFacts, MachineFacts, Options, Torch};
//! use fixnvpe_doctor::pe::{CommitCharge, Condition};
//! use fixnvpe_doctor::examine;
//!
//! // What a scan of one environment found, and what is installed there.
//! let mut yolo = EnvironmentFacts::new("yolo", r"D:\envs\yolo");
//! yolo.python = "3.9".parse().ok();
//! yolo.torch = Torch::new("1.12.1+cu113", None);
//! let charge = CommitCharge::new(900 << 20, 8 << 20);
//! let dll = r"D:\envs\yolo\Lib\site-packages\torch\lib\torch_cuda_cu.dll";
//! yolo.images = vec![ImageFacts::new(dll, Condition::Writable, charge)];
//!
//! let facts = Facts::new(MachineFacts::elsewhere(), vec![yolo]);
//! let report = examine(facts, &Options::with_workers(Some(8)));
//! let ids: Vec<_> = report.findings.iter().map(|finding| finding.id.as_str()).collect();
//! assert_eq!(ids[..2], ["upgrade", "patch"]);
//! assert_eq!(report.environments[0].budget.total.now, 9 * (900 << 20));
//! ```
//!
//! The modules, in the order in which data meets them: `facts` are plain values,
//! filled by `gather` (environments) and `this_machine` (with `win32`);
//! `version` reads versions; `budget` and `upgrade` draw conclusions that several
//! rules need; `findings` are the rules, `step` what they propose, `report` the
//! answer; `texts` and `page` tell which sentences and pages go with them.
//! `explain` and `measure` stand beside.

pub mod budget;
#[cfg(any(windows, test))]
mod cores;
pub mod explain;
pub mod facts;
pub mod findings;
mod gather;
pub mod measure;
pub mod page;
mod path_text;
mod report;
mod step;
pub mod texts;
mod this_machine;
pub mod upgrade;
mod version;
#[cfg(windows)]
mod win32;

/// The crate that judges images, for the types that are in facts and reports.
pub use fixnvpe_pe as pe;
pub use gather::{Gathered, gather};
pub use report::{Answer, AnswerKind, DoctorReport, EnvironmentReport, Finding, examine};
pub use step::{Action, Purpose, Step};
pub use version::{ParseVersionError, Version};
