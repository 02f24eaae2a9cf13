//! Where candidates come from: one file a source. Each reads a machine and
//! hands on folders with the reason why; what they are is not its business.

pub(crate) mod active;
pub(crate) mod conda_config;
pub(crate) mod condarc;
pub(crate) mod environments_txt;
pub(crate) mod jupyter;
pub(crate) mod known_places;
pub(crate) mod named;
pub(crate) mod parents;
pub(crate) mod path_variable;
pub(crate) mod registered;
