//! An engine overwrites bytes that ordinary accesses used, ordered by a barrier but no proxy fence: see [`HAZARD`].

use tilehaul_diag::{Code, Level, Source};
use tilehaul_machine::Replay;

use super::{Clash, Hazard, Rank};
use crate::finding::Finding;

/// What `explain` says of it.
pub const HAZARD: Hazard = Hazard {
    code: Code("cross-proxy-reuse-unfenced"),
    level: Level::Note,
    title: "an engine overwrites bytes that ordinary accesses used, ordered by a barrier but no proxy fence",
    what: "A copy is issued into bytes that threads read or wrote with ordinary accesses; a barrier orders the two, but no proxy fence lies between.",
    why: "The text of the manual asks for a proxy fence; compilers leave it out, and no run on hardware ever showed a difference.",
    example: "ld.shared tile\nbar.sync\ncp.async.bulk.tensor [tile], …",
    fix: "Nothing needs to be done; a fence.proxy.async before the barrier makes it correct to the letter.",
    source: Source::hardware("h200 fact 83; PTX ISA 8 (proxies)"),
    rank: Rank::Cause,
    word: Some(word),
};

pub(crate) fn word(clash: &Clash<'_>, replay: Replay) -> Finding {
    let message = format!(
        "the {} overwrites {} used by ordinary accesses before; a barrier orders them, no proxy fence does",
        clash.noun(&clash.later),
        clash.bytes()
    );
    clash.finding(&HAZARD, message, replay)
}
