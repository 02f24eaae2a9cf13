//! Folders that somebody named: those that lie where nobody would look.

use crate::candidate::Candidate;
use crate::look::Look;
use crate::select::paths;
use crate::{Evidence, Source};

/// Every folder that a named path can mean.
pub(crate) fn candidates(look: &Look<'_>) -> Vec<Candidate> {
    let named = look.machine.named.iter();
    named
        .flat_map(|text| {
            look.count_place();
            let found = paths(look.machine, text).into_iter();
            found.filter(|path| path.is_absolute()).map(|path| {
                let evidence = Evidence::new(Source::Named, text.clone());
                Candidate::prefix(path, evidence)
            })
        })
        .collect()
}
