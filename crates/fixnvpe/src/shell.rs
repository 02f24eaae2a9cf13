//! Commands that a user copies from the screen into a shell.

use std::ffi::OsStr;

/// The shell in which a printed command has to work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shell {
    /// `sh` and its like.
    Posix,
    /// Both `cmd` and PowerShell: nobody knows which one a user has open.
    Windows,
}

/// One of the shells of Windows, where a line is not for both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WindowsShell {
    Cmd,
    PowerShell,
}

/// A line to type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// The one shell that it is for; `None` where any understands it.
    pub(crate) shell: Option<WindowsShell>,
    pub(crate) text: String,
}

impl Shell {
    /// The shell of the platform that this program is built for.
    pub(crate) const fn native() -> Self {
        if cfg!(windows) {
            Self::Windows
        } else {
            Self::Posix
        }
    }

    /// One command from its words, each quoted where it has to be: in one line,
    /// or in one for each shell where no line works in both.
    pub(crate) fn command<S: AsRef<OsStr>>(self, words: impl IntoIterator<Item = S>) -> Vec<Line> {
        let words: Vec<S> = words.into_iter().collect();
        let words = words.iter().map(AsRef::as_ref);
        match self {
            Self::Posix => vec![Line::for_all(joined(words.map(quote_posix)))],
            Self::Windows => {
                let words: Vec<_> = words.map(OsStr::to_string_lossy).collect();
                let cmd = joined(words.iter().map(|word| quote_cmd(word)));
                let mut powershell = joined(words.iter().map(|word| quote_powershell(word)));
                // A string alone would be printed, not run.
                if powershell.starts_with(['"', '\'']) {
                    powershell.insert_str(0, "& ");
                }
                Line::for_each(cmd, powershell)
            }
        }
    }

    /// What sets a variable for the programs that are started next.
    pub(crate) fn variable(self, name: &str, value: &str) -> Vec<Line> {
        match self {
            Self::Posix => {
                let value = quote_posix(OsStr::new(value));
                vec![Line::for_all(format!("export {name}={value}"))]
            }
            Self::Windows => {
                let single = quote_single(value);
                // What stands in the quotes is the value, and no space behind it.
                let cmd = if is_plain(value, self) {
                    format!("set {name}={value}")
                } else {
                    format!("set \"{name}={value}\"")
                };
                Line::for_each(cmd, format!("$env:{name} = {single}"))
            }
        }
    }
}

impl Line {
    fn for_all(text: String) -> Self {
        Self { shell: None, text }
    }

    fn for_each(cmd: String, powershell: String) -> Vec<Self> {
        if cmd == powershell {
            return vec![Self::for_all(cmd)];
        }
        let of = |shell, text| Self {
            shell: Some(shell),
            text,
        };
        vec![
            of(WindowsShell::Cmd, cmd),
            of(WindowsShell::PowerShell, powershell),
        ]
    }
}

fn joined(words: impl Iterator<Item = String>) -> String {
    words.collect::<Vec<_>>().join(" ")
}

/// Whether the word means itself in every shell.
fn is_plain(word: &str, shell: Shell) -> bool {
    !word.is_empty()
        && word.chars().all(|c| {
            c.is_alphanumeric()
                || matches!(c, '-' | '_' | '.' | '/' | ':' | '=' | '+')
                || (shell == Shell::Windows && c == '\\')
        })
}

