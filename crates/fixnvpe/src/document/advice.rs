//! The documents of the commands that give advice.

use fixnvpe_batch::Failure;
use fixnvpe_doctor::DoctorReport;
use fixnvpe_doctor::explain::Explanation;
use fixnvpe_doctor::measure::MeasureReport;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Head, LeftOut};
use crate::exit_code::ExitCode;

/// `fixnvpe/doctor/1`: what is wrong, and what to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct DoctorDocument {
    /// What every document begins with.
    #[serde(flatten)]
    pub(crate) head: Head,
    /// False when the run was interrupted.
    pub(crate) complete: bool,
    /// The exit code of the program.
    pub(crate) exit_code: ExitCode,
    /// What was found.
    #[serde(flatten)]
    pub(crate) report: DoctorReport,
    /// What was left out.
    pub(crate) skipped: Vec<LeftOut>,
    /// What failed.
    pub(crate) failures: Vec<Failure>,
}

impl DoctorDocument {
    /// The schema's name.
    pub(crate) const SCHEMA: &'static str = "fixnvpe/doctor/1";
}

/// `fixnvpe/explain/1`: what an error text means.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct ExplainDocument {
    /// What every document begins with.
    #[serde(flatten)]
    pub(crate) head: Head,
    /// False when the run was interrupted.
    pub(crate) complete: bool,
    /// The exit code of the program.
    pub(crate) exit_code: ExitCode,
    /// What it means.
    #[serde(flatten)]
    pub(crate) explanation: Explanation,
    /// What the doctor finds in that environment; null where it is not on this
    /// machine, or where it does not matter for this error.
    pub(crate) doctor: Option<DoctorReport>,
    /// What was left out.
    pub(crate) skipped: Vec<LeftOut>,
    /// What failed.
    pub(crate) failures: Vec<Failure>,
}

impl ExplainDocument {
    /// The schema's name.
    pub(crate) const SCHEMA: &'static str = "fixnvpe/explain/1";
}

/// `fixnvpe/measure/1`: what processes really cost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct MeasureDocument {
    /// What every document begins with.
    #[serde(flatten)]
    pub(crate) head: Head,
    /// False when the run was interrupted before all processes were started.
    pub(crate) complete: bool,
    /// The exit code of the program.
    pub(crate) exit_code: ExitCode,
    /// What was measured, and the comparison with an earlier measurement.
    #[serde(flatten)]
    pub(crate) report: MeasureReport,
    /// What was left out.
    pub(crate) skipped: Vec<LeftOut>,
    /// What failed: images that could not be mapped, among others.
    pub(crate) failures: Vec<Failure>,
}

impl MeasureDocument {
    /// The schema's name.
    pub(crate) const SCHEMA: &'static str = "fixnvpe/measure/1";
}
