//! Modifiers behind the operands.

use super::constant::number;
use super::draft::Draft;
use super::immediate::swizzle;
use super::lanes::lane_modifier;
use super::pieces::bits;
use super::{Form, Symbols};
use crate::gcn::format::{Field, Format, Generation};
use crate::gcn::names;

/// Fields whose default is not zero.
pub(super) fn finish_defaults(draft: &mut Draft<'_>, modifiers: &[&str]) -> Option<()> {
    let flags = &draft.row.flags;
    let (mix, wmma, matrix_fmt) = (flags.mix, flags.wmma, flags.matrix_fmt);
    let has = |name: &str| modifiers.iter().any(|m| m.starts_with(name));
    let packed = draft.row.format == Format::Vop3p && !flags.mai && !flags.accmov;
    if packed && !mix && !has("op_sel_hi:") && !matrix_fmt {
        draft.set(Field::OpSelHi, 3)?;
        if !wmma {
            draft.set(Field::OpSelHi2, 1)?;
        }
    }
    // The 4-bit product has no modifiers there, and its bits are set: inferred: llvm-mc 22.
    let four_bit = draft.row.mnemonic.ends_with("_f4");
    if four_bit {
        draft.set(Field::OpSelHi, 3)?;
        draft.set(Field::OpSelHi2, 1)?;
    }
    if draft.row.flags.exec {
        draft.set(Field::Vdst, 126)?;
    }
    if draft.row.layout.bits(Field::ScaleThird).is_some() {
        draft.set(Field::ScaleThird, 0x100)?;
    }
    if draft.row.format == Format::Mtbuf {
        // Bytes, when nothing is said.
        draft.set(Field::Dfmt, 1)?;
    }
    let gfx12 = draft.target.generation() == Generation::Gfx12;
    if gfx12 {
        let has_saddr = draft.row.operands.iter().any(|o| o.field == Field::Saddr);
        if draft.row.layout.bits(Field::Saddr).is_some() && !has_saddr {
            draft.set(Field::Saddr, 0x7c)?;
        }
    }
    Some(())
}

