//! Section names longer than eight bytes: `/n` is the offset n of a name in the
//! string table behind the COFF symbols (Microsoft PE format specification,
//! "Section Table"; `//` and six base-64 digits is LLVM's extension for offsets
//! above 9,999,999). Images rarely have such a table; a name that it does not
//! hold stays the `/n` that it is.

use crate::error::Error;
use crate::header::Header;
use crate::source::ReadAt;

const SYMBOL_SIZE: u64 = 18;
/// The most bytes of one name that are read. Section names of real images end
/// within 30.
const MAX_NAME: u64 = 256;

/// Fills in the long names of the sections that ask for one.
pub(crate) fn resolve(source: &impl ReadAt, header: &mut Header, len: u64) -> Result<(), Error> {
    let mut table = None;
    for index in 0..header.sections.len() {
        let Some(offset) = name_offset(header.sections[index].raw_name()) else {
            continue;
        };
        if table.is_none() {
            table = Some(StringTable::open(source, header, len)?);
        }
        let name = match &table {
            Some(Some(table)) => table.name(source, offset)?,
            _ => None,
        };
        if let Some(name) = name {
            header.sections[index].set_long_name(name);
        }
    }
    Ok(())
}

struct StringTable {
    start: u64,
    size: u64,
}

impl StringTable {
    fn open(source: &impl ReadAt, header: &Header, len: u64) -> Result<Option<Self>, Error> {
        let symbols = u64::from(header.coff.pointer_to_symbol_table);
        let start = symbols + SYMBOL_SIZE * u64::from(header.coff.number_of_symbol_table);
        if symbols == 0 || start + 4 > len {
            return Ok(None);
        }
        let mut size = [0; 4];
        source
            .read_exact_at(start, &mut size)
            .map_err(|error| Error::read(start, size.len(), error))?;
        let size = u64::from(u32::from_le_bytes(size)).min(len - start);
        Ok(Some(Self { start, size }))
    }

    /// The name at `offset` of the table, without its NUL.
    fn name(&self, source: &impl ReadAt, offset: u64) -> Result<Option<Vec<u8>>, Error> {
        // The first four bytes are the table's own size.
        let Some(left) = self.size.checked_sub(offset).filter(|_| offset >= 4) else {
            return Ok(None);
        };
        let mut name = vec![0; crate::header::usize_of(left.min(MAX_NAME))];
        let at = self.start + offset;
        source
            .read_exact_at(at, &mut name)
            .map_err(|error| Error::read(at, name.len(), error))?;
        Ok(name.iter().position(|byte| *byte == 0).map(|end| {
            name.truncate(end);
            name
        }))
    }
}

/// The offset that a name field of the form `/n` or `//xxxxxx` holds.
fn name_offset(name: [u8; 8]) -> Option<u64> {
    let digits = name.strip_prefix(b"/")?;
    if let Some(digits) = digits.strip_prefix(b"/") {
        return digits.iter().try_fold(0, |value, digit| {
            Some(value * 64 + u64::from(base64_value(*digit)?))
        });
    }
    let end = digits.iter().position(|byte| *byte == 0);
    let digits = &digits[..end.unwrap_or(digits.len())];
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0, |value, digit| {
        digit
            .is_ascii_digit()
            .then(|| value * 10 + u64::from(digit - b'0'))
    })
}

fn base64_value(digit: u8) -> Option<u8> {
    match digit {
        b'A'..=b'Z' => Some(digit - b'A'),
        b'a'..=b'z' => Some(digit - b'a' + 26),
        b'0'..=b'9' => Some(digit - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::name_offset;

    #[test]
    fn decimal_and_base_64_offsets_are_told_from_other_names() {
        assert_eq!(name_offset(*b"/4\0\0\0\0\0\0"), Some(4));
        assert_eq!(name_offset(*b"/1234567"), Some(1_234_567));
        assert_eq!(name_offset(*b"//AAAABA"), Some(64));
        assert_eq!(name_offset(*b"//AAAAA!"), None);
        assert_eq!(name_offset(*b"/foo\0\0\0\0"), None);
        assert_eq!(name_offset(*b"/\0\0\0\0\0\0\0"), None);
        assert_eq!(name_offset(*b".nv_fatb"), None);
    }
}
