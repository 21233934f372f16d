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

/// An update of such bytes: its result means nothing, whoever reads it.
pub(crate) fn added_to(
    place: PlaceId,
    at: &str,
    who: &str,
    engine: Option<&'static str>,
    replay: Replay,
) -> Finding {
    let what = engine.unwrap_or("an atomic");
    let message = format!("{what} of {who} adds to {at}, which was never written: the result is undefined");
    let mut finding = plain(&HAZARD, place, "adds to bytes that nothing has written".into(), message, replay);
    finding.level = Level::Error;
    finding.fix = Some("Write the bytes first; the first product of a sum must not accumulate.".into());
    finding
}
