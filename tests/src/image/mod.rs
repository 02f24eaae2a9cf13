//! The table of one image, the fat binaries inside, and the writer.
//!
//! A [`Layout`] says what an image looks like: sections with names, sizes, characteristics and
//! content, header fields, where the tables of the loader lie, whether a certificate follows.
//! [`Layout::assemble`] turns it into bytes with the PE writer of the `object` crate and lets
//! [`HeaderEdit`]s spoil the result where a fixture must break a rule.
//!
//! ```
//! use fixnvpe_tests::image::{CheckSum, Fatbin, Layout, dll};
//!
//! let mut layout = Layout::cuda_dll(&Fatbin::of(["sm_80"]));
//! layout.dll_characteristics |= dll::GUARD_CF;
//! layout.check_sum = CheckSum::True;
//! layout.certificate = Some(0x1a00);
//! assert!(layout.assemble().unwrap().len() > 0x1a00);
//! ```
//!
//! A layout without [`HeaderEdit`]s loads as a DLL under Windows and Wine. It exports
//! `fatbin_first_bytes`, which returns the first 8 bytes of its first fat-binary section, and
//! `fatbin`, the section's address.

mod check_sum;
mod code;
mod fatbin;
mod header;
mod layout;
mod loader;
mod place;
mod section;
mod string_table;
mod tables;
mod write;

pub use self::check_sum::{CHECK_SUM_OFFSET, check_sum};
pub use self::fatbin::{Compression, Element, ElementKind, Fatbin, Item, Module};
pub use self::header::{CheckSum, Machine, dll};
pub use self::layout::{At, HeaderEdit, Layout};
pub use self::loader::{Import, Start, Table};
pub use self::section::{DATA, MEM_EXECUTE, MEM_SHARED, MEM_WRITE, Place, RDATA, Section, TEXT};

#[cfg(test)]
mod tests;
