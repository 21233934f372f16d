//! Registers and constants.

use super::VgprBanks;
use crate::gcn::format::{Field, Format, Generation};
use crate::gcn::inst::{Inst, Operand, Tail};
use crate::gcn::names;
use crate::gcn::table::{Class, Constants, OperandSpec};

pub(super) fn register_text(
    inst: &Inst,
    spec: &OperandSpec,
    value: Operand,
    banks: VgprBanks,
    y: bool,
) -> String {
    let generation = inst.target.generation();
    let field = match (spec.field, y) {
        (Field::Vdst, true) => Field::VdstY,
        (field, _) => field,
    };
    let format = inst.row.format;
    match value {
        Operand::Vgpr { first, count } => {
            let high = first + banks.offset(format, field);
            let text = vector("v", first, count);
            if high == first { text } else { format!("{text} /*{}*/", vector("v", high, count)) }
        }
        Operand::VgprHalf { index, high } => {
            let half = if high { "h" } else { "l" };
            let far = index + banks.offset(format, field);
            if far == index {
                format!("v{index}.{half}")
            } else {
                format!("v{index}.{half} /*v{far}.{half}*/")
            }
        }
        Operand::Agpr { first, count } => vector("a", first, count),
        Operand::Sgpr { first, count } => scalar(generation, first, count),
        Operand::Int(v) => v.to_string(),
        Operand::Float(code)
            if format == Format::Vop3p
                && matches!(spec.class, Class::Source(s) if s.constants == Constants::Wide) =>
        {
            names::inline_float(code, false).to_owned()
        }
        // llvm-mc 22 takes the third source for a word of 32 bits here, although it names two registers.
        Operand::Float(code)
            if spec.field == Field::Src2 && inst.row.mnemonic.starts_with("v_perm_pk16_") =>
        {
            names::inline_float(code, false).to_owned()
        }
        Operand::Float(code) => float_text(spec, code),
        Operand::Literal(v) if whole_literal(inst, spec) => {
            match (inst.row.mnemonic.contains("f64"), v >> 32) {
                (true, _) => double_literal(v),
                (false, 0) => format!("lit64({v:#x})"),
                _ => format!("{v:#x}"),
            }
        }
        Operand::Literal(v) => literal_text(spec, if format == Format::Vop3p { v & 0xffff_ffff } else { v }),
        Operand::Imm(v) => format!("{v:#x}"),
        Operand::Off => "off".to_owned(),
    }
}

fn float_text(spec: &OperandSpec, code: u8) -> String {
    let Class::Source(source) = spec.class else { return names::inline_float(code, false).to_owned() };
    let value = names::INLINE_FLOATS.get(usize::from(code.saturating_sub(240))).copied().unwrap_or(0.0);
    match source.constants {
        Constants::Short => format!("{:#x}", half_bits(code)),
        Constants::Bits => format!("{:#x}", (value as f32).to_bits()),
        Constants::Half => names::inline_float(code, false).to_owned(),
        Constants::Wide => names::inline_float(code, source.width == 2).to_owned(),
    }
}

/// The 16-bit float of an inline constant.
fn half_bits(code: u8) -> u16 {
    match code {
        240 => 0x3800,
        241 => 0xb800,
        242 => 0x3c00,
        243 => 0xbc00,
        244 => 0x4000,
        245 => 0xc000,
        246 => 0x4400,
        247 => 0xc400,
        _ => 0x3118,
    }
}

/// Whether a 64-bit source has a literal of 64 bits.
fn whole_literal(inst: &Inst, spec: &OperandSpec) -> bool {
    let wide = matches!(spec.class, Class::Source(s) if s.width == 2);
    wide && matches!(inst.tail, Tail::Literal64(_)) && inst.field(spec.field) == 254
}

/// A double is written by its upper half where the lower one is zero; what would be read as an upper half is marked.
pub(super) fn double_literal(v: u64) -> String {
    match (v >> 32, v & 0xffff_ffff) {
        (0, low) => format!("lit64({low:#x})"),
        (high, 0) => format!("{high:#x}"),
        _ => format!("{v:#x}"),
    }
}

fn literal_text(spec: &OperandSpec, v: u64) -> String {
    match spec.class {
        Class::Source(s) if matches!(s.constants, Constants::Half | Constants::Short) => {
            format!("{:#x}", v & 0xffff)
        }
        Class::Source(s) if s.width != 2 => format!("{:#x}", v & 0xffff_ffff),
        _ => format!("{v:#x}"),
    }
}

fn vector(prefix: &str, first: u16, count: u8) -> String {
    match count {
        1 => format!("{prefix}{first}"),
        _ => format!("{prefix}[{first}:{}]", u32::from(first) + u32::from(count) - 1),
    }
}

pub(super) fn scalar(generation: Generation, first: u8, count: u8) -> String {
    names::scalar(generation, first, count).unwrap_or_else(|| format!("s{first}"))
}

/// Inline integers in decimal, everything else in hex.
pub(super) fn small_number(v: u32) -> String {
    if v <= 64 { v.to_string() } else { format!("{v:#x}") }
}
