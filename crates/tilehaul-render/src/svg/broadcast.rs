//! One read of global memory, delivered to every workgroup of a cluster that a mask names.

use super::{Anchor, Canvas, Dash, colour};

/// A cluster's workgroups and the 16-bit mask (manual: CDNA5 ISA 10.7, multicast loads). `mask` names the
/// receivers; workgroups are drawn as far as the mask reaches, four at least.
#[must_use]
pub fn broadcast(mask: u16) -> String {
    let mut canvas = Canvas::new(820.0, 520.0, "Broadcast of a tile in a cluster");
    canvas.heading((24.0, 32.0), "One read of global memory, one copy for each workgroup of the mask", 17.0);
    canvas.block((250.0, 60.0), (320.0, 50.0), colour::TENSOR, colour::FAINT, Dash::Solid);
    canvas.text((410.0, 90.0), "global memory: one tile", 15.0, colour::INK, Anchor::Middle);
    canvas.arrow((410.0, 110.0), (410.0, 158.0), colour::TILE, 5.0);
    canvas.text((424.0, 138.0), "read once", 13.0, colour::TILE, Anchor::Start);
    canvas.block((310.0, 160.0), (200.0, 48.0), "#d7f0df", colour::GOOD, Dash::Solid);
    canvas.text((410.0, 189.0), "multicast load", 15.0, colour::INK, Anchor::Middle);
    canvas.block((40.0, 260.0), (740.0, 160.0), "#fbfcfd", colour::FAINT, Dash::Dashed);
    canvas.text((764.0, 414.0), "cluster of up to 16 workgroups", 12.0, colour::FAINT, Anchor::End);
    // As many workgroups as the mask reaches: 4, 8 or 16 of them in the same room.
    let groups = [4u16, 8, 16].into_iter().find(|&n| n == 16 || mask >> n == 0).unwrap_or(16);
    let pitch = 712.0 / f64::from(groups);
    let width = pitch - if groups == 4 { 18.0 } else { 8.0 };
    let names = if groups == 4 {
        "workgroup "
    } else if groups == 8 {
        "wg "
    } else {
        ""
    };
    for group in 0..groups {
        let x = 64.0 + f64::from(group) * pitch;
        let middle = x + width / 2.0;
        let on = mask >> group & 1 == 1;
        let (fill, border) = if on { (colour::TILE_PALE, colour::TILE) } else { (colour::GAP, colour::GRID) };
        canvas.block((x, 290.0), (width, 100.0), fill, border, Dash::Solid);
        canvas.text((middle, 318.0), &format!("{names}{group}"), 14.0, colour::INK, Anchor::Middle);
        if on {
            let tile = (width * 0.8).min(70.0);
            canvas.rect(middle - tile / 2.0, 336.0, tile, 36.0, colour::TILE, None);
            canvas.text((middle, 359.0), "tile", 13.0, "#ffffff", Anchor::Middle);
            canvas.arrow((410.0, 208.0), (middle, 288.0), colour::GOOD, 2.5);
        } else {
            let words = if groups == 4 { "nothing arrives" } else { "–" };
            canvas.text((middle, 358.0), words, 13.0, colour::FAINT, Anchor::Middle);
        }
    }
    canvas.text((40.0, 452.0), "workgroup mask", 13.0, colour::FAINT, Anchor::Start);
    for bit in 0..16u16 {
        let on = mask >> bit & 1 == 1;
        let x = 150.0 + f64::from(bit) * 38.0;
        let fill = if on { colour::TILE_PALE } else { colour::GAP };
        canvas.rect(x, 436.0, 36.0, 24.0, fill, Some(colour::GRID));
        canvas.text((x + 18.0, 453.0), if on { "1" } else { "0" }, 13.0, colour::INK, Anchor::Middle);
        canvas.text((x + 18.0, 478.0), &format!("{bit}"), 11.0, colour::FAINT, Anchor::Middle);
    }
    canvas.text(
        (40.0, 504.0),
        "Every named workgroup must ask at about the same time; the hardware waits a little and then serves stragglers apart.",
        12.5,
        colour::FAINT,
        Anchor::Start,
    );
    canvas.finish()
}
