//! How many blocks of a launch a chip holds at a time.
//!
//! Blocks start when others end, so one that waits for a block beyond what the chip holds waits for ever. The number here is
//! the most that any chip of a target can hold: registers, which only the assembler knows, the way in which clusters
//! are placed and other work on the chip can only lower it. A hang that follows from it is therefore real, and one may be
//! missed.

use crate::Launch;

/// What the largest chip of a target has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chip {
    /// Multiprocessors, or compute units.
    pub processors: u32,
    /// Waves that one of them holds.
    pub waves: u32,
    /// Blocks that one of them holds.
    pub blocks: u32,
    /// Bytes of shared memory of one of them.
    pub shared_bytes: u32,
    /// Bytes of it that each block takes beside its own.
    pub reserved_bytes: u32,
}

impl Chip {
    /// Blocks of a launch that are resident together at most; each processor takes at least one.
    #[must_use]
    pub fn holds(&self, launch: &Launch) -> u32 {
        let by_waves = self.waves / launch.waves_per_block().max(1);
        let bytes = launch.shared_bytes.saturating_add(self.reserved_bytes);
        let by_shared = self.shared_bytes.checked_div(bytes).unwrap_or(u32::MAX);
        self.processors.saturating_mul(self.blocks.min(by_waves).min(by_shared).max(1))
    }
}
