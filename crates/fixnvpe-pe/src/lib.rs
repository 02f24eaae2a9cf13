//! One Windows image (DLL, `.pyd`, EXE): read its headers, judge whether the
//! GPU code in it makes every process pay for memory that is never written,
//! and plan, apply and undo the edit of the headers that ends it.
//!
//! CUDA's compiler before 11.7 put GPU code into a writable section, and
//! Windows charges every process that maps an image for all pages of its
//! writable sections. One bit is wrong: [`MEM_WRITE`].

mod address;
mod checksum;
mod commit;
mod condition;
mod directory;
mod error;
mod fatbin;
mod header;
mod image;
mod imports;
mod little_endian;
mod load_write;
mod patch;
mod policy;
mod reason;
mod relocations;
mod section;
mod source;
mod string_table;

pub use checksum::{CheckSumState, same_check_sum};
pub use commit::CommitCharge;
pub use condition::{Condition, Finding, JudgedSection, Judgement, Reason, Walk};
pub use directory::{CertificateTable, DataDirectory, DirectoryKind};
pub use error::{EditFault, Error, FatbinFault, Malformation, NotPe, Unsupported};
pub use fatbin::{
    Architecture, ArchitectureSummary, CodeKind, Compression, ComputeCapability, DeviceCode,
    Element, Elements, Fatbin, FatbinSummary, Gaps, Module, Target,
};
pub use image::{DYNAMIC_BASE, FORCE_INTEGRITY, GUARD_CF, Image, ImageKind, Machine};
pub use patch::{Edit, Field, Note, Patch, State};
pub use policy::{Aslr, Policy};
pub use relocations::SectionRelocations;
pub use section::{FatbinKind, MEM_EXECUTE, MEM_SHARED, MEM_WRITE, Section};
pub use source::{ReadAt, WriteAt};