pub(super) fn read_modifier(draft: &mut Draft<'_>, word: &str, symbols: Symbols<'_>) -> Option<()> {
    let (name, value) = word.split_once(':').unwrap_or((word, ""));
    let flags = draft.row.flags.clone();
    let int = || number(value, symbols);
    let gfx9 = draft.target.generation() == Generation::Gfx9;
    let scaled = matches!(draft.row.format, Format::Scaled | Format::Scaled16);
    match name {
        "offset" if flags.off => {
            let v = match value.strip_prefix("swizzle(") {
                Some(inner) => i64::from(swizzle(inner.strip_suffix(')')?)?),
                None => int()?,
            };
            if !(0..0x1_0000).contains(&v) {
                return None;
            }
            draft.set(Field::Offset, v as u32 & 255)?;
            draft.set(Field::Offset1, v as u32 >> 8)
        }
        "offset0" if flags.off01 => draft.set(Field::Offset, u32::try_from(int()?).ok()?),
        "offset1" if flags.off01 => draft.set(Field::Offset1, u32::try_from(int()?).ok()?),
        "offset" => memory_offset(draft, int()?),
        "format" if draft.row.format == Format::Mtbuf => draft.set(Field::Dfmt, tbuffer_format(value)?),
        "sc0" if flags.sc0 => draft.set(Field::Sc0, 1),
        "glc" if flags.glc => draft.set(Field::Sc0, 1),
        "sc1" if flags.sc1 => draft.set(Field::Sc1, 1),
        "nt" if flags.nt => draft.set(Field::Nt, 1),
        "lds" if flags.lds => draft.set(Field::Lds, 1),
        "offen" if flags.offen => draft.set(Field::Offen, 1),
        "idxen" if flags.offen => draft.set(Field::Idxen, 1),
        "nv" if flags.nv => draft.set(Field::Nv, 1),
        "scale_offset" if flags.scale => draft.set(Field::Scale, 1),
        "th" if flags.th => {
            let kind = crate::gcn::print::hint_kind(draft.row.mnemonic);
            let scope = draft.row.layout.get(draft.word, Field::Scope);
            let th = (0..8).find(|&t| {
                [scope, 3, 0, 2].iter().any(|&s| names::temporal_hint(kind, t, s).as_deref() == Some(value))
            });
            draft.set(Field::Th, th.or_else(|| value.ends_with("_RT").then_some(0))?)
        }
        "scope" if flags.scope => {
            draft.set(Field::Scope, names::SCOPES.iter().position(|s| *s == value)? as u32)
        }
        "clamp" if draft.form == Form::Sdwa => {
            draft.lane |= 1 << 13;
            Some(())
        }
        "clamp" if flags.clamp => draft.set(Field::Clamp, 1),
        "mul" | "div" => {
            let omod = match (name, value) {
                ("mul", "2") => 1,
                ("mul", "4") => 2,
                ("div", "2") => 3,
                _ => return None,
            };
            if draft.form == Form::Sdwa {
                draft.lane |= omod << 14;
                return Some(());
            }
            if flags.omod { draft.set(Field::Omod, omod) } else { None }
        }
        "op_sel" | "op_sel_hi" if scaled && flags.mai => {
            let bits = bits(value)?.iter().take(2).enumerate().fold(0, |v, (i, b)| v | b << i);
            draft.set(if name == "op_sel" { Field::ScaleSel } else { Field::ScaleSelHi }, bits)
        }
        "matrix_a_reuse" if scaled => draft.set(Field::ReuseA, 1),
        "matrix_b_reuse" if scaled => draft.set(Field::ReuseB, 1),
        "matrix_a_scale" | "matrix_b_scale" if scaled => {
            let row = u32::from(value == "MATRIX_SCALE_ROW1");
            if row == 0 && value != "MATRIX_SCALE_ROW0" {
                return None;
            }
            draft.set(if name == "matrix_a_scale" { Field::ScaleSel } else { Field::ScaleSelHi }, row)
        }
        "matrix_a_scale_fmt" | "matrix_b_scale_fmt" if scaled => {
            let code = names::SCALE_FORMATS.iter().position(|f| *f == value)? as u32;
            let field = if name == "matrix_a_scale_fmt" { Field::ScaleFormatA } else { Field::ScaleFormatB };
            draft.set(field, code)
        }
        "op_sel" if !flags.wmma && (!flags.mai || flags.ldscale) => op_sel(draft, &bits(value)?),
        "op_sel_hi" if flags.pk > 0 || flags.ldscale => {
            let bits = bits(value)?.iter().enumerate().fold(0, |v, (i, b)| v | b << i);
            draft.set(Field::OpSelHi, bits & 3)?;
            // A missing third source keeps its default.
            let third = if flags.pk == 3 { bits >> 2 & 1 } else { u32::from(!flags.mix) };
            draft.set(Field::OpSelHi2, third)
        }
        "neg_lo" if !flags.mai => {
            draft.or(Field::Neg, bits(value)?.iter().enumerate().fold(0, |v, (i, b)| v | b << i))
        }
        "neg_hi" if !flags.mai => {
            draft.or(Field::NegHi, bits(value)?.iter().enumerate().fold(0, |v, (i, b)| v | b << i))
        }
        "neg" if flags.mai => {
            draft.set(Field::Blgp, bits(value)?.iter().enumerate().fold(0, |v, (i, b)| v | b << i))
        }
        "cbsz" if flags.mai => draft.set(Field::Cbsz, int()? as u32),
        "abid" if flags.mai => draft.set(Field::Abid, int()? as u32),
        "blgp" if flags.mai => draft.set(Field::Blgp, int()? as u32),
        "matrix_a_reuse" if flags.reuse => draft.or(Field::OpSel, 4),
        "matrix_b_reuse" if flags.reuse => draft.set(Field::OpSelHi2, 1),
        "index_key" if flags.indexkey => draft.or(Field::OpSel, int()? as u32 & 1),
        "matrix_a_fmt" | "matrix_b_fmt" if flags.matrix_fmt => {
            let code = names::MATRIX_FORMATS.iter().position(|f| *f == value)? as u32;
            if name == "matrix_a_fmt" {
                return draft.set(Field::OpSel, code);
            }
            draft.set(Field::OpSelHi, code & 3)?;
            draft.set(Field::OpSelHi2, code >> 2)
        }
        "bitop3" if flags.bitop3 => {
            let v = u32::try_from(int()?).ok()?;
            draft.set(Field::Omod, v >> 6 & 3)?;
            draft.set(Field::Abs, v >> 3 & 7)?;
            draft.set(Field::Neg, v & 7)
        }
        "bitop3" if flags.bitop2 => {
            draft.set(if draft.y { Field::Vsrc2Y } else { Field::Vsrc2 }, u32::try_from(int()?).ok()?)
        }
        "byte_sel" => {
            let v = u32::try_from(int()?).ok()?;
            if flags.bytesel & 4 != 0 {
                draft.or(Field::OpSel, v << 2)
            } else {
                draft.or(Field::OpSel, v >> 1 & 1 | v << 1 & 2)
            }
        }
        "scale_sel" if flags.scalesel != 0 => draft.set(Field::OpSel, int()? as u32),
        _ => lane_modifier(draft, name, value, gfx9),
    }
}

