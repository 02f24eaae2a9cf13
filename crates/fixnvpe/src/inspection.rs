//! One image in full: what `fixnvpe inspect` tells, as data.

use std::path::{Path, PathBuf};

use fixnvpe_batch::Commit;
use fixnvpe_pe::{
    CheckSumState, Condition, FatbinKind, FatbinSummary, Finding, Image, ImageKind, MEM_EXECUTE,
    MEM_SHARED, MEM_WRITE, Patch, Policy, ReadAt, Reason, Section, same_check_sum,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One image.
#[expect(
    clippy::struct_excessive_bools,
    reason = "fields of a document, not states"
)]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Inspection {
    /// The file.
    #[serde(with = "crate::path_text")]
    #[schemars(with = "String")]
    pub(crate) path: PathBuf,
    /// The exact path, where it is not Unicode.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) path_raw: Option<String>,
    /// The size of the file in bytes.
    pub(crate) size: u64,
    /// The processor: `x86`, `x86_64`, `arm64`, or the number in hexadecimal.
    pub(crate) machine: String,
    /// Whether its addresses have 32 or 64 bits.
    pub(crate) kind: ImageKind,
    /// Whether it is a DLL; else a program.
    pub(crate) dll: bool,
    /// The address that it was linked for.
    pub(crate) image_base: u64,
    /// The size of the address space that it takes, in bytes.
    pub(crate) size_of_image: u64,
    /// Whether `DYNAMIC_BASE` is set.
    pub(crate) aslr: bool,
    /// Whether `GUARD_CF` is set.
    pub(crate) guard_cf: bool,
    /// Whether it has a certificate table.
    pub(crate) signed: bool,
    /// The CheckSum field.
    pub(crate) checksum: CheckSumReport,
    /// What was judged; with the policy asked for applied.
    pub(crate) condition: Condition,
    /// The first of `reasons`, if any.
    pub(crate) reason: Option<Reason>,
    /// Every reason to leave it as it is.
    pub(crate) reasons: Vec<Reason>,
    /// What each reason rests on, in English.
    pub(crate) findings: Vec<Finding>,
    /// What a process that maps it is charged.
    pub(crate) commit: Commit,
    /// How many bytes a patch would change; 0 where there is nothing to patch.
    pub(crate) bytes_to_change: u64,
    /// All sections, in the order of the file.
    pub(crate) sections: Vec<SectionInspection>,
    /// The DLLs that it imports; null if the table cannot be read.
    pub(crate) imports: Option<Vec<String>>,
    /// The DLLs that it loads on first use; null if the table cannot be read.
    pub(crate) delay_imports: Option<Vec<String>>,
}

/// The CheckSum field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct CheckSumReport {
    /// The value in the header.
    pub(crate) value: u32,
    /// What the value can be.
    pub(crate) state: CheckSumState,
    /// The right value, where a full pass was asked for.
    pub(crate) computed: Option<u32>,
    /// Whether the value is right; null without a full pass, or where unset.
    pub(crate) valid: Option<bool>,
}

/// One section.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct SectionInspection {
    /// Its name, as text.
    pub(crate) name: String,
    /// Its address, relative to the image base, in bytes.
    pub(crate) virtual_address: u64,
    /// Its size in memory, in bytes.
    pub(crate) virtual_size: u64,
    /// Its offset in the file, in bytes.
    pub(crate) file_offset: u64,
    /// Its size in the file, in bytes.
    pub(crate) file_size: u64,
    /// The characteristics, all 32 bits.
    pub(crate) characteristics: u32,
    /// Whether `MEM_WRITE` is set.
    pub(crate) writable: bool,
    /// Whether `MEM_EXECUTE` is set.
    pub(crate) executable: bool,
    /// Whether `MEM_SHARED` is set.
    pub(crate) shared: bool,
    /// What each process that maps the image is charged for it, in bytes.
    pub(crate) commit: u64,
    /// How many base relocations fall into it; null if they cannot be read.
    pub(crate) relocations: Option<u64>,
    /// Whose GPU code it holds, if it is a fat-binary section.
    pub(crate) fatbin_kind: Option<FatbinKind>,
    /// The GPU code; null for other sections, and where it cannot be walked.
    pub(crate) fatbin: Option<FatbinSummary>,
}

