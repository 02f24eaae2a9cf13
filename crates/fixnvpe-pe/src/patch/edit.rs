//! One changed run of bytes.

use std::fmt;

/// The header field that an edit belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum Field {
    /// The flags of a section: `MEM_WRITE`.
    SectionCharacteristics,
    /// The flags of the image: `DYNAMIC_BASE`.
    DllCharacteristics,
    /// The CheckSum.
    CheckSum,
}

impl Field {
    /// The stable word for scripts.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SectionCharacteristics => "section_characteristics",
            Self::DllCharacteristics => "dll_characteristics",
            Self::CheckSum => "check_sum",
        }
    }

    /// The size of the whole field in bytes.
    #[must_use]
    pub fn size(self) -> usize {
        match self {
            Self::SectionCharacteristics | Self::CheckSum => 4,
            Self::DllCharacteristics => 2,
        }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A run of bytes within one field, all of which change. In JSON the bytes are
/// lower-case hexadecimal text: `"c0"`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Edit {
    /// The file offset in bytes.
    pub offset: u64,
    /// The bytes before.
    #[cfg_attr(feature = "serde", serde(with = "hex"))]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub old: Vec<u8>,
    /// The bytes after, as many.
    #[cfg_attr(feature = "serde", serde(with = "hex"))]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub new: Vec<u8>,
    /// The field that they belong to.
    pub field: Field,
}

impl Edit {
    /// An edit of these parts, unchecked; [`Patch::from_edits`](crate::Patch::from_edits)
    /// checks it.
    #[must_use]
    pub fn new(offset: u64, old: Vec<u8>, new: Vec<u8>, field: Field) -> Self {
        Self {
            offset,
            old,
            new,
            field,
        }
    }

    /// The file offset behind the last byte.
    pub(super) fn end(&self) -> u64 {
        self.offset.saturating_add(self.old.len() as u64)
    }

    pub(super) fn inverse(&self) -> Self {
        Self {
            offset: self.offset,
            old: self.new.clone(),
            new: self.old.clone(),
            field: self.field,
        }
    }

    /// This edit's bytes in a span of the file that starts at `start`.
    pub(super) fn of_span<'a>(&self, span: &'a [u8], start: u64) -> &'a [u8] {
        let at = crate::header::usize_of(self.offset - start);
        span.get(at..at + self.old.len()).unwrap_or_default()
    }

    pub(super) fn write_to_span(&self, span: &mut [u8], start: u64) {
        let at = crate::header::usize_of(self.offset - start);
        if let Some(place) = span.get_mut(at..at + self.new.len()) {
            place.copy_from_slice(&self.new);
        }
    }

    /// The edits that turn `old` into `new`: one for each run of bytes that differ.
    pub(super) fn between(offset: u64, old: &[u8], new: &[u8], field: Field) -> Vec<Self> {
        let mut edits: Vec<Self> = Vec::new();
        for (at, (old, new)) in (offset..).zip(old.iter().zip(new)) {
            if old == new {
                continue;
            }
            match edits.last_mut() {
                Some(edit) if edit.end() == at => {
                    edit.old.push(*old);
                    edit.new.push(*new);
                }
                _ => edits.push(Self::new(at, vec![*old], vec![*new], field)),
            }
        }
        edits
    }
}

#[cfg(feature = "serde")]
mod hex {
    use std::fmt::Write;

    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        let mut text = String::with_capacity(bytes.len() * 2);
        for byte in bytes {
            // Writing to a string cannot fail.
            let _ = write!(text, "{byte:02x}");
        }
        serializer.serialize_str(&text)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(deserializer)?;
        let digits: Option<Vec<_>> = text.chars().map(|digit| digit.to_digit(16)).collect();
        let digits = digits.filter(|digits| digits.len() % 2 == 0);
        let digits = digits.ok_or_else(|| D::Error::custom("not pairs of hexadecimal digits"))?;
        digits
            .chunks_exact(2)
            .map(|pair| u8::try_from(pair[0] * 16 + pair[1]).map_err(D::Error::custom))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Edit, Field};

    #[test]
    fn every_run_of_bytes_that_differ_is_an_edit_of_its_own() {
        let edits = Edit::between(8, &[1, 2, 3, 4], &[9, 2, 8, 7], Field::CheckSum);
        let first = Edit::new(8, vec![1], vec![9], Field::CheckSum);
        let second = Edit::new(10, vec![3, 4], vec![8, 7], Field::CheckSum);
        assert_eq!(edits, [first, second]);
        assert!(Edit::between(8, &[1, 2], &[1, 2], Field::CheckSum).is_empty());
    }
}
