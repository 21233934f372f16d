//! Tensor-memory addresses and cells.

use std::fmt;

/// Lanes (rows) of a block's tensor memory (manual: PTX ISA, Tensor Memory).
pub const LANES: u32 = 128;
/// Columns of a block's tensor memory, each 32 bits wide (manual: PTX ISA, Tensor Memory).
pub const COLUMNS: u32 = 512;
/// Lanes that one warp can load and store: 32, chosen by its index modulo 4 (manual: PTX ISA, Tensor Memory access).
pub const SLAB_LANES: u32 = 32;

/// An address as instructions carry it: lane in bits 31:16, column in bits 15:0. It is no pointer; adding one moves
/// one column, adding `1 << 16` one lane, and all arithmetic is plain 32-bit addition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TmemAddress(pub u32);

impl TmemAddress {
    /// The address of a lane and a column; numbers above 16 bits wrap as the hardware's addition does.
    #[must_use]
    pub fn new(lane: u32, column: u32) -> TmemAddress {
        TmemAddress((lane << 16).wrapping_add(column & 0xffff))
    }

    /// The lane field, 0 to 65535.
    #[must_use]
    pub fn lane(self) -> u32 {
        self.0 >> 16
    }

    /// The column field, 0 to 65535.
    #[must_use]
    pub fn column(self) -> u32 {
        self.0 & 0xffff
    }

    /// The slab of 32 lanes that the lane field names, 0 to 3 (bits 22:21).
    #[must_use]
    pub fn slab(self) -> u32 {
        (self.lane() / SLAB_LANES) % 4
    }

    /// The address plus a constant, as `[taddr + n]` and the immediate of `16x32bx2` add it.
    #[must_use]
    pub fn offset(self, by: i32) -> TmemAddress {
        TmemAddress(self.0.wrapping_add_signed(by))
    }
}

impl fmt::Display for TmemAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#010x} (lane {}, column {})", self.0, self.lane(), self.column())
    }
}

/// One 32-bit cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// Physical lane, below [`LANES`].
    pub lane: u32,
    /// Physical column, below [`COLUMNS`].
    pub column: u32,
}

impl Cell {
    /// Its index in a row-major array of all cells, lane by lane.
    #[must_use]
    pub fn index(self) -> usize {
        (self.lane * COLUMNS + self.column) as usize
    }
}

/// What the slab bits of a load's or store's address do. Release builds route every access to the slab of the
/// executing warp; builds with `-g-tmem-access-check` trap when the bits name another one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SlabCheck {
    /// Route by the warp; bits that name a third slab are worth a warning (manual: DeepGEMM 341).
    #[default]
    Route,
    /// Refuse bits that do not name the warp's slab (manual: ptxas guardrails).
    Strict,
}
