//! Pictures for documents, as SVG text.
//!
//! [`Canvas`] knows coordinates, colours and text; each picture is a module of its own and returns a whole file. Sizes are
//! pixels at 100 %. Pictures are drawn on white, so that they read the same in light and dark documents.

mod banks;
mod broadcast;
mod edges;
mod engines;
mod gather;
mod paths;
mod registers;
mod swizzle;
mod tile;

use std::fmt::Write;

pub use banks::{Banks, banks};
pub use broadcast::broadcast;
pub use edges::edges;
pub use engines::engines;
pub use gather::gather;
pub use paths::paths;
pub use registers::registers;
pub use swizzle::swizzle;
pub use tile::tile;

/// Colours by meaning.
pub mod colour {
    /// Text and strong lines.
    pub const INK: &str = "#1f2933";
    /// Secondary text.
    pub const FAINT: &str = "#66727f";
    /// Grid lines.
    pub const GRID: &str = "#c9d3dd";
    /// Elements of a tensor.
    pub const TENSOR: &str = "#e9f0f7";
    /// Elements of a tile.
    pub const TILE: &str = "#4a86e8";
    /// The same, paler.
    pub const TILE_PALE: &str = "#b9d0f7";
    /// Filled, dropped or conflicting.
    pub const BAD: &str = "#d64545";
    /// The same, paler.
    pub const BAD_PALE: &str = "#f7d0d0";
    /// Memory that belongs to nobody.
    pub const GAP: &str = "#f2f2f2";
    /// Fine.
    pub const GOOD: &str = "#2f9e5b";
    /// Eight pale colours for owners, under dark text.
    pub const PALE: [&str; 8] =
        ["#cfe0fb", "#fbdcc2", "#cdebd6", "#e2d4f3", "#fbd3d3", "#c9eded", "#f3e6b8", "#dde3e9"];
    /// Rows of a gather, chunks of a swizzle: distinct also when printed grey.
    pub const ROWS: [&str; 8] =
        ["#e8833a", "#4a86e8", "#2f9e5b", "#8e5bd0", "#d64545", "#12a5a5", "#b58900", "#7a8794"];
}

/// Where a text is anchored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Its beginning.
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

/// How a border is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dash {
    /// A whole line.
    Solid,
    /// A broken line: a border that is no wall.
    Dashed,
}

/// An SVG file in the making.
#[derive(Debug)]
pub struct Canvas {
    width: f64,
    height: f64,
    body: String,
}

impl Canvas {
    /// An empty picture with a white background; `title` is what screen readers say.
    #[must_use]
    pub fn new(width: f64, height: f64, title: &str) -> Canvas {
        let mut canvas = Canvas { width, height, body: String::new() };
        let _ = writeln!(canvas.body, "<title>{}</title>", escape(title));
        canvas.rect(0.0, 0.0, width, height, "#ffffff", None);
        canvas
    }

    /// A filled rectangle, with a border if a colour is given.
    pub fn rect(&mut self, x: f64, y: f64, width: f64, height: f64, fill: &str, border: Option<&str>) {
        let stroke = border.map(|c| format!(" stroke=\"{c}\"")).unwrap_or_default();
        let _ = writeln!(
            self.body,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{fill}\"{stroke}/>",
            n(x),
            n(y),
            n(width.max(0.0)),
            n(height.max(0.0))
        );
    }

    /// A cell of a grid: filled, with a text in its middle and a sentence that shows when the pointer rests on it.
    pub fn cell(&mut self, at: (f64, f64), size: (f64, f64), fill: &str, text: &str, hover: &str) {
        let _ = writeln!(self.body, "<g><title>{}</title>", escape(hover));
        self.rect(at.0, at.1, size.0, size.1, fill, Some("#ffffff"));
        if !text.is_empty() {
            // Shrunk until the text fits, as far as it stays readable.
            let fits = (size.0 - 4.0) / text_width(text, 1.0).max(0.1);
            let font = fits.min(size.1 * 0.6).min(12.0);
            if font >= 5.0 {
                let middle = (at.0 + size.0 / 2.0, at.1 + size.1 / 2.0 + font * 0.36);
                self.text(middle, text, font, colour::INK, Anchor::Middle);
            }
        }
        let _ = writeln!(self.body, "</g>");
    }

    /// A box with rounded corners, for blocks of a diagram.
    pub fn block(&mut self, at: (f64, f64), size: (f64, f64), fill: &str, border: &str, dashed: Dash) {
        let dash = match dashed {
            Dash::Solid => "",
            Dash::Dashed => " stroke-dasharray=\"6 4\"",
        };
        let _ = writeln!(
            self.body,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"6\" fill=\"{fill}\" stroke=\"{border}\" stroke-width=\"1.5\"{dash}/>",
            n(at.0),
            n(at.1),
            n(size.0),
            n(size.1)
        );
    }

    /// A straight arrow.
    pub fn arrow(&mut self, from: (f64, f64), to: (f64, f64), colour: &str, width: f64) {
        let length = (to.0 - from.0).hypot(to.1 - from.1).max(1.0);
        let direction = ((to.0 - from.0) / length, (to.1 - from.1) / length);
        self.line(from, (to.0 - 6.0 * direction.0, to.1 - 6.0 * direction.1), colour, width);
        self.head(to, direction, colour);
    }

