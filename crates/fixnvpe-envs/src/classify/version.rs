//! Python's version, from the names that carry it.

use std::path::Path;

/// The numbers of a version, for comparing.
pub(crate) fn numbers(version: &str) -> Vec<u32> {
    version
        .split('.')
        .map_while(|number| number.parse().ok())
        .collect()
}

/// The version in a name: `3.8.10` in `python-3.8.10-embed-amd64`, `3.11` in
/// `python311.dll`. Only versions of Python 2 and 3 count.
pub(crate) fn of_name(name: &str) -> Option<String> {
    dotted(name).or_else(|| joined(name))
}

/// The version that the name of a folder tells.
pub(crate) fn of_folder(path: &Path) -> Option<String> {
    of_name(path.file_name()?.to_str()?)
}

fn dotted(name: &str) -> Option<String> {
    let is_part = |c: char| c.is_ascii_digit() || c == '.';
    name.split(|c| !is_part(c)).find_map(|run| {
        let parts: Vec<&str> = run
            .split('.')
            .filter(|part| !part.is_empty())
            .take(3)
            .collect();
        let small = parts.iter().all(|part| part.len() <= 3);
        let major = parts
            .first()
            .is_some_and(|major| ["2", "3"].contains(major));
        (major && small && parts.len() >= 2).then(|| parts.join("."))
    })
}

fn joined(name: &str) -> Option<String> {
    let lower = name.to_ascii_lowercase();
    let (_, behind) = lower.split_once("python")?;
    let end = behind.find(|c: char| !c.is_ascii_digit());
    let digits = &behind[..end.unwrap_or(behind.len())];
    let (major, minor) = digits.split_at_checked(1)?;
    let known = ["2", "3"].contains(&major) && (1..=2).contains(&minor.len());
    known.then(|| format!("{major}.{minor}"))
}

/// The version of the package `python` in the name of its conda record
/// (`python-3.8.13-h6244533_0.json`).
pub(crate) fn of_conda_record(file: &str) -> Option<&str> {
    let stem = file.strip_suffix(".json")?;
    let mut parts = stem.rsplitn(3, '-');
    let (_build, version) = (parts.next()?, parts.next()?);
    (parts.next()? == "python").then_some(version)
}

/// The most exact of what several sources tell: the first, or a later one that
/// says more without contradicting it.
pub(crate) fn best(told: impl IntoIterator<Item = Option<String>>) -> Option<String> {
    told.into_iter().flatten().reduce(|best, other| {
        let more = other
            .strip_prefix(&best)
            .is_some_and(|rest| rest.starts_with('.'));
        if more { other } else { best }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_in_the_names_that_tools_give() {
        for (name, version) in [
            ("python-3.8.10-embed-amd64", Some("3.8.10")),
            ("Python38", Some("3.8")),
            ("Python311-32", Some("3.11")),
            ("python310.dll", Some("3.10")),
            ("python38._pth", Some("3.8")),
            ("python3.dll", None),
            ("cpython-3.11.4-windows-x86_64-none", Some("3.11.4")),
            ("pythoncore-3.14-64", Some("3.14")),
            (
                "PythonSoftwareFoundation.Python.3.8_qbz5n2kfra8p0",
                Some("3.8"),
            ),
            ("3.12.0", Some("3.12.0")),
            ("python3.9", Some("3.9")),
            ("3.8.13.final.0", Some("3.8.13")),
            ("WPy64-31040", None),
            ("venv", None),
            ("v11.8", None),
            ("2023.12", None),
            ("", None),
        ] {
            assert_eq!(of_name(name).as_deref(), version, "{name}");
        }
    }

    #[test]
    fn only_pythons_own_conda_record_tells_its_version() {
        for (file, version) in [
            ("python-3.8.13-h6244533_0.json", Some("3.8.13")),
            ("python-dateutil-2.8.2-pyhd3eb1b0_0.json", None),
            ("python_abi-3.8-2_cp38.json", None),
            ("history", None),
        ] {
            assert_eq!(of_conda_record(file), version);
        }
    }

    #[test]
    fn a_later_source_only_adds_to_what_is_known() {
        let told = |versions: &[&str]| best(versions.iter().map(|one| Some((*one).to_owned())));
        assert_eq!(told(&["3.8", "3.8.10"]).as_deref(), Some("3.8.10"));
        assert_eq!(told(&["3.8", "3.81"]).as_deref(), Some("3.8"));
        assert_eq!(told(&["3.8.10", "3.9"]).as_deref(), Some("3.8.10"));
        assert_eq!(best([None, None]), None);
    }

    proptest::proptest! {
        #[test]
        fn any_name_is_read_without_a_panic(name: String) {
            let _ = (of_name(&name), of_conda_record(&name));
        }
    }
}
