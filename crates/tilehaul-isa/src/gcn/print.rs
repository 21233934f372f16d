//! Disassembly text, spelled as llvm-objdump 22 spells it.

use std::fmt::Write as _;

use super::format::{Field, Format, Generation};
use super::inst::{Inst, Operand, Tail};
use super::names::{self, HintKind};
use super::table::{Class, Constants, OperandSpec, Row};

/// The top two bits of vector register numbers that `s_set_vgpr_msb` of gfx1250 has set, for the operands that follow it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VgprBanks {
    /// The immediate of the last `s_set_vgpr_msb`: bits 1:0 for source 0, 3:2 source 1, 5:4 source 2, 7:6 destination.
    pub bits: u8,
}

impl VgprBanks {
    /// The state after `inst`.
    #[must_use]
    pub fn after(self, inst: &Inst) -> VgprBanks {
        if inst.row.mnemonic == "s_set_vgpr_msb" {
            return VgprBanks { bits: inst.field(Field::Simm16) as u8 };
        }
        self
    }

    /// The number to add to the register of an operand held in `field` of `format`.
    #[must_use]
    pub fn offset(self, format: Format, field: Field) -> u16 {
        let shift = match (format, field) {
            // Memory instructions: the address is source 0, the data source 1 (of DS also source 2).
            (_, Field::Vdst | Field::VdstY) => 6,
            (Format::Vbuffer, Field::Vdata) => 6,
            (_, Field::Src0 | Field::Src0Y | Field::Addr | Field::Vaddr) => 0,
            (_, Field::Src1 | Field::Vsrc1 | Field::Vsrc1Y | Field::Data0 | Field::Vsrc | Field::Data) => 2,
            (_, Field::Src2 | Field::Vsrc2 | Field::Vsrc2Y | Field::Data1) => 4,
            _ => return 0,
        };
        u16::from(self.bits >> shift & 3) << 8
    }
}

/// The text of one instruction.
#[must_use]
pub fn print(inst: &Inst, banks: VgprBanks) -> String {
    let mut out = String::with_capacity(64);
    if let Some(second) = inst.second {
        half(&mut out, inst, inst.row, banks, false);
        out.push_str(" :: ");
        half(&mut out, inst, second, banks, true);
        return out;
    }
    out.push_str(match inst.tail {
        Tail::Dpp(_) | Tail::Dpp8(..) | Tail::Sdwa(_) => inst.row.mnemonic.trim_end_matches("_e32"),
        _ => inst.row.mnemonic,
    });
    match inst.tail {
        Tail::Dpp(_) | Tail::Dpp8(..)
            if inst.row.format == Format::Vop3 && !inst.row.mnemonic.ends_with("_e64") =>
        {
            out.push_str("_e64_dpp");
        }
        // Short comparisons are printed without. inferred: llvm-objdump 22.
        Tail::Dpp(_) | Tail::Dpp8(..) if inst.row.format == Format::Vopc => {}
        Tail::Dpp(_) | Tail::Dpp8(..) => out.push_str("_dpp"),
        Tail::Sdwa(_) => out.push_str("_sdwa"),
        _ => {}
    }
    let mut first = true;
    for operand in printed_operands(inst) {
        let text = operand_text(inst, inst.row, &operand, banks, false);
        if let Some(text) = text {
            out.push_str(if first { " " } else { ", " });
            out.push_str(&text);
            first = false;
        }
    }
    modifiers(&mut out, inst);
    out
}

fn half(out: &mut String, inst: &Inst, row: &Row, banks: VgprBanks, y: bool) {
    out.push_str(row.mnemonic);
    let mut first = true;
    for operand in &row.operands {
        if let Some(text) = operand_text(inst, row, operand, banks, y) {
            out.push_str(if first { " " } else { ", " });
            out.push_str(&text);
            first = false;
        }
    }
    if row.flags.bitop2 {
        bitop3_text(out, inst.field(if y { Field::Vsrc2Y } else { Field::Vsrc2 }));
    }
}

