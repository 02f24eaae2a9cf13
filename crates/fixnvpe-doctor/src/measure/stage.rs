//! Where processes are started and read: the system, or a test's double.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdout, Command, Stdio};
use std::thread::{self, JoinHandle};

use super::plan::{Plan, Subject};
use super::protocol::{Answer, Request, python_program};
use super::{MeasureError, system};

/// A process that was started.
pub trait Process {
    /// Waits until it has done what it was asked, and gives its answer.
    ///
    /// # Errors
    ///
    /// Where it ended instead, or said something else.
    fn answer(&mut self) -> Result<Answer, MeasureError>;

    /// Its commit in bytes.
    ///
    /// # Errors
    ///
    /// The system's.
    fn commit(&mut self) -> Result<u64, MeasureError>;

    /// Ends it, and waits until it is gone.
    fn end(self: Box<Self>);
}

/// What a measurement asks of its system.
pub trait Stage {
    /// The commit of the whole system in bytes.
    ///
    /// # Errors
    ///
    /// The system's.
    fn system_commit(&mut self) -> Result<u64, MeasureError>;

    /// Starts a process that does what the plan says; with `idle`, one that does
    /// nothing, to compare with.
    ///
    /// # Errors
    ///
    /// Where it cannot be started.
    fn start(&mut self, plan: &Plan, idle: bool) -> Result<Box<dyn Process>, MeasureError>;
}

/// The real stage: child processes that die with this one.
#[derive(Debug)]
pub struct Processes<F> {
    own: F,
}

impl<F: FnMut() -> Command> Processes<F> {
    /// Children are started by `own`: the caller's program, with the argument that
    /// makes it call [`serve`](super::serve).
    ///
    /// # Errors
    ///
    /// [`MeasureError::NotWindows`] elsewhere.
    pub fn new(own: F) -> Result<Self, MeasureError> {
        if !super::is_available() {
            return Err(MeasureError::NotWindows);
        }
        Ok(Self { own })
    }

    fn command(&mut self, plan: &Plan, idle: bool) -> Command {
        match &plan.subject {
            Subject::Images(_) => (self.own)(),
            Subject::Python {
                program, imports, ..
            } => {
                let imports = if idle { &[][..] } else { imports };
                let mut command = Command::new(program);
                command.arg("-c").arg(python_program(imports));
                command
            }
        }
    }
}

const JOB: &str = "job object of a process";

/// The error of a reading that failed.
fn reading(what: &'static str) -> impl FnOnce(io::Error) -> MeasureError {
    move |source| MeasureError::Read { what, source }
}

impl<F: FnMut() -> Command> Stage for Processes<F> {
    fn system_commit(&mut self) -> Result<u64, MeasureError> {
        let commit = system::commit().map_err(reading("commit of the system"))?;
        Ok(commit.used)
    }

    fn start(&mut self, plan: &Plan, idle: bool) -> Result<Box<dyn Process>, MeasureError> {
        let mut command = self.command(plan, idle);
        system::keep_from_ctrl_c(&mut command);
        let mut running = Running::start(&mut command)?;
        let request = Request {
            images: match &plan.subject {
                Subject::Images(images) if !idle => images
                    .iter()
                    .filter(|image| is_sayable(&image.path))
                    .map(|image| loadable(&image.path))
                    .collect(),
                _ => Vec::new(),
            },
        };
        // A child that ended at once tells why when it is asked.
        if let (Ok(mut line), Some(input)) =
            (serde_json::to_vec(&request), running.child.stdin.as_mut())
        {
            line.push(b'\n');
            drop(input.write_all(&line).and_then(|()| input.flush()));
        }
        Ok(Box::new(running))
    }
}

/// More lines than this before an answer are not listened to, and no line longer
/// than an answer about every image of an environment.
const MOST_LINES: u32 = 10_000;
const LONGEST_LINE: u64 = 4 << 20;

