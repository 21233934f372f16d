//! Tensor cores and tensor memory.

use tilehaul_isa::ptx::Op;
use tilehaul_isa::ptx::ast::{Immediate, Operand, Type};
use tilehaul_layout::tmem::{CopyImage, CopyShape, Multicast, NativeImage, Packing, Shape};
use tilehaul_mma::Format;

use super::operands::space;
use super::{At, Lower, Lowered};
use crate::inst::{Inst, LdRed, MmaOp, TcKind, TcMmaOp, TcMove, TcScales, WgmmaOp};

impl<'m> Lower<'m> {
    pub(super) fn mma(&mut self, at: &At<'m>) -> Lowered<Inst> {
        let o = at.opcode;
        let (m, n, k) = o.first(shape).ok_or("no shape")?;
        if !matches!((m, n), (8 | 16, 8)) {
            return Err("mma has 8 or 16 rows and 8 columns".to_owned());
        }
        let types: Vec<&str> = o
            .modifiers
            .iter()
            .map(String::as_str)
            .filter(|t| operand_format(t).is_some() || result_format(t).is_some())
            .collect();
        let [d, a, b, c] = types[..] else { return Err("expected four types".to_owned()) };
        let (Some(a_type), Some(b_type)) = (operand_format(a), operand_format(b)) else {
            return Err("unknown operand types".to_owned());
        };
        let (Some(d_type), Some(c_type)) = (result_format(d), result_format(c)) else {
            return Err("unknown accumulator".to_owned());
        };
        let (a_ty, acc_ty) =
            if a_type == Format::F64 { (Type::F64, Type::F64) } else { (Type::B32, Type::B32) };
        let op = MmaOp {
            m,
            n,
            k,
            a_type,
            b_type,
            d_type,
            c_type,
            saturate: o.has("satfinite"),
            d: self.destination_list(at, 0)?.into(),
            a: self.source_list(at, 1, a_ty)?.into(),
            b: self.source_list(at, 2, a_ty)?.into(),
            c: self.source_list(at, 3, acc_ty)?.into(),
        };
        let element_bits = a_type.bits();
        let per_register = |bits: u32| if a_type == Format::F64 { 1 } else { 32 / bits };
        let regs = |elements: u32, bits: u32| (elements / 32 / per_register(bits)) as usize;
        let acc_bits = |t: Format| if t == Format::F16 { 16 } else { 32 };
        let wanted = [
            (op.d.len(), regs(m * n, acc_bits(d_type))),
            (op.a.len(), regs(m * k, element_bits)),
            (op.b.len(), regs(n * k, element_bits)),
            (op.c.len(), regs(m * n, acc_bits(c_type))),
        ];
        if let Some((got, want)) = wanted.iter().find(|(got, want)| got != want) {
            return Err(format!("a fragment has {got} registers, {want} are needed"));
        }
        Ok(Inst::Mma(Box::new(op)))
    }

    pub(super) fn wgmma(&mut self, at: &At<'m>) -> Lowered<Inst> {
        let o = at.opcode;
        let (_, n, k) = o.first(shape).ok_or("no shape")?;
        let types: Vec<&str> = o
            .modifiers
            .iter()
            .map(String::as_str)
            .filter(|t| operand_format(t).is_some() || result_format(t).is_some())
            .collect();
        let [d, a, b] = types[..] else { return Err("expected three types".to_owned()) };
        let (Some(d_type), Some(a_type), Some(b_type)) =
            (result_format(d), operand_format(a), operand_format(b))
        else {
            return Err("unknown types".to_owned());
        };
        if n == 0 || !n.is_multiple_of(8) || n > 256 {
            return Err(format!("n = {n} is not a multiple of 8 up to 256"));
        }
        let sparse = if o.has("sp") { Some(self.wgmma_sparse(at, a_type.bits(), k)?) } else { None };
        let more = if sparse.is_some() { 2 } else { 0 };
        let a_regs = self.source_list(at, 1, Type::B64)?;
        let from_registers = a_regs.len() > 1;
        let flags: Vec<i64> = (4 + more..at.ops.len())
            .map(|i| match at.ops.get(i) {
                Some(Operand::Imm(Immediate::Int(v))) => Ok(*v),
                _ => Err(format!("operand {i} must be a constant")),
            })
            .collect::<Lowered<_>>()?;
        let flag = |i: usize| flags.get(i).copied();
        let (transpose_a, transpose_b) = match (from_registers, flags.len()) {
            (true, 3) => (false, flag(2) == Some(1)),
            (_, 4) => (flag(2) == Some(1), flag(3) == Some(1)),
            (_, 0 | 2) => (false, false),
            _ => return Err("an unknown number of operands".to_owned()),
        };
        let d = self.destination_list(at, 0)?;
        let per_lane = n as usize / 2;
        let wanted = if d_type == Format::F16 { per_lane / 2 } else { per_lane };
        if d.len() != wanted {
            return Err(format!("the accumulator has {} registers, {wanted} are needed", d.len()));
        }
        if from_registers && a_regs.len() != 4 {
            return Err(format!("the A fragment has {} registers, 4 are needed", a_regs.len()));
        }
        let written = &self.behind_fence.written;
        let fragments = if from_registers { &a_regs[..] } else { &[] };
        let changed = d.iter().chain(fragments).any(|slot| written.contains(slot));
        Ok(Inst::Wgmma(Box::new(WgmmaOp {
            changed,
            n,
            k,
            a_type,
            b_type,
            d_type,
            saturate: o.has("satfinite"),
            d: d.into(),
            a: a_regs.into(),
            b: self.src(at, 2, Type::B64)?,
            scale_d: self.pred_src(at, 3 + more)?,
            negate_a: flag(0) == Some(-1),
            negate_b: flag(1) == Some(-1),
            transpose_a,
            transpose_b,
            sparse,
        })))
    }

