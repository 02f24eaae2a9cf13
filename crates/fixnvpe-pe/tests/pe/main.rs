//! Tests of the crate through its public interface, on images that are written
//! byte by byte.

mod builder;
mod check_sum;
mod condition;
mod gpu_code;
mod header;
mod hostile;
#[cfg(feature = "serde")]
mod json;
mod module;
mod odd_layout;
mod patch;
mod reads;
mod source;
mod table;
mod written_at_load;
