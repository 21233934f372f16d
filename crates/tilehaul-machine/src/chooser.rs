//! Every choice of a run goes through here, so that a run is a pure function of its seed or its script.

use crate::{BarrierKey, BlockId, Channel, LaneMask, Part, Space};

/// splitmix64: small, fast, the same on every machine.
#[derive(Clone, Debug)]
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) fn new(seed: u64) -> Rng {
        Rng(seed ^ 0x6a09_e667_f3bc_c908)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n` (0 when `n` is 0).
    pub(crate) fn below(&mut self, n: u32) -> u32 {
        (((self.next() >> 32) * u64::from(n)) >> 32) as u32
    }
}

/// One decision of an exhaustive exploration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The alternatives, each the number of an actor: a wave, or an operation's next step.
    pub options: Vec<Actor>,
    /// Which was taken.
    pub taken: u32,
    /// What the step that was taken touched, filled in after it ran.
    pub footprint: Vec<Footprint>,
    /// Steps that were asleep here, beyond the script.
    pub asleep: Vec<Sleeper>,
}

/// A step that was explored already and commutes with all that has happened since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sleeper {
    /// Whose step.
    pub actor: Actor,
    /// What it touched.
    pub footprint: Vec<Footprint>,
}

/// Something that can take the next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Actor {
    /// A wave executes up to and including its next visible instruction.
    Wave(u32),
    /// A piece of an operation samples its source, and after that lands.
    Piece(u32, u32),
}

/// Part of what a step did, to tell whether two steps commute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Footprint {
    /// What.
    pub deed: Deed,
    /// The piece of an operation that did it; none for the wave itself.
    pub by: Option<(u32, u32)>,
    /// True when a wait made an operation do it, which the operation could also have done by itself.
    pub forced: bool,
}

/// A barrier of either kind, by a name that is the same in every run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BarrierName {
    /// A transaction barrier at a shared address.
    Object(BlockId, u64),
    /// A rendezvous of threads.
    Threads(BarrierKey),
}

/// Something that a step did and others may depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Bytes were read or written.
    Bytes {
        /// The memory.
        space: Space,
        /// First byte.
        start: u64,
        /// Number of bytes.
        len: u64,
        /// True when it may change them.
        write: bool,
    },
    /// Arrivals or bytes were counted on a barrier.
    Count {
        /// The barrier.
        barrier: BarrierName,
        /// The generation in which they were counted.
        generation: u32,
        /// Arrivals pending before.
        pending: u32,
        /// Arrivals counted.
        arrivals: u32,
        /// Announced bytes outstanding before.
        bytes: i64,
        /// What was added to them.
        change: i64,
        /// True when it ended the generation.
        ends: bool,
    },
    /// A wait on a barrier found that so many generations have ended.
    Passed {
        /// The barrier.
        barrier: BarrierName,
        /// Generations that have ended.
        completed: u32,
        /// True when later generations take nothing back (a ticket, not a parity).
        lasting: bool,
    },
    /// A wave stays at a barrier whose generation has not ended.
    Waits(BarrierName),
    /// A test of a barrier object found that the generation has not ended; whether the wave stays shows in what it does next.
    Looked {
        /// The barrier.
        barrier: BarrierName,
        /// The generation.
        generation: u32,
    },
    /// A loop that polls looked at a barrier word, of which so many generations have ended; whether it was what the loop
    /// waits for shows in what it does next.
    Polled {
        /// The word.
        barrier: BarrierName,
        /// Generations that have ended.
        completed: u32,
    },
    /// The whole step was part of a turn of a loop that came back to the state in which it began, having changed nothing:
    /// it comes to the same without it.
    Vain,
    /// A barrier was made, unmade, or told to expect another number.
    Reset(BarrierName),
    /// An operation was issued.
    Issued(u32),
    /// A piece of an operation of a channel was sampled or has landed.
    Moved {
        /// The channel.
        channel: Channel,
        /// Number of the operation.
        seq: u32,
        /// The lanes that issued it.
        lanes: LaneMask,
        /// Landed, not only sampled.
        landed: bool,
        /// Operations of the channel land in order.
        ordered: bool,
    },
    /// Whatever comes next knows the operations of a channel up to a number.
    Done {
        /// The channel.
        channel: Channel,
        /// The number.
        seq: u32,
        /// The lanes whose operations they are.
        lanes: LaneMask,
        /// Sources only, or all.
        part: Part,
    },
    /// A wave ended.
    Left(BlockId),
    /// The last wave of a block ended.
    Ended(BlockId),
}

impl Footprint {
    /// True when two steps with these parts must not be swapped, whatever state they are taken in.
    #[must_use]
    pub fn conflicts(&self, other: &Footprint) -> bool {
        self.deed.conflicts(&other.deed) || other.deed.conflicts(&self.deed)
    }
}

impl Deed {
    /// One direction of the relation.
    fn conflicts(&self, other: &Deed) -> bool {
        match (*self, *other) {
            (
                Deed::Bytes { space, start, len, write },
                Deed::Bytes { space: space2, start: start2, len: len2, write: write2 },
            ) => {
                (write || write2)
                    && space == space2
                    && start < start2.saturating_add(len2)
                    && start2 < start.saturating_add(len)
            }
            (Deed::Bytes { space, start, len, .. }, _) => {
                let Some(BarrierName::Object(block, at)) = other.barrier() else { return false };
                space == Space::Shared(block) && start < at + 8 && at < start.saturating_add(len)
            }
            // Steps of one channel see each other: waits make pieces move, and pieces land in turn.
            (
                Deed::Moved { channel, .. } | Deed::Done { channel, .. },
                Deed::Moved { channel: c, .. } | Deed::Done { channel: c, .. },
            ) => channel == c,
            // An exit may end any barrier.
            (Deed::Left(_), Deed::Left(_)) => false,
            (Deed::Left(block), Deed::Bytes { space, .. }) => space == Space::Shared(block),
            (Deed::Left(_), _) => other.barrier().is_some(),
            _ if self.barrier().is_some() => self.barrier() == other.barrier(),
            _ => false,
        }
    }

    /// True for what a wave that polls may do without anybody noticing.
    pub(crate) fn only_looks(&self) -> bool {
        matches!(
            self,
            Deed::Looked { .. } | Deed::Waits(_) | Deed::Polled { .. } | Deed::Bytes { write: false, .. }
        )
    }

    /// The barrier that it works on.
    pub(crate) fn barrier(&self) -> Option<BarrierName> {
        match *self {
            Deed::Count { barrier, .. }
            | Deed::Passed { barrier, .. }
            | Deed::Waits(barrier)
            | Deed::Looked { barrier, .. }
            | Deed::Polled { barrier, .. }
            | Deed::Reset(barrier) => Some(barrier),
            Deed::Bytes { .. }
            | Deed::Vain
            | Deed::Issued(_)
            | Deed::Moved { .. }
            | Deed::Done { .. }
            | Deed::Left(_)
            | Deed::Ended(_) => None,
        }
    }

    /// The block in whose shared memory it acts.
    pub(crate) fn shared_of(&self) -> Option<BlockId> {
        match (self, self.barrier()) {
            (Deed::Bytes { space: Space::Shared(block), .. }, _) => Some(*block),
            (_, Some(BarrierName::Object(block, _))) => Some(block),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_below_their_bound_and_repeat_for_a_seed() {
        let (mut a, mut b) = (Rng::new(7), Rng::new(7));
        for n in 1..200 {
            let x = a.below(n);
            assert!(x < n);
            assert_eq!(x, b.below(n));
        }
        assert_ne!(Rng::new(1).next(), Rng::new(2).next());
    }
}
