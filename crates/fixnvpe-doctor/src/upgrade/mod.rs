//! Upgrading torch: which build, by which commands.
//!
//! One dated table ([`BUILDS`], as of [`AS_OF`]) knows the builds that are worth
//! naming; [`choose`] takes those that keep this Python, every GPU of the
//! machine and its driver; [`commands`] writes down how, by the tool
//! that looks after the environment. A case that the table
//! does not have gets no proposal but a link.

mod choose;
mod commands;
mod table;
mod way;

pub use choose::{Choice, NoBuild, choose};
pub use commands::commands;
pub use table::{AS_OF, BUILDS, Build, ELSEWHERE, SOURCES};
