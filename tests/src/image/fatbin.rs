//! The content of a fat-binary section: modules, their elements, runs of zeros between them.
//!
//! The layout of the headers is in no public documentation; it was read from real files and from
//! the open readers of the format.

use crate::sparse::SparseBytes;

/// How the payload of an element is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Compression {
    /// As it is.
    None,
    /// LZ4 (flag 0x2000).
    Lz4,
    /// zstd (flag 0x8000).
    Zstd,
}

/// What an element holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ElementKind {
    /// PTX, compiled at load: `compute_75`.
    Ptx,
    /// A cubin, which is an ELF file: `sm_75`.
    Elf,
}

/// One element of a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Element {
    /// What it holds.
    pub kind: ElementKind,
    /// Compute capability times ten: 86 for `sm_86`.
    pub arch: u32,
    /// How it is stored.
    pub compression: Compression,
    /// Bytes stored after the header, a multiple of 8; only the first are not zero.
    pub payload: u64,
    /// An identifier after the header, if any.
    pub name: String,
}

impl Element {
    /// An element for an architecture such as `sm_86` or `compute_75`, with 256 bytes of payload.
    ///
    /// # Panics
    ///
    /// When the architecture is written in another way.
    #[must_use]
    pub fn of(arch: &str) -> Self {
        let (kind, number) = match (arch.strip_prefix("sm_"), arch.strip_prefix("compute_")) {
            (Some(number), _) => (ElementKind::Elf, number),
            (_, Some(number)) => (ElementKind::Ptx, number),
            _ => panic!("`{arch}` is neither sm_N nor compute_N"),
        };
        Self {
            kind,
            arch: number.parse().expect("a number of an architecture"),
            compression: Compression::None,
            payload: 0x100,
            name: String::new(),
        }
    }

    /// The same element, stored in this way.
    #[must_use]
    pub fn compressed(mut self, compression: Compression) -> Self {
        self.compression = compression;
        self
    }

    /// The same element with this many bytes after its header.
    #[must_use]
    pub fn with_payload(mut self, bytes: u64) -> Self {
        self.payload = bytes;
        self
    }

    fn header_size(&self) -> u64 {
        (64 + self.name.len() as u64).next_multiple_of(8)
    }

    /// Bytes with header.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.header_size() + self.payload
    }

    fn put(&self, content: &mut SparseBytes, at: u64) {
        let compressed = self.compression != Compression::None;
        let storage: u64 = match self.compression {
            Compression::None => 0,
            Compression::Lz4 => 0x2000,
            Compression::Zstd => 0x8000,
        };
        // 64-bit code for Windows.
        let flags = 0x41 | storage;
        let kind: u16 = match self.kind {
            ElementKind::Ptx => 1,
            ElementKind::Elf => 2,
        };
        let low = |value: u64| u32::try_from(value).expect("a size below 4 GiB");
        let name_offset = if self.name.is_empty() { 0 } else { 64 };
        let mut header = Vec::with_capacity(64);
        header.extend(kind.to_le_bytes());
        header.extend(0x0101_u16.to_le_bytes());
        header.extend(low(self.header_size()).to_le_bytes());
        header.extend(self.payload.to_le_bytes());
        header.extend(if compressed { low(self.payload) } else { 0 }.to_le_bytes());
        header.extend(0_u32.to_le_bytes()); // offset of the options
        header.extend(3_u16.to_le_bytes()); // minor
        header.extend(7_u16.to_le_bytes()); // major
        header.extend(self.arch.to_le_bytes());
        header.extend(u32::to_le_bytes(name_offset));
        header.extend(low(self.name.len() as u64).to_le_bytes());
        header.extend(flags.to_le_bytes());
        header.extend(0_u64.to_le_bytes());
        header.extend(if compressed { self.payload * 3 } else { 0 }.to_le_bytes());
        header.extend(self.name.as_bytes());
        content.put(at, &header);
        let payload: &[u8] = match (self.kind, self.compression) {
            (ElementKind::Elf, Compression::None) => b"\x7fELF\x02\x01\x01\x33",
            (ElementKind::Ptx, Compression::None) => b".version 7.3\n.target sm_75\n",
            (_, _) => b"\xf4\x21compressed by nobody",
        };
        let fits =
            usize::try_from(self.payload).map_or(payload.len(), |len| len.min(payload.len()));
        content.put(at + self.header_size(), &payload[..fits]);
    }
}

