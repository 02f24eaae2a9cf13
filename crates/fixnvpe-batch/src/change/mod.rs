//! Changing one file: the bytes, the links, the names.

mod bytes;

pub(crate) use bytes::{Side, WriteFault, put};
