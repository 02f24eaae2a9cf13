//! Two measurements, before and after.

use serde::{Deserialize, Serialize};

use super::run::Measurement;

/// What changed between two measurements. Sizes are in bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Comparison {
    /// What a process paid before.
    pub before: i64,
    /// What it pays now.
    pub after: i64,
    /// What each process saves.
    pub saved: i64,
    /// What the system saves with all processes of this measurement.
    pub saved_by_all: i64,
    /// Whether both measured the same number of processes and the same images,
    /// or the same imports of one Python; else the figures do not belong together.
    pub same: bool,
}

/// Compares an earlier measurement with a later one.
#[must_use]
pub fn compare(earlier: &Measurement, later: &Measurement) -> Comparison {
    let names = |measurement: &Measurement| -> Vec<_> {
        let images = measurement.images.iter().map(|image| image.path.clone());
        images.collect()
    };
    let saved = earlier.per_process.saturating_sub(later.per_process);
    let processes = i64::try_from(later.commits.len()).unwrap_or(i64::MAX);
    Comparison {
        before: earlier.per_process,
        after: later.per_process,
        saved,
        saved_by_all: saved.saturating_mul(processes),
        same: earlier.processes == later.processes
            && earlier.program == later.program
            && earlier.imports == later.imports
            && names(earlier) == names(later),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ImageMeasurement, MeasureReport, SystemReadings};
    use super::*;

    fn measurement(per_process: i64, path: &str) -> Measurement {
        Measurement {
            processes: 9,
            program: None,
            imports: Vec::new(),
            idle: 10,
            commits: vec![10; 9],
            per_process,
            calculated: None,
            system: SystemReadings::default(),
            images: vec![ImageMeasurement {
                path: path.into(),
                measured: Some(per_process),
                calculated: 0,
                os_error: None,
            }],
            stopped: None,
        }
    }

    #[test]
    fn what_is_saved_is_the_difference_times_the_processes() {
        let (before, after) = (measurement(900, "a.dll"), measurement(40, "a.dll"));
        let found = compare(&before, &after);
        assert_eq!(
            (found.saved, found.saved_by_all, found.same),
            (860, 7740, true)
        );
        assert!(!compare(&before, &measurement(40, "b.dll")).same);
        let mut other = after.clone();
        other.program = Some("python.exe".into());
        assert!(!compare(&before, &other).same);
    }

    #[test]
    fn a_saved_report_is_read_back_and_compared() {
        let before = MeasureReport::new(measurement(900, "a.dll"), None);
        let json = serde_json::to_string(&before).unwrap();
        let read: MeasureReport = serde_json::from_str(&json).unwrap();
        assert_eq!(read, before);
        let after = MeasureReport::new(measurement(40, "a.dll"), Some(&read.measurement));
        assert_eq!(after.against.unwrap().saved, 860);
    }
}
