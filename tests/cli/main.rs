//! End-to-end tests of the command line: the built program on trees of
//! fixture images, by theme.

mod doctor;
mod environments;
mod exit_codes;
mod explain;
mod history;
mod hostile_paths;
mod inspect;
mod links;
mod measure;
mod output;
mod patch;
mod regression;
mod restore;
mod scan;
mod selection;
mod verify;
mod world;
