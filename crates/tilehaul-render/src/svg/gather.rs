//! Rows gathered by a list.

use super::{Anchor, Canvas, colour};

/// Most elements of a row that are drawn one by one.
const MOST_COLUMNS: u64 = 12;

/// Rows of a tensor, the list that names them, and the rows that land: a colour follows one row of the tensor.
#[must_use]
pub fn gather(indices: &[u64], tensor_rows: u64, columns: u64) -> String {
    let rows = tensor_rows.min(20);
    let (row_height, top, width) = (28.0, 92.0, 150.0);
    let (left, list_left, right) = (86.0, 340.0, 520.0);
    let lines = rows.max(indices.len() as u64) as f64;
    let bottom = top + lines * row_height;
    let mut canvas = Canvas::new(right + width + 110.0, bottom + 40.0, "Gathered rows");
    let list: Vec<String> = indices.iter().map(u64::to_string).collect();
    canvas.heading((24.0, 30.0), &format!("Gather of rows {}", list.join(", ")), 17.0);
    canvas.text(
        (24.0, 50.0),
        "the order is the order of the list; a row may come twice; a row past the bound arrives as zeros",
        13.0,
        colour::FAINT,
        Anchor::Start,
    );
    for (x, title) in [(left, "tensor"), (list_left - 10.0, "list"), (right, "shared memory")] {
        canvas.heading((x, 80.0), title, 14.0);
    }
    let mut distinct: Vec<u64> = Vec::new();
    for &index in indices {
        if !distinct.contains(&index) {
            distinct.push(index);
        }
    }
    let fill = |row: u64| {
        let place = distinct.iter().position(|&d| d == row)?;
        colour::ROWS.get(place % colour::ROWS.len()).copied()
    };
    for row in 0..rows {
        let y = top + row as f64 * row_height;
        canvas.text((left - 10.0, y + 17.0), &format!("row {row}"), 12.0, colour::FAINT, Anchor::End);
        let paint = fill(row).unwrap_or(colour::TENSOR);
        cells(&mut canvas, (left, y), width, columns, paint);
    }
    let elided = [(rows, tensor_rows, "rows"), (columns.clamp(1, MOST_COLUMNS), columns, "columns")];
    let elided: Vec<String> = elided
        .iter()
        .filter(|(drawn, all, _)| drawn < all)
        .map(|(drawn, all, what)| format!("first {drawn} of {all} {what}"))
        .collect();
    if !elided.is_empty() {
        let text = format!("{} drawn", elided.join(", "));
        canvas.text((24.0, bottom + 24.0), &text, 12.0, colour::FAINT, Anchor::Start);
    }
    // The list stands in the middle of the height.
    let offset = (lines - indices.len() as f64) * row_height / 2.0;
    for (slot, &index) in indices.iter().enumerate() {
        let y = top + offset + slot as f64 * row_height;
        let inside = index < tensor_rows;
        let paint = if inside { fill(index).unwrap_or(colour::FAINT) } else { colour::FAINT };
        if index < rows {
            let from = (left + width, top + index as f64 * row_height + 11.0);
            canvas.curve(from, (list_left, y + 11.0), paint);
        }
        canvas.rect(list_left, y, 46.0, 22.0, "#ffffff", Some(paint));
        canvas.text((list_left + 23.0, y + 16.0), &index.to_string(), 13.0, colour::INK, Anchor::Middle);
        canvas.curve((list_left + 46.0, y + 11.0), (right, y + 11.0), paint);
        cells(&mut canvas, (right, y), width, columns, if inside { paint } else { colour::BAD_PALE });
        let label = if inside { format!("row {index}") } else { "zeros".to_owned() };
        canvas.text((right + width + 10.0, y + 16.0), &label, 12.0, colour::FAINT, Anchor::Start);
    }
    canvas.finish()
}

fn cells(canvas: &mut Canvas, at: (f64, f64), width: f64, columns: u64, fill: &str) {
    canvas.rect(at.0, at.1, width, 22.0, fill, Some(colour::GRID));
    let columns = columns.clamp(1, MOST_COLUMNS);
    for column in 1..columns {
        let x = at.0 + width * column as f64 / columns as f64;
        canvas.line((x, at.1), (x, at.1 + 22.0), "#ffffff", 1.0);
    }
}
