//! Barriers between threads: a number of participants meet, then all go on.
//!
//! One object serves `bar.sync`/`bar.arrive` with or without a thread count, `s_barrier` and its split forms, named
//! barriers and cluster barriers. Arriving gives a [`Ticket`]; the ticket is done when its generation has ended. Lanes
//! that have exited no longer count where the barrier waits for everybody (hardware: exited warps release `bar.sync`;
//! inferred for AMD from the same rule in the ISA manuals).

use std::fmt;

use smallvec::SmallVec;

use crate::{BlockId, ClusterId, LaneMask, SyncId, WaveId};

/// Names a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BarrierKey {
    /// Barrier `number` of a block.
    Block(BlockId, u32),
    /// Barrier `number` of a cluster.
    Cluster(ClusterId, u32),
    /// The meeting of some lanes of one wave (`bar.warp.sync`), when they arrive at different times.
    Wave(WaveId),
}

impl fmt::Display for BarrierKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BarrierKey::Block(block, number) => write!(f, "barrier {number} of {block}"),
            BarrierKey::Cluster(cluster, number) => write!(f, "barrier {number} of {cluster}"),
            BarrierKey::Wave(wave) => write!(f, "other lanes of {wave}"),
        }
    }
}

/// How many must arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expected {
    /// Every thread of the block or cluster that has not exited.
    Everyone,
    /// This many, in the units of the arrivals.
    Count(u32),
}

/// An arrival that can be waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ticket {
    /// The barrier.
    pub key: BarrierKey,
    /// Its generation at the arrival.
    pub generation: u32,
}

/// State of one barrier.
#[derive(Clone, Debug)]
pub(crate) struct Rendezvous {
    pub sync: SyncId,
    pub generation: u32,
    pub arrived: u32,
    pub expected: Expected,
    /// Who arrived in this generation, where everybody is expected.
    present: SmallVec<[(WaveId, LaneMask); 4]>,
}

impl Rendezvous {
    pub(crate) fn new(sync: SyncId, expected: Expected) -> Rendezvous {
        Rendezvous { sync, generation: 0, arrived: 0, expected, present: SmallVec::new() }
    }

    /// The count of those who have arrived, and another one that somebody now names.
    pub(crate) fn disagrees(&self, expected: Expected) -> Option<(u32, u32)> {
        match (self.expected, expected) {
            (Expected::Count(before), Expected::Count(now)) if before != now && self.arrived > 0 => {
                Some((before, now))
            }
            _ => None,
        }
    }

    /// Counts an arrival.
    pub(crate) fn arrive(&mut self, wave: WaveId, lanes: LaneMask, weight: u32, expected: Expected) {
        self.arrived += weight;
        self.expected = expected;
        if expected == Expected::Everyone {
            self.present.push((wave, lanes));
        }
    }

    /// Lanes exit. Those that had arrived count once: as gone, no longer as arrived.
    pub(crate) fn leave(&mut self, wave: WaveId, lanes: LaneMask) {
        for (_, present) in self.present.iter_mut().filter(|p| p.0 == wave) {
            let gone = LaneMask(present.0 & lanes.0);
            present.0 &= !gone.0;
            self.arrived = self.arrived.saturating_sub(gone.len());
        }
    }

    /// Ends the generation.
    pub(crate) fn end(&mut self) {
        self.arrived = 0;
        self.generation += 1;
        self.present.clear();
    }
}

/// The place of a barrier object in shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BarrierAt {
    /// The block whose shared memory holds it.
    pub block: BlockId,
    /// Byte offset in that memory.
    pub address: u64,
}

impl BarrierAt {
    /// In words, with whatever its block is to be called.
    pub(crate) fn of(&self, block: &dyn fmt::Display) -> String {
        format!("the barrier at shared + {:#x} of {block}", self.address)
    }
}

impl fmt::Display for BarrierAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.of(&self.block))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_arrives_and_then_exits_counts_once() {
        let mut r = Rendezvous::new(SyncId(0), Expected::Everyone);
        let (first, all) = (LaneMask::first(8), LaneMask::first(32));
        r.arrive(WaveId(0), all, 32, Expected::Everyone);
        r.arrive(WaveId(1), all, 32, Expected::Everyone);
        r.leave(WaveId(0), first);
        assert_eq!(r.arrived, 56);
        r.leave(WaveId(0), LaneMask(all.0 & !first.0));
        r.leave(WaveId(0), all);
        r.leave(WaveId(2), all);
        assert_eq!(r.arrived, 32);
        r.end();
        r.leave(WaveId(1), all);
        assert_eq!((r.arrived, r.generation), (0, 1));
    }
}
