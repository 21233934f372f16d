//! What is remembered of operations and waves beside clocks, for words.

use tilehaul_machine::{BarrierAt, BlockId, ChannelKind, LaneMask, Part, PlaceId, Space, Who};

use crate::late::Arrival;

/// What is remembered of an asynchronous operation.
#[derive(Clone, Debug)]
pub(crate) struct OpInfo {
    pub who: Who,
    pub what: &'static str,
    pub barrier: Option<(BlockId, u64)>,
    /// Its records: for what it reads and for what it writes.
    pub(super) records: [Option<u32>; 2],
    /// Position among everything its wave did, to tell which waits came later.
    pub moment: u64,
    /// The issuer's own time then.
    pub issued_at: u32,
    /// Bytes that it writes had been written before.
    pub refills: bool,
    /// Any byte that it wrote was read.
    pub read: bool,
    /// Tells the bytes that it writes from those of others, where operations are handed on between threads.
    pub targets: u64,
    /// How the bytes that it lands are arranged.
    pub(super) arrangement: Option<&'static str>,
    /// Bytes of address after which the arrangement begins anew; 0 where bytes lie in a row.
    pub period: u32,
    /// The first byte that it writes in shared memory.
    pub(super) lands_at: Option<(Space, u64)>,
    /// Where a thread first read arranged bytes by an ordinary load.
    pub reader: Option<PlaceId>,
}

/// A wait that a wave did, for words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WaitNote {
    pub place: PlaceId,
    pub kind: ChannelKind,
    pub asked: u32,
    pub part: Part,
    pub issued: u32,
    pub proven: u32,
    pub moment: u64,
}

/// A wait on a barrier that a wave did, for words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PassNote {
    pub at: BarrierAt,
    pub completed: u32,
    /// The wave's own time then.
    pub time: u32,
    /// The wait was relaxed: it orders nothing before a fence.
    pub relaxed: bool,
}

/// An arrival that waits for operations of a channel, for words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PledgeNote {
    pub at: BarrierAt,
    pub kind: ChannelKind,
    /// Up to this one.
    pub seq: u32,
    pub lanes: LaneMask,
}

/// What a wave did last, for words.
#[derive(Clone, Debug, Default)]
pub(crate) struct WaveNotes {
    pub waits: Vec<WaitNote>,
    pub passes: Vec<PassNote>,
    pub pledges: Vec<PledgeNote>,
    pub moment: u64,
    /// Operations that must be waited for before the wave ends.
    pub(super) unwaited: Vec<u32>,
    /// Issued and proven, by channel.
    pub(super) counts: Vec<(u32, u32)>,
    /// Its time at its last fence behind inits of barriers.
    pub inits_fenced_at: Option<u32>,
    /// Its last arrival at a barrier; of waves in lockstep only.
    pub arrival: Option<Arrival>,
}

impl WaveNotes {
    /// Operations issued on a channel so far.
    pub(crate) fn issued(&self, kind: ChannelKind) -> Option<u32> {
        self.counts.get(kind.index()).map(|c| c.0)
    }
}
