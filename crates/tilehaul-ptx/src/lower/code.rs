//! What lowering gives: instructions with their guards, and what a warp holds when it starts.

use std::ops::Range;

use tilehaul_diag::Span;
use tilehaul_isa::ptx::special::Special;

use crate::inst::{Inst, Pred, Slot};

/// The slot that takes results nobody wants.
pub(crate) const SCRATCH: Slot = 0;
/// The predicate that is always false; results nobody wants go to the next one.
pub(crate) const NEVER: Pred = 0;
/// The predicate that takes results nobody wants.
pub(crate) const SCRATCH_PRED: Pred = 1;

/// What a slot holds when a warp starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Init {
    Const(u64),
    Special(Special),
    /// A shared-memory address: the block's window plus this offset.
    Shared(u32),
}

/// The predicate in front of instructions that have none.
pub(crate) const UNGUARDED: Pred = u32::MAX;

/// Guard of an instruction; `pred` is [`UNGUARDED`] when it has none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guarded {
    pub(crate) pred: Pred,
    pub(crate) negated: bool,
}

/// A program's code.
#[derive(Default)]
pub(crate) struct Code {
    pub(crate) insts: Vec<Inst>,
    pub(crate) guards: Vec<Guarded>,
    /// Where the ways of a branch meet.
    pub(crate) meets: Vec<u32>,
    /// Register slots that an instruction reads or writes.
    pub(crate) touched: Vec<Box<[Slot]>>,
    /// Register slots that an instruction writes.
    pub(crate) written: Vec<Box<[Slot]>>,
    /// Where each instruction was written.
    pub(crate) spans: Vec<Span>,
    /// The opcode of each instruction, for reports.
    pub(crate) names: Vec<u32>,
    pub(crate) inits: Vec<(Slot, Init)>,
    pub(crate) slots: u32,
    pub(crate) preds: u32,
    pub(crate) tables: Vec<Vec<u32>>,
    /// Bytes of local memory of each lane.
    pub(crate) local_bytes: u32,
    /// Functions by number; those that nothing reaches are absent.
    pub(crate) callees: Vec<Option<Callee>>,
}

/// Bytes of a lane's local memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Room {
    pub(crate) at: u32,
    pub(crate) bytes: u32,
}

/// A function as its callers need it.
#[derive(Clone, Debug)]
pub(crate) struct Callee {
    pub(crate) base: u32,
    pub(crate) params: Box<[Room]>,
    pub(crate) returns: Box<[Room]>,
    /// Slot of the return address.
    pub(crate) ret: Slot,
    /// It may be called while it is active, so its registers and memory are saved first.
    pub(crate) again: bool,
    pub(crate) slots: Range<Slot>,
    pub(crate) preds: Range<Pred>,
    pub(crate) memory: Room,
}