/// Reads all of it.
///
/// # Errors
///
/// The first step without which there is nothing to tell, as a failure of the
/// file at `path`. A table that is damaged is null, not an error.
pub(crate) fn inspect<R: ReadAt>(
    path: &Path,
    image: &Image<R>,
    policy: Policy,
    full_pass: bool,
) -> Result<Inspection, fixnvpe_pe::Error> {
    let judged = image.condition()?;
    let commit = image.commit_charge(&policy)?.into();
    let plan = Patch::plan(image, &policy)?;
    Ok(Inspection {
        path: path.to_path_buf(),
        path_raw: fixnvpe_files::raw(path),
        size: image.len(),
        machine: image.machine().to_string(),
        kind: image.kind(),
        dll: image.is_dll(),
        image_base: image.image_base(),
        size_of_image: u64::from(image.size_of_image()),
        aslr: image.has_aslr(),
        guard_cf: image.has_guard_cf(),
        signed: image.certificate_table().is_some(),
        checksum: checksum(image, full_pass)?,
        condition: judged.under(&policy),
        reason: judged.reason(),
        reasons: judged.reasons,
        findings: judged.findings,
        commit,
        bytes_to_change: plan.map_or(0, |patch| {
            patch.edits().iter().map(|edit| edit.new.len() as u64).sum()
        }),
        sections: sections(image),
        imports: readable(path, "imports", image.imports()),
        delay_imports: readable(path, "delay imports", image.delay_imports()),
    })
}

fn checksum<R: ReadAt>(
    image: &Image<R>,
    full_pass: bool,
) -> Result<CheckSumReport, fixnvpe_pe::Error> {
    let value = image.check_sum();
    let state = image.check_sum_state();
    let computed = full_pass.then(|| image.check_sum_full()).transpose()?;
    let valid = computed
        .filter(|_| state != CheckSumState::Unset)
        .map(|right| same_check_sum(value, right, image.len()));
    Ok(CheckSumReport {
        value,
        state,
        computed,
        valid,
    })
}

fn sections<R: ReadAt>(image: &Image<R>) -> Vec<SectionInspection> {
    let relocations = image.base_relocations().ok();
    image
        .sections()
        .iter()
        .map(|section| SectionInspection {
            name: section.name().into_owned(),
            virtual_address: u64::from(section.virtual_address()),
            virtual_size: u64::from(section.size_in_memory()),
            file_offset: u64::from(section.pointer_to_raw_data()),
            file_size: u64::from(section.size_of_raw_data()),
            characteristics: section.characteristics(),
            writable: section.characteristics() & MEM_WRITE != 0,
            executable: section.characteristics() & MEM_EXECUTE != 0,
            shared: section.characteristics() & MEM_SHARED != 0,
            commit: section.commit_charge(),
            relocations: relocations.as_ref().map(|all| {
                let own = all.iter().filter(|of| of.section == section.index());
                own.map(|of| of.count).sum()
            }),
            fatbin_kind: section.fatbin_kind(),
            fatbin: summary(image, section),
        })
        .collect()
}

fn summary<R: ReadAt>(image: &Image<R>, section: &Section) -> Option<FatbinSummary> {
    section.fatbin_kind()?;
    let summary = image.fatbin(section).and_then(fixnvpe_pe::Fatbin::summary);
    summary
        .inspect_err(|error| tracing::debug!(%error, "no summary of the GPU code"))
        .ok()
}

fn readable<T>(path: &Path, what: &str, table: Result<T, fixnvpe_pe::Error>) -> Option<T> {
    table
        .inspect_err(|error| {
            tracing::warn!(path = %path.display(), %error, "cannot read the table of {what}");
        })
        .ok()
}
