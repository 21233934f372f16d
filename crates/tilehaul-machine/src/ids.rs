//! Names of things in a launch: waves, blocks, lanes, places.

use std::fmt;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $word:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The number as an index into a table.
            #[must_use]
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($word, " {}"), self.0)
            }
        }
    };
}

id!(
    /// A wave (AMD) or warp (NVIDIA), counted over the whole launch: block number times waves a block, plus the
    /// wave's number in its block.
    WaveId,
    "wave"
);
id!(
    /// A block (NVIDIA) or workgroup (AMD), by its linear number in the grid, x fastest.
    BlockId,
    "block"
);
id!(
    /// A cluster of blocks, by its linear number in the grid of clusters.
    ClusterId,
    "cluster"
);
id!(
    /// An instruction of the program; [`crate::Program::span`] turns it into a place in a source file.
    PlaceId,
    "place"
);
id!(
    /// An asynchronous operation, in order of issue over the whole launch.
    OpId,
    "operation"
);
id!(
    /// One life of a synchronisation object: a barrier from its init to its inval, a named barrier, a barrier word.
    SyncId,
    "barrier"
);
id!(
    /// A row of [`crate::Program::channels`].
    ChannelKind,
    "channel"
);
id!(
    /// A row of [`crate::Program::counters`].
    CounterKind,
    "counter"
);

/// A set of lanes of one wave: bit `i` is lane `i`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LaneMask(pub u64);

impl LaneMask {
    /// No lane.
    pub const NONE: LaneMask = LaneMask(0);

    /// The lowest `lanes` lanes.
    #[must_use]
    #[inline]
    pub const fn first(lanes: u32) -> LaneMask {
        if lanes >= 64 { LaneMask(u64::MAX) } else { LaneMask((1 << lanes) - 1) }
    }

    /// One lane.
    #[must_use]
    #[inline]
    pub const fn one(lane: u32) -> LaneMask {
        LaneMask(1 << (lane & 63))
    }

    /// True when no lane is in the set.
    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many lanes are in the set.
    #[must_use]
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// True when `lane` is in the set.
    #[must_use]
    #[inline]
    pub const fn has(self, lane: u32) -> bool {
        lane < 64 && self.0 >> lane & 1 == 1
    }

    /// The lowest lane of the set.
    #[must_use]
    #[inline]
    pub const fn lowest(self) -> Option<u32> {
        if self.0 == 0 { None } else { Some(self.0.trailing_zeros()) }
    }

    /// Lanes of the set in ascending order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = u32> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let lane = rest.trailing_zeros();
            rest &= rest - 1;
            Some(lane)
        })
    }
}

impl fmt::Display for LaneMask {
    /// `lane 3`, `lanes 0..31`, `lanes 0, 4, 8 and 5 more`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(low) = self.lowest() else { return f.write_str("no lane") };
        let high = 63 - self.0.leading_zeros();
        if low == high {
            return write!(f, "lane {low}");
        }
        if self.len() == high - low + 1 {
            return write!(f, "lanes {low}..{high}");
        }
        f.write_str("lanes ")?;
        for (i, lane) in self.iter().take(4).enumerate() {
            write!(f, "{}{lane}", if i == 0 { "" } else { ", " })?;
        }
        if self.len() > 4 { write!(f, " and {} more", self.len() - 4) } else { Ok(()) }
    }
}

/// Who does something, and where in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Who {
    /// The wave.
    pub wave: WaveId,
    /// Its lanes that take part.
    pub lanes: LaneMask,
    /// The instruction.
    pub place: PlaceId,
}

impl fmt::Display for Who {
    /// `wave 2 lane 3`; without lanes `wave 2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.lanes.is_empty() { self.wave.fmt(f) } else { write!(f, "{} {}", self.wave, self.lanes) }
    }
}

/// Which memory an address belongs to. Registers, local memory and constants stay inside an executor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Space {
    /// Device memory, 64-bit addresses.
    Global,
    /// Shared memory or LDS of one block; addresses are byte offsets from its start.
    Shared(BlockId),
    /// Tensor memory of one block; the byte address of lane `l`, column `c` is `l * 2048 + c * 4`.
    Tensor(BlockId),
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Space::Global => f.write_str("global memory"),
            Space::Shared(block) => write!(f, "shared memory of {block}"),
            Space::Tensor(block) => write!(f, "tensor memory of {block}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_print_as_people_write_them() {
        assert_eq!(LaneMask::first(32).to_string(), "lanes 0..31");
        assert_eq!(LaneMask::one(3).to_string(), "lane 3");
        assert_eq!(LaneMask(0b1_0001_0001_0001).to_string(), "lanes 0, 4, 8, 12");
        assert_eq!(LaneMask(0x5555).to_string(), "lanes 0, 2, 4, 6 and 4 more");
        assert_eq!(LaneMask::first(64).len(), 64);
        assert_eq!(LaneMask(0b1010).iter().collect::<Vec<_>>(), [1, 3]);
    }
}
