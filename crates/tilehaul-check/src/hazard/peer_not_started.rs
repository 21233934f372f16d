//! # What happens
//! A thread reads, writes, signals or sends a copy into the shared memory of another block of its cluster, and nothing that it has seen came from that block: it may not have started.
//!
//! # Why on this hardware
//! Blocks of a cluster are placed together, but start when they start; until then their shared memory may still be that of the block before.
//!
//! # Example
//! ```text
//! block 0: st.shared::cluster [mapa(x, 1)], …
//! block 0: barrier.cluster.arrive; barrier.cluster.wait    (too late)
//! ```
//!
//! # Fix
//! Put a cluster barrier (arrive and wait) before the first access to another block's shared memory.
//!
//! # Source
//! manual: CUDA programming guide, distributed shared memory

use tilehaul_diag::{Code, Level, Source};
use tilehaul_machine::{BlockId, PlaceId, Replay, Who};

use super::{Hazard, Rank};
use crate::checker::plain;
use crate::finding::Finding;

/// The entry in the catalogue.
pub const HAZARD: Hazard = Hazard {
    code: Code("cluster-peer-not-started"),
    level: Level::Error,
    title: "another block's shared memory is used before that block is known to have started",
    what: "A thread reads, writes, signals or sends a copy into the shared memory of another block of its cluster, and nothing that it has seen came from that block: it may not have started.",
    why: "Blocks of a cluster are placed together, but start when they start; until then their shared memory may still be that of the block before.",
    example: "block 0: st.shared::cluster [mapa(x, 1)], …\nblock 0: barrier.cluster.arrive; barrier.cluster.wait    (too late)",
    fix: "Put a cluster barrier (arrive and wait) before the first access to another block's shared memory.",
    source: Source::manual("CUDA programming guide, distributed shared memory"),
    rank: Rank::Cause,
    word: None,
};

pub(crate) fn finding(place: PlaceId, who: Who, block: BlockId, noun: &str, replay: Replay) -> Finding {
    let message = format!(
        "the {noun} by {} of {} goes to shared memory of {block}, which need not have started yet: nothing that {} has seen came from it",
        who.lanes, who.wave, who.wave
    );
    let mut finding = plain(&HAZARD, place, format!("goes to shared memory of {block}"), message, replay);
    finding.fix = Some(HAZARD.fix.into());
    finding
}
