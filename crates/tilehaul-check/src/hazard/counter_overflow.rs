//! More operations are outstanding than the counter can hold: see [`HAZARD`].

use tilehaul_diag::{Code, Level, Source};
use tilehaul_machine::{CounterSpec, PlaceId, Replay};

use super::{Hazard, Rank};
use crate::checker::plain;
use crate::finding::Finding;

/// What `explain` says of it.
pub const HAZARD: Hazard = Hazard {
    code: Code("counter-overflow"),
    level: Level::Warning,
    title: "more operations are outstanding than the counter can hold",
    what: "A wave issues more operations than its counter can count before it waits. The issue stalls until one completes; some chips were seen to return stale data instead.",
    why: "Counters are 6 bits wide (lgkmcnt on gfx9: 4).",
    example: "64 loads without a wait in between",
    fix: "Wait before the counter is full.",
    source: Source::manual("CDNA3 ISA 4.4; llvm-project #172932"),
    rank: Rank::Cause,
    word: None,
};

pub(crate) fn finding(place: PlaceId, counter: &CounterSpec, outstanding: u32, replay: Replay) -> Finding {
    let message = format!(
        "{outstanding} operations are outstanding on {}, which holds at most {}: the issue stalls here",
        counter.name, counter.max
    );
    plain(&HAZARD, place, "issues one more".into(), message, replay)
}
