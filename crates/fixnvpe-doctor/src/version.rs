//! Versions as packages, drivers and Pythons write them.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Numbers with dots between them: `1.12.1`, `11.6`, `528.33`.
///
/// Compares number by number; what is not written counts as 0, so that `11.7`
/// and `11.7.0` are the same version. What follows the numbers (`rc1`, `+cu117`)
/// is not part of it.
///
/// ```
/// use fixnvpe_doctor::Version;
///
/// let version: Version = "1.9.0".parse().unwrap();
/// assert!(version < "1.13".parse().unwrap());
/// assert_eq!("11.7".parse::<Version>(), "11.7.0".parse());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Version {
    numbers: Vec<u32>,
}

impl Version {
    /// The version of these numbers.
    pub fn new(numbers: impl Into<Vec<u32>>) -> Self {
        let numbers = numbers.into();
        Self { numbers }
    }

    /// The number at `index`, 0 where none is written.
    #[must_use]
    pub fn number(&self, index: usize) -> u32 {
        self.numbers.get(index).copied().unwrap_or(0)
    }

    /// The first two numbers: `3.8` of `3.8.13`.
    #[must_use]
    pub fn minor(&self) -> Self {
        Self::new(vec![self.number(0), self.number(1)])
    }

    fn significant(&self) -> &[u32] {
        let zeros = self.numbers.iter().rev().take_while(|n| **n == 0).count();
        &self.numbers[..self.numbers.len() - zeros]
    }
}

impl PartialEq for Version {
    fn eq(&self, other: &Self) -> bool {
        self.significant() == other.significant()
    }
}

impl Eq for Version {}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        self.significant().cmp(other.significant())
    }
}

impl std::hash::Hash for Version {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.significant().hash(state);
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, number) in self.numbers.iter().enumerate() {
            let dot = if index == 0 { "" } else { "." };
            write!(f, "{dot}{number}")?;
        }
        Ok(())
    }
}

/// The text is no version.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is no version")]
pub struct ParseVersionError {
    text: String,
}

/// Reads the numbers that the text begins with; a `v` before them, spaces around
/// them and anything after them are passed over.
impl FromStr for Version {
    type Err = ParseVersionError;

    fn from_str(text: &str) -> Result<Self, ParseVersionError> {
        let error = || ParseVersionError { text: text.into() };
        let start = text.trim().trim_start_matches(['v', 'V']);
        let mut numbers = Vec::new();
        for part in start.split('.') {
            let end = part.find(|c: char| !c.is_ascii_digit());
            let digits = &part[..end.unwrap_or(part.len())];
            if digits.is_empty() {
                break;
            }
            numbers.push(digits.parse().map_err(|_| error())?);
            if end.is_some() {
                break;
            }
        }
        if numbers.is_empty() {
            return Err(error());
        }
        Ok(Self { numbers })
    }
}

impl Serialize for Version {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Version {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Version {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Version".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        String::json_schema(generator)
    }
}

/// The CUDA version in a build's name: `cu113` in `1.12.1+cu113`, `cuda11.3` in
/// a conda build string.
#[must_use]
pub(crate) fn cuda_of_build(text: &str) -> Option<Version> {
    let after = |mark: &str| {
        let at = text.find(mark)? + mark.len();
        let rest = &text[at..];
        let end = rest.find(|c: char| !(c.is_ascii_digit() || c == '.'));
        let digits = rest[..end.unwrap_or(rest.len())].trim_end_matches('.');
        (!digits.is_empty()).then_some(digits)
    };
    if let Some(digits) = after("cuda") {
        return digits.parse().ok().filter(|_| digits.contains('.'));
    }
    // In wheels the last digit is the minor version: cu92, cu102, cu113.
    let digits = after("cu")?;
    let (major, minor) = digits.split_at(digits.len().checked_sub(1)?);
    Some(Version::new(vec![major.parse().ok()?, minor.parse().ok()?]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(text: &str) -> Version {
        text.parse().unwrap()
    }

    #[test]
    fn versions_compare_by_number_not_by_letter() {
        assert!(version("1.9.0") < version("1.13"));
        assert!(version("2.10") > version("2.9.1"));
        assert!(version("528.33") >= version("525"));
        assert_eq!(version("11.7"), version("11.7.0"));
        assert_eq!(version("v3.8.13 "), version("3.8.13"));
    }

    #[test]
    fn what_follows_the_numbers_is_passed_over() {
        assert_eq!(version("1.13.1+cu117").to_string(), "1.13.1");
        assert_eq!(version("2.8.0.dev20250701").to_string(), "2.8.0");
        assert_eq!(version("3.13t").to_string(), "3.13");
        assert_eq!(version("2.0.1rc1"), version("2.0.1"));
    }

    #[test]
    fn what_has_no_number_is_an_error() {
        for text in ["", "abc", "v", ".5", "99999999999.1"] {
            assert!(text.parse::<Version>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_cuda_version_stands_in_the_name_of_a_build() {
        let table = [
            ("1.12.1+cu113", Some("11.3")),
            ("1.7.1+cu92", Some("9.2")),
            ("1.10.0+cu102", Some("10.2")),
            ("2.14.1+cu130", Some("13.0")),
            ("py3.9_cuda11.7_cudnn8_0", Some("11.7")),
            ("cuda118py39h_0", None),
            ("1.13.1+cpu", None),
            ("1.13.1", None),
        ];
        for (text, cuda) in table {
            assert_eq!(cuda_of_build(text), cuda.map(version), "{text}");
        }
    }
}
