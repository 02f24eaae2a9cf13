//! What a patched file was before: header blocks that it may have had, and the
//! proof by a recorded hash.

mod candidates;
mod fields;
mod proof;

pub(crate) use candidates::{candidates, inferred};
pub(crate) use fields::Fields;
pub(crate) use proof::{Proof, prove};
