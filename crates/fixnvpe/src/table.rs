//! Tables for people: as wide as the screen, aligned by the width of the
//! characters, without borders, so that they can be cut and pasted.

use anstyle::{Effects, Style};
use comfy_table::{CellAlignment, ContentArrangement, presets};
use unicode_width::UnicodeWidthStr;

use crate::paths::shorten;

/// Between two columns.
const GUTTER: usize = 2;
/// A column of paths is never narrower, even if the line gets too long then.
const NARROWEST: usize = 16;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Column {
    /// Words, to the left.
    Words,
    /// Figures, to the right.
    Figures,
    /// A path, which may be shortened to fit. At most one, the last.
    Path,
}

/// A table with a header.
#[derive(Debug)]
pub(crate) struct Table {
    columns: Vec<Column>,
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// An empty table.
    pub(crate) fn new<const N: usize>(columns: [(Column, String); N]) -> Self {
        let (columns, header) = columns.into_iter().unzip();
        Self {
            columns,
            header,
            rows: Vec::new(),
        }
    }

    /// Adds a row, one cell for each column.
    pub(crate) fn row<const N: usize>(&mut self, cells: [String; N]) {
        debug_assert_eq!(cells.len(), self.columns.len());
        self.rows.push(cells.into());
    }

    /// Whether there is no row.
    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The table in at most `columns` columns; `None`: as wide as it gets.
    pub(crate) fn render(mut self, columns: Option<usize>) -> String {
        if let Some(columns) = columns {
            self.shorten_paths(columns);
        }
        let mut table = comfy_table::Table::new();
        table
            .load_style(presets::NOTHING)
            .set_content_arrangement(ContentArrangement::Disabled)
            .set_header(self.header)
            .add_rows(self.rows);
        let last = self.columns.len().saturating_sub(1);
        for (at, (column, kind)) in table.column_iter_mut().zip(&self.columns).enumerate() {
            let gutter = if at == last { 0 } else { GUTTER };
            column.set_padding((0, u16::try_from(gutter).unwrap_or(0)));
            if *kind == Column::Figures {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        embolden_header(&table.trim_fmt())
    }

    fn shorten_paths(&mut self, columns: usize) {
        let Some(at) = self.columns.iter().position(|kind| *kind == Column::Path) else {
            return;
        };
        let others: usize = (0..self.columns.len())
            .filter(|other| *other != at)
            .map(|other| self.width_of(other) + GUTTER)
            .sum();
        let room = columns.saturating_sub(others).max(NARROWEST);
        for row in &mut self.rows {
            row[at] = shorten(&row[at], room);
        }
    }

    fn width_of(&self, column: usize) -> usize {
        std::iter::once(&self.header)
            .chain(&self.rows)
            .map(|row| row[column].width())
            .max()
            .unwrap_or(0)
    }
}

/// The first line in bold; the stream takes that away where it is no use.
fn embolden_header(table: &str) -> String {
    let bold = Style::new().effects(Effects::BOLD);
    match table.split_once('\n') {
        Some((header, rows)) => format!("{bold}{header}{bold:#}\n{rows}"),
        None => format!("{bold}{table}{bold:#}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn render(columns: Option<usize>) -> Vec<String> {
        let mut table = Table::new([
            (Column::Figures, "加载时提交".to_owned()),
            (Column::Words, "状态".to_owned()),
            (Column::Path, "文件".to_owned()),
        ]);
        table.row(["162 MB", "可写", "/home/李雷/环境/Lib/site-packages/x.dll"].map(Into::into));
        table.row(["1.13 GB", "x", "a.dll"].map(Into::into));
        let plain = anstream::adapter::strip_str(&table.render(columns)).to_string();
        plain.lines().map(ToOwned::to_owned).collect()
    }

    #[test]
    fn east_asian_characters_take_two_columns() {
        assert_eq!(
            render(None),
            [
                "加载时提交  状态  文件",
                "    162 MB  可写  /home/李雷/环境/Lib/site-packages/x.dll",
                "   1.13 GB  x     a.dll",
            ]
        );
    }

    #[test]
    fn a_table_fits_the_width_that_it_is_given() {
        for columns in 36..80 {
            for line in render(Some(columns)) {
                assert!(line.width() <= columns, "{columns}: {line}");
            }
        }
    }
}