/// One module: a header of 16 bytes and its elements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Module {
    /// The first word: `0xBA55ED50`.
    pub magic: u32,
    /// The size that the header claims, without itself; the true one where not given.
    pub claimed_size: Option<u64>,
    /// The elements in their order.
    pub elements: Vec<Element>,
}

impl Module {
    /// The magic of a module.
    pub const MAGIC: u32 = 0xBA55_ED50;

    /// A module with these elements.
    pub fn new(elements: impl IntoIterator<Item = Element>) -> Self {
        Self {
            magic: Self::MAGIC,
            claimed_size: None,
            elements: elements.into_iter().collect(),
        }
    }

    /// Bytes of all elements, without the module's own header.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.elements.iter().map(Element::size).sum()
    }

    fn put(&self, content: &mut SparseBytes, at: u64) -> u64 {
        let mut header = Vec::with_capacity(16);
        header.extend(self.magic.to_le_bytes());
        header.extend(1_u16.to_le_bytes());
        header.extend(16_u16.to_le_bytes());
        header.extend(
            self.claimed_size
                .unwrap_or_else(|| self.size())
                .to_le_bytes(),
        );
        content.put(at, &header);
        let mut next = at + 16;
        for element in &self.elements {
            element.put(content, next);
            next += element.size();
        }
        content.extend_to(next);
        next
    }
}

/// What follows in a fat-binary section.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Item {
    /// A module, which a wrapper points at.
    Module(Module),
    /// So many bytes of zero, a multiple of 8.
    Zeros(u64),
    /// Other bytes.
    Bytes(Vec<u8>),
}

/// The content of a fat-binary section.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fatbin {
    /// Modules and gaps in their order.
    pub items: Vec<Item>,
}

impl Fatbin {
    /// One module with one element for each architecture, such as `sm_86`, `compute_75`.
    ///
    /// # Panics
    ///
    /// When an architecture is written in another way.
    pub fn of<'a>(archs: impl IntoIterator<Item = &'a str>) -> Self {
        Self::default().module(Module::new(archs.into_iter().map(Element::of)))
    }

    /// The same content with one more module.
    #[must_use]
    pub fn module(mut self, module: Module) -> Self {
        self.items.push(Item::Module(module));
        self
    }

    /// The same content with a run of zeros behind it.
    #[must_use]
    pub fn zeros(mut self, bytes: u64) -> Self {
        self.items.push(Item::Zeros(bytes));
        self
    }

    /// The same content with other bytes behind it.
    #[must_use]
    pub fn bytes(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.items.push(Item::Bytes(bytes.into()));
        self
    }

    /// The same content, and its last module grown so that the whole is `bytes` long.
    ///
    /// # Panics
    ///
    /// When it is longer, when the difference is no multiple of 8, or when the last item is no
    /// module with an element.
    #[must_use]
    pub fn grown_to(mut self, bytes: u64) -> Self {
        let missing = bytes
            .checked_sub(self.size())
            .expect("content shorter than the whole");
        assert_eq!(missing % 8, 0, "a module stays 8-aligned");
        match self.items.last_mut() {
            Some(Item::Module(module)) => {
                let last = module
                    .elements
                    .last_mut()
                    .expect("a module with an element");
                last.payload += missing;
            }
            _ => panic!("the last item is a module"),
        }
        self
    }

    /// Bytes of the whole content.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.items
            .iter()
            .map(|item| match item {
                Item::Module(module) => 16 + module.size(),
                Item::Zeros(bytes) => *bytes,
                Item::Bytes(bytes) => bytes.len() as u64,
            })
            .sum()
    }

    /// The bytes, and the offset of each module.
    ///
    /// # Panics
    ///
    /// When the content is 4 GiB or longer.
    #[must_use]
    pub fn content(&self) -> (SparseBytes, Vec<u32>) {
        let mut content = SparseBytes::default();
        let mut modules = Vec::new();
        let mut at = 0;
        for item in &self.items {
            match item {
                Item::Module(module) => {
                    modules.push(u32::try_from(at).expect("a section below 4 GiB"));
                    at = module.put(&mut content, at);
                }
                Item::Zeros(bytes) => at += bytes,
                Item::Bytes(bytes) => {
                    content.put(at, bytes);
                    at += bytes.len() as u64;
                }
            }
            content.extend_to(at);
        }
        (content, modules)
    }
}
