//! Whole jobs on the real disk.

use super::bench::{Bench, collected, patched_under, state, threads};
use super::bench::{image, patched};
use super::counting::Counting;
use super::real::real;
use crate::cancel::CancelToken;
use crate::context::Context;
use crate::error::Error;
use crate::journal::history;
use crate::options::{CollectOptions, PatchOptions, RestoreOptions};
use crate::report::{Code, Outcome};
use crate::restore::RestoreTarget;
use crate::scan::ScanOptions;
use fixnvpe_pe::Policy;
use fixnvpe_tests::fixtures::{self, Expected};
use fixnvpe_tests::image::{Fatbin, Layout};
use proptest::prelude::{any, prop};
use proptest::{prop_assert, prop_assert_eq, proptest};

#[test]
fn every_fixture_is_scanned_as_its_table_says() {
    let root = tempfile::tempdir().unwrap();
    let fixtures = fixtures::all();
    for fixture in &fixtures {
        fixture.write_into(root.path()).unwrap();
    }
    let real = real();
    let found = real.collect_only(root.path());
    assert_eq!(found.candidates.len(), fixtures.len());
    let report = crate::scan(&found, &ScanOptions::default(), None, &real.bench.context());
    for fixture in fixtures {
        let image = report
            .images
            .iter()
            .find(|image| image.path.ends_with(fixture.name));
        let failure = report
            .failures
            .iter()
            .find(|one| one.path.ends_with(fixture.name));
        let name = fixture.name;
        assert_eq!(
            image.map(|image| image.condition.as_str()),
            fixture.expected.condition(),
            "{name}"
        );
        match fixture.expected {
            Expected::Image { reasons, .. } => {
                let found = image.map_or(&[] as &[_], |image| &image.reasons);
                let words: Vec<_> = found.iter().map(|reason| reason.as_str()).collect();
                assert_eq!(words, reasons, "{name}");
                assert_eq!(failure, None, "{name}");
            }
            Expected::Malformed => {
                assert_eq!(failure.map(|one| one.code), Some(Code::Malformed), "{name}");
            }
            _ => assert_eq!(failure, None, "{name}"),
        }
    }
}

#[test]
fn a_file_that_is_no_image_is_a_failure_when_it_is_named() {
    let real = real();
    for fixture in fixtures::all() {
        let code = match fixture.expected {
            Expected::NotPe => Code::NotPe,
            Expected::Unsupported => Code::Unsupported,
            _ => continue,
        };
        fixture.write_into(&real.files).unwrap();
        let named = real.collect_only(&real.files.join(fixture.name));
        let context = real.bench.context();
        let report = crate::scan(&named, &ScanOptions::default(), None, &context);
        assert_eq!(report.failures.len(), 1, "{}", fixture.name);
        assert_eq!(report.failures[0].code, code, "{}", fixture.name);
        let report = real.bench.patch(&named);
        assert_eq!(report.failures[0].code, code, "{}", fixture.name);
    }
}

#[test]
fn patching_and_restoring_a_folder_of_fixtures_gives_back_every_byte() {
    let real = real();
    let mut writable = 0;
    for fixture in fixtures::all() {
        let bytes = fixture.assemble().unwrap();
        // The large ones are sparse on disk and would not be in memory.
        if bytes.len() < 1 << 20 {
            fixture.write_into(&real.files).unwrap();
            writable += u64::from(fixture.expected.condition() == Some("writable"));
        }
    }
    let before = real.content();
    let report = real.bench.patch(&real.collect());
    let patched = report
        .results
        .iter()
        .filter(|one| one.outcome == Outcome::Patched);
    assert_eq!(patched.count() as u64, writable);
    assert!(writable > 3);
    let changed = real.content();
    for (path, bytes) in &changed {
        let result = report.results.iter().find(|one| one.path == *path);
        let edits = result.map_or(&[] as &[_], |result| result.edits.as_slice());
        let mut expected = before[path].clone();
        for edit in edits {
            let start = usize::try_from(edit.offset).unwrap();
            expected[start..start + edit.new.len()].copy_from_slice(&edit.new);
        }
        assert!(*bytes == expected, "{}", path.display());
    }
    assert_ne!(changed, before);
    real.bench.restore(&RestoreTarget::LastRun);
    assert!(real.content() == before);
}

