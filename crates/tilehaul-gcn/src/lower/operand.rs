//! Operands: registers by their numbers, constants in the bits of the operand's type.

use tilehaul_isa::gcn::format::{Field, Generation};
use tilehaul_isa::gcn::table::{Class, Constants, OperandSpec, Row, Source};
use tilehaul_isa::gcn::{Inst, Operand, Tail};

use crate::op::{Op, Reg, Src, SrcKind};
use crate::wave::ACC_BASE;

/// A slot that neither `s_set_vgpr_msb` nor the index mode moves.
const LOWEST_BANK: u8 = 4;

pub(crate) fn slot_of(field: Field) -> u8 {
    match field {
        Field::Vdst | Field::VdstY => 3,
        Field::Src1 | Field::Vsrc1 | Field::Vsrc1Y | Field::Data0 | Field::Vsrc | Field::Data => 1,
        Field::Src2 | Field::Vsrc2 | Field::Vsrc2Y | Field::Data1 => 2,
        Field::Vdata => 3,
        Field::Src0 | Field::Src0Y | Field::Addr | Field::Vaddr => 0,
        // inferred: LLVM keeps registers of scales among the lowest 256 (class `Lo256`), whatever the bank of source 0 is.
        _ => LOWEST_BANK,
    }
}

pub(super) fn reg_of(operand: Operand, field: Field) -> Reg {
    let slot = slot_of(field);
    match operand {
        Operand::Vgpr { first, count } => Reg { n: first, slot, width: count, high: false, is: true },
        Operand::VgprHalf { index, high } => Reg { n: index, slot, width: 1, high, is: true },
        Operand::Agpr { first, count } => {
            Reg { n: first + ACC_BASE, slot, width: count, high: false, is: true }
        }
        _ => Reg::default(),
    }
}

/// How a literal fills an operand of 64 bits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fill {
    /// 32 bits, sign-extended.
    Signed,
    /// 32 bits, zeros above.
    Unsigned,
    /// 32 bits, the upper half of a double.
    Double,
    /// It has all 64 bits.
    Whole,
}

pub(super) fn src_of(operand: Operand, spec: &OperandSpec, fill: Fill) -> Src {
    let mut src = Src { slot: slot_of(spec.field), width: 1, ..Src::NONE };
    match operand {
        Operand::Vgpr { first, count } => (src.kind, src.width) = (SrcKind::V(first), count),
        Operand::VgprHalf { index, high } => (src.kind, src.high) = (SrcKind::V(index), high),
        Operand::Agpr { first, count } => (src.kind, src.width) = (SrcKind::V(first + ACC_BASE), count),
        Operand::Sgpr { first, count } => (src.kind, src.width) = (SrcKind::S(first), count),
        Operand::Int(v) => src.kind = SrcKind::Const(i64::from(v) as u64),
        Operand::Float(code) => src.kind = SrcKind::Const(float_bits(code, spec)),
        Operand::Literal(v) => src.kind = SrcKind::Const(literal_bits(v, spec, fill)),
        Operand::Imm(v) => src.kind = SrcKind::Const(u64::from(v)),
        Operand::Off => {}
    }
    // Operands of mixed formats name as many registers as their format needs.
    if let Class::Source(source) = spec.class
        && !matches!(src.kind, SrcKind::V(_))
    {
        src.width = source.width;
    }
    src
}

fn inline_float(code: u8) -> f64 {
    [0.5, -0.5, 1.0, -1.0, 2.0, -2.0, 4.0, -4.0, 0.159_154_943_091_895_32]
        .get(usize::from(code.saturating_sub(240)))
        .copied()
        .unwrap_or(0.0f64)
}

fn float_bits(code: u8, spec: &OperandSpec) -> u64 {
    let value = inline_float(code);
    match spec.class {
        Class::Source(Source { constants: Constants::Half | Constants::Short, .. }) => {
            u64::from(half::f16::from_f64(value).to_bits())
        }
        Class::Source(Source { width: 2, .. }) => value.to_bits(),
        _ => u64::from((value as f32).to_bits()),
    }
}

