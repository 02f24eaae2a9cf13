//! What a source hands on: a folder, and why it may be something.

use std::path::PathBuf;

use crate::{CacheKind, Evidence, Kind, Manager};

/// What a folder may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// An environment's prefix.
    Prefix,
    /// A folder of packages outside any environment.
    Site,
    /// A package cache.
    Cache(CacheKind),
    /// An installation of this name.
    Toolkit(&'static str),
}

/// A folder that a source heard of.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) path: PathBuf,
    pub(crate) form: Form,
    /// What it is, where the content leaves that open.
    pub(crate) kind: Option<Kind>,
    pub(crate) manager: Option<Manager>,
    /// Python's version, as the source tells it.
    pub(crate) python: Option<String>,
    pub(crate) evidence: Evidence,
}

impl Candidate {
    pub(crate) fn new(path: PathBuf, form: Form, evidence: Evidence) -> Self {
        Self {
            path,
            form,
            kind: None,
            manager: None,
            python: None,
            evidence,
        }
    }

    pub(crate) fn prefix(path: PathBuf, evidence: Evidence) -> Self {
        Self::new(path, Form::Prefix, evidence)
    }
}
