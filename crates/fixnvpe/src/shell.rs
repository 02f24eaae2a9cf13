//! Commands that a user copies from the screen into a shell.

use std::ffi::OsStr;

/// The shell in which a printed command has to work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shell {
    /// `sh` and its like.
    Posix,
    /// Both `cmd` and PowerShell: only quoting that the two agree on.
    Windows,
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

    /// One command from its words, each quoted where it has to be.
    pub(crate) fn command<S: AsRef<OsStr>>(self, words: impl IntoIterator<Item = S>) -> String {
        words
            .into_iter()
            .map(|word| self.quote(word.as_ref()))
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// One word of a command.
    pub(crate) fn quote(self, word: &OsStr) -> String {
        match self {
            Self::Posix => quote_posix(word),
            Self::Windows => quote_windows(&word.to_string_lossy()),
        }
    }
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

/// Double quotes, which both shells know. A name on Windows holds no `"`; a
/// backslash before the closing quote is doubled, or the C runtime would read
/// an escaped quote.
fn quote_windows(word: &str) -> String {
    if is_plain(word, Shell::Windows) {
        return word.to_owned();
    }
    let backslashes = word.len() - word.trim_end_matches('\\').len();
    format!("\"{word}{}\"", "\\".repeat(backslashes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_words_stay_as_they_are() {
        assert_eq!(
            Shell::Posix.command(["fixnvpe", "restore", "--run", "2026-01-02T03:04:05Z-1"]),
            "fixnvpe restore --run 2026-01-02T03:04:05Z-1"
        );
        assert_eq!(Shell::Windows.command([r"C:\a\b.dll"]), r"C:\a\b.dll");
    }

    #[test]
    fn spaces_and_quotes_survive_a_posix_shell() {
        let words = [
            "a b", "it's", "$HOME", "x[1].dll", "", "~bob", r"a\b", "价格",
        ];
        assert_eq!(
            Shell::Posix.command(words),
            r"'a b' 'it'\''s' '$HOME' 'x[1].dll' '' '~bob' 'a\b' 价格"
        );
    }

    #[test]
    fn a_folder_that_ends_in_a_backslash_does_not_eat_the_quote() {
        assert_eq!(
            Shell::Windows.command([r"C:\Program Files\x\"]),
            r#""C:\Program Files\x\\""#
        );
        assert_eq!(Shell::Windows.command(["it's"]), r#""it's""#);
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
            let line = Shell::Posix.command([OsStr::new("printf"), OsStr::new("%s"), &word]);
            let printed = Command::new("bash").arg("-c").arg(&line).output();
            let printed = printed.expect("bash runs").stdout;
            assert_eq!(printed, word.as_bytes(), "{line}");
        }
    }
}
