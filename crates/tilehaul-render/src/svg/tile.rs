//! A tile in its tensor: stride, bound and start.

use super::{Anchor, Canvas, colour};
use crate::picture::TileInTensor;

/// Narrowest that a tile is drawn; below this only its surroundings are.
const NARROWEST: f64 = 28.0;

/// Most cells that are drawn one by one.
const MOST_CELLS: (i64, i64) = (40, 24);

/// How a plane of elements lies on the canvas.
pub(super) struct Plane {
    left: f64,
    top: f64,
    origin: (i64, i64),
    /// Pixels of one element.
    scale: (f64, f64),
    /// Columns and rows.
    size: (i64, i64),
    /// More of the tensor exists than is drawn.
    elided: bool,
}

impl Plane {
    /// Fits the picture's elements into a box of `width` x `height` pixels. Of a tensor in which the tile would be a speck, the
    /// part around the tile.
    pub(super) fn fit(picture: &TileInTensor, left: f64, top: f64, width: f64, height: f64) -> Plane {
        let whole = picture.bounds();
        let around = |d: usize, pixels: f64| {
            let (from, to) = whole[d];
            let tile = i64::try_from(picture.tile[d]).unwrap_or(i64::MAX).max(1);
            let size = to.saturating_sub(from).max(1);
            if tile as f64 * pixels / size as f64 >= NARROWEST {
                return (from, to);
            }
            let start = picture.start[d];
            let margin = tile.saturating_mul(2);
            let end = start.saturating_add(tile).saturating_add(margin);
            (from.max(start.saturating_sub(margin)), to.min(end))
        };
        let (columns, rows) = (around(0, width), around(1, height));
        let size = (columns.1.saturating_sub(columns.0).max(1), rows.1.saturating_sub(rows.0).max(1));
        // Squares where the shape allows it; very long tensors are squeezed.
        let square = (width / size.0 as f64).min(height / size.1 as f64);
        let scale = (square.max(width * 0.6 / size.0 as f64), square.max(height * 0.5 / size.1 as f64));
        let elided = [columns, rows] != whole;
        Plane { left, top, origin: (columns.0, rows.0), scale, size, elided }
    }

    pub(super) fn x(&self, column: i64) -> f64 {
        self.left + column.saturating_sub(self.origin.0).clamp(0, self.size.0) as f64 * self.scale.0
    }

    pub(super) fn y(&self, row: i64) -> f64 {
        self.top + row.saturating_sub(self.origin.1).clamp(0, self.size.1) as f64 * self.scale.1
    }

    /// What is drawn, when it is not all.
    pub(super) fn elision(&self) -> Option<String> {
        let last = |from: i64, size: i64| from.saturating_add(size) - 1;
        self.elided.then(|| {
            format!(
                "drawn are columns {} to {}, rows {} to {}",
                self.origin.0,
                last(self.origin.0, self.size.0),
                self.origin.1,
                last(self.origin.1, self.size.1)
            )
        })
    }

    pub(super) fn right(&self) -> f64 {
        self.left + self.size.0 as f64 * self.scale.0
    }

    pub(super) fn bottom(&self) -> f64 {
        self.top + self.size.1 as f64 * self.scale.1
    }

    /// Rectangle of a range of columns and rows.
    pub(super) fn area(&self, canvas: &mut Canvas, columns: (i64, i64), rows: (i64, i64), fill: &str) {
        if columns.1 > columns.0 && rows.1 > rows.0 {
            let (x, y) = (self.x(columns.0), self.y(rows.0));
            canvas.rect(x, y, self.x(columns.1) - x, self.y(rows.1) - y, fill, None);
        }
    }

    /// Grid lines, when there are few enough elements to see them.
    pub(super) fn grid(&self, canvas: &mut Canvas) {
        if self.size.0 > MOST_CELLS.0 || self.size.1 > MOST_CELLS.1 {
            return;
        }
        for column in 0..=self.size.0 {
            let x = self.x(self.origin.0 + column);
            canvas.line((x, self.top), (x, self.bottom()), colour::GRID, 1.0);
        }
        for row in 0..=self.size.1 {
            let y = self.y(self.origin.1 + row);
            canvas.line((self.left, y), (self.right(), y), colour::GRID, 1.0);
        }
    }

