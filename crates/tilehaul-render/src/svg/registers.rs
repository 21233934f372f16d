//! The D# as registers: one block of twenty, the last eight of which mean one of three things.
//!
//! Bit positions come from the format tables, so that the picture cannot differ from the decoder.

use tilehaul_descriptor::amd::tdm::format;
use tilehaul_descriptor::field::FormatSpec;

use super::{Anchor, Canvas, colour, text_width};

const ROW: f64 = 30.0;
const BITS: f64 = 12.5;
const LEFT: f64 = 96.0;

/// The register map.
#[must_use]
pub fn registers() -> String {
    let width = LEFT + 32.0 * BITS;
    let panel = 32.0 * BITS * 0.78;
    let upper_top = 104.0 + 12.0 * ROW + 112.0;
    let canvas_width = 3.0 * (panel + 20.0) + 130.0;
    let mut canvas =
        Canvas::new(canvas_width, upper_top + 8.0 * ROW + 60.0, "Registers of the tensor descriptor");
    canvas.heading((24.0, 30.0), "The tensor descriptor (D#) of gfx1250", 17.0);
    canvas.text(
        (24.0, 50.0),
        "Twelve registers for 1D and 2D copies, twenty for the rest. Bit 31 of a register is on the left.",
        13.0,
        colour::FAINT,
        Anchor::Start,
    );
    bit_scale(&mut canvas, LEFT, 84.0, BITS);
    let mut register = 0;
    let mut narrow = Vec::new();
    group(&mut canvas, &format::GROUP0, (LEFT, 92.0), BITS, (&mut register, &mut narrow), colour::TILE_PALE);
    side_note(
        &mut canvas,
        (width + 24.0, 92.0),
        "group 0",
        "where, and how groups 2 and 3 are read",
        &narrow,
    );
    narrow.clear();
    let top = 92.0 + 4.0 * ROW + 8.0;
    group(&mut canvas, &format::GROUP1, (LEFT, top), BITS, (&mut register, &mut narrow), "#d5ead9");
    let words = "element size, padding, barrier; extents and strides of a 2D or 3D tile";
    side_note(&mut canvas, (width + 24.0, top), "group 1", words, &narrow);
    canvas.heading((24.0, upper_top - 62.0), "Groups 2 and 3: one of these", 15.0);
    let modes: [(&str, &str, &[&FormatSpec], &str); 3] = [
        (
            "dense, 3D to 5D",
            "gather_mode 0, iterate_enable 0",
            &[&format::GROUP2_DENSE, &format::GROUP3_DENSE],
            "#f6e3c8",
        ),
        ("iterate, 2D and 3D", "gather_mode 0, iterate_enable 1", &[&format::GROUP2_ITERATE], "#e6daf5"),
        ("gather and scatter", "gather_mode 1, 16-bit indices", &[&format::INDICES_16], "#f5d9d9"),
    ];
    for (index, (title, switch, formats, fill)) in modes.into_iter().enumerate() {
        let left = LEFT + index as f64 * (panel + 20.0);
        canvas.heading((left, upper_top - 34.0), title, 14.0);
        canvas.text((left, upper_top - 16.0), switch, 12.0, colour::FAINT, Anchor::Start);
        // Registers are numbered once, at the left.
        let mut register = if index == 0 { 12 } else { UNNUMBERED };
        let mut top = upper_top - 4.0;
        for format in formats {
            let mut narrow = Vec::new();
            group(&mut canvas, format, (left, top), BITS * 0.78, (&mut register, &mut narrow), fill);
            top += format.words as f64 * ROW;
        }
        // What a mode does not use must be zero.
        while top < upper_top - 4.0 + UPPER_WORDS * ROW {
            canvas.rect(left, top, panel, ROW - 3.0, colour::GAP, Some("#8fa0b0"));
            canvas.text((left + panel / 2.0, top + 18.0), "0", 11.0, colour::FAINT, Anchor::Middle);
            top += ROW;
        }
    }
    canvas.finish()
}

fn bit_scale(canvas: &mut Canvas, left: f64, y: f64, bits: f64) {
    for bit in [31u32, 24, 16, 8, 0] {
        let x = left + (31.0 - f64::from(bit) + 0.5) * bits;
        canvas.text((x, y), &bit.to_string(), 10.0, colour::FAINT, Anchor::Middle);
    }
}

fn side_note(canvas: &mut Canvas, (x, y): (f64, f64), name: &str, words: &str, narrow: &[&str]) {
    canvas.heading((x, y + 18.0), name, 14.0);
    canvas.text((x, y + 37.0), words, 12.0, colour::FAINT, Anchor::Start);
    for (row, pair) in narrow.chunks(3).enumerate() {
        for (column, name) in pair.iter().enumerate() {
            let number = row * 3 + column + 1;
            let at = (x + column as f64 * 180.0, y + 62.0 + row as f64 * 18.0);
            canvas.text(at, &format!("{number}  {name}"), 11.5, colour::INK, Anchor::Start);
        }
    }
}

/// Registers of groups 2 and 3 together.
const UPPER_WORDS: f64 = 8.0;

/// A register number that is not shown.
const UNNUMBERED: usize = usize::MAX / 2;

/// One register a line. Fields too narrow for their name get a number and go into the list.
fn group(
    canvas: &mut Canvas,
    format: &FormatSpec,
    at: (f64, f64),
    bits: f64,
    (register, narrow): (&mut usize, &mut Vec<&'static str>),
    fill: &str,
) {
    for word in 0..format.words {
        let y = at.1 + word as f64 * ROW;
        canvas.rect(at.0, y, 32.0 * bits, ROW - 3.0, "#ffffff", Some(colour::GRID));
        if *register < UNNUMBERED {
            canvas.text((at.0 - 10.0, y + 18.0), &format!("s[{register}]"), 12.0, colour::FAINT, Anchor::End);
        }
        *register += 1;
    }
    for field in format.fields {
        let mut from = 0;
        for piece in field.pieces {
            let (low, width) = (f64::from(piece.low), f64::from(piece.width));
            let x = at.0 + (32.0 - low - width) * bits;
            let y = at.1 + f64::from(piece.word) * ROW;
            let reserved = field.name.starts_with("reserved");
            let paint = if reserved { colour::GAP } else { fill };
            canvas.rect(x, y, width * bits, ROW - 3.0, paint, Some("#8fa0b0"));
            let to = from + u32::from(piece.width) - 1;
            let part = format!("{}[{to}:{from}]", field.name);
            from = to + 1;
            if reserved {
                continue;
            }
            let long = if field.pieces.len() > 1 { part.as_str() } else { field.name };
            if !label(canvas, &[long, field.name], (x, y), width * bits) {
                narrow.push(field.name);
                let number = narrow.len().to_string();
                canvas.text((x + width * bits / 2.0, y + 18.0), &number, 11.0, colour::INK, Anchor::Middle);
            }
        }
    }
}

/// Writes the first name that fits and says whether one did.
fn label(canvas: &mut Canvas, names: &[&str], at: (f64, f64), width: f64) -> bool {
    let fits = names.iter().find(|name| text_width(name, 11.0) + 6.0 <= width);
    if let Some(name) = fits {
        canvas.text((at.0 + width / 2.0, at.1 + 18.0), name, 11.0, colour::INK, Anchor::Middle);
    }
    fits.is_some()
}
