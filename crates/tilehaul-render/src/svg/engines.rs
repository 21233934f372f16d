//! A workgroup processor of CDNA5: SIMD pairs, their engines, and the memory they share.

use super::{Anchor, Canvas, Dash, colour};

/// Two SIMD pairs with an engine below each, one LDS below both, and global memory behind it
/// (manual: CDNA5 ISA 10.11).
#[must_use]
pub fn engines() -> String {
    let mut canvas = Canvas::new(760.0, 560.0, "Engines and local data share in a workgroup processor");
    canvas.heading((24.0, 32.0), "One engine for every pair of SIMDs; both write into one LDS", 17.0);
    canvas.block((40.0, 56.0), (680.0, 360.0), "#fbfcfd", colour::FAINT, Dash::Dashed);
    canvas.text((56.0, 78.0), "workgroup processor (WGP)", 13.0, colour::FAINT, Anchor::Start);
    for pair in 0..2 {
        let x = 64.0 + f64::from(pair) * 328.0;
        for simd in 0..2 {
            let at = (x + f64::from(simd) * 156.0, 92.0);
            canvas.block(at, (148.0, 74.0), colour::TENSOR, colour::FAINT, Dash::Solid);
            let middle = at.0 + 74.0;
            canvas.text(
                (middle, 122.0),
                &format!("SIMD {}", 2 * pair + simd),
                15.0,
                colour::INK,
                Anchor::Middle,
            );
            canvas.text((middle, 144.0), "waves, registers", 12.0, colour::FAINT, Anchor::Middle);
            canvas.arrow((middle, 166.0), (middle, 206.0), colour::INK, 1.5);
        }
        canvas.block((x, 208.0), (304.0, 58.0), "#d7f0df", colour::GOOD, Dash::Solid);
        canvas.text((x + 152.0, 234.0), "Tensor Data Mover", 15.0, colour::INK, Anchor::Middle);
        canvas.text(
            (x + 152.0, 254.0),
            "takes a D#, walks the tile itself",
            12.0,
            colour::FAINT,
            Anchor::Middle,
        );
        canvas.arrow((x + 152.0, 266.0), (x + 152.0, 316.0), colour::GOOD, 3.0);
        canvas.text((x + 164.0, 296.0), "tiles", 12.0, colour::GOOD, Anchor::Start);
        canvas.text((x + 158.0, 190.0), "descriptors", 12.0, colour::FAINT, Anchor::Middle);
    }
    canvas.block((64.0, 318.0), (632.0, 80.0), colour::TILE_PALE, colour::TILE, Dash::Solid);
    canvas.text(
        (380.0, 344.0),
        "LDS, 320 KB in 64 banks of 4 bytes, beside the WGP cache",
        15.0,
        colour::INK,
        Anchor::Middle,
    );
    let cell = 600.0 / 64.0;
    for bank in 0..64 {
        canvas.rect(80.0 + f64::from(bank) * cell, 358.0, cell, 26.0, colour::TENSOR, Some(colour::TILE));
    }
    canvas.block((64.0, 476.0), (632.0, 54.0), colour::TENSOR, colour::FAINT, Dash::Solid);
    canvas.text(
        (380.0, 508.0),
        "global memory, through the ordinary caches",
        15.0,
        colour::INK,
        Anchor::Middle,
    );
    canvas.arrow((340.0, 474.0), (340.0, 400.0), colour::TILE, 3.0);
    canvas.arrow((420.0, 400.0), (420.0, 474.0), colour::TILE, 3.0);
    canvas.text((330.0, 448.0), "load", 13.0, colour::TILE, Anchor::End);
    canvas.text((430.0, 448.0), "store", 13.0, colour::TILE, Anchor::Start);
    canvas.finish()
}
