//! One test's own folder with images, state and home, and the program run in it.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use fixnvpe_tests::image::{Fatbin, Layout};
use fixnvpe_tests::tree::{Tree, sha256};
use serde_json::Value;
use tempfile::TempDir;

/// A folder `disk` with a tree of files, beside a state folder and a home.
pub(crate) struct World {
    folder: TempDir,
}

/// What a run of the program left.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// The arguments with the language that the snapshots are in, where the system
/// takes it from its settings and not from `LC_ALL`.
fn in_english(mut arguments: Vec<OsString>, from_settings: bool) -> Vec<OsString> {
    let begins_with =
        |argument: &OsString, text: &str| argument.as_encoded_bytes().starts_with(text.as_bytes());
    let is_said = arguments.iter().any(|one| begins_with(one, "--lang"));
    if from_settings && !is_said && !arguments.is_empty() {
        // Behind the command's name.
        let place = usize::from(!begins_with(&arguments[0], "-"));
        arguments.insert(place, "--lang=en".into());
    }
    arguments
}

/// Every file below a folder by its path with `/`, with what must not change behind anyone's back.
pub(crate) type Contents = BTreeMap<String, Content>;

/// One file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Content {
    pub(crate) sha256: [u8; 32],
    pub(crate) id: String,
}

impl World {
    /// A world with this tree on its disk.
    pub(crate) fn new(tree: &Tree) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["disk", "home"] {
            fs_err::create_dir(folder.path().join(name)).expect("created");
        }
        let world = Self { folder };
        tree.build_in(&world.disk()).expect("the tree");
        world
    }

    /// A world with one small writable image for each path.
    pub(crate) fn with_writable<'a>(paths: impl IntoIterator<Item = &'a str>) -> Self {
        let layout = writable();
        let tree = paths
            .into_iter()
            .fold(Tree::default(), |tree, path| tree.image(path, &layout));
        Self::new(&tree)
    }

    /// Where the tree is, and where the program runs.
    pub(crate) fn disk(&self) -> PathBuf {
        self.folder.path().join("disk")
    }

    /// A path on the disk.
    pub(crate) fn path(&self, below: impl AsRef<Path>) -> PathBuf {
        self.disk().join(below)
    }

    /// Where the journal is.
    pub(crate) fn state(&self) -> PathBuf {
        self.folder.path().join("state")
    }

    /// A place outside of disk, state and home.
    pub(crate) fn outside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The program, about to run in this world.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("fixnvpe"));
        command
            .current_dir(self.disk())
            .env("FIXNVPE_STATE_DIR", self.state())
            .env("LC_ALL", "C")
            .env("USER", "mei")
            .env("USERNAME", "mei");
        for home in ["HOME", "USERPROFILE"] {
            command.env(home, self.folder.path().join("home"));
        }
        for unwanted in [
            "NO_COLOR",
            "CLICOLOR_FORCE",
            "LANG",
            "LANGUAGE",
            "LC_MESSAGES",
        ] {
            command.env_remove(unwanted);
        }
        command
    }

    /// Runs the program to its end.
    pub(crate) fn run<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Run {
        let arguments = arguments.into_iter().map(|one| one.as_ref().to_owned());
        let mut command = self.command();
        command.args(in_english(arguments.collect(), cfg!(windows)));
        Run::of(command)
    }

    /// Runs the program with `--json`, and checks the document: one line of
    /// ASCII that its schema describes and that tells the exit code.
    pub(crate) fn json<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Value {
        let mut command = self.command();
        let mut arguments = arguments.into_iter();
        command.args(arguments.by_ref().take(1));
        command.arg("--json").args(arguments);
        Run::of(command).document()
    }

    /// Every file below the disk.
    pub(crate) fn contents(&self) -> Contents {
        contents_of(&self.disk())
    }

    /// When each file below the disk was last changed: for images that are too
    /// large to be hashed in a test.
    pub(crate) fn stamps(&self) -> BTreeMap<PathBuf, SystemTime> {
        let root = self.disk();
        files_below(&root)
            .into_iter()
            .map(|path| {
                let stamp = fs_err::symlink_metadata(&path).and_then(|of| of.modified());
                (path, stamp.expect("a time"))
            })
            .collect()
    }

    /// Every file of the state folder.
    pub(crate) fn state_contents(&self) -> Contents {
        contents_of(&self.state())
    }

    /// The journal as text.
    pub(crate) fn journal(&self) -> PathBuf {
        self.state().join("journal.jsonl")
    }
}

impl Run {
    pub(crate) fn of(command: Command) -> Self {
        Self::with_input(command, "")
    }

