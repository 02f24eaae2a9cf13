//! `--redact`: a result that can be shown to strangers.
//!
//! The caller's home becomes `~`; the home of anyone else `~` and a hash of
//! the name; host and user become hashes. All texts are treated, the messages
//! of failures too.

use std::path::Path;

use serde_json::Value;
use sha2::{Digest, Sha256};

/// Takes names out of texts.
#[derive(Clone, Debug)]
pub(crate) struct Redactor {
    /// The caller's home, without a separator at the end.
    home: Option<String>,
    user: String,
}

/// Folders whose entries are homes, with `/` for either separator. On Windows
/// (and on its disks mounted elsewhere) without case.
const HOMES: [&str; 3] = ["/home/", "/users/", "/documents and settings/"];

/// Entries of such folders that are nobody's.
const SHARED: [&str; 4] = ["public", "default", "all users", "shared"];

impl Redactor {
    /// For a caller with this home and name.
    pub(crate) fn new(home: Option<&Path>, user: &str) -> Self {
        let home = home
            .map(|home| {
                home.to_string_lossy()
                    .trim_end_matches(['/', '\\'])
                    .to_owned()
            })
            // A home that is the root of a disk names nobody.
            .filter(|home| home.chars().filter(|c| is_separator(*c)).count() > 0 && home.len() > 3);
        Self {
            home,
            user: user.to_owned(),
        }
    }

    /// The stable stand-in of a name.
    pub(crate) fn hash(name: &str) -> String {
        let digest = Sha256::new()
            .chain_update(b"fixnvpe redacted name\0")
            .chain_update(name.to_lowercase().as_bytes())
            .finalize();
        data_encoding::HEXLOWER.encode(&digest[..6])
    }

    /// The text without homes.
    pub(crate) fn text(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let taken = self
                .own_home(rest, &mut out)
                .or_else(|| self.other_home(rest, &mut out));
            let taken = taken.unwrap_or_else(|| {
                out.push(first);
                first.len_utf8()
            });
            rest = &rest[taken..];
        }
        out
    }

    /// Every text of a JSON value without homes. The raw form of a name that is
    /// no Unicode would still hold them, so it goes.
    pub(crate) fn value(&self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.text(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.value(item)),
            Value::Object(fields) => {
                fields.remove("path_raw");
                fields.remove("names_raw");
                for (name, field) in fields.iter_mut() {
                    match field {
                        Value::String(text) if name == "host" || name == "user" => {
                            *text = Self::hash(text);
                        }
                        _ => self.value(field),
                    }
                }
            }
            _ => {}
        }
    }

    /// Writes `~` for the caller's home where `rest` begins with it, and says
    /// how much of `rest` that was.
    fn own_home(&self, rest: &str, out: &mut String) -> Option<usize> {
        let len = prefix_len(rest, self.home.as_deref()?)?;
        let whole = !out.ends_with(is_in_name) && !rest[len..].starts_with(is_in_name);
        whole.then(|| {
            out.push('~');
            len
        })
    }

    /// The same for `/home/NAME`, `C:\Users\NAME`, `/mnt/c/Users/NAME`: for any
    /// folder of homes, wherever it lies.
    fn other_home(&self, rest: &str, out: &mut String) -> Option<usize> {
        let len = HOMES.iter().find_map(|homes| prefix_len(rest, homes))?;
        let name_len = rest[len..].find(ends_name).unwrap_or(rest.len() - len);
        let name = &rest[len..len + name_len];
        if name.is_empty() || SHARED.contains(&name.to_lowercase().as_str()) {
            return None;
        }
        if out.ends_with(':')
            && out
                .trim_end_matches(':')
                .ends_with(|c: char| c.is_ascii_alphabetic())
        {
            // The drive letter belongs to the home.
            out.truncate(out.len() - 2);
        } else if out.ends_with(is_in_name) {
            out.push('/');
        }
        out.push('~');
        if name.to_lowercase() != self.user.to_lowercase() {
            out.push_str(&Self::hash(name));
        }
        Some(len + name_len)
    }
}

fn ends_name(c: char) -> bool {
    is_separator(c) || matches!(c, ':' | '"' | '`' | '\n' | '<' | '>' | '|')
}

fn is_in_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | '.')
}

fn is_separator(c: char) -> bool {
    c == '/' || c == '\\'
}

/// The length of `prefix` at the start of `text`; separators equal each other,
/// letters compare without case: a text may speak of Windows anywhere.
fn prefix_len(text: &str, prefix: &str) -> Option<usize> {
    let mut own = text.char_indices();
    for expected in prefix.chars() {
        let (_, found) = own.next()?;
        let same = (is_separator(found) && is_separator(expected))
            || found.to_lowercase().eq(expected.to_lowercase());
        if !same {
            return None;
        }
    }
    Some(own.next().map_or(text.len(), |(at, _)| at))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redact(home: &str, text: &str) -> String {
        Redactor::new(Some(Path::new(home)), "me").text(text)
    }

    #[test]
    fn the_own_home_becomes_a_tilde_wherever_it_stands() {
        for (home, text, redacted) in [
            ("/home/me", "/home/me/envs/a.dll", "~/envs/a.dll"),
            (
                "/home/me/",
                "cannot read /home/me: denied",
                "cannot read ~: denied",
            ),
            ("/root", "/root/x and /x/root/y", "~/x and /x/root/y"),
            ("/data/me", "/data/me2/x", "/data/me2/x"),
            (r"C:\Users\Me", r"c:/users/me\x.dll", r"~\x.dll"),
            (r"C:\Users\John Smith", r"C:\Users\John Smith\x", r"~\x"),
            (r"C:\Users\me", r"\\?\C:\Users\me\x", r"\\?\~\x"),
            (r"D:\家\李", r"D:\家\李\a.dll", r"~\a.dll"),
            ("/", "/home", "/home"),
        ] {
            assert_eq!(redact(home, text), redacted);
        }
    }

    #[test]
    fn the_homes_of_others_become_a_hash_that_is_always_the_same() {
        let bob = format!("~{}", Redactor::hash("bob"));
        for (text, redacted) in [
            ("/home/bob/x", format!("{bob}/x")),
            (r"C:\Users\Bob\x", format!(r"{bob}\x")),
            ("/mnt/c/Users/bob/x", format!("/mnt/c/{bob}/x")),
            ("open /home/bob: denied", format!("open {bob}: denied")),
            (r"C:\Users\me\x", r"~\x".to_owned()),
            (r"C:\Users\Public\x", r"C:\Users\Public\x".to_owned()),
        ] {
            assert_eq!(redact("/nowhere/else", text), redacted);
        }
        assert!(!redact("/nowhere/else", "/home/bob").contains("bob"));
    }

    #[test]
    fn a_document_loses_names_in_every_field() {
        let mut value = serde_json::json!({
            "host": "pc", "user": "me",
            "images": [{"path": "/home/me/\u{fffd}", "path_raw": "bytes:2f", "size": 7}],
            "failures": [{"message": "open /home/me/a.dll: denied"}],
        });
        Redactor::new(Some(Path::new("/home/me")), "me").value(&mut value);
        assert_eq!(
            value,
            serde_json::json!({
                "host": Redactor::hash("pc"), "user": Redactor::hash("me"),
                "images": [{"path": "~/\u{fffd}", "size": 7}],
                "failures": [{"message": "open ~/a.dll: denied"}],
            })
        );
    }

    #[test]
    fn what_is_redacted_stays_as_it_is() {
        let once = redact("/home/me", "/home/me/x /home/bob/y C:\\Users\\z\\w");
        assert_eq!(redact("/home/me", &once), once);
    }
}
