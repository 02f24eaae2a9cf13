//! Files, links and policies that a job may meet.

use std::collections::BTreeSet;
use std::path::Path;

use super::bench::{Bench, image, patched};
use crate::double::MemoryDisk;
use crate::journal::EntryState;
use crate::options::{Backup, InUse, LinkPolicy, PatchOptions, RestoreOptions};
use crate::report::Outcome;
use crate::restore::RestoreTarget;

/// How a job is set up.
pub(super) struct Scenario {
    pub(super) name: &'static str,
    /// The selected files, each with its names.
    groups: &'static [&'static [&'static str]],
    /// Names outside the selection that share the first file.
    pub(super) outside: &'static [&'static str],
    links: LinkPolicy,
    pub(super) in_use: bool,
    read_only: bool,
    backup: bool,
}

const PLAIN: Scenario = Scenario {
    name: "in place",
    groups: &[&["/a/x.dll"], &["/a/y.dll"]],
    outside: &[],
    links: LinkPolicy::Auto,
    in_use: false,
    read_only: false,
    backup: false,
};

pub(super) const SCENARIOS: [Scenario; 9] = [
    PLAIN,
    Scenario {
        name: "two names, both selected",
        groups: &[&["/a/x.dll", "/b/x.dll"]],
        ..PLAIN
    },
    Scenario {
        name: "two names of three",
        groups: &[&["/a/x.dll", "/b/x.dll"]],
        outside: &["/cache/x.dll"],
        ..PLAIN
    },
    Scenario {
        name: "in use",
        groups: &[&["/a/x.dll", "/b/x.dll"]],
        in_use: true,
        ..PLAIN
    },
    Scenario {
        name: "in use, with a name outside",
        groups: &[&["/a/x.dll"]],
        outside: &["/cache/x.dll"],
        in_use: true,
        ..PLAIN
    },
    Scenario {
        name: "read-only attribute",
        groups: &[&["/a/x.dll"]],
        read_only: true,
        ..PLAIN
    },
    Scenario {
        name: "read-only attribute, with a name outside",
        groups: &[&["/a/x.dll"]],
        outside: &["/cache/x.dll"],
        read_only: true,
        ..PLAIN
    },
    Scenario {
        name: "backup beside",
        groups: &[&["/a/x.dll", "/b/x.dll"]],
        backup: true,
        ..PLAIN
    },
    Scenario {
        name: "backup beside, with a name outside",
        groups: &[&["/a/x.dll", "/b/x.dll"]],
        outside: &["/cache/x.dll"],
        backup: true,
        ..PLAIN
    },
];

impl Scenario {
    pub(super) fn bench(&self) -> Bench<MemoryDisk> {
        let bench = Bench::in_memory();
        let disk = &bench.files;
        for (index, group) in self.groups.iter().enumerate() {
            disk.put(group[0], &image());
            let outside = self.outside.iter().filter(|_| index == 0);
            for name in group[1..].iter().chain(outside) {
                disk.link(group[0], name);
            }
            disk.set_attribute(group[0], self.read_only);
        }
        self.map(&bench);
        bench
    }

    pub(super) fn map(&self, bench: &Bench<MemoryDisk>) {
        if self.in_use {
            bench.files.map(self.groups[0][0], true);
        }
    }

    pub(super) fn options(&self) -> PatchOptions<'static> {
        let mut options = PatchOptions::default();
        options.change.links = self.links;
        options.change.force = self.read_only;
        if self.in_use {
            options.change.in_use = InUse::Replace;
        }
        if self.backup {
            options.change.backup = Backup::Copy;
        }
        options
    }

    pub(super) fn patch(&self, bench: &Bench<MemoryDisk>) -> Result<Vec<Outcome>, crate::Error> {
        let files = bench.files.collection(self.names());
        let report = bench.try_patch(&files, &self.options())?;
        if !bench.files.has_crashed() {
            assert_eq!(report.failures, [], "{}", self.name);
        }
        Ok(report.results.iter().map(|result| result.outcome).collect())
    }

    pub(super) fn restore(&self, bench: &Bench<MemoryDisk>) -> Result<Vec<Outcome>, crate::Error> {
        let mut options = RestoreOptions::default();
        options.change = self.options().change;
        options.change.backup = Backup::None;
        let report = bench.try_restore(&RestoreTarget::Everything, &options)?;
        if !bench.files.has_crashed() {
            assert_eq!(report.failures, [], "{}", self.name);
        }
        Ok(report.results.iter().map(|result| result.outcome).collect())
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.groups.iter().copied().flatten().copied()
    }

    /// Nothing that goes wrong may leave a name without a file, but for the
    /// moment in which its file is aside, or a file with bytes that were never
    /// meant.
    pub(super) fn check_safe(&self, disk: &MemoryDisk, at: &str) {
        let (original, patched) = (image(), patched(&image()));
        for name in self.names() {
            let Some(bytes) = disk.get(name) else {
                assert!(
                    is_aside(disk, name, &[&original, &patched]),
                    "{at}: `{name}` is gone"
                );
                continue;
            };
            assert_eq!(bytes.len(), original.len(), "{at}");
            for (index, byte) in bytes.iter().enumerate() {
                let meant = [original[index], patched[index]];
                assert!(meant.contains(byte), "{at}: byte {index} of `{name}`");
            }
        }
        self.check_outside(disk, at);
    }

    fn check_outside(&self, disk: &MemoryDisk, at: &str) {
        for name in self.outside {
            assert_eq!(disk.get(name).as_ref(), Some(&image()), "{at}: `{name}`");
        }
    }

    /// Every name has these bytes, the attribute is as it was, and nothing of
    /// ours lies beside.
    pub(super) fn check_whole(&self, disk: &MemoryDisk, bytes: &[u8], at: &str) {
        for name in self.names() {
            assert!(disk.get(name).as_deref() == Some(bytes), "{at}: `{name}`");
            assert_eq!(disk.attribute(name), self.read_only, "{at}: `{name}`");
        }
        for name in disk.names() {
            assert!(!name.contains(".fixnvpe-"), "{at}: `{name}` is left");
            if name.ends_with("_bak") {
                assert!(self.backup, "{at}: `{name}`");
                assert_eq!(disk.get(&name), Some(image()), "{at}: `{name}`");
            }
        }
        self.check_outside(disk, at);
    }
}

/// A file has one record that may have changed it, and no more.
pub(super) fn check_records(bench: &Bench<MemoryDisk>, at: &str) {
    let view = bench.view();
    let mut standing = BTreeSet::new();
    for entry in view
        .entries
        .iter()
        .filter(|entry| matches!(entry.state, EntryState::New | EntryState::Unsettled))
    {
        for path in entry.planned.paths() {
            assert!(
                standing.insert(path),
                "{at}: two records of `{}`",
                path.display()
            );
        }
    }
}

/// Whether the file of a missing name lies aside, whole.
fn is_aside(disk: &MemoryDisk, name: &str, whole: &[&Vec<u8>]) -> bool {
    let folder = Path::new(name).parent();
    disk.names().iter().any(|name| {
        let bytes = disk.get(name).unwrap();
        name.contains(".fixnvpe-") && Path::new(name).parent() == folder && whole.contains(&&bytes)
    })
}
