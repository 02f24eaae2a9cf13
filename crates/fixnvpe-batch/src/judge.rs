//! Opening a file and reading it as an image.

use std::io;

use fixnvpe_files::Kind;
use fixnvpe_pe::{Error, Image};

use crate::collect::Candidate;
use crate::context::Context;
use crate::filesystem::{FileStat, Handle, Source};
use crate::report::{Code, Failure, SkipReason, Skipped, Step, chain, os_code};

/// `ERROR_CANT_ACCESS_FILE` of Windows, a number that no Unix has: the name
/// leads to no file that can be opened, such as the alias of an application.
const CANT_ACCESS_FILE: i32 = 1920;

/// An open file of the selection.
pub(crate) struct Opened {
    pub(crate) file: Box<dyn Handle>,
    pub(crate) stat: FileStat,
}

/// What a file is, if not an image.
#[derive(Debug)]
pub(crate) enum NotImage {
    /// Something else, in a folder: nothing to say.
    Silent,
    /// It starts like an image and breaks the rules.
    Malformed(Failure),
    /// It is gone, or no file that can be opened.
    Vanished(Skipped),
    /// It cannot be read, or the user named something that is no image.
    Failed(Failure),
}

/// Opens a file of the selection for reading.
pub(crate) fn open(candidate: &Candidate, context: &Context<'_>) -> Result<Opened, NotImage> {
    let path = &candidate.path;
    let open = || -> io::Result<Opened> {
        let file = context.files.open_read(path)?;
        let stat = file.stat()?;
        Ok(Opened { file, stat })
    };
    let opened = open().map_err(|error| not_opened(candidate, &error))?;
    if opened.stat.kind == Kind::File {
        return Ok(opened);
    }
    Err(NotImage::Vanished(Skipped::new(path, SkipReason::Special)))
}

/// What an error of opening means. That a file which nobody named is gone, or
/// is none, is no failure.
fn not_opened(candidate: &Candidate, error: &io::Error) -> NotImage {
    let path = &candidate.path;
    let left_out = match Code::of_io(error) {
        _ if candidate.named => None,
        Code::NotFound => Some(SkipReason::Vanished),
        _ => (os_code(error) == Some(CANT_ACCESS_FILE)).then_some(SkipReason::Special),
    };
    match left_out {
        Some(reason) => NotImage::Vanished(Skipped::new(path, reason)),
        None => NotImage::Failed(Failure::of_io(path, Step::Open, error)),
    }
}

/// Opens a file of the selection to change it: it has to be the one that was
/// collected, since its names were put together by its identity.
pub(crate) fn open_collected(
    candidate: &Candidate,
    context: &Context<'_>,
) -> Result<Opened, NotImage> {
    let opened = open(candidate, context)?;
    if opened.stat.id == candidate.id {
        return Ok(opened);
    }
    let what = "another file has taken this name since it was collected";
    let failure = Failure::new(&candidate.path, Step::Open, Code::Changed, what);
    Err(NotImage::Failed(failure))
}

/// Reads an open file as an image.
pub(crate) fn image<'f>(
    candidate: &Candidate,
    opened: &'f Opened,
) -> Result<Image<Source<'f>>, NotImage> {
    Image::read(Source(&*opened.file)).map_err(|error| not_image(candidate, &error))
}

/// What an error of the image reader means for a file of the selection.
pub(crate) fn not_image(candidate: &Candidate, error: &Error) -> NotImage {
    let failure = failure(candidate, error);
    match failure.code {
        Code::NotPe | Code::Unsupported if !candidate.named => NotImage::Silent,
        Code::Malformed => NotImage::Malformed(failure),
        _ => NotImage::Failed(failure),
    }
}

/// An error of the image reader as a failure of the file.
pub(crate) fn failure(candidate: &Candidate, error: &Error) -> Failure {
    let path = &candidate.path;
    let (step, code) = match error {
        Error::NotPe { .. } => (Step::Judge, Code::NotPe),
        Error::Unsupported { .. } => (Step::Judge, Code::Unsupported),
        Error::Read { source, .. } | Error::Size { source } => {
            let mut failure = Failure::of_io(path, Step::Read, source);
            failure.message = chain(error);
            return failure;
        }
        _ => (Step::Judge, Code::Malformed),
    };
    Failure::new(path, step, code, error.to_string())
}

#[cfg(test)]
mod tests {
    use fixnvpe_files::FileId;

    use super::*;
    use crate::report::Links;

    #[test]
    fn an_alias_that_cannot_be_opened_fails_only_for_who_named_it() {
        let candidate = |named| Candidate {
            path: "WindowsApps/python.exe".into(),
            names: vec!["WindowsApps/python.exe".into()],
            id: FileId::new(1, 1),
            links: Links::new(1, 0),
            size: 0,
            named,
        };
        let error = io::Error::from_raw_os_error(CANT_ACCESS_FILE);
        match not_opened(&candidate(false), &error) {
            NotImage::Vanished(skipped) => assert_eq!(skipped.reason, SkipReason::Special),
            other => panic!("{other:?}"),
        }
        let named = not_opened(&candidate(true), &error);
        assert!(matches!(named, NotImage::Failed(_)), "{named:?}");
        let other = not_opened(&candidate(false), &io::Error::other("broken"));
        assert!(matches!(other, NotImage::Failed(_)), "{other:?}");
    }
}
