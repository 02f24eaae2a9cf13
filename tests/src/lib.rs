//! Fixtures that the tests of fixnvpe share: images written from tables, and trees of files.
//!
//! No binary lies in the repository: every image is described by a table ([`image::Layout`]) and
//! written when a test needs it. An image may have the size of the real one that it stands for,
//! since what is zero takes no room on disk or in memory ([`sparse::SparseBytes`]).
//!
//! ```
//! use fixnvpe_tests::image::{Fatbin, Layout, MEM_WRITE, Section};
//!
//! # fn main() -> std::io::Result<()> {
//! let fatbin = Fatbin::of(["sm_70", "sm_86", "compute_86"]);
//! let layout = Layout::cuda_dll(&fatbin);
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("kernels.dll");
//! layout.write_to(&path)?;
//!
//! let bytes = layout.assemble()?.to_vec();
//! assert_eq!(bytes, fs_err::read(&path)?);
//! assert_eq!(layout.sections[layout.index_of(".nv_fatb")].characteristics & MEM_WRITE, MEM_WRITE);
//! # Ok(())
//! # }
//! ```
//!
//! The crate depends on no crate of fixnvpe, so that all of them may use it in their tests. Images
//! are written by the `object` crate, which is also the independent reader that tests compare with.
//!
//! In the order in which data meets them:
//!
//! - [`sparse`]: bytes of which only the ones that are not zero are kept;
//! - [`image`]: the table of one image, the fat binaries inside, and the writer;
//! - [`fixtures`]: the table of all fixture images, each with what a scan must say about it;
//! - [`tree`]: folders full of them, with links and the records of package managers.

pub mod fixtures;
pub mod image;
pub mod sparse;
pub mod tree;
