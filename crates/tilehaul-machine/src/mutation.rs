//! Places where a program can be made wrong on purpose, to see whether a check notices.

use std::fmt;

use crate::{PlaceId, Program};

/// What a mutation does to an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MutationKind {
    /// A wait is left out.
    DropWait,
    /// A wait lets one more operation or group stay outstanding.
    WeakenWait,
    /// A fence is left out.
    DropFence,
    /// A barrier of threads is left out.
    DropBarrier,
    /// An arrival is left out (what else the instruction does, stays).
    DropArrive,
    /// Announced bytes change by this much.
    ChangeBytes(i32),
    /// A wait asks for the other parity.
    FlipParity,
    /// A barrier is initialised for one arrival more.
    RaiseCount,
    /// A wait on a group asks for the sources only, where it asked for all.
    OnlySource,
}

impl fmt::Display for MutationKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MutationKind::DropWait => f.write_str("drop the wait"),
            MutationKind::WeakenWait => f.write_str("let one more stay outstanding"),
            MutationKind::DropFence => f.write_str("drop the fence"),
            MutationKind::DropBarrier => f.write_str("drop the barrier"),
            MutationKind::DropArrive => f.write_str("drop the arrival"),
            MutationKind::ChangeBytes(by) => write!(f, "announce {by:+} bytes"),
            MutationKind::FlipParity => f.write_str("wait for the other parity"),
            MutationKind::RaiseCount => f.write_str("expect one arrival more"),
            MutationKind::OnlySource => f.write_str("wait for the sources only"),
        }
    }
}

/// One mutation of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mutation {
    /// The instruction.
    pub place: PlaceId,
    /// What is done to it.
    pub kind: MutationKind,
}

/// A program that can be made wrong on purpose.
pub trait Mutate: Program + Sized {
    /// Every mutation that makes sense, in order of place: each wait, fence, barrier, arrival, announced byte count and
    /// parity in turn.
    fn mutations(&self) -> Vec<Mutation>;

    /// The program with one of them.
    #[must_use]
    fn mutant(&self, mutation: Mutation) -> Self;
}
