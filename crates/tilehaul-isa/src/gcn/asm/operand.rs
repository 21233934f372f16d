//! Operands by the class that a row gives them.

use super::constant::{double_literal, literal, number};
use super::draft::Draft;
use super::immediate::{delay, depctr, gpr_index, hwreg, message, waitcnt};
use super::source::{signs, source_index, source_operand, source_value};
use super::{Form, Symbols};
use crate::gcn::format::{Field, Format, Generation};
use crate::gcn::names;
use crate::gcn::table::{Class, Constants, OperandSpec, Source};

/// Reads one operand; returns whether it took a piece of the text.
pub(super) fn operand(
    draft: &mut Draft<'_>,
    spec: &OperandSpec,
    text: Option<&str>,
    symbols: Symbols<'_>,
) -> Option<bool> {
    let generation = draft.target.generation();
    let gfx9 = generation == Generation::Gfx9;
    let field = place(draft, spec.field);
    match spec.class {
        Class::Opt => {
            let Some(text) = text else { return Some(false) };
            draft.set(field, number(text, symbols)? as u32 & 0xffff)?;
        }
        Class::FlatSaddr => {
            // A scalar address takes one offset register, none an address of two.
            let wide = draft.lane == 2;
            let Some(text) = text else {
                draft.set(Field::Saddr, 0x7c)?;
                return wide.then_some(false);
            };
            let first = scalar(generation, text, 2).filter(|&first| !wide && first != 0x7c)?;
            draft.set(Field::Saddr, u32::from(first))?;
        }
        Class::Tdm2 | Class::Tdm3 => {
            let Some(text) = text.filter(|t| *t != "null") else {
                draft.set(field, 0x7c)?;
                return Some(text.is_some());
            };
            let n = scalar(generation, text, 4)?;
            draft.set(field, u32::from(n))?;
        }
        Class::Vcc => {
            let wanted = if draft.target.wave_lanes() == 32 { "vcc_lo" } else { "vcc" };
            // The assembler puts it in when it is left out.
            let Some(text) = text else { return Some(false) };
            if text != wanted {
                return None;
            }
        }
        Class::Saddr => {
            let text = text?;
            let value = if text == "off" {
                if gfx9 { 0x7f } else { 0x7c }
            } else {
                let width = if draft.row.format == Format::Scratch { 1 } else { 2 };
                u32::from(scalar(generation, text, width).filter(|_| width == 1 || text != "null")?)
            };
            // A scalar address takes a 32-bit vector offset, none a 64-bit address: checked by the width read before.
            draft.set(Field::Saddr, value)?;
            if draft.row.format == Format::Global {
                let wide = draft.lane == 2;
                if draft.lane != 0 && wide != (text == "off") {
                    return None;
                }
            }
        }
        Class::GlobalAddr => {
            let (first, count) = names::numbered(text?, "v")?;
            if count > 2 {
                return None;
            }
            draft.lane = count;
            draft.set(field, first)?;
        }
        Class::ScratchAddr => {
            let text = text?;
            if text == "off" {
                draft.set(Field::Sve, 0)?;
            } else {
                let (first, 1) = names::numbered(text, "v")? else { return None };
                draft.set(Field::Sve, 1)?;
                draft.set(field, first)?;
            }
        }
        Class::BufferAddr => {
            let text = text?;
            if text != "off" {
                let (first, count) = names::numbered(text, "v")?;
                draft.set(field, first)?;
                draft.lane = count;
            }
        }
        Class::SmemOffset => match text {
            Some(text) => return smem_offset(draft, text, symbols),
            // No offset is an offset of 0. manual: llvm-mc 22.
            None => {
                smem_offset(draft, "0", symbols)?;
                return Some(false);
            }
        },
        Class::Vgpr(count) => {
            let mut text = text?;
            let signed = draft.form != Form::Plain || draft.row.format == Format::Vopd3;
            if signed && matches!(spec.field, Field::Vsrc1 | Field::Vsrc2) {
                text = signs(draft, source_index(spec.field), text)?;
                if draft.form == Form::Sdwa
                    && let Some((first, 1)) = names::scalar_number(generation, text)
                {
                    draft.lane |= 1 << 31;
                    draft.set(field, u32::from(first))?;
                    return Some(true);
                }
            }
            let accumulates = names::numbered(text, "a");
            // Data and result of a memory instruction lie in one register file.
            if draft.row.flags.acc && !matches!(field, Field::Addr | Field::Vaddr) {
                let file = *draft.accumulators.get_or_insert(accumulates.is_some());
                if file != accumulates.is_some() {
                    return None;
                }
            }
            if let Some((first, n)) = accumulates {
                accumulator(draft, field, first, n, count)?;
            } else {
                let (first, n) = names::numbered(text, "v")?;
                if n != u32::from(count) {
                    return None;
                }
                if draft.y && draft.row.format == Format::Vopd && field == Field::VdstY {
                    draft.set(field, first >> 1)?;
                } else {
                    draft.set(field, first)?;
                }
            }
        }
        Class::VgprHalf => {
            let mut text = text?;
            if draft.form == Form::Dpp && spec.field == Field::Vsrc1 {
                text = signs(draft, source_index(spec.field), text)?;
            }
            half(draft, field, text)?;
        }
        Class::Agpr(count) => {
            let (first, n) = names::numbered(text?, "a")?;
            if n != u32::from(count) {
                return None;
            }
            let wide = draft.row.layout.bits(field).is_some_and(|(_, w)| w == 9);
            draft.set(field, first + if wide { 256 } else { 0 })?;
            if draft.row.flags.accmov {
                draft.set(Field::AccAb, 3)?;
                draft.set(Field::OpSelHi2, 1)?;
            }
        }
        Class::Sgpr(count) => {
            let n = u32::from(scalar(generation, text?, count)?);
            match field {
                Field::Implied => {
                    // The destination of an SDWA comparison: VCC needs no bits.
                    if n != 106 {
                        draft.lane |= n << 8 | 1 << 15;
                    }
                }
                // Registers of a pair start at an even one, of a resource at a multiple of four.
                Field::Sbase if n % 2 != 0 => return None,
                Field::Rsrc if n % 4 != 0 && n < 102 => return None,
                Field::Sbase => draft.set(field, n >> 1)?,
                Field::Rsrc if gfx9 => draft.set(field, n >> 2)?,
                _ => draft.set(field, n)?,
            }
        }
        Class::Soffset => {
            let source = Source {
                width: 1,
                vector: false,
                scalar: true,
                inline: false,
                literal: false,
                constants: Constants::Wide,
                half: false,
            };
            let value = source_value(draft, &source, field, text?, symbols)?;
            draft.set(Field::Soffset, value)?;
        }
        Class::Source(source) => source_operand(draft, source, field, text?, symbols)?,
        Class::Literal(width) => {
            let text = text?;
            let value = if width == 1 {
                literal(text, Constants::Wide, 1, symbols)?
            } else {
                double_literal(text, symbols)?
            };
            if draft.literal.is_some_and(|l| l != value) {
                return None;
            }
            draft.literal = Some(value);
            draft.long_literal |= width == 2;
        }
        Class::Hex | Class::Dec | Class::Num => {
            let v = number(text?, symbols)?;
            let width = draft.row.layout.bits(field)?.1;
            // Of these the assembler takes the low bits. manual: llvm-mc 22.
            let cut = spec.class == Class::Num && draft.row.format == Format::Sopp;
            if !cut && !(-(1i64 << (width - 1))..1i64 << width).contains(&v) {
                return None;
            }
            draft.set(field, v as u32 & ((1u64 << width) - 1) as u32)?;
        }
        Class::Label => {
            // The caller's symbols give the distance in dwords for names; numbers stand for themselves.
            draft.set(field, number(text?, symbols)? as u32 & 0xffff)?;
        }
        Class::Hwreg => draft.set(field, hwreg(generation, text?, symbols)?)?,
        Class::SendMsg => draft.set(field, message(generation, text?, symbols)?)?,
        Class::WaitCnt => draft.set(field, waitcnt(text?, symbols)?)?,
        Class::DelayAlu => draft.set(field, delay(text?, symbols)?)?,
        Class::DepCtr => draft.set(field, depctr(text?, symbols)?)?,
        Class::GprIdx => draft.set(field, gpr_index(text?, symbols)?)?,
    }
    Some(true)
}

