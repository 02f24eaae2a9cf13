//! The environment in use.

use crate::candidate::Candidate;
use crate::look::Look;
use crate::{Evidence, Source};

/// What `VIRTUAL_ENV` and `CONDA_PREFIX` name.
pub(crate) fn candidates(look: &Look<'_>) -> Vec<Candidate> {
    let folder = |name: &&str| {
        look.count_place();
        let path = look.folder_in_variable(name)?;
        let evidence = Evidence::new(Source::Active, look.variable_text(name));
        Some(Candidate::prefix(path, evidence))
    };
    ["VIRTUAL_ENV", "CONDA_PREFIX"]
        .iter()
        .filter_map(folder)
        .collect()
}
