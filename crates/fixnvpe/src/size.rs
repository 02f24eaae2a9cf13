//! Sizes as people read them.
//!
//! The rule, also stated in the help: 1 MB is 1,048,576 bytes and 1 GB is
//! 1,024 MB, as Windows and its Task Manager count; from 1 GB on in GB with
//! two decimals, from 10 MB on in whole MB, below with one decimal, and what
//! would round to nothing is written "<0.1 MB". JSON has bytes.

const MB: u64 = 1 << 20;

/// `bytes` in MB or GB.
pub(crate) fn shown_size(bytes: u64) -> String {
    // Integers throughout: a size of 2^63 keeps its digits.
    let tenths = rounded(bytes, 10);
    if bytes == 0 {
        "0 MB".to_owned()
    } else if tenths == 0 {
        "<0.1 MB".to_owned()
    } else if tenths < 100 {
        format!("{}.{} MB", tenths / 10, tenths % 10)
    } else if rounded(bytes, 1) < 1024 {
        format!("{} MB", rounded(bytes, 1))
    } else {
        let hundredths = rounded(bytes / 1024, 100);
        format!("{}.{:02} GB", hundredths / 100, hundredths % 100)
    }
}

/// `bytes` in units of 1/`parts` MB, rounded to the nearest.
fn rounded(bytes: u64, parts: u64) -> u64 {
    let scaled = (u128::from(bytes) * u128::from(parts) + u128::from(MB / 2)) / u128::from(MB);
    // 2^64 bytes are 2^44 MB: hundredths of them fit easily.
    u64::try_from(scaled).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_follow_the_stated_rule() {
        let table = [
            (0, "0 MB"),
            (1, "<0.1 MB"),
            (52_428, "<0.1 MB"),
            (52_429, "0.1 MB"),
            (MB, "1.0 MB"),
            (MB * 99 / 10, "9.9 MB"),
            (MB * 10 - 1, "10 MB"),
            (170_168_320, "162 MB"),
            (MB * 1023, "1023 MB"),
            (MB * 1024 - 1, "1.00 GB"),
            (MB * 1024, "1.00 GB"),
            (1_215_261_272, "1.13 GB"),
            (u64::MAX, "17179869184.00 GB"),
        ];
        for (bytes, shown) in table {
            assert_eq!(shown_size(bytes), shown, "{bytes}");
        }
    }
}
