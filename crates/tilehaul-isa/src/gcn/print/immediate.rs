//! Immediates in words: hardware registers, messages, waits, delays, swizzles.

use super::operand::scalar;
use crate::gcn::format::{Field, Generation};
use crate::gcn::inst::Inst;
use crate::gcn::names;

pub(super) fn hwreg_text(generation: Generation, imm: u32) -> String {
    let (id, offset, width) = (imm & 63, imm >> 6 & 31, (imm >> 11 & 31) + 1);
    let name = names::hwreg(generation, id).map_or_else(|| id.to_string(), str::to_owned);
    if offset == 0 && width == 32 {
        format!("hwreg({name})")
    } else {
        format!("hwreg({name}, {offset}, {width})")
    }
}

pub(super) fn message_text(generation: Generation, imm: u32) -> String {
    const GS_OPS: [&str; 4] = ["GS_OP_NOP", "GS_OP_CUT", "GS_OP_EMIT", "GS_OP_EMIT_CUT"];
    if generation == Generation::Gfx12 {
        if imm > 255 {
            return imm.to_string();
        }
        return match names::message(generation, imm) {
            Some(name) => format!("sendmsg({name})"),
            None => format!("sendmsg({imm}, 0, 0)"),
        };
    }
    let (id, op, stream) = (imm & 15, imm >> 4 & 7, imm >> 8 & 3);
    if imm & !0x3ff != 0 {
        return imm.to_string();
    }
    let op_name = GS_OPS.get(op as usize).copied();
    match (id, op_name) {
        (2 | 3, Some(name)) if op != 0 || id == 3 => {
            let message = if id == 2 { "MSG_GS" } else { "MSG_GS_DONE" };
            match (op, stream) {
                (0, 0) => format!("sendmsg({message}, {name})"),
                (0, _) => format!("sendmsg({id}, {op}, {stream})"),
                _ => format!("sendmsg({message}, {name}, {stream})"),
            }
        }
        _ => match names::message(generation, id) {
            Some(name) if op == 0 && stream == 0 => format!("sendmsg({name})"),
            _ => format!("sendmsg({id}, {op}, {stream})"),
        },
    }
}

pub(super) fn waitcnt_text(imm: u32) -> String {
    let parts = names::gfx9_waitcnt(imm);
    let all_idle = parts.iter().all(|(_, v, max)| v == max);
    let text: Vec<String> = parts
        .iter()
        .filter(|(_, v, max)| all_idle || v != max)
        .map(|(n, v, _)| format!("{n}({v})"))
        .collect();
    text.join(" ")
}

pub(super) fn delay_text(imm: u32) -> String {
    let id = |v: u32| match v {
        0 => "NO_DEP",
        v => names::DELAY_IDS.get(v as usize - 1).copied().unwrap_or("/* invalid instid value */"),
    };
    let (first, skip, second) = (imm & 15, imm >> 4 & 7, imm >> 7 & 15);
    let mut parts = Vec::new();
    if first != 0 {
        parts.push(format!("instid0({})", id(first)));
    }
    if skip != 0 {
        let name =
            names::DELAY_SKIPS.get(skip as usize - 1).copied().unwrap_or("/* invalid instskip value */");
        parts.push(format!("instskip({name})"));
    }
    if second != 0 {
        parts.push(format!("instid1({})", id(second)));
    }
    if parts.is_empty() { "0".to_owned() } else { parts.join(" | ") }
}

pub(super) fn depctr_text(imm: u32) -> String {
    if imm & 0x60 != 0 {
        return format!("{imm:#x}");
    }
    let part = |&(name, lo, width): &(&'static str, u32, u32)| {
        let max = (1 << width) - 1;
        (name, imm >> lo & max, max)
    };
    let all_idle = names::DEPCTR.iter().map(part).all(|(_, v, max)| v == max);
    let text: Vec<String> = names::DEPCTR
        .iter()
        .map(part)
        .filter(|(_, v, max)| all_idle || v != max)
        .map(|(n, v, _)| format!("{n}({v})"))
        .collect();
    text.join(" ")
}

pub(super) fn gpr_index_text(imm: u32) -> String {
    if imm & !15 != 0 {
        return format!("{imm:#x}");
    }
    let names = ["SRC0", "SRC1", "SRC2", "DST"];
    let set: Vec<&str> =
        names.iter().enumerate().filter(|(i, _)| imm >> i & 1 == 1).map(|(_, n)| *n).collect();
    format!("gpr_idx({})", set.join(","))
}

pub(super) fn smem_offset_text(inst: &Inst) -> Option<String> {
    let generation = inst.target.generation();
    let raw = inst.field(Field::Ioffset);
    if generation == Generation::Gfx9 {
        let offset = i64::from((raw << 11) as i32 >> 11);
        let hex = if offset < 0 { format!("-{:#x}", -offset) } else { format!("{offset:#x}") };
        return Some(match (inst.field(Field::Imm), inst.field(Field::SoffsetEn)) {
            (1, 0) => hex,
            (1, _) => {
                let s = scalar(generation, inst.field(Field::Soffset) as u8, 1);
                format!("{s} offset:{hex}")
            }
            (_, 0) => scalar(generation, (raw & 0x7f) as u8, 1),
            _ => scalar(generation, inst.field(Field::Soffset) as u8, 1),
        });
    }
    let offset = i64::from((raw << 8) as i32 >> 8);
    let hex = if offset < 0 { format!("-{:#x}", -offset) } else { format!("{offset:#x}") };
    let prefetch = inst.row.mnemonic.contains("prefetch");
    match inst.field(Field::Soffset) {
        _ if prefetch => Some(hex),
        0x7c => Some(hex),
        s => Some(format!("{} offset:{hex}", scalar(generation, s as u8, 1))),
    }
}

/// The pattern of `ds_swizzle_b32`, in the most telling of its spellings.
pub(super) fn swizzle_text(imm: u32) -> String {
    if imm & 0xe000 == 0xe000 {
        return format!("swizzle(FFT,{})", imm & 31);
    }
    if imm & 0xe000 == 0xc000 {
        return format!("swizzle(ROTATE,{},{})", imm >> 10 & 1, imm >> 5 & 31);
    }
    if imm & 0x8000 != 0 {
        if imm & 0xff00 != 0x8000 {
            return imm.to_string();
        }
        return format!("swizzle(QUAD_PERM,{},{},{},{})", imm & 3, imm >> 2 & 3, imm >> 4 & 3, imm >> 6 & 3);
    }
    let (and, or, xor) = (imm & 31, imm >> 5 & 31, imm >> 10 & 31);
    if and == 31 && or == 0 && xor.is_power_of_two() {
        return format!("swizzle(SWAP,{xor})");
    }
    if and == 31 && or == 0 && xor > 0 && (xor + 1).is_power_of_two() {
        return format!("swizzle(REVERSE,{})", xor + 1);
    }
    let group = 32 - and;
    if group > 1 && group.is_power_of_two() && or < group && xor == 0 {
        return format!("swizzle(BROADCAST,{group},{or})");
    }
    let mut mask = String::new();
    for bit in (0..5).rev() {
        let of = |v: u32| v >> bit & 1 == 1;
        let zero = of(or) != of(xor);
        let one = (of(and) || of(or)) != of(xor);
        mask.push(match (zero, one) {
            (false, false) => '0',
            (true, true) => '1',
            (false, true) => 'p',
            (true, false) => 'i',
        });
    }
    format!("swizzle(BITMASK_PERM,\"{mask}\")")
}

pub(super) fn signed(value: u32, width: u32) -> i32 {
    (value << (32 - width)) as i32 >> (32 - width)
}
