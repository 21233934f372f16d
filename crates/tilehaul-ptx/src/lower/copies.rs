//! Loads, stores, address conversion, asynchronous and bulk copies.

use tilehaul_engine::reduce::ReduceOp;
use tilehaul_isa::ptx::Op;
use tilehaul_isa::ptx::ast::{Operand, Symbol, Type};
use tilehaul_machine::{Order, Scope};

use super::operands::space;
use super::{At, Lower, Lowered, scope};
use crate::inst::{Addr, BulkOp, Inst, Mem, MemOp, ReplaceField, TensorMode, TensorOp};

impl<'m> Lower<'m> {
    pub(super) fn load(&mut self, at: &At<'m>) -> Lowered<Inst> {
        let o = at.opcode;
        let ty = *o.all(Type::from_name).last().ok_or("no type")?;
        let regs = self.destination_list(at, 0)?;
        let bits = self.first_width(at)?;
        let addr = self.address(at, 1)?;
        let mem = self.param_space(at, 1, space(o));
        let sign = match ty {
            Type::S8 | Type::S16 | Type::S32 if bits > ty.bits() => Some(bits),
            _ => None,
        };
        let mut op = self.mem_op(at, mem, addr, regs, ty, sign)?;
        if op.order == Order::Weak
            && let Some(Operand::Reg(reg)) = at.ops.first()
            && self.compared.contains(reg)
        {
            // A guess that a compare-and-swap settles may be as old as it likes (CUDA programming guide, atomicCAS).
            (op.order, op.scope) = (Order::Guess, Scope::System);
        }
        Ok(Inst::Ld(Box::new(op)))
    }

    pub(super) fn store(&mut self, at: &At<'m>) -> Lowered<Inst> {
        let o = at.opcode;
        let ty = *o.all(Type::from_name).last().ok_or("no type")?;
        let element = if ty == Type::B128 { Type::B64 } else { ty };
        let regs = self.source_list(at, 1, element)?;
        let addr = self.address(at, 0)?;
        let mem = self.param_space(at, 0, space(o));
        if mem == Mem::Param {
            return Err("parameters of an entry are read-only".to_owned());
        }
        let op = self.mem_op(at, mem, addr, regs, ty, None)?;
        Ok(Inst::St(Box::new(op)))
    }

    fn first_width(&mut self, at: &At<'m>) -> Lowered<u32> {
        match at.ops.first() {
            Some(Operand::Vector(parts)) => match parts.first() {
                Some(part) => Ok(self.destination(at, part)?.1),
                None => Err("an empty vector".to_owned()),
            },
            Some(operand) => Ok(self.destination(at, operand)?.1),
            None => Err("no operands".to_owned()),
        }
    }

    fn mem_op(
        &mut self,
        at: &At<'m>,
        mem: Mem,
        addr: Addr,
        regs: Vec<u32>,
        ty: Type,
        sign: Option<u32>,
    ) -> Lowered<MemOp> {
        let o = at.opcode;
        let lanes = o
            .first(|m| match m {
                "v2" => Some(2),
                "v4" => Some(4),
                "v8" => Some(8),
                _ => None,
            })
            .unwrap_or(1);
        let each = if ty == Type::B128 { 2 } else { 1 };
        if regs.len() != lanes * each {
            return Err(format!("expected {} registers, found {}", lanes * each, regs.len()));
        }
        let volatile = o.has("volatile") || o.has("mmio");
        let order = match (o.has("acquire"), o.has("release"), o.has("relaxed") || volatile) {
            (true, ..) => Order::Acquire,
            (_, true, _) => Order::Release,
            (.., true) => Order::Relaxed,
            _ if o.has("nc") => Order::ReadOnly,
            _ => Order::Weak,
        };
        let scope = if volatile { Scope::System } else { scope(o) };
        let bytes = if each == 2 { 8 } else { ty.bytes() };
        Ok(MemOp { space: mem, addr, regs: regs.into(), bytes, sign, order, scope, polls: false })
    }

    /// Parameters of the entry lie in param space, all others in local memory of the lane.
    fn param_space(&self, at: &At<'m>, index: usize, mem: Mem) -> Mem {
        if mem != Mem::Param {
            return mem;
        }
        let Some(Operand::Address(address)) = at.ops.get(index) else { return mem };
        match address.base {
            Operand::Symbol(Symbol::Param(_), _) if at.id == self.entry => Mem::Param,
            Operand::Symbol(Symbol::Param(_) | Symbol::Local(_) | Symbol::Return(_), _) => Mem::Local,
            _ if at.id == self.entry => Mem::Param,
            _ => Mem::Local,
        }
    }

