//! Arithmetic, comparisons, moves, conversions.

use tilehaul_isa::ptx::Op;
use tilehaul_isa::ptx::ast::{Operand, Type};

use super::operands::is_clock;
use super::{At, Lower, Lowered, SCRATCH, SCRATCH_PRED};
use crate::alu::{self, Loop};
use crate::arith::int::mask;
use crate::arith::video::{Combine, Relation, Video};
use crate::inst::{BoolOp, Carry, Inst, Pred, PredSource, Routes, Shuffle, ShuffleOp, Slot};
use tilehaul_isa::ptx::special::Special;

impl<'m> Lower<'m> {
    pub(super) fn arithmetic(&mut self, at: &At<'m>) -> Lowered<Inst> {
        if self.folds_to_copy(at) {
            let (d, a) = (self.dst(at, 0)?, self.src(at, 1, Type::B64)?);
            return Ok(Inst::Mask { d, a, keep: u64::MAX });
        }
        let ty = alu::Spec::of(at.opcode).ty;
        let chosen = match alu::sign_bit(at.opcode) {
            // hardware: generated programs on an H200: a guarded abs.f32 or neg.f32 is compiled to a change of the sign bit,
            // which leaves a NaN's payload alone.
            Some(plain) if at.guard.is_some() => plain,
            _ => alu::choose(at.opcode).ok_or("this form has no arithmetic")?,
        };
        let d = self.dst(at, 0)?;
        let src = |lower: &mut Self, i: usize| lower.src(at, i, operand_type(at, i, ty));
        Ok(match chosen {
            Loop::One(f) => Inst::One { f, d, a: src(self, 1)? },
            Loop::Two(f) if at.ops.len() == 4 => {
                // Three-input minimum and maximum: two steps would need a temporary, so the loops are joined here.
                let (a, b, c) = (src(self, 1)?, src(self, 2)?, src(self, 3)?);
                return self.three_inputs(f, d, a, b, c, at);
            }
            Loop::Two(f) => Inst::Two { f, d, a: src(self, 1)?, b: src(self, 2)? },
            Loop::Three(f) => Inst::Three { f, d, a: src(self, 1)?, b: src(self, 2)?, c: src(self, 3)? },
            Loop::Four(f) => {
                Inst::Four { f, d, a: src(self, 1)?, b: src(self, 2)?, c: src(self, 3)?, e: src(self, 4)? }
            }
        })
    }

    /// hardware: generated programs on an H200: the assembler makes a copy of a minimum or maximum of one register with
    /// itself, so that even a NaN keeps its bits.
    fn folds_to_copy(&self, at: &At<'m>) -> bool {
        let plain = ["ftz", "NaN", "xorsign", "relu"].iter().all(|m| !at.opcode.has(m));
        let scalar = ["f16", "f32", "f64"].iter().any(|m| at.opcode.has(m));
        matches!(at.opcode.row.map(|r| r.op), Some(Op::Min | Op::Max))
            && plain
            && scalar
            && at.ops.len() == 3
            && matches!((&at.ops[1], &at.ops[2]), (Operand::Reg(a), Operand::Reg(b)) if a == b)
    }

    fn three_inputs(&self, f: alu::F2, d: u32, a: u32, b: u32, c: u32, at: &At<'m>) -> Lowered<Inst> {
        if matches!(at.opcode.row.map(|r| r.op), Some(Op::Min | Op::Max)) {
            Ok(Inst::Fold { f, d, a, b, c })
        } else {
            Err("too many operands".to_owned())
        }
    }

    pub(super) fn logic(&mut self, at: &At<'m>) -> Lowered<Inst> {
        if !at.opcode.has("pred") {
            return self.arithmetic(at);
        }
        let d = self.pred_dst(at, at.ops.first().ok_or("no operands")?)?;
        let a = self.pred_src(at, 1)?;
        let op = match at.opcode.row.map(|r| r.op) {
            Some(Op::And) => BoolOp::And,
            Some(Op::Or) => BoolOp::Or,
            Some(Op::Xor) => BoolOp::Xor,
            _ => return Ok(Inst::PredMov { d, a: PredSource { negated: !a.negated, ..a } }),
        };
        Ok(Inst::PredOp { op, d, a, b: self.pred_src(at, 2)? })
    }

