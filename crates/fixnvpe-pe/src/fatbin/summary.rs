//! All of a section's GPU code at a glance.

use std::collections::BTreeMap;

use crate::error::Error;
use crate::fatbin::architecture::{Architecture, ComputeCapability, DeviceCode};
use crate::fatbin::element::Compression;
use crate::fatbin::module::{Fatbin, Gaps};
use crate::malformation::FatbinFault;
use crate::source::ReadAt;

/// The most elements of one section; real ones have up to a few thousand.
const MAX_ELEMENTS: u64 = 1 << 18;
/// The most different architectures; the field has 32 bits, real code 20 values.
const MAX_ARCHITECTURES: usize = 1024;

/// What a section of CUDA fat binaries holds. Sizes are in bytes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct FatbinSummary {
    /// How many modules.
    pub modules: u64,
    /// How many elements in all of them.
    pub elements: u64,
    /// Bytes of all modules, headers included.
    pub bytes: u64,
    /// The zeros between and after the modules.
    pub gaps: Gaps,
    /// The architectures, ordered by capability.
    pub architectures: Vec<ArchitectureSummary>,
    /// The ways in which payloads are stored.
    pub compression: Vec<Compression>,
}

/// The code for one architecture. Sizes are in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ArchitectureSummary {
    /// Its name: `sm_86`, `compute_75`.
    pub name: String,
    /// Its parts.
    pub architecture: Architecture,
    /// How many elements are for it.
    pub elements: u64,
    /// Bytes of their payloads in the file.
    pub bytes: u64,
}

impl FatbinSummary {
    /// Whether there is code that `device` runs, and in which form: the best of
    /// what the architectures offer.
    #[must_use]
    pub fn has_code_for(&self, device: ComputeCapability) -> DeviceCode {
        self.architectures
            .iter()
            .map(|it| it.architecture.runs_on(device))
            .max()
            .unwrap_or(DeviceCode::None)
    }
}

impl<R: ReadAt> Fatbin<'_, R> {
    /// Walks on to the end of the section, through every element.
    ///
    /// # Errors
    ///
    /// [`Error::Fatbin`] where the chain of modules or of elements breaks,
    /// [`Error::Read`] where the source fails.
    pub fn summary(mut self) -> Result<FatbinSummary, Error> {
        let mut summary = FatbinSummary::default();
        let mut architectures = BTreeMap::<Architecture, (u64, u64)>::new();
        while let Some(module) = self.next() {
            let module = module?;
            summary.bytes += module.size;
            for element in module.elements(self.image()) {
                let element = element?;
                summary.elements += 1;
                let (elements, bytes) = architectures.entry(element.architecture).or_default();
                *elements += 1;
                *bytes += element.payload_size;
                if !summary.compression.contains(&element.compression) {
                    summary.compression.push(element.compression);
                }
                if summary.elements > MAX_ELEMENTS || architectures.len() > MAX_ARCHITECTURES {
                    return Err(self.fault(FatbinFault::TooManyElements {
                        limit: MAX_ELEMENTS,
                    }));
                }
            }
        }
        summary.modules = self.modules();
        summary.gaps = self.gaps();
        summary.compression.sort_unstable();
        summary.architectures = architectures
            .into_iter()
            .map(|(architecture, (elements, bytes))| ArchitectureSummary {
                name: architecture.to_string(),
                architecture,
                elements,
                bytes,
            })
            .collect();
        Ok(summary)
    }
}