    pub(super) fn prefetch(&mut self, at: &At<'m>) -> Lowered<Inst> {
        let tensormap = at.opcode.has("tensormap");
        let space = if at.opcode.has("param") { Mem::Param } else { Mem::Generic };
        Ok(Inst::Prefetch { addr: self.address(at, 0)?, tensormap, space })
    }

    pub(super) fn isspacep(&mut self, at: &At<'m>) -> Lowered<Inst> {
        let space = match at.opcode.modifiers.first().map(String::as_str) {
            Some("const") => "const",
            Some("global") => "global",
            Some("local") => "local",
            Some("shared" | "shared::cta") => "shared::cta",
            Some("shared::cluster") => "shared::cluster",
            _ => "param",
        };
        let p = self.pred_dst(at, at.ops.first().ok_or("no operands")?)?;
        Ok(Inst::Isspacep { p, a: self.src(at, 1, Type::B64)?, space })
    }

    pub(super) fn cvta(&mut self, at: &At<'m>) -> Lowered<Inst> {
        let mut mem = space(at.opcode);
        // The parameters of a device function lie in local memory.
        if mem == Mem::Param && at.id != self.entry {
            mem = Mem::Local;
        }
        Ok(Inst::Cvta {
            d: self.dst(at, 0)?,
            a: self.src(at, 1, Type::B64)?,
            to_generic: !at.opcode.has("to"),
            space: mem,
        })
    }

    pub(super) fn mapa(&mut self, at: &At<'m>) -> Lowered<Inst> {
        Ok(Inst::Mapa {
            d: self.dst(at, 0)?,
            a: self.src(at, 1, Type::B64)?,
            rank: self.src(at, 2, Type::U32)?,
            generic: !at.opcode.has("shared::cluster"),
        })
    }

    pub(super) fn getctarank(&mut self, at: &At<'m>) -> Lowered<Inst> {
        Ok(Inst::Getctarank { d: self.dst(at, 0)?, a: self.src(at, 1, Type::B64)? })
    }

    pub(super) fn store_bulk(&mut self, at: &At<'m>) -> Lowered<Inst> {
        if !matches!(at.ops.get(2), Some(Operand::Imm(tilehaul_isa::ptx::ast::Immediate::Int(0)))) {
            return Err("a value other than 0".to_owned());
        }
        Ok(Inst::StBulk {
            addr: self.address(at, 0)?,
            space: space(at.opcode),
            size: self.src(at, 1, Type::B64)?,
        })
    }

    pub(super) fn cp_async(&mut self, at: &At<'m>) -> Lowered<Inst> {
        let bytes = super::immediate(at, 2)?;
        if !matches!(bytes, 4 | 8 | 16) {
            return Err(format!("a size of {bytes} bytes"));
        }
        let (mut size, mut ignore) = (None, None);
        if let Some(operand) = at.ops.get(3) {
            if self.is_pred(at, operand) {
                ignore = Some(self.pred_src(at, 3)?);
            } else if !(at.opcode.has("L2::cache_hint") && at.ops.len() == 4) {
                size = Some(self.src(at, 3, Type::U32)?);
            }
        }
        Ok(Inst::CpAsync { dst: self.address(at, 0)?, src: self.address(at, 1)?, bytes, size, ignore })
    }

    pub(super) fn bulk(&mut self, op: Op, at: &At<'m>) -> Lowered<Inst> {
        let o = at.opcode;
        let spaces: Vec<&str> = o
            .modifiers
            .iter()
            .map(String::as_str)
            .filter(|m| matches!(*m, "global" | "shared::cta" | "shared::cluster"))
            .collect();
        let [to, from] = spaces[..] else { return Err("expected two spaces".to_owned()) };
        let mut next = 3;
        let mbar = if o.has("mbarrier::complete_tx::bytes") {
            next += 1;
            Some(self.address(at, 3)?)
        } else {
            None
        };
        let multicast = o.modifiers.iter().any(|m| m.starts_with("multicast"));
        let multicast = if multicast {
            next += 1;
            Some(self.src(at, next - 1, Type::U16)?)
        } else {
            None
        };
        // A cache policy is an opaque number without effect on data.
        next += usize::from(o.has("L2::cache_hint"));
        let byte_mask = if o.has("cp_mask") { Some(self.src(at, next, Type::U16)?) } else { None };
        let reduce = match op {
            Op::BulkReduce => {
                let kind = o.first(ReduceOp::from_name).ok_or("no operation")?;
                let ty = o.all(Type::from_name);
                if ty.is_empty() {
                    return Err("no type".to_owned());
                }
                Some((kind, o.modifiers.last().cloned().unwrap_or_default()))
            }
            _ => None,
        };
        Ok(Inst::Bulk(Box::new(BulkOp {
            dst: self.address(at, 0)?,
            src: self.address(at, 1)?,
            size: self.src(at, 2, Type::U32)?,
            mbar,
            multicast,
            byte_mask,
            reduce,
            dst_shared: to != "global",
            src_shared: from != "global",
        })))
    }