/// `[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_UINT]`, either part alone, or a number.
fn tbuffer_format(value: &str) -> Option<u32> {
    let Some(inner) = value.strip_prefix('[').and_then(|v| v.strip_suffix(']')) else {
        return crate::gcn::expr::integer(value).and_then(|v| u32::try_from(v).ok()).filter(|v| *v < 128);
    };
    // The format when nothing is said: one byte, normalised.
    let (mut data, mut number) = (1, 0);
    for name in inner.split(',').map(str::trim) {
        if let Some(code) = names::BUFFER_DATA_FORMATS.iter().position(|f| *f == name) {
            data = code as u32;
        } else {
            number = names::BUFFER_NUMBER_FORMATS.iter().position(|f| *f == name)? as u32;
        }
    }
    Some(data | number << 4)
}

fn op_sel(draft: &mut Draft<'_>, bits: &[u32]) -> Option<()> {
    let flags = &draft.row.flags;
    if flags.pk > 0 || flags.ldscale {
        return draft.set(Field::OpSel, bits.iter().enumerate().fold(0, |v, (i, b)| v | b << i));
    }
    let dst = flags.opsel >> 3 & 1 == 1 || flags.bytesel & 8 != 0;
    let n = bits.len();
    let value = bits.iter().enumerate().fold(0, |v, (i, b)| v | b << if dst && i + 1 == n { 3 } else { i });
    draft.or(Field::OpSel, value)
}

fn memory_offset(draft: &mut Draft<'_>, v: i64) -> Option<()> {
    let gfx9 = draft.target.generation() == Generation::Gfx9;
    match draft.row.format {
        Format::Mubuf | Format::Mtbuf => draft.set(Field::Offset, u32::try_from(v).ok()?),
        Format::Flat if gfx9 => draft.set(Field::Offset, u32::try_from(v).ok().filter(|v| *v < 4096)?),
        Format::Global | Format::Scratch if gfx9 => {
            (-4096..4096).contains(&v).then_some(())?;
            draft.set(Field::Offset, v as u32 & 0x1fff)
        }
        Format::Smem if gfx9 => {
            // A register was read before: it moves to its own field.
            if draft.row.layout.get(draft.word, Field::Imm) == 1 {
                return None;
            }
            let register = draft.row.layout.get(draft.word, Field::Ioffset);
            draft.set(Field::Soffset, register)?;
            draft.set(Field::SoffsetEn, 1)?;
            draft.set(Field::Imm, 1)?;
            draft.set(Field::Ioffset, v as u32 & 0x1f_ffff)
        }
        _ => {
            // A scalar load has its number as operand or, behind a register, as modifier.
            let written = |draft: &Draft<'_>| {
                draft.row.operands.iter().any(|o| o.field == Field::Soffset)
                    || draft.row.layout.get(draft.word, Field::Soffset) == 0x7c
            };
            if draft.row.format == Format::Smem && written(draft) {
                return None;
            }
            // A buffer's offset has no sign. manual: llvm-mc 22.
            let lowest = if draft.row.format == Format::Vbuffer { 0 } else { -(1 << 23) };
            (lowest..1 << 23).contains(&v).then_some(())?;
            draft.set(Field::Ioffset, v as u32 & 0xff_ffff)
        }
    }
}
