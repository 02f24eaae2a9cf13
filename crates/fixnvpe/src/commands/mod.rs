//! The commands, one file each: ask the libraries, then hand the answer to
//! `document` for scripts or to `report` for people.

pub(crate) mod completions;
pub(crate) mod doctor;
pub(crate) mod envs;
pub(crate) mod explain;
pub(crate) mod history;
pub(crate) mod inspect;
pub(crate) mod man;
pub(crate) mod measure;
pub(crate) mod patch;
pub(crate) mod restore;
pub(crate) mod scan;
pub(crate) mod schema;
pub(crate) mod verify;