    pub(super) fn tensor_copy(&mut self, op: Op, at: &At<'m>) -> Lowered<Inst> {
        let o = at.opcode;
        let rank = o.first(|m| m.strip_suffix('d').and_then(|n| n.parse::<u32>().ok())).ok_or("no rank")?;
        let mode = o
            .first(|m| {
                Some(match m {
                    "tile" => TensorMode::Tile,
                    "tile::gather4" => TensorMode::Gather4,
                    "tile::scatter4" => TensorMode::Scatter4,
                    "im2col" => TensorMode::Im2col,
                    "im2col::w" => TensorMode::Im2colW,
                    "im2col::w::128" => TensorMode::Im2colW128,
                    "im2col_no_offs" => TensorMode::Im2colNoOffs,
                    _ => return None,
                })
            })
            .unwrap_or(TensorMode::Tile);
        let zero = Addr { base: self.constant(0), offset: 0 };
        let mut tensor = TensorOp {
            mode,
            rank,
            shared: zero,
            map: zero,
            coords: Box::new([]),
            offsets: Box::new([]),
            mbar: zero,
            multicast: None,
            pair: o.has("cta_group::2"),
            reduce: if op == Op::BulkTensorReduce {
                Some(o.first(ReduceOp::from_name).ok_or("no operation")?)
            } else {
                None
            },
        };
        let map = match op {
            Op::BulkTensorLoad => {
                tensor.shared = self.address(at, 0)?;
                tensor.mbar = self.address(at, 2)?;
                1
            }
            Op::BulkTensorPrefetch => 0,
            _ => {
                tensor.shared = self.address(at, 1)?;
                0
            }
        };
        tensor.map = self.address(at, map)?;
        tensor.coords = self.coordinates(at, map)?.into();
        let mut next = if op == Op::BulkTensorLoad { 3 } else { 1 };
        if matches!(mode, TensorMode::Im2col | TensorMode::Im2colW | TensorMode::Im2colW128)
            && matches!(op, Op::BulkTensorLoad | Op::BulkTensorPrefetch)
        {
            tensor.offsets = self.source_list(at, next, Type::U16)?.into();
            next += 1;
        }
        if o.has("multicast::cluster") {
            tensor.multicast = Some(self.src(at, next, Type::U16)?);
        }
        Ok(match op {
            Op::BulkTensorLoad => Inst::TensorLoad(Box::new(tensor)),
            Op::BulkTensorPrefetch => Inst::TensorPrefetch(Box::new(tensor)),
            _ => Inst::TensorStore(Box::new(tensor)),
        })
    }

    pub(super) fn tensormap_replace(&mut self, at: &At<'m>) -> Lowered<Inst> {
        let field = at.opcode.modifiers.get(1).cloned().ok_or("no field")?;
        let with_ordinal = at.ops.len() == 3;
        let ordinal = if with_ordinal { super::immediate(at, 1)? } else { 0 };
        let ty = if at.opcode.has("b64") { Type::B64 } else { Type::B32 };
        let value = self.src(at, if with_ordinal { 2 } else { 1 }, ty)?;
        let addr = self.address(at, 0)?;
        Ok(Inst::TensormapReplace {
            field: Box::new(ReplaceField { name: field, ordinal }),
            addr,
            space: space(at.opcode),
            value,
        })
    }

    pub(super) fn matrix_move(&mut self, op: Op, at: &At<'m>) -> Lowered<Inst> {
        let o = at.opcode;
        let transpose = o.has("trans");
        let count = if o.has("x4") {
            4
        } else if o.has("x2") {
            2
        } else {
            1
        };
        match op {
            Op::Movmatrix => Ok(Inst::Movmatrix { d: self.dst(at, 0)?, a: self.src(at, 1, Type::B32)? }),
            Op::Ldmatrix => {
                let d = self.destination_list(at, 0)?;
                if d.len() != count {
                    return Err(format!("expected {count} registers, found {}", d.len()));
                }
                Ok(Inst::Ldmatrix { d: d.into(), addr: self.address(at, 1)?, space: space(o), transpose })
            }
            _ => {
                let s = self.source_list(at, 1, Type::B32)?;
                if s.len() != count {
                    return Err(format!("expected {count} registers, found {}", s.len()));
                }
                Ok(Inst::Stmatrix { s: s.into(), addr: self.address(at, 0)?, space: space(o), transpose })
            }
        }
    }
}
