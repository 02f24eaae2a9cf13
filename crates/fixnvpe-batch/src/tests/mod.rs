//! Whole jobs on a disk in memory and on the real one.

mod bench;
mod collecting;
mod counting;
mod crash;
mod disk;
mod errors;
mod events;
mod holders;
mod journal;
mod linking;
mod meddling;
mod patching;
mod proving;
mod real;
mod restoring;
mod retrying;
mod scenario;
#[cfg(unix)]
mod unix;
