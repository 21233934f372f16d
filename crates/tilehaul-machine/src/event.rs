//! What an observer sees of a run.
//!
//! The vocabulary is small and knows no instruction set. Happens-before follows from it alone:
//! an [`Access`] is ordered by program order of its lanes, or belongs to a [`Lane of time`](Track) of an asynchronous
//! unit; [`Event::Release`] and [`Event::Acquire`] of one [`Token`] join threads; an asynchronous operation begins at
//! [`Event::Issue`] knowing what its issuer knew, and its end is known to whoever sees [`Event::Observe`] or acquires
//! the token of its [`Event::Complete`].

use std::fmt;

use crate::{BarrierAt, BlockId, ChannelKind, LaneMask, OpId, Space, SyncId, WaveId, Who};

/// Which path to memory an access takes. Paths are kept in order by proxy fences only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Proxy {
    /// Ordinary loads, stores, atomics, and everything on AMD.
    #[default]
    Generic,
    /// Bulk copies, tensor copies, tensor-core operands (NVIDIA).
    Async,
    /// Reads of a tensor map by the copy engine (NVIDIA).
    Tensormap,
}

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AccessKind {
    /// Reads bytes.
    Read,
    /// Writes bytes.
    Write,
    /// Reads and writes in one step.
    Atomic,
    /// Makes a barrier object in these bytes.
    BarrierInit,
    /// Works on the barrier object in these bytes.
    BarrierUse,
    /// Looks at the barrier object in these bytes.
    BarrierTest,
    /// Ends the life of the barrier object in these bytes.
    BarrierInval,
}

impl AccessKind {
    /// True when bytes may change.
    #[must_use]
    pub fn writes(self) -> bool {
        self != AccessKind::Read
    }
}

/// Memory order of an access, as C++ has it; `Weak` is an ordinary access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Order {
    /// An ordinary access.
    #[default]
    Weak,
    /// Single copy atomic, orders nothing by itself (`.relaxed`, `.volatile`, plain atomics).
    Relaxed,
    /// What comes later stays later.
    Acquire,
    /// What came earlier stays earlier.
    Release,
    /// Both.
    AcquireRelease,
    /// An ordinary load that a loop repeats until the value changes. Whatever is stored there meanwhile is what it waits
    /// for: it acquires what the store released, and races with nobody.
    Poll,
    /// An ordinary load of bytes that nobody is to write while the kernel runs (`ld.global.nc`): it goes through a cache
    /// that takes no notice of writes.
    ReadOnly,
    /// A load whose value a compare-and-swap settles: it may be as old as it likes, and races with nobody who is atomic.
    Guess,
    /// An ordinary store of one lane, which others may poll: it releases, and races as an ordinary store does.
    Flag,
}

impl Order {
    /// True when what the access finds released is known from then on.
    #[must_use]
    pub fn acquires(self) -> bool {
        matches!(self, Order::Acquire | Order::AcquireRelease | Order::Poll)
    }

    /// True when the access releases all that is known before it.
    #[must_use]
    pub fn releases(self) -> bool {
        matches!(self, Order::Release | Order::AcquireRelease | Order::Flag)
    }

    /// True when two such accesses never race with each other.
    #[must_use]
    pub fn is_atomic(self) -> bool {
        !matches!(self, Order::Weak | Order::ReadOnly | Order::Flag)
    }

    /// True for an ordinary load or store, which synchronises nobody.
    #[must_use]
    pub fn is_plain(self) -> bool {
        matches!(self, Order::Weak | Order::ReadOnly)
    }
}

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

/// Among whom a synchronising access counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// The lanes of a wave.
    Wave,
    /// A block.
    #[default]
    Block,
    /// A cluster.
    Cluster,
    /// The device.
    Device,
    /// Device and host.
    System,
}

/// One life of a lane of time on which an asynchronous unit works: ops on it have numbers 1, 2, 3…, and "complete up to
/// n" is what a wait proves. Counters of an AMD wave and bulk groups of an NVIDIA thread are channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Channel {
    /// The wave that issues on it.
    pub wave: WaveId,
    /// Which of its channels.
    pub kind: ChannelKind,
}

/// How far an asynchronous operation has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// Its sources are read: they may be overwritten.
    Source,
    /// All is done: sources read, destinations written.
    All,
}

/// Whose order an access follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Track {
    /// Program order of its lanes.
    Lanes,
    /// Operation `seq` of a channel of the wave: done when the channel is complete up to `seq`.
    Channel {
        /// The channel.
        kind: ChannelKind,
        /// Its number there.
        seq: u32,
    },
}

/// One instruction's access to one memory: one range of `size` bytes for each lane.
#[derive(Clone, Copy, Debug)]
pub struct Access<'a> {
    /// Who.
    pub who: Who,
    /// Which memory.
    pub space: Space,
    /// First byte of each lane's range, indexed by lane number; entries of lanes outside `who.lanes` mean nothing.
    pub addresses: &'a [u64],
    /// Bytes of each lane's range.
    pub size: u32,
    /// Memory order.
    pub order: Order,
    /// Scope of that order.
    pub scope: Scope,
    /// Path to memory.
    pub proxy: Proxy,
    /// Program order, or an asynchronous channel.
    pub track: Track,
    /// A load that a loop, which does nothing else, repeats until it likes what it finds.
    pub polls: bool,
}

impl<'a> Access<'a> {
    /// An ordinary access in program order.
    #[must_use]
    #[inline]
    pub fn new(who: Who, space: Space, addresses: &'a [u64], size: u32) -> Access<'a> {
        Access {
            who,
            space,
            addresses,
            size,
            order: Order::Weak,
            scope: Scope::Block,
            proxy: Proxy::Generic,
            track: Track::Lanes,
            polls: false,
        }
    }

    /// The same with a memory order and its scope.
    #[must_use]
    #[inline]
    pub fn ordered(mut self, order: Order, scope: Scope) -> Access<'a> {
        (self.order, self.scope) = (order, scope);
        self
    }

    /// The same as operation `seq` of a channel.
    #[must_use]
    #[inline]
    pub fn on(mut self, kind: ChannelKind, seq: u32) -> Access<'a> {
        self.track = Track::Channel { kind, seq };
        self
    }
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

impl fmt::Display for AccessKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            AccessKind::Read => "read",
            AccessKind::Write => "write",
            AccessKind::Atomic => "atomic update",
            AccessKind::BarrierInit => "barrier init",
            AccessKind::BarrierUse | AccessKind::BarrierTest => "barrier operation",
            AccessKind::BarrierInval => "barrier inval",
        })
    }
}