/// Whether JSON can say the path.
pub(super) fn is_sayable(path: &Path) -> bool {
    path.to_str().is_some()
}

/// The path as the system loads it, whatever its length and its names.
fn loadable(path: &Path) -> PathBuf {
    fixnvpe_files::extended(path).unwrap_or_else(|_| path.to_path_buf())
}

struct Running {
    program: String,
    output: Option<BufReader<ChildStdout>>,
    errors: Option<JoinHandle<Vec<u8>>>,
    child: Child,
    /// Ends the child and whatever it started.
    job: Option<system::Job>,
    /// The process that answered, where it is another than the child.
    other: Option<u32>,
}

impl Running {
    fn start(command: &mut Command) -> Result<Self, MeasureError> {
        let program = command.get_program().to_string_lossy().into_owned();
        let start = |source| MeasureError::Start {
            program: program.clone(),
            source,
        };
        let job = system::Job::new().map_err(reading(JOB))?;
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(start)?;
        let errors = child.stderr.take();
        let mut running = Self {
            output: child.stdout.take().map(BufReader::new),
            errors: None,
            program: program.clone(),
            child,
            job: None,
            other: None,
        };
        if let Err(source) = job.adopt(&running.child) {
            Box::new(running).end();
            return Err(reading(JOB)(source));
        }
        running.job = Some(job);
        match errors.map(listen).transpose() {
            Ok(errors) => running.errors = errors,
            Err(source) => {
                Box::new(running).end();
                return Err(start(source));
            }
        }
        Ok(running)
    }
}

/// Listens to what a process says of errors: a pipe that nobody empties would
/// stop it in the middle. The end is kept.
fn listen(mut errors: ChildStderr) -> io::Result<JoinHandle<Vec<u8>>> {
    thread::Builder::new().spawn(move || {
        let (mut kept, mut piece) = (Vec::new(), [0; 4096]);
        while let Ok(read @ 1..) = errors.read(&mut piece) {
            kept.extend_from_slice(&piece[..read]);
            // A traceback is short.
            let surplus = kept.len().saturating_sub(1 << 16);
            kept.drain(..surplus);
        }
        kept
    })
}

impl Process for Running {
    fn answer(&mut self) -> Result<Answer, MeasureError> {
        // What is imported may say something of its own before.
        for _ in 0..MOST_LINES {
            let mut line = Vec::new();
            let read = self.output.as_mut().map(|output| {
                output
                    .by_ref()
                    .take(LONGEST_LINE)
                    .read_until(b'\n', &mut line)
            });
            if !matches!(read, Some(Ok(1..))) {
                break;
            }
            if let Ok(answer) = serde_json::from_slice::<Answer>(&line) {
                self.other = answer.process.filter(|id| *id != self.child.id());
                return Ok(answer);
            }
        }
        Err(MeasureError::Ended {
            program: self.program.clone(),
            said: self.last_words(),
        })
    }

    fn commit(&mut self) -> Result<u64, MeasureError> {
        let commit = match self.other {
            Some(process) => system::commit_of_id(process),
            None => system::commit_of(&self.child),
        };
        commit.map_err(reading("commit of a process"))
    }

    fn end(mut self: Box<Self>) {
        // Its input ends: a child that listens goes by itself.
        drop(self.child.stdin.take());
        self.job = None;
        drop(self.child.kill());
        drop(self.child.wait());
        // Once nobody can write any more, what the child started is gone too.
        if let Some(output) = &mut self.output {
            drop(io::copy(output, &mut io::sink()));
        }
    }
}

impl Running {
    /// The last line that a process which ended wrote about it.
    fn last_words(&mut self) -> String {
        drop(self.child.stdin.take());
        let said = self.errors.take().and_then(|errors| errors.join().ok());
        let said = said.unwrap_or_default();
        let said = crate::explain::decode(&said);
        said.lines()
            .rev()
            .find(|line| !line.trim().is_empty())
            .unwrap_or_default()
            .trim()
            .to_owned()
    }
}
