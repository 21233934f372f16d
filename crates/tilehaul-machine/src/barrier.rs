//! Barriers between threads: a number of participants meet, then all go on.
//!
//! One object serves `bar.sync`/`bar.arrive` with or without a thread count, `s_barrier` and its split forms, named
//! barriers and cluster barriers. Arriving gives a [`Ticket`]; the ticket is done when its generation has ended. Lanes
//! that have exited no longer count where the barrier waits for everybody (hardware: exited warps release `bar.sync`;
//! inferred for AMD from the same rule in the ISA manuals).

use std::fmt;

use crate::{BlockId, ClusterId, SyncId};

/// Names a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BarrierKey {
    /// Barrier `number` of a block.
    Block(BlockId, u32),
    /// Barrier `number` of a cluster.
    Cluster(ClusterId, u32),
    /// The meeting of some lanes of one wave (`bar.warp.sync`), when they arrive at different times.
    Wave(crate::WaveId),
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
}

/// The place of a barrier object in shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BarrierAt {
    /// The block whose shared memory holds it.
    pub block: BlockId,
    /// Byte offset in that memory.
    pub address: u64,
}

impl fmt::Display for BarrierAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the barrier at shared + {:#x} of {}", self.address, self.block)
    }
}
