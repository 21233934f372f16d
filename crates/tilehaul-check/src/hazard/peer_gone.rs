//! A block may end while others of its cluster still use its shared memory: see [`HAZARD`].

use tilehaul_diag::{Code, Level, Source};
use tilehaul_machine::{BlockId, Replay};

use super::{Hazard, Rank};
use crate::checker::plain;
use crate::finding::Finding;
use crate::record::Record;

/// What `explain` says of it.
pub const HAZARD: Hazard = Hazard {
    code: Code("cluster-peer-gone"),
    level: Level::Error,
    title: "a block may end while others of its cluster still use its shared memory",
    what: "Another block accesses, signals or multicasts into this block's shared memory, and nothing makes this block wait for that before it ends. The launch dies when the traffic arrives late.",
    why: "Shared memory and barriers of a block vanish when it ends; traffic to a block that has exited is a launch failure (error 719).",
    example: "block 0: multicast -> block 1\nblock 1: ret    (does not wait for it)",
    fix: "Let the block wait for the barrier that the traffic signals, or put a cluster barrier before the end of every block.",
    source: Source::hardware("h200 fact 94"),
    rank: Rank::Companion,
    word: None,
};

pub(crate) fn finding(record: &Record, lane: u8, block: BlockId, replay: Replay) -> Finding {
    let message = format!(
        "{block} may end before {} lane {lane} of another block of the cluster is done with its shared memory",
        record.wave
    );
    let text = format!("uses shared memory of {block}");
    let mut finding = plain(&HAZARD, record.place, text, message, replay);
    finding.fix = Some("Put a cluster barrier (arrive and wait) before the end of every block.".into());
    finding
}
