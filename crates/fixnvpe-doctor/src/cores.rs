//! Cores, as Windows lists them: one entry each, of its own length.
//! (Microsoft's page "`SYSTEM_LOGICAL_PROCESSOR_INFORMATION_EX`": a relationship
//! and a size, 32 bits each, and then what the relationship says.)

/// How many entries there are in what `GetLogicalProcessorInformationEx` wrote;
/// `None` where an entry has no sound length.
pub(crate) fn entries(mut bytes: &[u8]) -> Option<u32> {
    let mut count = 0;
    while !bytes.is_empty() {
        let size = u32::from_ne_bytes(bytes.get(4..8)?.try_into().ok()?);
        let size = usize::try_from(size).ok().filter(|size| *size >= 8)?;
        bytes = bytes.get(size..)?;
        count += 1;
    }
    Some(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(size: u32) -> Vec<u8> {
        let mut entry = [0_u32, size].map(u32::to_ne_bytes).concat();
        entry.resize(usize::try_from(size).unwrap().max(8), 0);
        entry
    }

    #[test]
    fn entries_are_counted_by_their_own_lengths() {
        // 96 cores; those of a machine with several groups are longer.
        let cores: Vec<u8> = (0..96)
            .flat_map(|core| entry(if core % 2 == 0 { 48 } else { 64 }))
            .collect();
        assert_eq!(entries(&cores), Some(96));
        assert_eq!(entries(&[]), Some(0));
    }

    #[test]
    fn a_list_that_is_not_sound_has_no_count() {
        assert_eq!(entries(&entry(0)), None);
        assert_eq!(entries(&entry(48)[..40]), None);
        assert_eq!(entries(&[0; 5]), None);
    }
}