fn place(draft: &Draft<'_>, field: Field) -> Field {
    if !draft.y {
        return field;
    }
    match field {
        Field::Vdst => Field::VdstY,
        Field::Src0 => Field::Src0Y,
        Field::Vsrc1 => Field::Vsrc1Y,
        Field::Vsrc2 => Field::Vsrc2Y,
        other => other,
    }
}

fn accumulator(draft: &mut Draft<'_>, field: Field, first: u32, n: u32, count: u8) -> Option<()> {
    if n != u32::from(count) {
        return None;
    }
    if draft.row.flags.mai && field == Field::Vdst {
        draft.set(Field::AccCd, 1)?;
    } else if draft.row.flags.acc && !matches!(field, Field::Addr | Field::Vaddr) {
        draft.set(Field::Acc, 1)?;
    } else {
        return None;
    }
    draft.set(field, first)
}

fn half(draft: &mut Draft<'_>, field: Field, text: &str) -> Option<()> {
    // Compilers without true16 leave `.l` out.
    let (name, high) = match (text.strip_suffix(".l"), text.strip_suffix(".h")) {
        (Some(name), _) => (name, 0),
        (_, Some(name)) => (name, 1),
        _ => (text, 0),
    };
    let (first, 1) = names::numbered(name, "v")? else { return None };
    if matches!(draft.row.format, Format::Vop3 | Format::Vop3p) {
        draft.or(Field::OpSel, high << 3)?;
        draft.set(field, first)
    } else {
        if first > 127 {
            return None;
        }
        draft.set(field, high << 7 | first)
    }
}

