//! End-to-end tests that only Windows, or Wine, can answer.
//!
//! The program under test patches; a [`probe`], which is this same test program in a process of
//! its own, loads the library and says what Windows makes of it. What Wine cannot do is detected
//! ([`win32::is_wine`]) and said, and proven on Windows.
#![cfg(windows)]

mod console;
mod in_use;
mod machine;
mod measure;
mod packed;
mod paths;
mod probe;
mod program;
mod protection;
mod replacing;
mod resources;
mod terminal;
mod win32;