    /// A straight line.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), colour: &str, width: f64) {
        let _ = writeln!(
            self.body,
            "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{colour}\" stroke-width=\"{}\"/>",
            n(from.0),
            n(from.1),
            n(to.0),
            n(to.1),
            n(width)
        );
    }

    /// A curve from one point to another that leaves and arrives horizontally, with an arrow head.
    pub fn curve(&mut self, from: (f64, f64), to: (f64, f64), colour: &str) {
        let middle = f64::midpoint(from.0, to.0);
        let _ = writeln!(
            self.body,
            "<path d=\"M {} {} C {} {}, {} {}, {} {}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            n(from.0),
            n(from.1),
            n(middle),
            n(from.1),
            n(middle),
            n(to.1),
            n(to.0 - 6.0),
            n(to.1)
        );
        self.head(to, (1.0, 0.0), colour);
    }

    /// An arrow head whose tip is at `tip`, pointing along `direction`.
    fn head(&mut self, tip: (f64, f64), direction: (f64, f64), colour: &str) {
        let (dx, dy) = direction;
        let base = (tip.0 - 8.0 * dx, tip.1 - 8.0 * dy);
        let _ = writeln!(
            self.body,
            "<path d=\"M {} {} L {} {} L {} {} Z\" fill=\"{colour}\"/>",
            n(tip.0),
            n(tip.1),
            n(base.0 - 4.0 * dy),
            n(base.1 + 4.0 * dx),
            n(base.0 + 4.0 * dy),
            n(base.1 - 4.0 * dx)
        );
    }

    /// A measurement: a line with arrow heads at both ends and a label in the middle.
    pub fn measure(&mut self, from: (f64, f64), to: (f64, f64), colour: &str, label: &str) {
        let length = (to.0 - from.0).hypot(to.1 - from.1).max(1.0);
        let direction = ((to.0 - from.0) / length, (to.1 - from.1) / length);
        self.line(from, to, colour, 1.5);
        self.head(to, direction, colour);
        self.head(from, (-direction.0, -direction.1), colour);
        let middle = (f64::midpoint(from.0, to.0), f64::midpoint(from.1, to.1));
        let width = text_width(label, 13.0);
        if direction.0.abs() > direction.1.abs() {
            self.rect(middle.0 - width / 2.0 - 4.0, middle.1 - 9.0, width + 8.0, 18.0, "#ffffff", None);
            self.text((middle.0, middle.1 + 4.5), label, 13.0, colour, Anchor::Middle);
        } else {
            self.text((middle.0 - 8.0, middle.1 + 4.5), label, 13.0, colour, Anchor::End);
        }
    }

    /// A text.
    pub fn text(&mut self, at: (f64, f64), text: &str, size: f64, colour: &str, anchor: Anchor) {
        self.styled(at, text, size, colour, anchor, "");
    }

    /// A text in bold.
    pub fn heading(&mut self, at: (f64, f64), text: &str, size: f64) {
        self.styled(at, text, size, colour::INK, Anchor::Start, " font-weight=\"600\"");
    }

    fn styled(&mut self, at: (f64, f64), text: &str, size: f64, colour: &str, anchor: Anchor, extra: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let _ = writeln!(
            self.body,
            "<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{colour}\" text-anchor=\"{anchor}\"{extra}>{}</text>",
            n(at.0),
            n(at.1),
            n(size),
            escape(text)
        );
    }

    /// A dot.
    pub fn dot(&mut self, at: (f64, f64), radius: f64, colour: &str) {
        let _ = writeln!(
            self.body,
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{colour}\" stroke=\"#ffffff\" stroke-width=\"1.5\"/>",
            n(at.0),
            n(at.1),
            n(radius)
        );
    }

    /// A square of a legend with its text; returns where the next one may begin.
    pub fn legend(&mut self, at: (f64, f64), fill: &str, text: &str) -> f64 {
        self.rect(at.0, at.1 - 11.0, 14.0, 14.0, fill, Some(colour::GRID));
        self.text((at.0 + 20.0, at.1 + 1.0), text, 13.0, colour::INK, Anchor::Start);
        at.0 + 20.0 + text_width(text, 13.0) + 24.0
    }

    /// The file.
    #[must_use]
    pub fn finish(self) -> String {
        let (width, height) = (n(self.width), n(self.height));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" role=\"img\">\n{}</svg>\n",
            self.body
        )
    }
}

/// A number without needless digits, so that files stay small and the same everywhere.
fn n(value: f64) -> String {
    let rounded = (value * 10.0).round() / 10.0;
    if rounded == rounded.trunc() { format!("{rounded:.0}") } else { format!("{rounded:.1}") }
}

/// About how wide a text is: nobody measures fonts here.
pub(crate) fn text_width(text: &str, size: f64) -> f64 {
    text.chars().map(|c| if c.is_ascii_punctuation() || c == ' ' { 0.36 } else { 0.56 }).sum::<f64>() * size
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
