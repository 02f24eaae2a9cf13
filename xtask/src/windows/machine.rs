//! What this machine has of what a Windows build needs.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::TARGET;
use super::invocation::Invocation;

/// Where Debian puts its compilers.
pub(super) const DEBIAN_BIN: &str = "/usr/bin";
/// Where Debian's `rust-web-src` puts the source of the standard library.
const DEBIAN_LIBRARY: &str = "/usr/lib/rustlib/src/rust/library/Cargo.lock";

/// What was found on this machine.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Machine {
    /// This is Windows: nothing but its own toolchain is needed.
    pub(super) windows: bool,
    /// The active compiler has a standard library for the target.
    pub(super) target: bool,
    /// Debian's compiler is here, with the source of its standard library.
    pub(super) library_source: bool,
    /// mingw-w64's compiler, which links.
    pub(super) linker: Option<PathBuf>,
    pub(super) wine: Option<PathBuf>,
    pub(super) wineserver: Option<PathBuf>,
    pub(super) rustup: Option<PathBuf>,
    pub(super) apt_get: Option<PathBuf>,
    /// The program that gives the right to install; none for who has it.
    pub(super) sudo: Option<PathBuf>,
}

/// How the program gets compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Toolchain {
    /// On Windows, with whatever target its toolchain has.
    Native,
    /// From elsewhere, with a toolchain that has the target.
    Cross,
    /// From elsewhere, standard library included.
    BuildStd,
}

/// What a task cannot do without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    Build,
    BuildAndRun,
}

/// Something that is needed and not here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Missing {
    Target,
    Linker,
    Wine,
}

impl Machine {
    /// Looks at this machine.
    pub(super) fn observe(workspace: &Path) -> Self {
        if cfg!(windows) {
            return Self {
                windows: true,
                ..Self::default()
            };
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        let find = |names: &[&str]| find_program(names, &path, Path::is_file);
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let libraries = Invocation::new(rustc)
            .args(["--print", "target-libdir", "--target", TARGET])
            .output(workspace);
        let debian = Path::new(DEBIAN_BIN);
        let root = Invocation::new("id").arg("-u").output(workspace).as_deref() == Some("0");
        Self {
            windows: false,
            target: libraries.is_some_and(|folder| has_standard_library(Path::new(&folder))),
            library_source: debian.join("rustc").is_file()
                && debian.join("cargo").is_file()
                && Path::new(DEBIAN_LIBRARY).is_file(),
            linker: find(&["x86_64-w64-mingw32-gcc"]),
            wine: find(&["wine", "wine64"]),
            wineserver: find(&["wineserver", "wineserver64"]).or_else(|| {
                find_program(&["wineserver64"], "/usr/lib/wine".as_ref(), Path::is_file)
            }),
            rustup: find(&["rustup"]),
            apt_get: find(&["apt-get"]),
            sudo: if root { None } else { find(&["sudo"]) },
        }
    }

    /// The toolchain to build with, if there is one.
    pub(super) fn toolchain(&self) -> Option<Toolchain> {
        if self.windows {
            Some(Toolchain::Native)
        } else if self.target {
            Some(Toolchain::Cross)
        } else {
            self.library_source.then_some(Toolchain::BuildStd)
        }
    }

    /// What `need` asks for and this machine lacks.
    pub(super) fn missing(&self, need: Need) -> Vec<Missing> {
        if self.windows {
            return Vec::new();
        }
        let mut missing = Vec::new();
        if self.toolchain().is_none() {
            missing.push(Missing::Target);
        }
        if self.linker.is_none() {
            missing.push(Missing::Linker);
        }
        if need == Need::BuildAndRun && (self.wine.is_none() || self.wineserver.is_none()) {
            missing.push(Missing::Wine);
        }
        missing
    }
}

/// The first of `names` in the folders of `path`; an earlier name wins.
fn find_program(names: &[&str], path: &OsStr, exists: impl Fn(&Path) -> bool) -> Option<PathBuf> {
    names.iter().find_map(|name| {
        std::env::split_paths(path)
            .map(|folder| folder.join(name))
            .find(|file| exists(file))
    })
}

/// rustc names the folder of a target's libraries whether it is there or not.
fn has_standard_library(folder: &Path) -> bool {
    fs_err::read_dir(folder).is_ok_and(|entries| {
        entries
            .flatten()
            .any(|entry| entry.file_name().to_string_lossy().starts_with("libstd-"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complete() -> Machine {
        Machine {
            target: true,
            linker: Some("/usr/bin/x86_64-w64-mingw32-gcc".into()),
            wine: Some("/usr/bin/wine".into()),
            wineserver: Some("/usr/bin/wineserver".into()),
            ..Machine::default()
        }
    }

    #[test]
    fn windows_needs_nothing_from_elsewhere() {
        let windows = Machine {
            windows: true,
            ..Machine::default()
        };
        assert_eq!(windows.toolchain(), Some(Toolchain::Native));
        assert_eq!(windows.missing(Need::BuildAndRun), []);
    }

    #[test]
    fn a_target_of_the_active_compiler_goes_before_building_the_library() {
        let mut machine = complete();
        machine.library_source = true;
        assert_eq!(machine.toolchain(), Some(Toolchain::Cross));
        machine.target = false;
        assert_eq!(machine.toolchain(), Some(Toolchain::BuildStd));
        machine.library_source = false;
        assert_eq!(machine.toolchain(), None);
        assert_eq!(machine.missing(Need::Build), [Missing::Target]);
    }

    #[test]
    fn building_needs_no_wine() {
        let mut machine = complete();
        assert_eq!(machine.missing(Need::BuildAndRun), []);
        machine.wine = None;
        assert_eq!(machine.missing(Need::Build), []);
        assert_eq!(machine.missing(Need::BuildAndRun), [Missing::Wine]);
    }

    #[test]
    fn a_bare_machine_lacks_everything() {
        assert_eq!(
            Machine::default().missing(Need::BuildAndRun),
            [Missing::Target, Missing::Linker, Missing::Wine]
        );
    }

    #[test]
    fn the_preferred_name_wins_over_the_earlier_folder() {
        let path = std::env::join_paths(["/a", "/b"]).unwrap();
        let found = find_program(&["wine", "wine64"], &path, |file| {
            file == Path::new("/a").join("wine64") || file == Path::new("/b").join("wine")
        });
        assert_eq!(found, Some(Path::new("/b").join("wine")));
        assert_eq!(find_program(&["wine"], &path, |_| false), None);
    }

    #[test]
    fn a_folder_that_is_not_there_has_no_standard_library() {
        assert!(!has_standard_library(Path::new("/nowhere/lib")));
    }
}