/// Single quotes; a word that is not Unicode is written with `$'\xNN'`, which
/// bash, zsh and ksh read back to the same bytes.
fn quote_posix(word: &OsStr) -> String {
    let Some(text) = word.to_str() else {
        let escaped: String = word
            .as_encoded_bytes()
            .iter()
            .map(|byte| match byte {
                b'\'' | b'\\' => format!("\\{}", char::from(*byte)),
                b' '..=b'~' => char::from(*byte).to_string(),
                other => format!("\\x{other:02x}"),
            })
            .collect();
        return format!("$'{escaped}'");
    };
    if is_plain(text, Shell::Posix) && !text.starts_with('~') {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// Double quotes. A name on Windows holds no `"`; a backslash before the closing
/// quote is doubled, or the C runtime would read an escaped quote.
fn quote_cmd(word: &str) -> String {
    if is_plain(word, Shell::Windows) {
        return word.to_owned();
    }
    let backslashes = word.len() - word.trim_end_matches('\\').len();
    format!("\"{word}{}\"", "\\".repeat(backslashes))
}

/// The same as for `cmd`, unless PowerShell would read something into it: it
/// expands `$` and the backtick, and takes typographic quotes for its own
/// (Microsoft's page "`about_Quoting_Rules`").
fn quote_powershell(word: &str) -> String {
    if word.contains(['$', '`', '\u{201c}', '\u{201d}', '\u{201e}']) {
        quote_single(word)
    } else {
        quote_cmd(word)
    }
}

/// Single quotes of PowerShell, in which nothing but a quote means anything.
fn quote_single(word: &str) -> String {
    let mut quoted = String::from("'");
    for c in word.chars() {
        if matches!(c, '\'' | '\u{2018}'..='\u{201b}') {
            quoted.push(c);
        }
        quoted.push(c);
    }
    quoted.push('\'');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The one line of a command that any shell understands.
    fn line(shell: Shell, words: &[&str]) -> String {
        let lines = shell.command(words);
        assert!(
            matches!(&*lines, [line] if line.shell.is_none()),
            "{lines:?}"
        );
        lines[0].text.clone()
    }

    /// The lines for `cmd` and for PowerShell.
    fn both(lines: &[Line]) -> (&str, &str) {
        match lines {
            [cmd, powershell] => {
                assert_eq!(cmd.shell, Some(WindowsShell::Cmd));
                assert_eq!(powershell.shell, Some(WindowsShell::PowerShell));
                (&cmd.text, &powershell.text)
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn plain_words_stay_as_they_are() {
        let words = ["fixnvpe", "restore", "--run", "2026-01-02T03:04:05Z-1"];
        for shell in [Shell::Posix, Shell::Windows] {
            let plain = "fixnvpe restore --run 2026-01-02T03:04:05Z-1";
            assert_eq!(line(shell, &words), plain);
        }
        assert_eq!(line(Shell::Windows, &[r"C:\a\b.dll"]), r"C:\a\b.dll");
    }

    #[test]
    fn spaces_and_quotes_survive_a_posix_shell() {
        let words = [
            "a b", "it's", "$HOME", "x[1].dll", "", "~bob", r"a\b", "价格",
        ];
        assert_eq!(
            line(Shell::Posix, &words),
            r"'a b' 'it'\''s' '$HOME' 'x[1].dll' '' '~bob' 'a\b' 价格"
        );
    }

    #[test]
    fn a_folder_that_ends_in_a_backslash_does_not_eat_the_quote() {
        assert_eq!(
            line(Shell::Windows, &["fixnvpe", r"C:\Program Files\x\"]),
            r#"fixnvpe "C:\Program Files\x\\""#
        );
        let quoted = line(Shell::Windows, &["fixnvpe", "it's", "a,b"]);
        assert_eq!(quoted, r#"fixnvpe "it's" "a,b""#);
    }

    #[test]
    fn a_program_in_quotes_is_called_in_powershell_and_typed_in_cmd() {
        let words = [r"C:\Program Files\Python\python.exe", "-c", "import torch"];
        assert_eq!(
            both(&Shell::Windows.command(words)),
            (
                r#""C:\Program Files\Python\python.exe" -c "import torch""#,
                r#"& "C:\Program Files\Python\python.exe" -c "import torch""#,
            )
        );
    }

    #[test]
    fn what_powershell_would_expand_stands_in_single_quotes_there() {
        for (word, cmd, powershell) in [
            ("$Env x", "\"$Env x\"", "'$Env x'"),
            ("it's `a`", "\"it's `a`\"", "'it''s `a`'"),
            (
                "\u{201c}家\u{201d}",
                "\"\u{201c}家\u{201d}\"",
                "'\u{201c}家\u{201d}'",
            ),
            ("$\u{2019}", "\"$\u{2019}\"", "'$\u{2019}\u{2019}'"),
        ] {
            let lines = Shell::Windows.command(["fixnvpe", word]);
            let expected = (format!("fixnvpe {cmd}"), format!("fixnvpe {powershell}"));
            assert_eq!(both(&lines), (&*expected.0, &*expected.1));
        }
    }

    #[test]
    fn a_variable_is_set_in_the_words_of_each_shell() {
        assert_eq!(
            both(&Shell::Windows.variable("OPENBLAS_NUM_THREADS", "1")),
            (
                "set OPENBLAS_NUM_THREADS=1",
                "$env:OPENBLAS_NUM_THREADS = '1'",
            )
        );
        assert_eq!(
            both(&Shell::Windows.variable("X", "a b")).0,
            "set \"X=a b\""
        );
        let lines = Shell::Posix.variable("X", "a b");
        assert_eq!((lines[0].shell, &*lines[0].text), (None, "export X='a b'"));
    }

    #[cfg(unix)]
    #[test]
    fn a_quoted_word_reads_back_as_the_same_bytes() {
        use std::os::unix::ffi::{OsStrExt, OsStringExt};
        use std::process::Command;

        for word in [
            &b"a b"[..],
            b"it's $x `y` \\",
            b"\xff\xfe'\\ z",
            "中文 [x]*?".as_bytes(),
        ] {
            let word = std::ffi::OsString::from_vec(word.to_vec());
            let lines = Shell::Posix.command([OsStr::new("printf"), OsStr::new("%s"), &word]);
            let line = &lines[0].text;
            let printed = Command::new("bash").arg("-c").arg(line).output();
            let printed = printed.expect("bash runs").stdout;
            assert_eq!(printed, word.as_bytes(), "{line}");
        }
    }
}
