//! Layouts as pictures: elements with their places, and places with their elements, each with a text on hover.

use std::collections::BTreeMap;

use tilehaul_layout::{Axis, Place, View};

use super::{Cells, Grid, legend};
use crate::svg::{Anchor, Canvas, colour, text_width};

/// Most rows and columns that a picture shows.
const SHOWN: u64 = 64;
const CELL: (f64, f64) = (34.0, 20.0);
const LEFT: f64 = 64.0;
const TOP: f64 = 96.0;

/// A view as two panels: where each element is, and which element each place holds.
#[must_use]
pub fn picture(view: &View, title: &str) -> String {
    let panels = [
        (Panel::elements(view, None), "by element: where it is"),
        (Panel::places(view), "by place: which element it holds"),
    ];
    draw_all(&panels, title, &legend(view))
}

/// Two views of one tile beside each other; `bad` is the element on which they first differ.
#[must_use]
pub fn side_by_side(views: [(&View, &str); 2], bad: Option<&[u64]>, title: &str, below: &str) -> String {
    let panels = views.map(|(view, name)| (Panel::elements(view, bad), name));
    draw_all(&panels, title, below)
}

/// Panels beside each other, or below each other when they are wide.
fn draw_all(panels: &[(Panel, &str)], title: &str, below: &str) -> String {
    const GAP: f64 = 90.0;
    let stacked = panels.iter().any(|(p, _)| p.columns.len() > 32);
    let widest = panels.iter().map(|(p, _)| p.width()).fold(0.0, f64::max);
    let tallest = panels.iter().map(|(p, _)| p.height()).fold(0.0, f64::max);
    let (width, height) = if stacked {
        (widest, panels.iter().map(|(p, _)| p.height() + 70.0).sum::<f64>())
    } else {
        (panels.iter().map(|(p, name)| p.width().max(text_width(name, 14.0)) + GAP).sum::<f64>(), tallest)
    };
    let words = text_width(title, 17.0).max(text_width(below, 13.0)) + 48.0;
    let width = (LEFT + width + 40.0).max(words).max(560.0);
    let height = TOP + height + 60.0;
    let mut canvas = Canvas::new(width, height, title);
    canvas.heading((24.0, 32.0), title, 17.0);
    canvas.text((24.0, 52.0), below, 13.0, colour::FAINT, Anchor::Start);
    let (mut x, mut y) = (LEFT, TOP);
    for (panel, name) in panels {
        panel.draw(&mut canvas, (x, y), name);
        if stacked {
            y += panel.height() + 70.0;
        } else {
            // A heading may be wider than its panel.
            x += panel.width().max(text_width(name, 14.0)) + GAP;
        }
    }
    let all: Vec<&Panel> = panels.iter().map(|(p, _)| p).collect();
    note(&mut canvas, &all, height);
    canvas.finish()
}

fn note(canvas: &mut Canvas, panels: &[&Panel], height: f64) {
    if panels.iter().any(|p| p.cut) {
        let text = format!("At most {SHOWN} rows and {SHOWN} columns are drawn.");
        canvas.text((24.0, height - 18.0), &text, 12.0, colour::FAINT, Anchor::Start);
    }
}

/// One grid of cells.
struct Panel {
    rows: Vec<String>,
    columns: Vec<String>,
    /// Row, column, fill, text, hover.
    cells: Vec<(usize, usize, &'static str, String, String)>,
    cut: bool,
}

impl Panel {
    fn elements(view: &View, bad: Option<&[u64]>) -> Panel {
        let grid = Grid::of(view);
        let kind = Cells::of(view);
        let (rows, columns) = (grid.rows.min(SHOWN), grid.columns.min(SHOWN));
        let mut cells = Vec::new();
        for row in 0..rows {
            for column in 0..columns {
                let number = row * grid.columns + column;
                let element = view.element(number);
                let places = view.places(number);
                let Some(first) = places.first() else { continue };
                let all: Vec<String> = places.iter().take(4).map(Place::to_string).collect();
                let more =
                    if places.len() > 4 { format!(" and {} more", places.len() - 4) } else { String::new() };
                let hover = format!("element {element:?}: {}{more}", all.join("; "));
                let fill =
                    if bad == Some(element.as_slice()) { colour::BAD } else { pale(kind.family(first)) };
                // Rows and columns are at most 64.
                cells.push((row as usize, column as usize, fill, kind.text(first), hover));
            }
        }
        Panel {
            rows: (0..rows).map(|r| grid.row_name(view, r)).collect(),
            columns: (0..columns).map(|c| c.to_string()).collect(),
            cells,
            cut: rows < grid.rows || columns < grid.columns,
        }
    }

