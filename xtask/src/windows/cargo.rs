//! The calls of cargo.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use super::TARGET;
use super::folders::Folders;
use super::invocation::Invocation;
use super::machine::{DEBIAN_BIN, Machine, Toolchain};

/// The packages whose tests mean something on Windows: all but this one.
pub(super) const TESTED: [&str; 7] = [
    "fixnvpe-files",
    "fixnvpe-pe",
    "fixnvpe-envs",
    "fixnvpe-batch",
    "fixnvpe-doctor",
    "fixnvpe-tests",
    "fixnvpe",
];

/// What cargo is to do.
#[derive(Debug, Clone, Copy)]
pub(super) enum Job<'a> {
    /// Build the program.
    Build,
    /// Let clippy look at everything.
    Lint,
    /// Build the tests of these packages and the program.
    BuildTests { packages: &'a [String] },
    /// Build the tests of these packages and the program, and run them.
    Test {
        packages: &'a [String],
        args: &'a [OsString],
    },
}

/// The call that does `job`.
pub(super) fn invocation(
    job: Job<'_>,
    release: bool,
    toolchain: Toolchain,
    machine: &Machine,
    folders: &Folders,
    path: &OsStr,
) -> Invocation {
    let mut cargo = compiler(toolchain, path);
    if toolchain != Toolchain::Native {
        cargo = cargo.args(configuration(machine));
    }
    cargo = cargo.arg(match job {
        Job::Build => "build",
        Job::Lint => "clippy",
        Job::BuildTests { .. } | Job::Test { .. } => "test",
    });
    if release {
        cargo = cargo.arg("--release");
    }
    if toolchain == Toolchain::BuildStd {
        cargo = cargo.arg("-Zbuild-std");
    }
    if toolchain != Toolchain::Native {
        cargo = cargo
            .args(["--target", TARGET, "--target-dir"])
            .arg(&folders.target);
    }
    match job {
        Job::Build => cargo.args(["--package", "fixnvpe"]),
        Job::Lint => cargo.args(["--workspace", "--all-targets", "--", "-D", "warnings"]),
        Job::BuildTests { packages } => tests(cargo, packages).arg("--no-run"),
        Job::Test { packages, args: [] } => tests(cargo, packages),
        Job::Test { packages, args } => tests(cargo, packages).arg("--").args(args),
    }
}

/// Chooses the tests of these packages, or of all.
fn tests(mut cargo: Invocation, packages: &[String]) -> Invocation {
    let packages: Vec<&str> = if packages.is_empty() {
        TESTED.to_vec()
    } else {
        packages.iter().map(String::as_str).collect()
    };
    for package in packages {
        cargo = cargo.args(["--package", package]);
    }
    // Documentation examples show nothing of Windows; and whoever waited for a build wants to see
    // all that fails.
    cargo.args(["--tests", "--no-fail-fast"])
}

/// Cargo itself, with the compiler that it must use.
fn compiler(toolchain: Toolchain, path: &OsStr) -> Invocation {
    if toolchain != Toolchain::BuildStd {
        return Invocation::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    }
    let debian = Path::new(DEBIAN_BIN);
    // Cargo looks for rustdoc and its own subcommands on PATH, where rustup's
    // proxies may come first; and it was rustup that set these variables.
    let mut folders = debian.as_os_str().to_owned();
    if !path.is_empty() {
        folders.push(":");
        folders.push(path);
    }
    Invocation::new(debian.join("cargo"))
        .set("PATH", folders)
        .set("RUSTC", debian.join("rustc"))
        // Building the standard library is an unstable option.
        .set("RUSTC_BOOTSTRAP", "1")
        .remove("RUSTUP_TOOLCHAIN")
        .remove("CARGO")
        .remove("RUSTDOC")
        .remove("LD_LIBRARY_PATH")
}

/// The linker and the runner, for this target only.
///
/// Not by variable: tests would hand `CARGO_TARGET_..._RUNNER` down to the
/// programs under test, and `assert_cmd` would call Wine from within Wine.
fn configuration(machine: &Machine) -> Vec<String> {
    let mut options = Vec::new();
    let mut option = |key: &str, program: Option<&Path>| {
        if let Some(program) = program {
            options.push("--config".to_owned());
            options.push(format!(
                "target.{TARGET}.{key}={:?}",
                program.to_string_lossy()
            ));
        }
    };
    option("linker", machine.linker.as_deref());
    option("runner", machine.wine.as_deref());
    options
}

// A build from elsewhere starts on Unix: so do these paths.
#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shown(job: Job<'_>, release: bool, toolchain: Toolchain) -> String {
        let machine = Machine {
            linker: Some("/usr/bin/x86_64-w64-mingw32-gcc".into()),
            wine: Some("/usr/bin/wine".into()),
            ..Machine::default()
        };
        let folders = Folders::new(Path::new("/w"), None, toolchain);
        let path = OsStr::new("/root/.cargo/bin:/bin");
        invocation(job, release, toolchain, &machine, &folders, path).shown()
    }

    const TEST: Job<'_> = Job::Test {
        packages: &[],
        args: &[],
    };

    #[test]
    fn linker_and_runner_are_set_for_the_target_alone() {
        let line = shown(Job::Build, false, Toolchain::Cross);
        assert!(
            line.contains(r#"target.x86_64-pc-windows-gnu.runner="/usr/bin/wine"'"#),
            "{line}"
        );
        assert!(
            line.contains(
                r#"target.x86_64-pc-windows-gnu.linker="/usr/bin/x86_64-w64-mingw32-gcc"'"#
            ),
            "{line}"
        );
        assert!(line.ends_with(
            "build --target x86_64-pc-windows-gnu --target-dir /w/target/windows-gnu \
             --package fixnvpe"
        ));
    }

    #[test]
    fn clippy_looks_at_all_that_is_compiled_for_the_target() {
        let line = shown(Job::Lint, false, Toolchain::Cross);
        assert!(
            line.ends_with(
                "clippy --target x86_64-pc-windows-gnu --target-dir /w/target/windows-gnu \
                 --workspace --all-targets -- -D warnings"
            ),
            "{line}"
        );
    }

    #[test]
    fn the_debian_way_keeps_rustup_out() {
        let line = shown(TEST, true, Toolchain::BuildStd);
        assert!(
            line.starts_with(
                "PATH=/usr/bin:/root/.cargo/bin:/bin RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 \
                 /usr/bin/cargo "
            ),
            "{line}"
        );
        assert!(
            line.contains(" test --release -Zbuild-std --target "),
            "{line}"
        );
    }

    #[test]
    fn on_windows_cargo_is_called_as_ever() {
        let line = shown(Job::Build, true, Toolchain::Native);
        assert!(
            line.ends_with(" build --release --package fixnvpe"),
            "{line}"
        );
        assert!(!line.contains("--target"), "{line}");
    }

    #[test]
    fn every_package_is_tested_unless_some_are_named() {
        let all = shown(TEST, false, Toolchain::Cross);
        assert!(
            TESTED
                .iter()
                .all(|name| all.contains(&format!("--package {name} ")))
        );
        assert!(all.ends_with(" --tests --no-fail-fast"), "{all}");
        let packages = ["fixnvpe-pe".to_owned()];
        let args = ["walk".into(), "--nocapture".into()];
        let some = shown(
            Job::Test {
                packages: &packages,
                args: &args,
            },
            false,
            Toolchain::Cross,
        );
        assert!(
            some.ends_with(" --package fixnvpe-pe --tests --no-fail-fast -- walk --nocapture"),
            "{some}"
        );
    }
}
