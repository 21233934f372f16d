//! A fence that nothing relied on: see [`HAZARD`].

use tilehaul_diag::{Code, Level, Source};
use tilehaul_machine::{PlaceId, Replay};

use super::{Hazard, Rank};
use crate::checker::plain;
use crate::finding::Finding;

/// The entry in the catalogue.
pub const HAZARD: Hazard = Hazard {
    code: Code("fence-not-needed"),
    level: Level::Note,
    title: "a fence that nothing relied on",
    what: "A fence was executed, and nothing in any explored run relied on it.",
    why: "A proxy fence of all memories takes about 150 cycles, a fence of the device about 270 (h200 fact 127), and the thread waits.",
    example: "fence.proxy.async            (no thread wrote what a copy reads or overwrites)\ncp.async.bulk.tensor … [tile], [map, …]",
    fix: "Leave the fence out, where no other launch needs it.",
    source: Source::inferred("uses seen in the explored runs"),
    rank: Rank::Cause,
    word: None,
};

pub(crate) fn finding(place: PlaceId, proxy: bool, replay: Replay) -> Finding {
    let message = if proxy {
        "nothing relied on this proxy fence: no engine touched behind it what a thread had touched before, and no thread what an engine had"
    } else {
        "nothing relied on this fence: no relaxed, volatile or atomic access comes before or after it that it could order"
    };
    let mut finding = plain(&HAZARD, place, "executed for nobody".to_owned(), message.to_owned(), replay);
    finding.fix = Some(HAZARD.fix.into());
    finding
}
