//! Which code is bound to one architecture or family: the `a` of `sm_90a`.
//!
//! Element headers do not say. A cubin's ELF header does (LLVM's
//! `BinaryFormat/ELF.h`, `EF_CUDA_ACCELERATORS`), and so does the `.target`
//! line of a PTX text. Both stand at the start of the payload, so that a few
//! bytes tell, also behind LZ4.

use crate::error::Error;
use crate::fatbin::architecture::Target;
use crate::fatbin::element::Element;
use crate::image::Image;
use crate::source::ReadAt;

/// Code before this capability has no bound variants.
const FIRST_MAJOR: u32 = 9;

/// What the element's code is bound to.
pub(super) fn of<R: ReadAt>(_image: &Image<R>, element: &Element) -> Result<Target, Error> {
    if element.architecture.capability.major < FIRST_MAJOR {
        return Ok(Target::Generic);
    }
    Ok(Target::Unknown)
}
