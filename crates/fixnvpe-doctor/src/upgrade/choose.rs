//! Which builds fit an environment and its machine.

use fixnvpe_pe::ComputeCapability;
use serde::{Deserialize, Serialize};

use super::table::{BUILDS, Build};
use crate::Version;
use crate::facts::{EnvironmentFacts, MachineFacts};

/// Why no build of the table is proposed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum NoBuild {
    /// Python's version is not known.
    PythonUnknown,
    /// No build of the table has both this Python and code for every GPU here.
    NotInTable,
    /// There is one, but the driver is too old: it has to be at least this.
    DriverTooOld {
        /// The lowest version that does.
        needed: Version,
    },
}

/// The builds to propose.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Choice {
    /// The smallest step that ends the problem.
    pub smallest: &'static Build,
    /// The newest build that fits; may be the smallest one.
    pub current: &'static Build,
}

/// Chooses from the table: newer than what is installed, from where it is
/// installed, with this Python, with code for every GPU of the machine, for this
/// driver. Never one that drops the
/// GPU or the Python; a fact that is not known (no NVIDIA driver to ask) does
/// not exclude a build, and the check at the end of the commands tells.
///
/// # Errors
///
/// Why there is none.
pub fn choose(environment: &EnvironmentFacts, machine: &MachineFacts) -> Result<Choice, NoBuild> {
    let python = environment.python.as_ref().ok_or(NoBuild::PythonUnknown)?;
    let devices = machine.capabilities();
    let mut fitting: Vec<_> = BUILDS
        .iter()
        .filter(|build| build.has_python(python))
        .filter(|build| has_code_for_all(build, &devices))
        .filter(|build| is_newer(build, environment))
        .filter(|build| has_companions(build, environment))
        // pip would leave two of it.
        .filter(|build| build.conda || !environment.torch_is_from_conda())
        .collect();
    let lowest_driver = fitting
        .iter()
        .map(|build| Version::new(build.driver.to_vec()))
        .min()
        .ok_or(NoBuild::NotInTable)?;
    if let Some(driver) = &machine.driver {
        fitting.retain(|build| build.has_driver(driver));
    }
    match (fitting.first(), current(&fitting)) {
        (Some(smallest), Some(current)) => Ok(Choice { smallest, current }),
        _ => Err(NoBuild::DriverTooOld {
            needed: lowest_driver,
        }),
    }
}

fn has_code_for_all(build: &Build, devices: &[ComputeCapability]) -> bool {
    devices.iter().all(|device| build.has_code_for(*device))
}

