//! Constants: what has an inline form, and the bits of literals.

use super::Symbols;
use super::pieces::call;
use crate::gcn::names;
use crate::gcn::table::{Constants, Row, Source};

pub(super) fn is_float(row: &Row) -> bool {
    row.mnemonic.contains("f64")
}

/// The inline code of a constant, if it has one, and its bits as a literal.
pub(super) fn inline_or_literal(
    text: &str,
    source: &Source,
    symbols: Symbols<'_>,
) -> Option<(Option<u32>, u64)> {
    if let Some(x) = float_text(text) {
        let code = names::INLINE_FLOATS
            .iter()
            .position(|f| *f == x || (*f as f32 == x as f32 && text.starts_with("0.159")))
            .map(|i| 240 + i as u32);
        let code = code.or((x == 0.0 && x.is_sign_positive()).then_some(128));
        let bits = match (source.constants, source.width) {
            (Constants::Half | Constants::Short, _) => u64::from(half_from(x)),
            (_, 2) => x.to_bits(),
            _ => u64::from((x as f32).to_bits()),
        };
        return Some((code, bits));
    }
    let v = number(text, symbols)?;
    let code = match v {
        0..=64 => Some(128 + v as u32),
        -16..=-1 => Some((192 - v) as u32),
        _ => None,
    };
    // The bits of an inline float get its code. inferred: llvm-mc 22.
    let bits = |f: f64| match (source.constants, source.width) {
        (Constants::Half, _) => i64::from(half_from(f)),
        (Constants::Short, _) => i64::MIN,
        (_, 2) => f.to_bits() as i64,
        _ => i64::from((f as f32).to_bits()),
    };
    let v32 = if source.width == 2 { v } else { i64::from(v as u32) };
    let by_bits = names::INLINE_FLOATS.iter().position(|f| bits(*f) == v32).map(|i| 240 + i as u32);
    let value = if source.width == 2 { v as u64 } else { u64::from(v as u32) };
    Some((code.or(by_bits), value))
}

pub(super) fn half_from(x: f64) -> u16 {
    // Round to nearest even through the 32-bit pattern; exact for every constant that compilers write.
    let bits = (x as f32).to_bits();
    let (sign, exponent, mantissa) =
        ((bits >> 16 & 0x8000) as u16, (bits >> 23 & 255) as i32 - 112, bits & 0x7f_ffff);
    if exponent <= 0 {
        return sign;
    }
    if exponent >= 31 {
        return sign | 0x7c00;
    }
    let rounded = (u32::from(exponent as u16) << 10 | mantissa >> 13)
        + u32::from(mantissa >> 12 & 1 == 1 && (mantissa & 0xfff != 0 || mantissa >> 13 & 1 == 1));
    sign | rounded as u16
}

pub(super) fn float_text(text: &str) -> Option<f64> {
    let body = text.strip_prefix('-').unwrap_or(text);
    let float = body.starts_with(|c: char| c.is_ascii_digit())
        && (body.contains('.') || (body.contains(['e', 'E']) && !body.starts_with("0x")));
    if float { text.parse().ok() } else { None }
}

pub(super) fn literal(text: &str, constants: Constants, width: u8, symbols: Symbols<'_>) -> Option<u64> {
    let source =
        Source { width, vector: false, scalar: false, inline: false, literal: true, constants, half: false };
    let (_, value) = inline_or_literal(text, &source, symbols)?;
    Some(if width == 1 { value & 0xffff_ffff } else { value })
}

/// The literal of `v_fmamk_f64`: a number of 32 bits is the upper half of a double, `lit64(…)` is taken as it is.
pub(super) fn double_literal(text: &str, symbols: Symbols<'_>) -> Option<u64> {
    if let Some(parts) = call(text, "lit64") {
        return Some(number(parts.first()?, symbols)? as u64);
    }
    match number(text, symbols).map(u32::try_from) {
        Some(Ok(high)) => Some(u64::from(high) << 32),
        _ => literal(text, Constants::Wide, 2, symbols),
    }
}

/// A number or an expression of symbols.
pub(super) fn number(text: &str, symbols: Symbols<'_>) -> Option<i64> {
    let text = text.trim();
    crate::gcn::expr::integer(text).or_else(|| symbols(text))
}
