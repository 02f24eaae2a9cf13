//! Sentences on a screen: broken into lines where the language allows it.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The text in lines of at most `columns`, each after the first (and the first
/// too) behind `indent` spaces. Breaks at spaces and beside Chinese
/// characters, never inside backquotes: what stands there is to be copied.
pub(crate) fn wrap(text: &str, columns: usize, indent: usize) -> String {
    let room = columns.saturating_sub(indent).max(20);
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for piece in pieces(paragraph) {
            if !line.is_empty() && line.width() + piece.trim_end().width() > room {
                lines.push(std::mem::take(&mut line));
            }
            line.push_str(if line.is_empty() {
                piece.trim_start()
            } else {
                piece
            });
        }
        lines.push(line);
    }
    let indent = " ".repeat(indent);
    lines
        .iter()
        .map(|line| format!("{indent}{}", line.trim_end()))
        .collect::<Vec<_>>()
        .join("\n")
}

/// The text cut wherever a line may end.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut quoted = false;
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        if at > start && !quoted && may_break(before, c) {
            pieces.push(&text[start..at]);
            start = at;
        }
        if c == '`' {
            quoted = !quoted;
        }
        before = c;
    }
    pieces.push(&text[start..]);
    pieces
}

fn may_break(before: char, after: char) -> bool {
    if before == ' ' {
        return true;
    }
    let wide = |c: char| c.width() == Some(2);
    // Rules of East Asian typesetting: no closing mark begins a line, and no
    // opening mark ends one.
    let opens = |c| matches!(c, '（' | '《' | '“' | '「');
    let closes = |c| {
        matches!(
            c,
            '，' | '。' | '、' | '；' | '：' | '！' | '？' | '）' | '》' | '”' | '」'
        )
    };
    (wide(before) || wide(after)) && !opens(before) && !closes(after) && after != ' '
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn english_breaks_at_spaces() {
        assert_eq!(
            wrap("one two three four five six", 22, 2),
            "  one two three four\n  five six"
        );
    }

    #[test]
    fn chinese_breaks_between_characters_but_not_before_a_closing_mark() {
        let text = "这个文件带有数字签名，修改会使签名失效。";
        for columns in 20..44 {
            for line in wrap(text, columns, 0).lines() {
                assert!(line.width() <= columns, "{columns}: {line}");
                assert!(!line.starts_with(['，', '。']), "{columns}: {line}");
            }
        }
    }

    #[test]
    fn what_is_to_be_copied_stays_whole() {
        let wrapped = wrap("type `fixnvpe patch --allow-signed x` to go on now", 24, 0);
        assert_eq!(
            wrapped.lines().nth(1),
            Some("`fixnvpe patch --allow-signed x`")
        );
    }

    #[test]
    fn lines_of_the_text_stay_lines() {
        assert_eq!(wrap("a\nb", 80, 1), " a\n b");
    }
}