/// The promise that a patch costs per file and not per byte of it.
#[test]
fn the_bytes_read_and_written_do_not_grow_with_the_file() {
    for (name, signed) in [
        ("xgboost.dll", false),
        ("onnxruntime_providers_cuda.dll", true),
        ("cudnn64_7.dll", false),
        ("cub.cp38-win_amd64.pyd", false),
    ] {
        let root = tempfile::tempdir().unwrap();
        let fixture = fixtures::named(name);
        fixture.write_into(root.path()).unwrap();
        let path = collected(root.path().join(name));
        let size = fs_err::metadata(&path).unwrap().len();
        assert!(size > 7 << 20, "{name}: {size}");
        let bench = Bench {
            files: Counting::default(),
            pool: threads(1),
            state: state(root.path().join("state")),
            cancel: CancelToken::new(),
        };
        let roots = [path.clone()];
        let files = crate::collect(&roots, &CollectOptions::default(), &bench.context());
        let options = PatchOptions {
            policy: Policy::new(fixnvpe_pe::Aslr::Keep, signed),
            ..PatchOptions::default()
        };
        let report = bench.patch_with(&files, &options);
        assert_eq!(report.results[0].outcome, Outcome::Patched, "{name}");
        let (read, written) = bench.files.of(&path);
        assert!(read < 1 << 20, "{name}: {read} bytes read");
        assert!(written < 4096, "{name}: {written} bytes written");

        bench.files.reset();
        let report = bench.restore(&RestoreTarget::Files(&files));
        assert_eq!(report.results[0].outcome, Outcome::Restored, "{name}");
        let (read, written) = bench.files.of(&path);
        assert!(read < 1 << 20, "{name}: {read} bytes read");
        assert!(written < 4096, "{name}: {written} bytes written");
    }
}

#[test]
fn a_second_patch_opens_nothing_for_writing() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("x.dll");
    fs_err::write(&path, super::bench::image()).unwrap();
    let bench = Bench {
        files: Counting::default(),
        pool: threads(1),
        state: state(root.path().join("state")),
        cancel: CancelToken::new(),
    };
    let files = crate::collect(&[path], &CollectOptions::default(), &bench.context());
    bench.patch(&files);
    assert!(bench.files.opened_for_writing() > 0);
    bench.files.reset();
    assert_eq!(bench.patch(&files).results[0].outcome, Outcome::Already);
    assert_eq!(bench.files.opened_for_writing(), 0);
}

#[test]
fn the_lock_keeps_a_second_writer_out_and_readers_in() {
    let real = real();
    real.write("x.dll", &super::bench::image());
    let files = real.collect();
    let (pool, cancel) = (threads(1), CancelToken::new());
    let context = Context::new(&pool, &cancel);
    let held =
        crate::journal::Journal::open(&real.bench.state, crate::journal::Action::Patch, &context)
            .unwrap();
    let error = real
        .bench
        .try_patch(&files, &PatchOptions::default())
        .unwrap_err();
    let Error::Locked { holder, .. } = &error else {
        panic!("{error}");
    };
    assert_eq!(holder.as_ref().unwrap().pid, std::process::id());
    assert!(real.bench.view().bad_lines().is_empty());
    drop(held);
    assert_eq!(
        real.bench.patch(&files).results[0].outcome,
        Outcome::Patched
    );
}