    pub(super) fn carry(&mut self, op: Op, at: &At<'m>) -> Lowered<Inst> {
        let ty = alu::Spec::of(at.opcode).ty;
        let kind = match op {
            Op::AddCc | Op::Addc => Carry::Add,
            Op::SubCc | Op::Subc => Carry::Sub,
            _ if at.opcode.has("hi") => Carry::MadHigh,
            _ => Carry::MadLow,
        };
        let three = matches!(kind, Carry::MadLow | Carry::MadHigh);
        let c = if three { self.src(at, 3, ty)? } else { self.constant(0) };
        Ok(Inst::WithCarry {
            op: kind,
            bits: ty.bits(),
            signed: matches!(ty, Type::S32 | Type::S64),
            uses: matches!(op, Op::Addc | Op::Subc | Op::Madc),
            sets: at.opcode.has("cc"),
            d: self.dst(at, 0)?,
            a: self.src(at, 1, ty)?,
            b: self.src(at, 2, ty)?,
            c,
        })
    }

    pub(super) fn testp(&mut self, at: &At<'m>) -> Lowered<Inst> {
        let ty = alu::Spec::of(at.opcode).ty;
        let test = alu::class(at.opcode, ty).ok_or("this test is not known")?;
        let p = self.pred_dst(at, at.ops.first().ok_or("no operands")?)?;
        let a = self.src(at, 1, ty)?;
        Ok(Inst::Setp { test, upper: None, p, q: None, a, b: a, with: None })
    }

    pub(super) fn comparison(&mut self, op: Op, at: &At<'m>) -> Lowered<Inst> {
        let types = at.opcode.all(Type::from_name);
        let ty = *types.last().ok_or("no type")?;
        let test = alu::compare(at.opcode, ty, false).ok_or("this comparison is not known")?;
        let packed = matches!(ty, Type::F16x2 | Type::Bf16x2);
        let upper = if packed { alu::compare(at.opcode, ty, true) } else { None };
        let (a, b) = (self.src(at, 1, ty)?, self.src(at, 2, ty)?);
        let with = match bool_op(at) {
            Some(op) => Some((op, self.pred_src(at, 3)?)),
            None => None,
        };
        if op == Op::Setp {
            let (p, q) = self.pred_pair(at)?;
            return Ok(Inst::Setp { test, upper, p, q, a, b, with });
        }
        // manual: `set` gives all ones for integers, 1.0 for floats.
        let yes = match types.first() {
            Some(Type::F32) => u64::from(1f32.to_bits()),
            Some(Type::F16) => 0x3c00,
            Some(Type::Bf16) => 0x3f80,
            Some(Type::F16x2) => 0x3c00_3c00,
            Some(Type::Bf16x2) => 0x3f80_3f80,
            Some(Type::U16 | Type::S16) => 0xffff,
            _ => 0xffff_ffff,
        };
        let only = if types.first() == Some(&Type::F32) { at.guard } else { None };
        Ok(Inst::Set { test, upper, d: self.dst(at, 0)?, a, b, with, yes, only })
    }

    /// `p` or `p|q`.
    pub(super) fn pred_pair(&mut self, at: &At<'m>) -> Lowered<(Pred, Option<Pred>)> {
        match at.ops.first() {
            Some(Operand::Dual(pair)) => Ok((self.pred_dst(at, &pair.0)?, Some(self.pred_dst(at, &pair.1)?))),
            Some(operand) => Ok((self.pred_dst(at, operand)?, None)),
            None => Err("no result".to_owned()),
        }
    }

    pub(super) fn selp(&mut self, at: &At<'m>) -> Lowered<Inst> {
        let ty = alu::Spec::of(at.opcode).ty;
        Ok(Inst::Selp {
            d: self.dst(at, 0)?,
            a: self.src(at, 1, ty)?,
            b: self.src(at, 2, ty)?,
            p: self.pred_src(at, 3)?,
        })
    }

