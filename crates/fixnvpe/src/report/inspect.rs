//! `fixnvpe inspect` for people.

use fixnvpe_pe::{CheckSumState, Compression, Condition, FatbinSummary, ImageKind};

use super::{Page, words};
use crate::catalogue::Message;
use crate::inspection::{Inspection, SectionInspection};
use crate::message;
use crate::paths::harmless;
use crate::size::shown_size;
use crate::table::{Column, Table};

/// Writes one image in full.
pub(crate) fn write(page: &mut Page<'_>, image: &Inspection) {
    let path = page.path(&image.path);
    page.line(&path);
    identity(page, image);
    page.block();
    verdict(page, image);
    page.block();
    page.table(sections(page, image));
    for section in &image.sections {
        if let Some(code) = &section.fatbin {
            gpu_code(page, section, code);
        }
    }
    page.block();
    imports(page, image);
}

fn identity(page: &mut Page<'_>, image: &Inspection) {
    let kind = match (image.dll, image.kind) {
        (true, ImageKind::Pe32) => message!("kind-dll-32", machine = image.machine.clone()),
        (true, _) => message!("kind-dll-64", machine = image.machine.clone()),
        (false, ImageKind::Pe32) => message!("kind-program-32", machine = image.machine.clone()),
        (false, _) => message!("kind-program-64", machine = image.machine.clone()),
    };
    let what = message!(
        "inspect-what",
        kind = page.say(&kind),
        size = shown_size(image.size),
        bytes = image.size.to_string(),
    );
    page.indented(&what, 2);
    for message in [aslr(image), signature(image), checksum(image)] {
        page.indented(&message, 2);
    }
    if image.guard_cf {
        page.indented(&message!("inspect-guard-cf"), 2);
    }
}

fn aslr(image: &Inspection) -> Message {
    let base = format!("{:#x}", image.image_base);
    if image.aslr {
        message!("inspect-aslr-on", base = base)
    } else {
        message!("inspect-aslr-off", base = base)
    }
}

fn signature(image: &Inspection) -> Message {
    if image.signed {
        message!("inspect-signed")
    } else {
        message!("inspect-unsigned")
    }
}

fn checksum(image: &Inspection) -> Message {
    let value = format!("{:#010x}", image.checksum.value);
    match (image.checksum.valid, image.checksum.state) {
        (Some(true), _) => message!("checksum-valid", value = value),
        (Some(false), _) => message!(
            "checksum-wrong",
            value = value,
            right = format!("{:#010x}", image.checksum.computed.unwrap_or_default()),
        ),
        (None, CheckSumState::Unset) => message!("checksum-unset"),
        (None, CheckSumState::Impossible) => message!("checksum-impossible", value = value),
        (None, _) => message!("checksum-set", value = value),
    }
}

fn verdict(page: &mut Page<'_>, image: &Inspection) {
    let sentence = match image.condition {
        Condition::Writable => message!("inspect-writable"),
        Condition::ReadOnly => message!("inspect-read-only"),
        Condition::NoFatbin => message!("inspect-no-fatbin"),
        _ => message!("inspect-refused"),
    };
    page.sentence(&sentence);
    for reason in &image.reasons {
        let line = message!(
            "reason-line",
            word = reason.as_str(),
            sentence = page.say(&words::reason(*reason)),
        );
        page.indented(&line, 2);
        for finding in image.findings.iter().filter(|one| one.reason == *reason) {
            page.detail(&finding.detail, 4);
        }
    }
    let now = shown_size(image.commit.now);
    if image.commit.now == image.commit.after {
        page.sentence(&message!("inspect-commit-now", now = now));
    } else {
        let after = shown_size(image.commit.after);
        page.sentence(&message!("inspect-commit", now = now, after = after));
    }
    if image.bytes_to_change > 0 {
        let count = image.bytes_to_change;
        page.sentence(&message!("inspect-bytes", count = count));
    }
}

fn sections(page: &Page<'_>, image: &Inspection) -> Table {
    let mut table = Table::new([
        (Column::Words, page.say(&message!("column-section"))),
        (Column::Words, page.say(&message!("column-access"))),
        (Column::Figures, page.say(&message!("column-memory"))),
        (Column::Figures, page.say(&message!("column-on-disk"))),
        (Column::Figures, page.say(&message!("column-commit"))),
        (Column::Figures, page.say(&message!("column-relocations"))),
        (Column::Words, page.say(&message!("column-flags"))),
    ]);
    for section in &image.sections {
        table.row([
            harmless(&section.name),
            access(section),
            shown_size(section.virtual_size),
            shown_size(section.file_size),
            shown_size(section.commit),
            section
                .relocations
                .map_or_else(|| "?".to_owned(), |count| count.to_string()),
            format!("{:#010x}", section.characteristics),
        ]);
    }
    table
}

/// `rwxs`: readable, writable, executable, shared.
fn access(section: &SectionInspection) -> String {
    const MEM_READ: u32 = 0x4000_0000;
    let flag = |set, letter| if set { letter } else { '-' };
    [
        flag(section.characteristics & MEM_READ != 0, 'r'),
        flag(section.writable, 'w'),
        flag(section.executable, 'x'),
        flag(section.shared, 's'),
    ]
    .iter()
    .collect()
}

fn gpu_code(page: &mut Page<'_>, section: &SectionInspection, code: &FatbinSummary) {
    page.block();
    page.sentence(&message!(
        "inspect-code",
        section = harmless(&section.name),
        modules = code.modules,
        elements = code.elements,
        bytes = shown_size(code.bytes),
        compression = compression(page, code),
    ));
    let mut table = Table::new([
        (Column::Words, page.say(&message!("column-architecture"))),
        (Column::Figures, page.say(&message!("column-elements"))),
        (Column::Figures, page.say(&message!("column-size"))),
    ]);
    for architecture in &code.architectures {
        table.row([
            architecture.name.clone(),
            architecture.elements.to_string(),
            shown_size(architecture.bytes),
        ]);
    }
    page.table(table);
    if code.gaps.count > 0 {
        page.sentence(&message!(
            "inspect-gaps",
            count = code.gaps.count,
            bytes = shown_size(code.gaps.bytes),
            largest = shown_size(code.gaps.largest),
        ));
    }
}

fn compression(page: &Page<'_>, code: &FatbinSummary) -> String {
    let words: Vec<String> = code
        .compression
        .iter()
        .map(|compression| match compression {
            Compression::Lz4 => "LZ4".to_owned(),
            Compression::Zstd => "zstd".to_owned(),
            _ => page.say(&message!("compression-none")),
        })
        .collect();
    words.join(", ")
}

fn imports(page: &mut Page<'_>, image: &Inspection) {
    match image.imports.as_deref() {
        None => page.sentence(&message!("inspect-imports-unreadable")),
        Some([]) => page.sentence(&message!("inspect-no-imports")),
        Some(names) => {
            let names = harmless(&names.join(", "));
            page.sentence(&message!("inspect-imports", names = names));
        }
    }
    if let Some(names) = image
        .delay_imports
        .as_deref()
        .filter(|names| !names.is_empty())
    {
        let names = harmless(&names.join(", "));
        page.sentence(&message!("inspect-delay-imports", names = names));
    }
}
