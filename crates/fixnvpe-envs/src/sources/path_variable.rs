//! What `PATH` reaches.

use super::jupyter::prefix_of_folder;
use crate::candidate::Candidate;
use crate::look::Look;
use crate::{Evidence, Source};

/// The prefixes whose programs can be started by name.
pub(crate) fn candidates(look: &Look<'_>) -> Vec<Candidate> {
    let separator = look.machine.list_separator();
    let evidence = || Evidence::new(Source::PathVariable, look.variable_text("PATH"));
    look.folders_in_list("PATH", &[separator])
        .iter()
        .filter(|folder| has_interpreter(look, folder))
        .filter_map(|folder| prefix_of_folder(folder))
        .map(|prefix| Candidate::prefix(prefix, evidence()))
        .collect()
}

fn has_interpreter(look: &Look<'_>, folder: &std::path::Path) -> bool {
    look.count_place();
    let case = look.reader.case();
    look.reader.folder(folder).is_some_and(|listing| {
        let names = listing.entries.iter();
        names
            .into_iter()
            .any(|entry| case.fits(&entry.name, "python.exe") || case.fits(&entry.name, "python3*"))
    })
}
