//! A load races with a store, and nobody uses what it brings: see [`HAZARD`].

use tilehaul_diag::{Code, Level, Source};

use super::{Hazard, Rank};
use crate::finding::Finding;

/// What `explain` says of it.
pub const HAZARD: Hazard = Hazard {
    code: Code("raced-load-unused"),
    level: Level::Note,
    title: "a load races with a store, and nobody uses what it brings",
    what: "Several waves load an element that one of them then changes in place. What the others get depends on timing, but their values go nowhere: with other values in their place the launch does and leaves the same.",
    why: "Compilers lay a small tile out over more waves than it needs and mask the stores of all copies but one, not always their loads.",
    example: "x = load p   (waves 0 and 1)\nstore p, f(x)   (wave 0 only: the store of wave 1 is masked off)",
    fix: "Nothing needs to change. Fewer waves, or a larger tile, spare the loads.",
    source: Source::inferred(
        "a value that changes nothing cannot be wrong; Triton's layouts that replicate over warps",
    ),
    rank: Rank::Companion,
    word: None,
};

/// The note in place of a finding about such loads.
pub(crate) fn instead_of(mut finding: Finding) -> Finding {
    (finding.code, finding.level, finding.source) = (HAZARD.code, HAZARD.level, Some(HAZARD.source));
    finding.message =
        format!("{}; nobody uses what the load brings, so it may be either value", finding.message);
    finding.fix = None;
    finding
}