/// The newest torch; of its builds the first, which asks for the least.
fn current(fitting: &[&'static Build]) -> Option<&'static Build> {
    let newest = fitting.iter().map(|build| build.version()).max()?;
    fitting
        .iter()
        .find(|build| build.version() == newest)
        .copied()
}

/// Whether every installed package that belongs to one version of torch has one
/// for this build: an upgrade must not leave it behind.
fn has_companions(build: &Build, environment: &EnvironmentFacts) -> bool {
    build.torchaudio.is_some() || environment.package("torchaudio").is_none()
}

/// Whether the build is a step forward from what is installed.
fn is_newer(build: &Build, environment: &EnvironmentFacts) -> bool {
    let Some(torch) = &environment.torch else {
        return true;
    };
    match build.version().cmp(&torch.version) {
        std::cmp::Ordering::Greater => true,
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Equal => torch
            .cuda
            .as_ref()
            .is_some_and(|cuda| build.cuda_version() > *cuda),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::{Gpu, Package, Torch};

    fn environment(python: &str, torch: &str) -> EnvironmentFacts {
        EnvironmentFacts {
            python: python.parse().ok(),
            torch: Torch::new(torch, None),
            ..EnvironmentFacts::new("e", "/e")
        }
    }

    fn machine(capabilities: &[(u32, u32)], driver: Option<&str>) -> MachineFacts {
        let gpu = |(major, minor)| Gpu::new("GPU", Some(ComputeCapability::new(major, minor)));
        MachineFacts {
            gpus: Some(capabilities.iter().copied().map(gpu).collect()),
            driver: driver.map(|text| text.parse().unwrap()),
            ..MachineFacts::default()
        }
    }

    fn names(
        environment: &EnvironmentFacts,
        machine: &MachineFacts,
    ) -> Result<[String; 2], NoBuild> {
        choose(environment, machine).map(|it| [it.smallest.name(), it.current.name()])
    }

    #[test]
    fn each_case_gets_its_smallest_and_its_current_build() {
        let table = [
            // Python, torch, GPU, driver, smallest, current
            (
                "3.9",
                "1.12.1+cu113",
                (8, 6),
                "546.33",
                "1.13.1+cu117",
                "2.8.0+cu126",
            ),
            (
                "3.10",
                "1.10.0+cu113",
                (8, 9),
                "581.15",
                "1.13.1+cu117",
                "2.14.1+cu126",
            ),
            (
                "3.8",
                "1.9.0+cu111",
                (6, 1),
                "531.14",
                "1.13.1+cu117",
                "2.4.1+cu118",
            ),
            (
                "3.7",
                "1.7.1+cu110",
                (6, 1),
                "472.12",
                "1.13.1+cu117",
                "1.13.1+cu117",
            ),
            (
                "3.10",
                "1.12.1+cu113",
                (9, 0),
                "550.00",
                "2.0.1+cu118",
                "2.14.1+cu126",
            ),
            (
                "3.10",
                "1.12.1+cu113",
                (12, 0),
                "572.16",
                "2.8.0+cu128",
                "2.8.0+cu128",
            ),
            (
                "3.10",
                "1.12.1+cu113",
                (12, 0),
                "580.88",
                "2.8.0+cu128",
                "2.14.1+cu130",
            ),
            (
                "3.9",
                "1.11.0+cu113",
                (3, 7),
                "474.11",
                "1.13.1+cu117",
                "2.5.1+cu118",
            ),
            (
                "3.10",
                "1.13.1+cu116",
                (7, 5),
                "546.33",
                "1.13.1+cu117",
                "2.14.1+cu126",
            ),
        ];
        for (python, torch, gpu, driver, smallest, current) in table {
            let found = names(&environment(python, torch), &machine(&[gpu], Some(driver)));
            let case = format!("{python} {torch} {gpu:?} {driver}");
            assert_eq!(found, Ok([smallest.into(), current.into()]), "{case}");
        }
    }

    #[test]
    fn a_case_without_a_row_is_said_and_not_guessed() {
        let old = "1.12.1+cu113";
        let any = machine(&[], None);
        assert_eq!(
            names(&environment("3.6", old), &any),
            Err(NoBuild::NotInTable)
        );
        assert_eq!(
            names(&environment("2.7", old), &any),
            Err(NoBuild::NotInTable)
        );
        // Blackwell has no build for Python 3.8, Kepler (3.5) none at all.
        let blackwell = machine(&[(12, 0)], Some("581.00"));
        assert_eq!(
            names(&environment("3.8", old), &blackwell),
            Err(NoBuild::NotInTable)
        );
        let kepler = machine(&[(3, 5)], Some("474.11"));
        assert_eq!(
            names(&environment("3.9", old), &kepler),
            Err(NoBuild::NotInTable)
        );
        let mut unknown = environment("3.9", old);
        unknown.python = None;
        assert_eq!(names(&unknown, &any), Err(NoBuild::PythonUnknown));
    }

    #[test]
    fn an_old_driver_is_named_with_the_version_that_is_needed() {
        let found = names(
            &environment("3.10", "1.12.1+cu113"),
            &machine(&[(8, 6)], Some("441.22")),
        );
        let needed = "452.39".parse().unwrap();
        assert_eq!(found, Err(NoBuild::DriverTooOld { needed }));
    }

    #[test]
    fn nothing_that_is_proposed_drops_the_python_or_a_gpu_of_the_machine() {
        let capabilities = [
            (3, 5),
            (3, 7),
            (5, 0),
            (5, 2),
            (6, 0),
            (6, 1),
            (7, 0),
            (7, 5),
            (8, 0),
            (8, 6),
            (8, 9),
            (9, 0),
            (10, 0),
            (12, 0),
        ];
        for minor in 6..=15 {
            for first in capabilities {
                for second in capabilities {
                    let environment = environment(&format!("3.{minor}"), "1.10.0+cu113");
                    let machine = machine(&[first, second], None);
                    let Ok(choice) = choose(&environment, &machine) else {
                        continue;
                    };
                    for build in [choice.smallest, choice.current] {
                        assert!(build.has_python(&Version::new(vec![3, minor])));
                        for device in machine.capabilities() {
                            assert!(build.has_code_for(device), "{} {device}", build.name());
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_build_without_the_torchaudio_that_is_installed_is_not_proposed() {
        let mut environment = environment("3.10", "1.12.1+cu113");
        environment.packages = vec![Package::new("torchaudio", "0.12.1+cu113")];
        let found = names(&environment, &machine(&[(8, 6)], None)).unwrap();
        assert_eq!(found, ["1.13.1+cu117", "2.8.0+cu126"]);
    }

    #[test]
    fn two_gpus_far_apart_need_a_build_with_code_for_both() {
        let both = machine(&[(6, 1), (12, 0)], None);
        let found = names(&environment("3.10", "1.12.1+cu113"), &both);
        assert_eq!(found, Err(NoBuild::NotInTable));
    }
}
