//! What is known about the machine.

use fixnvpe_pe::ComputeCapability;
use serde::{Deserialize, Serialize};

use super::PageFiles;
use crate::Version;

/// The commit of the whole system, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct SystemCommit {
    /// What Windows can promise in all: RAM and page files as they are now.
    pub limit: u64,
    /// What it has promised.
    pub used: u64,
}

impl SystemCommit {
    /// A limit and what is used of it, in bytes.
    #[must_use]
    pub fn new(limit: u64, used: u64) -> Self {
        Self { limit, used }
    }

    /// What can still be promised, in bytes.
    #[must_use]
    pub fn headroom(self) -> u64 {
        self.limit.saturating_sub(self.used)
    }
}

/// The room on one drive, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct DriveSpace {
    /// The letter, in upper case.
    pub letter: char,
    /// The size of the volume.
    pub total: u64,
    /// What is free on it.
    pub free: u64,
}

impl DriveSpace {
    /// A drive of this size and room, in bytes.
    #[must_use]
    pub fn new(letter: char, total: u64, free: u64) -> Self {
        Self {
            letter,
            total,
            free,
        }
    }
}

/// One GPU.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Gpu {
    /// Its name, as the driver says it.
    pub name: String,
    /// Its compute capability.
    pub capability: Option<ComputeCapability>,
}

impl Gpu {
    /// A GPU of this name and capability.
    pub fn new(name: impl Into<String>, capability: Option<ComputeCapability>) -> Self {
        let name = name.into();
        Self { name, capability }
    }
}

/// What Smart App Control does (Microsoft, "Test your app with Smart App
/// Control": the registry value `VerifiedAndReputablePolicyState`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum AppControl {
    /// Nothing.
    Off,
    /// It blocks what it does not know.
    Enforced,
    /// It looks on, and decides later.
    Evaluation,
}

impl AppControl {
    /// From the number in the registry.
    #[must_use]
    pub fn from_number(number: u32) -> Option<Self> {
        match number {
            0 => Some(Self::Off),
            1 => Some(Self::Enforced),
            2 => Some(Self::Evaluation),
            _ => None,
        }
    }
}

/// What is known about the machine. The default knows nothing: what is `None`
/// or empty takes part in no finding.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct MachineFacts {
    /// Whether it runs Windows: elsewhere writable sections cost nothing until
    /// they are written to.
    pub windows: bool,
    /// Physical memory that the system can use, in bytes.
    pub physical_memory: Option<u64>,
    /// The commit of the whole system.
    pub commit: Option<SystemCommit>,
    /// What Windows is told about page files.
    pub page_files: PageFiles,
    /// The letter of the drive that Windows is on.
    pub system_drive: Option<char>,
    /// The room on the drives that may hold a page file.
    pub drives: Vec<DriveSpace>,
    /// Cores, each counted once however many threads it runs.
    pub cores: Option<u32>,
    /// Threads that run at once.
    pub logical_processors: Option<u32>,
    /// The GPUs that the NVIDIA driver tells of; `None` where there is no such
    /// driver, or where it could not be asked.
    pub gpus: Option<Vec<Gpu>>,
    /// The version of the NVIDIA driver.
    pub driver: Option<Version>,
    /// What Smart App Control does.
    pub app_control: Option<AppControl>,
}

impl MachineFacts {
    /// A Windows machine of which only the disks are seen: nothing else is
    /// known.
    #[must_use]
    pub fn elsewhere() -> Self {
        Self {
            windows: true,
            ..Self::default()
        }
    }

    /// The room on a drive; with `None`, on the system's own.
    #[must_use]
    pub fn drive(&self, letter: Option<char>) -> Option<&DriveSpace> {
        let letter = letter.or(self.system_drive)?;
        self.drives.iter().find(|drive| drive.letter == letter)
    }

    /// The size of all page files as they are now, in bytes: what the commit
    /// limit has beyond physical memory.
    #[must_use]
    pub fn page_file_now(&self) -> Option<u64> {
        Some(self.commit?.limit.saturating_sub(self.physical_memory?))
    }

    /// The size that Windows may enlarge all page files to by itself, in bytes,
    /// where that is more than they have now.
    #[must_use]
    pub fn page_file_can_grow_to(&self) -> Option<u64> {
        let now = self.page_file_now()?;
        let largest = self.page_files.largest(self, now)?;
        (self.windows && largest > now).then_some(largest)
    }

    /// The GPUs whose compute capability is known, each capability once, the
    /// oldest first.
    #[must_use]
    pub fn capabilities(&self) -> Vec<ComputeCapability> {
        let mut all: Vec<_> = self
            .gpus
            .iter()
            .flatten()
            .filter_map(|gpu| gpu.capability)
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}
