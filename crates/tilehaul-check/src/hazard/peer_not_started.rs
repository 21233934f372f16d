//! Another block's shared memory is used before that block is known to have started: see [`HAZARD`].

use tilehaul_diag::{Code, Level, Source};
use tilehaul_machine::{BlockId, PlaceId, Replay, Who};

use super::{Hazard, Rank};
use crate::checker::plain;
use crate::finding::Finding;

/// What `explain` says of it.
///
/// The guide asks for the barrier. On the device the blocks of a cluster are resident together from the start (manual: CUDA
/// programming guide, thread block clusters: guaranteed to be co-scheduled), so that their memory is theirs, and Triton 3.9 leaves
/// the barrier out in front of plain loads and stores: that much is a hint. What the other block must have made ready first stays
/// an error: its barriers. Races with what it does itself and reads of what it has not written have codes of their own.
pub const HAZARD: Hazard = Hazard {
    code: Code("cluster-peer-not-started"),
    level: Level::Warning,
    title: "another block's shared memory is used before that block is known to have started",
    what: "A thread reads, writes, signals or sends a copy into the shared memory of another block of its cluster, and nothing that it has seen came from that block: it may not have started. A copy that signals a barrier of that block, and work on such a barrier, are errors: nothing says that the barrier is there.",
    why: "Blocks of a cluster are placed together, but start when they start. The guide asks for a cluster barrier first; a device that has placed them has given them their memory, too, so that plain accesses do no harm there, but a barrier that is signalled before its init loses the signal.",
    example: "block 0: st.shared::cluster [mapa(x, 1)], …\nblock 0: barrier.cluster.arrive; barrier.cluster.wait    (too late)",
    fix: "Put a cluster barrier (arrive and wait) before the first access to another block's shared memory.",
    source: Source::manual("CUDA programming guide, distributed shared memory; thread block clusters"),
    rank: Rank::Cause,
    word: None,
};

/// How much it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// Bytes are read or written.
    Bytes,
    /// A barrier of the block is worked on or told.
    Barrier,
}

pub(crate) fn finding(
    place: PlaceId,
    who: Who,
    (block, noun, used): (BlockId, &str, Use),
    replay: Replay,
) -> Finding {
    let message = format!(
        "the {noun} by {} of {} goes to shared memory of {block}, which need not have started yet: nothing that {} has seen came from it",
        who.lanes, who.wave, who.wave
    );
    let mut finding = plain(&HAZARD, place, format!("goes to shared memory of {block}"), message, replay);
    if used == Use::Barrier {
        finding.level = Level::Error;
    }
    finding.fix = Some(HAZARD.fix.into());
    finding
}
