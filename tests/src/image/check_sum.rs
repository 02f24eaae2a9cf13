//! The true `CheckSum` of a file, by a full pass that knows nothing of the code under test.

use crate::sparse::SparseBytes;

/// Offset of the `CheckSum` field from `e_lfanew`, in PE32 and PE32+.
pub const CHECK_SUM_OFFSET: u64 = 88;

/// The sum that Windows computes for a file whose `CheckSum` field starts at a file offset: the
/// ones' complement sum of all 16-bit words, that field taken as 0, plus the length of the file.
#[must_use]
pub fn check_sum(file: &SparseBytes, field: u64) -> u32 {
    let mut total: u64 = 0;
    for (at, piece) in file.pieces() {
        for (offset, &byte) in (at..).zip(piece) {
            if !(field..field + 4).contains(&offset) {
                total += u64::from(byte) << (8 * (offset & 1));
            }
        }
    }
    while total > 0xFFFF {
        total = (total & 0xFFFF) + (total >> 16);
    }
    // The sum wraps at 32 bits, as the field does, in files over 4 GiB.
    let [a, b, c, d, ..] = (total + file.len()).to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_summed_with_end_around_carry_and_the_length_is_added() {
        // 0x0201 + 0xFFFF = 0x10200, folded 0x0201; the odd tail 0x07; 5 bytes.
        let file = SparseBytes::from(vec![0x01, 0x02, 0xFF, 0xFF, 0x07]);
        assert_eq!(check_sum(&file, 100), 0x0201 + 7 + 5);
    }

    #[test]
    fn the_field_itself_does_not_count() {
        let file = SparseBytes::from(vec![1, 0, 9, 9, 9, 9, 2, 0]);
        assert_eq!(check_sum(&file, 2), 3 + 8);
    }
}