    /// Threads (or lanes, or lines of memory) down, slots (or columns, or positions) to the right.
    fn places(view: &View) -> Panel {
        const LINE: i64 = 32;
        let kind = Cells::of(view);
        let at = |place: &Place| match kind {
            Cells::Threads => (place.plain().get(Axis::Tx), place.get(Axis::Memory)),
            Cells::Tensor => (place.get(Axis::TLane), place.get(Axis::TCol)),
            Cells::Memory => {
                let m = place.get(Axis::Memory);
                (m.div_euclid(LINE), m.rem_euclid(LINE))
            }
            Cells::Other => {
                let second = place.0.get(1).map_or(0, |(_, v)| *v);
                (place.0.first().map_or(0, |(_, v)| *v), second)
            }
        };
        let mut held: BTreeMap<(i64, i64), (Vec<u64>, Place)> = BTreeMap::new();
        let mut cut = false;
        // Enough for 64 rows of 64 columns, whatever the order of the elements.
        for number in 0..view.size().min(1 << 16) {
            for place in view.places(number) {
                let (row, column) = at(&place);
                let inside = (0..SHOWN as i64).contains(&row) && (0..SHOWN as i64).contains(&column);
                cut |= !inside;
                if inside {
                    held.entry((row, column)).or_insert_with(|| (view.element(number), place));
                }
            }
        }
        let rows = held.keys().map(|k| k.0 + 1).max().unwrap_or(0);
        let columns = held.keys().map(|k| k.1 + 1).max().unwrap_or(0);
        let cells = held
            .iter()
            .map(|(&(row, column), (element, place))| {
                let parts: Vec<String> = element.iter().map(u64::to_string).collect();
                let hover = format!("{place}: element {element:?}");
                (row as usize, column as usize, pale(kind.family(place)), parts.join(","), hover)
            })
            .collect();
        let name = |r: i64| match kind {
            Cells::Threads => format!("thread {r}"),
            Cells::Tensor => format!("lane {r}"),
            Cells::Memory => (r * LINE).to_string(),
            Cells::Other => r.to_string(),
        };
        Panel {
            rows: (0..rows).map(name).collect(),
            columns: (0..columns).map(|c| c.to_string()).collect(),
            cells,
            cut: cut || view.size() > 1 << 16,
        }
    }

    fn width(&self) -> f64 {
        self.columns.len() as f64 * CELL.0
    }

    fn height(&self) -> f64 {
        self.rows.len() as f64 * CELL.1
    }

    fn draw(&self, canvas: &mut Canvas, (left, top): (f64, f64), title: &str) {
        canvas.heading((left, top - 22.0), title, 14.0);
        for (k, name) in self.columns.iter().enumerate() {
            let x = left + (k as f64 + 0.5) * CELL.0;
            canvas.text((x, top - 6.0), name, 10.0, colour::FAINT, Anchor::Middle);
        }
        for (k, name) in self.rows.iter().enumerate() {
            let y = top + k as f64 * CELL.1 + 14.0;
            canvas.text((left - 6.0, y), name, 10.0, colour::FAINT, Anchor::End);
        }
        for (row, column, fill, text, hover) in &self.cells {
            let at = (left + *column as f64 * CELL.0, top + *row as f64 * CELL.1);
            canvas.cell(at, CELL, fill, text, hover);
        }
    }
}

fn pale(family: usize) -> &'static str {
    colour::PALE.get(family % 8).copied().unwrap_or(colour::TENSOR)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilehaul_layout::text::parse;

    #[test]
    fn every_cell_has_a_hover_text() {
        let view = parse("S[(8,4):(1@laneid,1)]", None).unwrap();
        let svg = picture(&view, "a <layout>");
        assert_eq!(svg.matches("<g><title>").count(), 64);
        assert!(svg.contains("element [3, 2]: laneid 3, m 2"));
        assert!(svg.contains("laneid 3, m 2: element [3, 2]"));
        assert!(svg.contains("a &lt;layout&gt;"));
    }
}
