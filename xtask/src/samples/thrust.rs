//! One DLL of two releases: patched in the one, replaced by the other, which was never writable but
//! reads at the same offset what a patch would have written. It must not be "restored".

use std::ffi::OsStr;
use std::path::Path;

use fixnvpe_tests::tree::sha256;

use super::{download, install, table, wheel::installed};
use crate::check::Checks;
use crate::error::Error;
use crate::program::Program;
use crate::screen::say;

const THRUST: &str = "cupy/cuda/thrust.cp38-win_amd64.pyd";

/// Patches the first release, puts the second one in its place, and asks for a restore.
pub(super) fn trap(
    program: &Program,
    cache: &Path,
    work: &Path,
    checks: &mut Checks,
) -> Result<(), Error> {
    say("\nAnother release in place of a patched file");
    let name = installed(THRUST);
    let [old, new] = table::THRUST;
    let mut paths = Vec::new();
    for (wheel, folder) in [(old, "cupy111"), (new, "cupy117")] {
        let prefix = work.join(folder);
        install::unpack(&download::obtain(&wheel, cache)?, &prefix)?;
        paths.push(prefix.join(&name));
    }
    let [path, other] = &paths[..] else {
        return Err(Error::wrong("two releases"));
    };

    let (code, document) = program.json([OsStr::new("patch"), path.as_os_str()])?;
    checks.exit_code("a patch of the first", code, 0);
    let edits = &document["results"][0]["edits"];
    checks.json("its edit: offset", &edits[0]["offset"], 0x2df);
    let byte = |path: &Path| -> Result<u8, Error> { Ok(fs_err::read(path)?[0x2df]) };
    checks.equal("the byte at 0x2df of the first", &byte(path)?, &0x40_u8);
    checks.equal("the byte at 0x2df of the second", &byte(other)?, &0x40_u8);

    fs_err::remove_file(path)?;
    fs_err::copy(other, path)?;
    let before = sha256(path)?;
    let (code, document) = program.json([OsStr::new("restore"), path.as_os_str()])?;
    let result = &document["results"][0];
    checks.json("a restore: outcome", &result["outcome"], "skipped");
    checks.json("a restore: reason", &result["reason"], "stale");
    let ended = format!("a restore: exit code {code:?}, which is no failure");
    checks.holds(&ended, matches!(code, Some(0 | 4)));
    checks.holds("the second release is untouched", sha256(path)? == before);

    let (_, document) = program.json([OsStr::new("restore"), OsStr::new("--everything")])?;
    let stale = &document["results"][0]["reason"];
    checks.json("a restore of everything: reason", stale, "stale");
    checks.holds("the second release is untouched", sha256(path)? == before);
    Ok(())
}