    /// Tensor, gaps between rows, tile inside and outside.
    pub(super) fn paint(&self, canvas: &mut Canvas, picture: &TileInTensor, outside: &str) {
        let end = |size: u64| i64::try_from(size).unwrap_or(i64::MAX);
        let (width, height) = (end(picture.extent[0]), end(picture.extent[1]));
        self.area(canvas, (0, width), (0, height), colour::TENSOR);
        self.area(canvas, (width, end(picture.pitch)), (0, height), colour::GAP);
        let [column, row] = picture.start;
        let (right, bottom) =
            (column.saturating_add(end(picture.tile[0])), row.saturating_add(end(picture.tile[1])));
        self.area(canvas, (column, right), (row, bottom), outside);
        self.area(
            canvas,
            (column.max(0), right.min(width)),
            (row.max(0), bottom.min(height)),
            colour::TILE_PALE,
        );
        self.grid(canvas);
        let (x, y) = (self.x(column), self.y(row));
        canvas.rect(x, y, self.x(right) - x, self.y(bottom) - y, "none", Some(colour::TILE));
    }
}

/// A tile in its tensor with its stride, bound, size and start. `bound_from_tile` draws the bound from the tile's edge, as
/// AMD's engine measures it; otherwise from the tensor's, as NVIDIA's does.
#[must_use]
pub fn tile(picture: &TileInTensor, bound_from_tile: bool) -> String {
    let mut remarks = picture.remarks();
    remarks.extend(Plane::fit(picture, 0.0, 0.0, 620.0, 340.0).elision());
    let (left, top) = (110.0, 116.0 + 18.0 * remarks.len() as f64);
    let plane = Plane::fit(picture, left, top, 620.0, 340.0);
    let width = (plane.right() + 60.0).max(700.0);
    let mut canvas = Canvas::new(width, plane.bottom() + 96.0, "A tile in its tensor");
    let [tile_width, tile_height] = picture.tile;
    let [column, row] = picture.start;
    canvas.heading(
        (24.0, 30.0),
        &format!("{tile_width} x {tile_height} tile at column {column}, row {row}"),
        17.0,
    );
    let extent = picture.extent;
    canvas.text(
        (24.0, 50.0),
        &format!("tensor of {} x {} elements{}", extent[0], extent[1], of_type(&picture.element)),
        13.0,
        colour::FAINT,
        Anchor::Start,
    );
    for (line, remark) in remarks.iter().enumerate() {
        canvas.text((24.0, 68.0 + 18.0 * line as f64), remark, 13.0, colour::BAD, Anchor::Start);
    }
    plane.paint(&mut canvas, picture, colour::BAD_PALE);
    let end = |size: u64| i64::try_from(size).unwrap_or(i64::MAX);
    let y = top - 38.0;
    canvas.measure(
        (plane.x(0), y),
        (plane.x(end(picture.pitch)), y),
        colour::FAINT,
        &format!("stride {}", picture.pitch),
    );
    let from = if bound_from_tile { column } else { 0 };
    let to = end(extent[0]);
    if to > from {
        canvas.measure(
            (plane.x(from), top - 14.0),
            (plane.x(to), top - 14.0),
            colour::GOOD,
            &format!("bound {}", to.saturating_sub(from)),
        );
    }
    let right = column.saturating_add(end(tile_width));
    let bottom = row.saturating_add(end(tile_height));
    let below = plane.bottom().max(plane.y(bottom)) + 18.0;
    canvas.measure(
        (plane.x(column), below),
        (plane.x(right), below),
        colour::TILE,
        &format!("tile {tile_width}"),
    );
    canvas.measure(
        (left - 18.0, plane.y(row)),
        (left - 18.0, plane.y(bottom)),
        colour::TILE,
        &format!("tile {tile_height}"),
    );
    canvas.dot((plane.x(column), plane.y(row)), 6.0, colour::BAD);
    let y = below + 44.0;
    let mut x = canvas.legend((24.0, y), colour::TENSOR, "tensor");
    if picture.pitch > extent[0] {
        x = canvas.legend((x, y), colour::GAP, "between rows");
    }
    x = canvas.legend((x, y), colour::TILE_PALE, "tile");
    let hangs = column < 0 || row < 0 || right > to || bottom > end(extent[1]);
    if hangs {
        x = canvas.legend((x, y), colour::BAD_PALE, picture.outside.words());
    }
    canvas.dot((x + 7.0, y - 4.0), 6.0, colour::BAD);
    let start = if bound_from_tile { "start: the address in the descriptor" } else { "start coordinates" };
    canvas.text((x + 20.0, y + 1.0), start, 13.0, colour::INK, Anchor::Start);
    canvas.finish()
}

/// ` of f16`, or nothing when the type is not known.
fn of_type(element: &str) -> String {
    if element.is_empty() { String::new() } else { format!(" of {element}") }
}
