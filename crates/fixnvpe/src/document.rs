//! The JSON documents: what they have in common, and what is each one's own.
//!
//! Field names and words are a contract with scripts; `docs/schemas/` holds
//! their schemas, which `fixnvpe schema` prints.

mod advice;

use fixnvpe_batch::{
    Commit, Failure, FileResult, ImageReport, PatchReport, RestoreReport, RunId, SameBase,
    ScanReport, Skipped, Summary, VerifyReport, VerifyResult,
};
use jiff::{Timestamp, Unit};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::caller::Caller;
use crate::catalogue::Catalogue;
use crate::exit_code::ExitCode;
use crate::fatal::{Fatal, Word};
use crate::inspection::Inspection;

pub(crate) use advice::{DoctorDocument, ExplainDocument, MeasureDocument};

/// The program that wrote a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Tool {
    /// `fixnvpe`
    pub(crate) name: String,
    /// Its version.
    pub(crate) version: String,
}

/// What every document begins with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Head {
    /// Which document this is, and which version of its meaning.
    pub(crate) schema: String,
    /// What wrote it.
    pub(crate) tool: Tool,
    /// The machine's name; with `--redact` a hash of it.
    pub(crate) host: String,
    /// The user's name; with `--redact` a hash of it.
    pub(crate) user: String,
    /// Whether the program ran with an administrator's rights.
    pub(crate) elevated: bool,
    /// When the run began: RFC 3339, UTC.
    pub(crate) started: String,
}

impl Head {
    /// The head of a document of this schema by a run that began at `started`.
    pub(crate) fn new(schema: &str, caller: &Caller, started: Timestamp) -> Self {
        let started = started.round(Unit::Millisecond).unwrap_or(started);
        Self {
            schema: schema.to_owned(),
            tool: Tool {
                name: env!("CARGO_PKG_NAME").to_owned(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
            },
            host: caller.host.clone(),
            user: caller.user.clone(),
            elevated: caller.elevated,
            started: started.to_string(),
        }
    }
}

/// Something that was left out: a file, or a place that was looked around in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum LeftOut {
    /// A file or folder of the selection.
    File(Skipped),
    /// A place where environments were looked for.
    Place(fixnvpe_envs::Skipped),
}

/// An environment, and what its images cost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct EnvironmentCost {
    /// What it is.
    pub(crate) kind: fixnvpe_envs::Kind,
    /// What people call it.
    pub(crate) name: String,
    /// The folder that holds it.
    pub(crate) prefix: String,
    /// The exact prefix, where it is not Unicode.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) prefix_raw: Option<String>,
    /// Python's version, as far as files tell it.
    pub(crate) python: Option<String>,
    /// What a process is charged that loads all images with GPU code of this
    /// environment, in bytes.
    pub(crate) commit_if_all_loaded: Commit,
}

/// A package that has to do with CUDA.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct CudaPackage {
    /// Its name.
    pub(crate) name: String,
    /// Its version.
    pub(crate) version: String,
}

/// An environment with what it holds for CUDA.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct EnvironmentEntry {
    /// What was found.
    #[serde(flatten)]
    pub(crate) environment: fixnvpe_envs::Environment,
    /// Packages that bring GPU code or CUDA's libraries.
    pub(crate) cuda_packages: Vec<CudaPackage>,
    /// What `torch` says of itself.
    pub(crate) torch: Option<fixnvpe_envs::Torch>,
}

/// One row of the table of places.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct PlaceEntry {
    /// Whose place it is.
    pub(crate) tool: String,
    /// Where on Windows.
    pub(crate) windows: Vec<String>,
    /// Where on Linux and macOS.
    pub(crate) elsewhere: Vec<String>,
    /// What tells that it is one.
    pub(crate) marker: String,
}

/// `fixnvpe/envs/1`: what Python environments there are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct EnvsDocument {
    /// What every document begins with.
    #[serde(flatten)]
    pub(crate) head: Head,
    /// False when the run was interrupted.
    pub(crate) complete: bool,
    /// The exit code of the program.
    pub(crate) exit_code: ExitCode,
    /// The environments, by prefix.
    pub(crate) environments: Vec<EnvironmentEntry>,
    /// Package caches; empty without `--caches`.
    pub(crate) caches: Vec<fixnvpe_envs::Cache>,
    /// CUDA toolkits; empty without `--toolkits`.
    pub(crate) toolkits: Vec<fixnvpe_envs::Toolkit>,
    /// The places that are looked in; null without `--places`.
    pub(crate) places: Option<Vec<PlaceEntry>>,
    /// How much was looked at; null with `--places`, which looks at nothing.
    pub(crate) looked: Option<fixnvpe_envs::Looked>,
    /// What could not be looked at.
    pub(crate) skipped: Vec<LeftOut>,
    /// Always empty.
    pub(crate) failures: Vec<Failure>,
}

