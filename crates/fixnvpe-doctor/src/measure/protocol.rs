//! One line in each direction, as JSON.

use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// What a child is told: one line on its standard input.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Request {
    /// The images to map, in this order. On Windows a name that is not Unicode
    /// cannot be said here, and is not in it.
    pub images: Vec<PathBuf>,
}

/// One image as the child mapped it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct MappedImage {
    /// The commit of the process once it was mapped, in bytes.
    pub commit: Option<u64>,
    /// The system's error number, where it could not be mapped.
    pub os_error: Option<i32>,
}

/// What a child answers: one line on its standard output.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Answer {
    /// The commit of the process before anything was mapped, in bytes; `None`
    /// where the process does not tell.
    #[serde(deserialize_with = "Option::deserialize")]
    pub before: Option<u64>,
    /// The images, in the order of the request.
    #[serde(default)]
    pub images: Vec<MappedImage>,
    /// The process that answers, where it need not be the one that was started:
    /// the Python of a virtual environment on Windows is a launcher that starts
    /// the real one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub process: Option<u32>,
}

/// What a child can do on its system.
pub trait Mapper {
    /// The commit of this process in bytes.
    ///
    /// # Errors
    ///
    /// The system's.
    fn commit(&mut self) -> io::Result<u64>;

    /// Maps an image into this process for good, without running it.
    ///
    /// # Errors
    ///
    /// The system's: 1455 where the charge was refused.
    fn map(&mut self, path: &Path) -> io::Result<()>;
}

/// The child's side: reads the request, maps, answers, and returns when the
/// input ends.
///
/// # Errors
///
/// Where the input or the output fails, or the first line is no request.
pub fn serve(
    mut input: impl BufRead,
    mut output: impl Write,
    mapper: &mut dyn Mapper,
) -> io::Result<()> {
    let mut line = String::new();
    input.read_line(&mut line)?;
    let request: Request = serde_json::from_str(&line)?;
    let mut answer = Answer {
        before: mapper.commit().ok(),
        ..Answer::default()
    };
    for path in &request.images {
        let outcome = mapper.map(path);
        answer.images.push(MappedImage {
            commit: mapper.commit().ok().filter(|_| outcome.is_ok()),
            os_error: outcome.err().and_then(|error| error.raw_os_error()),
        });
    }
    let mut line = serde_json::to_vec(&answer)?;
    line.push(b'\n');
    output.write_all(&line)?;
    output.flush()?;
    // The parent holds the other end: this returns when it lets go or dies.
    io::copy(&mut input, &mut io::sink()).map(drop)
}

/// Whether Python can import something by this name: `torch`, `torch.cuda`.
#[must_use]
pub fn is_module_name(name: &str) -> bool {
    name.split('.').all(|part| {
        let mut chars = part.chars();
        chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
            && chars.all(|c| c.is_alphanumeric() || c == '_')
    })
}

/// The program of a Python child (`python -c`): it imports, answers as [`serve`]
/// does, and waits for its input to end. What is no [module
/// name](is_module_name) is left out.
#[must_use]
pub fn python_program(imports: &[String]) -> String {
    let names: Vec<_> = imports
        .iter()
        .map(String::as_str)
        .filter(|name| is_module_name(name))
        .collect();
    let import = if names.is_empty() {
        String::new()
    } else {
        format!("import {}; ", names.join(", "))
    };
    format!(
        "import os, sys; sys.stdin.readline(); {import}\
         sys.stdout.write('{{\"before\": null, \"process\": %d}}\\n' % os.getpid()); \
         sys.stdout.flush(); sys.stdin.read()"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pays a hundred bytes for each image; the second one is refused.
    struct Paying(u64);

    impl Mapper for Paying {
        fn commit(&mut self) -> io::Result<u64> {
            Ok(self.0)
        }

        fn map(&mut self, path: &Path) -> io::Result<()> {
            if path.ends_with("refused.dll") {
                return Err(io::Error::from_raw_os_error(1455));
            }
            self.0 += 100;
            Ok(())
        }
    }

    #[test]
    fn a_child_answers_with_its_commit_after_each_image() {
        let request = Request {
            images: ["a.dll", "refused.dll", "中 文.dll"]
                .map(PathBuf::from)
                .to_vec(),
        };
        let mut input = serde_json::to_string(&request).unwrap();
        input.push_str("\nwhat comes later is not read");
        let mut output = Vec::new();
        serve(input.as_bytes(), &mut output, &mut Paying(7)).unwrap();
        assert_eq!(
            output.iter().position(|byte| *byte == b'\n'),
            Some(output.len() - 1)
        );
        let answer: Answer = serde_json::from_slice(&output).unwrap();
        assert_eq!(answer.before, Some(7));
        let commits: Vec<_> = answer.images.iter().map(|image| image.commit).collect();
        assert_eq!(commits, [Some(107), None, Some(207)]);
        assert_eq!(answer.images[1].os_error, Some(1455));
    }

    #[test]
    fn what_a_module_prints_is_not_taken_for_an_answer() {
        for line in [
            "{}",
            "{\"images\": []}",
            "{\"before\": 1, \"x\": 2}",
            "null",
            "[]",
        ] {
            assert!(serde_json::from_str::<Answer>(line).is_err(), "{line}");
        }
        let answer: Answer = serde_json::from_str("{\"before\": null}\n").unwrap();
        assert_eq!(answer, Answer::default());
        let answer: Answer = serde_json::from_str("{\"before\": null, \"process\": 7}").unwrap();
        assert_eq!(answer.process, Some(7));
    }

    #[test]
    fn a_first_line_that_is_no_request_is_an_error() {
        let mut output = Vec::new();
        assert!(serve(&b"hello\n"[..], &mut output, &mut Paying(0)).is_err());
        assert!(output.is_empty());
    }

    #[test]
    fn python_imports_modules_and_nothing_else() {
        let program = python_program(&["torch".into(), "a.b".into(), "os; evil()".into()]);
        assert!(program.contains("import torch, a.b; "));
        assert!(!program.contains("evil"));
        assert!(!python_program(&[]).contains("import ;"));
    }

    /// Where there is a Python, whatever system this is.
    #[cfg(unix)]
    #[test]
    fn python_answers_in_one_line_after_what_its_modules_say_and_ends_with_its_input() {
        use std::process::{Command, Stdio};

        let program = python_program(&["this".into()]);
        let child = Command::new("python3")
            .args(["-c", &program])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let Ok(mut child) = child else { return };
        let id = child.id();
        let mut input = child.stdin.take().unwrap();
        input.write_all(b"{\"images\":[]}\n").unwrap();
        drop(input);
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        let answers: Vec<Answer> = said
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect();
        assert_eq!(answers.len(), 1, "{said}");
        assert_eq!(answers[0].process, Some(id));
        assert!(said.lines().count() > 10, "the module says something too");
    }
}
