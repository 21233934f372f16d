//! A barrier orders nothing: see [`HAZARD`].

use tilehaul_diag::{Code, Level, Source};
use tilehaul_machine::{PlaceId, Replay};

use super::{Hazard, Rank};
use crate::barriers::Idle;
use crate::checker::plain;
use crate::finding::Finding;

/// What `explain` says of it.
pub const HAZARD: Hazard = Hazard {
    code: Code("barrier-unneeded"),
    level: Level::Note,
    title: "a barrier ordered nothing in any explored run",
    what: "Every wave comes to the barrier straight from the same barrier, without an access, a copy or a wait in between, or the workgroup is one wave that acts in lockstep.",
    why: "A barrier costs the time until the last wave has come, and the one before it has ordered everything already.",
    example: "bar.sync 0\nbar.sync 0   (nothing happened since)",
    fix: "Remove the barrier.",
    source: Source::inferred("what waves did in the explored runs"),
    rank: Rank::Cause,
    word: None,
};

pub(crate) fn finding(place: PlaceId, why: Idle, replay: Replay) -> Finding {
    let message = match why {
        Idle::Repeated => {
            "every wave comes to this barrier straight from the same barrier: nothing happened in between that it could order"
        }
        Idle::OneWave => {
            "this barrier is of a workgroup of one wave, whose lanes act in lockstep: it has nobody to wait for"
        }
    };
    let mut finding = plain(&HAZARD, place, "orders nothing".to_owned(), message.to_owned(), replay);
    finding.fix = Some("Remove the barrier.".into());
    finding
}
