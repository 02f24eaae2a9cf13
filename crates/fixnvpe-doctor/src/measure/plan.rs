//! What to measure.

use std::path::PathBuf;

use fixnvpe_pe::CommitCharge;

/// An image to map, with what it should cost by its headers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MeasuredImage {
    /// Where it lies.
    pub path: PathBuf,
    /// What each process should be charged for it, in bytes.
    pub calculated: u64,
}

impl MeasuredImage {
    /// An image and what it should cost as it is.
    pub fn new(path: impl Into<PathBuf>, charge: CommitCharge) -> Self {
        Self {
            path: path.into(),
            calculated: charge.now,
        }
    }
}

/// What the processes do.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Subject {
    /// They map images, and run nothing of them.
    Images(Vec<MeasuredImage>),
    /// They are a Python that imports modules.
    Python {
        /// The Python program.
        program: PathBuf,
        /// The modules: `torch`.
        imports: Vec<String>,
        /// What a process should be charged for the images that it maps, where
        /// that is known.
        calculated: Option<u64>,
    },
}

/// A measurement to make.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Plan {
    /// How many processes at once.
    pub processes: u32,
    /// What they do.
    pub subject: Subject,
}

impl Plan {
    /// `workers` processes and a main one.
    #[must_use]
    pub fn new(workers: u32, subject: Subject) -> Self {
        Self {
            processes: workers.saturating_add(1),
            subject,
        }
    }

    /// Whether there is anything to measure.
    pub(super) fn is_empty(&self) -> bool {
        match &self.subject {
            Subject::Images(images) => images.is_empty(),
            Subject::Python { imports, .. } => imports.is_empty(),
        }
    }

    /// What a process should be charged, in bytes.
    pub(super) fn calculated(&self) -> Option<u64> {
        match &self.subject {
            Subject::Images(images) => Some(
                images
                    .iter()
                    .fold(0, |sum: u64, image| sum.saturating_add(image.calculated)),
            ),
            Subject::Python { calculated, .. } => *calculated,
        }
    }
}
