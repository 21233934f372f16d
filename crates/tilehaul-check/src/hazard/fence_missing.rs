//! No proxy fence between a write and the engine's read of it: see [`HAZARD`].

use tilehaul_diag::{Code, Level, Source};
use tilehaul_machine::Replay;

use super::{Clash, Hazard, Rank};
use crate::finding::Finding;

/// What `explain` says of it.
pub const HAZARD: Hazard = Hazard {
    code: Code("proxy-fence-missing"),
    level: Level::Error,
    title: "no proxy fence between a write and the engine's read of it",
    what: "A thread writes bytes with ordinary stores and an engine reads them through the async proxy. They are ordered by a barrier, but no proxy fence lies anywhere on the way.",
    why: "Ordinary accesses and the async proxy reach memory on different paths; only fence.proxy.async makes what came before on one visible to the other.",
    example: "st.shared tile\nbar.sync\ncp.async.bulk.tensor [map], [tile]   (no fence.proxy.async anywhere)",
    fix: "Let every writing thread execute fence.proxy.async after its stores and before the barrier.",
    source: Source::manual("PTX ISA 8 (proxies), fence.proxy.async; not observable in h200 fact 83"),
    rank: Rank::Cause,
    word: Some(word),
};

pub(crate) fn word(clash: &Clash<'_>, replay: Replay) -> Finding {
    let copy = clash.noun(&clash.later);
    let message = format!(
        "the {copy} issued by {} reads {} written by ordinary stores of {} with no fence.proxy.async on the way",
        clash.who(&clash.later),
        clash.bytes(),
        clash.who(&clash.earlier)
    );
    let mut finding = clash.finding(&HAZARD, message, replay);
    finding.fix = Some(
        "Execute fence.proxy.async in the writing threads after the stores, before the barrier that leads to the copy."
            .into(),
    );
    finding
}
