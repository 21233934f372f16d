//! `wmma`: fragments whose layout the manual leaves open.

use tilehaul_isa::ptx::Op;
use tilehaul_isa::ptx::ast::Type;
use tilehaul_mma::Format;

use super::operands::space;
use super::tensor::{operand_format, result_format, shape};
use super::{At, Lower, Lowered};
use crate::inst::{Fragment, Inst, WmmaMove, WmmaOp};

/// Which operand a fragment is of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    A,
    B,
    Result,
}

impl<'m> Lower<'m> {
    pub(super) fn wmma_move(&mut self, op: Op, at: &At<'m>) -> Lowered<Inst> {
        let o = at.opcode;
        let shape = o.first(shape).ok_or("no shape")?;
        let side = match o.modifiers.first().map(String::as_str) {
            Some("a") => Side::A,
            Some("b") => Side::B,
            _ => Side::Result,
        };
        let name = o.modifiers.last().map_or("", String::as_str);
        let (fragment, bytes) = match (side, operand_format(name), result_format(name)) {
            (Side::A | Side::B, Some(ty), _) => (operand(side, shape, ty), ty.bits() / 8),
            (Side::Result, _, Some(ty)) => (result(shape, ty), ty.bits() / 8),
            _ => return Err(format!("a fragment of {name}")),
        };
        let load = op == Op::WmmaLoad;
        let (regs, addr) = if load {
            (self.destination_list(at, 0)?, self.address(at, 1)?)
        } else {
            (self.source_list(at, 1, Type::B32)?, self.address(at, 0)?)
        };
        if regs.len() < fragment.registers() as usize {
            return Err(format!(
                "the fragment has {} registers, {} are needed",
                regs.len(),
                fragment.registers()
            ));
        }
        let stride = if at.ops.len() > 2 { Some(self.src(at, 2, Type::U32)?) } else { None };
        // A is stored by rows and B by columns when what lies in one register lies side by side.
        let along = o.has(if side == Side::B { "col" } else { "row" });
        let (regs, space) = (regs.into(), space(o));
        let moved = Box::new(WmmaMove { fragment, regs, addr, space, stride, along, bytes });
        Ok(if load { Inst::WmmaLoad(moved) } else { Inst::WmmaStore(moved) })
    }

    pub(super) fn wmma_mma(&mut self, at: &At<'m>) -> Lowered<Inst> {
        let o = at.opcode;
        let shape = o.first(shape).ok_or("no shape")?;
        let types: Vec<&str> = o
            .modifiers
            .iter()
            .map(String::as_str)
            .filter(|t| operand_format(t).is_some() || result_format(t).is_some())
            .collect();
        let (d, a, b, c) = match types[..] {
            [d, c] => (d, "f16", "f16", c),
            [d, a, b, c] => (d, a, b, c),
            _ => return Err("expected two or four types".to_owned()),
        };
        let (Some(a_type), Some(b_type), Some(acc), true) =
            (operand_format(a), operand_format(b), result_format(d), c == d)
        else {
            return Err(format!("a product of {a} and {b} on {c} to {d} is not modelled"));
        };
        let wide = |ty| if ty == Format::F64 { Type::F64 } else { Type::B32 };
        let operand_type = if a_type == Format::F64 { Type::F64 } else { Type::B32 };
        let a = (operand(Side::A, shape, a_type), self.source_list(at, 1, operand_type)?.into());
        let b = (operand(Side::B, shape, b_type), self.source_list(at, 2, operand_type)?.into());
        let c = (result(shape, acc), self.source_list(at, 3, wide(acc))?.into());
        let d: Box<[_]> = self.destination_list(at, 0)?.into();
        let op = WmmaOp { a, b, c, d, k: shape.2, a_type, b_type, acc, saturate: o.has("satfinite") };
        for (fragment, regs) in [&op.a, &op.b, &op.c] {
            if regs.len() < fragment.registers() as usize {
                return Err(format!(
                    "a fragment has {} registers, {} are needed",
                    regs.len(),
                    fragment.registers()
                ));
            }
        }
        Ok(Inst::WmmaMma(Box::new(op)))
    }
}

fn operand(side: Side, (m, n, k): (u32, u32, u32), ty: Format) -> Fragment {
    let width = (32 / ty.bits()).max(1);
    let rows = if side == Side::A { m } else { n };
    Fragment { rows, columns: k, width, each: width, down: side == Side::A }
}

fn result((m, n, _): (u32, u32, u32), ty: Format) -> Fragment {
    let each = if ty == Format::F16 { 2 } else { 1 };
    Fragment { rows: m, columns: n, width: 2, each, down: true }
}
