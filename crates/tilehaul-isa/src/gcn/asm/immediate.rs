//! Immediates that are written in words: hardware registers, messages, waits, delays, swizzles.

use super::Symbols;
use super::constant::number;
use super::pieces::{call, split};
use crate::gcn::format::Generation;
use crate::gcn::names;

pub(super) fn hwreg(generation: Generation, text: &str, symbols: Symbols<'_>) -> Option<u32> {
    let Some(parts) = call(text, "hwreg") else { return number(text, symbols).map(|v| v as u32 & 0xffff) };
    // Offset and width stand there together or not at all.
    if parts.len() == 2 {
        return None;
    }
    let first = *parts.first()?;
    let id = names::hwreg_number(generation, first).or_else(|| number(first, symbols).map(|v| v as u32))?;
    let get = |i: usize, default: i64| parts.get(i).map_or(Some(default), |p| number(p, symbols));
    let (offset, width) = (get(1, 0)?, get(2, 32)?);
    ((0..32).contains(&offset) && (1..=32).contains(&width))
        .then(|| id & 63 | (offset as u32) << 6 | (width as u32 - 1) << 11)
}

pub(super) fn message(generation: Generation, text: &str, symbols: Symbols<'_>) -> Option<u32> {
    let Some(parts) = call(text, "sendmsg") else { return number(text, symbols).map(|v| v as u32 & 0xffff) };
    let first = *parts.first()?;
    let id = match first {
        "MSG_GS" if generation == Generation::Gfx9 => 2,
        "MSG_GS_DONE" if generation == Generation::Gfx9 => 3,
        _ => names::message_number(generation, first).or_else(|| number(first, symbols).map(|v| v as u32))?,
    };
    let op = match parts.get(1) {
        None => 0,
        Some(&"GS_OP_NOP") => 0,
        Some(&"GS_OP_CUT") => 1,
        Some(&"GS_OP_EMIT") => 2,
        Some(&"GS_OP_EMIT_CUT") => 3,
        Some(other) => number(other, symbols)? as u32,
    };
    let stream = parts.get(2).map_or(Some(0), |p| number(p, symbols))? as u32;
    Some(id | op << 4 | stream << 8)
}

pub(super) fn waitcnt(text: &str, symbols: Symbols<'_>) -> Option<u32> {
    if let Some(v) = number(text, symbols) {
        // A number has its low 16 bits taken. manual: llvm-mc 22.
        return Some(v as u32 & 0xffff);
    }
    let mut imm = 0xcf7fu32;
    for part in text.split(['&', ',', ' ']).map(str::trim).filter(|p| !p.is_empty()) {
        let (name, value) = part.strip_suffix(')')?.split_once('(')?;
        let n = u32::try_from(number(value, symbols)?).ok()?;
        let saturated = name.ends_with("_sat");
        let clip = |max: u32| if n <= max { Some(n) } else { saturated.then_some(max) };
        match name.trim_end_matches("_sat") {
            "vmcnt" => {
                let n = clip(63)?;
                imm = imm & !0xc00f | n & 15 | (n >> 4) << 14;
            }
            "expcnt" => imm = imm & !0x70 | clip(7)? << 4,
            "lgkmcnt" => imm = imm & !0xf00 | clip(15)? << 8,
            _ => return None,
        }
    }
    Some(imm)
}

pub(super) fn delay(text: &str, symbols: Symbols<'_>) -> Option<u32> {
    if let Some(v) = number(text, symbols) {
        return Some(v as u32 & 0xffff);
    }
    let mut imm = 0;
    for part in text.split('|').map(str::trim) {
        let (name, value) = part.strip_suffix(')')?.split_once('(')?;
        let id = || {
            if value == "NO_DEP" {
                return Some(0);
            }
            names::DELAY_IDS.iter().position(|n| *n == value).map(|i| i as u32 + 1)
        };
        match name {
            "instid0" => imm |= id()?,
            "instskip" => {
                let skip = if value == "SAME" {
                    0
                } else {
                    names::DELAY_SKIPS.iter().position(|n| *n == value)? as u32 + 1
                };
                imm |= skip << 4;
            }
            "instid1" => imm |= id()? << 7,
            _ => return None,
        }
    }
    Some(imm)
}

pub(super) fn depctr(text: &str, symbols: Symbols<'_>) -> Option<u32> {
    if let Some(v) = number(text, symbols) {
        return (-0x8000..0x1_0000).contains(&v).then_some(v as u32 & 0xffff);
    }
    let mut imm = 0xff9f;
    for part in text.split_whitespace() {
        let (name, value) = part.strip_suffix(')')?.split_once('(')?;
        let n = number(value, symbols)? as u32;
        let &(_, lo, width) = names::DEPCTR.iter().find(|(d, ..)| *d == name)?;
        let mask = ((1u32 << width) - 1) << lo;
        imm = imm & !mask | n << lo & mask;
    }
    Some(imm)
}

pub(super) fn gpr_index(text: &str, symbols: Symbols<'_>) -> Option<u32> {
    let Some(parts) = call(text, "gpr_idx") else {
        return u32::try_from(number(text, symbols)?).ok().filter(|v| *v < 16);
    };
    parts.iter().try_fold(0, |v, p| {
        let bit = ["SRC0", "SRC1", "SRC2", "DST"].iter().position(|n| n == p)?;
        Some(v | 1 << bit)
    })
}

pub(super) fn swizzle(inner: &str) -> Option<u32> {
    let parts = split(inner);
    let n = |i: usize| parts.get(i).and_then(|p| p.parse::<u32>().ok());
    Some(match *parts.first()? {
        "QUAD_PERM" => 0x8000 | n(1)? | n(2)? << 2 | n(3)? << 4 | n(4)? << 6,
        "SWAP" => n(1)? << 10 | 31,
        "REVERSE" => (n(1)? - 1) << 10 | 31,
        "BROADCAST" => n(2)? << 5 | (32 - n(1)?),
        "ROTATE" => 0xc000 | n(1)? << 10 | n(2)? << 5,
        "FFT" => 0xe000 | n(1)?,
        "BITMASK_PERM" => {
            let mask = parts.get(1)?.trim_matches('"');
            let (mut and, mut or, mut xor) = (0, 0, 0);
            for (i, c) in mask.chars().enumerate() {
                let bit = 1u32 << 4u32.checked_sub(i as u32)?;
                match c {
                    '0' => {}
                    '1' => or |= bit,
                    'p' => and |= bit,
                    'i' => (and, xor) = (and | bit, xor | bit),
                    _ => return None,
                }
            }
            and | or << 5 | xor << 10
        }
        _ => return None,
    })
}
