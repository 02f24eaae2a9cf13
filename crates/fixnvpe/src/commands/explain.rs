//! `fixnvpe explain`: what an error text means, and what to do.

use std::ffi::OsString;
use std::io::{self, BufRead, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use fixnvpe_doctor::explain::{Explanation, Kind, decode, explain};
use fixnvpe_doctor::facts::Options;
use fixnvpe_doctor::{Action, Step};

use crate::arguments::{self, Selection};
use crate::caller;
use crate::catalogue::Catalogue;
use crate::clipboard;
use crate::diagnosis::{Diagnosis, diagnose, fill_in, make_typable};
use crate::document::ExplainDocument;
use crate::exit_code::ExitCode;
use crate::fatal::{Fatal, Word};
use crate::job::{self, Job};
use crate::language::Language;
use crate::message;
use crate::report;
use crate::session::Session;

/// Of a larger log its end is read: there the error is.
const LARGEST: u64 = 32 << 20;

/// What is pasted comes at once; nobody types on so soon after an empty line.
const PASTED: Duration = Duration::from_millis(150);

/// Runs the command.
pub(crate) fn run(session: &Session, asked: &arguments::Explain) -> Result<ExitCode, Fatal> {
    let text = read(session, &asked.text)?;
    if text.trim().is_empty() {
        return Err(Fatal::usage(message!("explain-nothing")).code(Word::NoSelection));
    }
    let mut output = session.output(&asked.document)?;
    let job = Job::new(session, &asked.work)?;
    let mut explanation = explain(&text);
    for step in &mut explanation.steps {
        make_typable(step, &asked.place, &asked.work, &|_| true);
    }
    let here = here(session, &job, asked, &explanation)?;
    if matches!(here, Here::Missing) {
        explanation.steps.iter_mut().for_each(widen);
    }
    let code = match &here {
        Here::Found(found) => super::doctor::exit_code(found, &job),
        _ => ExitCode::Interrupted.when(job.is_interrupted()),
    };
    if asked.document.json {
        output.json(&document(session, code, explanation, here));
    } else if session.general.quiet {
        if let Here::Found(found) = &here {
            job::say_failures(session, &found.failures, &output);
        }
    } else {
        let mut page = session.page(&output);
        let (found, is_missing) = match &here {
            Here::Found(found) => (Some(&**found), false),
            Here::Missing => (None, true),
            Here::NotAsked => (None, false),
        };
        report::explain::write(&mut page, &explanation, found, is_missing);
        output.text(&page.into_text());
    }
    output.finish()?;
    Ok(code)
}

/// The text of the arguments: one that exists is a file, `-` is standard input,
/// anything else is the text itself. Without any it comes from standard input,
/// or for someone at a terminal from the clipboard, else from what they paste.
fn read(session: &Session, words: &[OsString]) -> Result<String, Fatal> {
    let unreadable = |name: &OsString, error: io::Error| {
        let name = name.to_string_lossy().into_owned();
        Fatal::usage(message!("explain-unreadable", file = name))
            .code(Word::File)
            .detail(error.to_string())
    };
    match words {
        [] if caller::stdin_is_terminal() => {
            if let Some(text) = copied(session) {
                return Ok(text);
            }
            session.notes().note(&message!("explain-paste"));
            let typed = typed().map_err(|error| unreadable(&"-".into(), error))?;
            let pasted = paste(&typed, PASTED);
            Ok(decode(
                &pasted.map_err(|error| unreadable(&"-".into(), error))?,
            ))
        }
        [] => input().map_err(|error| unreadable(&"-".into(), error)),
        [word] if word == "-" => input().map_err(|error| unreadable(word, error)),
        [word] if fs_err::metadata(word).is_ok() => file(Path::new(word))
            .map(|bytes| decode(&bytes))
            .map_err(|error| unreadable(word, error)),
        [word] if looks_like_file(&word.to_string_lossy()) => {
            let file = word.to_string_lossy().into_owned();
            session
                .notes()
                .note(&message!("explain-no-file", file = file));
            Ok(word.to_string_lossy().into_owned())
        }
        words => Ok(words.join(" ".as_ref()).to_string_lossy().into_owned()),
    }
}

/// Lets a command look everywhere instead of in an environment that is not here.
fn widen(step: &mut Step) {
    if let Action::Run(words) = &mut step.action
        && let Some(at) = words.iter().position(|word| word == "--env")
    {
        words.drain(at..words.len().min(at + 2));
    }
}

/// Whether a word is more likely the name of a file than an error: then it is
/// said that there is none.
fn looks_like_file(word: &str) -> bool {
    let path = Path::new(word);
    let named = path.extension().is_some_and(|extension| {
        ["log", "txt", "out", "err"]
            .iter()
            .any(|known| extension.eq_ignore_ascii_case(known))
    });
    !word.contains(char::is_whitespace) && (named || word.contains(['/', '\\']))
}

fn input() -> io::Result<String> {
    let mut bytes = Vec::new();
    io::stdin().lock().take(LARGEST).read_to_end(&mut bytes)?;
    Ok(decode(&bytes))
}

/// The text on the clipboard, where it shows an error. What it is, and not the
/// text, is said: someone may have copied something else.
fn copied(session: &Session) -> Option<String> {
    let text = clipboard::text()?;
    match explain(&text).kind {
        Kind::Unknown => {
            session.notes().note(&message!("explain-copied-nothing"));
            None
        }
        kind => {
            let kind = session.catalogue.text(&report::explain::brief(kind));
            session
                .notes()
                .note(&message!("explain-copied", kind = kind));
            Some(text)
        }
    }
}

/// The lines of standard input, as they come.
fn typed() -> io::Result<Receiver<io::Result<Vec<u8>>>> {
    let (sender, lines) = mpsc::channel();
    // It ends with the program: nothing stops a read from a terminal.
    thread::Builder::new().spawn(move || {
        let mut input = io::stdin().lock();
        loop {
            let mut line = Vec::new();
            let read = input.read_until(b'\n', &mut line);
            let is_last = !matches!(read, Ok(1..));
            if sender.send(read.map(|_| line)).is_err() || is_last {
                return;
            }
        }
    })?;
    Ok(lines)
}

/// The lines up to an empty one behind which nothing waits: a traceback that is
/// pasted as a whole may have empty lines in it.
fn paste(lines: &Receiver<io::Result<Vec<u8>>>, patience: Duration) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut next = lines.recv().ok();
    while let Some(line) = next {
        let line = line?;
        bytes.extend_from_slice(&line);
        next = if line.is_empty() {
            None
        } else if line.trim_ascii().is_empty() {
            lines.recv_timeout(patience).ok()
        } else {
            lines.recv().ok()
        };
    }
    Ok(bytes)
}