    /// Runs a command with this on its standard input.
    pub(crate) fn with_input(command: Command, input: impl Into<Vec<u8>>) -> Self {
        // A run that hangs is a failure, not a reason to wait.
        let output = assert_cmd::Command::from_std(command)
            .write_stdin(input)
            .timeout(Duration::from_secs(120))
            .output()
            .expect("the program starts");
        let code = output.status.code().expect("the program ends by itself");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        let run = Self {
            code,
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        };
        assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
        run
    }

    /// The one JSON document on standard output.
    pub(crate) fn document(&self) -> Value {
        assert!(self.stdout.is_ascii(), "{}", self.stdout);
        assert_eq!(self.stdout.lines().count(), 1, "{self:?}");
        let document: Value = serde_json::from_str(&self.stdout).expect("JSON");
        let name = document["schema"].as_str().expect("a schema");
        check_schema(name.split('/').nth(1).expect("a name"), &document);
        assert_eq!(document["exit_code"], self.code);
        document
    }

    /// The lines of `--jsonl`.
    pub(crate) fn lines(&self) -> Vec<Value> {
        assert!(self.stdout.is_ascii(), "{}", self.stdout);
        self.stdout
            .lines()
            .map(|line| {
                let value = serde_json::from_str(line).expect("JSON");
                check_schema("events", &value);
                value
            })
            .collect()
    }
}

/// Fails unless the schema in `docs/schemas` describes the document.
pub(crate) fn check_schema(name: &str, document: &Value) {
    let schema = schema(name);
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let errors: Vec<String> = validator
        .iter_errors(document)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:#?}\n{document:#}");
}

/// The schema of this name, as it stands in the repository.
pub(crate) fn schema(name: &str) -> Value {
    let text = fs_err::read_to_string(schema_path(name)).expect("the schema");
    serde_json::from_str(&text).expect("JSON")
}

pub(crate) fn schema_path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../docs/schemas")
        .join(format!("{name}.json"))
}

/// A small DLL with a writable fat binary.
pub(crate) fn writable() -> Layout {
    Layout::cuda_dll(&Fatbin::of(["sm_70", "sm_86", "compute_86"]).grown_to(0x4000))
}

fn contents_of(root: &Path) -> Contents {
    files_below(root)
        .into_iter()
        .map(|path| {
            let below = path.strip_prefix(root).expect("below");
            let below = below.to_string_lossy().replace('\\', "/");
            (below, content(&path))
        })
        .collect()
}

/// A DLL with a writable fat binary of some size, which takes no room on disk.
pub(crate) fn large() -> Layout {
    Layout::cuda_dll(&Fatbin::of(["sm_70", "sm_86", "compute_86"]).grown_to(24 << 20))
}

fn files_below(root: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs_err::read_dir(&folder) else {
            continue;
        };
        for entry in entries {
            let entry = entry.expect("an entry");
            let path = entry.path();
            if entry.file_type().expect("a type").is_dir() {
                folders.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files
}

fn content(path: &Path) -> Content {
    // A link is its target's text, whatever that leads to.
    if let Ok(target) = fs_err::read_link(path) {
        return Content {
            sha256: [0; 32],
            id: target.display().to_string(),
        };
    }
    let file = fixnvpe_files::open_read(path).expect("opened");
    let stat = fixnvpe_files::stat(&file).expect("its identity");
    Content {
        sha256: sha256(path).expect("its hash"),
        id: stat.id.to_string(),
    }
}

/// Compares text for people with a snapshot. What differs from run to run, or
/// from system to system, is replaced by something of the same width.
pub(crate) fn snapshot(name: &str, run: &Run) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/cli/snapshots"
    ));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.add_filter(r"\d{8}T\d{9}Z-[0-9a-f]{8}", "20261130T172900123Z-5f0c2a91");
    settings.add_filter(r"mei@\S+", "mei@host");
    settings.add_filter(r"\\", "/");
    settings.add_filter(
        "To undo it, in a terminal with administrator rights:",
        "To undo it:",
    );
    settings.add_filter("如需撤销，请在以管理员身份打开的终端中运行：", "如需撤销：");
    let text = format!("exit code {}\n{}", run.code, run.stdout);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// Fails if a line is wider than 80 columns, except one that is there to be
/// copied.
pub(crate) fn assert_fits(text: &str) {
    use unicode_width::UnicodeWidthStr;
    for line in text.lines() {
        let is_command = line.trim_start().starts_with("fixnvpe ");
        assert!(is_command || line.width() <= 80, "{}: {line}", line.width());
    }
}
