//! Writes the content of `.nv_fatb` and `.nvFatBi` sections.

/// One element: kind, architecture number, flags, payload size.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ElementSpec {
    pub(crate) kind: u16,
    pub(crate) arch: u32,
    pub(crate) flags: u64,
    pub(crate) payload: usize,
}

pub(crate) const PTX: u16 = 1;
pub(crate) const CUBIN: u16 = 2;
pub(crate) const FLAG_64_BIT: u64 = 1;
pub(crate) const FLAG_LZ4: u64 = 0x2000;
pub(crate) const FLAG_ZSTD: u64 = 0x8000;
pub(crate) const FLAG_A: u64 = 0x10_0000;
pub(crate) const FLAG_F: u64 = 0x20_0000;

pub(crate) fn element(kind: u16, arch: u32) -> ElementSpec {
    ElementSpec {
        kind,
        arch,
        flags: FLAG_64_BIT,
        payload: 128,
    }
}

impl ElementSpec {
    pub(crate) fn with_flags(self, flags: u64) -> Self {
        Self {
            flags: self.flags | flags,
            ..self
        }
    }

    fn write(self, out: &mut Vec<u8>) {
        let start = out.len();
        out.extend_from_slice(&self.kind.to_le_bytes());
        out.extend_from_slice(&0x0101_u16.to_le_bytes());
        out.extend_from_slice(&64_u32.to_le_bytes());
        out.extend_from_slice(&(self.payload as u64).to_le_bytes());
        let stored = if self.flags & (FLAG_LZ4 | FLAG_ZSTD) == 0 {
            0
        } else {
            u32::try_from(self.payload - 3).expect("a small payload")
        };
        out.extend_from_slice(&stored.to_le_bytes());
        out.extend_from_slice(&0_u32.to_le_bytes());
        out.extend_from_slice(&[7, 0, 1, 0]);
        out.extend_from_slice(&self.arch.to_le_bytes());
        out.extend_from_slice(&[0; 8]);
        out.extend_from_slice(&self.flags.to_le_bytes());
        out.extend_from_slice(&0_u64.to_le_bytes());
        out.extend_from_slice(&(4 * self.payload as u64).to_le_bytes());
        assert_eq!(out.len() - start, 64);
        out.resize(out.len() + self.payload, 0xee);
    }
}

/// A module header that claims `size` bytes after it.
pub(crate) fn module_header(size: u64) -> Vec<u8> {
    let mut out = 0xba55_ed50_u32.to_le_bytes().to_vec();
    out.extend_from_slice(&1_u16.to_le_bytes());
    out.extend_from_slice(&16_u16.to_le_bytes());
    out.extend_from_slice(&size.to_le_bytes());
    out
}

/// A module of these elements.
pub(crate) fn module(elements: &[ElementSpec]) -> Vec<u8> {
    let mut body = Vec::new();
    for element in elements {
        element.write(&mut body);
    }
    let mut out = module_header(body.len() as u64);
    out.extend_from_slice(&body);
    out
}

/// A module for `sm_52` and `compute_52`.
pub(crate) fn plain_module() -> Vec<u8> {
    module(&[element(CUBIN, 52), element(PTX, 52)])
}

/// Modules with as many zeros before each as its entry says.
pub(crate) fn modules(gaps: &[usize]) -> Vec<u8> {
    let mut out = Vec::new();
    for gap in gaps {
        out.resize(out.len() + gap, 0);
        out.extend_from_slice(&plain_module());
    }
    out
}

/// Wrappers that point at these virtual addresses.
pub(crate) fn wrappers(targets: &[u64]) -> Vec<u8> {
    let mut out = Vec::new();
    for target in targets {
        out.extend_from_slice(&0x4662_43b1_u32.to_le_bytes());
        out.extend_from_slice(&1_u32.to_le_bytes());
        out.extend_from_slice(&target.to_le_bytes());
        out.extend_from_slice(&0_u64.to_le_bytes());
    }
    out
}
