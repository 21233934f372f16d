//! What an observer sees of a run.
//!
//! The vocabulary is small and knows no instruction set. Happens-before follows from it alone:
//! an [`Access`] is ordered by program order of its lanes, or belongs to a [`Lane of time`](Track) of an asynchronous
//! unit; [`Event::Release`] and [`Event::Acquire`] of one [`Token`] join threads; an asynchronous operation begins at
//! [`Event::Issue`] knowing what its issuer knew, and its end is known to whoever sees [`Event::Observe`] or acquires
//! the token of its [`Event::Complete`].

mod access;

use crate::{BarrierAt, BlockId, ChannelKind, LaneMask, OpId, Space, SyncId, Who};

pub use access::{Access, AccessKind, Channel, Order, Proxy, Scope, Track};

/// What a memory fence orders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FenceKind {
    /// What relaxed reads before it found comes before what follows it.
    Acquire,
    /// What comes before it comes before relaxed writes after it.
    Release,
    /// Both.
    #[default]
    AcquireRelease,
}

impl FenceKind {
    /// True for all but a release fence.
    #[must_use]
    pub fn acquires(self) -> bool {
        self != FenceKind::Release
    }

    /// True for all but an acquire fence.
    #[must_use]
    pub fn releases(self) -> bool {
        self != FenceKind::Acquire
    }
}

/// How far an asynchronous operation has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// Its sources are read: they may be overwritten.
    Source,
    /// All is done: sources read, destinations written.
    All,
}

/// A generation of a synchronisation object: phase 3 of an mbarrier, the second time round a workgroup barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Token {
    /// The object.
    pub sync: SyncId,
    /// Which time round, from 0.
    pub generation: u32,
}

/// Bytes that an asynchronous operation touches between its issue and its completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Touch {
    /// The memory.
    pub space: Space,
    /// First byte.
    pub start: u64,
    /// Number of bytes.
    pub len: u64,
    /// Read, written, or both (a reduction).
    pub kind: AccessKind,
    /// The lane that asked for them, for operations that act for each lane; else the issuing lane.
    pub lane: u8,
}

/// How the end of an asynchronous operation is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ends {
    /// By the phase of a transaction barrier in which its last byte is counted: told by [`Event::Complete`].
    Barrier,
    /// As number `seq` of a channel of the issuing wave.
    Channel {
        /// The channel.
        kind: ChannelKind,
        /// Its number there.
        seq: u32,
    },
    /// Nobody can know (a prefetch).
    Unknown,
}

/// The start of an asynchronous operation.
#[derive(Clone, Copy, Debug)]
pub struct Issued<'a> {
    /// The operation.
    pub op: OpId,
    /// Who issued it.
    pub who: Who,
    /// In words: `tensor load`, `bulk store`.
    pub what: &'static str,
    /// Path to memory.
    pub proxy: Proxy,
    /// What it touches; written ranges may come in any order.
    pub touches: &'a [Touch],
    /// How its end is known.
    pub ends: Ends,
    /// For words: what it signals, when it ends on a barrier.
    pub barrier: Option<(BlockId, u64)>,
}

/// Kinds of proxy fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProxyFence {
    /// Between generic and async proxy, both ways; `None` covers every memory.
    Async(Option<SpaceKind>),
    /// The lanes' initialisations of transaction barriers become visible to engines, too.
    BarrierInit,
    /// After a tensor map was changed.
    TensormapRelease,
    /// Before the tensor map at this global address is used.
    TensormapAcquire {
        /// First byte of the map.
        map: u64,
    },
}

/// Which side of a hand-over between threads a fence of pipelined operations stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PipelineFence {
    /// Behind the operations, before what orders the threads (`tcgen05.fence::before_thread_sync`).
    Before,
    /// Behind what orders the threads, before the operations (`tcgen05.fence::after_thread_sync`).
    After,
}

/// A kind of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SpaceKind {
    /// Device memory.
    Global,
    /// Shared memory.
    Shared,
    /// Tensor memory.
    Tensor,
}

impl Space {
    /// Which kind of memory it is.
    #[must_use]
    pub fn kind(self) -> SpaceKind {
        match self {
            Space::Global => SpaceKind::Global,
            Space::Shared(_) => SpaceKind::Shared,
            Space::Tensor(_) => SpaceKind::Tensor,
        }
    }
}

/// A wait on a channel or counter that returned, for hints on waits that are stronger than needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaitDone {
    /// The channel.
    pub channel: ChannelKind,
    /// How many may stay outstanding, as asked.
    pub asked: u32,
    /// How far operations must have come.
    pub part: Part,
    /// Operations issued on the channel so far.
    pub issued: u32,
    /// Complete up to this number before the wait, as far as earlier waits prove.
    pub before: u32,
    /// Complete up to this number after it.
    pub proven: u32,
    /// The newest asynchronous copy issued on the channel; 0 when there was none.
    pub newest_copy: u32,
    /// Operations of other channels that the same counter counted and that were outstanding.
    pub others: u32,
    /// For groups: complete up to these numbers, had one, two, three or four more been allowed to stay outstanding.
    pub weaker: Option<[u32; 4]>,
}

