//! What a file is, whatever it is called.
//!
//! A Python environment shares its DLLs with others through hard links, is
//! reached through junctions, and lies on disks whose paths no console can
//! show. This crate answers the questions that have to be right before any
//! byte is changed:
//!
//! - *Is it the same file?* [`FileId`], read from the open handle.
//! - *Who else has it?* [`Stat::links`], and [`Name`]: one name of a file,
//!   the same however the path to it was spelled.
//! - *What lies in this folder?* [`read_folder`] and [`walk`], which follow no
//!   link, junction or reparse point and tell placeholders of cloud storage
//!   apart.
//! - *Who holds it?* [`holding_processes`], where a file is in use.
//! - *How is a path written?* [`shown`] for people, [`raw`] where a name is not
//!   Unicode and must not be lost, [`extended`] for names that Windows would
//!   otherwise rewrite.
//! - *Is a folder an administrator's own?* [`create_protected_folder`].
//!
//! It changes nothing else, except through the handles that a caller writes to.
//!
//! ```
//! # fn main() -> std::io::Result<()> {
//! # let folder = tempfile::tempdir()?;
//! let first = folder.path().join("cudart64_110.dll");
//! let second = folder.path().join("the same.dll");
//! std::fs::write(&first, b"MZ")?;
//! std::fs::hard_link(&first, &second)?;
//!
//! let one = fixnvpe_files::stat(&fixnvpe_files::open_read(&first)?)?;
//! let other = fixnvpe_files::stat(&fixnvpe_files::open_read(&second)?)?;
//! assert_eq!(one.id, other.id);
//! assert_eq!(one.links, 2);
//! assert_ne!(fixnvpe_files::name_of(&first)?, fixnvpe_files::name_of(&second)?);
//! # Ok(())
//! # }
//! ```
//!
//! The modules, in the order in which data meets them: `folder` and `walk`
//! find paths, `handle` opens them, `holder` says who keeps it from that,
//! `identity` and `name` what was opened (`case`
//! compares names as Windows does), `volume` what the disk below can do,
//! `shown` writes it down. `known_folder` and `protection` are about folders of
//! the system and of administrators.

mod case;
mod folder;
mod handle;
mod holder;
mod identity;
mod known_folder;
mod name;
mod protection;
mod shown;
mod volume;
mod walk;

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod win32;

#[cfg(unix)]
use unix as system;
#[cfg(windows)]
use win32 as system;

pub use case::{folded, folded_char, folded_path};
pub use folder::{Entry, Folder, read_folder};
pub use handle::{open_exclusive, open_folder, open_read, stat, stat_path};
pub use holder::{Process, holding_processes};
pub use identity::{FileId, Kind, ParseFileIdError, Stat, is_placeholder};
pub use known_folder::KnownFolder;
pub use name::{Name, distinct_names, name_of};
pub use protection::{Exposure, create_protected_folder};
pub use shown::{extended, from_raw, raw, shown};
pub use volume::{free_space, is_elevated, sync_folder};
pub use walk::{Step, Walked, walk};
