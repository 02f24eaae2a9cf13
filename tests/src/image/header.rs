//! Header fields, and what may stand in them.

/// Bits of `DllCharacteristics`.
pub mod dll {
    /// The image may be loaded above 4 GiB.
    pub const HIGH_ENTROPY_VA: u16 = 0x0020;
    /// The image may be moved when it is loaded.
    pub const DYNAMIC_BASE: u16 = 0x0040;
    /// The loader checks the signature.
    pub const FORCE_INTEGRITY: u16 = 0x0080;
    /// Data may not be executed.
    pub const NX_COMPAT: u16 = 0x0100;
    /// Calls are checked by Control Flow Guard.
    pub const GUARD_CF: u16 = 0x4000;
}

/// The processor of an image; also says whether it is PE32 or PE32+.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Machine {
    /// 32-bit x86: PE32.
    I386,
    /// x86-64: PE32+.
    Amd64,
    /// ARM64: PE32+.
    Arm64,
}

impl Machine {
    /// Whether the image is PE32+.
    #[must_use]
    pub fn is_64(self) -> bool {
        self != Self::I386
    }

    /// The value of the `Machine` field.
    #[must_use]
    pub fn value(self) -> u16 {
        match self {
            Self::I386 => 0x014c,
            Self::Amd64 => 0x8664,
            Self::Arm64 => 0xaa64,
        }
    }
}

/// What stands in the `CheckSum` field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CheckSum {
    /// 0, as most linkers leave it.
    Unset,
    /// The true sum of the finished file.
    True,
    /// The true sum plus this number.
    OffBy(u32),
    /// This value.
    Value(u32),
}
