//! What a crash leaves on the disk in memory.

use super::{Fault, Inode, MemoryDisk, Unsynced};

impl MemoryDisk {
    /// The machine starts again after a crash.
    pub(crate) fn reboot(&self, unsynced: Unsynced) {
        let mut inner = self.inner();
        let mut random = match unsynced {
            Unsynced::Torn(seed) => seed.wrapping_mul(2).wrapping_add(1),
            _ => 1,
        };
        inner.names = match unsynced {
            Unsynced::Kept => inner.names.clone(),
            Unsynced::Lost => inner.history[0].clone(),
            Unsynced::Torn(_) => {
                // The file system keeps a prefix of what was done to names.
                let last = inner.history.len() as u64;
                let kept = usize::try_from(next(&mut random) % last).unwrap();
                inner.history[kept].clone()
            }
        };
        for inode in inner.inodes.values_mut() {
            inode.reboot(unsynced, &mut random);
        }
        inner.settle_names();
        inner.fault = Fault::None;
        inner.crashed = false;
        inner.mapped.clear();
        inner.held.clear();
        inner.exclusive.clear();
        inner.locked.clear();
    }
}

/// A small generator of numbers (xorshift): repeatable, and no more is needed.
fn next(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

impl Inode {
    fn reboot(&mut self, unsynced: Unsynced, random: &mut u64) {
        match unsynced {
            Unsynced::Kept => {}
            Unsynced::Lost => self.bytes.clone_from(&self.durable),
            Unsynced::Torn(_) => {
                let grown = self.bytes.len().saturating_sub(self.durable.len());
                let kept = usize::try_from(next(random)).unwrap() % (grown + 1);
                let len = self.bytes.len() - grown + kept;
                let mut torn = self.durable.clone();
                torn.resize(len, 0);
                for &(start, end) in &self.pending {
                    let range = start.min(len)..end.min(len);
                    for (torn, byte) in torn[range.clone()].iter_mut().zip(&self.bytes[range]) {
                        if next(random).is_multiple_of(2) {
                            *torn = *byte;
                        }
                    }
                }
                self.bytes = torn;
            }
        }
        self.sync();
    }

    pub(super) fn sync(&mut self) {
        self.durable.clone_from(&self.bytes);
        self.pending.clear();
    }

    pub(super) fn write(&mut self, offset: usize, bytes: &[u8], clock: u64) {
        let end = offset + bytes.len();
        if self.bytes.len() < end {
            self.bytes.resize(end, 0);
        }
        self.bytes[offset..end].copy_from_slice(bytes);
        self.pending.push((offset, end));
        self.modified = clock;
    }
}
