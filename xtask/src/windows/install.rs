//! How to get what is missing.

use std::path::Path;

use super::Error;
use super::TARGET;
use super::invocation::Invocation;
use super::machine::{Machine, Missing, Need};

/// Debian's and Ubuntu's packages of mingw-w64's linker.
const LINKER: [&str; 1] = ["gcc-mingw-w64-x86-64"];
/// Debian's and Ubuntu's packages of Wine, 64 bits only.
const WINE: [&str; 2] = ["wine64", "wine"];
/// Debian's compiler that it keeps recent, and the source of its standard library.
const BUILD_STD: [&str; 3] = ["rustc-web", "cargo-web", "rust-web-src"];

/// Installs what `need` asks for and `machine` lacks, or says how to.
pub(super) fn complete(
    machine: Machine,
    need: Need,
    install: bool,
    workspace: &Path,
) -> Result<Machine, Error> {
    let missing = machine.missing(need);
    if missing.is_empty() {
        return Ok(machine);
    }
    if !install {
        return Err(Error::Missing {
            advice: advice(&machine, &missing),
        });
    }
    // A refusal is no failure yet: Debian's packages are the other way.
    let target_added = missing.contains(&Missing::Target)
        && rustup(&machine).is_some_and(|rustup| rustup.run(workspace).is_ok());
    let left: Vec<Missing> = missing
        .into_iter()
        .filter(|what| *what != Missing::Target || !target_added)
        .collect();
    for step in apt(&machine, &left) {
        step.run(workspace)?;
    }
    let machine = Machine::observe(workspace);
    let missing = machine.missing(need);
    if missing.is_empty() {
        return Ok(machine);
    }
    Err(Error::Missing {
        advice: advice(&machine, &missing),
    })
}

/// What a person types to get all of `missing`.
fn advice(machine: &Machine, missing: &[Missing]) -> String {
    let mut lines = Vec::new();
    let mut packaged = missing.to_vec();
    if let Some(rustup) = rustup(machine)
        && missing.contains(&Missing::Target)
    {
        lines.push(format!("  {}", rustup.shown()));
        packaged.retain(|what| *what != Missing::Target);
    }
    if machine.apt_get.is_some() {
        lines.extend(
            apt(machine, &packaged)
                .iter()
                .map(|step| format!("  {}", step.shown())),
        );
    } else {
        lines.extend(packaged.iter().map(|what| format!("  {}", name(*what))));
    }
    lines.join("\n")
}

/// What to look for where nothing here knows how to install it.
fn name(missing: Missing) -> &'static str {
    match missing {
        Missing::Target => "a Rust toolchain with the target x86_64-pc-windows-gnu",
        Missing::Linker => "mingw-w64 (x86_64-w64-mingw32-gcc)",
        Missing::Wine => "Wine, 64 bits (wine and wineserver)",
    }
}

fn rustup(machine: &Machine) -> Option<Invocation> {
    let rustup = machine.rustup.as_ref()?;
    Some(Invocation::new(rustup).args(["target", "add", TARGET]))
}

/// The calls of apt-get that install `missing`.
fn apt(machine: &Machine, missing: &[Missing]) -> Vec<Invocation> {
    let packages: Vec<&str> = missing
        .iter()
        .flat_map(|what| match what {
            Missing::Target => &BUILD_STD[..],
            Missing::Linker => &LINKER[..],
            Missing::Wine => &WINE[..],
        })
        .copied()
        .collect();
    if packages.is_empty() {
        return Vec::new();
    }
    // Another installation may be under way: wait for it.
    let wait = ["-o", "DPkg::Lock::Timeout=600"];
    let install = ["install", "-y", "--no-install-recommends"];
    vec![
        apt_get(machine).args(wait).arg("update"),
        apt_get(machine).args(wait).args(install).args(packages),
    ]
}

fn apt_get(machine: &Machine) -> Invocation {
    let apt_get = machine.apt_get.as_deref().unwrap_or(Path::new("apt-get"));
    match &machine.sudo {
        // sudo clears the environment, so the variable goes through env.
        Some(sudo) => Invocation::new(sudo)
            .args(["env", "DEBIAN_FRONTEND=noninteractive"])
            .arg(apt_get),
        None => Invocation::new(apt_get).set("DEBIAN_FRONTEND", "noninteractive"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn debian() -> Machine {
        Machine {
            apt_get: Some("/usr/bin/apt-get".into()),
            ..Machine::default()
        }
    }

    fn shown(steps: &[Invocation]) -> Vec<String> {
        steps.iter().map(Invocation::shown).collect()
    }

    #[test]
    fn apt_updates_its_lists_before_it_installs() {
        assert_eq!(
            shown(&apt(&debian(), &[Missing::Linker, Missing::Wine])),
            [
                "DEBIAN_FRONTEND=noninteractive /usr/bin/apt-get -o DPkg::Lock::Timeout=600 update",
                "DEBIAN_FRONTEND=noninteractive /usr/bin/apt-get -o DPkg::Lock::Timeout=600 \
                 install -y --no-install-recommends gcc-mingw-w64-x86-64 wine64 wine",
            ]
        );
        assert_eq!(apt(&debian(), &[]), []);
    }

    #[test]
    fn an_ordinary_user_installs_through_sudo() {
        let mut machine = debian();
        machine.sudo = Some("/usr/bin/sudo".into());
        let steps = shown(&apt(&machine, &[Missing::Linker]));
        assert!(
            steps.iter().all(|step| step
                .starts_with("/usr/bin/sudo env DEBIAN_FRONTEND=noninteractive /usr/bin/apt-get")),
            "{steps:?}"
        );
    }

    #[test]
    fn advice_names_rustup_before_packages_for_the_target() {
        let mut machine = debian();
        let all = [Missing::Target, Missing::Linker];
        assert!(advice(&machine, &all).contains("rustc-web cargo-web rust-web-src gcc-mingw"));
        machine.rustup = Some("/usr/bin/rustup".into());
        let with_rustup = advice(&machine, &all);
        assert!(with_rustup.contains("/usr/bin/rustup target add x86_64-pc-windows-gnu"));
        assert!(!with_rustup.contains("rustc-web"));
    }

    #[test]
    fn without_a_known_installer_advice_names_the_things_themselves() {
        let text = advice(&Machine::default(), &[Missing::Target, Missing::Wine]);
        assert_eq!(
            text,
            "  a Rust toolchain with the target x86_64-pc-windows-gnu\n  \
             Wine, 64 bits (wine and wineserver)"
        );
    }

    #[test]
    fn nothing_is_installed_without_being_asked() {
        let error = complete(debian(), Need::Build, false, Path::new("/nowhere")).unwrap_err();
        assert!(matches!(error, Error::Missing { .. }));
        assert!(error.to_string().contains("--install"), "{error}");
    }
}