fn literal_bits(v: u64, spec: &OperandSpec, fill: Fill) -> u64 {
    match (spec.class, fill) {
        (Class::Source(Source { width: 2, .. }), Fill::Double) => v << 32,
        (Class::Source(Source { width: 2, .. }), Fill::Signed) => i64::from(v as u32 as i32) as u64,
        _ => v,
    }
}

pub(super) fn operands<const L: usize>(op: &mut Op<L>, inst: &Inst, row: &Row, y: bool) {
    // A 32-bit literal of a signed 64-bit operand has its sign above, of any other zeros. inferred: the masks of LLVM.
    let short = match row.mnemonic {
        name if name.contains("f64") => Fill::Double,
        name if name.contains("i64") => Fill::Signed,
        _ => Fill::Unsigned,
    };
    // 254 in a source field says that the literal has 64 bits.
    let fill = |field: Field| {
        let whole = matches!(inst.tail, Tail::Literal64(_)) && inst.field(field) == 254;
        if whole { Fill::Whole } else { short }
    };
    let packed_single = row.mnemonic.starts_with("v_pk_") && row.mnemonic.ends_with("_f32");
    for spec in &row.operands {
        let value = if y { inst.operand_y(spec) } else { inst.operand(spec) };
        let place = if y && spec.field == Field::Src0 { Field::Src0Y } else { spec.field };
        match spec.field {
            Field::Vdst => match value {
                Operand::Sgpr { first, count } => (op.sdst, op.swidth) = (first, count),
                _ => op.vdst = reg_of(value, if y { Field::VdstY } else { Field::Vdst }),
            },
            Field::Sdst => {
                if let Operand::Sgpr { first, count } = value {
                    (op.sdst, op.swidth) = (first, count);
                }
            }
            Field::Src0 | Field::Ssrc0 => op.src[0] = src_of(value, spec, fill(place)),
            Field::Src1 | Field::Vsrc1 | Field::Ssrc1 => op.src[1] = src_of(value, spec, fill(place)),
            Field::Src2 | Field::Vsrc2 => op.src[2] = src_of(value, spec, fill(place)),
            Field::ScaleA => op.rest.scales[0] = src_of(value, spec, fill(place)),
            Field::ScaleB => op.rest.scales[1] = src_of(value, spec, fill(place)),
            Field::Literal => {
                // `fmaak` adds the literal, `fmamk` multiplies by it and has its other source last.
                let constant = src_of(value, spec, Fill::Whole);
                if row.mnemonic.contains("fmamk") || row.mnemonic.contains("madmk") {
                    op.src[2] = op.src[1];
                    op.src[1] = constant;
                } else {
                    op.src[2] = constant;
                }
            }
            _ => {}
        }
    }
    if row.mnemonic.contains("fmamk") || row.mnemonic.contains("madmk") {
        // The operands stand as source 0, literal, source 1: read after the literal.
        if let Some(spec) = row.operands.iter().find(|o| matches!(o.field, Field::Vsrc1 | Field::Ssrc1)) {
            let value = if y { inst.operand_y(spec) } else { inst.operand(spec) };
            op.src[2] = src_of(value, spec, fill(spec.field));
        }
        if let Some(spec) = row.operands.iter().find(|o| o.field == Field::Literal) {
            op.src[1] = src_of(inst.operand(spec), spec, Fill::Whole);
        }
    }
    // An inline constant is a half there, on gfx1250 in both halves. hardware: llvm-project #94116 (gfx11 and later).
    if row.mnemonic.starts_with("v_pk_fmac_f16")
        && let Some(spec) = row.operands.iter().find(|o| o.field == Field::Src0)
        && let Operand::Float(code) = inst.operand(spec)
    {
        let half = u64::from(half::f16::from_f64(inline_float(code)).to_bits());
        let gfx9 = inst.target.generation() == Generation::Gfx9;
        op.src[0].kind = SrcKind::Const(if gfx9 { half } else { half | half << 16 });
    }
    if packed_single {
        for src in &mut op.src {
            if let SrcKind::Const(v) = src.kind {
                // One 32-bit constant stands for both halves.
                let word = if v >> 32 != 0 && v as u32 == 0 {
                    (f64::from_bits(v) as f32).to_bits()
                } else {
                    v as u32
                };
                src.kind = SrcKind::Const(u64::from(word));
            }
        }
    }
}
