//! The GPU code of an image: a lazy, bounded walk through a section of CUDA fat
//! binaries.
//!
//! The section is a row of modules (fat binaries), 8-aligned, with runs of zeros
//! between some of them; each module is a row of elements: one cubin or one PTX
//! text for one architecture. The layout is not documented by NVIDIA; what is
//! relied on here was checked on the DLLs of 40 real packages. Headers alone are
//! read: the cost does not depend on how much code there is.

mod architecture;
mod element;
mod module;
mod summary;
mod wrapper;

pub use architecture::{Architecture, CodeKind, ComputeCapability, DeviceCode, Target};
pub use element::{Compression, Element, Elements};
pub use module::{Fatbin, Gaps, Module};
pub use summary::{ArchitectureSummary, FatbinSummary};
