//! A swizzled tile lies out of step with its pattern, or ordinary loads read it: see [`HAZARD`].

use tilehaul_diag::{Code, Level, Source};
use tilehaul_machine::Replay;

use super::{Hazard, Rank};
use crate::checker::{OpInfo, plain};
use crate::finding::{Finding, Spot};

/// What `explain` says of it.
pub const HAZARD: Hazard = Hazard {
    code: Code("swizzled-tile"),
    level: Level::Note,
    title: "a swizzled tile begins inside its pattern, or ordinary loads read it",
    what: "Said beside a failed expectation only. A tensor copy landed a tile with a swizzle at an address at which the pattern does not begin, or ordinary loads read the tile, which then must swizzle as the copy did.",
    why: "The engine permutes the 16-byte chunks of a row by bits of the shared-memory address, not of the offset in the tile: the pattern begins where the address is a multiple of eight rows.",
    example: "tile at 0x80, map: swizzle 128B        (the pattern begins at multiples of 1024)\nld.shared [tile + 128 * row + 16 * chunk]   (the chunk lies at chunk ^ row % 8)",
    fix: "Align the tile to eight rows of the swizzle (1024 bytes for 128B), and let ordinary loads permute as the copy does.",
    source: Source::hardware("h200 facts 27, 32"),
    rank: Rank::Companion,
    word: None,
};

/// Of a copy that lands at an address, `off` bytes into its arrangement.
pub(crate) fn finding(op: &OpInfo, (arrangement, at, off): (&str, &str, u64), replay: Replay) -> Finding {
    let (what, period) = (op.what, op.period);
    let begins = match off {
        0 => String::new(),
        _ => format!(
            ", {off} bytes into its pattern, which begins where the shared-memory address is a multiple of {period}"
        ),
    };
    let message = format!("the {what} lands its tile at {at} with {arrangement}{begins}");
    let text = format!("lands with {arrangement}");
    let mut finding = plain(&HAZARD, op.who.place, text, message, replay);
    if let Some(reader) = op.reader {
        let text = "an ordinary load reads it, and must permute the chunks of a row alike".to_owned();
        finding.secondary.push(Spot { place: reader, text });
    }
    finding.fix = Some(if off != 0 {
        format!("Align the tile to {period} bytes, or let readers permute by bits of the address.").into()
    } else {
        "Let the loads permute as the copy does (with 128B swizzle chunk c of row r lies at chunk c ^ r % 8), or use a tensor \
         map without swizzle."
            .into()
    });
    finding
}
