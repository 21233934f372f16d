//! Loads into shared memory never overlap with anything: see [`HAZARD`].

use tilehaul_diag::{Code, Level, Source};
use tilehaul_machine::{PlaceId, Replay};

use super::{Hazard, Rank};
use crate::checker::plain;
use crate::finding::Finding;

/// What `explain` says of it.
pub const HAZARD: Hazard = Hazard {
    code: Code("loads-never-overlap"),
    level: Level::Note,
    title: "loads into shared memory never overlap with anything in any explored run",
    what: "Each load is issued when the bytes of the one before have been used, and waited for before anything else is done: the block does nothing while its bytes are on their way.",
    why: "A load takes some hundred cycles. Without a second stage only other blocks and waves of the multiprocessor can fill them.",
    example: "load tile; wait; use tile; load tile (same bytes); wait; …",
    fix: "Give the tile a second stage and issue the load of the next one before the present one is used.",
    source: Source::inferred("what waves did in the explored runs; h200 fact 118"),
    rank: Rank::Cause,
    word: None,
};

pub(crate) fn finding(place: PlaceId, replay: Replay) -> Finding {
    let message = "the same bytes are filled again and again, and no block does anything while a load is under way: a pipeline of one stage";
    let mut finding =
        plain(&HAZARD, place, "nothing overlaps with this".to_owned(), message.to_owned(), replay);
    finding.fix = Some(
        "Use two stages: issue the load of the next tile before the present one is used. Where other blocks or waves fill the time, \
         one stage is enough."
            .into(),
    );
    finding
}
