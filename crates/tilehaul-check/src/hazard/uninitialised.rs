//! Bytes are read that nothing has written: see [`HAZARD`].

use tilehaul_diag::{Code, Level, Source};
use tilehaul_machine::{PlaceId, Replay};

use super::{Hazard, Rank};
use crate::checker::plain;
use crate::finding::Finding;

/// What `explain` says of it.
pub const HAZARD: Hazard = Hazard {
    code: Code("uninitialised-read"),
    level: Level::Warning,
    title: "bytes are read that nothing has written",
    what: "A thread or an engine reads memory that neither the host nor the kernel has written. It gets whatever an earlier kernel left.",
    why: "Shared memory, LDS and tensor memory start out undefined, as does device memory that was only allocated.",
    example: "ld.shared x      (never stored)",
    fix: "Write the bytes first, or do not use the value.",
    source: Source::manual("PTX ISA state spaces; CDNA ISA LDS"),
    rank: Rank::Undefined,
    word: None,
};

pub(crate) fn finding(place: PlaceId, at: &str, who: &str, replay: Replay) -> Finding {
    let message = format!("{at} is read by {who} but was never written");
    plain(&HAZARD, place, "reads bytes that nothing has written".into(), message, replay)
}
