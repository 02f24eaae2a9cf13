//! GPU architectures: what code is for, and which devices run it.

use std::fmt;

/// The compute capability of a device or of an architecture: 8.6, 12.0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ComputeCapability {
    /// The generation.
    pub major: u32,
    /// The step within it, 0 to 9.
    pub minor: u32,
}

impl ComputeCapability {
    /// The capability `major.minor`.
    #[must_use]
    pub fn new(major: u32, minor: u32) -> Self {
        Self { major, minor }
    }

    /// From the number in names such as `sm_86` or `sm_120`.
    #[must_use]
    pub fn from_number(number: u32) -> Self {
        Self::new(number / 10, number % 10)
    }
}

impl fmt::Display for ComputeCapability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// The form of GPU code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum CodeKind {
    /// Text for the driver to compile at load.
    Ptx,
    /// Machine code (an ELF file).
    Cubin,
    /// Something else that fat binaries carry, by its number: intermediate
    /// code for link-time optimisation, for one. No device runs it as it is.
    Other(u16),
}

/// `ptx`, `cubin`, or `kind8` for a number that has no name here.
impl fmt::Display for CodeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ptx => f.write_str("ptx"),
            Self::Cubin => f.write_str("cubin"),
            Self::Other(kind) => write!(f, "kind{kind}"),
        }
    }
}

/// Whether code is bound to more than its compute capability.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum Target {
    /// Not bound: `sm_90`.
    Generic,
    /// Bound to exactly this architecture: `sm_90a`.
    Architecture,
    /// Bound to its family: `compute_100f`.
    Family,
}

/// What a piece of GPU code is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Architecture {
    /// The capability that it is for.
    pub capability: ComputeCapability,
    /// Its form.
    pub kind: CodeKind,
    /// What else it is bound to.
    pub target: Target,
}

impl Architecture {
    /// An architecture of these parts.
    #[must_use]
    pub fn new(kind: CodeKind, capability: ComputeCapability, target: Target) -> Self {
        Self {
            capability,
            kind,
            target,
        }
    }

    /// Whether a device can run this code, and how: machine code of the same
    /// major capability and a minor not above the device's, PTX of a capability
    /// not above it. Code that is bound to an architecture or to a family counts
    /// for its own capability alone: what else a family takes in is not written
    /// in the file.
    #[must_use]
    pub fn runs_on(self, device: ComputeCapability) -> DeviceCode {
        let bound = matches!(self.target, Target::Architecture | Target::Family);
        let fits = match self.kind {
            _ if bound => self.capability == device,
            CodeKind::Cubin => {
                self.capability.major == device.major && self.capability.minor <= device.minor
            }
            CodeKind::Ptx => self.capability <= device,
            CodeKind::Other(_) => false,
        };
        match self.kind {
            CodeKind::Cubin if fits => DeviceCode::Native,
            CodeKind::Ptx if fits => DeviceCode::Jit,
            _ => DeviceCode::None,
        }
    }
}

/// `sm_86`, `compute_75`, `sm_90a`; other kinds by their number.
impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ComputeCapability { major, minor } = self.capability;
        let suffix = match self.target {
            Target::Architecture => "a",
            Target::Family => "f",
            Target::Generic => "",
        };
        match self.kind {
            CodeKind::Ptx => write!(f, "compute_{major}{minor}{suffix}"),
            CodeKind::Cubin => write!(f, "sm_{major}{minor}{suffix}"),
            CodeKind::Other(kind) => write!(f, "kind{kind}_{major}{minor}{suffix}"),
        }
    }
}

/// How a device gets at code, from worst to best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum DeviceCode {
    /// Nothing here runs on the device.
    None,
    /// PTX, compiled by the driver when it is loaded.
    Jit,
    /// Machine code.
    Native,
}

impl DeviceCode {
    /// The stable word for scripts.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Jit => "jit",
            Self::Native => "native",
        }
    }
}

impl fmt::Display for DeviceCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
