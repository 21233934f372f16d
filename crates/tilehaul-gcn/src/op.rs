//! Instructions lowered for execution: operands resolved, the handler chosen.

use tilehaul_diag::Diagnostic;
use tilehaul_isa::gcn::Inst;
use tilehaul_machine::{Core, PlaceId, Scope, Trap, Waits};

use crate::Gcn;
use crate::matrix::Shape;
use crate::salu::Scalar;
use crate::unwritten::Told;
use crate::valu::compare::Compare;
use crate::valu::kernel::{Kernel, Part};
use crate::wait_states::Watched;
use crate::wave::Wave;

/// Where a source value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SrcKind {
    /// Not used.
    None,
    /// A vector register (accumulators from [`crate::wave::ACC_BASE`]).
    V(u16),
    /// A scalar register by its encoded number.
    S(u8),
    /// A constant, already in the bits of the operand's type.
    Const(u64),
}

/// A source operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Src {
    pub kind: SrcKind,
    /// Which bank of `s_set_vgpr_msb` applies.
    pub slot: u8,
    /// Dwords.
    pub width: u8,
    /// The upper 16 bits (true16 `.h`).
    pub high: bool,
    pub neg: bool,
    pub abs: bool,
    /// A kernel takes the register as it is.
    pub plain: bool,
}

impl Default for Src {
    fn default() -> Src {
        Src::NONE
    }
}

impl Src {
    pub(crate) const NONE: Src =
        Src { kind: SrcKind::None, slot: 0, width: 0, high: false, neg: false, abs: false, plain: false };
}

/// A vector register as destination or as memory operand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reg {
    pub n: u16,
    pub slot: u8,
    pub width: u8,
    /// Upper 16 bits only.
    pub high: bool,
    /// True when it names something.
    pub is: bool,
}

/// What a handler without memory access does.
pub(crate) type AluFn<const L: usize> = fn(&mut Wave<L>, &Op<L>);
/// What any other handler does.
pub(crate) type SysFn<const L: usize> = fn(&Gcn<L>, &mut Wave<L>, &Op<L>, &mut Core) -> Result<Flow, Stop>;

/// How execution goes on.
#[derive(Debug)]
pub(crate) enum Flow {
    /// The next instruction.
    Next,
    /// The instruction with this index.
    Jump(u32),
    /// Done, but others should go first.
    Poll(Waits),
    /// Not done: try again.
    Block(Waits),
    /// The wave has ended.
    Exit,
}

/// Why execution ends.
#[derive(Debug)]
pub(crate) enum Stop {
    Fault(Trap),
    Unsupported(Box<Diagnostic>),
}

impl From<Trap> for Stop {
    fn from(trap: Trap) -> Stop {
        Stop::Fault(trap)
    }
}

/// The handler of an instruction.
#[derive(Clone, Copy)]
pub(crate) enum Action<const L: usize> {
    Alu(AluFn<L>),
    Sys(SysFn<L>),
    /// Not modelled: matters only when it is reached.
    Missing,
}

/// A lowered instruction.
pub(crate) struct Op<const L: usize> {
    pub action: Action<L>,
    pub place: PlaceId,
    pub vdst: Reg,
    /// Second result: a scalar register number, 255 for none.
    pub sdst: u8,
    /// Dwords of the scalar destination.
    pub swidth: u8,
    pub src: [Src; 3],
    pub clamp: bool,
    pub omod: u8,
    /// Any of neg, abs, clamp, omod, opsel, SDWA or DPP is in use.
    pub fancy: bool,
    pub opsel: u8,
    pub opsel_hi: u8,
    pub neg_lo: u8,
    pub neg_hi: u8,
    /// Immediate, literal, offset, branch target index; per family.
    pub imm: i64,
    pub imm2: u32,
    pub lanes: Lanes,
    /// The Y half of a dual instruction.
    pub second: Option<Box<Op<L>>>,
    /// For `v_*` on memory: address and data registers.
    pub addr: Reg,
    pub data: Reg,
    pub data1: Reg,
    pub saddr: Src,
    pub rsrc: u8,
    pub work: Work,
    /// What a lanewise operation reads and writes.
    pub parts: [Part; 3],
    pub result: Part,
    /// The result is written as the kernel made it.
    pub direct: bool,
    /// Bits of MODE about denormals that the operation obeys: see `valu/denormal.rs`.
    pub denormals: u8,
    /// A comparison that writes EXEC.
    pub writes_exec: bool,
    pub form: crate::form::Form,
    /// An atomic that returns the old value.
    pub returns: bool,
    /// A memory instruction whose address is translated (XCNT).
    pub translates: bool,
    /// A load whose value a compare-and-swap of the same place tries first.
    pub swapped: bool,
    /// A branch back over code that only reads memory.
    pub spins: bool,
    /// A load that such a loop repeats at the same address.
    pub polls: bool,
    /// The scope that the cache policy bits of a load or store name.
    pub scope: Option<Scope>,
    pub rest: Box<Rest<L>>,
}

/// What an arithmetic operation computes.
#[derive(Clone, Debug, Default)]
pub(crate) enum Work {
    #[default]
    None,
    /// For every lane alike.
    Lanes(Kernel),
    Compare(Compare),
    Scalar(Scalar),
    Matrix(Box<Shape>),
}

/// What most instructions do not need while they run.
#[derive(Default)]
pub(crate) struct Rest<const L: usize> {
    pub inst: Option<Inst>,
    /// Vector registers read and written, for the check of loads not yet waited for: first register, dwords, written.
    pub touches: Vec<(Reg, bool)>,
    /// Scalar registers likewise.
    pub touches_s: Vec<(u8, u8, bool)>,
    /// Descriptor groups of a tensor operation.
    pub groups: [u8; 4],
    /// Scale registers of a matrix operation.
    pub scales: [Src; 2],
    /// It uses a register that nothing has written.
    pub unwritten: Option<Box<Told<L>>>,
    /// It is on the way between two instructions that stand too close to each other.
    pub watched: Option<Box<Watched<L>>>,
}

impl<const L: usize> Op<L> {
    /// The mnemonic; empty for a word that is no instruction.
    pub(crate) fn name(&self) -> &'static str {
        self.rest.inst.map_or("", |i| i.row.mnemonic)
    }
}

/// Lane movement of a source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Lanes {
    /// None.
    #[default]
    Straight,
    /// DPP dword.
    Dpp(u32),
    /// DPP8 selectors and `fi`.
    Dpp8(u32, bool),
    /// SDWA dword.
    Sdwa(u32),
}

/// The selection of SDWA that takes all 32 bits.
const WHOLE: u32 = 6;

impl Lanes {
    /// Whether source `i` is taken from other lanes or parts of registers.
    pub(crate) fn moves(self, i: usize) -> bool {
        match self {
            Lanes::Straight => false,
            Lanes::Dpp(_) | Lanes::Dpp8(..) => i == 0,
            Lanes::Sdwa(v) => i < 2 && v >> (16 + 8 * i) & 7 != WHOLE,
        }
    }

    /// Whether the result does not simply go to the active lanes.
    pub(crate) fn moves_result(self) -> bool {
        match self {
            Lanes::Straight | Lanes::Dpp8(..) => false,
            Lanes::Dpp(_) => true,
            Lanes::Sdwa(v) => v >> 8 & 7 != WHOLE,
        }
    }
}
