//! Loads, stores, atomics, and operations on barriers in shared memory.

use tilehaul_machine::{Order, Ordering, Scope};

use super::{Addr, Mem, Slot};

#[derive(Clone, Debug)]
pub(crate) struct MemOp {
    pub(crate) space: Mem,
    pub(crate) addr: Addr,
    /// Registers in memory order; elements of 16 bytes have two.
    pub(crate) regs: Box<[Slot]>,
    /// Bytes of a register in memory: 1, 2, 4 or 8.
    pub(crate) bytes: u32,
    /// Sign-extend loaded values to this many bits.
    pub(crate) sign: Option<u32>,
    pub(crate) order: Order,
    pub(crate) scope: Scope,
    /// A load that a loop repeats until it likes the value.
    pub(crate) polls: bool,
}

/// What an atomic does to a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AtomKind {
    Add,
    Inc,
    Dec,
    Min,
    Max,
    And,
    Or,
    Xor,
    Exch,
    Cas,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AtomType {
    Unsigned,
    Signed,
    F32,
    F64,
    F16,
    F16x2,
    Bf16,
    Bf16x2,
}

#[derive(Clone, Debug)]
pub(crate) struct AtomOp {
    pub(crate) kind: AtomKind,
    pub(crate) ty: AtomType,
    pub(crate) bytes: u32,
    pub(crate) space: Mem,
    pub(crate) addr: Addr,
    /// Old values; none for `red`. 16-byte elements have two.
    pub(crate) dst: Option<Box<[Slot]>>,
    pub(crate) src: Box<[Slot]>,
    /// New values of a compare and swap.
    pub(crate) new: Box<[Slot]>,
    pub(crate) order: Order,
    pub(crate) scope: Scope,
}

/// Which arrival an mbarrier instruction makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArriveKind {
    Count,
    ExpectTx,
    Drop,
    DropExpectTx,
    NoComplete,
}

#[derive(Clone, Debug)]
pub(crate) struct MbarOp {
    pub(crate) space: Mem,
    pub(crate) addr: Addr,
    /// Count, bytes, parity or state.
    pub(crate) value: Slot,
    pub(crate) ordering: Ordering,
}
