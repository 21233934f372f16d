//! Where the 16-byte chunks of a tile lie in shared memory.

use super::{Anchor, Canvas, colour};

/// Two panels: rows of chunks as the tile has them, and as the swizzle lays them down. A colour is a column of the tile, so
/// that a column's chunks can be followed through the banks. `permute` maps an address to where its byte lands.
#[must_use]
pub fn swizzle(name: &str, repeat_bytes: u64, permute: impl Fn(u64) -> u64) -> String {
    const LINE: u64 = 128;
    const CHUNK: u64 = 16;
    let lines = (repeat_bytes / LINE).clamp(1, 8);
    let (cell, height, top) = (44.0, 30.0, 108.0);
    let panel = 8.0 * cell + 96.0;
    let bottom = top + lines as f64 * height;
    let mut canvas = Canvas::new(2.0 * panel + 8.0, bottom + 66.0, &format!("Swizzle {name}"));
    canvas.heading((24.0, 30.0), &format!("Swizzle {name}"), 17.0);
    canvas.text(
        (24.0, 50.0),
        &format!(
            "16-byte chunks in 128-byte lines; the pattern repeats every {repeat_bytes} bytes of address"
        ),
        13.0,
        colour::FAINT,
        Anchor::Start,
    );
    for (shift, title, swizzled) in [(0.0, "the tile", false), (panel, "in shared memory", true)] {
        let left = 76.0 + shift;
        canvas.heading((left, 82.0), title, 15.0);
        for chunk in 0..LINE / CHUNK {
            let x = left + (chunk as f64 + 0.5) * cell;
            canvas.text((x, 101.0), &format!("{}", chunk * CHUNK), 10.0, colour::FAINT, Anchor::Middle);
        }
        for line in 0..lines {
            let y = top + line as f64 * height;
            canvas.text((left - 8.0, y + 19.0), &format!("line {line}"), 11.0, colour::FAINT, Anchor::End);
            for chunk in 0..LINE / CHUNK {
                let place = line * LINE + chunk * CHUNK;
                // The permutation is an exclusive or: applied to a place it names the chunk that lies there.
                let held = if swizzled { permute(place) % LINE / CHUNK } else { chunk };
                let fill = colour::ROWS.get(held as usize % 8).copied().unwrap_or(colour::TENSOR);
                let x = left + chunk as f64 * cell;
                canvas.rect(x + 1.0, y + 1.0, cell - 2.0, height - 2.0, fill, None);
                canvas.text(
                    (x + cell / 2.0, y + 20.0),
                    &format!("{line}.{held}"),
                    13.0,
                    "#ffffff",
                    Anchor::Middle,
                );
            }
        }
    }
    canvas.text(
        (24.0, bottom + 34.0),
        "Each cell says line.chunk of the tile; a colour is one column. Columns that stand in one colour below each other meet the same banks.",
        12.5,
        colour::FAINT,
        Anchor::Start,
    );
    canvas.finish()
}
