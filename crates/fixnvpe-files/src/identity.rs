//! The identity of a file, and what an open handle tells about it.

use std::fmt;
use std::str::FromStr;

/// The identity of a file on this machine: the same for every hard link of it
/// and for every path that leads to it, different for any other file.
///
/// On Unix the device and inode numbers; on Windows the volume's serial number
/// and the 128-bit file id (`FILE_ID_INFO`), or the 64-bit index where a file
/// system has no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId {
    volume: u64,
    index: u128,
}

impl FileId {
    /// Puts together an identity from its two numbers.
    #[must_use]
    pub const fn new(volume: u64, index: u128) -> Self {
        Self { volume, index }
    }

    /// The number of the volume (device) that holds the file.
    #[must_use]
    pub const fn volume(self) -> u64 {
        self.volume
    }

    /// The number of the file on its volume.
    #[must_use]
    pub const fn index(self) -> u128 {
        self.index
    }
}

/// `volume-index`, both in hexadecimal: the form that the journal keeps.
impl fmt::Display for FileId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:x}-{:x}", self.volume, self.index)
    }
}

/// A text that is not of the form that [`FileId`] displays as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseFileIdError {
    text: String,
}

impl fmt::Display for ParseFileIdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is no file id (volume-index)", self.text)
    }
}

impl std::error::Error for ParseFileIdError {}

impl FromStr for FileId {
    type Err = ParseFileIdError;

    fn from_str(text: &str) -> Result<Self, ParseFileIdError> {
        let parse = || {
            let (volume, index) = text.split_once('-')?;
            Some(Self {
                volume: u64::from_str_radix(volume, 16).ok()?,
                index: u128::from_str_radix(index, 16).ok()?,
            })
        };
        parse().ok_or_else(|| ParseFileIdError {
            text: text.chars().take(80).collect(),
        })
    }
}

/// What stands behind a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link, junction or mount point: anything that stands for
    /// another name.
    Link,
    /// A device, socket, pipe or the like.
    Other,
}

/// What an open handle tells about its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stat {
    /// The identity of the file.
    pub id: FileId,
    /// How many names (hard links) the file has, 8.3 names not counted.
    pub links: u64,
    /// The length of the file, in bytes.
    pub len: u64,
    /// What the handle was opened on.
    pub kind: Kind,
    /// Whether the read-only attribute is set (Windows), or nobody may write
    /// (Unix: no write bit in the mode).
    pub read_only: bool,
    /// Whether reading the file would fetch it from cloud storage.
    pub placeholder: bool,
}

/// `FILE_ATTRIBUTE_OFFLINE`: the content was moved to other storage.
const OFFLINE: u32 = 0x0000_1000;
/// `FILE_ATTRIBUTE_RECALL_ON_OPEN`: opening fetches it.
const RECALL_ON_OPEN: u32 = 0x0004_0000;
/// `FILE_ATTRIBUTE_RECALL_ON_DATA_ACCESS`: reading fetches it.
const RECALL_ON_DATA_ACCESS: u32 = 0x0040_0000;

/// Whether Windows file attributes say that the content is not on this disk:
/// opening or reading it would download it. (Microsoft's page "File Attribute
/// Constants" gives the bits.)
#[must_use]
pub const fn is_placeholder(attributes: u32) -> bool {
    attributes & (OFFLINE | RECALL_ON_OPEN | RECALL_ON_DATA_ACCESS) != 0
}

/// Rules for reparse points, as functions of values, so that they run
/// everywhere. (Microsoft's pages "Reparse Point Tags" and `[MS-FSCC]` 2.1.2.1.)
#[cfg(any(windows, test))]
pub(crate) mod reparse {
    use super::Kind;

    /// Bit of a tag that says "stands for another name": symbolic links and
    /// junctions have it, cloud files and deduplicated files do not.
    pub(crate) const NAME_SURROGATE: u32 = 0x2000_0000;

    const DIRECTORY: u32 = 0x0000_0010;
    const REPARSE_POINT: u32 = 0x0000_0400;

