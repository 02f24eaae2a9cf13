//! An image of one environment, as a scan reported it.

use std::path::{Path, PathBuf};

use fixnvpe_batch::ImageReport;
use fixnvpe_pe::{CommitCharge, Condition, Reason};

/// What the rules need of a scanned image.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct Scanned {
    /// The name of the file that lies in this environment.
    pub(super) path: PathBuf,
    pub(super) condition: Condition,
    pub(super) reason: Option<Reason>,
    pub(super) commit: CommitCharge,
    pub(super) signed: bool,
    pub(super) aslr: bool,
    pub(super) patched: bool,
    pub(super) has_fatbin: bool,
    pub(super) package: Option<String>,
    /// The path below `site-packages` in lower case with `/`, if it is there.
    below_site: Option<String>,
}

impl Scanned {
    #[cfg(test)]
    pub(super) fn new(
        path: impl Into<PathBuf>,
        below_site: Option<&str>,
        condition: Condition,
        commit: CommitCharge,
    ) -> Self {
        Self {
            path: path.into(),
            condition,
            reason: None,
            commit,
            signed: false,
            aslr: true,
            patched: false,
            has_fatbin: condition != Condition::NoFatbin,
            package: None,
            below_site: below_site.map(str::to_lowercase),
        }
    }

    /// The report of an image, if one of its names lies in the environment.
    pub(super) fn of(report: &ImageReport, folders: &[&Path], sites: &[PathBuf]) -> Option<Self> {
        let path = report
            .names
            .iter()
            .chain([&report.path])
            .find(|name| folders.iter().any(|folder| name.starts_with(folder)))?;
        let below_site = sites
            .iter()
            .filter_map(|site| path.strip_prefix(site).ok())
            .map(|below| below.to_string_lossy().to_lowercase().replace('\\', "/"))
            .next();
        Some(Self {
            path: path.clone(),
            condition: report.condition,
            reason: report.reason,
            commit: CommitCharge::new(report.commit.now, report.commit.after),
            signed: report.signed,
            aslr: report.aslr,
            patched: report.patched_in.is_some(),
            has_fatbin: !report.sections.is_empty(),
            package: report.package.as_ref().map(|package| package.name.clone()),
            below_site,
        })
    }

    /// The name of the file in lower case, as Windows compares it.
    pub(super) fn name(&self) -> String {
        self.path
            .file_name()
            .map(|name| name.to_string_lossy().to_lowercase())
            .unwrap_or_default()
    }

    pub(super) fn folder(&self) -> Option<&Path> {
        self.path.parent()
    }

    pub(super) fn below_site(&self) -> Option<&str> {
        self.below_site.as_deref()
    }
}
