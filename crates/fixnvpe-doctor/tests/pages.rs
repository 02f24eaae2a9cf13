//! The printed pages of the book are current. To write them anew:
//! `FIXNVPE_WRITE_PAGES=1 cargo test -p fixnvpe-doctor --test pages`.

use std::path::{Path, PathBuf};

use fixnvpe_doctor::page::{findings_page, upgrades_page};

fn book() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src")
}

fn assert_current(name: &str, page: &str) {
    let path = book().join(name);
    if std::env::var_os("FIXNVPE_WRITE_PAGES").is_some() {
        fs_err::write(&path, page).unwrap();
    }
    // A checkout on Windows may have other line ends.
    let written = fs_err::read_to_string(&path).unwrap().replace("\r\n", "\n");
    assert!(written == page, "{} is out of date", path.display());
}

#[test]
fn the_page_of_findings_is_what_the_rules_say() {
    assert_current("advice/findings.md", &findings_page());
}

#[test]
fn the_page_of_upgrades_is_what_the_table_says() {
    assert_current("advice/upgrades.md", &upgrades_page());
}

#[test]
fn every_page_of_advice_is_in_the_summary() {
    let summary = fs_err::read_to_string(book().join("SUMMARY.md")).unwrap();
    for entry in fs_err::read_dir(book().join("advice")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(summary.contains(&format!("(advice/{name})")), "{name}");
    }
    assert!(summary.contains("(article.md)"));
}

#[test]
fn links_between_pages_lead_somewhere() {
    let mut pages = vec![book().join("article.md")];
    for entry in fs_err::read_dir(book().join("advice")).unwrap() {
        pages.push(entry.unwrap().path());
    }
    for page in pages {
        let text = fs_err::read_to_string(&page).unwrap();
        for link in text.split("](").skip(1) {
            let target = link.split(')').next().unwrap();
            let (file, _) = target.split_once('#').unwrap_or((target, ""));
            if file.is_empty() || target.contains("://") {
                continue;
            }
            let found = page.parent().unwrap().join(file);
            assert!(found.exists(), "{}: {target}", page.display());
        }
    }
}

fn verification_script() -> PathBuf {
    book().join("../verify_workers.py")
}

#[test]
fn the_data_of_the_verification_script_stay_below_what_it_says() {
    let script = fs_err::read_to_string(verification_script()).unwrap();
    let constant = |name: &str| -> u64 {
        let line = format!("\n{name} = ");
        let at = script.find(&line).expect(name) + line.len();
        let digits = script[at..].split(char::is_whitespace).next();
        digits.unwrap().parse().expect(name)
    };
    assert!(script.contains("torch.zeros(CHANNELS, SIDE, SIDE)"));
    assert!(script.contains("below 100 MB"));
    // Numbers of 4 bytes, PyTorch's default.
    let bytes = constant("ITEMS") * constant("CHANNELS") * constant("SIDE").pow(2) * 4;
    assert!(bytes < 100_000_000, "{bytes}");
}

#[test]
fn the_verification_script_compiles() {
    let compile = "import ast, sys; ast.parse(open(sys.argv[1], encoding='utf-8').read())";
    let python = std::process::Command::new("python3")
        .args(["-c", compile])
        .arg(verification_script())
        .output();
    match python {
        Ok(run) => assert!(run.status.success(), "{run:?}"),
        // Where there is no Python, CI's Linux has one.
        Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::NotFound),
    }
}
