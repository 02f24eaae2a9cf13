//! The error number in a text, in any language.

/// The numbers that are explained.
pub(super) const KNOWN: [u32; 6] = [1455, 4551, 1114, 193, 127, 126];

/// The same as NTSTATUS or HRESULT, in hexadecimal.
const HEXADECIMAL: &[(&str, u32)] = &[
    ("0x800705af", 1455),
    ("0xc000012d", 1455),
    ("0x800711c7", 4551),
    ("0x8007007e", 126),
    ("0xc0000135", 126),
    ("0x8007007f", 127),
    ("0x800700c1", 193),
    ("0x8007045a", 1114),
];

/// Words that stand before an error number: Python's and Rust's own, and those
/// of the system's message boxes in the languages that are known.
const MARKS: &[&str] = &[
    "winerror",
    "error",
    "err",
    "code",
    "código",
    "номер",
    "код",
    "ошибка",
    "ошибки",
    "错误",
    "错误代码",
    "错误码",
    "錯誤",
    "代码",
    "エラー",
    "コード",
];

/// Every number that is explained, in the order in which the text has them,
/// each once. A text that is nothing but the number counts.
pub(super) fn find(text: &str) -> Vec<u32> {
    let lower = text.to_lowercase();
    if let Ok(number) = lower.trim().parse()
        && KNOWN.contains(&number)
    {
        return vec![number];
    }
    let mut found: Vec<(usize, u32)> = HEXADECIMAL
        .iter()
        .filter_map(|(code, number)| Some((lower.find(code)?, *number)))
        .collect();
    for number in KNOWN {
        found.extend(decimal(&lower, number).map(|at| (at, number)));
    }
    found.sort_unstable();
    let mut numbers = Vec::new();
    for (_, number) in found {
        if !numbers.contains(&number) {
            numbers.push(number);
        }
    }
    numbers
}

/// Where the number stands as a word of its own with such a mark before it.
fn decimal(text: &str, number: u32) -> Option<usize> {
    let digits = number.to_string();
    text.match_indices(&digits)
        .map(|(at, _)| at)
        .find(|at| stands_alone(text, *at, digits.len()) && is_marked(&text[..*at]))
}

fn stands_alone(text: &str, at: usize, len: usize) -> bool {
    let before = text[..at].chars().next_back();
    let after = text[at + len..].chars().next();
    let joins = |c: char| c.is_ascii_alphanumeric() || c == '_';
    !before.is_some_and(joins) && !after.is_some_and(joins)
}

fn is_marked(before: &str) -> bool {
    let before = before.trim_end_matches(|c: char| {
        c.is_whitespace() && c != '\n' || matches!(c, ':' | '：' | '=' | '#' | '(' | '（' | '[')
    });
    MARKS.iter().any(|mark| before.ends_with(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_is_found_however_it_is_written() {
        let table = [
            "1455",
            " 1455\r\n",
            "[WinError 1455] The paging file is too small",
            "WindowsError: [Error 1455] Файл подкачки слишком мал",
            "(os error 1455)",
            "CreateProcess error=1455",
            "Error code: 1455",
            "错误代码：1455",
            "ошибка 1455",
            "код ошибки: 1455",
            "エラー コード 1455",
            "código de error 1455",
            "Exception (0x800705AF)",
            "status 0xC000012D",
        ];
        for text in table {
            assert_eq!(find(text), [1455], "{text}");
        }
    }

    #[test]
    fn a_number_that_is_no_error_number_is_passed_over() {
        for text in [
            "File \"x.py\", line 126, in <module>",
            "1455 images",
            "epoch 193",
            "[WinError 14550]",
            "error\n1455 more",
            "cudnn_cnn_infer64_126.dll",
            "took 1455 ms",
            "4551 12",
        ] {
            assert_eq!(find(text), [0_u32; 0], "{text}");
        }
    }

    #[test]
    fn several_numbers_come_in_the_order_of_the_text() {
        let text = "[WinError 126] a\n[WinError 1455] b\n[WinError 126] c";
        assert_eq!(find(text), [126, 1455]);
    }
}
