//! What processes of an environment cost, and how many of them fit.

use fixnvpe_doctor::budget::{Budget, NotCounted};
use fixnvpe_doctor::facts::{ImportFacts, MachineFacts};
use fixnvpe_doctor::{DoctorReport, EnvironmentReport, texts};

use super::{Page, choice, shown_text};
use crate::catalogue::Message;
use crate::message;
use crate::size::shown_size;

/// Where the cores are not known: more workers than any machine runs well.
const MANY: u32 = 64;

/// What processes of an environment cost.
pub(super) fn write(page: &mut Page<'_>, report: &DoctorReport, environment: &EnvironmentReport) {
    let facts = &environment.facts;
    let names_nothing = |imports: &ImportFacts| imports.modules.is_empty();
    if facts.images.is_empty() || facts.imports.as_ref().is_some_and(names_nothing) {
        return;
    }
    let budget = &environment.budget;
    let per_process = budget.per_process;
    let (now, after) = (shown_size(per_process.now), shown_size(per_process.after));
    page.block();
    let title = page.say(&message!("doctor-budget-title"));
    page.line(&format!("{title} ({})", shown_text(page, &facts.name)));
    match &facts.imports {
        Some(imports) => page.indented(
            &message!(
                "doctor-budget-imports",
                modules = imports.modules.join(", "),
                images = imports.images,
                now = now,
                after = after,
            ),
            2,
        ),
        None => page.indented(
            &message!("doctor-budget-everything", now = now, after = after),
            2,
        ),
    }
    if budget.workers > 0 {
        page.indented(
            &message!(
                "doctor-budget-workers",
                workers = u64::from(budget.workers),
                total = shown_size(budget.total.now),
                total_after = shown_size(budget.total.after),
            ),
            2,
        );
    }
    // Elsewhere the limit binds no promise.
    if report.machine.windows {
        limits(page, &report.machine, budget);
    }
    let parts: Vec<String> = budget
        .not_counted
        .iter()
        .map(|part| page.say(&not_counted(*part)))
        .collect();
    let parts = parts.join(&page.say(&message!("list-separator")));
    page.indented(&message!("doctor-budget-not-counted", parts = parts), 2);
}

/// How far what Windows can still promise goes, and what page file is missing.
fn limits(page: &mut Page<'_>, machine: &MachineFacts, budget: &Budget) {
    let (Some(room), Some(largest)) = (budget.headroom, budget.largest_workers) else {
        return;
    };
    let headroom = shown_size(room);
    let cores = machine.cores.or(machine.logical_processors);
    // More workers than cores serve nobody.
    let is_many = |count: Option<u32>| count.is_some() && cores.is_some() && count >= cores;
    let cores = u64::from(cores.unwrap_or(0));
    let message = match largest.now {
        now if is_many(now) => message!(
            "doctor-budget-headroom-enough",
            headroom = headroom,
            cores = cores,
        ),
        Some(now) => message!(
            "doctor-budget-headroom",
            headroom = headroom,
            largest = u64::from(now.min(MANY)),
            largest_after = u64::from(largest.after.unwrap_or(0).min(MANY)),
            many_after = choice(is_many(largest.after)),
            cores = cores,
        ),
        None => message!("doctor-budget-headroom-none", headroom = headroom),
    };
    page.indented(&message, 2);
    if let (None, Some(size)) = (largest.now, machine.page_file_can_grow_to()) {
        let grows_to = shown_size(size);
        page.indented(&message!("doctor-budget-grows", grows_to = grows_to), 2);
    }
    let present = machine.page_file_now().unwrap_or(0);
    let missing = budget.page_file.filter(|size| size.now > present);
    if let Some(size) = missing.filter(|_| budget.workers > 0) {
        page.indented(
            &message!(
                "doctor-budget-page-file",
                page_file = shown_size(size.now),
                page_file_after = shown_size(size.after),
                enough_after = choice(size.after <= present),
            ),
            2,
        );
    }
}

fn not_counted(part: NotCounted) -> Message {
    let word = NotCounted::ALL.iter().find(|(one, _)| *one == part);
    let word = word.map_or("", |(_, word)| word);
    Message::new(texts::id("doctor-not-counted", word))
}

#[cfg(test)]
mod tests {
    use fixnvpe_doctor::examine;
    use fixnvpe_doctor::facts::{
        EnvironmentFacts, Facts, ImageFacts, Options, PageFiles, SystemCommit,
    };
    use fixnvpe_pe::{CommitCharge, Condition};

    use super::*;
    use crate::catalogue::Catalogue;
    use crate::language::Language;
    use crate::report::Look;

    const GB: u64 = 1 << 30;

    /// What is written of an environment whose processes pay 1 GB, and 1 MB after
    /// a patch, on a machine of 8 cores, 32 GB of memory and 4 of page file.
    fn written(used: u64, workers: u32) -> String {
        let mut machine = MachineFacts::elsewhere();
        machine.physical_memory = Some(32 * GB);
        machine.commit = Some(SystemCommit::new(36 * GB, used * GB));
        machine.cores = Some(8);
        machine.page_files = PageFiles::Automatic;
        let mut environment = EnvironmentFacts::new("yolo", "/yolo");
        let charge = CommitCharge::new(GB, 1 << 20);
        environment.images = vec![ImageFacts::new("/yolo/a.dll", Condition::Writable, charge)];
        let facts = Facts::new(machine, vec![environment]);
        let report = examine(facts, &Options::with_workers(Some(workers)));
        let catalogue = Catalogue::of(Language::En);
        let look = Look {
            columns: 10_000,
            verbose: false,
            folder: None,
            redactor: None,
        };
        let mut page = Page::new(&catalogue, look);
        write(&mut page, &report, &report.environments[0]);
        anstream::adapter::strip_str(&page.into_text()).to_string()
    }

    #[test]
    fn no_more_workers_than_cores_are_promised_and_only_as_far_as_dlls_go() {
        let enough = written(12, 8);
        assert!(
            enough.contains("as far as DLLs go, enough for a worker on each of your 8 cores."),
            "{enough}"
        );
        let some = written(31, 8);
        assert!(
            some.contains("enough for 4 workers now, one on each of your 8 cores after a patch."),
            "{some}"
        );
        let none = written(36, 0);
        assert!(none.contains("not enough for the main process"), "{none}");
    }

    #[test]
    fn a_page_file_is_asked_for_only_where_one_is_missing() {
        assert!(!written(12, 8).contains("page file"));
        let missing = written(31, 8);
        assert!(
            missing.contains(
                "a page file of 8.00 GB in all; after a patch the present one is enough for the DLLs."
            ),
            "{missing}"
        );
    }
}
