//! The dated table of torch builds, and where each of its columns comes from.

use fixnvpe_pe::{Architecture, CodeKind, ComputeCapability, DeviceCode, Target};

use crate::Version;

/// Until when the table was right: year and month.
pub const AS_OF: &str = "2026-11";

/// Where to look for a case that the table does not have.
pub const ELSEWHERE: &str = "https://pytorch.org/get-started/previous-versions/";

/// Where the columns come from; the book's page prints them.
///
/// - Versions, wheels' index and conda lines: PyTorch's page of previous
///   versions, and pytorch/pytorch.github.io `published_versions.json` (2.14.1
///   is its latest stable version).
/// - Architectures: the scripts that build the Windows wheels,
///   pytorch/builder `windows/cuda117.bat`, `cuda118.bat`, `cuda124.bat`;
///   pytorch/pytorch `.ci/pytorch/windows/cuda126.bat`, `cuda128.bat`,
///   `cuda130.bat`, `internal/cuda_config.bat`. Machine code alone counts:
///   a proposal has to hold without compiling PTX at load.
/// - Pythons: pytorch/pytorch `RELEASE.md`; each was checked against the
///   Windows wheels that the Python Package Index has of that version.
/// - Drivers: NVIDIA, "CUDA Compatibility, Minor Version Compatibility".
pub const SOURCES: &[&str] = &[
    "https://pytorch.org/get-started/previous-versions/",
    "https://github.com/pytorch/pytorch/blob/main/RELEASE.md",
    "https://github.com/pytorch/builder/tree/main/windows",
    "https://github.com/pytorch/pytorch/tree/main/.ci/pytorch/windows",
    "https://docs.nvidia.com/deploy/cuda-compatibility/minor-version-compatibility.html",
    "https://github.com/pytorch/pytorch/issues/131668",
    "https://github.com/pytorch/pytorch/issues/138506",
    "https://github.com/pytorch/pytorch/issues/138979",
];

/// One build of torch for Windows.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Build {
    /// torch's version.
    pub torch: [u32; 3],
    /// The CUDA version that it is built with.
    pub cuda: [u32; 2],
    /// The version of torchvision that belongs to it.
    pub torchvision: &'static str,
    /// The version of torchaudio that belongs to it, where there is one.
    pub torchaudio: Option<&'static str>,
    /// The first and the last Python 3 that has Windows wheels.
    pub pythons: [u32; 2],
    /// The compute capabilities that it has machine code for, as `sm_NN`.
    pub architectures: &'static [u32],
    /// The lowest version of the NVIDIA driver.
    pub driver: [u32; 2],
    /// Whether conda's channel `pytorch` has it: that ended with 2.5.
    pub conda: bool,
    /// The `NumPy` that has to be asked for with it, where its own requirements
    /// let pip take one that it was not built for: on Windows below 2.4.1 it is
    /// `NumPy` 1 (pytorch/pytorch#131668).
    pub numpy: Option<&'static str>,
}

const CUDA_11_DRIVER: [u32; 2] = [452, 39];
const CUDA_12_DRIVER: [u32; 2] = [525, 0];
const CUDA_13_DRIVER: [u32; 2] = [580, 0];

const KEPLER_TO_AMPERE: &[u32] = &[37, 50, 60, 61, 70, 75, 80, 86];
const KEPLER_TO_HOPPER: &[u32] = &[37, 50, 60, 61, 70, 75, 80, 86, 90];
const MAXWELL_TO_HOPPER: &[u32] = &[50, 60, 61, 70, 75, 80, 86, 90];
const TURING_TO_BLACKWELL: &[u32] = &[75, 80, 86, 90, 100, 120];

