//! Barriers, fences, atomics, mbarriers.

use tilehaul_isa::ptx::ast::{Operand, Type};
use tilehaul_isa::ptx::{Op, Opcode};
use tilehaul_machine::{FenceKind, Order, Ordering, Scope, SpaceKind};

use super::operands::space;
use super::{At, Lower, Lowered, NEVER, SCRATCH, SCRATCH_PRED, scope};
use crate::inst::{ArriveKind, AtomKind, AtomOp, AtomType, BarKind, Inst, MbarOp, PredSource};

impl<'m> Lower<'m> {
    pub(super) fn bar(&mut self, at: &At<'m>) -> Lowered<Inst> {
        let o = at.opcode;
        let kind = match (o.has("arrive"), o.has("red")) {
            (true, _) => BarKind::Arrive,
            (false, true) if o.has("popc") => BarKind::Popc,
            (false, true) if o.has("and") => BarKind::And,
            (false, true) => BarKind::Or,
            (false, false) => BarKind::Sync,
        };
        // `bar` is `barrier.aligned`.
        let aligned = o.has("aligned") || o.text.starts_with("bar.");
        let first = usize::from(matches!(kind, BarKind::Popc | BarKind::And | BarKind::Or));
        let (mut d, mut p, mut source) = (SCRATCH, SCRATCH_PRED, PredSource { pred: NEVER, negated: false });
        if first == 1 {
            let result = at.ops.first().ok_or("no result")?;
            if kind == BarKind::Popc {
                d = self.destination(at, result)?.0;
            } else {
                p = self.pred_dst(at, result)?;
            }
            source = self.pred_src(at, at.ops.len() - 1)?;
        }
        let last = at.ops.len() - first;
        let threads = if last > first + 1 { Some(self.src(at, first + 1, Type::U32)?) } else { None };
        let barrier = self.src(at, first, Type::U32)?;
        Ok(Inst::Bar { kind, barrier, threads, d, p, source, aligned })
    }

    pub(super) fn barrier_cluster(&mut self, at: &At<'m>) -> Lowered<Inst> {
        let aligned = at.opcode.has("aligned");
        if at.opcode.text.contains(".wait") {
            return Ok(Inst::ClusterWait { aligned });
        }
        Ok(Inst::ClusterArrive { orders: !at.opcode.has("relaxed"), aligned })
    }

    pub(super) fn fence_proxy_async(&mut self, at: &At<'m>) -> Lowered<Inst> {
        let o = at.opcode;
        let space = if o.has("global") || o.has("async.global") {
            Some(SpaceKind::Global)
        } else if o.has("shared::cta") || o.has("shared::cluster") {
            Some(SpaceKind::Shared)
        } else {
            None
        };
        Ok(Inst::FenceProxyAsync { space, with: None })
    }

    pub(super) fn atomic(&mut self, op: Op, at: &At<'m>) -> Lowered<Inst> {
        let o = at.opcode;
        let (kind, ty) = atom_kind(o).ok_or("no operation")?;
        let element = o.first(Type::from_name).ok_or("no type")?;
        let lanes = o
            .first(|m| match m {
                "v2" => Some(2usize),
                "v4" => Some(4),
                "v8" => Some(8),
                _ => None,
            })
            .unwrap_or(1);
        let wide = element == Type::B128;
        let first = usize::from(op == Op::Atom);
        let dst = if op == Op::Atom { Some(self.destination_list(at, 0)?.into()) } else { None };
        let ty_src = if wide { Type::B64 } else { element };
        let src = self.source_list(at, first + 1, ty_src)?;
        let new = if kind == AtomKind::Cas { self.source_list(at, first + 2, ty_src)? } else { Vec::new() };
        let wanted = if wide { 2 } else { lanes };
        if src.len() != wanted {
            return Err(format!("expected {wanted} elements, found {}", src.len()));
        }
        let order = o
            .first(|m| match m {
                "acquire" => Some(Order::Acquire),
                "release" => Some(Order::Release),
                "acq_rel" => Some(Order::AcquireRelease),
                _ => None,
            })
            .unwrap_or(Order::Relaxed);
        // manual: without a scope, atomics are at .gpu scope.
        let scope = if has_scope(o) { scope(o) } else { Scope::Device };
        Ok(Inst::Atom(Box::new(AtomOp {
            kind,
            ty,
            bytes: if wide { 16 } else { element.bytes() },
            space: space(o),
            addr: self.address(at, first)?,
            dst,
            src: src.into(),
            new: new.into(),
            order,
            scope,
        })))
    }

