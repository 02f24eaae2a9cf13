//! In place of Windows: a system that tells no commit.

use std::io;
use std::path::Path;
use std::process::{Child, Command};

use super::Mapper;
use crate::facts::SystemCommit;

/// A process that can neither map nor tell.
#[derive(Debug)]
pub(crate) struct OwnProcess;

impl Mapper for OwnProcess {
    fn commit(&mut self) -> io::Result<u64> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn map(&mut self, _path: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// A job that cannot be made.
#[derive(Debug)]
pub(crate) enum Job {}

impl Job {
    pub(crate) fn new() -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(crate) fn adopt(&self, _child: &Child) -> io::Result<()> {
        match *self {}
    }

    pub(crate) fn adopt_own(self) -> io::Result<()> {
        match self {}
    }
}

pub(crate) fn commit_of(_child: &Child) -> io::Result<u64> {
    Err(io::ErrorKind::Unsupported.into())
}

pub(crate) fn commit_of_id(_process: u32) -> io::Result<u64> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Nothing is started here.
pub(crate) fn keep_from_ctrl_c(_command: &mut Command) {}

pub(crate) fn commit() -> io::Result<SystemCommit> {
    Err(io::ErrorKind::Unsupported.into())
}