impl EnvsDocument {
    /// The schema's name.
    pub(crate) const SCHEMA: &'static str = "fixnvpe/envs/1";
}

/// `fixnvpe/scan/1`: what is there and what it costs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct ScanDocument {
    /// What every document begins with.
    #[serde(flatten)]
    pub(crate) head: Head,
    /// False when the run was interrupted.
    pub(crate) complete: bool,
    /// The exit code of the program.
    pub(crate) exit_code: ExitCode,
    /// The selected environments, by prefix.
    pub(crate) environments: Vec<EnvironmentCost>,
    /// Every image of the selection, in the order of paths.
    pub(crate) images: Vec<ImageReport>,
    /// How many of what.
    pub(crate) summary: Summary,
    /// What was left out.
    pub(crate) skipped: Vec<LeftOut>,
    /// What failed.
    pub(crate) failures: Vec<Failure>,
}

impl ScanDocument {
    /// The schema's name.
    pub(crate) const SCHEMA: &'static str = "fixnvpe/scan/1";

    /// The document of a scan.
    pub(crate) fn new(
        head: Head,
        exit_code: ExitCode,
        environments: Vec<EnvironmentCost>,
        report: ScanReport,
        places: Vec<fixnvpe_envs::Skipped>,
    ) -> Self {
        let files = report.skipped.into_iter().map(LeftOut::File);
        Self {
            head,
            complete: report.complete,
            exit_code,
            environments,
            images: report.images,
            summary: report.summary,
            skipped: files
                .chain(places.into_iter().map(LeftOut::Place))
                .collect(),
            failures: report.failures,
        }
    }
}

/// `fixnvpe/patch/1` and `fixnvpe/restore/1`: what was done to each file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct ChangeDocument {
    /// What every document begins with.
    #[serde(flatten)]
    pub(crate) head: Head,
    /// False when the run was interrupted.
    pub(crate) complete: bool,
    /// The exit code of the program; of a dry run, that of the real one.
    pub(crate) exit_code: ExitCode,
    /// Whether nothing was to be changed.
    pub(crate) dry_run: bool,
    /// The name of the run in the journal; null if nothing was written.
    pub(crate) run: Option<RunId>,
    /// Images whose ASLR was, or would be, cleared and that share a preferred
    /// address: they will collide, and the loader makes private copies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) same_base: Vec<SameBase>,
    /// Bytes that became free with backups that were removed, or would; only
    /// of `restore`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) freed: Option<u64>,
    /// Every file concerned, in the order of paths.
    pub(crate) results: Vec<FileResult>,
    /// What was left out.
    pub(crate) skipped: Vec<Skipped>,
    /// What failed.
    pub(crate) failures: Vec<Failure>,
}

impl ChangeDocument {
    /// The name of the schema for a patch.
    pub(crate) const PATCH: &'static str = "fixnvpe/patch/1";
    /// The name of the schema for a restore.
    pub(crate) const RESTORE: &'static str = "fixnvpe/restore/1";

    /// The document of a patch.
    pub(crate) fn of_patch(
        head: Head,
        exit_code: ExitCode,
        dry_run: bool,
        report: PatchReport,
    ) -> Self {
        Self {
            head,
            complete: report.complete,
            exit_code,
            dry_run,
            run: report.run,
            same_base: report.same_base,
            freed: None,
            results: report.results,
            skipped: report.skipped,
            failures: report.failures,
        }
    }

    /// The document of a restore.
    pub(crate) fn of_restore(
        head: Head,
        exit_code: ExitCode,
        dry_run: bool,
        report: RestoreReport,
    ) -> Self {
        Self {
            head,
            complete: report.complete,
            exit_code,
            dry_run,
            run: report.run,
            same_base: Vec::new(),
            freed: Some(report.freed),
            results: report.results,
            skipped: report.skipped,
            failures: report.failures,
        }
    }
}

/// `fixnvpe/verify/1`: whether files are what their packages installed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct VerifyDocument {
    /// What every document begins with.
    #[serde(flatten)]
    pub(crate) head: Head,
    /// False when the run was interrupted.
    pub(crate) complete: bool,
    /// The exit code of the program.
    pub(crate) exit_code: ExitCode,
    /// Every image with GPU code and every image that was named, in the order
    /// of paths.
    pub(crate) results: Vec<VerifyResult>,
    /// What was left out.
    pub(crate) skipped: Vec<Skipped>,
    /// What failed.
    pub(crate) failures: Vec<Failure>,
}

