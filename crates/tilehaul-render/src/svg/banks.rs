//! Which banks a column of a tile lies in, packed and padded.

use super::{Anchor, Canvas, colour};

/// A tile in shared memory whose first column is read at once, one element a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Banks {
    /// Bytes of a row of data.
    pub row_bytes: u64,
    /// Rows read together.
    pub rows: u64,
    /// Bytes of data between two gaps.
    pub interval: u64,
    /// Bytes of a gap.
    pub amount: u64,
    /// Number of banks of four bytes.
    pub banks: u64,
}

impl Banks {
    /// Where the first byte of a row lies.
    fn row_start(&self, row: u64, padded: bool) -> u64 {
        let at = row.saturating_mul(self.row_bytes);
        if padded && self.interval > 0 { at + at / self.interval * self.amount } else { at }
    }

    fn bank(&self, row: u64, padded: bool) -> u64 {
        self.row_start(row, padded) / 4 % self.banks.max(1)
    }

    /// Most rows that share a bank: how many turns the read takes.
    #[must_use]
    pub fn degree(&self, padded: bool) -> u64 {
        let rows = self.rows.min(1024);
        let banks: Vec<u64> = (0..rows).map(|r| self.bank(r, padded)).collect();
        let count = |bank: u64| banks.iter().filter(|b| **b == bank).count() as u64;
        banks.iter().map(|&bank| count(bank)).max().unwrap_or(0)
    }
}

/// Rows that are drawn; more are described in words.
const SHOWN: u64 = 8;

/// Two panels: rows packed, rows with padding, and below each the banks that the first column meets.
#[must_use]
pub fn banks(tile: &Banks) -> String {
    let rows = tile.rows.clamp(1, SHOWN);
    let (panel, top, row_height) = (430.0, 104.0, 26.0);
    let strip = top + row_height * rows as f64 + 70.0;
    let mut canvas = Canvas::new(2.0 * panel + 24.0, strip + 96.0, "Banks with and without padding");
    canvas.heading(
        (24.0, 30.0),
        &format!("Reading column 0 of {} rows of {} bytes", tile.rows, tile.row_bytes),
        17.0,
    );
    for (index, padded) in [(0u8, false), (1, true)] {
        let left = 24.0 + f64::from(index) * panel;
        let degree = tile.degree(padded);
        let (name, ink) = if degree > 1 {
            (format!("{degree} rows in one bank: {degree} turns"), colour::BAD)
        } else {
            ("every row in a bank of its own: one turn".to_owned(), colour::GOOD)
        };
        let title = if padded {
            format!("{} bytes of padding after every {}", tile.amount, tile.interval)
        } else {
            "packed".to_owned()
        };
        canvas.heading((left, 62.0), &title, 15.0);
        canvas.text((left, 82.0), &name, 13.0, ink, Anchor::Start);
        panel_of(&mut canvas, tile, padded, (left, top), rows, strip);
    }
    let y = strip + 78.0;
    let mut x = canvas.legend((24.0, y), colour::TENSOR, "row of the tile");
    x = canvas.legend((x, y), colour::TILE, "column 0");
    x = canvas.legend((x, y), colour::GAP, "padding");
    if tile.rows > rows {
        canvas.text(
            (x, y + 1.0),
            &format!("first {rows} of {} rows drawn", tile.rows),
            13.0,
            colour::FAINT,
            Anchor::Start,
        );
    }
    canvas.finish()
}

fn panel_of(canvas: &mut Canvas, tile: &Banks, padded: bool, at: (f64, f64), rows: u64, strip: f64) {
    let (left, top) = at;
    let (row_height, row_left, row_width) = (26.0, left + 66.0, 300.0);
    let strip_cell = 380.0 / tile.banks.max(1) as f64;
    // Rows first, so that arrows lie above them.
    for row in 0..rows {
        let y = top + row as f64 * row_height;
        let start = tile.row_start(row, padded);
        canvas.rect(row_left, y, row_width, 20.0, colour::TENSOR, Some(colour::GRID));
        canvas.rect(row_left, y, 14.0, 20.0, colour::TILE, None);
        let place = format!("row {row}: byte {start}, bank {}", tile.bank(row, padded));
        canvas.text((row_left + row_width - 8.0, y + 14.5), &place, 11.0, colour::FAINT, Anchor::End);
        let gap = tile.row_start(row + 1, padded) - start - tile.row_bytes;
        if gap > 0 {
            canvas.rect(row_left + row_width, y, 26.0, 20.0, colour::GAP, Some(colour::GRID));
        }
    }
    for bank in 0..tile.banks.min(128) {
        let hits = (0..tile.rows.min(1024)).filter(|&r| tile.bank(r, padded) == bank).count();
        let fill = match hits {
            0 => colour::TENSOR,
            1 => colour::TILE,
            _ => colour::BAD,
        };
        let x = left + bank as f64 * strip_cell;
        canvas.rect(x, strip, strip_cell, 24.0, fill, Some(colour::GRID));
    }
    for row in 0..rows {
        let from = (row_left + 7.0, top + row as f64 * row_height + 20.0);
        let bank = tile.bank(row, padded);
        let to = (left + (bank as f64 + 0.5) * strip_cell, strip - 2.0);
        let ink = if tile.degree(padded) > 1 { colour::BAD } else { colour::TILE };
        canvas.line(from, to, ink, 1.0);
    }
    let last = tile.banks.saturating_sub(1);
    canvas.text((left, strip + 40.0), "bank 0", 12.0, colour::FAINT, Anchor::Start);
    canvas.text((left + 380.0, strip + 40.0), &format!("bank {last}"), 12.0, colour::FAINT, Anchor::End);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_spreads_a_column() {
        let tile = Banks { row_bytes: 256, rows: 32, interval: 256, amount: 4, banks: 64 };
        assert_eq!((tile.degree(false), tile.degree(true)), (32, 1));
    }
}
