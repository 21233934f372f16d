//! How waves tell each other things without a barrier: flags, counters and loops that poll them.
//!
//! The instruction set has no mark for release and acquire. What a kernel may rely on is this
//! (manual: LLVM AMDGPU memory model, gfx942 and gfx12 tables):
//!
//! * Cache policy bits (`sc0`, `sc1`; `scope:`) make a load or store reach the cache that the scope shares. Compilers set
//!   them on atomic and volatile accesses alone, so such an access is taken for an atomic one.
//! * Beyond a workgroup, data stored before is there once a write-back (`buffer_wbl2`, `global_wb`) and a wait for it have
//!   passed; data read after is fresh once an invalidate (`buffer_inv`, `global_inv`) has.
//! * On gfx9 the waves of a workgroup share one vector cache that takes loads and stores in order of issue, so that among
//!   them a barrier or a flag is enough without any wait (`one_way` in `counters.rs`), and one wave may write back and
//!   raise a flag for all that it met at a barrier. By the hardware's own rules its wait covers its own stores alone;
//!   compilers for gfx9 leave the others' waits out, and from gfx10 on they put them in. manual: LLVM AMDGPU memory
//!   model, gfx942; SIMemoryLegalizer, insertBarrierStart.
//! * Within a workgroup the first cache and LDS are shared: a wait is enough on both sides.
//! * LDS has no policy bits. Its atomics are told by their name; a plain load in a loop that repeats until the value
//!   changes polls; a plain store to one place may be what it waits for.
//!
//! An atomic without result cannot tell its wave anything: it releases only.
//! May miss a race that is ordered by such a flag in the run by accident; never reports a pair that one orders.

use tilehaul_isa::gcn::Inst;
use tilehaul_isa::gcn::format::Field;
use tilehaul_machine::{ChannelKind, Core, FenceKind, LaneMask, Order, Scope, Space, Who};

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

/// A wait may have shown that a write-back has ended: from then on the wave's flags release what was stored before.
pub(crate) fn written_back<const L: usize>(w: &mut Wave<L>, who: Who, core: &mut Core) {
    let ended =
        |&(channel, seq): &(ChannelKind, u32)| w.proven.get(channel.index()).is_some_and(|&p| p >= seq);
    if w.writing_back.as_ref().is_some_and(ended) {
        w.writing_back = None;
        w.written_back = true;
        core.fence_of(who, FenceKind::Release, Scope::Device);
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
