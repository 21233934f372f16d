//! Memory of a live barrier is written as data: see [`HAZARD`].

use tilehaul_diag::{Code, Level, Source};
use tilehaul_machine::Replay;

use super::{Clash, Hazard, Rank};
use crate::finding::Finding;

/// What `explain` says of it.
pub const HAZARD: Hazard = Hazard {
    code: Code("barrier-memory-reused"),
    level: Level::Error,
    title: "memory of a live barrier is written as data",
    what: "Ordinary stores or a copy write bytes that still hold an initialised mbarrier. The barrier object may be written back over the data, or the data be taken for its state.",
    why: "Live objects sit in a cache beside shared memory and are written back later; only mbarrier.inval drops them.",
    example: "mbarrier.init [x]\n… last use of the barrier\nst.shared [x]       (no mbarrier.inval)",
    fix: "Execute mbarrier.inval on the object before its memory is used for something else.",
    source: Source::hardware("h200 facts 105 to 109; PTX ISA mbarrier.inval"),
    rank: Rank::Cause,
    word: Some(word),
};

pub(crate) fn word(clash: &Clash<'_>, replay: Replay) -> Finding {
    let message = format!("{} writes {} where an mbarrier still lives", clash.later_subject(), clash.bytes());
    let mut finding = clash.finding(&HAZARD, message, replay);
    finding.fix = Some("Execute mbarrier.inval on the barrier before its memory is reused.".into());
    finding
}
