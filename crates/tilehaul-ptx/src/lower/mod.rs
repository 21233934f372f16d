//! From a module to code: registers become slots, names become addresses, spellings become choices.
//!
//! All functions that the entry reaches are laid one after the other; instruction `i` of a function stands at its base
//! plus `i`, and one implicit return follows. A function's registers, local variables and parameters have fixed places; a
//! function that may be active already saves them when it is called again (see `exec/calls.rs`).

mod addresses;
mod calls;
mod clusters;
mod code;
mod convert;
mod copies;
mod dispatch;
pub(crate) mod flow;
mod function;
mod operands;
mod polls;
mod scalar;
mod sync;
mod tensor;
mod tokens;
mod unwritten;
mod warp_product;
mod wmma;

use rustc_hash::{FxHashMap, FxHashSet};
use tilehaul_isa::ptx::ast::{Function, FunctionId, Module, Operand, RegId};
use tilehaul_isa::ptx::{Op, Opcode};

use crate::inst::{PredSource, Slot};
use function::{BehindFence, Frame, Place};

pub(crate) use addresses::{CODE_WINDOW, Layout, function_address, function_named};
pub(crate) use code::{Callee, Code, Init, NEVER, Room, SCRATCH, SCRATCH_PRED, UNGUARDED};
use dispatch::{immediate, scope};

/// Bytes of local memory that `alloca` can give a thread.
///
/// inferred: sixteen times the stack that a driver gives by default, so that what a launch needs that asked for more fits.
pub(crate) const STACK: u32 = 1 << 14;

/// Lowers an entry and everything it reaches.
pub(crate) fn lower(module: &Module, entry: FunctionId, layout: &Layout) -> Code {
    let mut lower = Lower {
        module,
        layout,
        code: Code { slots: 1, preds: 2, ..Code::default() },
        consts: FxHashMap::default(),
        bases: FxHashMap::default(),
        frames: FxHashMap::default(),
        queue: vec![entry],
        entry,
        used: Vec::new(),
        behind_fence: BehindFence::default(),
        compared: FxHashSet::default(),
        stack: None,
    };
    if module.opcodes.iter().any(|o| o.row.is_some_and(|row| matches!(row.op, Op::Alloca | Op::Stack))) {
        lower.code.local_bytes = STACK;
        lower.stack = Some(lower.code.slots);
        lower.code.inits.push((lower.code.slots, Init::Const(u64::from(STACK))));
        lower.code.slots += 1;
    }
    lower.reach();
    let order = lower.queue.clone();
    for id in order {
        lower.function(id);
    }
    lower.code
}

/// What is known while code is made.
pub(crate) struct Lower<'m> {
    module: &'m Module,
    layout: &'m Layout,
    code: Code,
    /// Slots of values that are known before the first instruction.
    consts: FxHashMap<Init, Slot>,
    /// First instruction of each function that is reached.
    bases: FxHashMap<FunctionId, u32>,
    frames: FxHashMap<FunctionId, Frame>,
    /// Functions that are reached, the entry first.
    queue: Vec<FunctionId>,
    entry: FunctionId,
    /// Slots of the instruction at hand.
    used: Vec<Slot>,
    behind_fence: BehindFence,
    /// Registers of the function that hold what a compare-and-swap expects.
    compared: FxHashSet<RegId>,
    /// End of the free stack of each lane, in programs that allocate on it.
    stack: Option<Slot>,
}

/// Why an instruction cannot be executed.
type Lowered<T> = Result<T, String>;

/// What lowering an instruction needs to know about its surroundings.
struct At<'m> {
    id: FunctionId,
    function: &'m Function,
    opcode: &'m Opcode,
    ops: &'m [Operand],
    /// First instruction of the function.
    base: u32,
    /// The predicate in front, if it is one.
    guard: Option<PredSource>,
}
