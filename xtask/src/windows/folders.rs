//! Where things lie.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::TARGET;
use super::machine::Toolchain;

/// The folders of one build.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Folders {
    /// The root of the workspace.
    pub(super) workspace: PathBuf,
    /// Cargo's target folder for this build alone.
    pub(super) target: PathBuf,
    /// Where Wine keeps its registry and its drive C.
    pub(super) wine_prefix: PathBuf,
    /// The home folder that Wine links its Documents and Desktop to.
    pub(super) wine_home: PathBuf,
}

impl Folders {
    /// Places all folders below cargo's target folder; `cargo_target_dir` is
    /// the variable of that name, absolute.
    pub(super) fn new(
        workspace: &Path,
        cargo_target_dir: Option<&Path>,
        toolchain: Toolchain,
    ) -> Self {
        let shared = cargo_target_dir.map_or_else(|| workspace.join("target"), Path::to_path_buf);
        let own = shared.join("windows-gnu");
        Self {
            workspace: workspace.to_path_buf(),
            wine_prefix: own.join("wine"),
            wine_home: own.join("wine-home"),
            target: match toolchain {
                Toolchain::Native => shared,
                Toolchain::Cross | Toolchain::BuildStd => own,
            },
        }
    }

    /// The folder of the built program.
    pub(super) fn programs(&self, toolchain: Toolchain, release: bool) -> PathBuf {
        let profile = if release { "release" } else { "debug" };
        match toolchain {
            Toolchain::Native => self.target.join(profile),
            Toolchain::Cross | Toolchain::BuildStd => self.target.join(TARGET).join(profile),
        }
    }

    /// The built program.
    pub(super) fn program(&self, toolchain: Toolchain, release: bool) -> PathBuf {
        self.programs(toolchain, release)
            .join(OsStr::new("fixnvpe.exe"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_from_elsewhere_has_a_target_folder_of_its_own() {
        let folders = Folders::new(Path::new("/w"), None, Toolchain::Cross);
        assert_eq!(folders.target, Path::new("/w/target/windows-gnu"));
        assert_eq!(
            folders.program(Toolchain::Cross, true),
            Path::new("/w/target/windows-gnu/x86_64-pc-windows-gnu/release/fixnvpe.exe")
        );
        assert!(folders.wine_prefix.starts_with(&folders.target));
    }

    #[test]
    fn on_windows_the_usual_target_folder_serves() {
        let folders = Folders::new(Path::new("/w"), Some(Path::new("/t")), Toolchain::Native);
        assert_eq!(
            folders.program(Toolchain::Native, false),
            Path::new("/t/debug/fixnvpe.exe")
        );
    }
}
