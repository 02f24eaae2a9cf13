//! Judges the images that are named as arguments and says what each step read:
//! `cargo run -p fixnvpe-pe --example judge -- a.dll b.pyd`.
//!
//! `--full` also walks the GPU code of read-only sections, counts base
//! relocations, names the imports, and computes the CheckSum.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Write};

use fixnvpe_pe::{Aslr, Error, Image, Patch, Policy, ReadAt};

/// A file that counts what is read of it.
struct Counted {
    file: File,
    reads: Cell<u64>,
    bytes: Cell<u64>,
}

impl Counted {
    fn open(path: &str) -> io::Result<Self> {
        Ok(Self {
            file: fs_err::File::open(path)?.into_parts().0,
            reads: Cell::new(0),
            bytes: Cell::new(0),
        })
    }

    /// How many reads and bytes there were since the last call.
    fn take(&self) -> String {
        format!("{} reads, {} bytes", self.reads.take(), self.bytes.take())
    }
}

impl ReadAt for Counted {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read_at(offset, buf)?;
        self.reads.set(self.reads.get() + 1);
        self.bytes.set(self.bytes.get() + count as u64);
        Ok(count)
    }

    fn size(&self) -> io::Result<u64> {
        self.file.size()
    }
}

fn judge(out: &mut impl Write, path: &str, full: bool) -> Result<(), Box<dyn std::error::Error>> {
    let image = Image::read(Counted::open(path)?)?;
    let source = image.source();
    writeln!(
        out,
        "  {} {:?}, {} bytes, base {:#x}, CheckSum {:#x} ({}): {}",
        image.machine(),
        image.kind(),
        image.len(),
        image.image_base(),
        image.check_sum(),
        image.check_sum_state().as_str(),
        source.take(),
    )?;
    let judgement = image.condition()?;
    writeln!(
        out,
        "  {} {:?}: {}",
        judgement.condition,
        judgement.reasons,
        source.take()
    )?;
    for finding in &judgement.findings {
        writeln!(out, "    {}: {}", finding.reason, finding.detail)?;
    }
    for section in &judgement.sections {
        writeln!(out, "    {section:?}")?;
    }
    for policy in [Policy::default(), Policy::new(Aslr::Clear, true)] {
        writeln!(out, "  {policy:?}: {:?}", image.commit_charge(&policy)?)?;
        if let Some(patch) = Patch::plan(&image, &policy)? {
            for edit in patch.edits() {
                writeln!(
                    out,
                    "    {} at {:#x}: {:02x?} to {:02x?}",
                    edit.field, edit.offset, edit.old, edit.new
                )?;
            }
            writeln!(
                out,
                "    notes {:?}, span {:?}",
                patch.notes(),
                patch.span()
            )?;
        }
    }
    writeln!(out, "  planning: {}", source.take())?;
    if full {
        walk(out, &image)?;
    }
    Ok(())
}

fn walk(out: &mut impl Write, image: &Image<Counted>) -> Result<(), Box<dyn std::error::Error>> {
    let source = image.source();
    for section in image.fatbin_sections() {
        match image.fatbin(section).and_then(fixnvpe_pe::Fatbin::summary) {
            Ok(summary) => {
                writeln!(
                    out,
                    "  {}: {} modules, {} elements, {} bytes, gaps {:?}, {:?}: {}",
                    section.name(),
                    summary.modules,
                    summary.elements,
                    summary.bytes,
                    summary.gaps,
                    summary.compression,
                    source.take()
                )?;
                for it in &summary.architectures {
                    writeln!(out, "    {} x {}, {} bytes", it.name, it.elements, it.bytes)?;
                }
            }
            Err(error) => writeln!(out, "  {error}: {}", source.take())?,
        }
    }
    let relocations = image.base_relocations()?;
    writeln!(out, "  base relocations: {}", source.take())?;
    for (section, relocations) in image.sections().iter().zip(relocations) {
        writeln!(
            out,
            "    {} {:#x} {}, {} relocations",
            section.name(),
            section.characteristics(),
            section.size_in_memory(),
            relocations.count
        )?;
    }
    let (imports, delayed) = (image.imports()?, image.delay_imports()?);
    writeln!(out, "  imports {imports:?} {delayed:?}: {}", source.take())?;
    let full = image.check_sum_full()?;
    writeln!(out, "  CheckSum {full:#x}: {}", source.take())?;
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = io::stdout().lock();
    let (flags, paths): (Vec<_>, Vec<_>) = std::env::args()
        .skip(1)
        .partition(|argument| argument.starts_with("--"));
    for path in paths {
        writeln!(out, "{path}")?;
        if let Err(error) = judge(&mut out, &path, flags.iter().any(|flag| flag == "--full")) {
            let code = error.downcast_ref::<Error>().map_or("", Error::code);
            writeln!(out, "  {code} {error}")?;
        }
    }
    Ok(())
}
