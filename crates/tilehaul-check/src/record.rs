//! What shadow memory remembers of an access, and which accesses tolerate each other.

use tilehaul_machine::{AccessKind, ChannelKind, PlaceId, Proxy, WaveId};

use crate::clock::ActorId;
use crate::fences::Distance;

/// Whose time a record is measured in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Owner {
    /// Lanes of a wave in program order.
    Lanes,
    /// An operation of a channel of the wave, up to a part of it.
    Channel(ChannelKind),
    /// A copy that ends on a barrier; its time is set when it does.
    Copy,
}

/// An access that shadow memory remembers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    pub wave: WaveId,
    pub place: PlaceId,
    pub owner: Owner,
    /// In whose time; for copies under way nobody's yet.
    pub actor: ActorId,
    pub time: u32,
    pub proxy: Proxy,
    /// Index into the operations table plus one, for asynchronous operations.
    pub op: u32,
    /// A load or store of device memory that takes its turn behind those issued before it by any wave of the block: known
    /// to them when its issue is (`issue_actor` in `order.rs`).
    pub one_way: bool,
    /// A store to device memory that left all bytes as they were: who reads them may come before it.
    pub silent: bool,
    pub what: What,
    pub strength: Strength,
}

/// What an access races with, when nothing orders the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Strength {
    /// An ordinary access: with every other.
    Weak,
    /// Atomic or ordered, for threads up to this far away: not with others of its kind whose scope and its own include
    /// both threads (manual: PTX ISA 8, morally strong operations).
    Atomic(Distance),
    /// A load that waits for the bytes to change: with nobody.
    Poll,
    /// A load of bytes that nobody is to write at all.
    ReadOnly,
}

impl Strength {
    pub(crate) fn of(what: What, order: tilehaul_machine::Order, reach: Distance) -> Strength {
        match order {
            tilehaul_machine::Order::Poll => Strength::Poll,
            tilehaul_machine::Order::ReadOnly => Strength::ReadOnly,
            order if order.is_atomic() || what == What::Atomic => Strength::Atomic(reach),
            _ => Strength::Weak,
        }
    }

    /// True when the two may meet without order; `apart` says how far apart their threads are.
    #[inline]
    pub(crate) fn tolerates(self, other: Strength, apart: impl FnOnce() -> Distance) -> bool {
        match (self, other) {
            (Strength::Poll, _) | (_, Strength::Poll) => true,
            (Strength::Atomic(a), Strength::Atomic(b)) => a.min(b) == Distance::Device || a.min(b) >= apart(),
            (Strength::Weak | Strength::ReadOnly, _) | (_, Strength::Weak | Strength::ReadOnly) => false,
        }
    }
}

/// What a record did, as far as rules ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum What {
    Read,
    Write,
    Atomic,
    BarrierInit,
    BarrierUse,
    /// A test of a barrier: a read of it.
    BarrierTest,
    /// The barrier that a copy names: it must be known, and leaves no trace.
    BarrierOperand,
    BarrierInval,
}

/// Never known to anybody.
pub(crate) const NEVER: u32 = u32::MAX;

impl What {
    pub(crate) fn writes(self) -> bool {
        !matches!(self, What::Read | What::BarrierUse | What::BarrierTest | What::BarrierOperand)
    }

    /// An ordinary write, as opposed to one that makes or ends a barrier.
    pub(crate) fn is_data_write(self) -> bool {
        matches!(self, What::Write | What::Atomic)
    }

    /// An ordinary access, as opposed to what barriers are made and asked by.
    pub(crate) fn is_data(self) -> bool {
        matches!(self, What::Read | What::Write | What::Atomic)
    }

    /// It is over when its thread goes on to a barrier, whether or not anything is released there: the value is there.
    pub(crate) fn is_over_with_its_thread(self) -> bool {
        matches!(self, What::Read | What::BarrierTest)
    }

    pub(crate) fn reads(self) -> bool {
        matches!(self, What::Read | What::Atomic)
    }
}

pub(crate) fn what_of(kind: AccessKind) -> What {
    match kind {
        AccessKind::Read => What::Read,
        AccessKind::Write => What::Write,
        AccessKind::Atomic => What::Atomic,
        AccessKind::BarrierInit => What::BarrierInit,
        AccessKind::BarrierUse => What::BarrierUse,
        AccessKind::BarrierTest => What::BarrierTest,
        AccessKind::BarrierInval => What::BarrierInval,
    }
}