    pub(super) fn slct(&mut self, at: &At<'m>) -> Lowered<Inst> {
        let types = at.opcode.all(Type::from_name);
        let ty = *types.first().ok_or("no type")?;
        let float = types.get(1) == Some(&Type::F32);
        Ok(Inst::Slct {
            d: self.dst(at, 0)?,
            a: self.src(at, 1, ty)?,
            b: self.src(at, 2, ty)?,
            c: self.src(at, 3, if float { Type::F32 } else { Type::S32 })?,
            float,
            ftz: at.opcode.has("ftz"),
        })
    }

    pub(super) fn lop3(&mut self, at: &At<'m>) -> Lowered<Inst> {
        let [a, b, c] = [1, 2, 3].map(|i| self.src(at, i, Type::B32));
        let (a, b, c) = (a?, b?, c?);
        let table = self.src(at, 4, Type::B32)?;
        if at.ops.len() == 5 {
            let Some(Loop::Four(f)) = alu::choose(at.opcode) else { return Err("no such form".to_owned()) };
            return Ok(Inst::Four { f, d: self.dst(at, 0)?, a, b, c, e: table });
        }
        let Some(Operand::Dual(pair)) = at.ops.first() else { return Err("expected d|p".to_owned()) };
        let d = self.destination(at, &pair.0)?.0;
        let p = self.pred_dst(at, &pair.1)?;
        let op = if at.opcode.has("and") { BoolOp::And } else { BoolOp::Or };
        Ok(Inst::Lop3Pred { d, a, b, c, table, p, q: self.pred_src(at, 5)?, op })
    }

    pub(super) fn mov(&mut self, at: &At<'m>) -> Lowered<Inst> {
        let ty = at.opcode.first(Type::from_name).ok_or("no type")?;
        let (to, from) = (at.ops.first().ok_or("no operands")?, at.ops.get(1).ok_or("no operands")?);
        if ty == Type::Pred {
            return Ok(Inst::PredMov { d: self.pred_dst(at, to)?, a: self.pred_src(at, 1)? });
        }
        if let Operand::Special(special) = from
            && is_clock(*special)
        {
            let (d, bits) = self.destination(at, to)?;
            let high = matches!(special, Special::ClockHi | Special::GlobaltimerHi);
            return Ok(Inst::Clock { d, high, keep: mask(bits.min(ty.bits())) });
        }
        if at.opcode.has("v2") || at.opcode.has("v4") {
            let (d, a) = (self.destination_list(at, 0)?, self.source_list(at, 1, ty)?);
            let wanted = if at.opcode.has("v4") { 4 } else { 2 };
            if d.len() != wanted || a.len() != wanted {
                return Err(format!("{} elements go to {}; {wanted} are asked for", a.len(), d.len()));
            }
            // Each element is the whole of a slot.
            return Ok(Inst::Unpack { parts: d.into(), a: a.into(), bits: 64 });
        }
        if let (Operand::Vector(parts), _) | (_, Operand::Vector(parts)) = (to, from)
            && !(ty.bits().is_multiple_of(parts.len() as u32) && ty.bits() / parts.len().max(1) as u32 >= 8)
        {
            return Err(format!("{} elements do not make up {} bits", parts.len(), ty.bits()));
        }
        match (to, from) {
            (_, Operand::Vector(parts)) if parts.len() > 1 => {
                let bits = ty.bits() / parts.len() as u32;
                let element = if bits == 64 { Type::B64 } else { Type::B32 };
                let slots = parts.iter().map(|p| self.source(at, p, element)).collect::<Lowered<Vec<_>>>()?;
                Ok(Inst::Pack { d: self.destination_list(at, 0)?.into(), parts: slots.into(), bits })
            }
            (Operand::Vector(parts), _) if parts.len() > 1 => {
                let bits = ty.bits() / parts.len() as u32;
                let slots = self.destination_list(at, 0)?;
                Ok(Inst::Unpack { parts: slots.into(), a: self.source_list(at, 1, ty)?.into(), bits })
            }
            _ if ty == Type::B128 => {
                let (d, a) = (self.destination_list(at, 0)?, self.source_list(at, 1, Type::B64)?);
                Ok(Inst::Unpack { parts: d.into(), a: a.into(), bits: 64 })
            }
            _ => {
                let (d, bits) = self.destination(at, to)?;
                let a = self.source(at, from, ty)?;
                Ok(Inst::Mask { d, a, keep: mask(bits.min(ty.bits())) })
            }
        }
    }

