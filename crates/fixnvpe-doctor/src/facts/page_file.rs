//! Page files as Windows is told to keep them.
//!
//! The registry value `PagingFiles` of `HKLM\SYSTEM\CurrentControlSet\Control\
//! Session Manager\Memory Management` has one line for each file: its path, and
//! its first and largest size in MB; no sizes or two zeros leave the size to
//! Windows, the drive `?:` leaves the drive to it too, no line at all means no
//! page file (Microsoft, Standard 7 package reference).

use serde::{Deserialize, Serialize};

use super::{DriveSpace, MachineFacts};

const MB: u64 = 1 << 20;
const GB: u64 = 1 << 30;

/// How large one page file may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum PageFileSize {
    /// Windows makes it larger when it is needed.
    SystemManaged,
    /// Between these two, in bytes.
    Fixed {
        /// What it begins with.
        initial: u64,
        /// What it never exceeds.
        maximum: u64,
    },
}

/// One page file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct PageFile {
    /// The drive's letter, in upper case; `None` where Windows chooses.
    pub drive: Option<char>,
    /// How large it may be.
    pub size: PageFileSize,
}

impl PageFile {
    /// A page file on a drive.
    #[must_use]
    pub fn new(drive: Option<char>, size: PageFileSize) -> Self {
        Self { drive, size }
    }
}

/// What Windows is told about page files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum PageFiles {
    /// Nothing is known: another system, or a value that could not be read.
    #[default]
    Unknown,
    /// There is none.
    Off,
    /// Windows chooses drive and size: the setting of a new installation.
    Automatic,
    /// These.
    Listed(Vec<PageFile>),
}

impl PageFiles {
    /// Reads the lines of `PagingFiles`. A line that is no page file is passed
    /// over; if no line is one, nothing is known.
    ///
    /// ```
    /// use fixnvpe_doctor::facts::PageFiles;
    ///
    /// assert_eq!(PageFiles::parse(&[r"?:\pagefile.sys"]), PageFiles::Automatic);
    /// assert_eq!(PageFiles::parse::<&str>(&[]), PageFiles::Off);
    /// ```
    pub fn parse<S: AsRef<str>>(lines: &[S]) -> Self {
        let lines: Vec<_> = lines
            .iter()
            .map(|line| line.as_ref().trim())
            .filter(|line| !line.is_empty())
            .collect();
        if lines.is_empty() {
            return Self::Off;
        }
        let files: Vec<_> = lines.iter().filter_map(|line| page_file(line)).collect();
        match files.as_slice() {
            [] => Self::Unknown,
            [
                PageFile {
                    drive: None,
                    size: PageFileSize::SystemManaged,
                },
            ] => Self::Automatic,
            _ => Self::Listed(files),
        }
    }

    /// The largest size that all page files together can reach, in bytes; `None`
    /// where that cannot be told.
    ///
    /// A system-managed file grows to three times the physical memory or 4 GB,
    /// whichever is larger, but not beyond an eighth of its volume (Microsoft,
    /// "How to determine the appropriate page file size"). Neither kind grows
    /// beyond what is free on its drive, where that is known; `size_now` is the
    /// space that they have already.
    #[must_use]
    pub fn largest(&self, machine: &MachineFacts, size_now: u64) -> Option<u64> {
        let system_managed = |drive: Option<char>| {
            let wanted = machine.physical_memory?.saturating_mul(3).max(4 * GB);
            Some(match machine.drive(drive) {
                Some(space) => wanted.min(space.total / 8),
                None => wanted,
            })
        };
        let files = match self {
            Self::Unknown => return None,
            Self::Off => return Some(0),
            Self::Automatic => &[PageFile::new(None, PageFileSize::SystemManaged)][..],
            Self::Listed(files) => files,
        };
        let mut sum = 0_u64;
        for file in files {
            let wanted = match file.size {
                PageFileSize::SystemManaged => system_managed(file.drive)?,
                PageFileSize::Fixed { maximum, .. } => maximum,
            };
            let room = machine
                .drive(file.drive)
                .map_or(u64::MAX, |space: &DriveSpace| {
                    space.free.saturating_add(size_now)
                });
            sum = sum.saturating_add(wanted.min(room));
        }
        Some(sum.max(size_now))
    }

    /// The drive of the first page file; `None` where Windows chooses, or where
    /// there is none.
    #[must_use]
    pub fn drive(&self) -> Option<char> {
        match self {
            Self::Listed(files) => files.iter().find_map(|file| file.drive),
            _ => None,
        }
    }

