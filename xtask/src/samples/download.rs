//! Wheels from the Python Package Index, kept in a folder between runs.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use fixnvpe_tests::tree::sha256;

use super::wheel::Wheel;
use crate::error::Error;
use crate::files::megabytes;
use crate::python::python;
use crate::screen::say;

/// The wheel's file in the cache, downloaded by pip unless it is there, whole and unchanged.
pub(super) fn obtain(wheel: &Wheel, cache: &Path) -> Result<PathBuf, Error> {
    fs_err::create_dir_all(cache)?;
    let path = cache.join(wheel.file);
    if path.is_file() {
        match verify(wheel, &path) {
            Ok(()) => return Ok(path),
            Err(error) => {
                say(format_args!("{error}: downloading it again"));
                fs_err::remove_file(&path)?;
            }
        }
    }
    say(format_args!(
        "Downloading {} ({}) ...",
        wheel.requirement,
        megabytes(wheel.size)
    ));
    // Into a folder of its own: the cache never holds half a file under its final name.
    let folder = tempfile::tempdir_in(cache)?;
    python(&pip_arguments(wheel, folder.path()))?;
    let downloaded = folder.path().join(wheel.file);
    verify(wheel, &downloaded)?;
    fs_err::rename(&downloaded, &path)?;
    Ok(path)
}

/// Whether a file is the wheel, by size and hash.
fn verify(wheel: &Wheel, path: &Path) -> Result<(), Error> {
    let size = fs_err::metadata(path)?.len();
    if size != wheel.size {
        let must = wheel.size;
        return Err(Error::wrong(format!(
            "`{}` has {size} bytes, not {must}",
            path.display()
        )));
    }
    let hash = HEXLOWER.encode(&sha256(path)?);
    if hash != wheel.sha256 {
        return Err(Error::wrong(format!(
            "`{}` has the SHA-256 {hash}",
            path.display()
        )));
    }
    Ok(())
}

/// For Windows and Python 3.8, whatever machine asks.
fn pip_arguments(wheel: &Wheel, folder: &Path) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = [
        "-m",
        "pip",
        "download",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
        "--only-binary=:all:",
        "--platform",
        "win_amd64",
        "--python-version",
        "3.8",
    ]
    .map(OsString::from)
    .to_vec();
    let tags: &[&str] = if wheel.file.contains("-none-") {
        &["--implementation", "py", "--abi", "none"]
    } else {
        &["--implementation", "cp"]
    };
    arguments.extend(tags.iter().map(OsString::from));
    arguments.extend([
        OsString::from("-d"),
        folder.into(),
        wheel.requirement.into(),
    ]);
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pip_is_asked_for_windows_with_the_tags_of_the_wheel() {
        let shown = |wheel: &Wheel| {
            let arguments = pip_arguments(wheel, Path::new("to"));
            arguments
                .join(std::ffi::OsStr::new(" "))
                .into_string()
                .unwrap()
        };
        let any = super::super::xgboost();
        let any = shown(&any);
        assert!(any.contains("--platform win_amd64 --python-version 3.8"));
        assert!(any.ends_with("--implementation py --abi none -d to xgboost==1.6.2"));
        let bound = shown(&super::super::table::THRUST[0]);
        assert!(bound.ends_with("--implementation cp -d to cupy-cuda111==10.6.0"));
    }

    #[test]
    fn a_file_of_another_size_or_content_is_not_taken_from_the_cache() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.whl");
        fs_err::write(&path, b"abc").unwrap();
        let mut wheel = super::super::xgboost();
        wheel.size = 3;
        // The SHA-256 of `abc` from FIPS 180-2, appendix B.1.
        wheel.sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        verify(&wheel, &path).unwrap();
        fs_err::write(&path, b"abd").unwrap();
        assert!(verify(&wheel, &path).is_err());
        fs_err::write(&path, b"abcd").unwrap();
        assert!(verify(&wheel, &path).is_err());
    }
}
