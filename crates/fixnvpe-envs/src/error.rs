//! What a caller can ask for that makes no sense.

/// A request that could not be understood. Looking around a machine itself
/// never fails: what could not be read is part of the answer
/// ([`Skipped`](crate::Skipped)).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Parsing the name of a kind of environment failed.
    #[error(
        "`{word}` is no kind of environment; the kinds are {}",
        crate::Kind::words()
    )]
    UnknownKind {
        /// The word that was given.
        word: String,
    },
    /// Two folders were given for one drive.
    #[error("drive {letter}: was given twice: `{first}` and `{second}`")]
    DriveTwice {
        /// The drive letter, in upper case.
        letter: char,
        /// The folder that was given first.
        first: String,
        /// The folder that was given second.
        second: String,
    },
    /// A drive letter that is none of A to Z.
    #[error("`{letter}` is no drive letter (for the folder `{folder}`)")]
    NoDriveLetter {
        /// What was given in place of a letter.
        letter: char,
        /// The folder that was given for it.
        folder: String,
    },
}
