//! A tile is landed in one swizzle and read in another: see [`HAZARD`].

use tilehaul_diag::{Code, Level, Source};
use tilehaul_machine::{PlaceId, Replay};

use super::{Hazard, Rank};
use crate::checker::plain;
use crate::finding::{Finding, Spot};

/// What `explain` says of it.
pub const HAZARD: Hazard = Hazard {
    code: Code("swizzle-mismatch"),
    level: Level::Error,
    title: "a tile is landed in one swizzle and read in another",
    what: "A tensor copy lands a tile in one swizzle, and a matrix product reads it as if it lay in another. The product gets the right bytes in the wrong places: finite numbers, all wrong.",
    why: "The tensor map and the matrix descriptor name the swizzle independently; nothing compares them.",
    example: "map: swizzle 64B          tensor load -> tile\nmatrix descriptor of tile: 128B swizzle",
    fix: "Name the same swizzle in the map and in the matrix descriptor.",
    source: Source::manual("PTX ISA, matrix descriptors, swizzling modes"),
    rank: Rank::Cause,
    word: None,
};

/// A tile that `copy` landed as `landed` is read at `place` as `read`.
pub(crate) fn finding(
    place: PlaceId,
    at: &str,
    read: &str,
    copy: (PlaceId, &str),
    landed: &str,
    replay: Replay,
) -> Finding {
    let message =
        format!("the tile at {at} was landed by a {} with {landed} and is read with {read}", copy.1);
    let mut finding = plain(&HAZARD, place, format!("reads with {read}"), message, replay);
    finding.secondary.push(Spot { place: copy.0, text: format!("earlier: lands with {landed}") });
    finding.fix = Some("Name the same swizzle in the tensor map and in the matrix descriptor.".into());
    finding
}
