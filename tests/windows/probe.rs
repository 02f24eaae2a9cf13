//! A process of its own that loads a library and answers questions about it.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use fixnvpe_pe::Image;
use fixnvpe_tests::fixtures;

use crate::win32::{Library, PAGE_WRITECOPY};

/// Names the library to the process that is to load it.
const LIBRARY: &str = "PROBE_LIBRARY";
/// Set where only the pages of the library matter.
const MAPPED: &str = "PROBE_MAPPED";
/// Comes before every answer, after whatever the test harness writes.
const ANSWER: &str = "probe: ";

/// How far a library gets loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Load {
    /// With its imports, and its start code run.
    Started,
    /// As an image in memory, and no more.
    Mapped,
}

/// The process; it ends, and lets go of the library, when this is dropped.
#[derive(Debug)]
pub(crate) struct Probe {
    process: Child,
    questions: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Probe {
    /// Starts a process that loads the library; the error is what it says, or how it ended.
    pub(crate) fn start(library: &Path, how: Load) -> Result<Self, String> {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .args([
                "--exact",
                "probe::a_writable_fat_binary_is_mapped_copy_on_write",
            ])
            .env(LIBRARY, library)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        if how == Load::Mapped {
            command.env(MAPPED, "1");
        }
        let mut process = command.spawn().unwrap();
        let mut probe = Self {
            questions: process.stdin.take(),
            answers: BufReader::new(process.stdout.take().unwrap()),
            process,
        };
        match probe.answer().as_str() {
            "loaded" => Ok(probe),
            other => Err(other.to_owned()),
        }
    }

    /// Its id.
    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }

    /// The protection of the first page of the fat binary.
    pub(crate) fn protection(&mut self) -> u32 {
        self.ask("protection").parse().unwrap()
    }

    /// What the library's exported function returns.
    pub(crate) fn first_bytes(&mut self) -> u64 {
        self.ask("first bytes").parse().unwrap()
    }

    fn ask(&mut self, question: &str) -> String {
        writeln!(self.questions.as_mut().unwrap(), "{question}").unwrap();
        self.answer()
    }

    fn answer(&mut self) -> String {
        let mut line = String::new();
        loop {
            line.clear();
            if self.answers.read_line(&mut line).unwrap() == 0 {
                return format!("ended with {}", self.process.wait().unwrap());
            }
            if let Some((_, answer)) = line.trim_end().split_once(ANSWER) {
                return answer.to_owned();
            }
        }
    }
}

impl Drop for Probe {
    fn drop(&mut self) {
        // The end of its input ends the process.
        self.questions.take();
        self.process.wait().unwrap();
    }
}

/// The other side: loads the library, and answers until nobody asks any more.
fn serve(path: &Path, how: Load) {
    let image = Image::read(fs_err::File::open(path).unwrap().into_file()).unwrap();
    let fatbin = image.fatbin_sections().next().unwrap().virtual_address();
    let library = match Library::load(path, how) {
        Ok(library) => library,
        Err(code) => return say(&format!("error {code}")),
    };
    say("loaded");
    for question in std::io::stdin().lines() {
        match question.unwrap().as_str() {
            "protection" => {
                let protection = library.protection(usize::try_from(fatbin).unwrap());
                say(&protection.to_string());
            }
            "first bytes" => say(&library.fatbin_first_bytes().unwrap().to_string()),
            other => say(&format!("what is `{other}`?")),
        }
    }
}

/// Past the test harness, which keeps what `println!` prints.
fn say(answer: &str) {
    let mut output = std::io::stdout().lock();
    writeln!(output, "{ANSWER}{answer}").unwrap();
    output.flush().unwrap();
}

/// Where the variable names a library, this is the process that loads it.
#[test]
fn a_writable_fat_binary_is_mapped_copy_on_write() {
    if let Some(library) = std::env::var_os(LIBRARY) {
        let how = match std::env::var_os(MAPPED) {
            Some(_) => Load::Mapped,
            None => Load::Started,
        };
        return serve(&PathBuf::from(library), how);
    }
    let folder = tempfile::tempdir().unwrap();
    fixtures::named("signed.dll")
        .write_into(folder.path())
        .unwrap();
    let library = folder.path().join("signed.dll");
    for how in [Load::Started, Load::Mapped] {
        let mut probe = Probe::start(&library, how).unwrap();
        assert_eq!(probe.protection(), PAGE_WRITECOPY);
    }
}
