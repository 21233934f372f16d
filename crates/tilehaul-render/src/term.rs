//! Pictures of characters: the tile in its tensor, swizzled chunks, banks of padded rows.

use crate::picture::{Cell, TileInTensor};
use crate::style::{Ink, Style};

/// Most columns and rows of characters.
const WIDTH: u64 = 64;
const HEIGHT: u64 = 16;

/// A tile in its tensor. One character stands for a block of elements; a block that the tile touches shows the tile.
#[must_use]
pub fn tile(picture: &TileInTensor, style: Style) -> String {
    let [columns, rows] = picture.bounds();
    let step = |(from, to): (i64, i64), most: u64| {
        let size = u64::try_from(to.saturating_sub(from)).unwrap_or(1);
        i64::try_from(size.div_ceil(most).max(1)).unwrap_or(i64::MAX)
    };
    let (dx, dy) = (step(columns, WIDTH), step(rows, HEIGHT));
    let [width, height] = picture.extent;
    let [tile_width, tile_height] = picture.tile;
    let [column, row] = picture.start;
    let mut out = format!(
        "  tile of {tile_width} x {tile_height} at ({column}, {row}) in {width} x {height} elements of {}\n",
        picture.element
    );
    let count = |(from, to): (i64, i64), step: i64| {
        (to.saturating_sub(from)).div_euclid(step)
            + i64::from((to.saturating_sub(from)).rem_euclid(step) != 0)
    };
    let (nx, ny) = (count(columns, dx), count(rows, dy));
    let edge = "─".repeat(usize::try_from(nx).unwrap_or(0));
    out.push_str(&format!("  ┌{edge}┐\n"));
    for y in 0..ny {
        out.push_str("  │");
        let mut run = (Cell::Nothing, String::new());
        for x in 0..nx {
            let at =
                (columns.0.saturating_add(x.saturating_mul(dx)), rows.0.saturating_add(y.saturating_mul(dy)));
            let cell = block(picture, at, (dx, dy));
            if cell != run.0 {
                out.push_str(&style.paint(ink(run.0), &run.1));
                run = (cell, String::new());
            }
            run.1.push(mark(cell));
        }
        out.push_str(&style.paint(ink(run.0), &run.1));
        out.push_str("│\n");
    }
    out.push_str(&format!("  └{edge}┘\n"));
    let mut legend = format!("  {} tile", style.paint(ink(Cell::Inside), "█"));
    if overhangs(picture) {
        legend.push_str(&format!("   {} {}", style.paint(ink(Cell::Outside), "×"), picture.outside.words()));
    }
    legend.push_str(&format!("   {} tensor", mark(Cell::Tensor)));
    if picture.pitch > picture.extent[0] {
        legend.push_str(&format!("   {} between rows", mark(Cell::Gap)));
    }
    if dx > 1 || dy > 1 {
        legend.push_str(&format!("   (one character = {dx} x {dy} elements)"));
    }
    out.push_str(&legend);
    out.push('\n');
    for remark in picture.remarks() {
        out.push_str(&format!("  {}\n", style.paint(Ink::Faint, &remark)));
    }
    out
}

/// Whether any part of the tile lies outside the tensor.
fn overhangs(picture: &TileInTensor) -> bool {
    (0..2).any(|d| {
        let end = i128::from(picture.start[d]) + i128::from(picture.tile[d]);
        picture.start[d] < 0 || end > i128::from(picture.extent[d])
    })
}

/// What a block of elements shows: the tile's part if any lies in it, else what stands in its first corner.
fn block(picture: &TileInTensor, at: (i64, i64), size: (i64, i64)) -> Cell {
    let clamp = |from: i64, step: i64, start: i64, extent: u64| {
        let end = start.saturating_add(i64::try_from(extent).unwrap_or(i64::MAX));
        let last = from.saturating_add(step);
        (start < last && end > from).then(|| from.max(start))
    };
    let column = clamp(at.0, size.0, picture.start[0], picture.tile[0]);
    let row = clamp(at.1, size.1, picture.start[1], picture.tile[1]);
    match (column, row) {
        (Some(column), Some(row)) => picture.cell(column, row),
        _ => picture.cell(at.0, at.1),
    }
}

fn mark(cell: Cell) -> char {
    match cell {
        Cell::Inside => '█',
        Cell::Outside => '×',
        Cell::Tensor => '·',
        Cell::Gap => '-',
        Cell::Nothing => ' ',
    }
}

fn ink(cell: Cell) -> Ink {
    match cell {
        Cell::Inside => Ink::Tile,
        Cell::Outside => Ink::Fill,
        Cell::Tensor | Cell::Gap | Cell::Nothing => Ink::Faint,
    }
}

/// Which 16-byte chunk of the unswizzled tile each place of shared memory holds, line by line.
/// `swizzle` maps an address to where its byte lands; it is an exclusive or, so it is its own inverse.
#[must_use]
pub fn swizzle(name: &str, repeat_bytes: u64, swizzle: impl Fn(u64) -> u64, style: Style) -> String {
    const LINE: u64 = 128;
    const CHUNK: u64 = 16;
    let mut out = format!("  16-byte chunks in 128-byte lines of shared memory, swizzle {name}:\n");
    for line in 0..repeat_bytes.max(LINE) / LINE {
        let mut text = format!("    line {line} ");
        for chunk in 0..LINE / CHUNK {
            let place = line * LINE + chunk * CHUNK;
            let held = swizzle(place) % LINE / CHUNK;
            let ink = if held == chunk { Ink::Faint } else { Ink::Tile };
            text.push(' ');
            text.push_str(&style.paint(ink, &held.to_string()));
        }
        out.push_str(&text);
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::Outside;

    #[test]
    fn a_corner_tile_hangs_over() {
        let picture = TileInTensor {
            extent: [10, 4],
            pitch: 12,
            tile: [4, 3],
            start: [8, 2],
            outside: Outside::Zeros,
            element: "f32".into(),
            beyond: 0,
        };
        let want = "  tile of 4 x 3 at (8, 2) in 10 x 4 elements of f32\n\
                    \u{20} ┌────────────┐\n\
                    \u{20} │··········--│\n\
                    \u{20} │··········--│\n\
                    \u{20} │········██××│\n\
                    \u{20} │········██××│\n\
                    \u{20} │        ××××│\n\
                    \u{20} └────────────┘\n\
                    \u{20} █ tile   × outside: zeros   · tensor   - between rows\n";
        assert_eq!(tile(&picture, Style::Plain), want);
    }

    #[test]
    fn huge_tensors_are_scaled() {
        let picture = TileInTensor {
            extent: [1 << 32, 1 << 32],
            pitch: 1 << 40,
            tile: [256, 256],
            start: [i64::MIN, i64::MAX],
            outside: Outside::Zeros,
            element: "u8".into(),
            beyond: 0,
        };
        let text = tile(&picture, Style::Plain);
        assert!(text.lines().count() < 25 && text.lines().all(|l| l.chars().count() < 160), "{text}");
    }
}