/// The operands of the text. Returning atomics name their result first although the table does not.
fn printed_operands(inst: &Inst) -> Vec<OperandSpec> {
    let row = inst.row;
    let mut operands = row.operands.clone();
    if is_atomic(row.mnemonic) && returns(inst) {
        let data = operands.iter().find_map(|o| match (o.field, o.class) {
            (Field::Data | Field::Vsrc, Class::Vgpr(n)) => Some(n),
            _ => None,
        });
        if let Some(width) = data {
            let width = if row.mnemonic.contains("cmpswap") { width / 2 } else { width };
            operands.insert(0, OperandSpec { field: Field::Vdst, class: Class::Vgpr(width) });
        }
    }
    if matches!(inst.tail, Tail::Sdwa(_)) && row.format == Format::Vopc {
        operands.retain(|o| o.class != Class::Vcc);
    }
    if row.format == Format::Mubuf && row.flags.lds && inst.field(Field::Lds) == 1 {
        operands.retain(|o| o.field != Field::Vdata);
    }
    operands
}

pub(crate) fn is_atomic(mnemonic: &str) -> bool {
    mnemonic.contains("_atomic_") && !mnemonic.starts_with("ds_")
}

pub(crate) fn returns(inst: &Inst) -> bool {
    if inst.target.generation() == Generation::Gfx9 {
        inst.field(Field::Sc0) == 1
    } else {
        inst.field(Field::Th) & 1 == 1
    }
}

fn operand_text(inst: &Inst, row: &Row, spec: &OperandSpec, banks: VgprBanks, y: bool) -> Option<String> {
    let generation = inst.target.generation();
    let value = if y { inst.operand_y(spec) } else { inst.operand(spec) };
    let text = match spec.class {
        Class::Hex => format!("{:#x}", inst.field(spec.field)),
        Class::Label => format!("{}", inst.field(spec.field)),
        Class::Dec | Class::Num => small_number(inst.field(spec.field)),
        Class::Opt => match inst.field(spec.field) {
            0 => return None,
            v => v.to_string(),
        },
        Class::Hwreg => hwreg_text(generation, inst.field(spec.field)),
        Class::SendMsg => message_text(generation, inst.field(spec.field)),
        Class::WaitCnt => waitcnt_text(inst.field(spec.field)),
        Class::DelayAlu => delay_text(inst.field(spec.field)),
        Class::DepCtr => depctr_text(inst.field(spec.field)),
        Class::GprIdx => gpr_index_text(inst.field(spec.field)),
        Class::SmemOffset => smem_offset_text(inst)?,
        Class::FlatSaddr if value == Operand::Off => return None,
        Class::Tdm2 | Class::Tdm3 if value == Operand::Off => {
            if inst.field(Field::Group2) == 0x7c && inst.field(Field::Group3) == 0x7c {
                return None;
            }
            "null".to_owned()
        }
        Class::Literal(_) => match value {
            Operand::Literal(v) if row.format == Format::Sopk => small_number(v as u32),
            Operand::Literal(v) if spec.class == Class::Literal(2) => double_literal(v),
            Operand::Literal(v) => format!("{v:#x}"),
            _ => return None,
        },
        Class::Vcc => {
            if let Tail::Sdwa(_) = inst.tail
                && row.format == Format::Vopc
            {
                return None;
            }
            scalar(generation, 106, if inst.target.wave_lanes() == 32 { 1 } else { 2 })
        }
        _ => register_text(inst, spec, value, banks, y),
    };
    let number = matches!(value, Operand::Int(_) | Operand::Float(_) | Operand::Literal(_));
    Some(with_signs(inst, row, spec, text, number, y))
}

/// `-x`, `|x|`, `sext(x)`; `neg(x)` for a bare number.
fn with_signs(inst: &Inst, row: &Row, spec: &OperandSpec, text: String, number: bool, y: bool) -> String {
    let index = match spec.field {
        Field::Src0 => 0,
        Field::Src1 | Field::Vsrc1 => 1,
        Field::Src2 | Field::Vsrc2 => 2,
        _ => return text,
    };
    let bit = |field: Field| inst.field(field) >> index & 1 == 1;
    let (neg, abs, sext) = match (row.format, inst.tail) {
        (Format::Vop3, _) if !row.flags.bitop3 => (
            bit(Field::Neg) && row.flags.neg >> index & 1 == 1,
            bit(Field::Abs) && row.flags.abs >> index & 1 == 1,
            false,
        ),
        (Format::Vop3p, _) if row.flags.mix => (bit(Field::Neg), bit(Field::NegHi), false),
        (Format::Vopd3, _) if row.flags.negxy => {
            (bit(if y { Field::NegY } else { Field::NegX }), false, false)
        }
        (Format::Vop1 | Format::Vop2 | Format::Vopc, Tail::Dpp(v)) if index < 2 => {
            (v >> (20 + 2 * index) & 1 == 1, v >> (21 + 2 * index) & 1 == 1, false)
        }
        (Format::Vop1 | Format::Vop2 | Format::Vopc, Tail::Sdwa(v)) if index < 2 => {
            let shift = if index == 0 { 16 } else { 24 };
            (v >> (shift + 4) & 1 == 1, v >> (shift + 5) & 1 == 1, v >> (shift + 3) & 1 == 1)
        }
        _ => (false, false, false),
    };
    let text = if abs { format!("|{text}|") } else { text };
    let text = if sext { format!("sext({text})") } else { text };
    match (neg, number && !abs) {
        (false, _) => text,
        (true, true) => format!("neg({text})"),
        (true, false) => format!("-{text}"),
    }
}

