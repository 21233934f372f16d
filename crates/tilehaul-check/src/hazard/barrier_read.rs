//! Memory of a live barrier is read as data: see [`HAZARD`].

use tilehaul_diag::{Code, Level, Source};
use tilehaul_machine::Replay;

use super::{Clash, Hazard, Rank};
use crate::finding::Finding;

/// What `explain` says of it.
pub const HAZARD: Hazard = Hazard {
    code: Code("barrier-read-as-data"),
    level: Level::Error,
    title: "memory of a live barrier is read as data",
    what: "An ordinary load, or a copy, reads bytes that hold an initialised mbarrier. It finds what the memory held before the init, or an older state: a loop that polls the barrier so may never end, or end at once.",
    why: "Live objects sit in a cache that ordinary accesses do not see. Only mbarrier operations may touch an object; its state is opaque.",
    example: "mbarrier.init [x], 1\nld.shared.u64 r, [x]    (the old bytes, not the state)",
    fix: "Ask the barrier by mbarrier.test_wait or try_wait, or execute mbarrier.inval before its memory is read.",
    source: Source::hardware("h200 facts 105 to 107; PTX ISA, mbarrier object"),
    rank: Rank::Cause,
    word: Some(word),
};

pub(crate) fn word(clash: &Clash<'_>, replay: Replay) -> Finding {
    let message = format!("{} reads {} where an mbarrier lives", clash.later_subject(), clash.bytes());
    let mut finding = clash.finding(&HAZARD, message, replay);
    finding.fix = Some(
        "Ask whether its phase has completed with mbarrier.test_wait or mbarrier.try_wait; execute mbarrier.inval on it \
         before its memory is read as data."
            .into(),
    );
    finding
}
