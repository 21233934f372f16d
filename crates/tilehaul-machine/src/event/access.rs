//! What waves and engines do to memory: by which path, in which order, seen by whom.

use std::fmt;

use crate::{ChannelKind, Space, WaveId, Who};

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