    /// Whether every page file has a largest size that someone set.
    #[must_use]
    pub fn is_fixed(&self) -> bool {
        matches!(self, Self::Listed(files)
            if files.iter().all(|file| matches!(file.size, PageFileSize::Fixed { .. })))
    }
}

/// One line: a path that may hold spaces, then up to two sizes in MB.
fn page_file(line: &str) -> Option<PageFile> {
    let mut words: Vec<_> = line.split_whitespace().collect();
    let mut sizes = Vec::new();
    while sizes.len() < 2 {
        match words.last().and_then(|word| word.parse::<u64>().ok()) {
            Some(size) => {
                sizes.insert(0, size.saturating_mul(MB));
                words.pop();
            }
            None => break,
        }
    }
    let path = words.join(" ");
    // Session Manager knows files in the root of a drive only, also under
    // their NT name.
    let path = path.trim_start_matches(r"\??\");
    let mut letters = path.chars();
    let drive = match (letters.next()?, letters.next()?) {
        ('?', ':') => None,
        (letter, ':') if letter.is_ascii_alphabetic() => Some(letter.to_ascii_uppercase()),
        _ => return None,
    };
    let size = match sizes.as_slice() {
        [] | [0, 0] | [0] => PageFileSize::SystemManaged,
        [size] => PageFileSize::Fixed {
            initial: *size,
            maximum: *size,
        },
        [initial, maximum, ..] => PageFileSize::Fixed {
            initial: *initial,
            maximum: (*maximum).max(*initial),
        },
    };
    Some(PageFile { drive, size })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fixed(initial: u64, maximum: u64) -> PageFileSize {
        PageFileSize::Fixed {
            initial: initial * MB,
            maximum: maximum * MB,
        }
    }

    #[test]
    fn every_form_of_the_registry_value_is_read() {
        use PageFileSize::SystemManaged;
        let listed = |files: &[(char, PageFileSize)]| {
            PageFiles::Listed(
                files
                    .iter()
                    .map(|(drive, size)| PageFile::new(Some(*drive), *size))
                    .collect(),
            )
        };
        let table: [(&[&str], PageFiles); 9] = [
            (&[], PageFiles::Off),
            (&["", " "], PageFiles::Off),
            (&[r"?:\pagefile.sys"], PageFiles::Automatic),
            (&[r"?:\pagefile.sys 0 0"], PageFiles::Automatic),
            (&[r"C:\pagefile.sys 0 0"], listed(&[('C', SystemManaged)])),
            (&[r"c:\pagefile.sys"], listed(&[('C', SystemManaged)])),
            (
                &[r"C:\pagefile.sys 16384 32768"],
                listed(&[('C', fixed(16384, 32768))]),
            ),
            (
                &[r"C:\pagefile.sys 800 800", r"D:\pagefile.sys 0 0"],
                listed(&[('C', fixed(800, 800)), ('D', SystemManaged)]),
            ),
            (&["nonsense"], PageFiles::Unknown),
        ];
        for (lines, expected) in table {
            assert_eq!(PageFiles::parse(lines), expected, "{lines:?}");
        }
    }

    #[test]
    fn a_system_managed_file_grows_to_three_times_the_memory_or_an_eighth_of_the_volume() {
        let mut machine = MachineFacts {
            physical_memory: Some(16 * GB),
            system_drive: Some('C'),
            ..MachineFacts::default()
        };
        assert_eq!(PageFiles::Automatic.largest(&machine, GB), Some(48 * GB));
        machine.drives = vec![DriveSpace::new('C', 240 * GB, 200 * GB)];
        assert_eq!(PageFiles::Automatic.largest(&machine, GB), Some(30 * GB));
        machine.drives = vec![DriveSpace::new('C', 240 * GB, 9 * GB)];
        assert_eq!(PageFiles::Automatic.largest(&machine, GB), Some(10 * GB));
        machine.physical_memory = Some(GB);
        machine.drives.clear();
        assert_eq!(PageFiles::Automatic.largest(&machine, 0), Some(4 * GB));
    }

    #[test]
    fn fixed_files_end_at_their_maximum_and_none_is_none() {
        let machine = MachineFacts::default();
        let files = PageFiles::parse(&[r"C:\pagefile.sys 1024 2048", r"D:\pagefile.sys 1024 1024"]);
        assert_eq!(files.largest(&machine, 2 * GB), Some(3 * GB));
        assert!(files.is_fixed());
        assert_eq!(files.drive(), Some('C'));
        assert_eq!(PageFiles::Off.largest(&machine, 0), Some(0));
        assert_eq!(PageFiles::Unknown.largest(&machine, 0), None);
        assert!(!PageFiles::Automatic.is_fixed());
    }
}
