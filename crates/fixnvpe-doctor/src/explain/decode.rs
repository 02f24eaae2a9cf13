//! A log's bytes as text.
//!
//! Windows consoles and editors save logs in UTF-8, in UTF-16 (PowerShell 5.1's
//! `>`), or in the code page of the country. A byte-order mark tells, else the
//! zeros of UTF-16 do, else valid UTF-8 is UTF-8. What remains is a code page:
//! the one in which a known message can be read, else the first that fits.

use encoding_rs::{
    Encoding, GB18030, IBM866, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1251, WINDOWS_1252,
};

use super::phrase;

/// The code pages of the languages whose messages are known. GB18030 holds
/// every GBK text.
const CODE_PAGES: [&Encoding; 5] = [GB18030, WINDOWS_1251, IBM866, SHIFT_JIS, WINDOWS_1252];

/// The text of a log, whatever it was saved in. Bytes that fit no reading are
/// replaced, never an error.
///
/// ```
/// let log = "OSError: [WinError 1455] 页面文件太小，无法完成操作。";
/// let (gbk, _, _) = encoding_rs::GBK.encode(log);
/// assert_eq!(fixnvpe_doctor::explain::decode(&gbk), log);
/// ```
#[must_use]
pub fn decode(bytes: &[u8]) -> String {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return encoding
            .decode_without_bom_handling(&bytes[mark..])
            .0
            .into_owned();
    }
    if let Some(encoding) = utf_16(bytes) {
        return encoding.decode_without_bom_handling(bytes).0.into_owned();
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return text.to_owned();
    }
    let readings: Vec<_> = CODE_PAGES
        .iter()
        .filter_map(|page| page.decode_without_bom_handling_and_without_replacement(bytes))
        .collect();
    let known = readings.iter().find(|text| phrase::find(text).is_some());
    known.or(readings.first()).map_or_else(
        || UTF_8.decode_without_bom_handling(bytes).0.into_owned(),
        |text| text.clone().into_owned(),
    )
}

/// UTF-16 without a mark: a log has line ends, spaces and digits, whose upper
/// byte is 0 and stands always on the same side.
fn utf_16(bytes: &[u8]) -> Option<&'static Encoding> {
    let (mut even, mut odd) = (0_usize, 0_usize);
    for (at, byte) in bytes.iter().take(4096).enumerate() {
        if *byte == 0 {
            *if at % 2 == 0 { &mut even } else { &mut odd } += 1;
        }
    }
    match (even, odd) {
        (0, 1..) => Some(UTF_16LE),
        (1.., 0) => Some(UTF_16BE),
        // Text of other planes may have a zero in the low byte now and then.
        _ if odd > 8 * even => Some(UTF_16LE),
        _ if even > 8 * odd => Some(UTF_16BE),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use encoding_rs::{EncoderResult, GBK};
    use proptest::prelude::*;

    use super::*;

    const LOG: &str = "OSError: [WinError 1455] 页面文件太小，无法完成操作。 Error loading \"D:\\环境\\torch\\lib\\c10.dll\"\r\n";

    fn utf_16_bytes(text: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(unit).collect()
    }

    fn in_page(text: &str, page: &'static Encoding) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(4 * text.len() + 16);
        let mut encoder = page.new_encoder();
        let (result, _) =
            encoder.encode_from_utf8_to_vec_without_replacement(text, &mut bytes, true);
        assert_eq!(result, EncoderResult::InputEmpty, "{text}");
        bytes
    }

    #[test]
    fn a_log_is_read_in_each_way_in_which_windows_saves_it() {
        let marked = |mark: &[u8], bytes: Vec<u8>| [mark, &bytes].concat();
        let saved = [
            LOG.as_bytes().to_vec(),
            marked(b"\xEF\xBB\xBF", LOG.as_bytes().to_vec()),
            utf_16_bytes(LOG, u16::to_le_bytes),
            utf_16_bytes(LOG, u16::to_be_bytes),
            marked(b"\xFF\xFE", utf_16_bytes(LOG, u16::to_le_bytes)),
            marked(b"\xFE\xFF", utf_16_bytes(LOG, u16::to_be_bytes)),
            in_page(LOG, GBK),
        ];
        for bytes in saved {
            assert_eq!(decode(&bytes), LOG, "{:?}", &bytes[..4]);
        }
    }

    #[test]
    fn a_code_page_is_known_by_the_message_in_it() {
        let table = [
            (
                WINDOWS_1251,
                "[WinError 1455] Файл подкачки слишком мал для завершения операции",
            ),
            (IBM866, "[WinError 126] Не найден указанный модуль"),
            (
                SHIFT_JIS,
                "[WinError 1455] ページング ファイルが小さすぎるため、この操作を完了できません。",
            ),
            (
                WINDOWS_1252,
                "[WinError 1455] El archivo de paginación es demasiado pequeño para completar la operación",
            ),
        ];
        for (page, message) in table {
            assert_eq!(decode(&in_page(message, page)), message);
        }
    }

    #[test]
    fn a_truncated_log_is_still_read() {
        let mut bytes = utf_16_bytes(LOG, u16::to_le_bytes);
        bytes.pop();
        assert!(decode(&bytes).contains("1455"));
        assert!(decode(&[0xFF]).chars().count() == 1);
        assert_eq!(decode(b""), "");
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_as_something(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            prop_assert!(decode(&bytes).chars().count() <= bytes.len());
        }

        #[test]
        fn utf_8_stays_what_it_is(text in "[^\0\u{FEFF}]*") {
            prop_assert_eq!(decode(text.as_bytes()), text);
        }
    }
}
