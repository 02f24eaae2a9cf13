//! Sizes as people read them.
//!
//! The rule, also stated in the help: 1 KB is 1,024 bytes, 1 MB 1,024 KB and
//! 1 GB 1,024 MB, as Windows and its Task Manager count. From 1 GB on a size is
//! written in GB with two decimals, from 10 MB on in whole MB, from 1 MB on in
//! MB with one decimal, and below in whole KB, at least 1. JSON has bytes.

const KB: u64 = 1 << 10;
const MB: u64 = 1 << 20;
const GB: u64 = 1 << 30;

/// `bytes` in KB, MB or GB.
pub(crate) fn shown_size(bytes: u64) -> String {
    // Integers throughout: a size of 2^63 keeps its digits. Each form is left
    // for the next where rounding would carry it there.
    if bytes == 0 {
        "0 MB".to_owned()
    } else if rounded(bytes, 1, KB) < 1024 {
        format!("{} KB", rounded(bytes, 1, KB).max(1))
    } else if rounded(bytes, 10, MB) < 100 {
        let tenths = rounded(bytes, 10, MB);
        format!("{}.{} MB", tenths / 10, tenths % 10)
    } else if rounded(bytes, 1, MB) < 1024 {
        format!("{} MB", rounded(bytes, 1, MB))
    } else {
        let hundredths = rounded(bytes, 100, GB);
        format!("{}.{:02} GB", hundredths / 100, hundredths % 100)
    }
}

/// What was gained or lost, with its sign.
pub(crate) fn shown_difference(bytes: i64) -> String {
    let size = shown_size(bytes.unsigned_abs());
    match bytes {
        0 => size,
        1.. => format!("+{size}"),
        _ => format!("-{size}"),
    }
}

/// `bytes` in units of 1/`parts` `unit`, rounded to the nearest.
fn rounded(bytes: u64, parts: u64, unit: u64) -> u64 {
    let scaled = (u128::from(bytes) * u128::from(parts) + u128::from(unit / 2)) / u128::from(unit);
    // 2^64 bytes are 2^34 GB: hundredths of them fit easily.
    u64::try_from(scaled).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_follow_the_stated_rule() {
        let table = [
            (0, "0 MB"),
            (1, "1 KB"),
            (28_672, "28 KB"),
            (KB * 1023, "1023 KB"),
            (MB - 1, "1.0 MB"),
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

    #[test]
    fn a_difference_has_its_sign_unless_there_is_none() {
        for (bytes, shown) in [
            (0, "0 MB"),
            (28_672, "+28 KB"),
            (-3 * (1 << 20), "-3.0 MB"),
            (i64::MIN, "-8589934592.00 GB"),
        ] {
            assert_eq!(shown_difference(bytes), shown, "{bytes}");
        }
    }
}
