//! The same edge tile under a load and under a store.

use super::tile::Plane;
use super::{Anchor, Canvas, colour};
use crate::picture::{Cell, Outside, TileInTensor};

/// Two panels: what a load writes for elements outside the tensor, and what a store leaves alone.
#[must_use]
pub fn edges(picture: &TileInTensor) -> String {
    let plane = Plane::fit(picture, 24.0, 96.0, 380.0, 300.0);
    let panel = plane.right() + 40.0;
    let mut canvas =
        Canvas::new(2.0 * panel - 16.0, plane.bottom() + 64.0, "A tile over the edge: load and store");
    canvas.heading((24.0, 30.0), "A tile over the edge", 17.0);
    if let Some(elision) = plane.elision() {
        canvas.text((224.0, 30.0), &elision, 13.0, colour::FAINT, Anchor::Start);
    }
    let fill = match picture.outside {
        Outside::Nan => "NaN",
        Outside::Zeros | Outside::Dropped => "0",
    };
    let panels = [
        (0.0, "load", format!("outside elements arrive as {fill}"), colour::BAD_PALE),
        (panel - 24.0, "store", "outside elements are not written".to_owned(), "#ffffff"),
    ];
    for (shift, name, words, outside) in panels {
        let plane = Plane::fit(picture, 24.0 + shift, 96.0, 380.0, 300.0);
        canvas.heading((24.0 + shift, 62.0), name, 15.0);
        canvas.text((24.0 + shift, 82.0), &words, 13.0, colour::FAINT, Anchor::Start);
        plane.paint(&mut canvas, picture, outside);
        marks(&mut canvas, &plane, picture, if name == "load" { Some(fill) } else { None });
    }
    let y = plane.bottom() + 34.0;
    let mut x = canvas.legend((24.0, y), colour::TENSOR, "tensor");
    x = canvas.legend((x, y), colour::TILE_PALE, "tile");
    canvas.legend((x, y), colour::BAD_PALE, "filled");
    canvas.finish()
}

/// The fill's value or a cross in every element outside, when elements are large enough to hold it.
fn marks(canvas: &mut Canvas, plane: &Plane, picture: &TileInTensor, fill: Option<&str>) {
    let [columns, rows] = picture.bounds();
    let (width, height) = (plane.x(1) - plane.x(0), plane.y(1) - plane.y(0));
    if width < 9.0 || height < 9.0 {
        return;
    }
    for row in rows.0..rows.1 {
        for column in columns.0..columns.1 {
            if picture.cell(column, row) != Cell::Outside {
                continue;
            }
            let (x, y) = (plane.x(column), plane.y(row));
            match fill {
                Some(text) => {
                    let size = (height * 0.55).min(width * 0.9 / text.len() as f64 / 0.6).min(14.0);
                    let at = (x + width / 2.0, y + height / 2.0 + size * 0.36);
                    canvas.text(at, text, size, colour::BAD, Anchor::Middle);
                }
                None => {
                    let (dx, dy) = (width * 0.3, height * 0.3);
                    canvas.line((x + dx, y + dy), (x + width - dx, y + height - dy), colour::BAD, 1.5);
                    canvas.line((x + dx, y + height - dy), (x + width - dx, y + dy), colour::BAD, 1.5);
                }
            }
        }
    }
}