    pub(super) fn tc_alloc(&mut self, op: Op, at: &At<'m>) -> Lowered<Inst> {
        let pair = at.opcode.has("cta_group::2");
        Ok(match op {
            Op::TcAlloc => Inst::TcAlloc {
                dst: self.address(at, 0)?,
                space: space(at.opcode),
                columns: self.src(at, 1, Type::U32)?,
                pair,
            },
            Op::TcDealloc => Inst::TcDealloc {
                addr: self.src(at, 0, Type::B32)?,
                columns: self.src(at, 1, Type::U32)?,
                pair,
            },
            _ => Inst::TcRelinquish,
        })
    }

    pub(super) fn tc_move(&mut self, op: Op, at: &At<'m>) -> Lowered<Inst> {
        let o = at.opcode;
        let shape = o.first(Shape::from_name).ok_or("no shape")?;
        let num =
            o.first(|m| m.strip_prefix('x').and_then(|n| n.parse::<u32>().ok())).ok_or("no repetition")?;
        let packing =
            if o.has("pack::16b") || o.has("unpack::16b") { Packing::Half16 } else { Packing::Plain };
        let image = NativeImage::new(shape, num, packing).map_err(|d| d.message)?;
        let split = |i: usize| -> Lowered<Option<i32>> {
            match at.ops.get(i) {
                Some(Operand::Imm(Immediate::Int(v))) => i32::try_from(*v)
                    .map(Some)
                    .or_else(|_| u32::try_from(*v).map(|u| Some(u.cast_signed())))
                    .map_err(|_| "the split offset is out of range".to_owned()),
                _ => Err("the split offset must be a constant".to_owned()),
            }
        };
        let two = image.accesses() == 2;
        let (regs, addr, split, reduce) = match op {
            Op::TcLd => (
                self.destination_list(at, 0)?,
                self.address(at, 1)?,
                if two { split(2)? } else { None },
                None,
            ),
            Op::TcLdRed => {
                let red = LdRed {
                    max: o.has("max"),
                    float: o.has("f32"),
                    signed: o.has("s32"),
                    abs: o.has("abs"),
                    nan: o.has("NaN"),
                    dst: self.dst(at, 1)?,
                };
                image.check_reduction().map_err(|d| d.message)?;
                (
                    self.destination_list(at, 0)?,
                    self.address(at, 2)?,
                    if two { split(3)? } else { None },
                    Some(red),
                )
            }
            _ => {
                let last = at.ops.len() - 1;
                let regs = self.source_list(at, last, Type::B32)?;
                (regs, self.address(at, 0)?, if two { split(1)? } else { None }, None)
            }
        };
        if regs.len() != image.registers() as usize {
            return Err(format!("{} registers are given, {} are needed", regs.len(), image.registers()));
        }
        let tc = Box::new(TcMove { image, addr, split, regs: regs.into(), reduce });
        Ok(if op == Op::TcSt { Inst::TcSt(tc) } else { Inst::TcLd(tc) })
    }

    pub(super) fn tc_cp(&mut self, at: &At<'m>) -> Lowered<Inst> {
        let o = at.opcode;
        let shape = o.first(CopyShape::from_name).ok_or("no shape")?;
        let multicast = o.first(|m| Multicast::from_name(&format!(".{m}"))).unwrap_or(Multicast::None);
        let image = CopyImage::new(shape, multicast).map_err(|d| d.message)?;
        Ok(Inst::TcCp {
            image: Box::new(image),
            addr: self.address(at, 0)?,
            desc: self.src(at, 1, Type::B64)?,
            pair: o.has("cta_group::2"),
        })
    }