fn file(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = fs_err::File::open(path)?;
    let size = file.metadata()?.len();
    // An even offset: UTF-16 stays what it is.
    let start = size.saturating_sub(LARGEST).next_multiple_of(2);
    if start > 0 && start < size {
        file.seek(SeekFrom::Start(start))?;
    }
    let mut bytes = Vec::new();
    file.take(LARGEST).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// What the doctor says of the environment in the text.
enum Here {
    /// It does not matter for this error, or the text names no environment.
    NotAsked,
    /// It is not on this machine.
    Missing,
    /// This.
    Found(Box<Diagnosis>),
}

fn here(
    session: &Session,
    job: &Job<'_>,
    asked: &arguments::Explain,
    explanation: &Explanation,
) -> Result<Here, Fatal> {
    let Some(prefix) = explanation
        .prefix
        .as_ref()
        .filter(|_| explanation.kind.asks_for_doctor())
    else {
        return Ok(Here::NotAsked);
    };
    let selection = Selection {
        environments: vec![prefix.clone()],
        place: asked.place.clone(),
        ..Selection::default()
    };
    let options = Options::default();
    match diagnose(session, job, &selection, &asked.work, &options, &[]) {
        Ok(found) => Ok(Here::Found(Box::new(found))),
        Err(fatal) if fatal.word == Word::NoMatch => Ok(Here::Missing),
        Err(fatal) => Err(fatal),
    }
}

fn document(
    session: &Session,
    code: ExitCode,
    mut explanation: Explanation,
    here: Here,
) -> ExplainDocument {
    let english = Catalogue::of(Language::En);
    let [what, todo] = report::explain::sentences(explanation.kind);
    explanation.message = format!("{} {}", english.text(&what), english.text(&todo));
    let mut document = ExplainDocument {
        head: session.head(ExplainDocument::SCHEMA),
        complete: true,
        exit_code: code,
        explanation,
        doctor: None,
        skipped: Vec::new(),
        failures: Vec::new(),
    };
    if let Here::Found(mut found) = here {
        fill_in(&mut found.report);
        document.complete = found.complete;
        document.doctor = Some(found.report);
        document.skipped = found.skipped;
        document.failures = found.failures;
    }
    document
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is taken of these lines; with `stays` someone may still type more.
    fn pasted(lines: &[&str], stays: bool) -> String {
        let (sender, receiver) = mpsc::channel();
        for line in lines {
            sender.send(Ok(line.as_bytes().to_vec())).unwrap();
        }
        let sender = stays.then_some(sender);
        let bytes = paste(&receiver, Duration::ZERO).unwrap();
        drop(sender);
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn a_paste_ends_at_an_empty_line_with_nothing_behind_it_or_with_the_input() {
        for stays in [true, false] {
            assert_eq!(pasted(&["a\r\n", "b\r\n", "\r\n"], stays), "a\r\nb\r\n\r\n");
            assert_eq!(pasted(&["\n"], stays), "\n");
            // The end of the input, as a terminal tells it.
            assert_eq!(pasted(&["a\n", "b", ""], stays), "a\nb");
        }
        assert_eq!(pasted(&["a\n"], false), "a\n");
    }

    #[test]
    fn a_traceback_with_empty_lines_is_taken_whole_where_it_is_pasted_at_once() {
        let lines = ["Traceback\n", "\n", "\n", "OSError: 1455\n", "\n"];
        assert_eq!(pasted(&lines, true), lines.concat());
    }

    #[test]
    fn a_name_of_a_file_is_told_from_an_error() {
        for file in ["train.log", "TRAIN.LOG", r"D:\runs\1", "logs/x"] {
            assert!(looks_like_file(file), "{file}");
        }
        for text in [
            "1455",
            "WinError 1455",
            "c10.dll",
            "out of memory. See x.log",
        ] {
            assert!(!looks_like_file(text), "{text}");
        }
    }

    #[test]
    fn of_a_large_log_the_end_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.log");
        let log = fs_err::File::create(&path).unwrap();
        log.set_len(LARGEST + 100).unwrap();
        drop(log);
        let mut bytes = fs_err::read(&path).unwrap();
        bytes.truncate(bytes.len() - 4);
        bytes.extend(b"1455");
        fs_err::write(&path, bytes).unwrap();
        let read = file(&path).unwrap();
        assert_eq!(read.len() as u64, LARGEST);
        assert!(read.ends_with(b"1455"));
    }
}
