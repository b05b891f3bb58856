//! Text tables: columns as wide as their widest cell, two spaces apart.

use super::lines::one_line;

/// Alignment of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Align {
    /// For text.
    Left,
    /// For numbers.
    Right,
}

#[derive(Debug)]
pub(super) struct Table<const N: usize> {
    columns: [Align; N],
    rows: Vec<[String; N]>,
}

impl<const N: usize> Table<N> {
    pub(super) fn new(columns: [Align; N]) -> Self {
        Self { columns, rows: Vec::new() }
    }

    pub(super) fn row(&mut self, cells: [String; N]) {
        self.rows.push(cells.map(|cell| one_line(&cell).into_owned()));
    }

    /// The lines, without trailing spaces.
    pub(super) fn lines(&self) -> Vec<String> {
        let width = |column: usize| {
            let cells = self.rows.iter().map(|row| row[column].chars().count());
            cells.max().unwrap_or(0)
        };
        let widths: [usize; N] = std::array::from_fn(width);
        let line = |row: &[String; N]| {
            let mut line = String::new();
            for ((cell, align), width) in row.iter().zip(self.columns).zip(widths) {
                if !line.is_empty() {
                    line.push_str("  ");
                }
                match align {
                    Align::Left => line.push_str(&format!("{cell:<width$}")),
                    Align::Right => line.push_str(&format!("{cell:>width$}")),
                }
            }
            line.truncate(line.trim_end().len());
            line
        };
        self.rows.iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let mut table = Table::new([Align::Left, Align::Right, Align::Left]);
        table.row(["name".into(), "keys".into(), "note".into()]);
        table.row(["ö".into(), "12".into(), String::new()]);
        assert_eq!(table.lines(), ["name  keys  note", "ö       12"]);
    }
}