    /// `alloca`, `stacksave` and `stackrestore`. The stack is local memory and grows down.
    pub(super) fn stack(&mut self, op: Op, at: &At<'m>) -> Lowered<Inst> {
        let stack = self.stack.ok_or("no stack")?;
        self.used.push(stack);
        if op == Op::Stack {
            let restores = at.opcode.text.starts_with("stackrestore");
            return Ok(match restores {
                true => Inst::Mask { d: stack, a: self.src(at, 0, Type::B64)?, keep: u64::MAX },
                false => Inst::Mask { d: self.dst(at, 0)?, a: stack, keep: u64::MAX },
            });
        }
        let align = match at.ops.get(2) {
            Some(Operand::Imm(tilehaul_isa::ptx::ast::Immediate::Int(align))) => align.cast_unsigned(),
            Some(_) => return Err("the alignment must be a constant".to_owned()),
            None => 8,
        };
        if !align.is_power_of_two() || align > 1 << 12 {
            return Err(format!("an alignment of {align} bytes"));
        }
        // No type of a memory access is larger than 32 bytes.
        Ok(Inst::Alloca {
            d: self.dst(at, 0)?,
            size: self.src(at, 1, Type::B64)?,
            align: align.max(32),
            stack,
        })
    }

    pub(super) fn video(&mut self, at: &At<'m>) -> Lowered<Inst> {
        let name = at.opcode.row.map_or("", |r| r.name);
        let width = if name.ends_with('4') { 8 } else { 16 };
        let signs = at.opcode.all(|m| match m {
            "s32" => Some(true),
            "u32" => Some(false),
            _ => None,
        });
        let relation = at.opcode.first(|m| match m {
            "eq" => Some(Relation::Eq),
            "ne" => Some(Relation::Ne),
            "lt" => Some(Relation::Lt),
            "le" => Some(Relation::Le),
            "gt" => Some(Relation::Gt),
            "ge" => Some(Relation::Ge),
            _ => None,
        });
        let combine = match (name.trim_end_matches(['2', '4']), relation) {
            (_, Some(relation)) => Combine::Compare(relation),
            ("vadd", _) => Combine::Add,
            ("vsub", _) => Combine::Sub,
            ("vavrg", _) => Combine::Average,
            ("vabsdiff", _) => Combine::Difference,
            ("vmin", _) => Combine::Min,
            ("vmax", _) => Combine::Max,
            _ => return Err("this form has no arithmetic".to_owned()),
        };
        let [signed_result, signed_a, signed_b] = match signs[..] {
            [a, b] => [false, a, b],
            [d, a, b] => [d, a, b],
            _ => return Err("expected the types of both operands".to_owned()),
        };
        let (saturate, accumulate) = (at.opcode.has("sat"), at.opcode.has("add"));
        let video = Video { combine, width, signed_result, signed_a, signed_b, saturate, accumulate };
        Ok(Inst::Video {
            video: Box::new(video),
            d: self.dst(at, 0)?,
            a: self.src(at, 1, Type::B32)?,
            b: self.src(at, 2, Type::B32)?,
            c: self.src(at, 3, Type::B32)?,
        })
    }

    pub(super) fn shfl(&mut self, at: &At<'m>) -> Lowered<Inst> {
        let kind = at
            .opcode
            .first(|m| match m {
                "up" => Some(Shuffle::Up),
                "down" => Some(Shuffle::Down),
                "bfly" => Some(Shuffle::Bfly),
                "idx" => Some(Shuffle::Idx),
                _ => None,
            })
            .ok_or("no mode")?;
        let (d, p) = self.value_and_pred(at)?;
        let a = self.src(at, 1, Type::B32)?;
        let [b, c, mask] = [2, 3, 4].map(|index| self.src(at, index, Type::B32));
        let (b, c, mask) = (b?, c?, mask?);
        let literal = |slot: Slot| self.literal(slot);
        let routes = match (literal(b), literal(c), literal(mask)) {
            (Some(b), Some(c), Some(0xffff_ffff)) => Some(Routes::new(kind, &[b; 32], &[c; 32])),
            _ => None,
        };
        Ok(Inst::Shfl(Box::new(ShuffleOp { kind, d, p, a, b, c, mask, routes })))
    }

