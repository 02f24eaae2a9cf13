//! Measuring with real processes: this program, started once more. Under Wine the
//! figures mean nothing, so that only their being there is judged.

use std::process::Command;

use fixnvpe_doctor::measure::{
    MeasureError, MeasuredImage, Plan, Processes, Subject, mapper, measure, serve,
};
use fixnvpe_doctor::pe::CommitCharge;
use fixnvpe_tests::image::{Fatbin, Layout};

/// Set where this program is a child.
const CHILD: &str = "FIXNVPE_DOCTOR_TEST_CHILD";

fn own() -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "a_child_serves_its_parent", "--nocapture"])
        .env(CHILD, "1");
    command
}

/// The child's side where `CHILD` is set; nothing else.
#[test]
fn a_child_serves_its_parent() {
    if std::env::var_os(CHILD).is_some() {
        let (input, output) = (std::io::stdin().lock(), std::io::stdout());
        serve(input, output, &mut mapper()).unwrap();
    }
}

#[test]
fn images_are_mapped_in_every_process_and_what_is_none_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let cuda = folder.path().join("cuda [1] 中文.dll");
    Layout::cuda_dll(&Fatbin::of(["sm_86"]))
        .write_to(&cuda)
        .unwrap();
    let text = folder.path().join("text.dll");
    fs_err::write(&text, "no image").unwrap();
    let images = [&cuda, &text].map(|path| MeasuredImage::new(path, CommitCharge::new(4096, 0)));
    let plan = Plan::new(2, Subject::Images(images.to_vec()));
    let mut stage = match Processes::new(own) {
        Ok(stage) => stage,
        Err(MeasureError::NotWindows) if cfg!(not(windows)) => return,
        Err(error) => panic!("{error}"),
    };
    let found = measure(&plan, &mut stage, &|| false).unwrap();
    assert_eq!(found.commits.len(), 3, "{:?}", found.stopped);
    assert!(found.images[0].measured.is_some(), "{:?}", found.images);
    assert_eq!(found.images[1].measured, None);
    // ERROR_BAD_EXE_FORMAT
    assert_eq!(found.images[1].os_error, Some(193));
}

#[test]
fn a_child_that_ends_at_once_is_an_error_that_says_so() {
    let plan = Plan::new(
        1,
        Subject::Images(vec![MeasuredImage::new("x.dll", CommitCharge::new(1, 1))]),
    );
    let silent = || {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.arg("--list").env_remove(CHILD);
        command
    };
    let mut stage = match Processes::new(silent) {
        Ok(stage) => stage,
        Err(MeasureError::NotWindows) if cfg!(not(windows)) => return,
        Err(error) => panic!("{error}"),
    };
    let error = measure(&plan, &mut stage, &|| false).unwrap_err();
    assert!(matches!(error, MeasureError::Ended { .. }), "{error}");
}
