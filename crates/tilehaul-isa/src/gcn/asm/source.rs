//! Sources: registers, signs, constants.

use super::constant::{float_text, half_from, inline_or_literal, is_float, number};
use super::draft::Draft;
use super::pieces::call;
use super::{Form, Symbols};
use crate::gcn::format::{Field, Format, Generation};
use crate::gcn::names;
use crate::gcn::table::Source;

pub(super) fn source_index(field: Field) -> u32 {
    match field {
        Field::Src0 | Field::Src0Y | Field::Ssrc0 => 0,
        Field::Src1 | Field::Vsrc1 | Field::Vsrc1Y | Field::Ssrc1 => 1,
        _ => 2,
    }
}

pub(super) fn source_operand(
    draft: &mut Draft<'_>,
    source: Source,
    field: Field,
    text: &str,
    symbols: Symbols<'_>,
) -> Option<()> {
    let index = source_index(field);
    let mut text = text.trim();
    // Signs belong to the operand unless it is a number of its own.
    let bare = inline_or_literal(text, &source, symbols).is_some();
    if !bare {
        text = signs(draft, index, text)?;
    }
    if draft.form != Form::Plain && field == Field::Src0 {
        if draft.form == Form::Sdwa && !text.starts_with('v') {
            let value = source_value(draft, &Source { vector: false, ..source }, field, text, symbols)?;
            draft.lane |= value & 0xff | 1 << 23;
            return draft.set(Field::Src0, 249);
        }
        let (name, high) = match (text.strip_suffix(".l"), text.strip_suffix(".h")) {
            (Some(name), _) => (name, 0),
            (_, Some(name)) => (name, 1),
            _ => (text, 0),
        };
        let (first, _) = names::numbered(name, "v")?;
        if draft.row.format == Format::Vop3 || draft.row.format == Format::Vop3p {
            draft.or(Field::OpSel, high)?;
        }
        let high = if draft.row.format == Format::Vop3 { 0 } else { high << 7 };
        draft.lane |= first & 0xff | high;
        return draft.set(Field::Src0, if draft.form == Form::Sdwa { 249 } else { 250 });
    }
    if source.half && source.vector && text.starts_with('v') && !text.starts_with("vcc") {
        let (name, high) = match (text.strip_suffix(".l"), text.strip_suffix(".h")) {
            (Some(name), _) => (name, 0),
            (_, Some(name)) => (name, 1),
            _ => (text, 0),
        };
        let (first, 1) = names::numbered(name, "v")? else { return None };
        if matches!(draft.row.format, Format::Vop3 | Format::Vop3p) {
            draft.or(Field::OpSel, high << index)?;
            return draft.set(field, 256 + first);
        }
        if first > 127 {
            return None;
        }
        return draft.set(field, 256 + (high << 7 | first));
    }
    let value = source_value(draft, &source, field, text, symbols)?;
    draft.set(field, value)
}

/// Takes `-`, `||` and `sext()` off an operand and sets their bits.
pub(super) fn signs<'t>(draft: &mut Draft<'_>, index: u32, mut text: &'t str) -> Option<&'t str> {
    let (mut neg, mut abs, mut sext) = (false, false, false);
    let inside =
        |text: &'t str, open: &str, close: char| text.strip_prefix(open).and_then(|t| t.strip_suffix(close));
    if let Some(inner) = inside(text, "neg(", ')').or_else(|| text.strip_prefix('-')) {
        (neg, text) = (true, inner);
    }
    if let Some(inner) = inside(text, "sext(", ')') {
        (sext, text) = (true, inner);
    }
    if let Some(inner) = inside(text, "|", '|').or_else(|| inside(text, "abs(", ')')) {
        (abs, text) = (true, inner);
    }
    apply_signs(draft, index, neg, abs, sext)?;
    Some(text)
}

fn apply_signs(draft: &mut Draft<'_>, index: u32, neg: bool, abs: bool, sext: bool) -> Option<()> {
    if !neg && !abs && !sext {
        return Some(());
    }
    let flags = &draft.row.flags;
    match (draft.row.format, draft.form) {
        (Format::Vop3, _) => {
            if neg && flags.neg >> index & 1 == 0 || abs && flags.abs >> index & 1 == 0 || sext {
                return None;
            }
            draft.or(Field::Neg, u32::from(neg) << index)?;
            draft.or(Field::Abs, u32::from(abs) << index)
        }
        (Format::Vop3p, _) if flags.mix => {
            draft.or(Field::Neg, u32::from(neg) << index)?;
            draft.or(Field::NegHi, u32::from(abs) << index)
        }
        (Format::Vopd3, _) if flags.negxy && !abs => {
            let field = if draft.y { Field::NegY } else { Field::NegX };
            draft.or(field, u32::from(neg) << index)
        }
        (Format::Vop1 | Format::Vop2 | Format::Vopc, Form::Dpp) if index < 2 && !sext => {
            draft.lane |= u32::from(neg) << (20 + 2 * index) | u32::from(abs) << (21 + 2 * index);
            Some(())
        }
        (Format::Vop1 | Format::Vop2 | Format::Vopc, Form::Sdwa) if index < 2 => {
            let shift = if index == 0 { 16 } else { 24 };
            draft.lane |= u32::from(sext) << (shift + 3)
                | u32::from(neg) << (shift + 4)
                | u32::from(abs) << (shift + 5);
            Some(())
        }
        _ => None,
    }
}

