//! Which Python environments a machine has, and which package owns a file.
//!
//! A machine is a value ([`Machine`]): the one that the program runs on, a set
//! of Windows disks mounted elsewhere, or a tree that a test made. Every rule
//! is a function of that value, so that Windows is looked around in the same
//! way from Linux as from Windows. Nothing is started, nothing is written, and
//! no link is followed but one that somebody named.
//!
//! ```
//! use fixnvpe_envs::{DiscoverOptions, Found, Machine, Packages, discover, find};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let disk = tempfile::tempdir()?;
//! # let prefix = disk.path().join("Users/Ann/anaconda3/envs/yolov5");
//! # std::fs::create_dir_all(prefix.join("conda-meta"))?;
//! # std::fs::write(prefix.join("conda-meta/history"), "")?;
//! # std::fs::write(prefix.join("conda-meta/python-3.8.13-h6244533_0.json"), "{}")?;
//! # let c = disk.path().to_path_buf();
//! // A disk of a Windows machine, mounted somewhere.
//! let machine = Machine::mounted([('C', c)])?;
//!
//! let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build()?;
//! let found = discover(&machine, DiscoverOptions::new(), &pool, &|| false);
//! for environment in &found.environments {
//!     let python = environment.python.as_deref().unwrap_or("?");
//!     let shown = environment.prefix.display();
//!     let line = format!("{} {} {python} {shown}", environment.kind, environment.name);
//! #   assert!(line.starts_with("conda yolov5 3.8.13 "), "{line}");
//! }
//! assert!(found.skipped.is_empty(), "what cannot be read is reported");
//!
//! match find(&machine, &found.environments, "YOLOv5") {
//!     Found::One(environment) => {
//!         let packages = Packages::read(&machine, environment);
//!         assert_eq!(packages.torch(), None);
//!     }
//!     other => panic!("{other:?}"),
//! }
//! # Ok(())
//! # }
//! ```
//!
//! The modules, in the order in which data meets them: `machine` and `registry`
//! say what is looked at, `disk` reads it, `places` is the table of where
//! environments are known to lie. `look` holds what all sources share;
//! `sources` and `walk` yield candidates, `classify` says what a candidate is,
//! `discovery` puts the answer together out of `environment` and `skipped`.
//! `select` finds an environment by name; `packages` reads what is installed in
//! one.

mod candidate;
mod classify;
mod discovery;
mod disk;
mod environment;
mod error;
mod look;
mod machine;
mod packages;
mod places;
mod registry;
mod select;
mod skipped;
mod sources;
mod walk;

pub use discovery::{DiscoverOptions, Discovery, Looked, discover};
pub use disk::{Disk, LiveDisk, PLACEHOLDER};
pub use environment::{Cache, CacheKind, Environment, Evidence, Kind, Manager, Source, Toolkit};
pub use error::Error;
pub use machine::{Drive, Machine, Os};
pub use packages::{Distribution, Packages, RecordKind, Recorded, Torch};
pub use places::{Place, places, places_page};
pub use registry::{Hive, NoRegistry, Registry};
pub use select::{Found, find};
pub use skipped::{SkipReason, Skipped};
