//! Text as Windows programs leave it in files.

/// Decodes a text file: UTF-8 with or without a byte-order mark, or UTF-16
/// behind one (as PowerShell's `>` writes it). What cannot be decoded is
/// replaced by U+FFFD.
pub(crate) fn decode(bytes: &[u8]) -> String {
    let wide = |rest: &[u8], unit: fn([u8; 2]) -> u16| {
        let (pairs, _) = rest.as_chunks::<2>();
        let units: Vec<u16> = pairs.iter().map(|pair| unit(*pair)).collect();
        String::from_utf16_lossy(&units)
    };
    match bytes {
        [0xEF, 0xBB, 0xBF, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        [0xFF, 0xFE, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xFE, 0xFF, rest @ ..] => wide(rest, u16::from_be_bytes),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_in_which_windows_writes_text_reads_alike() {
        let text = "C:\\环境\r\n";
        let marked = [&[0xEF, 0xBB, 0xBF], text.as_bytes()].concat();
        let units: Vec<u16> = text.encode_utf16().collect();
        let little = units.iter().flat_map(|unit| unit.to_le_bytes());
        let big = units.iter().flat_map(|unit| unit.to_be_bytes());
        let little: Vec<u8> = [0xFF, 0xFE].into_iter().chain(little).collect();
        let big: Vec<u8> = [0xFE, 0xFF].into_iter().chain(big).collect();
        for bytes in [text.as_bytes(), &marked, &little, &big] {
            assert_eq!(decode(bytes), text);
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_replaced_and_do_not_fail() {
        assert_eq!(decode(b"\xff\xfea"), "");
        assert!(decode(b"a\xc0b").contains('\u{FFFD}'));
        assert_eq!(decode(b""), "");
    }
}