fn register_text(inst: &Inst, spec: &OperandSpec, value: Operand, banks: VgprBanks, y: bool) -> String {
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
fn double_literal(v: u64) -> String {
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

fn scalar(generation: Generation, first: u8, count: u8) -> String {
    names::scalar(generation, first, count).unwrap_or_else(|| format!("s{first}"))
}

/// Inline integers in decimal, everything else in hex.
fn small_number(v: u32) -> String {
    if v <= 64 { v.to_string() } else { format!("{v:#x}") }
}

fn hwreg_text(generation: Generation, imm: u32) -> String {
    let (id, offset, width) = (imm & 63, imm >> 6 & 31, (imm >> 11 & 31) + 1);
    let name = names::hwreg(generation, id).map_or_else(|| id.to_string(), str::to_owned);
    if offset == 0 && width == 32 {
        format!("hwreg({name})")
    } else {
        format!("hwreg({name}, {offset}, {width})")
    }
}

fn message_text(generation: Generation, imm: u32) -> String {
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

fn waitcnt_text(imm: u32) -> String {
    let parts = names::gfx9_waitcnt(imm);
    let all_idle = parts.iter().all(|(_, v, max)| v == max);
    let text: Vec<String> = parts
        .iter()
        .filter(|(_, v, max)| all_idle || v != max)
        .map(|(n, v, _)| format!("{n}({v})"))
        .collect();
    text.join(" ")
}

fn delay_text(imm: u32) -> String {
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

fn depctr_text(imm: u32) -> String {
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

fn gpr_index_text(imm: u32) -> String {
    if imm & !15 != 0 {
        return format!("{imm:#x}");
    }
    let names = ["SRC0", "SRC1", "SRC2", "DST"];
    let set: Vec<&str> =
        names.iter().enumerate().filter(|(i, _)| imm >> i & 1 == 1).map(|(_, n)| *n).collect();
    format!("gpr_idx({})", set.join(","))
}

fn smem_offset_text(inst: &Inst) -> Option<String> {
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

fn modifiers(out: &mut String, inst: &Inst) {
    match inst.row.format {
        Format::Vop1 | Format::Vop2 | Format::Vopc => lane_modifiers(out, inst),
        Format::Vop3 => vop3_modifiers(out, inst),
        Format::Vop3p => packed_modifiers(out, inst),
        Format::Scaled | Format::Scaled16 => scaled_modifiers(out, inst),
        Format::Smem => smem_modifiers(out, inst),
        Format::Ds => ds_modifiers(out, inst),
        Format::Flat | Format::Global | Format::Scratch => flat_modifiers(out, inst),
        Format::Mubuf | Format::Mtbuf | Format::Vbuffer => buffer_modifiers(out, inst),
        Format::Vimage => cache_policy(out, inst),
        _ => {}
    }
}

fn lane_modifiers(out: &mut String, inst: &Inst) {
    match inst.tail {
        Tail::Dpp(v) => dpp_modifiers(out, inst, v),
        Tail::Dpp8(v, fi) => dpp8_modifiers(out, v, fi),
        Tail::Sdwa(v) => sdwa_modifiers(out, inst, v),
        _ => {}
    }
}

fn dpp_modifiers(out: &mut String, inst: &Inst, v: u32) {
    let gfx9 = inst.target.generation() == Generation::Gfx9;
    let ctrl = v >> 8 & 0x1ff;
    let n = ctrl & 15;
    let _ = match ctrl {
        0..=0xff => {
            write!(out, " quad_perm:[{},{},{},{}]", ctrl & 3, ctrl >> 2 & 3, ctrl >> 4 & 3, ctrl >> 6 & 3)
        }
        0x101..=0x10f => write!(out, " row_shl:{n}"),
        0x111..=0x11f => write!(out, " row_shr:{n}"),
        0x121..=0x12f => write!(out, " row_ror:{n}"),
        0x130 if gfx9 => write!(out, " wave_shl:1"),
        0x134 if gfx9 => write!(out, " wave_rol:1"),
        0x138 if gfx9 => write!(out, " wave_shr:1"),
        0x13c if gfx9 => write!(out, " wave_ror:1"),
        0x140 => write!(out, " row_mirror"),
        0x141 => write!(out, " row_half_mirror"),
        0x142 if gfx9 => write!(out, " row_bcast:15"),
        0x143 if gfx9 => write!(out, " row_bcast:31"),
        0x150..=0x15f if gfx9 => write!(out, " row_newbcast:{n}"),
        0x150..=0x15f => write!(out, " row_share:{n}"),
        0x160..=0x16f if !gfx9 => write!(out, " row_xmask:{n}"),
        _ => write!(out, " /* Invalid dpp_ctrl value */"),
    };
    let _ = write!(out, " row_mask:{:#x} bank_mask:{:#x}", v >> 28, v >> 24 & 15);
    if v >> 19 & 1 == 1 {
        out.push_str(" bound_ctrl:1");
    }
    if !gfx9 && v >> 18 & 1 == 1 {
        out.push_str(" fi:1");
    }
}

fn dpp8_modifiers(out: &mut String, v: u32, fi: bool) {
    let lanes: Vec<String> = (0..8).map(|i| (v >> (8 + 3 * i) & 7).to_string()).collect();
    let _ = write!(out, " dpp8:[{}]", lanes.join(","));
    if fi {
        out.push_str(" fi:1");
    }
}

fn sdwa_modifiers(out: &mut String, inst: &Inst, v: u32) {
    let sel = |n: u32| names::SDWA_SEL.get((n & 7) as usize).copied().unwrap_or("/* invalid */");
    let vopc = inst.row.format == Format::Vopc;
    if !vopc {
        if v >> 13 & 1 == 1 {
            out.push_str(" clamp");
        }
        omod_text(out, v >> 14 & 3);
        // Conversions from 8-bit floats write whole registers and do not say so.
        let whole = ["fp8", "bf8"].iter().any(|f| inst.row.mnemonic.contains(f));
        let unused = names::SDWA_UNUSED.get((v >> 11 & 3) as usize).copied().unwrap_or("/* invalid */");
        if !whole {
            let _ = write!(out, " dst_sel:{} dst_unused:{unused}", sel(v >> 8));
        }
    }
    let _ = write!(out, " src0_sel:{}", sel(v >> 16));
    if inst.row.format != Format::Vop1 {
        let _ = write!(out, " src1_sel:{}", sel(v >> 24));
    }
}

fn omod_text(out: &mut String, omod: u32) {
    out.push_str(match omod {
        1 => " mul:2",
        2 => " mul:4",
        3 => " div:2",
        _ => "",
    });
}

fn vop3_modifiers(out: &mut String, inst: &Inst) {
    let flags = &inst.row.flags;
    if flags.bitop3 {
        bitop3_text(out, bitop3(inst));
    }
    let opsel = inst.field(Field::OpSel);
    // `v_cndmask_b16` says its halves in the registers alone.
    let spelled = inst.row.mnemonic != "v_cndmask_b16";
    if spelled && flags.opsel_entries > 0 && opsel & u32::from(flags.opsel) != 0 {
        // Comparisons with DPP leave out the entry of the destination.
        let compare_dpp =
            matches!(inst.tail, Tail::Dpp(_) | Tail::Dpp8(..)) && inst.row.mnemonic.starts_with("v_cmp_");
        let entries = u32::from(flags.opsel_entries) - u32::from(compare_dpp);
        let has_dst = flags.opsel >> 3 & 1 == 1;
        let bits: Vec<String> = (0..entries)
            .map(|i| if has_dst && i + 1 == entries { 3 } else { i })
            .map(|bit| (opsel >> bit & 1).to_string())
            .collect();
        let _ = write!(out, " op_sel:[{}]", bits.join(","));
    }
    if flags.bytesel != 0 {
        let (mask, entries) = match flags.bytesel {
            0xf => (3, 3),
            0xb => (8, 2),
            _ => (0, 0),
        };
        if opsel & mask != 0 {
            let bits: Vec<String> = (0..entries)
                .map(|i| if i + 1 == entries { 3 } else { i })
                .map(|b| (opsel & mask) >> b & 1)
                .map(|b| b.to_string())
                .collect();
            let _ = write!(out, " op_sel:[{}]", bits.join(","));
        }
        let v = byte_sel(inst);
        if v != 0 {
            let _ = write!(out, " byte_sel:{v}");
        }
    }
    if flags.scalesel != 0 && opsel != 0 {
        let _ = write!(out, " scale_sel:{opsel}");
    }
    if flags.clamp && inst.field(Field::Clamp) == 1 {
        out.push_str(" clamp");
    }
    if flags.omod {
        omod_text(out, inst.field(Field::Omod));
    }
    lane_modifiers(out, inst);
}

fn bitop3_text(out: &mut String, v: u32) {
    let _ = match v {
        0 => Ok(()),
        1..=10 => write!(out, " bitop3:{v}"),
        _ => write!(out, " bitop3:{v:#x}"),
    };
}

/// The truth table of `v_bitop3`: bits 2:0 in `omod` and `neg`, see the encoding.
pub(crate) fn bitop3(inst: &Inst) -> u32 {
    // bits 7:6 omod, 5:3 abs, 2:0 neg; inferred: llvm-mc 22.
    inst.field(Field::Omod) << 6 | inst.field(Field::Abs) << 3 | inst.field(Field::Neg)
}

/// Which byte a conversion reads or writes.
pub(crate) fn byte_sel(inst: &Inst) -> u32 {
    let opsel = inst.field(Field::OpSel);
    if inst.row.flags.bytesel & 4 != 0 {
        // Destination byte: bits 2 and 3.
        (opsel >> 2 & 1) | (opsel >> 3 & 1) << 1
    } else {
        (opsel & 1) << 1 | opsel >> 1 & 1
    }
}

/// The modifiers of both halves: which scales are taken, then what the product itself takes.
fn scaled_modifiers(out: &mut String, inst: &Inst) {
    let (sel, hi) = (inst.field(Field::ScaleSel), inst.field(Field::ScaleSelHi));
    if inst.row.flags.mai {
        if sel != 0 {
            let _ = write!(out, " op_sel:[{},{},0]", sel & 1, sel >> 1);
        }
        let _ = write!(out, " op_sel_hi:[{},{},0]", hi & 1, hi >> 1);
        return packed_modifiers(out, inst);
    }
    if inst.row.flags.matrix_fmt {
        matrix_formats(out, inst);
    }
    for (name, on) in [("a", sel), ("b", hi)] {
        if on == 1 {
            let _ = write!(out, " matrix_{name}_scale:MATRIX_SCALE_ROW1");
        }
    }
    for (name, field) in [("a", Field::ScaleFormatA), ("b", Field::ScaleFormatB)] {
        let code = inst.field(field);
        match names::SCALE_FORMATS.get(code as usize) {
            _ if code == 0 => {}
            Some(format) => {
                let _ = write!(out, " matrix_{name}_scale_fmt:{format}");
            }
            None => {
                let _ = write!(out, " matrix_{name}_scale_fmt:{code}");
            }
        }
    }
    for (name, field) in [("a", Field::ReuseA), ("b", Field::ReuseB)] {
        if inst.field(field) == 1 {
            let _ = write!(out, " matrix_{name}_reuse");
        }
    }
    signs_of_packed(out, inst);
}

/// `matrix_a_fmt:` and `matrix_b_fmt:` of gfx1250.
fn matrix_formats(out: &mut String, inst: &Inst) {
    let opsel_hi = inst.field(Field::OpSelHi) | inst.field(Field::OpSelHi2) << 2;
    for (name, v) in [("a", inst.field(Field::OpSel) & 7), ("b", opsel_hi & 7)] {
        if v != 0 {
            let text =
                names::MATRIX_FORMATS.get(v as usize).map_or_else(|| v.to_string(), |s| (*s).to_owned());
            let _ = write!(out, " matrix_{name}_fmt:{text}");
        }
    }
}

fn packed_modifiers(out: &mut String, inst: &Inst) {
    let flags = &inst.row.flags;
    let list =
        |value: u32, n: u32| (0..n).map(|i| (value >> i & 1).to_string()).collect::<Vec<_>>().join(",");
    let opsel = inst.field(Field::OpSel);
    let opsel_hi = inst.field(Field::OpSelHi) | inst.field(Field::OpSelHi2) << 2;
    if flags.pk > 0 {
        let n = u32::from(flags.pk);
        let all = (1 << n) - 1;
        if opsel & all != 0 {
            let _ = write!(out, " op_sel:[{}]", list(opsel, n));
        }
        let default = if flags.mix { 0 } else { all };
        if opsel_hi & all != default {
            let _ = write!(out, " op_sel_hi:[{}]", list(opsel_hi, n));
        }
    }
    if flags.ldscale {
        if opsel & 3 != 0 {
            let _ = write!(out, " op_sel:[{}]", list(opsel, 2));
        }
        if opsel_hi & 3 != 3 {
            let _ = write!(out, " op_sel_hi:[{}]", list(opsel_hi, 2));
        }
    }
    if flags.wmma {
        if flags.matrix_fmt {
            matrix_formats(out, inst);
        }
        if flags.indexkey && opsel & 1 == 1 {
            out.push_str(" index_key:1");
        }
        if flags.reuse {
            if opsel >> 2 & 1 == 1 {
                out.push_str(" matrix_a_reuse");
            }
            if opsel_hi >> 2 & 1 == 1 {
                out.push_str(" matrix_b_reuse");
            }
        }
    }
    if flags.mai {
        let (cbsz, abid, blgp) = (inst.field(Field::Cbsz), inst.field(Field::Abid), inst.field(Field::Blgp));
        if cbsz != 0 {
            let _ = write!(out, " cbsz:{cbsz}");
        }
        if abid != 0 {
            let _ = write!(out, " abid:{abid}");
        }
        if blgp != 0 {
            if inst.row.mnemonic.ends_with("_f64") {
                let _ = write!(out, " neg:[{}]", list(blgp, 3));
            } else {
                let _ = write!(out, " blgp:{blgp}");
            }
        }
        return;
    }
    if flags.mix {
        if flags.clamp && inst.field(Field::Clamp) == 1 {
            out.push_str(" clamp");
        }
        return lane_modifiers(out, inst);
    }
    signs_of_packed(out, inst);
    if flags.clamp && inst.field(Field::Clamp) == 1 {
        out.push_str(" clamp");
    }
    lane_modifiers(out, inst);
}

/// `neg_lo` and `neg_hi`.
fn signs_of_packed(out: &mut String, inst: &Inst) {
    let flags = &inst.row.flags;
    let sources = inst.row.operands.iter();
    let n = sources.filter(|o| matches!(o.field, Field::Src0 | Field::Src1 | Field::Src2)).count() as u32;
    let list =
        |value: u32, n: u32| (0..n).map(|i| (value >> i & 1).to_string()).collect::<Vec<_>>().join(",");
    let neg_lo = inst.field(Field::Neg) & u32::from(flags.neglo);
    let neg_hi = inst.field(Field::NegHi) & u32::from(flags.neghi);
    if neg_lo != 0 {
        let _ = write!(out, " neg_lo:[{}]", list(neg_lo, n));
    }
    if neg_hi != 0 {
        let _ = write!(out, " neg_hi:[{}]", list(neg_hi, n));
    }
}

fn smem_modifiers(out: &mut String, inst: &Inst) {
    if inst.target.generation() == Generation::Gfx9 {
        if inst.row.flags.glc && inst.field(Field::Sc0) == 1 {
            out.push_str(" glc");
        }
        return;
    }
    cache_policy(out, inst);
}

fn ds_modifiers(out: &mut String, inst: &Inst) {
    let flags = &inst.row.flags;
    let (low, high) = (inst.field(Field::Offset), inst.field(Field::Offset1));
    if flags.off {
        let offset = low | high << 8;
        if inst.row.mnemonic == "ds_swizzle_b32" && offset != 0 {
            let _ = write!(out, " offset:{}", swizzle_text(offset));
        } else if offset != 0 {
            let _ = write!(out, " offset:{offset}");
        }
    }
    if flags.off01 {
        if low != 0 {
            let _ = write!(out, " offset0:{low}");
        }
        if high != 0 {
            let _ = write!(out, " offset1:{high}");
        }
    }
}

/// The pattern of `ds_swizzle_b32`, in the most telling of its spellings.
fn swizzle_text(imm: u32) -> String {
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

fn signed(value: u32, width: u32) -> i32 {
    (value << (32 - width)) as i32 >> (32 - width)
}

fn flat_modifiers(out: &mut String, inst: &Inst) {
    let gfx9 = inst.target.generation() == Generation::Gfx9;
    let offset = if gfx9 {
        let raw = inst.field(Field::Offset);
        if inst.row.format == Format::Flat { (raw & 0xfff) as i32 } else { signed(raw, 13) }
    } else {
        signed(inst.field(Field::Ioffset), 24)
    };
    if offset != 0 {
        let _ = write!(out, " offset:{offset}");
    }
    if gfx9 { gfx9_cache(out, inst) } else { cache_policy(out, inst) }
}

fn gfx9_cache(out: &mut String, inst: &Inst) {
    let flags = &inst.row.flags;
    for (on, field, text) in
        [(flags.sc0, Field::Sc0, " sc0"), (flags.nt, Field::Nt, " nt"), (flags.sc1, Field::Sc1, " sc1")]
    {
        if on && inst.field(field) == 1 {
            out.push_str(text);
        }
    }
}

fn buffer_modifiers(out: &mut String, inst: &Inst) {
    if !inst.row.flags.offen {
        return gfx9_cache(out, inst);
    }
    if inst.row.format == Format::Mtbuf {
        let v = inst.field(Field::Dfmt);
        tbuffer_format(out, v);
    }
    if inst.field(Field::Idxen) == 1 {
        out.push_str(" idxen");
    }
    if inst.field(Field::Offen) == 1 {
        out.push_str(" offen");
    }
    let offset = if inst.row.format == Format::Vbuffer {
        inst.field(Field::Ioffset)
    } else {
        inst.field(Field::Offset)
    };
    if offset != 0 {
        let _ = write!(out, " offset:{offset}");
    }
    if inst.row.format == Format::Vbuffer {
        return cache_policy(out, inst);
    }
    gfx9_cache(out, inst);
    if inst.row.flags.lds && inst.field(Field::Lds) == 1 {
        out.push_str(" lds");
    }
}

fn tbuffer_format(out: &mut String, v: u32) {
    let (data, number) = (v & 15, v >> 4 & 7);
    if (data, number) == (1, 0) {
        return;
    }
    let data_name = names::BUFFER_DATA_FORMATS.get(data as usize).copied().unwrap_or("");
    let number_name = names::BUFFER_NUMBER_FORMATS.get(number as usize).copied().unwrap_or("");
    let _ = match (data, number) {
        (1, _) => write!(out, " format:[{number_name}]"),
        (_, 0) => write!(out, " format:[{data_name}]"),
        _ => write!(out, " format:[{data_name},{number_name}]"),
    };
}

/// `th:`, `scope:`, `nv` of gfx1250.
fn cache_policy(out: &mut String, inst: &Inst) {
    let flags = &inst.row.flags;
    if flags.scale && inst.field(Field::Scale) == 1 {
        out.push_str(" scale_offset");
    }
    let (th, scope) = (inst.field(Field::Th), inst.field(Field::Scope));
    if flags.th
        && let Some(name) = names::temporal_hint(hint_kind(inst.row.mnemonic), th, scope)
    {
        let _ = write!(out, " th:{name}");
    }
    if flags.scope && scope != 0 {
        let _ = write!(out, " scope:{}", names::SCOPES.get(scope as usize).copied().unwrap_or("SCOPE_CU"));
    }
    if flags.nv && inst.field(Field::Nv) == 1 {
        out.push_str(" nv");
    }
}

pub(crate) fn hint_kind(mnemonic: &str) -> HintKind {
    if mnemonic.contains("_atomic_") {
        HintKind::Atomic
    } else if mnemonic.contains("store") || mnemonic.ends_with("_wb") || mnemonic.ends_with("_wbinv") {
        HintKind::Store
    } else {
        HintKind::Load
    }
}
