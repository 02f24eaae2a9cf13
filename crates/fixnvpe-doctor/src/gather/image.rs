//! An image of one environment, as a scan reported it.

use std::path::{Path, PathBuf};

use fixnvpe_batch::ImageReport;
use fixnvpe_envs::Environment;
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
    /// The path as it is compared, see [`key`].
    key: String,
    /// The part of the key below `site-packages`, in lower case, if it is there.
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
        let path = path.into();
        Self {
            key: key(&path, true),
            path,
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

    /// The report of an image, if one of its names is part of the environment.
    pub(super) fn of(report: &ImageReport, home: &Home) -> Option<Self> {
        let (path, key) = report
            .names
            .iter()
            .chain([&report.path])
            .map(|name| (name, key(name, home.windows)))
            .find(|(_, key)| home.holds(key))?;
        let below_site = home
            .sites
            .iter()
            .find_map(|site| key.strip_prefix(site))
            .map(str::to_lowercase);
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
            key,
            below_site,
        })
    }

    /// The name of the file in lower case, as Windows compares it.
    pub(super) fn name(&self) -> String {
        let name = self.key.rsplit('/').next().unwrap_or_default();
        name.to_lowercase()
    }

    /// The folder, as it is compared.
    pub(super) fn folder(&self) -> &str {
        self.key.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    pub(super) fn below_site(&self) -> Option<&str> {
        self.below_site.as_deref()
    }
}

/// The folders of an environment, as they are compared.
#[derive(Debug)]
pub(super) struct Home {
    windows: bool,
    folders: Vec<String>,
    inner: Vec<String>,
    sites: Vec<String>,
}

impl Home {
    /// `inner`: folders in it that are not a part of it. `windows`: whether the
    /// machine compares names without regard to case.
    pub(super) fn new(environment: &Environment, inner: &[PathBuf], windows: bool) -> Self {
        let folder = |path: &Path| format!("{}/", key(path, windows).trim_end_matches('/'));
        Self {
            windows,
            folders: environment.folders().into_iter().map(folder).collect(),
            inner: inner.iter().map(|path| folder(path)).collect(),
            sites: environment
                .site_packages
                .iter()
                .map(|site| folder(site))
                .collect(),
        }
    }

    /// Whether a file is part of the environment: of the folders that hold it,
    /// the innermost decides.
    fn holds(&self, key: &str) -> bool {
        let innermost = |folders: &[String]| {
            folders
                .iter()
                .filter(|folder| key.starts_with(*folder))
                .map(String::len)
                .max()
        };
        innermost(&self.folders) > innermost(&self.inner)
    }
}

/// A path as it is compared: as people write it, whatever prefix a scan gave it,
/// with `/`, and on Windows in lower case.
fn key(path: &Path, windows: bool) -> String {
    let shown = fixnvpe_files::shown(path);
    let text = shown.to_string_lossy();
    if windows {
        text.replace('\\', "/").to_lowercase()
    } else {
        text.into_owned()
    }
}
