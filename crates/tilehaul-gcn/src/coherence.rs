//! How waves tell each other things without a barrier: flags, counters and loops that poll them.
//!
//! The instruction set has no mark for release and acquire. What a kernel may rely on is this
//! (manual: LLVM AMDGPU memory model, gfx942 and gfx12 tables):
//!
//! * Cache policy bits (`sc0`, `sc1`; `scope:`) make a load or store reach the cache that the scope shares. Compilers set
//!   them on atomic and volatile accesses alone, so such an access is taken for an atomic one.
//! * Beyond a workgroup, data stored before is there once a write-back (`buffer_wbl2`, `global_wb`) and a wait have passed;
//!   data read after is fresh once an invalidate (`buffer_inv`, `global_inv`) has.
//! * Within a workgroup the first cache and LDS are shared: a wait is enough on both sides.
//! * LDS has no policy bits. Its atomics are told by their name; a plain load in a loop that repeats until the value
//!   changes polls; a plain store to one place may be what it waits for.
//!
//! An atomic without result cannot tell its wave anything: it releases only.
//! May miss a race that is ordered by such a flag in the run by accident; never reports a pair that one orders.

use tilehaul_isa::gcn::Inst;
use tilehaul_isa::gcn::format::Field;
use tilehaul_machine::{LaneMask, Order, Scope, Space};

use crate::form::Kind;
use crate::op::Op;
use crate::wave::Wave;

/// The scope that the cache policy of a load or store names; none for an ordinary one.
pub(crate) fn scope(inst: &Inst, gfx9: bool) -> Option<Scope> {
    let has = |field| inst.row.layout.bits(field).is_some();
    if gfx9 {
        if !has(Field::Sc0) || !has(Field::Sc1) {
            return None;
        }
        return match (inst.field(Field::Sc0), inst.field(Field::Sc1)) {
            (0, 0) => None,
            (_, 0) => Some(Scope::Block),
            (0, _) => Some(Scope::Device),
            (_, _) => Some(Scope::System),
        };
    }
    if !has(Field::Scope) {
        return None;
    }
    match inst.field(Field::Scope) {
        0 => None,
        1 => Some(Scope::Cluster),
        2 => Some(Scope::Device),
        _ => Some(Scope::System),
    }
}

/// The memory order of a load, store or atomic by these lanes.
pub(crate) fn order<const L: usize>(
    w: &Wave<L>,
    op: &Op<L>,
    space: Space,
    lanes: LaneMask,
    addresses: &[u64; L],
) -> (Order, Scope) {
    let one_place = || {
        let mut at = lanes.iter().map(|lane| addresses[lane as usize % L]);
        let first = at.next();
        at.all(|address| Some(address) == first)
    };
    let release = if w.written_back { Order::Release } else { Order::Relaxed };
    match (op.form.kind, space) {
        (Kind::Load, _) if op.swapped => (Order::Relaxed, op.scope.unwrap_or(Scope::Device)),
        (Kind::Load, Space::Global) if op.scope.is_some() => (Order::Relaxed, op.scope.unwrap_or_default()),
        (Kind::Load, _) if op.polls || op.scope.is_some() => (Order::Poll, Scope::Block),
        (Kind::Store, Space::Global) if op.scope.is_some() => (release, op.scope.unwrap_or_default()),
        (Kind::Store, _) if op.form.bytes <= 8 && one_place() => (Order::Flag, Scope::Block),
        (Kind::Atomic(_), Space::Global) => (release, Scope::Device),
        (Kind::Atomic(_), _) if op.returns => (Order::AcquireRelease, Scope::Block),
        (Kind::Atomic(_), _) => (Order::Release, Scope::Block),
        (Kind::Load | Kind::Store | Kind::None, _) => (Order::Weak, Scope::Block),
    }
}
