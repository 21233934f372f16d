//! Any layout as a table in the terminal, as JSON and as a picture.
//!
//! A view is shown as a grid: the last dimension runs to the right, all others down. A cell says where the element is,
//! in the shortest words that the layout's axes allow; [`legend`] says what they mean.

mod svg;

use serde_json::{Value, json};
use tilehaul_layout::{Axis, Place, View};

pub use svg::{picture, side_by_side};

/// What the cells of a view say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cells {
    /// Threads and their register slots.
    Threads,
    /// Lanes and columns of tensor memory.
    Tensor,
    /// Positions in memory.
    Memory,
    /// Anything else, axis by axis.
    Other,
}

impl Cells {
    pub(crate) fn of(view: &View) -> Cells {
        let axes = view.axes();
        if axes.iter().any(|a| a.threads().is_some()) {
            Cells::Threads
        } else if axes.iter().any(|a| matches!(a, Axis::TLane | Axis::TCol)) {
            Cells::Tensor
        } else if axes.iter().all(|&a| a == Axis::Memory) {
            Cells::Memory
        } else {
            Cells::Other
        }
    }

    pub(crate) fn text(self, place: &Place) -> String {
        match self {
            Cells::Threads => format!("{}:{}", place.plain().get(Axis::Tx), place.get(Axis::Memory)),
            Cells::Tensor => format!("{}:{}", place.get(Axis::TLane), place.get(Axis::TCol)),
            Cells::Memory => place.get(Axis::Memory).to_string(),
            Cells::Other => {
                let parts: Vec<String> = place.0.iter().map(|(_, v)| v.to_string()).collect();
                parts.join(",")
            }
        }
    }

    /// A small number that is equal for places that belong together: colours follow it.
    pub(crate) fn family(self, place: &Place) -> usize {
        let value = match self {
            Cells::Threads => place.plain().get(Axis::Tx),
            Cells::Tensor => place.get(Axis::TLane) / 32,
            Cells::Memory => place.get(Axis::Memory) / 8,
            Cells::Other => place.0.first().map_or(0, |(_, v)| *v),
        };
        usize::try_from(value.rem_euclid(8)).unwrap_or(0)
    }

    fn words(self, view: &View) -> String {
        match self {
            Cells::Threads => "thread:slot".into(),
            Cells::Tensor => "lane:column of tensor memory".into(),
            Cells::Memory => "position in memory, in elements".into(),
            Cells::Other => {
                let names: Vec<String> = view.axes().iter().map(Axis::to_string).collect();
                names.join(",")
            }
        }
    }
}

/// What a cell of the table says.
#[must_use]
pub fn legend(view: &View) -> String {
    let copies = match view.copies() {
        1 => String::new(),
        n => format!("; the first of {n} copies"),
    };
    format!("each cell: {}{copies}", Cells::of(view).words(view))
}

/// Rows and columns of the grid, and the element number of a cell.
pub(crate) struct Grid {
    pub(crate) rows: u64,
    pub(crate) columns: u64,
}

impl Grid {
    pub(crate) fn of(view: &View) -> Grid {
        let columns = match view.shape() {
            // One dimension is wrapped, so that it makes a picture and not a thread.
            [n] if *n > 32 && n.is_multiple_of(16) => 16,
            shape => shape.last().copied().unwrap_or(1),
        };
        Grid { rows: view.size() / columns.max(1), columns }
    }

    /// What stands before a row.
    pub(crate) fn row_name(&self, view: &View, row: u64) -> String {
        let mut element = view.element(row * self.columns);
        if view.shape().len() > 1 {
            element.pop();
        }
        let parts: Vec<String> = element.iter().map(u64::to_string).collect();
        parts.join(",")
    }
}

/// The view as a table, at most `rows` by `columns` cells.
#[must_use]
pub fn table(view: &View, rows: u64, columns: u64) -> String {
    let grid = Grid::of(view);
    let cells = Cells::of(view);
    let (shown_rows, shown_columns) = (grid.rows.min(rows), grid.columns.min(columns));
    let mut lines: Vec<Vec<String>> =
        vec![std::iter::once(String::new()).chain((0..shown_columns).map(|c| c.to_string())).collect()];
    for row in 0..shown_rows {
        let mut line = vec![grid.row_name(view, row)];
        for column in 0..shown_columns {
            let places = view.places(row * grid.columns + column);
            line.push(places.first().map(|p| cells.text(p)).unwrap_or_default());
        }
        lines.push(line);
    }
    let mut text = columns_text(&lines);
    if shown_rows < grid.rows || shown_columns < grid.columns {
        text.push_str(&format!(
            "({shown_rows} of {} rows and {shown_columns} of {} columns)\n",
            grid.rows, grid.columns
        ));
    }
    text
}

/// Cells padded to the width of their column: numbers to the right, words to the left.
pub(crate) fn columns_text(lines: &[Vec<String>]) -> String {
    let count = lines.iter().map(Vec::len).max().unwrap_or(0);
    let column = |k: usize| lines.iter().skip(1).filter_map(move |l| l.get(k));
    let widths: Vec<usize> = (0..count)
        .map(|k| lines.iter().filter_map(|l| l.get(k)).map(|c| c.chars().count()).max().unwrap_or(0))
        .collect();
    let words: Vec<bool> = (0..count)
        .map(|k| column(k).any(|c| c.contains(' ') || (c.len() > 10 && c.contains(char::is_alphabetic))))
        .collect();
    let mut text = String::new();
    for line in lines {
        let cells: Vec<String> = line
            .iter()
            .zip(widths.iter().zip(&words))
            .map(
                |(cell, (&width, &words))| {
                    if words { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
                },
            )
            .collect();
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text
}

/// A place as JSON: one number for each axis.
#[must_use]
pub fn place_json(place: &Place) -> Value {
    place
        .0
        .iter()
        .map(|(axis, value)| (axis.to_string(), json!(value)))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilehaul_layout::text::parse;

    #[test]
    fn tables_say_places() {
        let view = parse("Swizzle<1,0,1> o 0 o (2,2):(2,1)", None).unwrap();
        assert_eq!(table(&view, 8, 8), "   0  1\n0  0  1\n1  3  2\n");
        let wide = parse("(8,64):(64,1)", None).unwrap();
        assert!(table(&wide, 2, 4).ends_with("(2 of 8 rows and 4 of 64 columns)\n"));
        let threads = parse("S[(4,2):(1@laneid,1)] + R[2:4@laneid]", None).unwrap();
        assert!(table(&threads, 8, 8).contains("3:1"));
        assert_eq!(legend(&threads), "each cell: thread:slot; the first of 2 copies");
    }
}