/// One thing that happened.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A block became resident; its shared memory holds nothing defined.
    BlockStart(BlockId),
    /// All waves of a block have ended; no operation of it may be under way.
    BlockEnd(BlockId),
    /// Lanes of a wave ended.
    Exit(Who),
    /// Lanes accessed memory. `silent` are the lanes whose write left every byte as it was.
    Access {
        /// The access.
        access: &'a Access<'a>,
        /// What it did.
        kind: AccessKind,
        /// Lanes whose write changed nothing.
        silent: LaneMask,
    },
    /// What the lanes did so far happens before whoever acquires the token.
    Release {
        /// Who.
        who: Who,
        /// Of what.
        token: Token,
    },
    /// A relaxed arrival: only what a fence of the lanes made available happens before whoever acquires the token.
    ReleaseFenced {
        /// Who.
        who: Who,
        /// Of what.
        token: Token,
        /// Among whom.
        scope: Scope,
        /// It is a barrier that threads stay at until all have come: what they read before it is over.
        meets: bool,
    },
    /// What was released to the object up to this generation happens before what the lanes do next.
    Acquire {
        /// Who.
        who: Who,
        /// Of what.
        token: Token,
    },
    /// A relaxed wait saw the generation complete: what was released to it is known after the next fence of the lanes.
    AcquireFenced {
        /// Who.
        who: Who,
        /// Of what.
        token: Token,
        /// Among whom.
        scope: Scope,
    },
    /// A generic memory fence (`fence.acq_rel`, `membar`, `buffer_wbl2`/`buffer_inv`).
    Fence {
        /// Who.
        who: Who,
        /// What it orders.
        kind: FenceKind,
        /// Among whom.
        scope: Scope,
    },
    /// A proxy fence.
    ProxyFence {
        /// Who.
        who: Who,
        /// Which.
        fence: ProxyFence,
    },
    /// A fence that hands the order of issue on between threads: see [`crate::Handover`].
    PipelineFence {
        /// Who.
        who: Who,
        /// Which side.
        fence: PipelineFence,
    },
    /// An asynchronous operation begins.
    Issue(&'a Issued<'a>),
    /// A part of an operation is done and counted in `token`: whoever acquires that, knows it.
    Complete {
        /// The operation.
        op: OpId,
        /// How far.
        part: Part,
        /// The generation in which it is counted.
        token: Token,
    },
    /// A barrier arrival by an asynchronous unit carries the knowledge that a channel is complete up to `seq`.
    Carry {
        /// The channel.
        channel: Channel,
        /// Lanes whose operations these are.
        lanes: LaneMask,
        /// Complete up to here.
        seq: u32,
        /// The generation in which the arrival is counted.
        token: Token,
    },
    /// An operation lands bytes in an arrangement (a swizzle) that readers have to know.
    LandsArranged {
        /// The operation.
        op: OpId,
        /// The arrangement in words: `128B swizzle`.
        arrangement: &'static str,
        /// Bytes of address after which it begins anew; 0 where bytes lie in a row.
        period: u32,
    },
    /// Bytes are read as if they lay in an arrangement.
    ReadsArranged {
        /// Who.
        who: Who,
        /// The memory.
        space: Space,
        /// One of the bytes read.
        address: u64,
        /// The arrangement in words.
        arrangement: &'static str,
    },
    /// A wait proved to the lanes that a channel of their wave is complete up to `seq`.
    Observe {
        /// Who.
        who: Who,
        /// The channel.
        kind: ChannelKind,
        /// How far.
        part: Part,
        /// Complete up to here.
        seq: u32,
    },
    /// Operations of another wave's channel up to `seq` are parts of those that a wait of the lanes proved complete.
    ObservePart {
        /// Who.
        who: Who,
        /// The channel of the other wave.
        channel: Channel,
        /// Complete up to here.
        seq: u32,
    },
    /// A wait returned.
    Waited {
        /// Who.
        who: Who,
        /// What.
        wait: WaitDone,
    },
    /// A register that operation `seq` of the channel fills was used: the wait before it was needed that far.
    Needed {
        /// Who.
        who: Who,
        /// The channel.
        kind: ChannelKind,
        /// The operation.
        seq: u32,
    },
    /// An arrival waits for operations of a channel to end.
    Pledged {
        /// Whose operations.
        who: Who,
        /// The channel.
        kind: ChannelKind,
        /// Up to this one.
        seq: u32,
        /// The barrier.
        at: BarrierAt,
    },
    /// A wait on a transaction barrier succeeded.
    Passed {
        /// Who.
        who: Who,
        /// The barrier.
        at: BarrierAt,
        /// Phases that it had completed by then; 0 when a fresh barrier let the wait pass.
        completed: u32,
    },
}

/// Sees a run. It never changes it.
pub trait Observer {
    /// Something happened.
    fn event(&mut self, event: &Event<'_>);

    /// For taking the observer out of the machine after a run.
    fn into_any(self: Box<Self>) -> Box<dyn std::any::Any>;
}
