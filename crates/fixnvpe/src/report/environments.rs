//! `fixnvpe envs` for people.

use fixnvpe_envs::{Discovery, SkipReason};

use super::Page;
use crate::document::{EnvironmentEntry, PlaceEntry};
use crate::message;
use crate::paths::{harmless, shorten};
use crate::table::{Column, Table};

/// The widest that a name gets in a table that has to fit a screen, in columns:
/// `--env` takes it, so that it is whole unless it is very long.
const NAME: usize = 28;
/// The same for what an environment has of CUDA.
const CUDA: usize = 28;

/// Writes what environments there are.
pub(crate) fn write(page: &mut Page<'_>, entries: &[EnvironmentEntry], found: &Discovery) {
    let mut table = Table::new([
        (Column::Words, page.say(&message!("column-kind"))),
        (Column::Words, page.say(&message!("column-name"))),
        (Column::Words, page.say(&message!("column-python"))),
        (Column::Words, page.say(&message!("column-cuda"))),
    ]);
    let mut prefixes = Vec::new();
    for entry in entries {
        let environment = &entry.environment;
        table.row([
            environment.kind.to_string(),
            brief(page, environment.name.clone(), NAME),
            environment.python.clone().unwrap_or_default(),
            brief(page, cuda(page, entry), CUDA),
        ]);
        prefixes.push(page.path(&environment.prefix));
    }
    if !table.is_empty() {
        page.table_with(table, &prefixes);
        page.block();
    }
    page.sentence(&message!("environments-found", count = entries.len()));
    folders(page, found);
    looked(page, found);
}

fn brief(page: &Page<'_>, text: String, columns: usize) -> String {
    if page.is_verbose() {
        text
    } else {
        shorten(&harmless(&text), columns)
    }
}

/// What an environment has of CUDA: PyTorch with the version that it was built
/// for, else the first package; all of them where details are wanted.
fn cuda(page: &Page<'_>, entry: &EnvironmentEntry) -> String {
    let torch = entry.torch.as_ref().map(|torch| {
        let built = torch.cuda.as_ref().filter(|_| !torch.version.contains('+'));
        match built {
            Some(cuda) => format!("torch {} (CUDA {cuda})", torch.version),
            None => format!("torch {}", torch.version),
        }
    });
    let others = entry
        .cuda_packages
        .iter()
        .filter(|one| entry.torch.is_none() || one.name != "torch")
        .map(|one| format!("{} {}", one.name, one.version));
    let mut all: Vec<String> = torch.into_iter().chain(others).collect();
    let more = all.len().saturating_sub(1);
    if more > 0 && !page.is_verbose() {
        all.truncate(1);
        return format!("{} +{more}", all.concat());
    }
    all.join(", ")
}

fn folders(page: &mut Page<'_>, found: &Discovery) {
    if !found.caches.is_empty() {
        page.block();
        page.sentence(&message!("caches-found", count = found.caches.len()));
        page.paths(found.caches.iter().map(|cache| cache.path.as_path()), 2);
    }
    if !found.toolkits.is_empty() {
        page.block();
        page.sentence(&message!("toolkits-found", count = found.toolkits.len()));
        page.paths(found.toolkits.iter().map(|one| one.path.as_path()), 2);
    }
}

/// Says how much was looked at, and what could not be.
pub(crate) fn looked(page: &mut Page<'_>, found: &Discovery) {
    page.block();
    page.sentence(&message!(
        "looked-in",
        places = found.looked.places,
        folders = found.looked.folders,
    ));
    if !found.skipped.is_empty() {
        page.block();
        page.sentence(&message!("places-skipped", count = found.skipped.len()));
        for one in &found.skipped {
            let line = message!(
                "place-skipped",
                path = page.path(&one.path),
                reason = page.say(&reason(one.reason)),
            );
            page.indented(&line, 2);
        }
    }
    if !found.complete {
        page.block();
        page.sentence(&message!("interrupted"));
    }
}

fn reason(reason: SkipReason) -> crate::catalogue::Message {
    match reason {
        SkipReason::AccessDenied => message!("place-access-denied"),
        SkipReason::PathTooLong => message!("place-path-too-long"),
        SkipReason::CloudPlaceholder => message!("place-cloud-placeholder"),
        SkipReason::DriveMissing => message!("place-drive-missing"),
        SkipReason::Network => message!("place-network"),
        SkipReason::Malformed => message!("place-malformed"),
        SkipReason::TooLarge => message!("place-too-large"),
        _ => message!("place-unreadable"),
    }
}

/// Writes where environments are looked for.
pub(crate) fn write_places(page: &mut Page<'_>, rows: &[PlaceEntry], windows: bool) {
    for row in rows {
        let places = if windows {
            &row.windows
        } else {
            &row.elsewhere
        };
        if places.is_empty() {
            continue;
        }
        page.line(&row.tool);
        for place in places {
            page.line(&format!("  {place}"));
        }
    }
}
