//! The calls answer on a live Windows, and under Wine. No figure is judged.

use super::*;
use crate::measure::Mapper;

#[test]
fn the_system_tells_its_memory_commit_and_cores() {
    let commit = commit().unwrap();
    assert!(commit.limit > 0 && commit.used > 0);
    assert!(physical_memory().unwrap() > 0);
    let logical = std::thread::available_parallelism().unwrap().get();
    assert!((1..=logical.max(1) * 2).contains(&usize::try_from(cores().unwrap()).unwrap()));
    assert!(drive_space('C').unwrap().total > 0);
}

#[test]
fn a_library_that_is_not_there_is_no_error() {
    // On a machine without an NVIDIA driver, and under Wine.
    if let Some((gpus, _)) = gpus() {
        assert!(gpus.len() <= 64);
    }
    paging_files();
    app_control();
}

#[test]
fn an_image_is_mapped_and_a_file_that_is_none_is_an_error() {
    let mut own = OwnProcess;
    // Wine says 0.
    own.commit().unwrap();
    own.map("version.dll".as_ref()).unwrap();
    let error = own.map("no such file.dll".as_ref()).unwrap_err();
    assert_eq!(error.raw_os_error(), Some(126));
}

#[test]
fn children_end_with_their_job() {
    let job = Job::new().unwrap();
    let mut child = std::process::Command::new("cmd")
        .args(["/c", "pause"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    job.adopt(&child).unwrap();
    commit_of(&child).unwrap();
    commit_of_id(child.id()).unwrap();
    // Its input stays open: nothing but the job ends it.
    let input = child.stdin.take();
    drop(job);
    child.wait().unwrap();
    drop(input);
}