    /// `d` or `d|p`.
    pub(super) fn value_and_pred(&mut self, at: &At<'m>) -> Lowered<(u32, Option<Pred>)> {
        match at.ops.first() {
            Some(Operand::Dual(pair)) => {
                Ok((self.destination(at, &pair.0)?.0, Some(self.pred_dst(at, &pair.1)?)))
            }
            Some(operand) => Ok((self.destination(at, operand)?.0, None)),
            None => Err("no result".to_owned()),
        }
    }

    pub(super) fn vote(&mut self, at: &At<'m>) -> Lowered<Inst> {
        use crate::inst::VoteKind;
        let kind = at
            .opcode
            .first(|m| match m {
                "all" => Some(VoteKind::All),
                "any" => Some(VoteKind::Any),
                "uni" => Some(VoteKind::Uni),
                "ballot" => Some(VoteKind::Ballot),
                _ => None,
            })
            .ok_or("no mode")?;
        let first = at.ops.first().ok_or("no result")?;
        let (d, p) = if kind == VoteKind::Ballot {
            (self.destination(at, first)?.0, SCRATCH_PRED)
        } else {
            (SCRATCH, self.pred_dst(at, first)?)
        };
        Ok(Inst::Vote { kind, d, p, source: self.pred_src(at, 1)?, mask: self.src(at, 2, Type::B32)? })
    }

    pub(super) fn match_sync(&mut self, at: &At<'m>) -> Lowered<Inst> {
        let bits = if at.opcode.has("b64") { 64 } else { 32 };
        let ty = if bits == 64 { Type::B64 } else { Type::B32 };
        let (d, p) = self.value_and_pred(at)?;
        Ok(Inst::Match {
            all: at.opcode.has("all"),
            bits,
            d,
            p,
            a: self.src(at, 1, ty)?,
            mask: self.src(at, 2, Type::B32)?,
        })
    }

    pub(super) fn redux(&mut self, at: &At<'m>) -> Lowered<Inst> {
        let (kind, ty) = super::sync::atom_kind(at.opcode).ok_or("no operation")?;
        Ok(Inst::Redux {
            kind,
            ty,
            abs: at.opcode.has("abs"),
            nan: at.opcode.has("NaN"),
            d: self.dst(at, 0)?,
            a: self.src(at, 1, Type::B32)?,
            mask: self.src(at, 2, Type::B32)?,
        })
    }

    pub(super) fn elect(&mut self, at: &At<'m>) -> Lowered<Inst> {
        let (d, p) = self.value_and_pred(at)?;
        Ok(Inst::Elect { d, p: p.unwrap_or(SCRATCH_PRED), mask: self.src(at, 1, Type::B32)? })
    }
}

/// Shift amounts are 32 bits whatever is shifted; `fns` and field positions too.
fn operand_type(at: &At<'_>, index: usize, ty: Type) -> Type {
    let op = at.opcode.row.map(|r| r.op);
    match (op, index) {
        (Some(Op::Shl | Op::Shr), 2) => Type::U32,
        (Some(Op::Bfe), 2 | 3) | (Some(Op::Bfi), 3 | 4) => Type::U32,
        (Some(Op::Mad), 3) if at.opcode.has("wide") => match ty {
            Type::U16 | Type::S16 => Type::B32,
            _ => Type::B64,
        },
        _ => ty,
    }
}

fn bool_op(at: &At<'_>) -> Option<BoolOp> {
    at.opcode.first(|m| match m {
        "and" => Some(BoolOp::And),
        "or" => Some(BoolOp::Or),
        "xor" => Some(BoolOp::Xor),
        _ => None,
    })
}
