//! Names of more than 8 bytes, as GNU ld keeps them behind `/n`.

use object::write::pe::Writer;

/// Names of more than 8 bytes, as GNU ld keeps them.
#[derive(Default)]
pub(super) struct StringTable {
    text: Vec<u8>,
}

impl StringTable {
    /// The 8 bytes for the section header.
    pub(super) fn name(&mut self, name: &[u8]) -> [u8; 8] {
        let mut short = [0; 8];
        if name.len() <= 8 {
            short[..name.len()].copy_from_slice(name);
        } else {
            let reference = format!("/{}", 4 + self.text.len());
            short[..reference.len()].copy_from_slice(reference.as_bytes());
            self.text.extend(name);
            self.text.push(0);
        }
        short
    }

    pub(super) fn reserve(&self, writer: &mut Writer<'_>) -> Option<u32> {
        let size = u32::try_from(self.text.len()).expect("names of a few bytes");
        (size > 0).then(|| writer.reserve(4 + size, 4))
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        let size = u32::try_from(4 + self.text.len()).expect("names of a few bytes");
        [&size.to_le_bytes(), self.text.as_slice()].concat()
    }
}