    /// The tags behind which a filter of the file system keeps the content of
    /// an ordinary file. Anything else is no file that can be opened as one: an
    /// app execution alias (`WindowsApps\*.exe`), a socket or pipe of WSL.
    fn keeps_content(tag: u32) -> bool {
        /// Cloud files have sixteen tags that differ in these bits.
        const CLOUD_MASK: u32 = 0xffff_0fff;
        const CLOUD: u32 = 0x9000_001a;
        matches!(
            tag,
            0xc000_0004 | 0x8000_0006 // hierarchical storage
                | 0x8000_0007 // single instance storage
                | 0x8000_0008 | 0x8000_0017 // WIM, WOF: compressed
                | 0x8000_0013 // deduplication
                | 0x8000_0018 | 0x9000_1018 // containers (WCI)
                | 0x8000_001e // Azure file sync
                | 0x8000_0021 // OneDrive
                | 0x9000_001c // projected file systems
        ) || tag & CLOUD_MASK == CLOUD
    }

    /// What stands behind a name with these attributes and this tag, which
    /// counts for reparse points alone.
    pub(crate) fn kind(attributes: u32, tag: u32) -> Kind {
        let is_reparse_point = attributes & REPARSE_POINT != 0;
        if is_reparse_point && tag & NAME_SURROGATE != 0 {
            Kind::Link
        } else if attributes & DIRECTORY != 0 {
            Kind::Folder
        } else if is_reparse_point && !keeps_content(tag) {
            Kind::Other
        } else {
            Kind::File
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reparse_point_is_a_file_where_it_keeps_a_files_content() {
        const REPARSE: u32 = 0x0400;
        for (tag, kind) in [
            (0x8000_001b, Kind::Other), // app execution alias
            (0x8000_0023, Kind::Other), // socket
            (0x8000_0014, Kind::Other), // NFS
            (0x8000_7777, Kind::Other), // nobody's
            (0xa000_000c, Kind::Link),  // symbolic link
            (0xa000_0003, Kind::Link),  // junction
            (0x9000_001a, Kind::File),  // cloud files
            (0x9000_601a, Kind::File),
            (0x9000_f01a, Kind::File),
            (0x8000_0013, Kind::File),
            (0x8000_0017, Kind::File),
            (0x9000_001c, Kind::File),
            (0x9000_1018, Kind::File),
        ] {
            assert_eq!(reparse::kind(REPARSE | 0x20, tag), kind, "{tag:x}");
        }
        // A folder stays one, unless it stands for another.
        assert_eq!(reparse::kind(REPARSE | 0x10, 0x8000_7777), Kind::Folder);
        assert_eq!(reparse::kind(REPARSE | 0x10, 0xa000_0003), Kind::Link);
        // The tag of what is no reparse point means nothing.
        assert_eq!(reparse::kind(0x20, 0xa000_000c), Kind::File);
    }

    #[test]
    fn a_file_id_survives_being_written_down() {
        for id in [
            FileId::new(0, 0),
            FileId::new(u64::MAX, u128::MAX),
            FileId::new(0x801, 0x1_0000_0000_0000),
        ] {
            assert_eq!(id.to_string().parse(), Ok(id));
        }
    }

    #[test]
    fn a_text_that_is_no_file_id_is_an_error_that_names_it() {
        for text in ["", "-", "12", "12-", "-12", "xx-1", "1-2-3"] {
            let error = text.parse::<FileId>().unwrap_err();
            assert!(error.to_string().contains(text), "{error}");
        }
    }

    #[test]
    fn files_in_cloud_storage_are_placeholders_and_plain_files_are_not() {
        // ARCHIVE | SPARSE_FILE | REPARSE_POINT | RECALL_ON_DATA_ACCESS, as a
        // file of OneDrive that was never opened has.
        assert!(is_placeholder(0x0040_0620));
        assert!(is_placeholder(RECALL_ON_OPEN));
        // ARCHIVE; and a OneDrive file that is kept on this device (PINNED).
        assert!(!is_placeholder(0x20));
        assert!(!is_placeholder(0x0008_0020));
    }
}