    /// The address at operand `address` and the value at operand `value` (`usize::MAX` for none).
    pub(super) fn mbar(&mut self, at: &At<'m>, address: usize, value: usize) -> Lowered<MbarOp> {
        let value = if value == usize::MAX { self.constant(1) } else { self.src(at, value, Type::U32)? };
        Ok(MbarOp {
            space: space(at.opcode),
            addr: self.address(at, address)?,
            value,
            ordering: match at.opcode.has("relaxed") {
                true => Ordering::Relaxed,
                false if at.opcode.has("cta") => Ordering::OfBlock,
                false => Ordering::Ordered,
            },
        })
    }

    pub(super) fn mbar_arrive(&mut self, op: Op, at: &At<'m>) -> Lowered<Inst> {
        // `state, [a], n` or `_, [a], n` or `[a], n`.
        let (first, d) = match at.ops.first() {
            Some(Operand::Address(_)) => (0, None),
            Some(Operand::Sink) => (1, None),
            Some(operand) => (1, Some(self.destination(at, operand)?.0)),
            None => return Err("no operands".to_owned()),
        };
        let text = &at.opcode.text;
        let drop = op == Op::MbarrierArriveDrop;
        let kind = match (text.contains("expect_tx"), text.contains("noComplete"), drop) {
            (true, _, false) => ArriveKind::ExpectTx,
            (true, _, true) => ArriveKind::DropExpectTx,
            (false, true, false) => ArriveKind::NoComplete,
            (false, true, true) => return Err("arrive_drop.noComplete is not modelled".to_owned()),
            (false, false, true) => ArriveKind::Drop,
            (false, false, false) => ArriveKind::Count,
        };
        let value = if at.ops.len() > first + 1 { first + 1 } else { usize::MAX };
        Ok(Inst::MbarArrive { kind, op: Box::new(self.mbar(at, first, value)?), d })
    }

    pub(super) fn mbar_wait(&mut self, at: &At<'m>) -> Lowered<Inst> {
        let parity = at.opcode.has("parity");
        let mut mbar = self.mbar(at, 1, usize::MAX)?;
        mbar.value = self.src(at, 2, if parity { Type::U32 } else { Type::B64 })?;
        Ok(Inst::MbarWait {
            op: Box::new(mbar),
            p: self.pred_dst(at, at.ops.first().ok_or("no operands")?)?,
            parity,
        })
    }

    pub(super) fn store_async(&mut self, op: Op, at: &At<'m>) -> Lowered<Inst> {
        let element = at.opcode.first(Type::from_name).ok_or("no type")?;
        let reduce = if op == Op::RedAsync { atom_kind(at.opcode) } else { None };
        Ok(Inst::StAsync {
            addr: self.address(at, 0)?,
            regs: self.source_list(at, 1, element)?.into(),
            bytes: element.bytes(),
            mbar: self.address(at, 2)?,
            reduce,
        })
    }
}

/// Fences that pair with relaxed operations on barriers (manual: PTX ISA 8.6): of the generic proxy, or between proxies.
pub(super) fn fence_sync_restrict(o: &Opcode) -> Inst {
    let (kind, scope) = (fence_kind(o), Scope::Cluster);
    if o.text.starts_with("fence.proxy") {
        Inst::FenceProxyAsync { space: Some(SpaceKind::Shared), with: Some(kind) }
    } else {
        Inst::Fence { kind, scope }
    }
}

/// What a fence orders. manual: PTX ISA: without `.sem` a fence is `.acq_rel`; `membar` is `fence.sc`, which does that too.
pub(super) fn fence_kind(o: &Opcode) -> FenceKind {
    match (o.has("acquire"), o.has("release")) {
        (true, _) => FenceKind::Acquire,
        (false, true) => FenceKind::Release,
        (false, false) => FenceKind::AcquireRelease,
    }
}

fn has_scope(o: &Opcode) -> bool {
    ["cta", "cluster", "gpu", "sys"].iter().any(|s| o.has(s))
}

/// Operation and type of an atomic or reduction.
pub(super) fn atom_kind(o: &Opcode) -> Option<(AtomKind, AtomType)> {
    let kind = o.first(|m| {
        Some(match m {
            "add" => AtomKind::Add,
            "inc" => AtomKind::Inc,
            "dec" => AtomKind::Dec,
            "min" => AtomKind::Min,
            "max" => AtomKind::Max,
            "and" => AtomKind::And,
            "or" => AtomKind::Or,
            "xor" => AtomKind::Xor,
            "exch" => AtomKind::Exch,
            "cas" => AtomKind::Cas,
            _ => return None,
        })
    })?;
    let ty = o.first(Type::from_name).map(|t| match t {
        Type::S8 | Type::S16 | Type::S32 | Type::S64 => AtomType::Signed,
        Type::F32 => AtomType::F32,
        Type::F64 => AtomType::F64,
        Type::F16 => AtomType::F16,
        Type::F16x2 => AtomType::F16x2,
        Type::Bf16 => AtomType::Bf16,
        Type::Bf16x2 => AtomType::Bf16x2,
        _ => AtomType::Unsigned,
    })?;
    Some((kind, ty))
}
