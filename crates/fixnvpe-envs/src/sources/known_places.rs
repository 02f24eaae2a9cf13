//! The rows of the table that name folders.

use crate::candidate::{Candidate, Form};
use crate::look::Look;
use crate::places::{Place, Way, expand};
use crate::{Evidence, Source};

/// The folders that fit the places of one row.
pub(crate) fn candidates(look: &Look<'_>, place: &'static Place) -> Vec<Candidate> {
    let form = match place.way {
        Way::Prefix => Form::Prefix,
        Way::Site => Form::Site,
        Way::Cache(kind) => Form::Cache(kind),
        Way::Toolkit(name) => Form::Toolkit(name),
        Way::Below
        | Way::BelowSite
        | Way::CondaConfig
        | Way::EnvironmentsTxt
        | Way::Kernel
        | Way::Shallow
        | Way::Told => return Vec::new(),
    };
    expand::folders(look, place)
        .into_iter()
        .map(|(folder, pattern)| {
            let detail = format!("{}: {pattern}", place.tool);
            Candidate {
                kind: place.kind,
                manager: place.manager,
                ..Candidate::new(folder, form, Evidence::new(Source::KnownPlace, detail))
            }
        })
        .collect()
}
