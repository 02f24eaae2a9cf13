//! Wine: a registry and a drive C of this workspace's own, without a display.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::Error;
use super::folders::Folders;
use super::invocation::Invocation;
use super::machine::Machine;

/// The library that Wine before version 9 lacks.
const STUB: &str = "bcryptprimitives.dll";
const STUB_SOURCE: &str = include_str!("bcryptprimitives.c");

/// Adds what every program under Wine needs to the environment.
pub(super) fn environment(invocation: Invocation, folders: &Folders) -> Invocation {
    invocation
        .set("WINEPREFIX", &folders.wine_prefix)
        .set("WINEDEBUG", "-all")
        // Nothing here is .NET or HTML; Wine would ask to download both.
        .set("WINEDLLOVERRIDES", "mscoree,mshtml=")
        // File names are UTF-8 for Wine only where the locale says so.
        .set("LC_ALL", "C.UTF-8")
        // insta asks `cargo metadata` for this folder; no cargo under Wine.
        .set("INSTA_WORKSPACE_ROOT", &folders.workspace)
        .remove("DISPLAY")
        .remove("WAYLAND_DISPLAY")
}

/// The calls that make the prefix ready, in order; each is quick the second time.
fn preparation(machine: &Machine, folders: &Folders) -> Vec<Invocation> {
    let wine = machine.wine.as_deref().unwrap_or(Path::new("wine"));
    // Starting Wine takes a second, a program in a running one 40 ms: let the server stay for ten
    // seconds after the last program.
    let mut all = vec![server(machine, folders, "-p10")];
    let calls = [
        Invocation::new(wine).args(["wineboot", "--init"]),
        // Debian's Wine claims to be Windows 7, which Rust no longer supports.
        Invocation::new(wine).args(["winecfg", "/v", "win10"]),
        // A program that crashes shall end, not wait for a debugger.
        Invocation::new(wine).args([
            "reg",
            "add",
            r"HKLM\Software\Microsoft\Windows NT\CurrentVersion\AeDebug",
            "/v",
            "Debugger",
            "/d",
            "false",
            "/f",
        ]),
        // Drive Z is this whole machine: not a disk to be searched for environments.
        Invocation::new(wine).args([
            "reg",
            "add",
            r"HKLM\Software\Wine\Drives",
            "/v",
            "z:",
            "/d",
            "network",
            "/f",
        ]),
    ];
    all.extend(
        calls
            .into_iter()
            .map(|call| environment(call, folders).set("HOME", &folders.wine_home)),
    );
    all
}

/// A call of the server, to start or to end it.
fn server(machine: &Machine, folders: &Folders, option: &str) -> Invocation {
    let server = machine.wineserver.as_deref();
    let server = Invocation::new(server.unwrap_or(Path::new("wineserver"))).arg(option);
    environment(server, folders).set("HOME", &folders.wine_home)
}

/// Makes the prefix, if it is not there, and starts the server.
pub(super) fn prepare(machine: &Machine, folders: &Folders) -> Result<(), Error> {
    make_folder(&folders.wine_prefix)?;
    make_folder(&folders.wine_home)?;
    let system = folders.wine_prefix.join("drive_c/windows/system32");
    let is_new = !system.exists();
    let mut calls = preparation(machine, folders);
    if is_new {
        // Drives are what they were when the server started.
        calls.push(server(machine, folders, "-k"));
        calls.extend(preparation(machine, folders));
    }
    for call in calls {
        let outcome = call.run_silently(&folders.workspace);
        // An error of the server is that one is running already, or none.
        if !call.shown().contains("wineserver") {
            outcome?;
        }
    }
    // Newer versions have the real library: keep it.
    if !system.join(STUB).exists() {
        let stub = build_stub(machine, folders)?;
        copy(&stub, &system.join(STUB))?;
    }
    Ok(())
}

/// Puts the stub beside the program, for whoever runs it with a Wine of theirs.
pub(super) fn place_stub(
    machine: &Machine,
    folders: &Folders,
    programs: &Path,
) -> Result<(), Error> {
    let stub = build_stub(machine, folders)?;
    copy(&stub, &programs.join(STUB))
}

/// Compiles the stub; its path.
fn build_stub(machine: &Machine, folders: &Folders) -> Result<PathBuf, Error> {
    let source = folders.target.join("bcryptprimitives.c");
    let stub = folders.target.join(STUB);
    let current = fs_err::read_to_string(&source).is_ok_and(|text| text == STUB_SOURCE);
    if current && stub.exists() {
        return Ok(stub);
    }
    make_folder(&folders.target)?;
    let compiler = machine
        .linker
        .as_deref()
        .map_or(OsStr::new("x86_64-w64-mingw32-gcc"), Path::as_os_str);
    // The source goes last: with it in place the library counts as current.
    let unfinished = folders.target.join("bcryptprimitives.unfinished.c");
    fs_err::write(&unfinished, STUB_SOURCE).map_err(Error::File)?;
    Invocation::new(compiler)
        .args(["-shared", "-Os", "-s", "-o"])
        .arg(&stub)
        .arg(&unfinished)
        .arg("-ladvapi32")
        .run(&folders.workspace)?;
    fs_err::rename(&unfinished, &source).map_err(Error::File)?;
    Ok(stub)
}

/// The program under Wine.
pub(super) fn runner(machine: &Machine, folders: &Folders, program: &Path) -> Invocation {
    let wine = machine.wine.as_deref().unwrap_or(Path::new("wine"));
    environment(Invocation::new(wine).arg(program), folders)
}

fn make_folder(folder: &Path) -> Result<(), Error> {
    fs_err::create_dir_all(folder).map_err(Error::File)
}

fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    fs_err::copy(from, to).map(drop).map_err(Error::File)
}

// A build from elsewhere starts on Unix: so do these paths.
#[cfg(all(test, unix))]
mod tests {
    use super::super::machine::Toolchain;
    use super::*;

    fn folders() -> Folders {
        Folders::new(Path::new("/w"), None, Toolchain::Cross)
    }

    #[test]
    fn the_server_starts_before_the_first_program() {
        let calls = preparation(&Machine::default(), &folders());
        let lines: Vec<String> = calls.iter().map(Invocation::shown).collect();
        assert!(lines[0].ends_with("wineserver -p10"), "{lines:?}");
        assert!(lines[1].ends_with("wine wineboot --init"), "{lines:?}");
        let own = "WINEPREFIX=/w/target/windows-gnu/wine ";
        assert!(lines.iter().all(|line| line.starts_with(own)), "{lines:?}");
        let home = "HOME=/w/target/windows-gnu/wine-home ";
        assert!(lines.iter().all(|line| line.contains(home)), "{lines:?}");
    }

    #[test]
    fn a_program_runs_without_a_display_and_with_its_arguments() {
        let call = runner(&Machine::default(), &folders(), Path::new("/w/x.exe")).arg("scan");
        assert!(call.shown().ends_with(" wine /w/x.exe scan"), "{call:?}");
        let without = environment(Invocation::new("x"), &folders());
        assert_ne!(without, without.clone().remove("DISPLAY"));
        assert!(format!("{without:?}").contains(r#"removed: ["DISPLAY""#));
    }
}
