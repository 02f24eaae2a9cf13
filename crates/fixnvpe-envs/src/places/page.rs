//! The table as a page of the book.

use std::fmt::Write;

use super::places;

/// The table of places as a page in Markdown, for the book: it is made from
/// the same data that the look around a machine reads.
#[must_use]
pub fn places_page() -> String {
    let mut page = String::from(
        "# Where environments are looked for\n\n\
         This page is made from the table in the code (`fixnvpe envs --places` \
         prints the same). `~` is every user's home, `<drive>` every built-in \
         drive, `*` any text. A place that begins with a name lies in any folder \
         that is looked at. A variable that a system sets for every user \
         (`%LOCALAPPDATA%`, `$XDG_DATA_HOME`) stands for the folder of every user \
         whose home may be read; any other is the caller's own.\n\n\
         | tool | Windows | Linux, macOS | marker |\n|---|---|---|---|\n",
    );
    for place in places() {
        // Writing to a String cannot fail.
        let _ = writeln!(
            page,
            "| {} | {} | {} | {} |",
            place.tool,
            cell(place.windows),
            cell(place.elsewhere),
            place.marker,
        );
    }
    page
}

fn cell(patterns: &[&str]) -> String {
    if patterns.is_empty() {
        return "–".to_owned();
    }
    let quoted = |pattern: &&str| {
        if pattern.contains('`')
            || !pattern.contains(['\\', '/', '%', '$', '~', '*', '.', '<', '{'])
        {
            (*pattern).to_owned()
        } else {
            format!("`{pattern}`")
        }
    };
    let patterns: Vec<String> = patterns.iter().map(quoted).collect();
    patterns.join("<br>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_a_row_for_each_place_and_four_columns() {
        let page = places_page();
        let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| ")).collect();
        assert_eq!(rows.len(), places().len() + 1);
        for row in rows {
            assert_eq!(row.matches(" | ").count(), 3, "{row}");
            assert!(row.ends_with(" |") && !row.contains("|  |"), "{row}");
        }
    }

    #[test]
    fn the_page_names_the_places_as_they_are_written_in_the_table() {
        let page = places_page();
        assert!(page.contains(r"`%APPDATA%\uv\{tools,data\tools}\*`"));
        assert!(page.contains("`~/.local/share") || page.contains("`$XDG_DATA_HOME/uv/tools/*`"));
    }
}