/// The builds that an upgrade may lead to: CUDA 11.7 or newer, the oldest
/// first. Not every build that exists: for each case the one with the widest
/// support, so that there is a smallest step and a current one.
///
/// torch 2.15 has been released, but at the date of the table its CUDA builds and
/// their architectures were a proposal only (pytorch/pytorch#190385): no row.
pub const BUILDS: &[Build] = &[
    Build {
        torch: [1, 13, 1],
        cuda: [11, 7],
        torchvision: "0.14.1",
        torchaudio: Some("0.13.1"),
        pythons: [7, 10],
        architectures: KEPLER_TO_AMPERE,
        driver: CUDA_11_DRIVER,
        conda: true,
        numpy: Some("numpy<2"),
    },
    Build {
        torch: [2, 0, 1],
        cuda: [11, 8],
        torchvision: "0.15.2",
        torchaudio: Some("2.0.2"),
        pythons: [8, 11],
        architectures: KEPLER_TO_HOPPER,
        driver: CUDA_11_DRIVER,
        conda: true,
        numpy: Some("numpy<2"),
    },
    // The last one for Python 3.8.
    Build {
        torch: [2, 4, 1],
        cuda: [11, 8],
        torchvision: "0.19.1",
        torchaudio: Some("2.4.1"),
        pythons: [8, 12],
        architectures: KEPLER_TO_HOPPER,
        driver: CUDA_11_DRIVER,
        conda: true,
        numpy: None,
    },
    // The last one of conda's channel.
    Build {
        torch: [2, 5, 1],
        cuda: [11, 8],
        torchvision: "0.20.1",
        torchaudio: Some("2.5.1"),
        pythons: [9, 12],
        architectures: KEPLER_TO_HOPPER,
        driver: CUDA_11_DRIVER,
        conda: true,
        numpy: None,
    },
    // The last ones for Python 3.9.
    Build {
        torch: [2, 8, 0],
        cuda: [12, 6],
        torchvision: "0.23.0",
        torchaudio: Some("2.8.0"),
        pythons: [9, 13],
        architectures: MAXWELL_TO_HOPPER,
        driver: CUDA_12_DRIVER,
        conda: false,
        numpy: None,
    },
    Build {
        torch: [2, 8, 0],
        cuda: [12, 8],
        torchvision: "0.23.0",
        torchaudio: Some("2.8.0"),
        pythons: [9, 13],
        architectures: TURING_TO_BLACKWELL,
        driver: CUDA_12_DRIVER,
        conda: false,
        numpy: None,
    },
    Build {
        torch: [2, 14, 1],
        cuda: [12, 6],
        torchvision: "0.29.1",
        torchaudio: None,
        pythons: [10, 14],
        architectures: MAXWELL_TO_HOPPER,
        driver: CUDA_12_DRIVER,
        conda: false,
        numpy: None,
    },
    Build {
        torch: [2, 14, 1],
        cuda: [13, 0],
        torchvision: "0.29.1",
        torchaudio: None,
        pythons: [10, 14],
        architectures: TURING_TO_BLACKWELL,
        driver: CUDA_13_DRIVER,
        conda: false,
        numpy: None,
    },
];

impl Build {
    /// torch's version.
    #[must_use]
    pub fn version(&self) -> Version {
        Version::new(self.torch.to_vec())
    }

    /// The CUDA version.
    #[must_use]
    pub fn cuda_version(&self) -> Version {
        Version::new(self.cuda.to_vec())
    }

    /// The name of the build in wheels: `cu117`.
    #[must_use]
    pub fn tag(&self) -> String {
        format!("cu{}{}", self.cuda[0], self.cuda[1])
    }

    /// What people call it: `1.13.1+cu117`.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}+{}", self.version(), self.tag())
    }

    /// Whether it has wheels for this Python.
    #[must_use]
    pub fn has_python(&self, python: &Version) -> bool {
        let [first, last] = self.pythons;
        python.number(0) == 3 && (first..=last).contains(&python.number(1))
    }

    /// Whether it has machine code for this device.
    #[must_use]
    pub fn has_code_for(&self, device: ComputeCapability) -> bool {
        self.architectures.iter().any(|number| {
            let capability = ComputeCapability::from_number(*number);
            let code = Architecture::new(CodeKind::Cubin, capability, Target::Generic);
            code.runs_on(device) == DeviceCode::Native
        })
    }

    /// Whether it runs with this version of the NVIDIA driver.
    #[must_use]
    pub fn has_driver(&self, driver: &Version) -> bool {
        *driver >= Version::new(self.driver.to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_build_of_the_table_is_from_before_the_fix() {
        for build in BUILDS {
            assert!(
                build.cuda_version() >= Version::new(vec![11, 7]),
                "{}",
                build.name()
            );
            assert!(
                build.version() >= Version::new(vec![1, 13]),
                "{}",
                build.name()
            );
        }
    }

    #[test]
    fn a_build_below_2_4_1_asks_for_the_numpy_that_it_was_built_for() {
        for build in BUILDS {
            let is_old = build.version() < Version::new(vec![2, 4, 1]);
            assert_eq!(build.numpy, is_old.then_some("numpy<2"), "{}", build.name());
        }
    }

    #[test]
    fn the_table_goes_from_old_to_new() {
        let key = |build: &Build| (build.version(), build.cuda_version());
        assert!(BUILDS.windows(2).all(|pair| key(&pair[0]) < key(&pair[1])));
    }

    #[test]
    fn a_build_for_cuda_13_needs_a_driver_of_branch_580_and_has_nothing_below_turing() {
        for build in BUILDS.iter().filter(|build| build.cuda[0] >= 13) {
            assert!(!build.has_driver(&"576.80".parse().unwrap()));
            assert!(build.has_driver(&"580.12".parse().unwrap()));
            assert!(!build.has_code_for(ComputeCapability::new(7, 0)));
            assert!(build.has_code_for(ComputeCapability::new(7, 5)));
        }
    }

    #[test]
    fn ada_runs_the_code_for_ampere_and_hopper_needs_its_own() {
        let smallest = &BUILDS[0];
        assert!(smallest.has_code_for(ComputeCapability::new(8, 9)));
        assert!(!smallest.has_code_for(ComputeCapability::new(9, 0)));
        assert!(!smallest.has_code_for(ComputeCapability::new(3, 5)));
    }
}
