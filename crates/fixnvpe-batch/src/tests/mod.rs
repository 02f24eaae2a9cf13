//! Whole jobs on a disk in memory and on the real one.

mod bench;
mod crash;
mod errors;
mod scenario;