/// The number of a register or constant in a source field.
pub(super) fn source_value(
    draft: &mut Draft<'_>,
    source: &Source,
    field: Field,
    text: &str,
    symbols: Symbols<'_>,
) -> Option<u32> {
    let generation = draft.target.generation();
    let wide = draft.row.layout.bits(field).is_some_and(|(_, w)| w == 9);
    if text.starts_with('v') || text.starts_with('a') {
        let accumulators = draft.row.flags.mai && text.starts_with('a');
        let prefix = if accumulators { "a" } else { "v" };
        if let Some((first, n)) = names::numbered(text, prefix) {
            let mixed = matches!(field, Field::Src0 | Field::Src1);
            let width = if mixed { matrix_width(draft, source, n) } else { source.width };
            // The index of a sparse product lies in an ordinary register.
            if accumulators && draft.row.flags.smfmac && field == Field::Src2 {
                return None;
            }
            if !source.vector || !wide || n != u32::from(width) {
                return None;
            }
            if accumulators {
                match field {
                    Field::Src0 => draft.or(Field::AccAb, 1)?,
                    Field::Src1 => draft.or(Field::AccAb, 2)?,
                    _ => draft.set(Field::AccCd, 1)?,
                }
            }
            return Some(256 + first);
        }
    }
    if text == "null" && generation == Generation::Gfx9 {
        return None;
    }
    if let Some((first, n)) = names::scalar_number(generation, text) {
        let fits = u32::from(n) == u32::from(source.width)
            || first >= 230
            || (first == 124 && generation == Generation::Gfx12)
            || (first == 125 && generation == Generation::Gfx9);
        return (source.scalar && fits).then_some(u32::from(first));
    }
    // Written so, all 64 bits are given.
    let whole = if source.width == 2 { call(text, "lit64") } else { None };
    let (inline, value) = match &whole {
        Some(parts) => (None, number(parts.first()?, symbols)? as u64),
        None => inline_or_literal(text, source, symbols)?,
    };
    // Distances of symbols are literals whatever they come to.
    // So are the constants of these two, whose source is a pair for the assembler. inferred: llvm-mc 22.
    let pair = matches!(draft.row.mnemonic, "v_cvt_pk_bf8_f16" | "v_cvt_pk_fp8_f16");
    // Inline, a half would stand in both halves. hardware: llvm-project #94116 (gfx11 and later).
    let low = inline
        .filter(|_| draft.row.mnemonic == "v_pk_fmac_f16")
        .and_then(|code| names::INLINE_FLOATS.get(code.checked_sub(240)? as usize))
        .map(|x| u64::from(half_from(*x)));
    if let Some(code) = inline.filter(|_| !text.contains('@') && !pair && low.is_none())
        && (source.inline || field == Field::Soffset)
    {
        return Some(code);
    }
    // A pair of single floats takes one for both.
    let single = float_text(text).filter(|_| source.width == 2 && draft.row.mnemonic.starts_with("v_pk_"));
    let value = low.or(single.map(|x| u64::from((x as f32).to_bits()))).unwrap_or(value);
    // manual: LLVM AMDGPU, literals in VOP3 came with gfx10.
    let gfx9 = generation == Generation::Gfx9;
    let bare = matches!(draft.row.format, Format::Vop3 | Format::Vop3p) || draft.form != Form::Plain;
    if !source.literal || gfx9 && bare {
        return None;
    }
    if !pair && whole.is_none() && !text.contains('@') && !fits(draft, source, text, symbols) {
        return None;
    }
    // The long encodings have room for 32 bits alone, and the upper half of a double is enough where the lower one is 0.
    let double = is_float(draft.row);
    let narrow = matches!(draft.row.format, Format::Vop3 | Format::Vop3p);
    let upper = double && value as u32 == 0;
    let needed = value >> 32 != 0 && !upper || value >> 31 == 1 && !double;
    let long = source.width == 2
        && generation == Generation::Gfx12
        && (whole.is_some() || text.contains("@rel64") || needed && !narrow);
    // Of a double only the upper half has room. manual: llvm-mc 22, gfx9.
    let half = (gfx9 || narrow) && float_text(text).is_some() || upper;
    let value =
        if source.width == 2 && !long && value >> 32 != 0 && half && double { value >> 32 } else { value };
    if draft.literal.is_some_and(|l| l != value) {
        return None;
    }
    draft.literal = Some(value);
    draft.long_literal |= long;
    Some(if long { 254 } else { 255 })
}

/// Whether a literal has room for a constant: 32 bits, of which a number may be the lower ones with or without its sign;
/// gfx1250 has 64 for operands of that width. manual: llvm-mc 22.
fn fits(draft: &Draft<'_>, source: &Source, text: &str, symbols: Symbols<'_>) -> bool {
    if float_text(text).is_some() {
        return source.width != 2 || is_float(draft.row) || draft.row.mnemonic.starts_with("v_pk_");
    }
    let gfx12 = draft.target.generation() == Generation::Gfx12;
    let long = gfx12 && !matches!(draft.row.format, Format::Vop3 | Format::Vop3p);
    if source.width == 2 && long {
        return true;
    }
    // The upper half of a double.
    let upper = gfx12 && is_float(draft.row);
    number(text, symbols)
        .is_none_or(|n| upper && n as u32 == 0 || i32::try_from(n).is_ok() || u32::try_from(n).is_ok())
}

/// Matrix operands of mixed formats may have fewer registers than the row says.
fn matrix_width(draft: &Draft<'_>, source: &Source, given: u32) -> u8 {
    let widths = [source.width, source.width / 4 * 3, source.width / 2];
    if draft.row.flags.matrix_fmt && widths.iter().any(|w| u32::from(*w) == given) {
        given as u8
    } else {
        source.width
    }
}