fn scalar(generation: Generation, text: &str, count: u8) -> Option<u8> {
    // The number has a name on gfx9, but nothing takes it. manual: llvm-mc 22.
    if text == "null" && generation == Generation::Gfx9 {
        return None;
    }
    let (first, n) = names::scalar_number(generation, text)?;
    let fits =
        n == count || (generation == Generation::Gfx12 && first == 124) || (first >= 230 && first != 254);
    fits.then_some(first)
}

/// Returns whether it took the text.
fn smem_offset(draft: &mut Draft<'_>, text: &str, symbols: Symbols<'_>) -> Option<bool> {
    let generation = draft.target.generation();
    if let Some((first, 1)) = names::scalar_number(generation, text) {
        if generation == Generation::Gfx9 {
            // Without an immediate the register stands in the offset field.
            draft.set(Field::Ioffset, u32::from(first))?;
            draft.set(Field::Imm, 0)?;
            return Some(true);
        }
        // Where an operand of its own is the register, the number before it was left out.
        if draft.row.operands.iter().any(|o| o.field == Field::Soffset) {
            draft.set(Field::Ioffset, 0)?;
            return Some(false);
        }
        draft.set(Field::Soffset, u32::from(first))?;
        return Some(true);
    }
    let v = number(text, symbols)?;
    if generation == Generation::Gfx9 {
        if !(-(1 << 20)..1 << 20).contains(&v) {
            return None;
        }
        draft.set(Field::Ioffset, v as u32 & 0x1f_ffff)?;
        draft.set(Field::Imm, 1)?;
        return Some(true);
    }
    if !(-(1 << 23)..1 << 23).contains(&v) {
        return None;
    }
    draft.set(Field::Soffset, 0x7c)?;
    draft.set(Field::Ioffset, v as u32 & 0xff_ffff)?;
    Some(true)
}
