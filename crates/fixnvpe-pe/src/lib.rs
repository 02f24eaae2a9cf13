//! One Windows image (a DLL, a `.pyd`, an EXE): read its headers, judge whether
//! the GPU code in it makes every process pay for memory that is never written,
//! and plan, apply and undo the edit of the headers that ends it.
//!
//! CUDA's compiler before 11.7 put GPU code into a writable section, and
//! Windows charges each process that maps an image for all pages of its
//! writable sections, used or not. One bit per section is wrong: [`MEM_WRITE`].
//! This crate clears it where that is proven to be safe, keeps the CheckSum
//! right, and gives the exact bytes back.
//!
//! ```
//! use fixnvpe_pe::{Condition, Image, Patch, Policy};
//!
//! # fn image() -> Vec<u8> {
//! #     let mut file = vec![0; 0x600];
//! #     let mut put = |at: usize, bytes: &[u8]| file[at..at + bytes.len()].copy_from_slice(bytes);
//! #     put(0, b"MZ");
//! #     put(0x3c, &[0x40]);
//! #     put(0x40, b"PE\0\0\x64\x86\x01");
//! #     put(0x54, &[0xf0, 0, 0x22, 0x20, 0x0b, 0x02]);
//! #     put(0x74, &[0x80, 1, 0, 0]); // ImageBase
//! #     put(0x78, &0x1000_u32.to_le_bytes());
//! #     put(0x7c, &0x200_u32.to_le_bytes());
//! #     put(0x90, &0x2000_u32.to_le_bytes());
//! #     put(0x94, &0x200_u32.to_le_bytes());
//! #     put(0x9c, &[3, 0, 0x60, 1]);
//! #     put(0xc4, &[16]);
//! #     put(0x148, b".nv_fatb");
//! #     for (at, value) in [(0x150, 0x400_u32), (0x154, 0x1000), (0x158, 0x400), (0x15c, 0x200)] {
//! #         put(at, &value.to_le_bytes());
//! #     }
//! #     put(0x16c, &0xc000_0040_u32.to_le_bytes());
//! #     put(0x200, &[0x50, 0xed, 0x55, 0xba, 1, 0, 16, 0, 0xf0, 3]);
//! #     file
//! # }
//! // Any source that can be read at an offset will do: a `File`, or memory.
//! let mut bytes: Vec<u8> = image();
//! let original = bytes.clone();
//!
//! let image = Image::read(bytes.as_slice())?;
//! assert_eq!(image.condition()?.condition, Condition::Writable);
//! let charge = image.commit_charge(&Policy::default())?;
//! assert_eq!((charge.now, charge.after), (4096, 0));
//!
//! let patch = Patch::plan(&image, &Policy::default())?.expect("it is writable");
//! assert_eq!(patch.edits()[0].old, [0xc0]);
//! assert_eq!(patch.edits()[0].new, [0x40]);
//! patch.apply(&mut bytes)?;
//! assert_eq!(Image::read(bytes.as_slice())?.condition()?.condition, Condition::ReadOnly);
//!
//! patch.inverse().apply(&mut bytes)?;
//! assert_eq!(bytes, original);
//! # Ok::<(), fixnvpe_pe::Error>(())
//! ```
//!
//! # What is read
//!
//! Reading an image takes its first 4 KiB and what the section table needs
//! beyond them. Judging one walks through the headers of its GPU code, only
//! where that is writable: a few KiB for files of hundreds of megabytes. Nothing
//! is mapped or loaded, and no content makes any step long or any buffer larger
//! than about a megabyte. [`Image::check_sum_full`] alone reads the whole file.
//!
//! # Features
//!
//! `serde` lets the report types be written and parsed, `schema` adds their
//! JSON Schemas. Without features the crate needs goblin, scroll and thiserror.

// In the order in which data meets them: bytes, headers, addresses, what lies
// behind them, the judgement, the patch.
mod source;

mod little_endian;

mod header;

mod section;

mod string_table;

mod directory;

mod image;

mod address;

mod imports;

mod relocations;

mod fatbin;

mod policy;

mod load_write;

mod reason;

mod condition;

mod commit;

mod checksum;

mod patch;

mod error;

mod malformation;

pub use checksum::{CheckSumState, same_check_sum};
pub use commit::CommitCharge;
pub use condition::{Condition, Finding, JudgedSection, Judgement, Reason, Walk};
pub use directory::{CertificateTable, DataDirectory, DirectoryKind};
pub use error::{Error, NotPe, Unsupported};
pub use fatbin::{
    Architecture, ArchitectureSummary, CodeKind, Compression, ComputeCapability, DeviceCode,
    Element, Elements, Fatbin, FatbinSummary, Gaps, Module, Target,
};
pub use image::{DYNAMIC_BASE, FORCE_INTEGRITY, GUARD_CF, Image, ImageKind, Machine};
pub use malformation::{EditFault, FatbinFault, Malformation};
pub use patch::{Edit, Field, Note, Patch, State};
pub use policy::{Aslr, Policy};
pub use relocations::SectionRelocations;
pub use section::{FatbinKind, MEM_EXECUTE, MEM_SHARED, MEM_WRITE, Section};
pub use source::{ReadAt, WriteAt};
