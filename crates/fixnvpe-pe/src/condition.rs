//! The one place that judges an image.

use std::fmt;

use crate::error::Error;
use crate::fatbin::Gaps;
use crate::image::Image;
use crate::policy::Policy;
use crate::reason;
use crate::section::{FatbinKind, Section};
use crate::source::ReadAt;

/// What can be done about an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum Condition {
    /// A fat-binary section is writable and safe to make read-only.
    Writable,
    /// Fat-binary sections are there and all read-only: nothing to do.
    ReadOnly,
    /// No fat-binary section.
    NoFatbin,
    /// A writable fat-binary section must stay as it is.
    Refused,
}

impl Condition {
    /// The stable word for scripts.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Writable => "writable",
            Self::ReadOnly => "read_only",
            Self::NoFatbin => "no_fatbin",
            Self::Refused => "refused",
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Why an image is refused, from the gravest on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum Reason {
    /// The image breaks the format's rules.
    Malformed,
    /// It runs in the native subsystem: a driver, whose CheckSum and signature
    /// are checked.
    Driver,
    /// Windows checks its signature at every load (`FORCE_INTEGRITY`).
    IntegrityChecked,
    /// The section is shared between processes, or holds code.
    SharedOrCode,
    /// The section has fewer bytes in the file than in memory, or compressed
    /// content: it is unpacked in place at load.
    Packed,
    /// The content is not a chain of fat binaries from start to end.
    NotFatbin,
    /// The loader or the start-up code writes into the section.
    WrittenAtLoad,
    /// The image is signed; the only reason that a policy can lift.
    Signed,
}

impl Reason {
    /// The stable word for scripts.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Malformed => "malformed",
            Self::Driver => "driver",
            Self::IntegrityChecked => "integrity_checked",
            Self::SharedOrCode => "shared_or_code",
            Self::Packed => "packed",
            Self::NotFatbin => "not_fatbin",
            Self::WrittenAtLoad => "written_at_load",
            Self::Signed => "signed",
        }
    }

    /// One English sentence for people.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Malformed => "The image breaks the rules of the PE format.",
            Self::Driver => "The image is a driver; Windows checks its checksum and signature.",
            Self::IntegrityChecked => {
                "Windows checks the signature of this image whenever it is loaded."
            }
            Self::SharedOrCode => "The section is shared between processes or holds code.",
            Self::Packed => {
                "The section is unpacked in place when the image is loaded and must stay writable."
            }
            Self::NotFatbin => "The section does not hold GPU code from its start to its end.",
            Self::WrittenAtLoad => "Windows writes into the section when it loads the image.",
            Self::Signed => "The image is signed and a change would break the signature.",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One reason with what was found, in English, for those who want to know more.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Finding {
    /// The reason.
    pub reason: Reason,
    /// The name of the section that it is about; none if about the whole image.
    pub section: Option<String>,
    /// What was found.
    pub detail: String,
}

impl Finding {
    /// About the image as a whole.
    pub(crate) fn of_image(reason: Reason, detail: impl Into<String>) -> Self {
        Self {
            reason,
            section: None,
            detail: detail.into(),
        }
    }

    /// About one section.
    pub(crate) fn of_section(reason: Reason, section: &Section, detail: impl Into<String>) -> Self {
        Self {
            reason,
            section: Some(section.name().into_owned()),
            detail: detail.into(),
        }
    }
}

/// A fat-binary section as it was judged. Sizes are in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct JudgedSection {
    /// Its position in the section table, from 0.
    pub index: usize,
    /// Its name; bytes that are not UTF-8 are replaced.
    pub name: String,
    /// Whose device code it holds, by its name.
    pub kind: FatbinKind,
    /// Its `VirtualSize` field.
    pub virtual_size: u32,
    /// Whether it is writable now.
    pub writable: bool,
    /// What the walk met; only for writable CUDA sections that walk to the end.
    pub walk: Option<Walk>,
}

/// What a walk from module to module met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Walk {
    /// How many modules.
    pub modules: u64,
    /// The zeros between and after them.
    pub gaps: Gaps,
}

impl Walk {
    pub(crate) fn new(modules: u64, gaps: Gaps) -> Self {
        Self { modules, gaps }
    }
}

/// The judgement on one image.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Judgement {
    /// What can be done under the default policy.
    pub condition: Condition,
    /// All reasons to refuse, once each, from the gravest on; empty unless
    /// [`Condition::Refused`].
    pub reasons: Vec<Reason>,
    /// What led to them.
    pub findings: Vec<Finding>,
    /// The fat-binary sections, in the order of the section table.
    pub sections: Vec<JudgedSection>,
}

impl Judgement {
    /// The gravest reason to refuse.
    #[must_use]
    pub fn reason(&self) -> Option<Reason> {
        self.reasons.first().copied()
    }

    /// The condition under `policy`, which can lift [`Reason::Signed`] where
    /// that stands alone.
    #[must_use]
    pub fn under(&self, policy: &Policy) -> Condition {
        if policy.allow_signed && self.reasons == [Reason::Signed] {
            Condition::Writable
        } else {
            self.condition
        }
    }
}

/// Judges an image: the condition, and every reason that applies.
pub(crate) fn judge<R: ReadAt>(image: &Image<R>) -> Result<Judgement, Error> {
    let mut sections = Vec::new();
    let mut findings = Vec::new();
    for section in image.fatbin_sections() {
        let walk = if section.is_writable() {
            reason::of_section(image, section, &mut findings)?
        } else {
            None
        };
        sections.extend(section.fatbin_kind().map(|kind| JudgedSection {
            index: section.index(),
            name: section.name().into_owned(),
            kind,
            virtual_size: section.virtual_size(),
            writable: section.is_writable(),
            walk,
        }));
    }
    let writable = sections.iter().any(|section| section.writable);
    if writable {
        reason::of_image(image, &mut findings);
    }
    findings.sort_by_key(|finding| finding.reason);
    let mut reasons: Vec<_> = findings.iter().map(|finding| finding.reason).collect();
    reasons.dedup();
    let condition = if sections.is_empty() {
        Condition::NoFatbin
    } else if !writable {
        Condition::ReadOnly
    } else if reasons.is_empty() {
        Condition::Writable
    } else {
        Condition::Refused
    };
    Ok(Judgement {
        condition,
        reasons,
        findings,
        sections,
    })
}