impl VerifyDocument {
    /// The schema's name.
    pub(crate) const SCHEMA: &'static str = "fixnvpe/verify/1";

    /// The document of a verification.
    pub(crate) fn new(head: Head, exit_code: ExitCode, report: VerifyReport) -> Self {
        Self {
            head,
            complete: report.complete,
            exit_code,
            results: report.results,
            skipped: report.skipped,
            failures: report.failures,
        }
    }
}

/// `fixnvpe/inspect/1`: one image in full.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct InspectDocument {
    /// What every document begins with.
    #[serde(flatten)]
    pub(crate) head: Head,
    /// Always true.
    pub(crate) complete: bool,
    /// The exit code of the program.
    pub(crate) exit_code: ExitCode,
    /// The image; null if it could not be read: see `failures`.
    pub(crate) image: Option<Inspection>,
    /// Always empty.
    pub(crate) skipped: Vec<Skipped>,
    /// What failed.
    pub(crate) failures: Vec<Failure>,
}

impl InspectDocument {
    /// The schema's name.
    pub(crate) const SCHEMA: &'static str = "fixnvpe/inspect/1";
}

/// `fixnvpe/history/1`: what was done, by run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct HistoryDocument {
    /// What every document begins with.
    #[serde(flatten)]
    pub(crate) head: Head,
    /// Always true.
    pub(crate) complete: bool,
    /// The exit code of the program.
    pub(crate) exit_code: ExitCode,
    /// The folders whose journals were read.
    pub(crate) state_folders: Vec<String>,
    /// The runs, oldest first.
    pub(crate) runs: Vec<fixnvpe_batch::Run>,
    /// Always empty.
    pub(crate) skipped: Vec<Skipped>,
    /// What could not be read in the journals.
    pub(crate) failures: Vec<Failure>,
}

impl HistoryDocument {
    /// The schema's name.
    pub(crate) const SCHEMA: &'static str = "fixnvpe/history/1";
}

/// `fixnvpe/error/1`: what ended a run before its work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct ErrorDocument {
    /// What every document begins with.
    #[serde(flatten)]
    pub(crate) head: Head,
    /// Always false.
    pub(crate) complete: bool,
    /// The exit code of the program.
    pub(crate) exit_code: ExitCode,
    /// What is wrong.
    pub(crate) error: ErrorBody,
    /// Always empty.
    pub(crate) skipped: Vec<Skipped>,
    /// Always empty.
    pub(crate) failures: Vec<Failure>,
}

/// What ended a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct ErrorBody {
    /// The stable word.
    pub(crate) code: Word,
    /// What is wrong, in English.
    pub(crate) message: String,
    /// What a library or the system said, in English.
    pub(crate) detail: Option<String>,
    /// What to do, in English.
    pub(crate) hints: Vec<String>,
}

impl ErrorDocument {
    /// The schema's name.
    pub(crate) const SCHEMA: &'static str = "fixnvpe/error/1";

    /// The document of what ended a run.
    pub(crate) fn new(head: Head, fatal: &Fatal) -> Self {
        let english = Catalogue::of(crate::language::Language::En);
        Self {
            head,
            complete: false,
            exit_code: fatal.exit,
            error: ErrorBody {
                code: fatal.word,
                message: english.text(&fatal.message),
                detail: fatal.detail.clone(),
                hints: fatal.hints.iter().map(|hint| english.text(hint)).collect(),
            },
            skipped: Vec::new(),
            failures: Vec::new(),
        }
    }
}

/// One line of `--jsonl`: `fixnvpe/events/1`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
pub(crate) enum Line {
    /// The first line.
    Start {
        /// What every document begins with.
        #[serde(flatten)]
        head: Head,
        /// The command: `scan`, `patch`, `restore` or `verify`.
        command: String,
    },
    /// An image was scanned.
    Image(Box<ImageReport>),
    /// A file was changed, or was not, as it says.
    Result(Box<FileResult>),
    /// A file was verified.
    Verified(VerifyResult),
    /// Something was left out.
    Skipped(Skipped),
    /// Something failed.
    Failure(Failure),
    /// The last line.
    End {
        /// False when the run was interrupted.
        complete: bool,
        /// The exit code of the program.
        exit_code: ExitCode,
        /// The run in the journal; null for a scan and where nothing was written.
        run: Option<RunId>,
        /// How many of what; null for a patch and a restore.
        summary: Option<Summary>,
    },
}

impl Line {
    /// The schema's name.
    pub(crate) const SCHEMA: &'static str = "fixnvpe/events/1";
}
