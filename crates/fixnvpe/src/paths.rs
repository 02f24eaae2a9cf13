//! Paths on a screen: short enough for a column, and harmless.

use std::path::{Path, PathBuf};

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// What stands for what was left out. ASCII, because a pipe may be read in any
/// code page.
const GAP: &str = "...";

/// The absolute path, as people write it. What is there exactly as it is written
/// is meant: Windows itself would take `nul.dll` for a device.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    let extended = fixnvpe_files::extended(path);
    extended.map_or_else(|_| path.to_path_buf(), |path| fixnvpe_files::shown(&path))
}

/// The path as text for a screen: below the current `folder` relative to it,
/// without `\\?\`, with control and direction characters spelled out, which in
/// a file name could rewrite what is on the screen.
pub(crate) fn printable(path: &Path, folder: Option<&Path>) -> String {
    // Behind `\\?\` a path begins with another drive than without.
    let shown = fixnvpe_files::shown(path);
    let relative = folder
        .and_then(|folder| shown.strip_prefix(fixnvpe_files::shown(folder)).ok())
        .filter(|relative| !relative.as_os_str().is_empty());
    harmless(&relative.unwrap_or(&shown).to_string_lossy())
}

/// Text with control and direction characters spelled out.
pub(crate) fn harmless(text: &str) -> String {
    text.chars()
        .map(|c| {
            if c.is_control() || is_invisible(c) {
                c.escape_unicode().to_string()
            } else {
                c.to_string()
            }
        })
        .collect()
}

/// Marks that change the direction of text, and characters without a width
/// (Unicode Standard, sections 23.2 and 23.3).
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// The path in at most `columns` columns: the beginning and the end stay, the
/// middle goes, name by name; if the last name alone is too long, its middle.
/// The end, which tells the file, gets two thirds of the room.
pub(crate) fn shorten(path: &str, columns: usize) -> String {
    if path.width() <= columns {
        return path.to_owned();
    }
    let head_end = head_len(path);
    // Where each name after the beginning starts, with its separator.
    let starts: Vec<usize> = path[head_end..]
        .char_indices()
        .filter(|(_, c)| is_separator(*c))
        .map(|(at, _)| head_end + at)
        .collect();
    let fits = |head: usize, tail: usize, room: usize| {
        path[..head].width() + GAP.len() + path[tail..].width() <= room
    };
    let Some(&last) = starts.last() else {
        return cut_middle(path, columns);
    };
    if !fits(head_end, last, columns) {
        if fits(0, last, columns) {
            return format!("{GAP}{}", &path[last..]);
        }
        return cut_middle(path[last..].trim_start_matches(is_separator), columns);
    }
    // First the end, up to its share; then the beginning; then what is left.
    let longest_tail = |head: usize, room: usize| {
        let tails = starts.iter().copied();
        tails
            .filter(|&tail| tail >= head)
            .find(|&tail| fits(head, tail, room))
    };
    let share = path[..head_end].width() + GAP.len() + columns * 2 / 3;
    let mut tail = longest_tail(head_end, share.min(columns)).unwrap_or(last);
    let heads = starts.iter().map(|start| start + 1);
    let head = heads
        .take_while(|&head| head < tail && fits(head, tail, columns))
        .last()
        .unwrap_or(head_end);
    tail = longest_tail(head, columns).unwrap_or(tail);
    format!("{}{GAP}{}", &path[..head], &path[tail..])
}

fn is_separator(c: char) -> bool {
    c == '/' || c == '\\'
}

/// The part that says where a path begins, its separator included: `C:\`,
/// `\\server\share\`, `/`, `~/`, or the first name.
fn head_len(path: &str) -> usize {
    let names_wanted = if path.starts_with(r"\\") { 2 } else { 1 };
    let lead = path.len() - path.trim_start_matches(is_separator).len();
    if lead == 1 {
        return 1;
    }
    path[lead..]
        .char_indices()
        .filter(|(_, c)| is_separator(*c))
        .nth(names_wanted - 1)
        .map_or(0, |(at, _)| lead + at + 1)
}

/// One name without its middle; the end has the extension, so it gets more.
fn cut_middle(name: &str, columns: usize) -> String {
    let room = columns.saturating_sub(GAP.len());
    let start = take_columns(name.chars(), room / 3);
    let end = take_columns(name.chars().rev(), room - start.width());
    let end: String = end.chars().rev().collect();
    format!("{start}{GAP}{end}")
}

fn take_columns(from: impl Iterator<Item = char>, columns: usize) -> String {
    let mut taken = String::new();
    let mut width = 0;
    for c in from {
        width += c.width().unwrap_or(0);
        if width > columns {
            break;
        }
        taken.push(c);
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_path_loses_its_middle_and_keeps_its_ends() {
        for (path, columns, short) in [
            (
                r"C:\Users\me\envs\yolo\Lib\torch\lib\a.dll",
                30,
                r"C:\...\Lib\torch\lib\a.dll",
            ),
            (r"C:\Users\me\a.dll", 17, r"C:\Users\me\a.dll"),
            (r"C:\Users\me\a.dll", 16, r"C:\...\me\a.dll"),
            (r"C:\Users\me\a.dll", 12, r"C:\...\a.dll"),
            (r"C:\Users\me\a.dll", 11, r"...\a.dll"),
            (r"\\nas\envs\xxx\yyy\a.dll", 20, r"\\nas\envs\...\a.dll"),
            ("/home/me/envs/x/y/a.dll", 14, "/.../x/y/a.dll"),
            ("/home/me/envs/x/y/a.dll", 19, "/home/.../x/y/a.dll"),
            (
                "xgboost/lib/deep/xgboost.dll",
                24,
                "xgboost/.../xgboost.dll",
            ),
            ("cudnn_cnn_infer64_8.dll", 15, "cudn...64_8.dll"),
            ("中文目录/子目录/文件.dll", 20, ".../文件.dll"),
        ] {
            assert_eq!(shorten(path, columns), short, "{columns}");
        }
    }

    #[test]
    fn a_shortened_path_always_fits() {
        let path =
            r"C:\Users\李雷\miniconda3\envs\训练环境\Lib\site-packages\torch\lib\torch_cuda_cu.dll";
        for columns in 7..90 {
            let got = shorten(path, columns);
            assert!(got.width() <= columns, "{columns}: {got}");
        }
    }

    #[test]
    fn a_name_cannot_rewrite_the_screen() {
        let hostile = Path::new("/x/\u{1b}[2J\u{202e}lld.\n");
        assert_eq!(printable(hostile, None), r"/x/\u{1b}[2J\u{202e}lld.\u{a}");
    }

    #[test]
    fn what_lies_below_the_current_folder_is_shown_from_there() {
        let path = Path::new("/work/envs/a.dll");
        assert_eq!(printable(path, Some(Path::new("/work"))), "envs/a.dll");
        assert_eq!(printable(path, Some(Path::new("/wo"))), "/work/envs/a.dll");
        assert_eq!(printable(path, Some(path)), "/work/envs/a.dll");
    }
}
