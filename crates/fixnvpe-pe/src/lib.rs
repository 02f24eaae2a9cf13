//! Crate page.