#[test]
fn many_threads_share_one_journal() {
    let mut real = real();
    real.bench.pool = threads(8);
    for index in 0..64 {
        real.write(format!("{index}.dll"), &super::bench::image());
    }
    let before = real.content();
    let report = real.bench.patch(&real.collect());
    let done = report
        .results
        .iter()
        .filter(|one| one.outcome == Outcome::Patched);
    assert_eq!(done.count(), 64);
    let view = real.bench.view();
    assert!(view.bad_lines().is_empty());
    let runs = history(&view);
    assert_eq!((runs[0].changed, runs[0].standing), (64, 64));
    assert_eq!(runs[0].complete, Some(true));
    real.bench.restore(&RestoreTarget::LastRun);
    assert!(real.content() == before);
    assert_eq!(history(&real.bench.view())[0].standing, 0);
}

#[test]
fn one_bad_file_stops_none_of_the_others() {
    let real = real();
    real.write("good.dll", &super::bench::image());
    real.write("torn.dll", &super::bench::image()[..400]);
    real.write("text.dll", b"not an image at all");
    real.write("empty.pyd", b"");
    let report = real.bench.patch(&real.collect());
    let outcome = |name: &str| {
        let mut results = report.results.iter();
        results
            .find(|result| result.path.ends_with(name))
            .map(|result| result.outcome)
    };
    assert_eq!(outcome("good.dll"), Some(Outcome::Patched));
    assert_eq!(outcome("torn.dll"), Some(Outcome::Refused));
    assert_eq!((outcome("text.dll"), outcome("empty.pyd")), (None, None));
    assert_eq!(report.failures.len(), 1);
    assert_eq!(report.failures[0].code, Code::Malformed);
}

proptest! {
    #![proptest_config(proptest::test_runner::Config {
        cases: 24,
        failure_persistence: None,
        ..Default::default()
    })]

    /// Files of any number, some linked within and some without, some patched
    /// under one policy and some under the other: a restore gives back every
    /// byte of all names, and a patch changes planned bytes alone.
    #[test]
    fn a_patch_and_a_restore_are_the_identity(
        files in prop::collection::vec((any::<bool>(), any::<bool>(), 1_usize..4), 1..6),
        clear in any::<bool>(),
    ) {
        let real = real();
        for (index, (linked, outside, modules)) in files.iter().enumerate() {
            let fatbin = Fatbin::of(["sm_70", "sm_80", "sm_86"].into_iter().take(*modules));
            let bytes = Layout::cuda_dll(&fatbin).assemble().unwrap().to_vec();
            let path = real.write(format!("env/{index}.dll"), &bytes);
            if *linked {
                fs_err::hard_link(&path, real.files.join(format!("env/{index}-too.dll"))).unwrap();
            }
            if *outside {
                fs_err::hard_link(&path, real.files.join(format!("{index}.outside"))).unwrap();
            }
        }
        let before = real.content();
        let aslr = if clear { fixnvpe_pe::Aslr::Clear } else { fixnvpe_pe::Aslr::Keep };
        let options = PatchOptions {
            policy: Policy::new(aslr, false),
            ..PatchOptions::default()
        };
        let selected = real.collect_only(&real.files.join("env"));
        let report = real.bench.patch_with(&selected, &options);
        prop_assert!(report.failures.is_empty());
        for (path, bytes) in real.content() {
            let old = &before[&path];
            let outside = path.extension().is_some_and(|extension| extension == "outside");
            let expected = if outside { old.clone() } else { patched_under(old, options.policy) };
            prop_assert!(bytes == expected);
        }
        let report = real.bench.restore_with(&RestoreTarget::LastRun, &RestoreOptions::default());
        prop_assert!(report.failures.is_empty());
        prop_assert_eq!(real.content(), before);
    }
}

#[test]
fn a_run_needs_no_file_that_says_who_holds_the_lock() {
    let real = real();
    let path = real.write("x.dll", &image());
    // Nobody can write a file where a folder stands.
    fs_err::create_dir_all(real.bench.state.folder.join("holder.json")).unwrap();
    let report = real.bench.patch(&real.collect());
    assert_eq!(report.results[0].outcome, Outcome::Patched);
    assert_eq!(fs_err::read(&path).unwrap(), patched(&image()));
}