    pub(super) fn tc_mma(&mut self, at: &At<'m>) -> Lowered<Inst> {
        let o = at.opcode;
        let kind = o
            .first(|m| {
                Some(match m {
                    "kind::f16" => TcKind::F16,
                    "kind::tf32" => TcKind::Tf32,
                    "kind::f8f6f4" => TcKind::F8f6f4,
                    "kind::i8" => TcKind::I8,
                    "kind::mxf8f6f4" => TcKind::Mxf8f6f4,
                    "kind::mxf4" => TcKind::Mxf4,
                    "kind::mxf4nvf4" => TcKind::Mxf4nvf4,
                    _ => return None,
                })
            })
            .ok_or("no kind")?;
        let weight_stationary = o.has("ws");
        let mut enable = None;
        let mut zero_columns = None;
        let mut disable = Vec::new();
        let scales = match kind {
            TcKind::Mxf8f6f4 | TcKind::Mxf4 | TcKind::Mxf4nvf4 => {
                let each = o.first(|m| match m {
                    "scale_vec::1X" => Some(1),
                    "scale_vec::2X" => Some(2),
                    "scale_vec::4X" | "block16" => Some(4),
                    "block32" => Some(if kind == TcKind::Mxf8f6f4 { 1 } else { 2 }),
                    _ => None,
                });
                // manual: PTX ISA, tcgen05.mma: the default of each kind.
                let each = each.unwrap_or(match kind {
                    TcKind::Mxf8f6f4 => 1,
                    TcKind::Mxf4nvf4 => 4,
                    _ => 2,
                });
                Some(TcScales { each, a: self.address(at, 4)?, b: self.address(at, 5)? })
            }
            _ => None,
        };
        for i in if scales.is_some() { 6 } else { 4 }..at.ops.len() {
            match at.ops.get(i) {
                Some(Operand::Vector(_)) => disable = self.source_list(at, i, Type::B32)?,
                // Behind the predicate of .ws only a mask follows.
                Some(_) if weight_stationary && enable.is_some() => {
                    zero_columns = Some(self.src(at, i, Type::B64)?);
                }
                Some(operand) if self.is_pred(at, operand) => enable = Some(self.pred_src(at, i)?),
                Some(Operand::Imm(_)) if enable.is_none() => enable = Some(self.pred_src(at, i)?),
                _ => return Err("scaled accumulators are not modelled".to_owned()),
            }
        }
        if scales.is_some() && (weight_stationary || zero_columns.is_some() || !disable.is_empty()) {
            return Err(
                "a scaled product with lanes or columns left out, or with .ws, is not modelled".to_owned()
            );
        }
        let a_in_tensor = match at.ops.get(1) {
            Some(Operand::Address(address)) => Some(address.offset),
            _ => None,
        };
        let a = self.address(at, 1)?.base;
        Ok(Inst::TcMma(Box::new(TcMmaOp {
            kind,
            pair: o.has("cta_group::2"),
            weight_stationary,
            zero_columns,
            d: self.address(at, 0)?,
            a,
            a_in_tensor,
            b: self.src(at, 2, Type::B64)?,
            idesc: self.src(at, 3, Type::B32)?,
            enable: enable.ok_or("tcgen05.mma names no enable-input-d")?,
            disable: disable.into(),
            scales,
        })))
    }

    pub(super) fn tc_commit(&mut self, at: &At<'m>) -> Lowered<Inst> {
        let multicast =
            if at.opcode.has("multicast::cluster") { Some(self.src(at, 1, Type::U16)?) } else { None };
        Ok(Inst::TcCommit { mbar: self.address(at, 0)?, space: space(at.opcode), multicast })
    }
}

/// `m16n8k32` to its three numbers.
pub(super) fn shape(name: &str) -> Option<(u32, u32, u32)> {
    let (m, rest) = name.strip_prefix('m')?.split_once('n')?;
    let (n, k) = rest.split_once('k')?;
    Some((m.parse().ok()?, n.parse().ok()?, k.parse().ok()?))
}

/// What A and B of `mma`, `wgmma` and `wmma` may hold.
pub(super) fn operand_format(name: &str) -> Option<Format> {
    use Format::{Bf16, E4m3, E5m2, F16, F64, S8, Tf32, U8};
    Format::parse(name).filter(|f| matches!(f, F16 | Bf16 | Tf32 | E4m3 | E5m2 | S8 | U8 | F64))
}

/// What C and D of those may hold.
pub(super) fn result_format(name: &str) -> Option<Format> {
    Format::parse(name).filter(|f| matches!(f, Format::F16 | Format::F32 | Format::S32 | Format::F64))
}
